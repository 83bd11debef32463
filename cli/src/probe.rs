//! `cargo superstep probe`: measures what things take on this machine, for builders.

mod core;
mod exchange;
mod loops;

use std::{
    path::PathBuf,
    time::{Duration, Instant},
};

use clap::Args;
use superstep_machine::Times;

use crate::{failure::Failure, report};

/// Measure what things take on this machine and write them to a file for `Builder::times`
///
/// Takes a few seconds. Every figure is the best of many repetitions, so that other programs disturb little; of what is between
/// processors, it is the median of many such figures, as hosts move processors about. The machine should be idle all the same. What cannot
/// be measured without a generated program (reading tables) is scaled from the defaults. Caches and vectors are what the system says of the
/// first core; how far it looks ahead is taken to be as by default.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The file to write
    #[arg(long, short, value_name = "FILE", default_value = "times.toml")]
    out: PathBuf,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let times = measured();
    times.write(&arguments.out)?;
    report::write(&times.to_toml())
}

/// Repetitions of which the fastest counts.
const REPETITIONS: usize = 200;

/// Time after which there are no more of them.
const PATIENCE: Duration = Duration::from_millis(200);

fn measured() -> Times {
    let usual = Times::default();
    let loops = Times {
        core: core::found(),
        ..loops::measured()
    };
    let slower = loops.operation / usual.operation;
    let exchange = exchange::measured(&loops);
    Times {
        value: usual.value * slower,
        barrier: exchange.barrier,
        gap: exchange.gap,
        claim: exchange.claim,
        call: exchange.call,
        ..loops
    }
}

/// Nanoseconds of the fastest of many calls.
fn fastest(call: impl FnMut()) -> f64 {
    fastest_within(PATIENCE, call)
}

/// The same, with less or more patience.
fn fastest_within(patience: Duration, mut call: impl FnMut()) -> f64 {
    let begin = Instant::now();
    let mut fastest = Duration::MAX;
    for _ in 0..REPETITIONS {
        let start = Instant::now();
        call();
        fastest = fastest.min(start.elapsed());
        if begin.elapsed() > patience {
            break;
        }
    }
    fastest.as_secs_f64() * 1e9
}
