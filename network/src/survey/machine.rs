//! Machine files of surveys.

use std::{fmt::Write, path::Path};

use superstep_machine::{InvalidValue, file::MOST};

use super::{SurveyError, stars::Star};
use crate::{
    Cluster,
    topology::{
        Bandwidths, Hosts, Partition, Tree,
        broadcast::{self, WORD},
    },
    with_medians,
};

/// Facts about the processors of the hosts that a survey does not measure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Processors {
    /// Processors of each host, at least 1.
    pub each: u32,
    /// Nanoseconds of a task of weight 1.
    pub task: f64,
    /// Latency of a boundary inside a host, in microseconds.
    pub latency: f64,
    /// Nanoseconds of a word between processors of a host.
    pub word: f64,
}

/// Measurements of a survey.
pub(super) struct Measured<'a> {
    pub(super) tree: &'a Tree,
    pub(super) levels: &'a [Partition],
    pub(super) stars: &'a [Star],
    /// Round trips in microseconds, by star, path and round.
    pub(super) samples: Vec<Vec<Vec<f64>>>,
    pub(super) bandwidths: Bandwidths,
    /// Microseconds in which a connection is opened, where there were any.
    pub(super) setup: Option<f64>,
}

/// Bytes of a sample in a machine file, with what is between: `1234567.890, `.
const SAMPLE: usize = 13;

/// Bytes of medians, setup and the bandwidth of a link, which are not known before they are
/// measured.
const UNKNOWN: usize = 64;

/// Returns the number of samples of each path that a machine file has room for, by what else it
/// has; `None` if there is none.
pub(super) fn room(
    measured: &Measured<'_>,
    processors: &Processors,
) -> Result<Option<usize>, InvalidValue> {
    let paths: usize = measured.stars.iter().map(|star| star.others.len()).sum();
    let links = measured.tree.preorder().len();
    let names = measured.tree.splits().map(|(_, behind)| {
        let names = behind
            .iter()
            .map(|&host| measured.tree.names()[host as usize].len() + 4);
        names.sum::<usize>()
    });
    let levels = measured.levels.len() + 16;
    let others =
        measured.text(processors)?.len() + UNKNOWN * (links + levels) + names.sum::<usize>();
    let rounds = MOST.saturating_sub(others) / (SAMPLE * paths.max(1));
    Ok(Some(rounds).filter(|&rounds| rounds > 0))
}

impl Measured<'_> {
    /// Returns the text of the machine file, with its medians.
    pub(super) fn machine_file(&self, processors: &Processors) -> Result<String, SurveyError> {
        let text = self.text(processors)?;
        Ok(with_medians(&text, Path::new("the machine file"))?)
    }

    /// Returns the text of the machine file, without medians.
    fn text(&self, processors: &Processors) -> Result<String, InvalidValue> {
        InvalidValue::first(&[("word", processors.word), ("latency", processors.latency)])?;
        let hosts = Hosts {
            processors: processors.each,
            latency: 0.0,
            task: processors.task,
            gap: 1.0,
        };
        // Latencies are in the paths.
        let machine = hosts.machine_of(self.tree, self.levels)?;
        let gaps = self.gaps(processors);
        let (whole, inner) = gaps
            .split_last()
            .map_or((0.0, &[][..]), |(last, rest)| (*last, rest));
        let mut text = format!(
            "# A cluster of {} hosts, measured by `cargo superstep measure`.\n\
             processors = {}\n\
             # A word of 64 bits that each processor sends to others, in tasks.\n\
             gap = {:?}\n\
             # Nanoseconds of a task of weight 1.\n\
             task = {:?}\n\
             unit = \"us\"\n",
            self.tree.hosts(),
            machine.processors,
            whole / processors.task,
            processors.task
        );
        for (level, gap) in machine.levels.iter().zip(inner) {
            let groups = &level.groups;
            let gap = if whole > 0.0 { gap / whole } else { 1.0 };
            // Writing to a string does not fail, here and below.
            let _ = write!(text, "\n[[levels]]\ngroups = {groups:?}\ngap = {gap:?}\n");
        }
        self.write_paths(processors, &mut text);
        let thousandths = |mbits: &f64| (1e3 * mbits).round().max(1.0) / 1e3;
        let bandwidths: Vec<f64> = self.bandwidths.links.iter().map(thousandths).collect();
        let cluster = Cluster::new(self.tree.clone(), processors.each, self.setup, &bandwidths);
        let _ = write!(text, "\n{}", cluster.to_toml());
        Ok(text)
    }

    /// Writes the paths: inside each host one, and those of the stars between first processors.
    fn write_paths(&self, processors: &Processors, text: &mut String) {
        let each = processors.each;
        if each > 1 {
            for host in 0..self.tree.hosts() as u32 {
                let (first, latency) = (host * each, processors.latency);
                let _ = write!(
                    text,
                    "\n[[paths]]\nbetween = [{first}, {}]\nlatency = {{ constant = {{ value = {latency:?} }} }}\n",
                    first + 1
                );
            }
        }
        for (at, star) in self.stars.iter().enumerate() {
            let of_star = self.samples.get(at).map_or(&[][..], Vec::as_slice);
            for (at, other) in star.others.iter().enumerate() {
                let (from, to) = (star.middle * each, other * each);
                let samples = of_star.get(at).into_iter().flatten();
                let samples: Vec<String> = samples.map(|time| format!("{time:.3}")).collect();
                let samples = samples.join(", ");
                let _ = write!(
                    text,
                    "\n[[paths]]\nbetween = [{from}, {to}]\nsamples = [{samples}]\n"
                );
            }
        }
    }

    /// Returns the nanoseconds of a word in each level, the whole machine last: each processor of a
    /// group sends one to every other. No group is slower than the one around it.
    fn gaps(&self, processors: &Processors) -> Vec<f64> {
        let each = f64::from(processors.each);
        let of_level = |level: &Partition| {
            let groups = 0..level.count() as u32;
            let word = groups.map(|group| {
                let is_in = |host: &u32| level.groups[*host as usize] == group;
                let hosts: Vec<u32> = (0..self.tree.hosts() as u32).filter(is_in).collect();
                let links = &self.bandwidths.links;
                // Bits over Mbit/s are microseconds.
                let exchange = 1e3 * broadcast::among(self.tree, links, &hosts, WORD).time;
                let others = (hosts.len() as f64 * each - 1.0).max(1.0);
                each * each * exchange / others
            });
            word.fold(0.0, f64::max)
        };
        let mut gaps: Vec<f64> = self.levels.iter().map(of_level).collect();
        if processors.each > 1 {
            gaps.insert(0, processors.word);
        }
        let mut most = f64::INFINITY;
        for gap in gaps.iter_mut().rev() {
            most = most.min(*gap);
            *gap = most;
        }
        gaps
    }
}
