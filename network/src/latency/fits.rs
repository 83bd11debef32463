//! Distributions of recorded paths and of their maximum.

use super::{Distribution, Family, Maximum, Recorded, Samples, fit::least, goodness::refuses};

/// Distributions of recorded paths, and of the slowest of them.
///
/// All paths are fitted by the [family](Family) that is likeliest for them together. A
/// goodness-of-fit test compares the maximum of the fits with the largest latency of each period.
/// If it [refuses](refuses) the fits, these recorded maxima stand for the slowest path. The paths
/// follow no family then, or they depend on each other.
///
/// ```
/// use superstep_network::latency::{Distribution, Family, Fits, Samples};
///
/// let path = |shape| (0..100).map(|at| 1.0 + (f64::from(at * 37 % 100) + 0.5).powf(shape)).collect();
/// let samples = Samples::new(&[path(0.5), path(0.25)]).unwrap();
/// let fits = Fits::of(&samples, &Family::ALL);
/// assert_eq!(fits.family(), None);
/// assert!(matches!(fits.paths()[0], Distribution::Recorded(_)));
/// assert!((fits.slowest(2).quantile(0.5) - 8.1).abs() < 0.1);
/// ```
#[derive(Clone, Debug)]
pub struct Fits {
    family: Option<Family>,
    paths: Vec<Distribution>,
    /// Distributions whose maximum is that of the paths: one for each, or one for all.
    slowest: Vec<Distribution>,
}

impl Fits {
    /// Finds the distributions of paths that were recorded together, of some families or as
    /// recorded.
    ///
    /// All families take less than 1 us for a sample.
    pub fn of(samples: &Samples, families: &[Family]) -> Self {
        let paths = (0..samples.paths()).map(|path| samples.path(path));
        let paths: Vec<&[f64]> = paths.collect();
        let maxima = (0..samples.periods()).map(|period| samples.maximum(period));
        let maxima: Vec<f64> = maxima.collect();
        let likeliest = Family::likeliest(families, &paths);
        let each = each(&paths, likeliest.as_ref());
        let fitted = likeliest.filter(|(_, fits)| !refuses(&maxima, &Maximum::of(fits)));
        let (family, slowest) = match fitted {
            Some((family, fits)) => (Some(family), fits),
            None => (None, vec![recorded(&maxima)]),
        };
        Self {
            family,
            paths: each,
            slowest,
        }
    }

    /// Finds the distributions of paths that were recorded separately, in no common periods. All
    /// are fitted by their likeliest family. Paths whose fit a test refuses keep their samples, and
    /// all paths do if those are too many.
    ///
    /// `None` if a path has no samples, or one that is not finite and positive.
    pub fn apart(paths: &[&[f64]], families: &[Family]) -> Option<Vec<Distribution>> {
        paths.iter().try_for_each(|path| least(path).map(|_| ()))?;
        Some(each(paths, Family::likeliest(families, paths).as_ref()))
    }

    /// Returns the family of the paths; `None` where the slowest is as it was recorded.
    pub fn family(&self) -> Option<Family> {
        self.family
    }

    /// Returns the distribution of each path, as [`apart`](Self::apart) finds it.
    pub fn paths(&self) -> &[Distribution] {
        &self.paths
    }

    /// Returns distributions whose maximum is that of the paths.
    pub(crate) fn into_slowest(self) -> Vec<Distribution> {
        self.slowest
    }

    /// Returns the maximum (slowest) of `count` paths like the n recorded ones: their maximum, to
    /// the power of `count` / n.
    pub fn slowest(&self, count: usize) -> Maximum {
        Maximum::powered(&self.slowest, count as f64 / self.paths.len() as f64)
    }
}

/// Returns whether more fits are refused than one and a tenth of all paths: then no path is taken
/// to be of the family.
///
/// One in fifty good fits is refused, and two of eight in a hundredth of the records.
fn too_many(refusing: usize, paths: usize) -> bool {
    refusing > 1 + paths / 10
}

/// Returns each path's fit, or its samples if the fit is [refused](refuses). If those are
/// [too many](too_many), all paths keep their samples.
fn each(paths: &[&[f64]], likeliest: Option<&(Family, Vec<Distribution>)>) -> Vec<Distribution> {
    let fits = likeliest
        .map(|(_, fits)| fits.as_slice())
        .unwrap_or_default();
    let alone = |fit| Maximum::of(std::slice::from_ref(fit));
    let fits: Vec<Option<&Distribution>> = paths
        .iter()
        .enumerate()
        .map(|(at, path)| fits.get(at).filter(|fit| !refuses(path, &alone(fit))))
        .collect();
    let refusing = fits.iter().filter(|fit| fit.is_none()).count();
    let are_of_family = !too_many(refusing, paths.len());
    let of_path = |(path, fit): (&&[f64], &Option<&Distribution>)| match fit {
        Some(fit) if are_of_family => (*fit).clone(),
        _ => recorded(path),
    };
    paths.iter().zip(&fits).map(of_path).collect()
}

fn recorded(samples: &[f64]) -> Distribution {
    Distribution::Recorded(Recorded::of_valid(samples))
}
