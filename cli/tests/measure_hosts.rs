//! `cargo superstep measure` over servers on the loopback device. Their journals have the round
//! trips of a tree: those of the device are all noise.

mod servers;

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

use superstep_network::{Cluster, MachineFile, topology::Tree};

use self::servers::{Servers, temporary, text};

const HOSTS: usize = 4;
const TREE: &str = "(h0:40,h1:40,(h2:40,h3:40):300);";

/// Rounds that are asked for.
const SAMPLES: usize = 5;

/// Servers, and a journal of them.
struct Survey {
    servers: Servers,
    out: PathBuf,
    journal: String,
}

impl Survey {
    /// Starts servers; their journal has the round trips of all pairs.
    fn new(test: &str) -> Self {
        let superstep = || Command::new(env!("CARGO_BIN_EXE_cargo-superstep"));
        let at = (0..HOSTS).map(|_| (superstep(), "127.0.0.1:0".to_owned()));
        let servers = Servers::start(test, at.collect());
        let tree: Tree = TREE.parse().unwrap();
        let mut journal = "superstep survey 1\n".to_owned();
        for (host, address) in servers.addresses.iter().enumerate() {
            journal += &format!("host h{host} {address}\n");
        }
        for (a, b) in pairs() {
            let round_trip = 2e3 * tree.distance(a as u32, b as u32);
            journal += &format!("pair h{a} h{b} {round_trip} 100\n");
        }
        let out = temporary(&format!("{test}.toml"));
        Self {
            servers,
            out,
            journal,
        }
    }

    /// Adds rounds from all hosts to all others: the n-th takes as many microseconds more.
    fn with_rounds(mut self) -> Self {
        for (round, from) in
            (0..SAMPLES).flat_map(|round| (0..HOSTS).map(move |from| (round, from)))
        {
            let pings = (0..HOSTS).filter(|&to| to != from);
            let pings = pings.map(|to| format!(" h{to}={}", 1_000 * (100 + 10 * to + round)));
            self.journal += &format!("round h{from}{}\n", pings.collect::<String>());
        }
        self
    }

    fn part(&self) -> PathBuf {
        format!("{}.part", self.out.display()).into()
    }

    /// Measures what is not in the journal.
    fn measure(&self, more: &[&str]) -> Output {
        fs::write(self.part(), &self.journal).unwrap();
        let out = self.out.to_str().unwrap();
        let samples = SAMPLES.to_string();
        let arguments = [
            "measure",
            "--task",
            "2",
            "--samples",
            &samples,
            "--stream",
            "0.05",
            "--out",
            out,
        ];
        let superstep = Command::new(env!("CARGO_BIN_EXE_cargo-superstep"));
        self.servers
            .measure(superstep, &[&arguments[..], more].concat())
    }

    /// Measures, and returns the cluster; beside the note of going on nothing is said.
    fn cluster(&self, more: &[&str]) -> Cluster {
        let output = self.measure(more);
        let errors = text(&output.stderr);
        assert!(output.status.success(), "{errors}");
        assert!(
            errors.starts_with("note: going on with what ") && errors.lines().count() == 1,
            "{errors}"
        );
        assert!(!self.part().exists());
        Cluster::read(&self.out).unwrap()
    }
}

/// Returns all pairs, both ways.
fn pairs() -> impl Iterator<Item = (usize, usize)> {
    let pairs = (0..HOSTS).flat_map(|a| (0..HOSTS).map(move |b| (a, b)));
    pairs.filter(|(a, b)| a != b)
}

#[test]
fn what_a_journal_has_is_not_measured_again() {
    let mut survey = Survey::new("known").with_rounds();
    for (a, b) in pairs() {
        // 50 Mbit/s.
        survey.journal += &format!("stream h{a} h{b} 6250000 1000000000 95000\n");
    }
    let cluster = survey.cluster(&[]);
    assert_eq!(cluster.tree().newick(), TREE);
    assert!(cluster.bandwidths()[1..].iter().all(|&mbits| mbits == 50.0));
    assert_eq!(cluster.setup(), Some(95.0));
    let machine = fs::read_to_string(&survey.out).unwrap();
    let to_h1 = "between = [0, 1]\nsamples = [110.000, 111.000, 112.000, 113.000, 114.000]";
    assert!(machine.contains(to_h1), "{machine}");
    // Two levels, of which each has its samples.
    let file = MachineFile::read(&survey.out).unwrap();
    assert_eq!(file.machine(0.5).levels.len(), 1);
    assert_eq!(file.processors(), 4);
}

#[test]
fn bandwidths_that_are_given_are_not_measured() {
    let survey = Survey::new("given").with_rounds();
    let given = temporary("given.csv");
    let lines = pairs().map(|(a, b)| format!("h{a},h{b},75\n"));
    fs::write(&given, lines.collect::<String>()).unwrap();
    let cluster = survey.cluster(&["--processors", "3", "--bandwidths", given.to_str().unwrap()]);
    assert!(cluster.bandwidths()[1..].iter().all(|&mbits| mbits == 75.0));
    assert_eq!((cluster.setup(), cluster.processors()), (None, 3));
    // A boundary waits for as long as with one processor of each host.
    let latency = |each: &str| {
        survey.cluster(&[
            "--processors",
            each,
            "--bandwidths",
            given.to_str().unwrap(),
        ]);
        MachineFile::read(&survey.out).unwrap().machine(0.9).latency
    };
    let (one, four) = (latency("1"), latency("4"));
    assert!((one / four - 1.0).abs() < 1e-9, "{one} {four}");
    let mut plan = Command::new(env!("CARGO_BIN_EXE_cargo-superstep"));
    plan.args(["farm", "plan", "--work", "100", "--unit", "8", "--machine"]);
    let refused = plan.arg(&survey.out).output().unwrap();
    let told = "error: the machine file has no `setup` of connections: give it by --nlat";
    assert_eq!(text(&refused.stderr).trim_end(), told);
    // The addresses are one.
    fs::write(&given, "127.0.0.1,h2,75\n").unwrap();
    let output = survey.measure(&["--bandwidths", given.to_str().unwrap()]);
    assert!(text(&output.stderr).contains("`127.0.0.1` is no host, or the address of several"));
}

#[test]
fn the_rest_is_measured_from_host_to_host() {
    let survey = Survey::new("rest");
    let cluster = survey.cluster(&["--at-a-time", "1"]);
    assert_eq!(cluster.tree().newick(), TREE);
    assert!(
        cluster.bandwidths()[1..]
            .iter()
            .all(|&mbits| mbits > 1.0 && mbits.is_finite())
    );
    assert!(cluster.setup() > Some(0.0));
    let machine = fs::read_to_string(&survey.out).unwrap();
    let samples = machine.lines().filter(|line| line.starts_with("samples"));
    assert!(
        samples
            .clone()
            .all(|line| line.split(',').count() == SAMPLES),
        "{machine}"
    );
    assert_eq!(
        samples.count(),
        4,
        "three from one host, and one in the other group"
    );
}

#[test]
fn a_host_that_is_lost_is_left_out() {
    let mut survey = Survey::new("without").with_rounds();
    drop(survey.servers.processes.remove(2));
    let output = survey.measure(&[]);
    let errors = text(&output.stderr);
    assert!(output.status.success(), "{errors}");
    assert_eq!(errors.matches("; it is left out").count(), 1, "{errors}");
    assert!(errors.contains("warning: host h2 at "), "{errors}");
    let cluster = Cluster::read(&survey.out).unwrap();
    assert_eq!(cluster.tree().names(), ["h0", "h1", "h3"]);
}

#[test]
fn what_cannot_be_measured_is_refused_before() {
    let mut survey = Survey::new("refused");
    for (arguments, told) in [
        (["--ratio", "nan"], "above 0"),
        (["--host-latency", "nan"], "at least 0"),
        (
            ["--processors", "20000"],
            "4 hosts of 20000 processors have more than 65536 in all",
        ),
        (["--bandwidths", "none.csv"], "none.csv: "),
    ] {
        let output = survey.measure(&arguments);
        let errors = text(&output.stderr);
        assert!(
            !output.status.success() && errors.contains(told),
            "{errors}"
        );
        assert_eq!(fs::read_to_string(survey.part()).unwrap(), survey.journal);
    }
    // A file of somebody else stays.
    survey.journal = "half a download".to_owned();
    let output = survey.measure(&[]);
    assert!(text(&output.stderr).contains(".part:1: no line of an interrupted survey"));
    assert_eq!(fs::read_to_string(survey.part()).unwrap(), survey.journal);
    assert!(!Path::new(&survey.out).exists());
}
