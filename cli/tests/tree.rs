//! The tree commands, seen from outside.

use std::process::Command;

/// Returns exit code and both outputs of `cargo superstep` with these arguments.
fn run(arguments: &str) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-superstep"));
    let output = command.args(arguments.split(' ')).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (
        output.status.code().unwrap(),
        text(output.stdout),
        text(output.stderr),
    )
}

#[test]
fn json_has_makespan_start_and_processors() {
    let cases = [
        ("--height 13 --tau 8060 --algorithm alg1", (8187, 65)),
        ("--height 13 --tau 8060 --algorithm alg2", (8191, 1)),
        ("--height 4 --tau 2 --algorithm py", (8, 4)),
        ("--height 4 --tau 2 --algorithm nkf", (7, 4)),
        (
            "--height 20 --tau 2 --processors 100 --algorithm alg3",
            (10962, 100),
        ),
        (
            "--height 20 --tau 2 --processors 100 --algorithm alg3star",
            (10516, 100),
        ),
        (
            "--height 20 --tau 10 --processors 100 --algorithm postal",
            (10518, 100),
        ),
    ];
    for (arguments, (makespan, processors)) in cases {
        let (code, output, errors) = run(&format!("tree {arguments} --json"));
        assert_eq!((code, &errors[..]), (0, ""), "{arguments}");
        let found: serde_json::Value = serde_json::from_str(&output).unwrap();
        let wanted = serde_json::json!({
            "makespan": makespan,
            "start": makespan - 1,
            "processors": processors,
        });
        assert_eq!(found, wanted, "{arguments}");
    }
}

#[test]
fn schedules_are_made_and_checked_on_demand() {
    for algorithm in [
        "py", "alg1", "alg2", "alg3", "alg3star", "optimal", "nkf", "postal",
    ] {
        let arguments = format!("tree --height 9 --tau 20 --algorithm {algorithm} --check");
        let (code, output, errors) = run(&arguments);
        assert_eq!((code, &errors[..]), (0, ""), "{algorithm}");
        assert!(output.contains("checked           511 tasks"), "{output}");
        assert!(output.contains("lower bound"), "{output}");
    }
}

#[test]
fn what_cannot_be_done_is_said() {
    let (code, _, errors) = run("tree --height 9 --tau 3 --processors 4 --algorithm alg2");
    assert_eq!(code, 1);
    assert!(
        errors.contains("alg2 takes 64 processors for this graph, the machine has 4"),
        "{errors}"
    );
    let (code, _, errors) = run("tree --height 30 --tau 3 --algorithm alg2 --check");
    assert_eq!(code, 1);
    assert!(
        errors.contains("a tree of 30 levels is not scheduled task by task"),
        "{errors}"
    );
    assert_eq!(run("tree --height 0 --tau 3 --algorithm alg2").0, 2);
}
