//! `cargo superstep graph`: the task graph of a kernel as a file.

use std::path::PathBuf;

use clap::Args;
use superstep_dag_builder::contract::{ANY, contract};
use superstep_dag_builder::from_trace;

use crate::failure::Failure;
use crate::output;
use crate::programs::build::Build;
use crate::programs::traced::traced;
use crate::programs::{Filter, NoMatch};
use crate::progress::Progress;

/// Write the task graph of a kernel, for other schedulers and other machines
///
/// Tasks are assignments, or grains where the kernel marks some; temporaries are joined with what
/// reads them. Each has as much work as it has assignments. A value of a task has a word.
#[derive(Args)]
#[command(after_help = "Examples:
  cargo superstep graph lu --out lu.hdag
  cargo superstep schedule lu.hdag --machine machine.toml   how it would run on a cluster")]
pub(crate) struct Arguments {
    #[command(flatten)]
    filter: Filter,
    #[command(flatten)]
    build: Build,
    /// Graph file to write: HyperDAG if it ends in .hdag, DOT in .dot, Matrix Market in .mtx
    #[arg(long, short, value_name = "FILE", value_parser = graph_file)]
    out: PathBuf,
    /// Write each assignment as a task
    #[arg(long)]
    assignments: bool,
}

fn graph_file(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    let ending = path.extension().and_then(|ending| ending.to_str());
    match ending {
        Some("hdag" | "dot" | "mtx") => Ok(path),
        _ => Err("a graph file ends in .hdag, .dot or .mtx".to_owned()),
    }
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let kernels = arguments.build.kernels()?;
    let (kernel, program) = arguments.filter.fittest(&kernels).ok_or(NoMatch)?;
    let report = &kernel.report.programs[program];
    let progress = Progress::new();
    progress.stage("tracing");
    let traced = traced(kernel, &report.control)?;
    progress.stage("writing the graph");
    let assignments = from_trace(&traced.trace);
    let contracted = match arguments.assignments {
        true => None,
        false => contract(&traced.trace, &assignments, ANY),
    };
    let graph = contracted
        .as_ref()
        .map_or(&assignments, |contracted| contracted.graph());
    superstep_graphs::write(&arguments.out, graph)?;
    progress.finish();
    let (tasks, edges) = (graph.tasks(), graph.edges());
    let title = report.instance();
    output::write(&format!("{title}: {tasks} tasks, {edges} dependences\n"))
}
