//! `cargo superstep compare`: schedules of a graph, programs of a kernel, or two runs, side by
//! side.

mod graph;
mod programs;
mod recorded;

use std::path::PathBuf;

use clap::Args;
use superstep_order::RecordingError;
use superstep_report::RecordedError;
use superstep_schedule::Schedule;
use superstep_scheduler::{Algorithm, Effort, ScheduleError};

use crate::failure::{CommandError, Failure};
use crate::machine::Stated;
use crate::report::build::Build;
use crate::schedule::{algorithms, efforts};

/// Compare schedules of a task graph, programs that a crate's build script generated, or two recorded runs of them
///
/// With --graph: what each algorithm makes of the graph, for each number of processors and each machine file. Else the programs of the crate here, all of one
/// choice of control arguments in one table. Where that leaves two programs, or two recorded runs are given, also what they differ in: the time of each
/// statement, which tasks run on another processor or in another superstep, and, of two runs of one program, which supersteps took longer.
#[derive(Args)]
#[command(after_help = "Examples:
  cargo superstep compare --graph g.hdag -P 2,4,8               all algorithms that serve the graph
  cargo superstep compare --graph g.hdag -a levels,etf --machine a.toml --machine b.toml
  cargo superstep compare lu                                    all programs of kernel lu
  cargo superstep compare lu --control \"n = 256\" -P 4 -P 8      two of them in detail
  cargo superstep compare a.timeline b.timeline --html ab.html  two recorded runs, as a page")]
pub(crate) struct Arguments {
    /// Only programs of this kernel; or two recorded runs, as `superstep::last_timeline()` writes them
    #[arg(value_name = "KERNEL | TIMELINE TIMELINE", num_args = 0..=2)]
    what: Vec<String>,
    /// Numbers of processors: several times, or separated by commas [default: those of all programs; of a graph 2, 4 and 8, or all of a machine file]
    #[arg(short = 'P', long, value_name = "P", value_delimiter = ',', value_parser = clap::value_parser!(u32).range(1..=i64::from(Schedule::MOST_PROCESSORS)))]
    processors: Vec<u32>,
    /// Only programs whose control arguments contain this text, such as "n = 128"
    #[arg(long, value_name = "TEXT")]
    control: Option<String>,
    #[command(flatten)]
    build: Build,
    /// Compare schedules of this task graph: .hdag, .dot or .mtx
    #[arg(long, value_name = "FILE", conflicts_with_all = ["what", "control", "package", "manifest_path", "html"])]
    graph: Option<PathBuf>,
    /// Who schedules the graph, separated by commas [default: all that serve it]
    #[arg(long, short, value_name = "NAMES", value_delimiter = ',', requires = "graph", value_parser = algorithms())]
    algorithms: Vec<Algorithm>,
    /// How much the algorithms try
    #[arg(long, short, default_value_t = Effort::Balanced, value_parser = efforts())]
    effort: Effort,
    /// Machine file: costs, levels of a hierarchy, measured latencies; may be given several times
    #[arg(long, value_name = "FILE", requires = "graph", conflicts_with_all = ["tau", "g", "latency"])]
    machine: Vec<PathBuf>,
    #[command(flatten)]
    stated: Stated,
    /// Write a page that shows two programs or runs one under the other
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Note that the page carries
    #[arg(long, value_name = "TEXT", default_value = "")]
    memo: String,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Errors of comparisons.
#[derive(Debug, thiserror::Error)]
enum CompareError {
    /// No algorithm made a schedule.
    #[error("no algorithm serves {}: {reason}", graph.display())]
    NoneServes {
        /// The graph's file.
        graph: PathBuf,
        /// Why one of them does not.
        reason: ScheduleError,
    },
    /// The filters left nothing.
    #[error("no program fits; without filters, `cargo superstep compare` shows them all")]
    NoMatch,
    /// One recorded run alone.
    #[error(
        "`{0}` is no kernel: give two recorded runs to compare them, or see one by `cargo superstep report --timeline {0}`"
    )]
    OneTimeline(String),
    /// A page of more or fewer than two programs was asked for.
    #[error(
        "a page shows two programs of one choice of control arguments, and {0} programs fit: choose two by kernel, --control and -P"
    )]
    NotTwo(usize),
    /// The runs are of different instances.
    #[error(
        "the runs are of different instances, whose tasks are not the same: {0} and {1}; record two runs of one"
    )]
    Instances(String, String),
    /// A file cannot be read.
    #[error("{} cannot be read: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A timeline is none.
    #[error("{}: {source}", path.display())]
    Timeline {
        /// The file.
        path: PathBuf,
        /// Why.
        source: RecordingError,
    },
    /// A timeline is of no program of this crate.
    #[error("{}: {source}", path.display())]
    Recorded {
        /// The file.
        path: PathBuf,
        /// Why.
        source: RecordedError,
    },
    /// The page cannot be written.
    #[error("{} cannot be written: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
}

impl CommandError for CompareError {}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    match (&arguments.graph, &arguments.what[..]) {
        (Some(graph), _) => graph::run(arguments, graph),
        (None, [first, second]) => recorded::run(arguments, [first, second]),
        (None, [kernel])
            if std::path::Path::new(kernel).is_file() || kernel.ends_with(".timeline") =>
        {
            Err(CompareError::OneTimeline(kernel.clone()).into())
        }
        (None, _) => programs::run(arguments),
    }
}
