//! Machine file of what was measured: its text, with warnings as comments. Builds read it, and
//! schedules.

use std::fmt::Write;
use std::path;

use superstep_machine::MachineFileError;
use superstep_machine::file::MOST;
use superstep_network::with_medians;

use crate::measure::Measured;

/// Bytes of a sample in the file, at most: `1234567890.0, `.
const SAMPLE: usize = 14;

/// Returns the text of the machine file, with the medians of its levels' latencies, which builds
/// take. `task` is the nanoseconds of a task of weight 1, `path` what errors call the file.
///
/// # Errors
/// When the file would be longer than machine files may be, or a value is out of range.
pub(crate) fn text(
    measured: &Measured,
    task: f64,
    path: &path::Path,
) -> Result<String, MachineFileError> {
    let gap = measured.word(|_| true);
    let mut text = format!(
        "# {} ranks, measured by `superstep-probe`.\n{}\
         processors = {0}\n\
         # A word of 64 bits that each rank sends to others, in tasks.\n\
         gap = {:?}\n\
         # Nanoseconds of a task of weight 1.\n\
         task = {task:?}\n\
         unit = \"ns\"\n",
        measured.hosts.len(),
        measured.warnings(),
        gap / task,
    );
    if let Some(groups) = groups(&measured.hosts) {
        let inner = measured.word(|[a, b]| groups[a] == groups[b]);
        let part = if gap > 0.0 { inner / gap } else { 1.0 };
        // Writing to a string does not fail, here and below.
        let _ = write!(
            text,
            "\n# Ranks of one host.\n[[levels]]\ngroups = {groups:?}\ngap = {part:?}\n"
        );
    }
    // Samples have half of the bytes that the file may have.
    let most = (MOST / 2 / SAMPLE / measured.paths.len().max(1)).max(1);
    for path in &measured.paths {
        let between = path.between;
        // A coarse clock may tell a time of 0, which machine files refuse: at least 1 ns.
        let samples: Vec<f64> = path
            .round_trips
            .iter()
            .step_by(path.round_trips.len().div_ceil(most).max(1))
            .map(|time| time.round().max(1.0))
            .collect();
        let _ = write!(
            text,
            "\n[[paths]]\nbetween = {between:?}\nsamples = {samples:?}\n"
        );
    }
    let _ = write!(text, "\n{}", measured.ranks.to_toml());
    with_medians(&text, path)
}

impl Measured {
    /// Returns the nanoseconds of a word on the slowest path between ranks of which `is_between`
    /// holds; 0 if there is none.
    fn word(&self, is_between: impl Fn([usize; 2]) -> bool) -> f64 {
        let paths = self.paths.iter().filter(|path| is_between(path.between));
        paths.map(|path| path.word).fold(0.0, f64::max)
    }

    /// Returns what makes its times doubtful, in comments.
    fn warnings(&self) -> String {
        let mut warnings = String::new();
        if cfg!(debug_assertions) {
            warnings += "# WARNING: measured by a debug build, whose messages take longer.\n";
        }
        if self.is_crowded {
            warnings +=
                "# WARNING: measured by more ranks than cores, which wait for each other's.\n";
        }
        warnings
    }
}

/// Returns the group of each rank, which is the first rank of its host. `None` if all ranks are on
/// one host, or each on its own: there is no level of hosts then.
fn groups(hosts: &[String]) -> Option<Vec<usize>> {
    let first = |host: &String| hosts.iter().position(|other| other == host).unwrap_or(0);
    let groups: Vec<usize> = hosts.iter().map(first).collect();
    let is_one = groups.iter().all(|&group| group == 0);
    let is_each = groups
        .iter()
        .enumerate()
        .all(|(rank, &group)| rank == group);
    (!is_one && !is_each).then_some(groups)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use superstep_machine::{Machine, RankTimes};
    use superstep_network::MachineFile;

    use super::*;
    use crate::measure;

    #[test]
    fn what_was_measured_is_read_by_builds_and_schedules() {
        let path = |between, trip: f64, word| measure::Path {
            between,
            round_trips: vec![trip; 9],
            word,
        };
        let ranks = RankTimes {
            call: 3e4,
            one_way: vec![(1, 1e4), (4096, 3e4)],
            barrier: vec![(2, 1e4)],
            all_to_all: vec![(2, 1, 1e4)],
        };
        let mut measured = Measured {
            hosts: ["a", "b", "a", "b"].map(String::from).to_vec(),
            paths: vec![
                path([0, 1], 2e4, 4.0),
                path([0, 2], 1e3, 1.0),
                path([0, 3], 2e4, 5.0),
                path([1, 3], 2e3, 2.0),
            ],
            ranks: ranks.clone(),
            is_crowded: true,
        };
        let name = Path::new("m.toml");
        let found = text(&measured, 2.0, name).expect("it is valid");
        let machine = Machine::from_toml(&found, name).expect("builds read it");
        assert_eq!((machine.processors, machine.gap), (4, 2.5));
        assert!((machine.latency - 1e4).abs() < 1.0, "{}", machine.latency);
        assert_eq!(machine.levels[0].groups, [0, 1, 0, 1]);
        assert_eq!(machine.levels[0].gap, 0.4);
        assert!((machine.latency_of(0) - 1e3).abs() < 1.0, "{machine}");
        let file = MachineFile::from_toml(&found, name).expect("schedules read it");
        assert_eq!(file.machine(0.5), machine);
        assert_eq!(
            RankTimes::from_toml(&found, name).expect("valid"),
            Some(ranks)
        );
        assert!(found.contains("more ranks than cores"));
        measured.hosts = ["a"; 4].map(String::from).to_vec();
        let flat = text(&measured, 2.0, name).expect("it is valid");
        let flat = Machine::from_toml(&flat, name).expect("builds read it");
        assert!(flat.levels.is_empty());
        // Hundreds of ranks have fewer round trips each, so that the file can be read.
        measured.hosts = (0..400).map(|rank| format!("host{rank}")).collect();
        let others = 1..measured.hosts.len();
        measured.paths = others
            .map(|rank| measure::Path {
                round_trips: (0..101).map(|trip| 1e7 + f64::from(trip)).collect(),
                ..path([0, rank], 0.0, 1.0)
            })
            .collect();
        let large = text(&measured, 2.0, name).expect("it fits");
        assert!(MachineFile::from_toml(&large, name).is_ok());
    }
}
