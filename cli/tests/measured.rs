//! Machine files from the command line: hierarchies and measured latencies.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use superstep_graphs::generate;
use superstep_machine::Machine;
use superstep_network::MachineFile;

/// Returns what `cargo superstep` prints, without times that differ from run to run.
fn run(arguments: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-superstep"));
    command.current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data"));
    let output = command.args(arguments).output().unwrap();
    let text = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    let lines = text.iter().flat_map(|text| text.lines());
    let lasting = lines.filter(|line| !line.starts_with("time ") && !line.contains("\"seconds\""));
    lasting.map(|line| line.to_owned() + "\n").collect()
}

fn temporary(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/two_sites.toml")
}

fn lu(name: &str) -> PathBuf {
    let path = temporary(name);
    superstep_graphs::write(&path, &generate::lu(48).unwrap()).unwrap();
    path
}

#[test]
fn schedules_follow_the_levels_of_a_measured_machine() {
    let graph = lu("measured.hdag");
    let arguments = [
        "schedule",
        graph.to_str().unwrap(),
        "-a",
        "grow-local",
        "--machine",
    ];
    for quantile in ["0.5", "0.99"] {
        let measured = [&arguments[..], &["two_sites.toml", "--quantile", quantile]].concat();
        insta::assert_snapshot!(format!("quantile_{quantile}"), run(&measured));
    }
    let two = [&arguments[..], &["two_sites.toml", "-p", "2", "--json"]].concat();
    let report: serde_json::Value = serde_json::from_str(&run(&two)).unwrap();
    assert_eq!(
        report["machine"],
        "2 processors, g = 0.5, L = 12.1087, tau = 12.1087"
    );
    let run_time = &report["run_time"];
    assert!(run_time["p99"].as_f64() > run_time["median"].as_f64());
    assert_eq!(run_time["boundaries"].as_array().unwrap().len(), 1);
}

#[test]
fn a_schedule_is_checked_on_a_measured_machine() {
    let (graph, schedule) = (lu("checked.hdag"), temporary("checked.schedule"));
    let (graph, schedule) = (graph.to_str().unwrap(), schedule.to_str().unwrap());
    let machine = ["--machine", "two_sites.toml"];
    let made = run(&[&["schedule", graph, "-a", "owners"][..], &machine].concat());
    assert!(
        made.starts_with("error: owners does not schedule this graph"),
        "{made}"
    );
    let scheduled = [
        &["schedule", graph, "-a", "levels", "-o", schedule][..],
        &machine,
    ]
    .concat();
    let figures = |text: String| {
        let lines = text.lines().filter(|line| !line.starts_with("scheduler"));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    let made = figures(run(&scheduled));
    let checked = figures(run(&[&["check", graph, schedule][..], &machine].concat()));
    assert_eq!(made, checked);
    assert!(
        made.iter().any(|line| line.starts_with("run time")),
        "{made:?}"
    );
}

#[test]
fn the_traffic_of_a_schedule_places_ranks() {
    let (graph, traffic) = (lu("traffic.hdag"), temporary("traffic.csv"));
    let tree = temporary("tree.nwk");
    fs::write(&tree, "(a:10,b:10,(c:10,d:10):500);").unwrap();
    let [graph, traffic, tree] = [&graph, &traffic, &tree].map(|path| path.to_str().unwrap());
    run(&[
        "schedule",
        graph,
        "-p",
        "4",
        "-a",
        "levels",
        "--traffic",
        traffic,
    ]);
    let words = fs::read_to_string(traffic).unwrap();
    let sent: u64 = words
        .lines()
        .enumerate()
        .map(|(row, line)| {
            let row_words: Vec<u64> = line.split(',').map(|word| word.parse().unwrap()).collect();
            assert_eq!((row_words.len(), row_words[row]), (4, 0));
            row_words.iter().sum::<u64>()
        })
        .sum();
    assert!(sent > 1000, "{words}");
    let ranks = run(&["topology", "ranks", tree, "--traffic", traffic]);
    assert!(
        ["a", "b", "c", "d"].iter().all(|host| ranks.contains(host)),
        "{ranks}"
    );
    let machine = run(&[
        "topology",
        "machine",
        tree,
        "--task",
        "2",
        "--processors",
        "2",
    ]);
    let path = temporary("cluster.toml");
    fs::write(&path, &machine).unwrap();
    let path = path.to_str().unwrap();
    let report = run(&["schedule", graph, "-a", "grow-local", "--machine", path]);
    assert!(
        report.contains("8 processors") && report.contains("in each of 2 groups"),
        "{report}"
    );
}

#[test]
fn machine_files_that_do_not_serve_are_refused() {
    let graph = lu("refused.hdag");
    let schedule = |machine: &str, more: &[&str]| {
        let arguments = ["schedule", graph.to_str().unwrap(), "--machine", machine];
        run(&[&arguments[..], more].concat())
    };
    assert_eq!(
        schedule("two_sites.toml", &["-p", "8"]),
        "error: two_sites.toml: `processors` must be from 1 to the number of the machine file, not 8\n\n"
    );
    let path = temporary("refused.toml");
    fs::write(&path, "processors = 2\n\n[[paths]]\nbetween = [0, 0]\n").unwrap();
    let path = path.to_str().unwrap();
    assert_eq!(
        schedule(path, &[]),
        format!("error: {path}:4: `between` must be two different processors, not 0\n\n")
    );
    assert!(schedule("two_sites.toml", &["--g", "3"]).contains("cannot be used with"));
    assert!(schedule("two_sites.toml", &["--quantile", "1"]).contains("between 0 and 1"));
}

#[test]
fn medians_are_added_for_builds() {
    let path = temporary("medians.toml");
    let measured = fs::read_to_string(data()).unwrap();
    fs::write(&path, &measured).unwrap();
    let error = Machine::read(&path).unwrap_err().to_string();
    let file = path.to_str().unwrap();
    let command = format!("`cargo superstep medians {file}`");
    assert!(error.contains(&command), "{error}");
    assert_eq!(run(&["medians", file]), "");
    let found = Machine::read(&path).unwrap();
    let medians = MachineFile::read(data()).unwrap();
    assert_eq!(found, medians.machine(0.5));
    let written = fs::read_to_string(&path).unwrap();
    assert!(written.ends_with(&measured), "{written}");
    run(&["medians", file]);
    assert_eq!(fs::read_to_string(&path).unwrap(), written);
}
