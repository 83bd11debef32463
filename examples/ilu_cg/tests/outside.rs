//! The program prints that all bits are the same, and says what is wrong with its arguments.

use std::process::{Command, Output};

fn run(arguments: &[&str]) -> Output {
    let program = env!("CARGO_BIN_EXE_superstep-example-ilu-cg");
    Command::new(program).args(arguments).output().unwrap()
}

#[test]
fn each_system_has_a_table() {
    let file = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../matrices/data/rajat01.mtx.gz"
    );
    let output = run(&["4", file]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{text}");
    let tables: Vec<&str> = text.trim_end().split("\n\n").collect();
    let headings = [
        "7-point grid 4^3: 64 equations, 352 entries\n",
        "rajat01.mtx.gz: 6833 equations, 43677 entries\n",
    ];
    assert_eq!(tables.len(), headings.len());
    for (table, heading) in tables.iter().zip(headings) {
        assert!(table.starts_with(heading), "{table}");
        let is_told = table.ends_with("identical: yes (1, 2 and 4 processors)");
        assert!(is_told && !table.contains("DIFFERENT"), "{table}");
    }
}

#[test]
fn what_is_wrong_is_told() {
    for (arguments, message) in [
        (&["1"][..], "1: a grid has from 2 to 200 points a side\n"),
        (&["4", "--side"], "--side: arguments are SIDE, "),
        (&["no_such.mtx"], "no_such.mtx: line 1: "),
    ] {
        let output = run(arguments);
        let text = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success());
        assert!(output.stdout.is_empty());
        assert!(text.starts_with(message), "{text}");
    }
}
