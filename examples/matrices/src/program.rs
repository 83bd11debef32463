//! Programs as their users see them: the tests of the examples run these.

use std::process::{Command, Output};

fn run(program: &str, arguments: &[&str]) -> Output {
    let output = Command::new(program).args(arguments).output();
    output.unwrap_or_else(|error| panic!("{program}: {error}"))
}

/// Runs a program and returns its output.
///
/// # Panics
/// If it cannot be run, or fails.
pub fn output(program: &str, arguments: &[&str]) -> String {
    let output = run(program, arguments);
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}");
    text.into_owned()
}

/// Checks the tables of a program: a heading, and the line that says that all bits are the same.
///
/// # Panics
/// If the program fails, or a table is another.
pub fn assert_tables(program: &str, arguments: &[&str], headings: &[&str]) {
    let text = output(program, arguments);
    let tables: Vec<&str> = text.trim_end().split("\n\n").collect();
    assert_eq!(tables.len(), headings.len(), "{text}");
    for (table, heading) in tables.iter().zip(headings) {
        assert!(table.starts_with(heading), "{table}");
        let is_told = table.ends_with("identical: yes (1, 2 and 4 processors)");
        assert!(is_told && !table.contains("DIFFERENT"), "{table}");
    }
}

/// Checks that a program refuses arguments that name no [`Input`](crate::Input), and says why.
///
/// # Panics
/// If it does not.
pub fn assert_refuses(program: &str) {
    for (arguments, message) in [
        (&["1"][..], "1: a grid has from 2 to 200 points a side\n"),
        (&["4", "--side"], "--side: arguments are SIDE, "),
        (&["no_such.mtx"], "no_such.mtx: line 1: "),
    ] {
        let output = run(program, arguments);
        let text = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && output.stdout.is_empty());
        assert!(text.starts_with(message), "{text}");
    }
}
