//! Latencies: golden figures of an independent reference implementation, and what holds for any
//! paths.

use std::fs;

use proptest::prelude::*;
use rand_pcg::{Pcg64, rand_core::Rng};
use serde_json::Value;
use superstep_network::latency::{
    Backtest, CANDIDATES, Distribution, Estimator, Maximum, Recorded, Samples, Total, fit,
    goodness::{Bins, index},
    switching_rule, synthetic, truncated_mean,
};

fn golden() -> Value {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/latency.json");
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

fn list<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value[key].as_array().unwrap_or_else(|| panic!("{key}"))
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or(f64::INFINITY)
}

fn numbers(value: &Value, key: &str) -> Vec<f64> {
    list(value, key).iter().map(number).collect()
}

fn pareto(scale: f64, shape: f64) -> Distribution {
    match shape {
        f64::INFINITY => Distribution::Constant { value: scale },
        _ => Distribution::Pareto {
            scale,
            shape,
            cap: None,
        },
    }
}

fn paretos(case: &Value) -> Vec<Distribution> {
    let shapes = numbers(case, "alpha");
    numbers(case, "k")
        .into_iter()
        .zip(shapes)
        .map(|(scale, shape)| pareto(scale, shape))
        .collect()
}

#[track_caller]
fn close(found: f64, wanted: &Value) {
    within(found, number(wanted), 1e-9);
}

#[track_caller]
fn within(found: f64, wanted: f64, relative: f64) {
    assert!(
        (found - wanted).abs() <= relative * wanted.abs(),
        "{found} is not {wanted}"
    );
}

#[test]
fn fits_are_golden() {
    for case in list(&golden(), "fit") {
        let samples = numbers(case, "x");
        let parameters = |fit: Option<Distribution>| match fit.unwrap() {
            Distribution::Constant { value } => (value, f64::INFINITY),
            Distribution::Pareto { scale, shape, .. } => (scale, shape),
            Distribution::Normal { mean, deviation } => (mean, deviation),
            other => panic!("{other:?}"),
        };
        let (scale, shape) = parameters(fit::pareto(&samples));
        close(scale, &case["k"]);
        assert!(
            shape == number(&case["alpha"]) || (shape / number(&case["alpha"]) - 1.0).abs() < 1e-9
        );
        if let Some(unbiased) = case.get("alpha_umvu") {
            let (scale, shape) = parameters(fit::pareto_unbiased(&samples));
            close(scale, &case["k_umvu"]);
            close(shape, unbiased);
        }
        let normal = fit::normal(&samples).unwrap();
        close(normal.mean(), &case["mu"]);
        close(normal.deviation(), &case["sd_m1"]);
    }
    for case in list(&golden(), "moments") {
        let (mean, deviation) = (number(&case["mu"]), number(&case["sd"]));
        let Distribution::Pareto { scale, shape, .. } = fit::pareto_of_moments(mean, deviation)
        else {
            panic!("{case}");
        };
        close(scale, &case["k"]);
        close(shape, &case["alpha"]);
        within(pareto(scale, shape).mean(), mean, 1e-9);
        within(pareto(scale, shape).deviation(), deviation, 1e-9);
    }
}

#[test]
fn maxima_are_golden() {
    for case in list(&golden(), "emax") {
        let slowest = Maximum::of(&paretos(case));
        close(slowest.mean(), &case["emax"]);
        close(slowest.quadrature(1e-13), &case["emax"]);
    }
    for case in list(&golden(), "emax_iid") {
        let path = pareto(number(&case["k"]), number(&case["alpha"]));
        let slowest = Maximum::repeated(path, number(&case["n"]) as usize);
        close(slowest.mean(), &case["emax"]);
        close(slowest.quadrature(1e-13), &case["emax"]);
    }
    for case in list(&golden(), "normal") {
        let path = Distribution::Normal {
            mean: number(&case["mu"][0]),
            deviation: number(&case["sd"][0]),
        };
        close(
            Maximum::repeated(path, number(&case["n"]) as usize).mean(),
            &case["emax"],
        );
    }
    for case in list(&golden(), "normal_het") {
        let deviations = numbers(case, "sd");
        let paths = numbers(case, "mu").into_iter().zip(deviations);
        let paths: Vec<_> = paths
            .map(|(mean, deviation)| Distribution::Normal { mean, deviation })
            .collect();
        close(Maximum::of(&paths).mean(), &case["emax"]);
    }
}

#[test]
fn guards_are_golden() {
    for case in list(&golden(), "trunc") {
        let (paths, window) = (paretos(case), number(&case["m"]) as usize);
        let winsorised: Vec<_> = paths
            .iter()
            .map(|path| match *path {
                Distribution::Pareto { shape, .. } if shape <= 1.0 => {
                    fit::winsorise(path.clone(), window)
                }
                _ => path.clone(),
            })
            .collect();
        close(
            Maximum::of(&winsorised).mean(),
            &case["winsorised_alpha_le_1"],
        );
        close(
            truncated_mean(&paths, window).unwrap(),
            &case["paper_eq12_per_summand"],
        );
        for (path, x0) in paths.iter().zip(numbers(case, "x0")) {
            let Distribution::Pareto { cap: Some(cap), .. } = fit::winsorise(path.clone(), window)
            else {
                panic!("{case}");
            };
            within(cap, x0, 1e-12);
        }
    }
}

#[test]
fn the_published_curves_cross_at_four_paths() {
    let sets = [
        (44.3, 2.8),
        (pareto(41.0, 27.7).mean(), pareto(41.0, 27.7).deviation()),
    ];
    let golden = golden();
    for (set, (mean, deviation)) in [1, 2].into_iter().zip(sets) {
        let pareto = |n| Maximum::repeated(fit::pareto_of_moments(mean, deviation), n).mean();
        let normal = |n| Maximum::repeated(Distribution::Normal { mean, deviation }, n).mean();
        for case in list(&golden, "fig4") {
            let n = number(&case["n"]) as usize;
            close(pareto(n), &case[format!("set{set}_pareto")]);
            close(normal(n), &case[format!("set{set}_normal")]);
        }
        let crossover = (2..100).find(|&n| pareto(n) > normal(n));
        assert_eq!(
            crossover,
            golden["fig4_crossover_n"].as_u64().map(|n| n as usize)
        );
    }
}

#[test]
fn goodness_is_golden() {
    for case in list(&golden(), "lambda2") {
        let samples = numbers(case, "x");
        let (pareto, normal) = (
            fit::pareto(&samples).unwrap(),
            fit::normal(&samples).unwrap(),
        );
        let wanted = &case["result_lambda2_N_w"];
        for (fit, bins, name) in [
            (&pareto, Bins::Within, "pareto_literal"),
            (&pareto, Bins::Open, "pareto_ext"),
            (&normal, Bins::Within, "normal_literal"),
            (&normal, Bins::Open, "normal_ext"),
        ] {
            close(index(&samples, fit, bins).unwrap(), &wanted[name][0]);
        }
    }
    assert_eq!(index(&[7.0, 7.0], &pareto(7.0, 2.0), Bins::Open), None);
}

#[test]
fn forecasts_are_golden() {
    let golden = golden();
    let rows: Vec<Vec<f64>> = list(&golden["sliding"], "trace")
        .iter()
        .map(|row| row.as_array().unwrap().iter().map(number).collect())
        .collect();
    let columns: Vec<Vec<f64>> = (0..3)
        .map(|path| rows.iter().map(|row| row[path]).collect())
        .collect();
    let samples = Samples::new(&columns).unwrap();
    for row in list(&golden["sliding"], "rows") {
        let (t, window) = (number(&row["t"]) as usize, number(&row["m"]) as usize);
        // The reference numbers the period that is forecast.
        let forecast = |estimator: Estimator| estimator.forecast(&samples, t - 1);
        close(forecast(Estimator::Normal { window }), &row["normal"]);
        close(forecast(Estimator::Last), &row["last"]);
        close(
            forecast(Estimator::MeanMaximum { window }),
            &row["mean_of_max"],
        );
        let fits: Vec<_> = columns
            .iter()
            .map(|path| fit::pareto(&path[t - window..t]).unwrap())
            .collect();
        close(Maximum::of(&fits).mean(), &row["pareto"]);
        // The guard caps heavy fits at no more than the largest sample.
        let guarded = forecast(Estimator::Pareto { window });
        let heavy = numbers(row, "alpha")
            .iter()
            .any(|&shape| shape < fit::GUARDED);
        assert!(if heavy {
            guarded < number(&row["pareto"])
        } else {
            (guarded / number(&row["pareto"]) - 1.0).abs() < 1e-9
        });
    }
    for case in list(&golden, "switch_rule") {
        let estimator = switching_rule(
            case["all_alpha_gt_1"].as_bool().unwrap(),
            number(&case["tau"]) as usize,
        );
        let (method, window) = match estimator {
            Estimator::Normal { window } => ("normal", window),
            Estimator::Pareto { window } => ("pareto", window),
            other => panic!("{other}"),
        };
        assert!(case["method"].as_str().unwrap().contains(method));
        assert_eq!(window, number(&case["window"]) as usize);
    }
}

/// Numbers from 0 on, below 1.
struct Random(Pcg64);

impl Random {
    fn new(seed: u64) -> Self {
        Self(Pcg64::new(seed.into(), 1))
    }

    fn uniform(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Draws a maximum, from one latency of each path.
    fn maximum(&mut self, paths: &[Distribution]) -> f64 {
        paths
            .iter()
            .map(|path| path.quantile(self.uniform()))
            .fold(0.0, f64::max)
    }
}

/// Returns few samples, as they may have been recorded.
fn recorded() -> Distribution {
    let samples: Vec<f64> = (0..60)
        .map(|at| 9.0 + f64::from(at * at % 61) / 4.0)
        .collect();
    Distribution::Recorded(Recorded::of(&samples).unwrap())
}

fn sets() -> [Vec<Distribution>; 6] {
    let normal = |mean, deviation| Distribution::Normal { mean, deviation };
    [
        vec![
            pareto(41.0, 27.0),
            pareto(43.0, 17.0),
            pareto(30.0, 5.0),
            pareto(12.0, 4.0),
        ],
        vec![
            pareto(20.0, f64::INFINITY),
            normal(22.0, 3.0),
            normal(15.0, 9.0),
        ],
        vec![
            pareto(10.0, 6.0),
            normal(14.0, 2.0),
            fit::winsorise(pareto(8.0, 0.8), 32),
            fit::winsorise(pareto(9.0, 1.4), 8),
        ],
        vec![fit::winsorise(pareto(30.0, 1.1), 64); 9],
        vec![
            Distribution::Lognormal {
                median: 20.0,
                deviation: 0.6,
            },
            Distribution::Weibull {
                scale: 25.0,
                shape: 0.9,
            },
            normal(30.0, 4.0),
        ],
        vec![recorded(), pareto(10.0, 6.0)],
    ]
}

#[test]
fn moments_and_quantiles_are_those_of_draws() {
    let mut random = Random::new(7);
    for paths in sets() {
        let slowest = Maximum::of(&paths);
        let count = 20_000;
        let mut draws: Vec<f64> = (0..count).map(|_| random.maximum(&paths)).collect();
        let mean = draws.iter().sum::<f64>() / f64::from(count);
        let variance = draws.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / f64::from(count);
        let standard_error = (variance / f64::from(count)).sqrt();
        assert!(
            (slowest.mean() - mean).abs() < 3.0 * standard_error,
            "{} {mean}",
            slowest.mean()
        );
        within(slowest.variance(), variance, 0.1);
        draws.sort_unstable_by(f64::total_cmp);
        for probability in [0.1, 0.5, 0.9, 0.99] {
            let x = slowest.quantile(probability);
            let below =
                draws.partition_point(|&draw| draw <= x * (1.0 + 1e-12)) as f64 / f64::from(count);
            let error = 4.0 * (probability * (1.0 - probability) / f64::from(count)).sqrt();
            // Up to an atom at a cap more may be below.
            let atom = slowest.cdf(x) - probability;
            assert!(
                (-error..error + atom).contains(&(below - probability)),
                "{probability} {below}"
            );
        }
    }
}

#[test]
fn totals_of_several_kinds_are_those_of_draws() {
    let mut random = Random::new(12);
    let sets = sets();
    let counts = [20, 3, 1, 6, 4, 2];
    let maxima: Vec<Maximum> = sets.iter().map(|paths| Maximum::of(paths)).collect();
    let total = Total::of(maxima.iter().zip(counts));
    let mut draws: Vec<f64> = (0..4000)
        .map(|_| {
            let kinds = sets.iter().zip(counts);
            kinds
                .map(|(paths, count)| (0..count).map(|_| random.maximum(paths)).sum::<f64>())
                .sum()
        })
        .collect();
    draws.sort_unstable_by(f64::total_cmp);
    for (probability, error) in [(0.1, 60), (0.5, 95), (0.9, 60), (0.99, 19)] {
        let middle = (probability * draws.len() as f64) as usize;
        let (low, high) = (draws[middle - error], draws[middle + error]);
        let found = total.quantile(probability);
        assert!(
            0.99 * low <= found && found <= 1.01 * high,
            "{low} {found} {high}"
        );
    }
    let constant = Maximum::of(&[Distribution::Constant { value: 5.0 }]);
    let more = Total::of(maxima.iter().zip(counts).chain([(&constant, 2)]));
    within(more.quantile(0.9), total.quantile(0.9) + 10.0, 1e-3);
    within(more.mean(), total.mean() + 10.0, 1e-12);
}

#[test]
fn totals_are_those_of_draws() {
    let mut random = Random::new(11);
    for (paths, tolerance) in sets()
        .into_iter()
        .zip([0.002, 0.002, 0.005, 0.01, 0.005, 0.005])
    {
        let slowest = Maximum::of(&paths);
        for supersteps in [2, 7, 50] {
            let count = 3000;
            let mut draws: Vec<f64> = (0..count)
                .map(|_| (0..supersteps).map(|_| random.maximum(&paths)).sum())
                .collect();
            draws.sort_unstable_by(f64::total_cmp);
            for probability in [0.5, 0.9, 0.99] {
                let found = Total::of([(&slowest, supersteps)]).quantile(probability);
                // Where draws leave it, give or take three standard errors.
                let error = 3.0 * (probability * (1.0 - probability) * f64::from(count)).sqrt();
                let place = |at: f64| draws[(at as usize).min(draws.len() - 1)];
                let middle = probability * f64::from(count);
                let (low, high) = (place(middle - error), place(middle + error));
                assert!(
                    low * (1.0 - tolerance) <= found && found <= high * (1.0 + tolerance),
                    "{low} {found} {high}"
                );
            }
        }
        within(
            Total::of([(&slowest, 5)]).mean(),
            5.0 * slowest.mean(),
            1e-12,
        );
        within(
            Total::of([(&slowest, 5)]).variance(),
            5.0 * slowest.variance(),
            1e-12,
        );
    }
}

fn any_pareto() -> impl Strategy<Value = Distribution> {
    (1.0..300.0f64, 1.01..60.0f64).prop_map(|(scale, shape)| pareto(scale, shape))
}

fn any_path() -> impl Strategy<Value = Distribution> {
    let capped =
        (any_pareto(), 2..600usize).prop_map(|(path, window)| fit::winsorise(path, window));
    let normal = (1.0..300.0f64, 0.0..30.0f64)
        .prop_map(|(mean, deviation)| Distribution::Normal { mean, deviation });
    let constant = (1.0..300.0f64).prop_map(|value| Distribution::Constant { value });
    prop_oneof![3 => any_pareto(), 2 => capped, 2 => normal, 2 => light(), 1 => constant]
}

/// Paths with lighter tails than Pareto's.
fn light() -> impl Strategy<Value = Distribution> {
    let scale = || 1.0..300.0f64;
    let lognormal = (scale(), 0.05..1.5f64)
        .prop_map(|(median, deviation)| Distribution::Lognormal { median, deviation });
    let weibull =
        (scale(), 0.4..20.0f64).prop_map(|(scale, shape)| Distribution::Weibull { scale, shape });
    let gamma =
        (scale(), 0.3..50.0f64).prop_map(|(scale, shape)| Distribution::Gamma { scale, shape });
    prop_oneof![lognormal, weibull, gamma]
}

/// Paths with ends, and normal ones.
fn ending() -> impl Strategy<Value = Distribution> {
    let capped = ((1.0..300.0f64, 0.3..5.0f64), 2..600usize)
        .prop_map(|((scale, shape), window)| fit::winsorise(pareto(scale, shape), window));
    let normal = (200.0..300.0f64, 10.0..20.0f64)
        .prop_map(|(mean, deviation)| Distribution::Normal { mean, deviation });
    prop_oneof![3 => capped, 1 => normal]
}

/// Returns the mean of the maximum from its distribution alone, which jumps at the ends of paths.
fn integrated(paths: &[Distribution]) -> f64 {
    let slowest = Maximum::of(paths);
    let (low, high) = (slowest.quantile(1e-15), slowest.quantile(1.0 - 1e-14));
    let mut edges = vec![low, high];
    edges.extend(paths.iter().filter_map(|path| match *path {
        Distribution::Pareto { cap, .. } => cap,
        _ => None,
    }));
    edges.retain(|edge| (low..=high).contains(edge));
    edges.sort_unstable_by(f64::total_cmp);
    let mut sum = low;
    for ends in edges.windows(2) {
        let ratio = (ends[1] / ends[0]).ln();
        let cells = (400.0 * ratio).ceil();
        let edge = |at: i32| ends[0] * (ratio * f64::from(at) / cells).exp();
        for at in 0..cells as i32 {
            // The rule of two points by Gauss.
            let (a, b) = (edge(at), edge(at + 1));
            let (middle, half) = (0.5 * (a + b), 0.5 * (b - a));
            let node = half / f64::sqrt(3.0);
            let below = slowest.cdf(middle - node) + slowest.cdf(middle + node);
            sum += half * (2.0 - below);
        }
    }
    sum
}

#[test]
fn ends_may_all_differ() {
    let path = |at: u32| {
        let shape = 0.5 + f64::from(at * 7 % 300) / 100.0;
        fit::winsorise(pareto(f64::from(30 + at % 11), shape), 20 + at as usize)
    };
    let paths: Vec<Distribution> = (0..300).map(path).collect();
    within(Maximum::of(&paths).mean(), integrated(&paths), 1e-9);
}

/// The probability of the last path comes from 0 to 1 within a hundredth of what it takes.
#[test]
fn a_path_that_takes_nearly_the_same_each_time_counts_below_the_others() {
    let mut paths = vec![
        Distribution::Normal {
            mean: 264.0,
            deviation: 20.9,
        },
        Distribution::Lognormal {
            median: 114.0,
            deviation: 1.23,
        },
        pareto(1.0, 1.01),
    ];
    let without = Maximum::of(&paths);
    paths.push(Distribution::Normal {
        mean: 214.7,
        deviation: 0.0166,
    });
    let with = Maximum::of(&paths);
    // Both are the same where that path is over.
    let step = 1e-3;
    let middles = (0..215_000).map(|at| (f64::from(at) + 0.5) * step);
    let more: f64 = middles.map(|x| step * (without.cdf(x) - with.cdf(x))).sum();
    within(with.mean() - without.mean(), more, 1e-6);
}

proptest! {
    #[test]
    fn the_closed_form_is_the_integral(paths in prop::collection::vec(any_pareto(), 1..=12)) {
        let slowest = Maximum::of(&paths);
        within(slowest.closed_form().unwrap(), slowest.quadrature(1e-11), 1e-9);
    }

    #[test]
    fn means_are_integrals_of_the_distribution(paths in prop::collection::vec(ending(), 1..12)) {
        within(Maximum::of(&paths).mean(), integrated(&paths), 1e-9);
    }

    #[test]
    fn light_tails_are_integrated(paths in prop::collection::vec(light(), 1..6)) {
        within(Maximum::of(&paths).mean(), integrated(&paths), 1e-9);
    }

    #[test]
    fn more_and_slower_paths_take_longer(mut paths in prop::collection::vec(any_path(), 1..30), more in any_path(), factor in 1.0..2.0f64) {
        let mean = |paths: &[Distribution]| Maximum::of(paths).mean();
        let before = mean(&paths);
        let scales = paths.iter().map(|path| match *path {
            Distribution::Pareto { scale, .. } => scale,
            Distribution::Constant { value } => value,
            Distribution::Normal { mean, .. } => mean,
            _ => 0.0,
        });
        let least = 1.0 - 1e-10;
        prop_assert!(before >= least * scales.fold(0.0, f64::max));
        paths.push(more.clone());
        let after = mean(&paths);
        prop_assert!(after >= least * before);
        paths.reverse();
        within(mean(&paths), after, 1e-10);
        if let Distribution::Pareto { scale, shape, cap } = more.clone() {
            let heavier = Distribution::Pareto { scale, shape: 1.0 + (shape - 1.0).max(0.01) / factor, cap };
            let larger = Distribution::Pareto { scale: scale * factor, shape, cap: cap.map(|cap| cap * factor) };
            for slower in [heavier, larger] {
                paths[0] = slower.clone();
                if shape > 1.02 {
                    prop_assert!(mean(&paths) >= least * after, "{:?} {:?}", more, slower);
                }
            }
        }
    }

    #[test]
    fn quantiles_grow_and_are_inverse(paths in prop::collection::vec(any_path(), 1..12), probability in 0.001..0.998f64) {
        let slowest = Maximum::of(&paths);
        let x = slowest.quantile(probability);
        prop_assert!(slowest.cdf(x) >= probability * (1.0 - 1e-9));
        prop_assert!(slowest.cdf(x - 1e-9 * x.abs() - 1e-9) <= probability);
        prop_assert!(slowest.quantile(probability + 0.001) >= x);
    }

    #[test]
    fn copies_and_extrapolation_agree(path in any_path(), count in 1..500usize) {
        let repeated = Maximum::repeated(path.clone(), count).mean();
        within(Maximum::of(&vec![path.clone(); count]).mean(), repeated, 1e-9);
        within(Maximum::extrapolated(&vec![path.clone(); 3], count).mean(), repeated, 1e-9);
    }
}

#[test]
fn no_paths_and_strange_ones_end() {
    let none = Maximum::of(&[]);
    assert_eq!(
        (
            none.mean(),
            none.variance(),
            none.quantile(0.5),
            Total::of([(&none, 9)]).quantile(0.5)
        ),
        (0.0, 0.0, 0.0, 0.0)
    );
    assert_eq!(
        Maximum::of(&[pareto(5.0, 1.0), pareto(1.0, 9.0)]).mean(),
        f64::INFINITY
    );
    assert_eq!(Maximum::of(&[pareto(5.0, 2.0)]).variance(), f64::INFINITY);
    let strange = [f64::NAN, f64::INFINITY, -1.0, 0.0, 1e-300, 1e300];
    for a in strange {
        for b in strange {
            for cap in [None, Some(a), Some(3.0)] {
                let paths = [
                    Distribution::Pareto {
                        scale: a,
                        shape: b,
                        cap,
                    },
                    Distribution::Normal {
                        mean: a,
                        deviation: b,
                    },
                    Distribution::Lognormal {
                        median: a,
                        deviation: b,
                    },
                    Distribution::Weibull { scale: a, shape: b },
                    Distribution::Gamma { scale: a, shape: b },
                    Distribution::Constant { value: a },
                ];
                for path in paths {
                    let slowest = Maximum::of(&[path.clone(), pareto(2.0, 3.0)]);
                    let _ = (
                        slowest.mean(),
                        slowest.variance(),
                        slowest.quantile(0.9),
                        Total::of([(&slowest, 3)]).quantile(0.9),
                    );
                    let alone = Maximum::repeated(path, 3);
                    let _ = (
                        alone.mean(),
                        alone.variance(),
                        alone.quantile(0.9),
                        Total::of([(&alone, 3)]).quantile(0.9),
                    );
                }
            }
        }
    }
}

/// Returns the error of the combination by that of the best candidate, both on the second half of a
/// trace.
fn excess(
    traffic: &synthetic::Traffic,
    paths: usize,
    periods: usize,
    seed: u64,
    lead: usize,
) -> f64 {
    let samples = synthetic::trace(traffic, paths, periods, seed);
    let test = Backtest::new(&samples, &CANDIDATES, lead, 3).unwrap();
    let half = periods / 2..periods;
    test.rmse_of(&test.combination(), half.clone()) / test.rmse(test.best(half.clone()), half)
}

#[test]
fn the_combination_is_as_good_as_the_best_estimator_of_calm_traces() {
    for (kind, lead) in [(0, 1), (0, 64), (1, 32)] {
        let excess = excess(&synthetic::KINDS[kind], 6, 3000, 3, lead);
        assert!(excess < 1.05, "{kind} {excess}");
    }
}

/// Not every trace can be foreseen: one or two steps can have most of the squared error, and chance
/// decides which estimator they favour. An estimator may be the best on average over 19 other
/// traces of its kind. It is more than 5 % worse than the best in hindsight on one trace in six.
#[test]
#[ignore = "a minute in a release build"]
fn the_combination_is_near_the_best_estimator_of_all_kinds_of_traces() {
    if std::env::var_os("SUPERSTEP_SWEEPS").is_none() {
        eprintln!("skipped: a sweep of a minute and a half, with SUPERSTEP_SWEEPS=1");
        return;
    }
    let mut all = Vec::new();
    for traffic in &synthetic::KINDS {
        for seed in 1..=2 {
            for lead in [1, 32] {
                all.push(excess(traffic, 32, 10_080, seed, lead));
            }
        }
    }
    let mean = all.iter().sum::<f64>() / all.len() as f64;
    let over = all.iter().filter(|&&excess| excess > 1.05).count();
    assert!(mean < 1.015, "{mean}");
    assert!(over * 4 <= all.len(), "{over} of {}: {all:.3?}", all.len());
    assert!(all.iter().all(|&excess| excess < 1.2), "{all:?}");
}
