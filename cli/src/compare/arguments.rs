//! Arguments of comparisons, and which of them exclude each other. Doc comments are the help that
//! users read.

use std::path::PathBuf;

use clap::Args;
use superstep_schedule::Schedule;
use superstep_scheduler::{Algorithm, Effort};

use super::error::CompareError;
use crate::failure::Failure;
use crate::machine::Stated;
use crate::programs::build::Build;
use crate::schedule::{algorithms, efforts};

/// Compare schedules of a task graph, programs that a crate's build script generated, two plans,
/// or two recorded runs
///
/// With --graph: what each algorithm makes of the graph, for each number of processors and each
/// machine file. Else the programs of the crate here, all of one choice of control arguments in one
/// table. Where that leaves two programs, or two recorded runs are given, also how they differ.
/// They are compared by the time of each statement, and by which tasks run on another processor or
/// in another superstep. Two runs of one program are also compared by which supersteps took longer.
/// Two files of plans, and two recorded runs of plans or farms, need no crate.
#[derive(Args)]
#[command(after_help = "Examples:
  cargo superstep compare --graph g.hdag -P 2,4,8               all algorithms that serve the graph
  cargo superstep compare --graph g.hdag -a levels,etf --machine a.toml --machine b.toml
  cargo superstep compare lu                                    all programs of kernel lu
  cargo superstep compare lu --control \"n = 256\" -P 4 -P 8      two of them in detail
  cargo superstep compare a.timeline b.timeline --html ab.html  two recorded runs, as a page
  cargo superstep compare a.plan b.plan --matrix a.mtx          two plans of one matrix")]
pub(crate) struct Arguments {
    /// Only programs of this kernel; or two recorded runs, as `superstep::last_timeline()` writes
    /// them; or two plans, as `plan.save(FILE)` does
    #[arg(value_name = "KERNEL | FILE FILE", num_args = 0..=2)]
    pub(super) what: Vec<String>,
    /// Numbers of processors: repeated, or separated by commas [default: those of all programs; of
    /// a graph 2, 4, 8, or all of a machine file]
    #[arg(short = 'P', long, value_name = "P", value_delimiter = ',', value_parser = clap::value_parser!(u32).range(1..=i64::from(Schedule::MOST_PROCESSORS)))]
    pub(super) processors: Vec<u32>,
    /// Only programs whose control arguments contain this text, such as "n = 128"
    #[arg(long, value_name = "TEXT")]
    pub(super) control: Option<String>,
    #[command(flatten)]
    pub(super) build: Build,
    /// Compare schedules of this task graph: .hdag, .dot or .mtx
    #[arg(long, value_name = "FILE", conflicts_with_all = ["what", "control", "package", "manifest_path", "html"])]
    pub(super) graph: Option<PathBuf>,
    /// Who schedules the graph, separated by commas [default: all that serve it]
    #[arg(long, short, value_name = "NAMES", value_delimiter = ',', requires = "graph", value_parser = algorithms())]
    pub(super) algorithms: Vec<Algorithm>,
    /// How much the algorithms try [default: balanced]
    #[arg(long, short, value_parser = efforts())]
    pub(super) effort: Option<Effort>,
    /// Machine file: costs, levels of a hierarchy, measured latencies; may be given several times
    #[arg(long, value_name = "FILE", requires = "graph", conflicts_with_all = ["tau", "g", "latency"])]
    pub(super) machine: Vec<PathBuf>,
    #[command(flatten)]
    pub(super) stated: Stated,
    /// Matrix Market file that two plans were made for, of a kernel of `cargo superstep plan`. Its
    /// pattern tells when chunks are predicted to run, and which words cross
    #[arg(long, value_name = "FILE", requires = "what", conflicts_with_all = ["graph", "processors", "control", "package", "manifest_path"])]
    pub(super) matrix: Option<PathBuf>,
    /// Write a page that shows two programs, plans or runs one under the other
    #[arg(long, value_name = "FILE")]
    pub(super) html: Option<PathBuf>,
    /// Note that the page carries
    #[arg(long, value_name = "TEXT")]
    pub(super) memo: Option<String>,
    /// Print JSON
    #[arg(long)]
    pub(super) json: bool,
}

impl Arguments {
    /// Refuses options that say nothing of what is compared, whatever the files have.
    pub(super) fn check(&self) -> Result<(), Failure> {
        let effort = self.effort.map(|_| "--effort");
        let of_schedules = effort.or(self.stated.option());
        if let (Some(option), None) = (of_schedules, &self.graph) {
            let of = "schedules of a task graph: --graph";
            return Err(CompareError::idle(option, of));
        }
        if self.memo.is_some() && self.html.is_none() {
            return Err(CompareError::idle("--memo", "a page: --html"));
        }
        Ok(())
    }

    /// Returns the first option that chooses among programs, if any does.
    pub(super) fn choice(&self) -> Option<&'static str> {
        match (&self.processors[..], &self.control) {
            ([], None) => None,
            ([], Some(_)) => Some("--control"),
            _ => Some("-P"),
        }
    }
}
