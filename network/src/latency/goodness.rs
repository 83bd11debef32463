//! Goodness of fit of a distribution to samples.
//!
//! * The discrepancy of Pederson and Johnson, as the paper has it (its equations 15 and 16).
//! * A test of Anderson and Darling.

use super::{Distribution, Maximum};

/// Ends of the first and the last bin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bins {
    /// At the least sample and a whole number of bins beyond, as the paper says. Probability
    /// outside does not count.
    Within,
    /// At infinity, so that all probability counts.
    Open,
}

/// Returns the index of a fit to samples: the smaller, the better.
///
/// Bins have equal width in ln x: 3.49 standard deviations by the cube root of the number of
/// samples (Scott 1979). `None` if all samples are equal or one is not positive; infinite if a bin
/// with samples has no probability.
///
/// ```
/// use superstep_network::latency::{fit, goodness::{Bins, index}};
///
/// let samples: Vec<f64> = (0..64).map(|at| 40.0 * (1.0 - (f64::from(at) + 0.5) / 64.0).powf(-0.1)).collect();
/// let [pareto, normal] = [fit::pareto(&samples).unwrap(), fit::normal(&samples).unwrap()];
/// assert!(index(&samples, &pareto, Bins::Open) < index(&samples, &normal, Bins::Open));
/// ```
pub fn index(samples: &[f64], fit: &Distribution, bins: Bins) -> Option<f64> {
    let logarithms: Vec<f64> = samples.iter().map(|x| x.ln()).collect();
    let least = logarithms.iter().copied().reduce(f64::min)?;
    let most = logarithms.iter().copied().fold(least, f64::max);
    let m = samples.len() as f64;
    let mean = logarithms.iter().sum::<f64>() / m;
    let squares: f64 = logarithms.iter().map(|x| (x - mean) * (x - mean)).sum();
    let width = 3.49 * (squares / (m - 1.0)).sqrt() / m.cbrt();
    if !(width > 0.0 && width.is_finite() && most > least) {
        return None;
    }
    // At most m^(1/3) sqrt(2 m) / 3.49 bins: the range is at most sqrt(2 m) deviations.
    let count = ((most - least) / width).ceil().max(1.0) as usize;
    let mut observed = vec![0.0; count];
    for x in logarithms {
        observed[(((x - least) / width) as usize).min(count - 1)] += 1.0;
    }
    let below = |edge: usize| match (bins, edge) {
        (Bins::Open, 0) => 0.0,
        (Bins::Open, _) if edge == count => 1.0,
        _ => fit.cdf((least + edge as f64 * width).exp()),
    };
    let sum: f64 = observed
        .iter()
        .enumerate()
        .map(|(bin, &observed)| {
            let expected = m * (below(bin + 1) - below(bin));
            let difference = observed - expected;
            if expected > 0.0 {
                difference * (difference - 1.0) / expected
            } else if observed > 0.0 {
                f64::INFINITY
            } else {
                0.0
            }
        })
        .sum();
    let freedom = count as f64 - 3.0;
    Some((sum - freedom) / (m - 1.0))
}

/// Statistic of Anderson and Darling that 1 % of windows of an exponential distribution exceed,
/// whose mean was fitted to them (Stephens 1974).
///
/// Fits of two parameters exceed 1.04 as rarely, and known distributions 3.86. So one in a hundred
/// good fits is refused, or fewer.
const CRITICAL: f64 = 1.96;

/// Part of good fits that are refused for their largest sample, half of them on each side.
const STRANGE: f64 = 0.01;

/// Returns whether recorded maxima speak against the maximum of paths that were fitted to the same
/// record; for one path, its samples against its fit.
///
/// It is tested by the statistic of Anderson and Darling, and by how probable a largest sample up
/// to the recorded one is. That tells of a tail, in which there may be a single sample. No sample
/// speaks for or against anything.
///
/// ```
/// use superstep_network::latency::{Maximum, fit, goodness::refuses};
///
/// let samples: Vec<f64> = (0..64).map(|at| 40.0 * (1.0 - (f64::from(at) + 0.5) / 64.0).powf(-0.4)).collect();
/// let [pareto, normal] = [fit::pareto_unbiased(&samples), fit::normal(&samples)];
/// assert!(!refuses(&samples, &Maximum::of(&[pareto.unwrap()])));
/// assert!(refuses(&samples, &Maximum::of(&[normal.unwrap()])));
/// ```
pub fn refuses(maxima: &[f64], slowest: &Maximum) -> bool {
    let mut maxima = maxima.to_vec();
    maxima.sort_unstable_by(f64::total_cmp);
    let count = maxima.len() as f64;
    if maxima.first() == maxima.last() {
        // Only what is certain fits, or what was never recorded.
        return maxima.first().is_some_and(|&x| slowest.exponent(x) > 0.0);
    }
    // Minus the logarithm of the probability to be at most as much.
    let exponents: Vec<f64> = maxima.iter().map(|&x| slowest.exponent(x)).collect();
    let pairs = exponents.iter().zip(exponents.iter().rev()).enumerate();
    let sum: f64 = pairs
        .map(|(at, (below, above))| {
            let above = -(-above).exp_m1();
            (2 * at + 1) as f64 * (above.ln() - below)
        })
        .sum();
    let statistic = -count - sum / count;
    let largest = slowest.cdf(maxima[maxima.len() - 1]).powf(count);
    // Infinite where a sample is impossible.
    let fits = statistic <= CRITICAL && (0.5 * STRANGE..1.0 - 0.5 * STRANGE).contains(&largest);
    !fits
}
