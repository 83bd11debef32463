//! Families of distributions, and which one samples are likeliest of.

use std::fmt;

use libm::lgamma;

use super::{Distribution, fit};

/// Family of distributions that samples may be of.
///
/// ```
/// use superstep_network::latency::{Distribution, Family};
///
/// let samples: Vec<f64> = (1..100).map(|at| -(1.0 - f64::from(at) / 100.0).ln()).collect();
/// let (family, fits) = Family::likeliest(&Family::ALL, &[&samples]).unwrap();
/// assert_eq!(family, Family::Exponential);
/// assert!(matches!(fits[0], Distribution::Weibull { shape: 1.0, .. }));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// Pareto distributions without caps, fitted without bias.
    Pareto,
    /// Lognormal distributions.
    Lognormal,
    /// Weibull distributions.
    Weibull,
    /// Weibull distributions of shape 1.
    Exponential,
    /// Gamma distributions.
    Gamma,
    /// Normal distributions.
    Normal,
}

impl Family {
    /// All families.
    pub const ALL: [Self; 6] = [
        Self::Pareto,
        Self::Lognormal,
        Self::Weibull,
        Self::Exponential,
        Self::Gamma,
        Self::Normal,
    ];

    /// Fits a distribution of the family; `None` where [fits](fit) have none, or where its
    /// parameters are beyond what doubles hold.
    pub fn fit(self, samples: &[f64]) -> Option<Distribution> {
        let fit = match self {
            Self::Pareto => fit::pareto_unbiased,
            Self::Lognormal => fit::lognormal,
            Self::Weibull => fit::weibull,
            Self::Exponential => fit::exponential,
            Self::Gamma => fit::gamma,
            Self::Normal => fit::normal,
        };
        fit(samples).filter(|fit| fit.validate().is_ok())
    }

    fn parameters(self) -> f64 {
        match self {
            Self::Exponential => 1.0,
            _ => 2.0,
        }
    }

    /// Returns the one of some families that all paths together are likeliest of, and its fits.
    ///
    /// It has the least information criterion of Schwarz (1978): each parameter must make the
    /// samples likelier by the root of their number. `None` if no family has fits of all paths.
    pub fn likeliest(families: &[Self], paths: &[&[f64]]) -> Option<(Self, Vec<Distribution>)> {
        let fitted = families.iter().filter_map(|&family| {
            let fits = paths.iter().map(|path| family.fit(path));
            let fits: Vec<Distribution> = fits.collect::<Option<_>>()?;
            let each = fits.iter().zip(paths);
            let criteria = each.map(|(fit, path)| {
                let charge = 0.5 * family.parameters() * (path.len() as f64).ln();
                charge - path.iter().map(|&x| log_density(fit, x)).sum::<f64>()
            });
            let criterion: f64 = criteria.sum();
            (!criterion.is_nan()).then_some((criterion, family, fits))
        });
        let best = fitted.min_by(|a, b| a.0.total_cmp(&b.0));
        best.map(|(_, family, fits)| (family, fits))
    }
}

/// Returns the logarithm of the density, but for a constant that all families have. It is 0 of a
/// path that is constant, as all families have that.
fn log_density(fit: &Distribution, x: f64) -> f64 {
    let half_of_tau = 0.5 * std::f64::consts::TAU.ln();
    let bell = |z: f64, deviation: f64| -0.5 * z * z - deviation.ln() - half_of_tau;
    match *fit {
        Distribution::Constant { .. } | Distribution::Recorded(_) => 0.0,
        Distribution::Pareto { scale, shape, .. } => {
            (shape / scale).ln() - (shape + 1.0) * (x / scale).ln()
        }
        Distribution::Normal { mean, deviation } => bell((x - mean) / deviation, deviation),
        Distribution::Lognormal { median, deviation } => {
            bell((x / median).ln() / deviation, deviation) - x.ln()
        }
        Distribution::Weibull { scale, shape } => {
            let ratio = x / scale;
            (shape / scale).ln() + (shape - 1.0) * ratio.ln() - ratio.powf(shape)
        }
        Distribution::Gamma { scale, shape } => {
            let ratio = x / scale;
            (shape - 1.0) * ratio.ln() - ratio - lgamma(shape) - scale.ln()
        }
    }
}

impl fmt::Display for Family {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Pareto => "Pareto",
            Self::Lognormal => "lognormal",
            Self::Weibull => "Weibull",
            Self::Exponential => "exponential",
            Self::Gamma => "gamma",
            Self::Normal => "normal",
        })
    }
}
