//! `cargo superstep measure`: everything about a cluster that a machine file has.

use std::{
    collections::BTreeMap,
    fmt::Write,
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use clap::Args;
use superstep_files::replace;
use superstep_machine::Machine;
use superstep_network::survey::{Event, Journal, Processors, Request, Survey, survey};
use superstep_network::topology::{Hosts, bandwidth, levels, tcp::Host};

use crate::failure::{Failure, in_file};
use crate::output;
use crate::progress::Progress;
use crate::topology::{doubts, hosts};
use crate::values::{at_least_0, number, positive};

/// Measure a cluster into a machine file, for builds, schedules, farms and ranks
///
/// First the tree of its hosts, then latencies with samples, then the bandwidths of all links, by
/// streams between hosts. What is measured stands in FILE.part until all is; interrupted, the same
/// command goes on from there. Hosts that fail are told and left out.
#[derive(Args)]
#[command(after_help = "Examples:
  cargo superstep measure --hosts hosts --token-file token --task 2 --out machine.toml
  cargo superstep schedule graph.hdag --machine machine.toml   a schedule for that cluster
  cargo superstep farm plan --machine machine.toml ...         rounds of a farm on its hosts
  cargo superstep topology ranks machine.toml                  which rank on which host")]
pub(crate) struct Arguments {
    #[command(flatten)]
    hosts: hosts::Arguments,
    /// Machine file to write
    #[arg(long, short, value_name = "FILE")]
    out: PathBuf,
    /// Nanoseconds of a task of weight 1
    #[arg(long, value_name = "NS", value_parser = positive)]
    task: f64,
    /// Processors of each host
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    processors: u32,
    /// Microseconds of a boundary inside a host: with several processors
    #[arg(long, value_name = "US", default_value_t = 0.2, value_parser = at_least_0)]
    host_latency: f64,
    /// Nanoseconds of a word between processors of a host: with several processors
    #[arg(long, value_name = "NS", default_value_t = 1.0, value_parser = at_least_0)]
    host_word: f64,
    /// Samples of each path: rounds of pings
    #[arg(long, value_name = "N", default_value_t = 300, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    samples: u32,
    /// Time from one round of pings to the next; without it they follow each other at once
    #[arg(long, value_name = "SECONDS", value_parser = hosts::seconds)]
    every: Option<f64>,
    /// Time for which each stream is counted
    #[arg(long, value_name = "SECONDS", default_value_t = 1.0, value_parser = stream)]
    stream: f64,
    /// Bandwidths that are known, in Mbit/s: a line `HOST,HOST,BANDWIDTH` for each pair, or what
    /// `iperf3 --json` has printed; pairs that are missing are measured
    #[arg(long, value_name = "FILE")]
    bandwidths: Vec<PathBuf>,
    /// Most pairs that are measured at a time. Take few where hosts share a machine, and disturb
    /// each other [default: as many as have no host in common]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    at_a_time: Option<u32>,
    /// Decides the order in which hosts are added
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Ratio of two latencies from which on they are different levels
    #[arg(long, default_value_t = levels::RATIO, value_parser = positive)]
    ratio: f64,
}

/// Parses the time of a stream.
fn stream(text: &str) -> Result<f64, String> {
    let fits = |seconds| (0.01..=60.0).contains(&seconds);
    number(text, fits, "a stream takes from 0.01 to 60 seconds")
}

/// An error: more processors than machines have.
#[derive(Debug, thiserror::Error)]
#[error("{hosts} hosts of {each} processors have more than {most} in all", most = Hosts::MOST)]
struct TooManyProcessors {
    hosts: usize,
    each: u32,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let hosts = arguments.hosts.list()?;
    let request = arguments.request(&hosts)?;
    let part = part_of(&arguments.out);
    let mut journal = Journal::open(&part, &hosts)?;
    if !journal.is_new() {
        hosts::note(&format!("going on with what {} has", part.display()));
    }
    let names: Vec<String> = hosts.iter().map(|host| host.name.clone()).collect();
    let mut probe = arguments.hosts.connect_to(hosts)?;
    if let Some(most) = arguments.at_a_time {
        probe = probe.with_most(most as usize);
    }
    for error in probe.lost() {
        left_out(error.to_string());
    }
    let progress = Progress::new();
    let mut watch = |event: Event<'_>| show(&progress, &event);
    let found = survey(&mut probe, &names, &mut journal, &request, &mut watch);
    progress.finish();
    let survey = found?;
    let inference = &survey.inference;
    doubts::warn(inference, &inference.measurements, &survey.names);
    replace(&arguments.out, &survey.machine).map_err(in_file(&arguments.out))?;
    drop(journal);
    fs::remove_file(&part).map_err(in_file(&part))?;
    let machine = Machine::from_toml(&survey.machine, &arguments.out)?;
    output::write(&text(&survey, &machine, arguments))
}

/// Returns the name of the journal of a machine file.
fn part_of(out: &Path) -> PathBuf {
    let mut name = out.as_os_str().to_owned();
    name.push(".part");
    name.into()
}

impl Arguments {
    fn request(&self, hosts: &[Host]) -> Result<Request, Failure> {
        let number = |name: &str| {
            let is_called = |host: &Host| host.name == name;
            let is_at = |host: &Host| host.address.ip().to_string() == name;
            let named = hosts.iter().position(is_called);
            let mut there = (0..hosts.len()).filter(|&host| is_at(&hosts[host]));
            // An address that several have is that of none.
            named.or_else(|| there.next().filter(|_| there.next().is_none()))
        };
        if hosts.len() as u64 * u64::from(self.processors) > u64::from(Hosts::MOST) {
            let (hosts, each) = (hosts.len(), self.processors);
            return Err(TooManyProcessors { hosts, each }.into());
        }
        let mut known = BTreeMap::new();
        for path in &self.bandwidths {
            let number = |name: &str| number(name).map(|host| host as u32);
            known.extend(bandwidth::read(path, number)?);
        }
        let pair = |((a, b), mbits): ((u32, u32), f64)| ((a as usize, b as usize), mbits);
        Ok(Request {
            seed: self.seed,
            rounds: self.samples,
            every: Duration::from_secs_f64(self.every.unwrap_or(0.0)),
            stream: Duration::from_secs_f64(self.stream),
            ratio: self.ratio,
            processors: Processors {
                each: self.processors,
                task: self.task,
                latency: self.host_latency,
                word: self.host_word,
            },
            known: known.into_iter().map(pair).collect(),
        })
    }
}

/// Shows an event, and warns of those that change what is measured.
fn show(progress: &Progress, event: &Event<'_>) {
    match event {
        Event::Pairs(pairs) => progress.say(format!("tree: {pairs} pairs")),
        Event::Rounds(done, all) => progress.say(format!("latencies: {done} of {all} rounds")),
        Event::Streams(done) => progress.say(format!("bandwidths: {done} streams")),
        Event::Lost(error) => left_out(error.to_string()),
        Event::Contradiction(contradiction) => left_out(contradiction.to_string()),
        Event::Fewer(rounds, asked) => hosts::warn(&format!(
            "{rounds} samples of each path are taken, not {asked}: a machine file has no room for more"
        )),
        Event::Late(late) => hosts::warn(late),
    }
}

fn left_out(reason: String) {
    hosts::warn(&format!("{reason}; it is left out"));
}

/// Returns the tree, the latencies of its levels and the bandwidths of its links as text.
fn text(survey: &Survey, machine: &Machine, arguments: &Arguments) -> String {
    let mut text = survey.tree.drawing();
    let tree = &survey.tree;
    // Writing to a string does not fail.
    let _ = writeln!(
        text,
        "\n{} hosts; one-way latencies in microseconds",
        tree.hosts()
    );
    let parts = machine
        .levels
        .iter()
        .map(|level| (level.latency, level.gap));
    for (at, (latency, gap)) in parts.chain([(1.0, 1.0)]).enumerate() {
        let name = match machine.levels.len() - at {
            0 => "whole machine".to_owned(),
            _ => format!("level {}", at + 1),
        };
        let boundary = latency * machine.latency * arguments.task / 1e3;
        let word = gap * machine.gap * arguments.task;
        let _ = writeln!(
            text,
            "{name:<18}a boundary in {boundary:.1} us (median), a word in {word:.1} ns"
        );
    }
    for (link, hosts) in tree.splits() {
        let mbits = survey.bandwidths.links[link as usize];
        let names: Vec<&str> = hosts
            .iter()
            .map(|&host| &*tree.names()[host as usize])
            .collect();
        let _ = writeln!(text, "{mbits:>10.1} Mbit/s  {}", names.join(" "));
    }
    text
}
