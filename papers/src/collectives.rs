//! The experiments of the paper on collectives with Pareto latencies, beside its figures, and times
//! of our own.
//!
//! Its traces are not public: ours are synthetic, so findings are compared, and figures only where
//! they follow from parameters.

use std::io::{self, Write};
use std::time::Instant;

use superstep_network::latency::{
    Backtest, CANDIDATES, Distribution, Estimator, Maximum, fit,
    synthetic::{KINDS, trace},
};

/// Size of the synthetic traces.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Paths of a synthetic trace.
    pub paths: usize,
    /// Periods of a trace.
    pub periods: usize,
    /// Traces of each kind.
    pub seeds: u64,
}

/// Periods between forecasts: as the command line has for a week of minutes.
const STRIDE: usize = 3;

/// Periods to look ahead.
const LEADS: [usize; 4] = [1, 16, 32, 128];

/// Writes the tables.
///
/// # Errors
/// When `out` can't be written.
pub fn run(options: &Options, out: &mut dyn Write) -> io::Result<()> {
    curves(out)?;
    times(out)?;
    forecasts(options, out)
}

/// Writes figure 4: the mean of the maximum over the number of paths, by both kinds of fit.
fn curves(out: &mut dyn Write) -> io::Result<()> {
    writeln!(
        out,
        "| mean, deviation | published scale, shape | ours | Pareto above normal from n | published |"
    )?;
    writeln!(out, "|---|---|---|---|---|")?;
    let second = Distribution::Pareto {
        scale: 41.0,
        shape: 27.7,
        cap: None,
    };
    let sets = [
        ((44.3, 2.8), "41.7, 16.9"),
        ((second.mean(), second.deviation()), "41.0, 27.7"),
    ];
    for ((mean, deviation), published) in sets {
        let path = fit::pareto_of_moments(mean, deviation);
        let pareto = |n| Maximum::repeated(path.clone(), n).mean();
        let normal = |n| Maximum::repeated(Distribution::Normal { mean, deviation }, n).mean();
        let crossover = (2..).find(|&n| pareto(n) > normal(n)).unwrap_or_default();
        let Distribution::Pareto { scale, shape, .. } = path else {
            continue;
        };
        writeln!(
            out,
            "| {mean:.1}, {deviation:.2} | {published} | {scale:.3}, {shape:.3} | {crossover} | 4 |"
        )?;
    }
    writeln!(out)
}

/// Measures how long means and quantiles take.
fn times(out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "| different paths | kind | mean, ms | quantile, ms |")?;
    writeln!(out, "|---|---|---|---|")?;
    for n in [1000usize, 100_000] {
        let spread = |at: usize| (at as f64 * 0.618_033_988_7).fract();
        let pareto = |at| Distribution::Pareto {
            scale: 41.0 + spread(at),
            shape: 10.0 + 20.0 * spread(at * 7),
            cap: None,
        };
        let heavy = |at| Distribution::Pareto {
            scale: 41.0 + spread(at),
            shape: 1.05 + spread(at * 7),
            cap: None,
        };
        let normal = |at| Distribution::Normal {
            mean: 41.0 + spread(at),
            deviation: 3.0 + spread(at * 7),
        };
        let capped = |at| fit::winsorise(heavy(at), 128);
        let kinds: [(&str, &dyn Fn(usize) -> Distribution); 4] = [
            ("Pareto", &pareto),
            ("heavy", &heavy),
            ("normal", &normal),
            ("capped", &capped),
        ];
        for (kind, path) in kinds {
            let paths: Vec<Distribution> = (0..n).map(path).collect();
            let start = Instant::now();
            let slowest = Maximum::of(&paths);
            let mean = slowest.mean();
            let whole = start.elapsed().as_secs_f64();
            let start = Instant::now();
            let quantile = slowest.quantile(0.99);
            let found = start.elapsed().as_secs_f64();
            assert!(quantile.is_finite() && mean.is_finite());
            writeln!(
                out,
                "| {n} | {kind} | {:.1} | {:.1} |",
                1e3 * whole,
                1e3 * found
            )?;
        }
    }
    writeln!(out)
}

/// Errors of forecasts on the second half of each trace, over its best estimator's.
fn forecasts(options: &Options, out: &mut dyn Write) -> io::Result<()> {
    let (mut worst, mut over, mut count, mut sum) = (0.0f64, 0, 0, 0.0);
    for traffic in &KINDS {
        for lead in LEADS {
            // The paper's rule is scored, and is no candidate.
            let all: Vec<Estimator> = CANDIDATES
                .into_iter()
                .chain([Estimator::Switching { lead }])
                .collect();
            let mut ratios = vec![0.0; all.len()];
            let (mut combined, mut first_half, mut best_names) = (0.0, 0.0, Vec::new());
            for seed in 1..=options.seeds {
                let samples = trace(traffic, options.paths, options.periods, seed);
                let half = options.periods / 2;
                let rest = half..options.periods;
                let tests = [&CANDIDATES[..], &all[CANDIDATES.len()..]]
                    .map(|each| Backtest::new(&samples, each, lead, STRIDE));
                let [Some(test), Some(rule)] = tests else {
                    continue;
                };
                let best = test.best(rest.clone());
                let least = test.rmse(best, rest.clone());
                for (at, ratio) in ratios.iter_mut().enumerate() {
                    let error = if at < CANDIDATES.len() {
                        test.rmse(at, rest.clone())
                    } else {
                        rule.rmse(0, rest.clone())
                    };
                    *ratio += error / least / options.seeds as f64;
                }
                let excess = test.rmse_of(&test.combination(), rest.clone()) / least;
                combined += excess / options.seeds as f64;
                let chosen = test.best(0..half.saturating_sub(lead));
                first_half += test.rmse(chosen, rest.clone()) / least / options.seeds as f64;
                worst = worst.max(excess);
                over += u32::from(excess > 1.05);
                count += 1;
                sum += excess;
                best_names.push(CANDIDATES[best].to_string());
            }
            writeln!(
                out,
                "{}, {lead} ahead; best: {}",
                traffic.name,
                best_names.join(", ")
            )?;
            writeln!(
                out,
                "  combination {combined:.3}, best of the first half {first_half:.3}"
            )?;
            let ratios = all
                .iter()
                .zip(ratios)
                .map(|(estimator, ratio)| format!("{estimator} {ratio:.3}"));
            writeln!(out, "  {}", ratios.collect::<Vec<_>>().join(", "))?;
        }
    }
    writeln!(
        out,
        "\ncombination by the best estimator in hindsight: mean {:.3}, worst {worst:.3}, above 1.05 in {over} of {count}",
        sum / f64::from(count)
    )
}
