//! `cargo superstep farm plan`: rounds of chunks for a divisible load.

use clap::Args;
use clap::builder::{PossibleValue, TypedValueParser};
use serde::Serialize;
use superstep_farm::{Algorithm, Platform, Rounds, search};

use super::platform::PlatformArguments;
use crate::{failure::Failure, output, values::one_of};

/// Plan in which rounds work that can be cut anywhere is sent to workers
#[derive(Args)]
pub(crate) struct Arguments {
    /// Units of work in all
    #[arg(long, short, allow_negative_numbers = true)]
    work: f64,
    #[command(flatten)]
    platform: PlatformArguments,
    /// How to look for rounds
    #[arg(long, default_value = "auto", value_parser = algorithms())]
    algorithm: Algorithm,
    /// Print the plan as JSON
    #[arg(long)]
    json: bool,
}

fn algorithms() -> impl TypedValueParser<Value = Algorithm> {
    one_of(&Algorithm::ALL, |each| PossibleValue::new(each.name()))
}

/// Rounds as they are printed, and as JSON has them. Times are in seconds, and workers are numbered
/// from 0 in the order of `--weights`.
#[derive(Serialize)]
struct Report {
    algorithm: &'static str,
    rounds: usize,
    /// Workers of a group; the last group may have fewer.
    group: usize,
    workers_used: usize,
    /// Chunks of each round, by group in the order of sending; groups without work are left out.
    chunks: Vec<Vec<Chunk>>,
    makespan: f64,
    /// Time that no plan can undercut; 0 without work.
    lower_bound: f64,
    /// Time on a network that costs nothing; 0 without work.
    limit: f64,
}

/// Chunks that are sent to the workers of a group at once: units of work of each.
#[derive(Serialize)]
struct Chunk {
    workers: Vec<usize>,
    work: Vec<f64>,
}

impl Report {
    fn new(platform: &Platform, work: f64, rounds: &Rounds) -> Self {
        let some = Some(work).filter(|&work| work > 0.0);
        Self {
            algorithm: rounds.algorithm.name(),
            rounds: rounds.count(),
            group: rounds.group,
            workers_used: rounds.workers(),
            chunks: (0..rounds.count())
                .map(|round| round_of(platform, rounds, round))
                .collect(),
            makespan: rounds.makespan,
            lower_bound: some.map_or(0.0, |work| platform.lower_bound(work, work)),
            limit: some.map_or(0.0, |work| platform.limit(work)),
        }
    }
}

fn round_of(platform: &Platform, rounds: &Rounds, round: usize) -> Vec<Chunk> {
    let groups = rounds.groups.groups().iter().zip(rounds.round(round));
    groups
        .filter(|(_, seconds)| *seconds > 0.0)
        .map(|(group, seconds)| {
            let workers = rounds.groups.order()[group.members.clone()].to_vec();
            let work = workers
                .iter()
                .map(|&worker| seconds * platform.speed_of(worker));
            Chunk {
                work: work.collect(),
                workers,
            }
        })
        .collect()
}

pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let platform = arguments.platform.platform()?;
    let rounds = search(&platform, arguments.work, arguments.algorithm)?;
    let report = Report::new(&platform, arguments.work, &rounds);
    output::print(&report, arguments.json, || text(&report))
}

fn text(report: &Report) -> String {
    let bound = report.lower_bound;
    let ratio = if bound > 0.0 {
        report.makespan / bound
    } else {
        1.0
    };
    let lines = [
        ("algorithm", report.algorithm.to_owned()),
        ("rounds", report.rounds.to_string()),
        ("group", report.group.to_string()),
        ("workers used", report.workers_used.to_string()),
        ("makespan", format!("{:.6}", report.makespan)),
        (
            "lower bound",
            format!("{:.6}  (makespan {ratio:.3} x)", report.lower_bound),
        ),
        ("limit", format!("{:.6}", report.limit)),
    ];
    let mut text = output::rows(lines);
    for (round, groups) in report.chunks.iter().enumerate() {
        let of = |pick: fn(f64, f64) -> f64, from: f64| {
            let work = groups.iter().flat_map(|group| &group.work);
            work.copied().fold(from, pick)
        };
        let (least, most) = (of(f64::min, f64::INFINITY), of(f64::max, 0.0));
        let name = format!("round {round}");
        let range = if least == most {
            format!("{least:.6}")
        } else {
            format!("{least:.6} to {most:.6}")
        };
        text += &output::rows([(name, format!("chunks of {range}"))]);
    }
    text
}
