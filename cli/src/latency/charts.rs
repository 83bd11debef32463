//! Two charts: the survival function of the slowest path's latency (how often it is longer), and
//! the mean maximum over the number of paths.

use std::error::Error;

use superstep_network::latency::{Distribution, Fits, Maximum, Samples, fit};
use superstep_papers::{Curve, Drawing, Scale, published_latencies};

/// Draws both charts, one above the other.
pub(super) fn svg(samples: &Samples, fits: &Fits) -> Result<String, Box<dyn Error>> {
    Drawing::stacked(&[
        Drawing {
            title: "How often the slowest path takes longer".into(),
            over: "latency of the slowest path, ms",
            value: "part of the periods",
            scales: [Scale::Logarithmic; 2],
            curves: survivals(samples, &fits.slowest(samples.paths())),
            ..Drawing::default()
        },
        Drawing {
            title: "How the wait grows: these paths, and two published sets (mean, deviation)"
                .into(),
            over: "number of paths",
            value: "mean latency of the slowest, ms",
            scales: [Scale::Logarithmic, Scale::Linear],
            curves: means(fits),
            ..Drawing::default()
        },
    ])
}

/// Returns the survival function, recorded and fitted, down to a probability of one period.
fn survivals(samples: &Samples, slowest: &Maximum) -> Vec<Curve> {
    let periods = samples.periods();
    let mut maxima: Vec<f64> = (0..periods).map(|period| samples.maximum(period)).collect();
    maxima.sort_unstable_by(f64::total_cmp);
    let count = periods as f64;
    let stride = periods.div_ceil(POINTS);
    let survival = |at: usize| 1.0 - at as f64 / count;
    // Steps: nothing was recorded between two neighbours.
    let recorded = maxima
        .iter()
        .enumerate()
        .step_by(stride)
        .flat_map(|(at, &x)| {
            let before = survival(at.saturating_sub(stride));
            [(x, before), (x, survival(at))]
        });
    let fitted = (0..POINTS).map(|at| {
        let survival = (1.0 / count).powf(at as f64 / (POINTS - 1) as f64);
        (slowest.quantile(1.0 - survival), survival)
    });
    vec![
        Curve::new("recorded", recorded.collect()),
        Curve::new("fitted", fitted.collect()),
    ]
}

/// Points of a curve: one for every second pixel of a chart 900 pixels wide, less its margins.
const POINTS: usize = 400;

/// Returns means of the maximum for up to 1024 paths; each number is a fifth above the last.
fn means(fits: &Fits) -> Vec<Curve> {
    let counts: Vec<usize> = std::iter::successors(Some(1usize), |n| Some((n + 1).max(n * 6 / 5)))
        .take_while(|&n| n < 1024)
        .chain([1024])
        .collect();
    let curve = |name: &str, maximum: &dyn Fn(usize) -> Maximum| {
        let points = counts.iter().map(|&n| (n as f64, maximum(n).mean()));
        Curve::new(name, points.collect())
    };
    let mut curves = vec![curve("these paths", &|n| fits.slowest(n))];
    for (mean, deviation) in published_latencies() {
        let pareto = fit::pareto_of_moments(mean, deviation);
        let normal = Distribution::Normal { mean, deviation };
        for (kind, path) in [("Pareto", pareto), ("normal", normal)] {
            let name = format!("{mean:.1}, {deviation:.1} ms: {kind}");
            curves.push(curve(&name, &|n| Maximum::repeated(path.clone(), n)));
        }
    }
    curves
}
