//! The paper on collective times by distributions of latencies with heavy tails.
//!
//! Its traces are not public: ours are synthetic. So statements are compared, and figures only
//! where they follow from parameters.

use std::error::Error;
use std::time::Instant;

use superstep_network::latency::{
    Backtest, CANDIDATES, Distribution, Estimator, Maximum, Samples, fit,
    synthetic::{KINDS, trace},
};

use crate::{Curve, Drawing, Effort, Findings, Row};

/// Periods between forecasts: as the command line has for a week of minutes.
const STRIDE: usize = 3;

/// Periods to look ahead.
const LEADS: [usize; 4] = [1, 16, 32, 128];

/// Excess over the best estimator's error from which a combination is counted as worse.
const EXCESS: f64 = 1.05;

/// Repeats figure 4: the mean of the maximum over the number of paths, by both kinds of fit.
pub(crate) fn figure_4(_: Effort) -> Result<Findings, Box<dyn Error>> {
    let second = Distribution::Pareto {
        scale: 41.0,
        shape: 27.7,
        cap: None,
    };
    let sets = [
        (44.3, 2.8, [41.7, 16.9]),
        (second.mean(), second.deviation(), [41.0, 27.7]),
    ];
    let (mut rows, mut curves) = (Vec::new(), Vec::new());
    for (mean, deviation, published) in sets {
        let pareto = fit::pareto_of_moments(mean, deviation);
        let normal = Distribution::Normal { mean, deviation };
        let [of_pareto, of_normal] =
            [&pareto, &normal].map(|path| move |n| Maximum::repeated(path.clone(), n).mean());
        let of = format!("mean {mean:.1}, deviation {deviation:.2}");
        if let Distribution::Pareto { scale, shape, .. } = pareto {
            for (name, published, found) in [
                ("scale", published[0], scale),
                ("shape", published[1], shape),
            ] {
                let of = format!("{of}: {name}");
                rows.push(Row::number(&of, published, found, 1, 0.01));
            }
        }
        let crossing = (2..)
            .find(|&n| of_pareto(n) > of_normal(n))
            .unwrap_or_default();
        rows.push(Row::number(
            &format!("{of}: processors from which Pareto is above normal"),
            4.0,
            crossing as f64,
            0,
            0.0,
        ));
        let counts = (0..=10).map(|power| 1 << power);
        let points =
            |of: &dyn Fn(usize) -> f64| counts.clone().map(|n| (n as f64, of(n))).collect();
        for (kind, points) in [
            ("Pareto", points(&of_pareto)),
            ("normal", points(&of_normal)),
        ] {
            let name = format!("{kind}, {of}");
            curves.push(Curve { name, points });
        }
    }
    Ok(Findings {
        rows,
        drawings: vec![Drawing {
            name: "figure-4".into(),
            title: "Collective time over processors".into(),
            over: "processors",
            value: "ms",
            logarithmic: true,
            curves,
        }],
        ..Findings::default()
    })
}

/// Repeats figure 9: how long an estimate takes.
pub(crate) fn figure_9(_: Effort) -> Result<Findings, Box<dyn Error>> {
    let spread = |at: usize| (at as f64 * 0.618_033_988_7).fract();
    let pareto = |at| Distribution::Pareto {
        scale: 41.0 + spread(at),
        shape: 10.0 + 20.0 * spread(at * 7),
        cap: None,
    };
    let normal = |at| Distribution::Normal {
        mean: 41.0 + spread(at),
        deviation: 3.0 + spread(at * 7),
    };
    let heavy = |at| Distribution::Pareto {
        scale: 41.0 + spread(at),
        shape: 1.05 + spread(at * 7),
        cap: None,
    };
    let capped = |at| fit::winsorise(heavy(at), 128);
    let kinds: [(&str, &dyn Fn(usize) -> Distribution); 3] = [
        ("Pareto", &pareto),
        ("normal", &normal),
        ("capped", &capped),
    ];
    let (mut found, mut times) = (Vec::new(), Vec::new());
    for n in [16, 1000, 100_000] {
        for (kind, path) in kinds {
            let paths: Vec<Distribution> = (0..n).map(path).collect();
            let start = Instant::now();
            let mean = Maximum::of(&paths).mean();
            let milliseconds = 1e3 * start.elapsed().as_secs_f64();
            if !mean.is_finite() {
                return Err(format!("{kind}, {n} paths: the mean is {mean}").into());
            }
            found.push(format!("{kind}, {n}: {milliseconds:.2} ms"));
            times.push(milliseconds);
        }
    }
    // Of the largest number.
    let times = &times[times.len() - kinds.len()..];
    let row = Row::statement(
        "integrating Pareto distributions takes less time than integrating normal ones",
        found.join(", "),
        times[0] < times[1],
    );
    Ok(Findings {
        rows: vec![row],
        ..Findings::default()
    })
}

/// Errors of estimators on synthetic traces of one kind.
struct Errors {
    /// Their mean over the seeds, by lead and estimator.
    errors: Vec<Vec<f64>>,
    /// The combination's, over the best estimator's in hindsight.
    excess: Vec<f64>,
}

/// Repeats figures 6 and 8: errors of estimates over the time that has gone by.
pub(crate) fn forecasts(effort: Effort) -> Result<Findings, Box<dyn Error>> {
    let (paths, periods, seeds) = match effort {
        Effort::Quick => (8, 2_520, 1),
        Effort::Full => (32, 10_080, 4),
    };
    let (mut rows, mut notes, mut excess) = (Vec::new(), Vec::new(), Vec::new());
    for traffic in &KINDS {
        let mut found = Errors {
            errors: vec![vec![0.0; CANDIDATES.len() + 1]; LEADS.len()],
            excess: Vec::new(),
        };
        for seed in 1..=seeds {
            found.add(&trace(traffic, paths, periods, seed), periods, seeds);
        }
        let least = |errors: &Vec<f64>| errors.iter().copied().fold(f64::INFINITY, f64::min);
        let best: Vec<f64> = found.errors.iter().map(least).collect();
        let growth = Row::statement(
            "errors grow with the time that has gone by",
            format!(
                "{}: {:.2} one period ahead, {:.2} at {}",
                traffic.name, best[0], best[3], LEADS[3]
            ),
            best[0] <= best[3],
        );
        rows.push(growth.open("its traces, which are not public"));
        for (lead, errors) in LEADS.iter().zip(&found.errors) {
            let least = least(errors);
            let (candidates, rule) = errors.split_at(CANDIDATES.len());
            let best = CANDIDATES
                .iter()
                .zip(candidates)
                .find(|(_, error)| **error == least);
            let best =
                best.map_or_else(|| "the switching rule".into(), |(best, _)| best.to_string());
            notes.push(format!(
                "{}, {lead} ahead: the best is {best}, the paper's switching rule takes {:.3} of its error.",
                traffic.name,
                rule[0] / least
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
    Ok(Findings {
        rows,
        notes,
        ..Findings::default()
    })
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
