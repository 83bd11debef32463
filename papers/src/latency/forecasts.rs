//! Forecasts over all estimators: the best one in hindsight, the paper's switching rule (its
//! section 4.4), and our combination of all.

use superstep_network::latency::{
    Backtest, CANDIDATES, Estimator, Samples,
    synthetic::{KINDS, trace},
};

use crate::Effort;

/// Periods between forecasts: as the command line has for a week of minutes.
const STRIDE: usize = 3;

/// Periods to look ahead.
const LEADS: [usize; 4] = [1, 16, 32, 128];

/// Excess over the best estimator's error from which a combination is counted as worse.
const EXCESS: f64 = 1.05;

/// Errors of estimators on traces of one kind.
struct Errors {
    /// Their mean over the seeds, by lead and estimator; that of the rule is the last.
    errors: Vec<Vec<f64>>,
    /// The combination's, over the best estimator's in hindsight.
    excess: Vec<f64>,
}

/// Tells, for each kind of trace and lead, the best estimator and how near the others come.
pub(super) fn notes(effort: Effort) -> Vec<String> {
    let (paths, periods, seeds) = match effort {
        Effort::Quick => (8, 2_520, 1),
        Effort::Full => (32, 10_080, 2),
    };
    let (mut notes, mut excess) = (Vec::new(), Vec::new());
    for traffic in &KINDS {
        let mut found = Errors {
            errors: vec![vec![0.0; CANDIDATES.len() + 1]; LEADS.len()],
            excess: Vec::new(),
        };
        for seed in 1..=seeds {
            found.add(&trace(traffic, paths, periods, seed), periods, seeds);
        }
        for (lead, errors) in LEADS.iter().zip(&found.errors) {
            let least = errors.iter().copied().fold(f64::INFINITY, f64::min);
            let best = errors.iter().position(|&error| error == least);
            let best = best.and_then(|at| CANDIDATES.get(at));
            let best = best.map_or_else(|| "the switching rule".into(), ToString::to_string);
            notes.push(format!(
                "{}, {lead} ahead: the best is {best}, the paper's switching rule takes {:.3} of its error.",
                traffic.name,
                errors[CANDIDATES.len()] / least
            ));
        }
        excess.extend(found.excess);
    }
    let worst = excess.iter().copied().fold(0.0, f64::max);
    let over = excess.iter().filter(|&&each| each > EXCESS).count();
    notes.push(format!(
        "The combined forecast by the best estimator in hindsight: mean {:.3}, worst {worst:.3}, above {EXCESS} in {over} of {} traces.",
        excess.iter().sum::<f64>() / excess.len() as f64,
        excess.len()
    ));
    notes
}

impl Errors {
    /// Adds the errors on the second half of a trace. The paper's rule is scored, and is no
    /// candidate.
    fn add(&mut self, samples: &Samples, periods: usize, seeds: u64) {
        let rest = periods / 2..periods;
        for (at, lead) in LEADS.into_iter().enumerate() {
            let rule = [Estimator::Switching { lead }];
            let tests =
                [&CANDIDATES[..], &rule].map(|each| Backtest::new(samples, each, lead, STRIDE));
            let [Some(test), Some(rule)] = tests else {
                continue;
            };
            for candidate in 0..CANDIDATES.len() {
                let error = test.rmse(candidate, rest.clone());
                self.errors[at][candidate] += error / seeds as f64;
            }
            self.errors[at][CANDIDATES.len()] += rule.rmse(0, rest.clone()) / seeds as f64;
            let least = test.rmse(test.best(rest.clone()), rest.clone());
            let combined = test.rmse_of(&test.combination(), rest.clone());
            self.excess.push(combined / least);
        }
    }
}
