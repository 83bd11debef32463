//! `cargo superstep plan`: what planning a sparse kernel costs and gains on a matrix.

use std::path::{Path, PathBuf};
use std::thread;

use clap::Args;
use num_complex::Complex64;
use superstep_sparse::{Effort, Kernel, LoadedStanding, Problem, Standing, contest};

use crate::failure::{Failure, in_file};
use crate::output;

/// Recorded runs of a plan, the last of which its page shows. An estimate: after some runs memory
/// is warm, and all together take milliseconds.
const RECORDED: usize = 20;

/// Entries of the factors of `lu`, at most: 2^25, some 2 GB while they are found.
const MOST_ENTRIES: usize = 1 << 25;

/// Plan a sparse kernel for a matrix, and time the plan beside the function as it is written.
///
/// Kernels: sptrsv (solve with the lower triangle), backward (with its transpose), ilu0 and ic0
/// (incomplete factorisations). Also symgs (a symmetric Gauss-Seidel sweep), and lu
/// (refactorisation under minimum degree, pivots on the diagonal). Values are drawn: times depend
/// on the pattern.
#[derive(Args)]
pub(crate) struct Arguments {
    /// Matrix Market file, plain or gzip
    matrix: PathBuf,
    /// Kernel
    #[arg(long, default_value = "sptrsv")]
    kernel: Kernel,
    /// Processors; one for each core if left out
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..))]
    processors: Option<u16>,
    /// For how long each form is run, in seconds
    #[arg(long, default_value_t = 0.5)]
    seconds: f64,
    /// Bytes to which a gzip file may unpack; without it 32 for each of its bytes, and 1 MiB
    #[arg(long, value_name = "BYTES")]
    unpacked: Option<u64>,
    /// Write the plan as a page: who runs which iterations when, as predicted and in a recorded
    /// run, and what would make it faster
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Write the plan to a file, of which `cargo superstep report --plan` tells
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// An error: a plan gave other bits than the function.
#[derive(Debug, thiserror::Error)]
#[error("{}: the plan of {kernel} gave other bits than the function", path.display())]
struct Different {
    path: PathBuf,
    kernel: &'static str,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let problem = problem(arguments.kernel, &arguments.matrix, arguments.unpacked)?;
    let cores = || thread::available_parallelism().map_or(1, usize::from);
    let processors = arguments.processors.map_or_else(cores, usize::from);
    if let Some(path) = &arguments.html {
        page(&problem, processors, path)?;
    }
    if let Some(path) = &arguments.save {
        problem.plan(processors)?.save(path)?;
    }
    let effort = Effort {
        seconds: arguments.seconds,
        rounds: 3,
    };
    let standing = contest(&problem, processors, effort, &mut [])?;
    output::print(&standing, arguments.json, || text(&standing))?;
    if standing.identical {
        return Ok(());
    }
    let (path, kernel) = (arguments.matrix.clone(), standing.kernel.name());
    Err(Different { path, kernel }.into())
}

/// Reads a matrix, and makes a kernel's problem of it.
pub(crate) fn problem(
    kernel: Kernel,
    path: &Path,
    unpacked: Option<u64>,
) -> Result<Problem, Failure> {
    // The pattern of a complex matrix will do.
    let matrix = match unpacked {
        Some(most) => superstep_matrix::read_unpacking(path, most)?,
        None => superstep_matrix::read(path)?,
    };
    let matrix = matrix.rows::<Complex64>()?;
    let matrix = matrix.valued(|_, _| 1.0);
    Ok(Problem::new(kernel, &matrix, MOST_ENTRIES).map_err(in_file(path))?)
}

/// Writes the page of a plan, with its last recorded run.
fn page(problem: &Problem, processors: usize, path: &Path) -> Result<(), Failure> {
    let plan = problem.plan_recorded(processors)?;
    let mut x = problem.start().to_vec();
    for _ in 0..RECORDED {
        x.copy_from_slice(problem.start());
        plan.run(&mut x)?;
    }
    Ok(plan.report().explained().write_html(path)?)
}

fn text(standing: &Standing) -> String {
    let pays = |break_even: Option<f64>| match break_even {
        Some(calls) => format!("pays after {calls:.0} calls"),
        None => "does not pay".into(),
    };
    let LoadedStanding {
        one,
        ratio,
        loading_calls,
        update_calls,
        break_even,
        ..
    } = standing.loaded;
    let (pays, loaded_pays) = (pays(standing.break_even), pays(break_even));
    let loaded = format!(
        "loaded, for 1       {one:.3} of that\nloaded, for {:<8} {ratio:.3} of that\nloading             {loading_calls:.1} calls, {update_calls:.1} for other values, {loaded_pays}\n",
        standing.processors,
    );
    format!(
        "{}: {} rows, {} entries\n{}\nfunction as written {:.3} ms\nplan for 1          {:.3} of that\nplan for {:<10} {:.3} of that\nplanning            {:.1} calls, {pays}\n{loaded}identical           {}\n",
        standing.kernel.name(),
        standing.rows,
        standing.entries,
        standing.report,
        1e3 * standing.written_seconds,
        standing.one,
        standing.processors,
        standing.ratio,
        standing.planning_calls,
        if standing.identical { "yes" } else { "no" },
    )
}
