//! `cargo superstep farm sample` and `predict`, seen from outside.

mod outside;

use std::{
    fs,
    path::{Path, PathBuf},
};

/// Returns exit code and both outputs of `cargo superstep farm`.
fn run(arguments: &[&str]) -> String {
    outside::shown("farm", arguments)
}

fn temporary(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

#[test]
fn random_samples_are_listed() {
    insta::assert_snapshot!(run(&[
        "sample", "--shape", "30x20x10", "--share", "0.002", "--seed", "3"
    ]));
}

#[test]
fn grids_are_listed() {
    insta::assert_snapshot!(run(&["sample", "--shape", "9x2", "--grid", "3"]));
}

#[test]
fn samples_give_a_total_and_a_makespan() {
    insta::assert_snapshot!(run(&[
        "predict",
        "farm.csv",
        "--shape",
        "64x32",
        "--workers",
        "8",
        "--latency",
        "1e-4",
        "--overhead",
        "1e-5",
        "--target-error",
        "0.05"
    ]));
}

#[test]
fn predictions_are_printed_as_json() {
    let text = run(&[
        "predict",
        "farm.csv",
        "--shape",
        "64x32",
        "--workers",
        "8",
        "--json",
    ]);
    // The last digits depend on a machine's libraries.
    let line = |line: &str| {
        let figure = line.trim_end_matches(',');
        let start = figure.rfind(' ').map_or(0, |at| at + 1);
        match figure[start..].parse::<f64>() {
            Ok(value) if figure[start..].contains('.') => {
                format!("{}{value:.5}{}\n", &line[..start], &line[figure.len()..])
            }
            _ => format!("{line}\n"),
        }
    };
    insta::assert_snapshot!(text.lines().map(line).collect::<String>());
}

#[test]
fn grids_are_interpolated() {
    insta::assert_snapshot!(run(&[
        "predict",
        "farm_grid.csv",
        "--shape",
        "65x33",
        "--grid",
        "--workers",
        "1"
    ]));
}

/// Fills a list of samples with seconds.
fn measured(list: &str) -> String {
    let mut lines = list.lines();
    let mut text = lines.next().unwrap().to_owned() + "\n";
    for line in lines {
        let first: f64 = line.split(',').next().unwrap().parse().unwrap();
        text += &format!("{line}{}\n", 1.0 + first.sqrt());
    }
    text
}

#[test]
fn samples_go_on_until_the_error_is_small() {
    for (name, more) in [("strata", &["--seed", "7"][..]), ("grid", &["--grid"])] {
        let [samples, next] =
            [format!("{name}.csv"), format!("{name}_next.csv")].map(|name| temporary(&name));
        let [samples, next] = [&samples, &next].map(|path| path.to_str().unwrap());
        let first = match name {
            "strata" => run(&[
                "sample", "--shape", "2000", "--share", "0.002", "--seed", "7",
            ]),
            _ => run(&["sample", "--shape", "2000", "--grid", "3"]),
        };
        let first = first.strip_prefix("exit code 0\n--- output\n").unwrap();
        let mut file = measured(first.strip_suffix("--- errors\n").unwrap());
        let mut rounds = 0;
        loop {
            fs::write(samples, &file).unwrap();
            let arguments = [
                "predict",
                samples,
                "--shape",
                "2000",
                "--share",
                "0.5",
                "--target-error",
                "0.02",
                "--next",
                next,
            ];
            let text = run(&[&arguments[..], more].concat());
            assert!(text.starts_with("exit code 0\n"), "{text}");
            if text.contains("is reached") {
                break;
            }
            rounds += 1;
            let listed = fs::read_to_string(next).unwrap();
            assert!(
                text.contains(&format!("run {} more items", listed.lines().count() - 1)),
                "{text}"
            );
            file += measured(&listed).split_once('\n').unwrap().1;
        }
        assert!((2..10).contains(&rounds), "{rounds} rounds of {name}");
    }
    // No more may be run.
    let text = run(&[
        "predict",
        "farm.csv",
        "--shape",
        "64x32",
        "--target-error",
        "1e-3",
    ]);
    assert!(
        text.contains("target     0.100 % is not reached, and no more items may be run\n"),
        "{text}"
    );
}

#[test]
fn predicted_costs_are_written() {
    let path = temporary("costs.csv");
    let text = run(&[
        "predict",
        "farm.csv",
        "--shape",
        "64x32",
        "--costs",
        path.to_str().unwrap(),
    ]);
    assert!(text.starts_with("exit code 0\n"), "{text}");
    let text = fs::read_to_string(path).unwrap();
    let costs = text.strip_prefix("seconds\n").unwrap().lines();
    let costs: Vec<f64> = costs.map(|cost| cost.parse().unwrap()).collect();
    assert_eq!(costs.len(), 64 * 32);
    let total: f64 = costs.iter().sum();
    assert!((total - 66.117_626).abs() < 1e-5, "{total}");
}

#[test]
fn what_cannot_be_predicted_is_said() {
    let broken = temporary("broken.csv");
    fs::write(&broken, "i,seconds\n3,1\n4,x\n").unwrap();
    let broken = broken.to_str().unwrap();
    for (arguments, message) in [
        (
            &["predict", "no.csv", "--shape", "64x32"][..],
            "error: no.csv: No such file or directory",
        ),
        (
            &["predict", broken, "--shape", "9"],
            "broken.csv:3: column 2: `x` is no time: seconds, 0 or more\n",
        ),
        (
            &["predict", "farm.csv", "--shape", "64"],
            "error: farm.csv:2: column 2: 3 columns, in place of 2: an index for each axis, and the seconds\n",
        ),
        (
            &["predict", "farm.csv", "--shape", "64x31"],
            "is no index: a whole number below 31\n",
        ),
        (
            &["predict", "farm.csv", "--shape", "640x32"],
            "error: farm.csv: the samples are no strata: 10 of the 64 samples are among the items from [0, 0] to [19, 15], where one is needed\n",
        ),
        (
            &["predict", "farm.csv", "--shape", "64x32", "--grid"],
            "error: farm.csv: the samples are no grid: 64 items, at as many indices along each axis as [43, 25]\n",
        ),
        (
            &[
                "predict",
                "farm.csv",
                "--shape",
                "64x32",
                "--workers",
                "2",
                "--latency=-1",
            ],
            "error: latency is -1, which must be finite and not negative\n",
        ),
        (
            &["predict", "farm.csv", "--shape", "0x32"],
            "error: items is 0, which must be from 1 to 268435456\n",
        ),
        (
            &["sample", "--shape", "99999x99999"],
            "error: items is 9999800001, which must be from 1 to 268435456\n",
        ),
        (
            &["sample", "--shape", "10x10", "--grid", "1"],
            "error: points is 1, which must be from 2 to the number of items of its axis\n",
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
        &["predict", "farm.csv"][..],
        &["predict", "farm.csv", "--shape", "64y"],
        &[
            "predict", "farm.csv", "--shape", "64x32", "--next", "next.csv",
        ],
        &["predict", "farm.csv", "--shape", "64x32", "--workers", "0"],
        &[
            "predict",
            "farm.csv",
            "--shape",
            "64x32",
            "--target-error",
            "0",
        ],
        &["sample", "--shape", "10", "--share", "2"],
        &["sample", "--shape", "10", "--share", "1/0"],
        &["sample", "--shape", "10", "--grid", "3", "--seed", "1"],
        &[],
    ] {
        assert!(run(arguments).starts_with("exit code 2\n"), "{arguments:?}");
    }
}
