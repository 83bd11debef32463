//! The command line: what is printed, and what is refused.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

fn run(arguments: &[&str]) -> Output {
    let program = env!("CARGO_BIN_EXE_superstep-example-ldl-qp");
    Command::new(program).args(arguments).output().unwrap()
}

fn file(name: &str, text: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, text).unwrap();
    path
}

#[test]
fn a_pattern_of_ones_own_is_planned() {
    let head = "%%MatrixMarket matrix coordinate pattern symmetric\n";
    let path = file(
        "ldl_qp.mtx",
        &format!("{head}5 5 6\n1 1\n2 2\n3 1\n3 2\n4 1\n5 2\n"),
    );
    let output = run(&[path.to_str().unwrap(), "--seed", "7"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{text}");
    for expected in [
        ": 2 variables, 3 constraints, ",
        "break-even",
        "\nrefactor ",
        "\nsolve ",
        "never  sequential: too little work: ",
        "\nan iteration ",
        ", identical: yes (P = 1, 2 and 4)\n",
    ] {
        assert!(text.contains(expected), "{expected:?} in {text}");
    }
}

/// The pattern of `liswet1` in small.
#[test]
fn a_chain_stays_sequential_and_the_reason_is_told() {
    let (variables, constraints) = (300, 298);
    let mut entries: Vec<[usize; 2]> = (1..=variables).map(|at| [at, at]).collect();
    for row in 1..=constraints {
        entries.extend([0, 1, 2].map(|step| [variables + row, row + step]));
    }
    entries.extend((1..=variables).map(|at| [variables + constraints + at, at]));
    let (lines, count) = (2 * variables + constraints, entries.len());
    let head = "%%MatrixMarket matrix coordinate pattern symmetric\n";
    let entries: String = entries.iter().map(|[i, j]| format!("{i} {j}\n")).collect();
    let text = format!("{head}{lines} {lines} {count}\n{entries}");
    let path = file("ldl_qp_chain.mtx", &text);
    let output = run(&[path.to_str().unwrap(), "--iterations", "20000"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{text}");
    let refactor = text
        .lines()
        .find(|line| line.starts_with("refactor "))
        .unwrap();
    assert!(
        refactor.contains("never  sequential: one long chain: parallelism 1."),
        "{refactor}"
    );
}

#[test]
fn unsuitable_files_and_arguments_are_refused() {
    let path = file(
        "ldl_qp_oblong.mtx",
        "%%MatrixMarket matrix coordinate pattern general\n1 2 1\n1 1\n",
    );
    let path = path.to_str().unwrap();
    for (arguments, code, message) in [
        (
            vec![path],
            1,
            format!(
                "error: {path}: a square matrix is needed, this one has 1 rows and 2 columns\n"
            ),
        ),
        (vec!["none.mtx"], 1, "error: none.mtx: ".into()),
        (
            vec!["--side", "1"],
            2,
            "error: invalid value '1' for '--side".into(),
        ),
        (
            vec!["--processors", "65"],
            2,
            "error: invalid value '65' for '--processors".into(),
        ),
    ] {
        let output = run(&arguments);
        let text = String::from_utf8(output.stderr).unwrap();
        assert!(text.starts_with(&message), "{message:?}: {text}");
        assert_eq!(output.status.code(), Some(code));
    }
}
