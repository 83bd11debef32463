//! The command line: what is printed, and what is refused.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

fn run(arguments: &[&str]) -> Output {
    let program = env!("CARGO_BIN_EXE_superstep-example-sparse-lu");
    Command::new(program).args(arguments).output().unwrap()
}

fn file(name: &str, text: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, text).unwrap();
    path
}

#[test]
fn a_pattern_of_ones_own_is_planned() {
    let text = "%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n3 2\n";
    let path = file("sparse_lu.mtx", text);
    let output = run(&[path.to_str().unwrap(), "--steps", "5", "--seed", "7"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{text}");
    for expected in [
        ": 3 nodes, 4 entries, 7 of the factors, ordered in ",
        "break-even",
        "\nevaluate ",
        "\nrefactor ",
        "\nsolve ",
        "never  sequential: too little work: ",
        "\na step ",
        ", identical: yes (P = 1, 2 and 4)\n",
    ] {
        assert!(text.contains(expected), "{expected:?} in {text}");
    }
}

#[test]
fn unsuitable_files_and_arguments_are_refused() {
    let path = file(
        "sparse_lu_oblong.mtx",
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
            vec!["--steps", "0"],
            2,
            "error: invalid value '0' for '--steps".into(),
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
