//! `mpirun -n P superstep-probe`: measures what messages between ranks take, for builds that
//! predict programs over ranks.

mod measure;
mod written;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use superstep::ranks::{Communicator, RankError};
use superstep_machine::MachineFileError;
use superstep_mpi::Mpi;

/// Measure what messages between ranks take and write it to a machine file for `Builder::machine`
///
/// Takes a few seconds on ranks that are where those of the program will be, and otherwise idle:
/// `mpirun -n 4 superstep-probe --out machine.toml`. Rank 0 writes the file. It has the round trips
/// of ranks, with a level for the ranks of one host where there are several hosts. Its table
/// `[ranks]` has the one-way times of messages by size, barriers, and exchanges of all with all.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    /// The file to write
    #[arg(long, short, value_name = "FILE", default_value = "machine.toml")]
    out: PathBuf,

    /// Nanoseconds of a task of weight 1, such as an assignment of a kernel
    #[arg(long, value_name = "NANOSECONDS", default_value_t = 1.0)]
    task: f64,
}

/// Errors of measuring.
#[derive(Debug, thiserror::Error)]
enum ProbeError {
    /// There are no messages.
    #[error("there is one rank, and messages are between two: `mpirun -n 2 superstep-probe`")]
    Alone,
    /// Tasks take no time.
    #[error("`--task` must be a finite number above 0, not {0}")]
    Task(f64),
    /// The file was not written.
    #[error(transparent)]
    File(#[from] MachineFileError),
    /// Another rank has told why the file was not written.
    #[error("rank 0 has written no file: {0}")]
    Told(String),
    /// The name of this host is unknown.
    #[error("MPI tells no name of this host: {0}")]
    Host(#[from] std::string::FromUtf8Error),
    /// Messages failed.
    #[error(transparent)]
    Rank(#[from] RankError),
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let mut ranks = match Mpi::world() {
        Ok(ranks) => ranks,
        Err(error) => return failed(&error.into()),
    };
    match run(&mut ranks, &arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => failed(&error),
    }
}

/// Tells an error, by one write: ranks share a terminal.
fn failed(error: &ProbeError) -> ExitCode {
    let line = format!("superstep-probe: {error}\n");
    eprint!("{line}");
    ExitCode::FAILURE
}

/// Measures, and writes the file on rank 0 (collective): all ranks fail if one does.
fn run(ranks: &mut Mpi, arguments: &Arguments) -> Result<(), ProbeError> {
    if ranks.size() < 2 {
        return Err(ProbeError::Alone);
    }
    if !(arguments.task.is_finite() && arguments.task > 0.0) {
        return Err(ProbeError::Task(arguments.task));
    }
    let place = measure::Place {
        host: mpi::environment::processor_name()?,
        cores: cores(),
    };
    let measured = measure::measured(ranks, &place)?;
    let Some(measured) = measured else {
        let told = ranks.receive(0)?;
        return match told.is_empty() {
            true => Ok(()),
            false => Err(ProbeError::Told(
                String::from_utf8_lossy(&told).into_owned(),
            )),
        };
    };
    let text = written::text(&measured, arguments.task, &arguments.out);
    let done = text.and_then(|text| {
        superstep_machine::file::write(&arguments.out, &text)?;
        Ok(text)
    });
    let told = done.as_ref().err().map(ToString::to_string);
    for other in 1..ranks.size() {
        let told = told.clone().unwrap_or_default();
        ranks.send(other, told.into_bytes())?;
    }
    ranks.flush()?;
    print!("{}", done?);
    Ok(())
}

/// Returns the numbers of the cores that this rank may use.
#[cfg(target_os = "linux")]
fn cores() -> Vec<usize> {
    use rustix::thread::{CpuSet, sched_getaffinity};

    let allowed = sched_getaffinity(None).ok();
    let is_allowed = |&core: &usize| allowed.is_none_or(|allowed| allowed.is_set(core));
    // A group of processes may have less time than so many cores.
    let most = std::thread::available_parallelism().map_or(1, usize::from);
    let cores = (0..CpuSet::MAX_CPU).filter(is_allowed);
    cores.take(most).collect()
}

/// Returns the numbers of the cores that this rank may use.
#[cfg(not(target_os = "linux"))]
fn cores() -> Vec<usize> {
    (0..std::thread::available_parallelism().map_or(1, usize::from)).collect()
}
