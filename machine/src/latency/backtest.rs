//! Choosing among estimators by what each would have forecast.

use std::ops::Range;

use super::{Estimator, Samples};

/// Forecasts that estimators would have made within recorded samples, beside the maxima that came.
///
/// ```
/// use superstep_machine::latency::{Backtest, Estimator, synthetic};
///
/// let samples = synthetic::trace(&synthetic::KINDS[0], 8, 2000, 1);
/// let candidates = [Estimator::Last, Estimator::MeanMaximum { window: 32 }];
/// let test = Backtest::new(&samples, &candidates, 32, 8).unwrap();
/// assert!(test.rmse(1, 0..2000) < test.rmse(0, 0..2000));
/// let weights = test.combination().weights;
/// assert!(weights[1] > weights[0]);
/// ```
#[derive(Clone, Debug)]
pub struct Backtest {
    candidates: Vec<Estimator>,
    lead: usize,
    stride: usize,
    /// Forecasts of all candidates at one step after those at another.
    forecasts: Vec<f64>,
    /// What came, by step.
    targets: Vec<f64>,
}

/// Forecasts of all candidates, combined.
#[derive(Clone, Debug)]
pub struct Combination {
    /// The forecast at each step, by what was known then.
    pub forecasts: Vec<f64>,
    /// Weight of each candidate after the last step; their sum is 1.
    pub weights: Vec<f64>,
}

/// Estimators worth trying: the windows are those of the paper's experiments, each four times another.
pub const CANDIDATES: [Estimator; 14] = {
    use Estimator::{Last, MeanMaximum, Normal, Pareto};
    [
        Last,
        Normal { window: 2 },
        MeanMaximum { window: 8 },
        Normal { window: 8 },
        Pareto { window: 8 },
        MeanMaximum { window: 32 },
        Normal { window: 32 },
        Pareto { window: 32 },
        MeanMaximum { window: 128 },
        Normal { window: 128 },
        Pareto { window: 128 },
        MeanMaximum { window: 512 },
        Normal { window: 512 },
        Pareto { window: 512 },
    ]
};

/// Weight that candidates share at each step, whatever they forecast.
///
/// It lets the best one change about once in a thousand steps. Of 0.001 and 0.01, and of a [`RATE`] of 0.02, 0.1 and 0.5, this pair had the
/// least mean excess over the best candidate in hindsight: 1.6 % on 24 synthetic traces and 4 leads, and 1.2 % on 24 others afterwards.
const SHARE: f64 = 1e-3;

/// How fast weight goes to candidates with smaller squared errors, in halves of the typical squared error.
const RATE: f64 = 0.1;

/// Part of the typical squared error that is kept from step to step.
const MEMORY: f64 = 0.99;

impl Backtest {
    /// Makes the forecasts of each candidate at every `stride`-th period (0 is as 1), `lead` periods ahead.
    ///
    /// `None` if there are no more periods than that, or no candidates.
    pub fn new(
        samples: &Samples,
        candidates: &[Estimator],
        lead: usize,
        stride: usize,
    ) -> Option<Self> {
        let stride = stride.max(1);
        let last = samples.periods().checked_sub(lead.saturating_add(1))?;
        if candidates.is_empty() {
            return None;
        }
        let steps = || (0..=last).step_by(stride);
        let forecasts = steps().flat_map(|now| {
            candidates
                .iter()
                .map(move |candidate| candidate.forecast(samples, now))
        });
        let targets = steps().map(|now| samples.maximum(now + lead));
        Some(Self {
            candidates: candidates.to_vec(),
            lead,
            stride,
            forecasts: forecasts.collect(),
            targets: targets.collect(),
        })
    }

    /// Returns the candidates.
    pub fn candidates(&self) -> &[Estimator] {
        &self.candidates
    }

    /// Returns the root of the mean squared error of a candidate, by its place, over forecasts made within some periods.
    pub fn rmse(&self, candidate: usize, periods: Range<usize>) -> f64 {
        let forecasts = self
            .forecasts
            .iter()
            .skip(candidate)
            .step_by(self.candidates.len());
        self.error(forecasts, periods)
    }

    /// Returns the root of the mean squared error of the combination over forecasts made within some periods.
    pub fn rmse_of(&self, combination: &Combination, periods: Range<usize>) -> f64 {
        self.error(combination.forecasts.iter(), periods)
    }

    fn error<'a>(&self, forecasts: impl Iterator<Item = &'a f64>, periods: Range<usize>) -> f64 {
        let (mut sum, mut count) = (0.0, 0.0);
        for (step, (forecast, target)) in forecasts.zip(&self.targets).enumerate() {
            if periods.contains(&(step * self.stride)) {
                sum += (forecast - target) * (forecast - target);
                count += 1.0;
            }
        }
        f64::sqrt(sum / count)
    }

    /// Returns the place of the candidate with the least error over forecasts made within some periods, the first of several.
    pub fn best(&self, periods: Range<usize>) -> usize {
        let errors =
            (0..self.candidates.len()).map(|candidate| self.rmse(candidate, periods.clone()));
        let best = errors.enumerate().min_by(|a, b| a.1.total_cmp(&b.1));
        best.map_or(0, |(candidate, _)| candidate)
    }

    /// Combines the candidates: the mean of their forecasts, weighted by how good they were up to then.
    ///
    /// The weights are those of fixed share (Herbster and Warmuth 1998), which follow the best candidate when it changes. No candidate is the
    /// best on all traces, and that of the first half of a trace may be the worst in the second.
    pub fn combination(&self) -> Combination {
        let count = self.candidates.len();
        let delay = self.lead.div_ceil(self.stride);
        let mut weights = vec![1.0 / count as f64; count];
        let mut typical: Option<f64> = None;
        let mut learn = |weights: &mut Vec<f64>, step: usize| {
            let forecasts = &self.forecasts[step * count..][..count];
            let errors: Vec<f64> = forecasts
                .iter()
                .map(|forecast| (forecast - self.targets[step]).powi(2))
                .collect();
            let mut sorted = errors.clone();
            sorted.sort_unstable_by(f64::total_cmp);
            let median = sorted[count / 2];
            let scale =
                typical.map_or(median, |typical| MEMORY * typical + (1.0 - MEMORY) * median);
            typical = Some(scale);
            if scale > 0.0 {
                for (weight, error) in weights.iter_mut().zip(&errors) {
                    *weight *= (-0.5 * RATE * (error - sorted[0]) / scale).exp();
                }
            }
            let sum: f64 = weights.iter().sum();
            for weight in weights {
                *weight = (1.0 - SHARE) * *weight / sum + SHARE / count as f64;
            }
        };
        let mut forecasts = Vec::with_capacity(self.targets.len());
        let mut learnt = 0;
        for step in 0..self.targets.len() {
            while learnt + delay <= step && learnt < step {
                learn(&mut weights, learnt);
                learnt += 1;
            }
            let each = &self.forecasts[step * count..][..count];
            forecasts.push(
                each.iter()
                    .zip(&weights)
                    .map(|(forecast, weight)| forecast * weight)
                    .sum(),
            );
        }
        for step in learnt..self.targets.len() {
            learn(&mut weights, step);
        }
        Combination { forecasts, weights }
    }
}
