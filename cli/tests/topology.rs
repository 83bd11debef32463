//! The commands on a network's tree, seen from outside.

use std::{env, fs, path::Path, process::Command};

/// Returns what `cargo superstep topology` prints with these arguments in the folder of test data,
/// and its exit code.
fn run(arguments: &str) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-superstep"));
    command.current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data"));
    command.arg("topology").args(arguments.split(' '));
    let output = command.output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    format!(
        "exit code {}\n{}{}",
        output.status.code().unwrap(),
        text(output.stdout),
        text(output.stderr),
    )
}

#[test]
fn infer_prints_the_tree() {
    insta::assert_snapshot!(run("infer --matrix round_trips.csv"));
}

#[test]
fn infer_prints_tree_files() {
    insta::assert_snapshot!("json", run("infer --matrix round_trips.csv --json"));
    let newick = run("infer --matrix round_trips.csv --newick --seed 3");
    let file =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/tree.nwk"));
    assert_eq!(newick, format!("exit code 0\n{}", file.unwrap()));
}

#[test]
fn infer_warns_of_wide_spreads() {
    let folder = env::temp_dir().join(format!("superstep-spread-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let spread = folder.join("spread.csv");
    let row = |at: usize| ["0,20,0,0,0", "20,0,0,0,0", "0,0,0,0,0"][at.min(2)];
    let rows: Vec<&str> = (0..5).map(row).collect();
    fs::write(&spread, rows.join("\n")).unwrap();
    let text = run(&format!(
        "infer --matrix round_trips.csv --spread {}",
        spread.display()
    ));
    fs::remove_dir_all(&folder).unwrap();
    let warnings = text.lines().filter(|line| line.starts_with("warning"));
    let warnings: Vec<&str> = warnings.collect();
    assert_eq!(warnings, ["warning: b and a: 40.0 us differ by 20.0 us"]);
}

#[test]
fn infer_warns_of_pairs_that_the_tree_is_far_from() {
    let folder = env::temp_dir().join(format!("superstep-far-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let times = folder.join("times.csv");
    fs::write(&times, "a,b,c\n0,5,100\n5,0,5\n100,5,0\n").unwrap();
    let texts = ["", " --newick", " --json"]
        .map(|form| run(&format!("infer --matrix {}{form}", times.display())));
    fs::remove_dir_all(&folder).unwrap();
    for text in texts {
        assert!(text.starts_with("exit code 0\n"), "{text}");
        let warning =
            |line: &str| line.starts_with("warning: ") && line.contains(" us were measured, and ");
        assert!(text.lines().any(warning), "{text}");
    }
}

#[test]
fn infer_reads_pairs_and_times_of_two_directions() {
    let folder = env::temp_dir().join(format!("superstep-pairs-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let written = |name: &str, text: &str| {
        let path = folder.join(name);
        fs::write(&path, text).unwrap();
        path.display().to_string()
    };
    let pairs = "a,b,round_trip_us,spread_us\na,c,40,0.1\nb,a,60,2\nb,c,60,0.2\n";
    let pairs = written("pairs.csv", pairs);
    let times = "a,b,c,d\n0,40,90,90\n42,0,90,90\n90,95,0,40\n90,90,40,0\n";
    let times = written("times.csv", times);
    let spreads = written("spreads.csv", "0,3,3,3\n3,0,6,3\n3,6,0,3\n3,3,3,0\n");
    let of_pairs = run(&format!("infer --matrix {pairs} --newick"));
    let of_times = run(&format!(
        "infer --matrix {times} --spread {spreads} --newick"
    ));
    let both = run(&format!("infer --matrix {pairs} --spread {spreads}"));
    fs::remove_dir_all(&folder).unwrap();
    assert_eq!(of_pairs, "exit code 0\n(a:10,c:10,b:20);\n");
    assert_eq!(of_times, "exit code 0\n(a:10,b:10,(c:10,d:10):25);\n");
    assert!(
        both.ends_with("a list of pairs has their spreads, and needs no others\n\n"),
        "{both}"
    );
}

#[test]
fn ranks_share_hosts_of_several_processors() {
    let text = run("ranks tree.nwk --processors 3");
    let listed: Vec<&str> = text.lines().skip(1).take(15).collect();
    for host in ["a", "b", "c", "d", "e"] {
        let is_on_it = |line: &&&str| line.split_whitespace().nth(1) == Some(host);
        assert_eq!(listed.iter().filter(is_on_it).count(), 3, "{text}");
    }
    let text = run("ranks tree.nwk --processors 4294967295");
    assert!(
        text.contains("at most 4096 ranks are placed, not 21474836475"),
        "{text}"
    );
    let text = run("ranks tree.nwk --processors 4294967295 --traffic traffic.csv");
    assert!(
        text.contains("traffic times one-way latency in microseconds: 0.0;"),
        "{text}"
    );
}

#[test]
fn infer_draws_and_writes_the_tree() {
    let folder = env::temp_dir().join(format!("superstep-topology-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let path = |name: &str| folder.join(name).display().to_string();
    let (drawing, tree) = (path("tree.svg"), path("tree.json"));
    run(&format!(
        "infer --matrix round_trips.csv --svg {drawing} --out {tree}"
    ));
    let read = |path: &str| fs::read_to_string(path).unwrap();
    let (drawn, written) = (read(&drawing), read(&tree));
    let same = run(&format!("broadcast {tree}"));
    fs::remove_dir_all(&folder).unwrap();
    insta::assert_snapshot!("svg", drawn);
    assert_eq!(
        run("infer --matrix round_trips.csv --json"),
        format!("exit code 0\n{written}")
    );
    assert_eq!(same, run("broadcast tree.nwk"));
}

#[test]
fn uses_of_a_tree_are_listed() {
    let commands = ["levels", "broadcast", "bandwidth", "ranks"];
    let texts =
        commands.map(|command| format!("{command}: {}", run(&format!("{command} tree.nwk"))));
    insta::assert_snapshot!(texts.join("\n"));
}

#[test]
fn ranks_are_placed_for_traffic_and_written_for_mpirun() {
    let folder = env::temp_dir().join(format!("superstep-ranks-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let hosts = folder.join("hosts");
    let text = run(&format!(
        "ranks tree.nwk --traffic traffic.csv --hostfile {}",
        hosts.display()
    ));
    let file = fs::read_to_string(&hosts).unwrap();
    fs::remove_dir_all(&folder).unwrap();
    insta::assert_snapshot!("ranks", text);
    let listed = text.lines().skip(1).take(5);
    let listed: Vec<&str> = listed
        .map(|line| line.split_whitespace().nth(1).unwrap())
        .collect();
    assert_eq!(file.lines().collect::<Vec<_>>(), listed);
}

#[test]
fn bandwidths_are_asked_for_until_all_links_are_known() {
    let folder = env::temp_dir().join(format!("superstep-bandwidth-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let file = folder.join("mbits.csv");
    let path = file.display().to_string();
    let mut known = "# Mbit/s\n".to_owned();
    let mut asked = 0;
    let result = loop {
        fs::write(&file, &known).unwrap();
        let text = run(&format!("bandwidth tree.nwk --measured {path}"));
        let Some(pairs) = text.strip_prefix("exit code 0\nmeasure at once: ") else {
            break text;
        };
        for pair in pairs.trim().split(' ') {
            let (a, b) = pair.split_once('-').unwrap();
            // The link of host b is slow.
            let bandwidth = if [a, b].contains(&"b") { 100 } else { 1000 };
            known += &format!("{b}, {a}, {bandwidth}\n");
            asked += 1;
        }
        assert!(asked < 20, "{known}");
    };
    insta::assert_snapshot!("bandwidths", result);
    let json = run(&format!("bandwidth tree.nwk --measured {path} --json"));
    assert!(json.contains("\"broadcast\": 100.0"), "{json}");
    for (line, defect) in [
        (
            "a,b",
            "a line has two hosts and a bandwidth, with commas between",
        ),
        ("a,z,5", "`z` is no host, or the address of several"),
        ("a,a,5", "a bandwidth is one between two hosts"),
        (
            "a,b,-1",
            "`-1` is no bandwidth: a number above 0, in Mbit/s",
        ),
    ] {
        fs::write(&file, format!("\n{line}\n")).unwrap();
        let text = run(&format!("bandwidth tree.nwk --measured {path}"));
        assert_eq!(text, format!("exit code 1\nerror: {path}:2: {defect}\n\n"));
    }
    fs::remove_dir_all(&folder).unwrap();
    let missing = run(&format!("bandwidth tree.nwk --measured {path}"));
    assert!(
        missing.starts_with(&format!("exit code 1\nerror: {path}: ")),
        "{missing}"
    );
}

#[test]
fn wrong_files_are_refused() {
    let texts = [
        "infer --matrix asymmetric.csv",
        "infer --matrix bad.dot",
        "infer --matrix missing.csv",
        "infer --matrix round_trips.csv --spread asymmetric.csv",
        "broadcast round_trips.csv",
        "ranks missing.nwk",
        "ranks tree.nwk --traffic round_trips.csv --hostfile missing/hosts",
        "bandwidth diamond.json",
    ]
    .map(|arguments| format!("{arguments}: {}", run(arguments)));
    insta::assert_snapshot!(texts.join("\n"));
}
