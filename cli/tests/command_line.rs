//! The built binary, seen from outside: what it prints, and its exit codes.

use std::{
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use superstep_dag::Dag;
use superstep_graphs::generate;
use superstep_schedule::Schedule;
use superstep_scheduler::tree::{TreeScheduler, complete_tree};
use superstep_search::TreeAlgorithm;
use superstep_search::tree::bounds;

/// Makes a command `cargo superstep` in the folder of the data.
fn superstep(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-superstep"));
    command.current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data"));
    command.args(arguments);
    command
}

/// Returns exit code and both outputs, without what differs from run to run.
fn run(arguments: &[&str]) -> String {
    let output = superstep(arguments).output().unwrap();
    let text = |bytes: Vec<u8>| {
        let text = String::from_utf8(bytes).unwrap();
        let lines = text.lines().map(|line| match line.trim_start() {
            time if time.starts_with("time ") => "time              [time]".to_owned(),
            time if time.starts_with("\"seconds\": ") => "  \"seconds\": [time]".to_owned(),
            _ => line.to_owned(),
        });
        lines.map(|line| line + "\n").collect::<String>()
    };
    let code = output.status.code().unwrap();
    format!(
        "exit code {code}\n--- output\n{}--- errors\n{}",
        text(output.stdout),
        text(output.stderr)
    )
}

fn temporary(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

/// Writes a graph file of LU 32.
fn lu_32(name: &str) -> PathBuf {
    let path = temporary(name);
    superstep_graphs::write(&path, &generate::lu(32).unwrap()).unwrap();
    path
}

#[test]
fn schedule_prints_figures() {
    insta::assert_snapshot!(run(&[
        "schedule",
        "heat.dot",
        "--processors",
        "2",
        "--tau",
        "3"
    ]));
}

#[test]
fn schedule_prints_json() {
    let arguments = [
        "schedule",
        "heat.dot",
        "--processors",
        "2",
        "--g",
        "2",
        "--latency",
        "5",
        "--json",
    ];
    insta::assert_snapshot!(run(&arguments));
}

#[test]
fn every_algorithm_schedules() {
    for algorithm in [
        "serial",
        "levels",
        "bcsh",
        "grow-local",
        "bsp-greedy",
        "cuts",
        "pipeline",
        "etf",
        "dsh",
        "hill-climb",
        "copy-insertion",
    ] {
        let arguments = [
            "triangular.mtx",
            "-p",
            "2",
            "--tau",
            "1",
            "--latency",
            "1",
            "--algorithm",
            algorithm,
        ];
        insta::assert_snapshot!(algorithm, run(&[&["schedule"], &arguments[..]].concat()));
    }
}

#[test]
fn tree_algorithms_schedule_complete_binary_trees() {
    let (height, tau) = (10, 10);
    let graph = temporary("tree.hdag");
    superstep_graphs::write(&graph, &complete_tree(height)).unwrap();
    let algorithms = [
        ("py", TreeAlgorithm::Py),
        ("alg1", TreeAlgorithm::Alg1),
        ("alg2", TreeAlgorithm::Alg2),
        ("alg3", TreeAlgorithm::Alg3),
        ("alg3star", TreeAlgorithm::Alg3Star),
        ("optimal", TreeAlgorithm::Optimal),
    ];
    for (name, algorithm) in algorithms {
        let arguments = ["-p", "512", "--tau", "10", "--algorithm", name, "--json"];
        let mut command = superstep(&["schedule", graph.to_str().unwrap()]);
        let output = command.args(arguments).output().unwrap();
        let figures: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let bound = bounds::e_strong(height, tau) + 1;
        assert_eq!(figures["makespan_bound"].as_f64(), Some(bound as f64));
        let makespan = figures["makespan"].as_f64().unwrap();
        let expected = algorithm.timing(height, tau, 512).makespan as f64;
        if matches!(algorithm, TreeAlgorithm::Alg1 | TreeAlgorithm::Optimal) {
            // They overlap communication with computation, which supersteps cannot.
            assert!(makespan > expected, "{name}");
        } else {
            assert_eq!(makespan, expected, "{name}");
        }
    }
}

#[test]
fn reductions_of_any_shape_have_an_algorithm_by_name() {
    let graph = temporary("blocks.hdag");
    let blocks = Dag::from_edges(5, &[(0, 2), (1, 2), (2, 4), (3, 4)])
        .and_then(|graph| graph.with_weights(vec![9, 9, 1, 7, 1]))
        .unwrap();
    superstep_graphs::write(&graph, &blocks).unwrap();
    let arguments = ["-p", "3", "--tau", "2", "-a", "reduction", "--json"];
    let mut command = superstep(&["schedule", graph.to_str().unwrap()]);
    let output = command.args(arguments).output().unwrap();
    let figures: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(figures["makespan"].as_f64(), Some(13.0));
}

#[test]
fn tree_algorithms_refuse_other_graphs_and_too_few_processors() {
    insta::assert_snapshot!(run(&[
        "schedule",
        "diamond.hdag",
        "-p",
        "2",
        "-a",
        "alg3star"
    ]));
    let graph = temporary("tall.hdag");
    superstep_graphs::write(&graph, &complete_tree(10)).unwrap();
    let arguments = ["-p", "2", "-a", "alg1", "--tau", "1"];
    insta::assert_snapshot!(run(&[
        &["schedule", graph.to_str().unwrap()],
        &arguments[..]
    ]
    .concat()));
}

#[test]
fn cargo_passes_the_name_on() {
    let arguments = ["schedule", "diamond.hdag", "-p", "1"];
    assert_eq!(
        run(&arguments),
        run(&[&["superstep"], &arguments[..]].concat())
    );
}

#[test]
fn lu_32_has_five_supersteps_as_in_the_thesis() {
    let graph = lu_32("five.hdag");
    let arguments = [
        "schedule",
        graph.to_str().unwrap(),
        "--processors",
        "2",
        "--tau",
        "120",
        "--algorithm",
        "bcsh",
        "--json",
    ];
    let output = superstep(&arguments).output().unwrap();
    let figures: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let expected = [
        ("tasks", 10_912.0),
        ("edges", 30_256.0),
        ("critical_path", 62.0),
        ("lower_bound", 5_456.0),
        ("supersteps", 5.0),
        ("messages", 7.0),
    ];
    for (key, value) in expected {
        assert_eq!(figures[key].as_f64(), Some(value), "{key}");
    }
    assert_eq!(figures["duplication_rate"], 11_930.0 / 10_912.0);
    assert_eq!(figures["mean_message_words"], 876.0 / 7.0);
}

#[test]
fn a_schedule_file_checks_with_the_figures_it_was_written_with() {
    let graph = lu_32("round.dot");
    let graph = graph.to_str().unwrap();
    for (name, no_saving) in [("round.json", false), ("round.schedule", true)] {
        let file = temporary(name);
        let file = file.to_str().unwrap();
        let costs = ["--tau", "500", "--g", "1.5", "--latency", "200"];
        let bcsh = ["schedule", graph, "-p", "8", "-a", "bcsh", "--out", file];
        let mut arguments = [&bcsh[..], &costs].concat();
        arguments.extend(no_saving.then_some("--no-saving"));
        let scheduled = run(&arguments);
        assert!(scheduled.starts_with("exit code 0"), "{scheduled}");
        assert_eq!(
            run(&[&["check", graph, file][..], &costs].concat()),
            // A file does not say who made it.
            scheduled.replace("scheduler         bcsh\n", "")
        );
        assert_eq!(Schedule::read(file).unwrap().supersteps(), 4);
    }
}

#[test]
fn check_prints_figures() {
    insta::assert_snapshot!(run(&[
        "check",
        "diamond.hdag",
        "diamond.json",
        "--latency",
        "2",
        "--json"
    ]));
}

#[test]
fn check_names_the_rule_that_is_broken() {
    for name in [
        "diamond_r1",
        "diamond_r2",
        "diamond_r3",
        "diamond_p1",
        "other_graph",
    ] {
        insta::assert_snapshot!(
            name,
            run(&["check", "diamond.hdag", &format!("{name}.json")])
        );
    }
}

#[test]
fn malformed_files_are_shown_where_they_are_wrong() {
    for graph in [
        "bad_weight.hdag",
        "cut.hdag",
        "cycle.dot",
        "bad.dot",
        "upper.mtx",
        "empty_rows.mtx",
        "pattern_with_values.mtx",
        "beyond_64_bits.mtx",
        "misplaced.dot",
        "diamond.json",
    ] {
        insta::assert_snapshot!(
            format!("graph_{graph}"),
            run(&["schedule", graph, "-p", "2"])
        );
    }
    for schedule in ["wrong_width.json", "long_line.json", "garbage.schedule"] {
        insta::assert_snapshot!(
            format!("schedule_{schedule}"),
            run(&["check", "diamond.hdag", schedule])
        );
    }
}

#[test]
fn missing_files_are_named() {
    let commands: [(&str, &[&str]); 2] = [
        ("missing.hdag", &["schedule", "missing.hdag", "-p", "2"]),
        ("missing.json", &["check", "diamond.hdag", "missing.json"]),
    ];
    for (missing, arguments) in commands {
        let seen = run(arguments);
        assert!(
            seen.starts_with(&format!(
                "exit code 1\n--- output\n--- errors\nerror: {missing}: "
            )),
            "{seen}"
        );
    }
}

#[test]
fn a_wrong_command_line_has_exit_code_2() {
    let wrong: [&[&str]; 6] = [
        &[],
        &["schedule", "diamond.hdag"],
        &["schedule", "diamond.hdag", "-p", "0"],
        &["schedule", "diamond.hdag", "-p", "2", "--tau", "-1"],
        &["schedule", "diamond.hdag", "-p", "2", "--latency", "inf"],
        &[
            "schedule",
            "diamond.hdag",
            "-p",
            "2",
            "--algorithm",
            "magic",
        ],
    ];
    for arguments in wrong {
        assert_eq!(
            superstep(arguments).output().unwrap().status.code(),
            Some(2),
            "{arguments:?}"
        );
    }
}

#[test]
fn more_processors_than_the_algorithm_serves_are_refused() {
    insta::assert_snapshot!(run(&["schedule", "diamond.hdag", "-p", "65", "-a", "bcsh"]));
}

#[test]
fn help_says_what_can_be_said() {
    for command in ["schedule", "check"] {
        insta::assert_snapshot!(format!("help_{command}"), run(&[command, "--help"]));
    }
}

#[test]
fn nobody_listening_is_no_error() {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let mut command = superstep(&["schedule", "diamond.hdag", "-p", "2"]);
    let output = command
        .stdout(writer)
        .stderr(Stdio::piped())
        .output()
        .unwrap();
    assert_eq!(
        (output.status.code(), &output.stderr[..]),
        (Some(0), &b""[..])
    );
}

#[test]
fn errors_that_nobody_reads_keep_their_exit_code() {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let status = superstep(&["check", "diamond.hdag", "diamond_p1.json"])
        .stderr(writer)
        .status()
        .unwrap();
    assert_eq!(status.code(), Some(1));
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_device_is_an_error() {
    let full = std::fs::File::create("/dev/full").unwrap();
    let mut command = superstep(&["schedule", "diamond.hdag", "-p", "2"]);
    let output = command
        .stdout(full)
        .stderr(Stdio::piped())
        .output()
        .unwrap();
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(
        message.starts_with("error: the output cannot be written: "),
        "{message}"
    );
}

#[test]
#[cfg(debug_assertions)]
fn probe_refuses_to_measure_a_debug_build() {
    let failed = run(&["probe"]);
    assert!(
        failed.starts_with("exit code 1") && failed.contains("this is a debug build"),
        "{failed}"
    );
}

#[test]
fn probe_writes_times_that_builders_can_read() {
    let path = temporary("times.toml");
    let output = superstep(&["probe", "--force", "--out", path.to_str().unwrap()])
        .output()
        .unwrap();
    assert!(output.status.success());
    let times = superstep_machine::Times::read(&path).unwrap();
    assert_eq!(times.to_toml().as_bytes(), output.stdout);
    let text = std::fs::read_to_string(&path).unwrap();
    let warns = text.starts_with("# WARNING: measured by a debug build");
    assert_eq!(warns, cfg!(debug_assertions), "{text}");
    let failed = run(&["probe", "--force", "--out", "no/such/folder/times.toml"]);
    assert!(
        failed.starts_with("exit code 1") && failed.contains("no/such/folder/times.toml: "),
        "{failed}"
    );
}
