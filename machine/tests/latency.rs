//! Latencies: golden figures of an independent reference implementation, and what holds for any paths.

use std::fs;

//X use proptest::prelude::*;
//X use rand_pcg::Pcg64;
use serde_json::Value;
use superstep_machine::latency::{Distribution, Maximum, fit, truncated_mean};

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
            .map(|&path| match path {
                Distribution::Pareto { shape, .. } if shape <= 1.0 => fit::winsorise(path, window),
                other => other,
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
            let Distribution::Pareto { cap: Some(cap), .. } = fit::winsorise(*path, window) else {
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
