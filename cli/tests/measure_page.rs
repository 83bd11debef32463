//! The commands of `docs/MEASURE_YOUR_MACHINE.md` fit, run one after the other from an empty
//! folder.
//!
//! Commands that need other hosts or an idle machine are left out; the files that they write for
//! others stand ready.
#![cfg(unix)]

mod page;

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use self::page::{blocks, script};

/// Words of commands that need hosts with a token, or an idle machine.
const ELSEWHERE: [&str; 3] = ["--token-file", "/dev/urandom", "superstep probe"];

/// Latencies, as `topology record` writes them.
const SAMPLES: &str = "n2 (us),n3 (us)\n41,52\n43,55\n40,51\n-,57\n42,51\n41,60\n44,53\n40,52\n";

/// Two hosts of two processors, as `measure` writes them.
const MACHINE: &str = "processors = 4\ngap = 30.0\ntask = 2.0\n
[[levels]]\ngroups = [0, 0, 1, 1]\ngap = 0.01\n
[[paths]]\nbetween = [0, 1]\nlatency = { constant = { value = 0.2 } }\n
[[paths]]\nbetween = [2, 3]\nlatency = { constant = { value = 0.2 } }\n
[[paths]]\nbetween = [0, 2]\nsamples = [81.5, 80.25, 90.0, 82.125]\n
[network]\ntree = \"(node1:20,node2:20);\"\nprocessors = 2\nsetup = 95.5\n
[[network.links]]\nhosts = [\"node2\"]\nbandwidth = 940.0\n";

/// Returns an empty folder.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// Runs commands in a folder, with `cargo superstep` being the program under test.
fn run(folder: &Path, commands: &str) -> String {
    let output = Command::new("sh")
        .args(["-e", "-c", &script(commands)])
        .current_dir(folder)
        .output()
        .unwrap();
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{commands}\n{errors}");
    assert_eq!(errors, "", "{commands}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn the_commands_of_the_page_fit() {
    let folder = folder("measure_page");
    let mut ran = String::new();
    for block in blocks("sh") {
        let is_elsewhere = |line: &&str| ELSEWHERE.iter().any(|word| line.contains(word));
        let (elsewhere, here): (Vec<&str>, Vec<&str>) = block.lines().partition(is_elsewhere);
        if elsewhere.iter().any(|line| line.contains("samples.csv")) {
            fs::write(folder.join("samples.csv"), SAMPLES).unwrap();
        }
        if elsewhere.iter().any(|line| line.contains("machine.toml")) {
            fs::write(folder.join("machine.toml"), MACHINE).unwrap();
        }
        let commands = here.join("\n");
        run(&folder, &commands);
        ran += &commands;
    }
    for command in [
        "topology infer --matrix",
        "topology machine",
        "schedule",
        "topology ranks",
        "topology broadcast",
        "topology bandwidth",
        "farm plan",
        "latency",
    ] {
        assert!(
            ran.contains(&format!("cargo superstep {command} ")),
            "{command}"
        );
    }
    let hosts = fs::read_to_string(folder.join("hosts.txt")).unwrap();
    assert_eq!(hosts.lines().count(), 16, "{hosts}");
}

#[test]
fn the_machine_files_of_the_page_are_read() {
    let folder = folder("measure_page_machines");
    fs::write(folder.join("graph.dot"), "digraph { 0 -> 1; }\n").unwrap();
    for machine in blocks("toml") {
        fs::write(folder.join("machine.toml"), machine).unwrap();
        let text = run(
            &folder,
            "cargo superstep schedule graph.dot --machine machine.toml",
        );
        assert!(!text.is_empty());
    }
}
