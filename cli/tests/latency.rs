//! `cargo superstep latency`, seen from outside.

mod outside;

use std::{fs, path::Path};

use outside::rounded;

/// Returns exit code and both outputs of `cargo superstep latency`.
fn run(arguments: &[&str]) -> String {
    outside::shown("latency", arguments)
}

#[test]
fn samples_give_a_forecast() {
    insta::assert_snapshot!(run(&["rtt.csv", "--lead", "16"]));
}

#[test]
fn fits_extrapolate_to_other_numbers_of_processes() {
    insta::assert_snapshot!(rounded(&run(&[
        "rtt.csv",
        "--method",
        "pareto",
        "--processes",
        "64",
        "--quantile",
        "0.9",
        "--json"
    ])));
}

/// Returns the quantile that is printed for a record.
fn quantile(path: &Path, method: &str) -> f64 {
    let text = run(&[path.to_str().unwrap(), "--method", method]);
    let line = text.lines().find(|line| line.starts_with("quantile 0.99"));
    line.unwrap()
        .split_whitespace()
        .last()
        .unwrap()
        .parse()
        .unwrap()
}

#[test]
fn quantiles_are_of_the_family_that_fits_or_of_the_record() {
    // Exponential latencies of 20 ms in four paths, at places that are spread evenly.
    let place = |at: u32, step: f64| (f64::from(at) * step).fract();
    let rows = (1..=1000).map(|at| {
        let cells = [0.618_034, 0.414_214, 0.732_051, 0.236_068]
            .map(|step| (-20.0 * (1.0 - place(at, step)).ln()).to_string());
        cells.join(",") + "\n"
    });
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("exponential.csv");
    fs::write(&path, rows.collect::<String>()).unwrap();
    let wanted = -20.0 * (1.0 - 0.99_f64.powf(0.25)).ln();
    for (method, most) in [("auto", 0.05), ("pareto", 0.1), ("mean-max", 0.05)] {
        let found = quantile(&path, method);
        assert!(
            (found / wanted - 1.0).abs() < most,
            "{method}: {found} {wanted}"
        );
    }
    let text = run(&[path.to_str().unwrap(), "--method", "pareto"]);
    assert!(text.contains("\nquantile of recorded maxima\n"), "{text}");
}

#[test]
fn distributions_can_be_given() {
    insta::assert_snapshot!(rounded(&run(&[
        "--pareto", "10,2.5", "--pareto", "20,3.5", "--json"
    ])));
    // The published set of 44.3 ms and 2.8 ms, of 1024 paths.
    let text = run(&[
        "--pareto",
        "41.67138784922822,16.852999780508934",
        "--processes",
        "1025",
    ]);
    assert!(text.contains("expected maximum  65.2591\n"), "{text}");
    let text = run(&["--pareto", "10,1"]);
    assert!(text.contains("expected maximum  inf\n"), "{text}");
}

#[test]
fn what_cannot_be_forecast_is_said() {
    for (arguments, message) in [
        (
            &["rtt.csv", "--lead", "300"][..],
            "error: rtt.csv: 300 periods are too few to test forecasts 300 ahead",
        ),
        (
            &["rtt.csv", "--method", "last", "--processes", "9"],
            "error: the samples are of 4 paths, and 9 processes have 8: that takes the method normal or pareto",
        ),
        (&["no.csv"], "error: no.csv: No such file or directory"),
        (
            &["diamond.hdag"],
            "error: diamond.hdag:2: column 1: `3 4 7` is no latency: ",
        ),
    ] {
        let text = run(arguments);
        assert!(
            text.starts_with("exit code 1\n--- output\n--- errors\n"),
            "{text}"
        );
        assert!(text.contains(message), "{text}");
    }
    for arguments in [
        &["--pareto", "10"][..],
        &["--pareto", "10,-2"],
        &["--pareto", "10,2", "rtt.csv"],
        &["rtt.csv", "--quantile", "1"],
        &["rtt.csv", "--processes", "1"],
        &[],
    ] {
        assert!(run(arguments).starts_with("exit code 2\n"), "{arguments:?}");
    }
}

#[test]
fn charts_are_drawn() {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("latency.svg");
    let text = run(&["rtt.csv", "--svg", path.to_str().unwrap()]);
    assert!(text.starts_with("exit code 0\n"), "{text}");
    let svg = fs::read_to_string(&path).unwrap();
    for name in [
        "recorded",
        "fitted",
        "these paths",
        "44.3, 2.8 ms: Pareto",
        "42.5, 1.6 ms: normal",
    ] {
        assert!(svg.contains(name), "{name}");
    }
    assert!(svg.matches("<polyline").count() >= 7);
    let text = run(&["rtt.csv", "--svg", "no/such/folder.svg"]);
    assert!(
        text.contains("error: no/such/folder.svg cannot be written: "),
        "{text}"
    );
}
