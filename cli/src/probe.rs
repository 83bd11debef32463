//! `cargo superstep probe`: measures what things take on this machine, for builders.

mod core;
mod exchange;
mod fastest;
mod loops;
mod quiet;

use std::path::PathBuf;

use clap::Args;
use superstep_machine::Times;

use self::quiet::{Disturbance, When};
use crate::{failure::Failure, output};

/// Measure what things take on this machine and write them to a file for `Builder::times`
///
/// Takes a few seconds, in a release build of this command. Every figure is the best of many
/// repetitions, so that other programs disturb little. Of what is between processors, it is the
/// median of many such figures, as hosts move processors about. The machine should be idle all the
/// same: a loop on every core, before, between and after, tells whether it was. If not, everything
/// is measured again, and at last refused. What cannot be measured without a generated program
/// (reading tables) is scaled from the defaults. Caches and vectors are what the system says of the
/// first core; how far it looks ahead is taken to be as by default.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The file to write
    #[arg(long, short, value_name = "FILE", default_value = "times.toml")]
    out: PathBuf,

    /// Measure once and write that, with a warning in the file if the machine was busy
    #[arg(long)]
    force: bool,
}

/// Errors of measuring.
#[derive(Debug, thiserror::Error)]
enum ProbeError {
    /// Other programs disturbed what was to be measured.
    #[error(
        "the machine is not idle: {disturbance}, in the best of {attempts} attempts. Nothing was written to {}: try again when other programs rest, or with `--force`",
        out.display()
    )]
    Busy {
        /// The file that was to be written.
        out: PathBuf,
        attempts: usize,
        disturbance: Disturbance,
    },
    /// Times of a command that is not optimised.
    #[error(
        "this is a debug build of the command, whose loops take many times as long: `cargo install` it, or run it with `--release`; `--force` measures all the same"
    )]
    Unoptimised,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    if cfg!(debug_assertions) && !arguments.force {
        return Err(ProbeError::Unoptimised.into());
    }
    let attempts = if arguments.force { 1 } else { ATTEMPTS };
    let (times, disturbance) = quietest(attempts, attempt);
    if let Some(disturbance) = disturbance
        && !arguments.force
    {
        let busy = ProbeError::Busy {
            out: arguments.out.clone(),
            attempts,
            disturbance,
        };
        return Err(busy.into());
    }
    let unoptimised = cfg!(debug_assertions).then(|| UNOPTIMISED.to_owned());
    let busy = disturbance.as_ref().map(warning);
    let warnings: Vec<String> = unoptimised.into_iter().chain(busy).collect();
    times.write_noted(&arguments.out, &warnings.join("\n"))?;
    output::write(&times.to_toml())
}

/// Warning of a file that was written by force.
const UNOPTIMISED: &str =
    "WARNING: measured by a debug build, whose loops take many times as long.";

/// Attempts to measure on a machine that is not idle. Each takes a second or two: builds and
/// backups that last longer than all of them are told of.
const ATTEMPTS: usize = 4;

/// The times that an attempt found, and the disturbance that was the worst.
type Attempt = (Times, Option<Disturbance>);

/// Returns the first attempt that nothing disturbed; if there is none in so many, the one that was
/// disturbed least.
fn quietest<T>(
    attempts: usize,
    mut attempt: impl FnMut() -> (T, Option<Disturbance>),
) -> (T, Option<Disturbance>) {
    let mut least = attempt();
    for _ in 1..attempts {
        let Some(known) = &least.1 else { break };
        let next = attempt();
        if next.1.is_none_or(|new| new.severity() < known.severity()) {
            least = next;
        }
    }
    least
}

fn attempt() -> Attempt {
    let mut looks = vec![quiet::look(When::Before)];
    let times = measured(&mut || looks.push(quiet::look(When::Between)));
    looks.push(quiet::look(When::After));
    (times, quiet::judge(&looks))
}

/// Words the warning of a file that was written by force.
fn warning(disturbance: &Disturbance) -> String {
    format!(
        "WARNING: measured on a busy machine, and written by --force: {disturbance}.\n\
         Barriers, calls and claims may be far too long."
    )
}

/// Measures everything; `between` is called now and then, while nothing is measured.
fn measured(between: &mut dyn FnMut()) -> Times {
    let usual = Times::default();
    let loops = Times {
        core: core::found(),
        ..loops::measured()
    };
    let slower = loops.operation / usual.operation;
    between();
    let exchange = exchange::measured(&loops, between);
    Times {
        value: usual.value * slower,
        barrier: exchange.barrier,
        gap: exchange.gap,
        claim: exchange.claim,
        call: exchange.call,
        ..loops
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(share: f64) -> Option<Disturbance> {
        Some(Disturbance::Taken {
            share,
            cores: 1,
            of: 2,
            when: When::Between,
        })
    }

    /// Makes attempts that are disturbed so: returns the one that is kept, and how many were made.
    fn kept(disturbances: &[Option<Disturbance>]) -> (usize, usize) {
        let mut made = 0;
        let (number, _) = quietest(disturbances.len(), || {
            made += 1;
            (made, disturbances[made - 1])
        });
        (number, made)
    }

    #[test]
    fn the_first_attempt_that_nothing_disturbs_counts() {
        assert_eq!(kept(&[None, None, None]), (1, 1));
        assert_eq!(kept(&[taken(0.5), None, None]), (2, 2));
    }

    #[test]
    fn where_all_were_disturbed_it_is_the_one_that_was_least() {
        let (number, made) = kept(&[taken(0.5), taken(0.2), taken(0.3)]);
        assert_eq!((number, made), (2, 3));
    }

    #[test]
    fn a_file_that_was_forced_warns_and_can_be_read() {
        let disturbance = taken(0.5).expect("something");
        let path = std::env::temp_dir().join(format!("superstep-forced-{}", std::process::id()));
        let times = Times::default();
        times
            .write_noted(&path, &warning(&disturbance))
            .expect("a writable folder");
        let text = std::fs::read_to_string(&path).expect("it is written");
        assert_eq!(Times::read(&path).expect("it is valid"), times);
        let _ = std::fs::remove_file(&path);
        assert!(
            text.starts_with("# WARNING: measured on a busy machine"),
            "{text}"
        );
        assert!(text.contains("one of them for 50 % of the time"), "{text}");
    }
}
