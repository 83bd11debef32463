//! Choosing among estimators by what each would have forecast.

use std::ops::Range;

use superstep_timing::median;

use super::{Estimator, Samples};

/// Forecasts that estimators would have made within recorded samples, beside the maxima that came.
///
/// ```
/// use superstep_network::latency::{Backtest, Estimator, synthetic};
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
    /// The maxima that came, by step.
    targets: Vec<f64>,
    /// State at each step, then that at the last period.
    states: Vec<State>,
}

/// State of the maxima when a forecast is made: each has weights of its own.
///
/// After a step up short windows are the best, at other times long ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Level,
    Risen,
}

impl State {
    /// Compares the last maximum with the median of the forecasts.
    fn of(last: f64, forecasts: &[f64]) -> Self {
        if last > RISEN * median(forecasts.iter().copied()) {
            Self::Risen
        } else {
            Self::Level
        }
    }
}

/// Forecasts of all candidates, combined.
#[derive(Clone, Debug)]
pub struct Combination {
    /// The forecast at each step, by what was known then.
    pub forecasts: Vec<f64>,
    /// Weight of each candidate in a forecast that is made at the last period; their sum is 1.
    pub weights: Vec<f64>,
}

/// Estimators worth trying: the windows are those of the paper's experiments, each four times
/// another.
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

/// Ratio of the last maximum to the median of the forecasts from which on it has risen.
///
/// Ratios of 1.07 to 1.3 differ little. Without states the error is 2.9 % above that of the best
/// candidate in hindsight, with them 1.7 %. These are means over 72 synthetic traces and 4 leads,
/// of every eighth period. On 48 other traces it was 1.2 % and 0.4 %. States for falls, and a third
/// for large rises, did not help.
const RISEN: f64 = 1.15;

/// Weight that candidates share in each period, whatever they forecast.
///
/// It lets the best one change about once in 8000 periods. This and [`RATE`] had the least mean
/// error on the 72 traces. Shares of a third to three times as much were tried, and rates of half
/// to twice as much. With second-order weights (BOA, ML-Poly) it was 1 to 2 % more.
const SHARE: f64 = 1.25e-4;

/// Rate at which weight goes to candidates with smaller squared errors: per period, in halves of
/// the typical squared error.
const RATE: f64 = 0.0125;

/// Part of the typical squared error that each period replaces.
const FRESH: f64 = 1.25e-3;

impl Backtest {
    /// Makes the forecasts of each candidate at every `stride`-th period (0 is as 1), `lead`
    /// periods ahead.
    ///
    /// The smaller the stride, the less is left to chance. With 16 synthetic traces of a week and 4
    /// leads there are 64 cases. These are those in which the [combination](Self::combination) was
    /// more than 5 % worse than the best candidate in hindsight:
    ///
    /// | stride | 8 | 3 | 1 |
    /// |---|---|---|---|
    /// | cases | 5 | 3 | 2 |
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
        let at = |now: usize| -> Vec<f64> {
            let each = candidates.iter();
            each.map(|candidate| candidate.forecast(samples, now))
                .collect()
        };
        let state = |now: usize, forecasts: &[f64]| State::of(samples.maximum(now), forecasts);
        let (mut forecasts, mut targets, mut states) = (Vec::new(), Vec::new(), Vec::new());
        for now in (0..=last).step_by(stride) {
            let each = at(now);
            states.push(state(now, &each));
            targets.push(samples.maximum(now + lead));
            forecasts.extend(each);
        }
        let present = samples.periods() - 1;
        states.push(state(present, &at(present)));
        Some(Self {
            candidates: candidates.to_vec(),
            lead,
            stride,
            forecasts,
            targets,
            states,
        })
    }

    /// Returns the candidates.
    pub fn candidates(&self) -> &[Estimator] {
        &self.candidates
    }

    /// Returns the root of the mean squared error of a candidate, by its place, over forecasts made
    /// within some periods.
    pub fn rmse(&self, candidate: usize, periods: Range<usize>) -> f64 {
        let forecasts = self
            .forecasts
            .iter()
            .skip(candidate)
            .step_by(self.candidates.len());
        self.error(forecasts, periods)
    }

    /// Returns the root of the mean squared error of the combination over forecasts made within
    /// some periods.
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

    /// Returns the place of the candidate with the least error over forecasts made within some
    /// periods, the first of several.
    pub fn best(&self, periods: Range<usize>) -> usize {
        let errors =
            (0..self.candidates.len()).map(|candidate| self.rmse(candidate, periods.clone()));
        let best = errors.enumerate().min_by(|a, b| a.1.total_cmp(&b.1));
        best.map_or(0, |(candidate, _)| candidate)
    }

    /// Combines the candidates: the mean of their forecasts, weighted by how good they were up to
    /// then.
    ///
    /// The weights are those of fixed share (Herbster and Warmuth 1998), which follow the best
    /// candidate when it changes. There are two sets of them: one for when the last maximum is far
    /// above what most candidates forecast, one for other times.
    ///
    /// No candidate is the best on all traces, and that of the first half of a trace may be the
    /// worst in the second. Nor is any combination: one or two steps can have most of the squared
    /// error of a trace, and which candidate they favour is chance.
    pub fn combination(&self) -> Combination {
        let count = self.candidates.len();
        let delay = self.lead.div_ceil(self.stride);
        let steps = self.targets.len();
        let mut learning = Learning::new(count, self.stride);
        let mut forecasts = Vec::with_capacity(steps);
        let mut learnt = 0;
        for step in 0..=steps {
            // What came is known a lead later; in the end all of it.
            while learnt < step && (learnt + delay <= step || step == steps) {
                let errors = self.each(learnt).iter();
                let errors = errors.map(|forecast| (forecast - self.targets[learnt]).powi(2));
                learning.learn(self.states[learnt], &errors.collect::<Vec<f64>>());
                learnt += 1;
            }
            if step < steps {
                let weights = learning.weights(self.states[step]);
                let weighted = self.each(step).iter().zip(weights);
                forecasts.push(weighted.map(|(forecast, weight)| forecast * weight).sum());
            }
        }
        Combination {
            forecasts,
            weights: learning.weights(self.states[steps]).to_vec(),
        }
    }

    /// Forecasts of all candidates at a step.
    fn each(&self, step: usize) -> &[f64] {
        let count = self.candidates.len();
        &self.forecasts[step * count..][..count]
    }
}

/// Weights of candidates, as they learn.
struct Learning {
    /// Weights by state.
    weights: [Vec<f64>; 2],
    /// Typical squared error.
    typical: Option<f64>,
    /// Periods of a step.
    stride: f64,
}

impl Learning {
    fn new(count: usize, stride: usize) -> Self {
        let equal = vec![1.0 / count as f64; count];
        Self {
            weights: [equal.clone(), equal],
            typical: None,
            stride: stride as f64,
        }
    }

    fn weights(&self, state: State) -> &[f64] {
        &self.weights[state as usize]
    }

    /// Moves weight of a state to candidates with small squared errors.
    fn learn(&mut self, state: State, errors: &[f64]) {
        let (median, least) = (
            median(errors.iter().copied()),
            errors.iter().copied().fold(f64::MAX, f64::min),
        );
        let scale = match self.typical {
            Some(typical) => typical + (FRESH * self.stride).min(1.0) * (median - typical),
            None => median,
        };
        self.typical = Some(scale);
        let rate = RATE * self.stride;
        let share = (SHARE * self.stride).min(1.0);
        let weights = &mut self.weights[state as usize];
        if scale > 0.0 {
            for (weight, error) in weights.iter_mut().zip(errors) {
                *weight *= (-0.5 * rate * (error - least) / scale).exp();
            }
        }
        let sum: f64 = weights.iter().sum();
        let least = share / weights.len() as f64;
        for weight in weights {
            *weight = (1.0 - share) * *weight / sum + least;
        }
    }
}
