//! `cargo superstep`: schedules, checks and shows task graphs from the command line.
//!
//! One file per command, with its errors; `output` prints text or JSON, `failure` turns
//! errors into messages and exit codes, `progress` shows what is going on, on a terminal.
//!
//! Exit codes:
//!
//! | code | meaning |
//! |---|---|
//! | 0 | done; also when whoever reads the output stops reading |
//! | 1 | an input is wrong (a file missing or malformed, a schedule not valid), or the output cannot be written |
//! | 2 | the command line is wrong |

mod check;
mod compare;
mod explain;
mod failure;
mod farm;
mod graph;
mod graph_file;
mod latency;
mod machine;
mod measure;
mod medians;
mod output;
mod paper;
mod plan;
mod probe;
mod programs;
mod progress;
mod report;
mod schedule;
mod topology;
mod traffic;
mod tree;
mod values;

use std::{env, process::ExitCode};

use clap::{Parser, Subcommand};

/// Bulk-synchronous schedules of task graphs, and the programs generated from them.
///
/// Exit codes: 0 done, 1 an input is wrong (a file missing or malformed, a schedule not valid), 2
/// the command line is wrong.
#[derive(Parser)]
#[command(name = "cargo-superstep", bin_name = "cargo superstep", version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Schedule(schedule::Arguments),
    Check(check::Arguments),
    Compare(Box<compare::Arguments>),
    Report(Box<report::Arguments>),
    Explain(Box<explain::Arguments>),
    Graph(graph::Arguments),
    Probe(probe::Arguments),
    Tree(tree::Arguments),
    Latency(latency::Arguments),
    Measure(measure::Arguments),
    Medians(medians::Arguments),
    Topology(topology::Arguments),
    Farm(farm::Arguments),
    Plan(plan::Arguments),
    Paper(paper::Arguments),
}

fn main() -> ExitCode {
    // Cargo passes its subcommand's name on: `cargo-superstep superstep schedule ...`.
    let called_by_cargo = env::args_os()
        .nth(1)
        .is_some_and(|argument| argument == "superstep");
    let arguments = env::args_os()
        .take(1)
        .chain(env::args_os().skip(1 + usize::from(called_by_cargo)));
    let done = match Cli::parse_from(arguments).command {
        Command::Schedule(arguments) => schedule::run(&arguments),
        Command::Check(arguments) => check::run(&arguments),
        Command::Compare(arguments) => compare::run(&arguments),
        Command::Report(arguments) => report::run(&arguments),
        Command::Explain(arguments) => explain::run(&arguments),
        Command::Graph(arguments) => graph::run(&arguments),
        Command::Probe(arguments) => probe::run(&arguments),
        Command::Tree(arguments) => tree::run(&arguments),
        Command::Latency(arguments) => latency::run(&arguments),
        Command::Measure(arguments) => measure::run(&arguments),
        Command::Medians(arguments) => medians::run(&arguments),
        Command::Topology(arguments) => topology::run(&arguments),
        Command::Farm(arguments) => farm::run(&arguments),
        Command::Plan(arguments) => plan::run(&arguments),
        Command::Paper(arguments) => paper::run(&arguments),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure::report(failure),
    }
}
