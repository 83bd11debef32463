//! The program as its users call it.

// Each file of tests takes what it needs.
#![allow(dead_code)]

use std::{path::Path, process::Command};

/// Runs a subcommand of `cargo superstep` in the folder of the data: exit code and both outputs.
pub(crate) fn run(subcommand: &str, arguments: &[&str]) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-superstep"));
    command.current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data"));
    let output = command.arg(subcommand).args(arguments).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (
        output.status.code().unwrap(),
        text(output.stdout),
        text(output.stderr),
    )
}

/// Shows exit code and both outputs as one text.
pub(crate) fn shown(subcommand: &str, arguments: &[&str]) -> String {
    let (code, output, errors) = run(subcommand, arguments);
    format!("exit code {code}\n--- output\n{output}--- errors\n{errors}")
}

/// Rounds the figures of JSON to six digits: the last ones depend on a machine's libraries.
pub(crate) fn rounded(text: &str) -> String {
    let line = |line: &str| {
        let figure = line.trim_end_matches(',');
        let start = figure.rfind(' ').map_or(0, |at| at + 1);
        match figure[start..].parse::<f64>() {
            Ok(value) if figure[start..].contains('.') => {
                let value: f64 = format!("{value:.5e}").parse().unwrap();
                format!("{}{value:?}{}", &line[..start], &line[figure.len()..])
            }
            _ => line.to_owned(),
        }
    };
    text.lines().map(|each| line(each) + "\n").collect()
}
