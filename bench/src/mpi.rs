//! Ranks of MPI beside threads and beside programs by hand: starts `mpi/examples/measure` under
//! `mpirun`.
//!
//! The example links MPI, which nothing else of this bench needs.

use std::env;
use std::process::Command;

use clap::Args;

/// Compare ranks of MPI with threads over private memory and with programs over MPI by hand
#[derive(Args)]
pub(crate) struct Options {
    /// Ranks
    #[arg(short, long, default_value_t = 2, value_parser = clap::value_parser!(u32).range(2..))]
    n: u32,
    /// Take the small sizes of the tests, whose programs need no feature `large`
    #[arg(long)]
    small: bool,
}

/// Command that builds the example.
const BUILD: &str = "cargo build --release -p superstep-mpi -p superstep-mpi-kernels \
                     --features superstep-mpi/mpi,superstep-mpi-kernels/large --example measure";

/// Runs the example beside this program, by `MPIRUN` or else `mpirun`.
pub(crate) fn run(options: &Options) -> Result<(), Box<dyn std::error::Error>> {
    let own = env::current_exe()?;
    let folder = own.parent().ok_or("this program is in no folder")?;
    let example = folder.join("examples").join("measure");
    if !example.exists() {
        return Err(format!("there is no {}: `{BUILD}` makes it", example.display()).into());
    }
    let mpirun = env::var_os("MPIRUN").unwrap_or_else(|| "mpirun".into());
    let mut command = Command::new(&mpirun);
    // Open MPI and MPICH know `--bind-to none`: ranks are not pinned, so threads of one may use
    // all cores.
    command.args(["--bind-to", "none", "-n", &options.n.to_string()]);
    command.arg(example);
    command.args(options.small.then_some("--small"));
    let started = command.status();
    let status = started.map_err(|error| format!("{}: {error}", mpirun.display()))?;
    match status.success() {
        true => Ok(()),
        false => Err(format!("{}: {status}", mpirun.display()).into()),
    }
}
