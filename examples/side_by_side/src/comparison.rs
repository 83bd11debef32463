//! The time of a generated program beside that of its original.

use std::time::{Duration, Instant};

use superstep::RunError;

use crate::SameBits;

/// Runs of which the shortest counts.
const RUNS: usize = 10;

/// One kernel on one input: what the original made of it, and in which time.
#[derive(Debug)]
pub struct Comparison<T> {
    title: String,
    input: T,
    expected: T,
    sequential: Duration,
}

impl<T: Clone + SameBits> Comparison<T> {
    /// Runs `original` on copies of `input`, which holds the kernel's `&mut` arguments. `title`
    /// names kernel and size.
    pub fn new(title: &str, input: &T, mut original: impl FnMut(&mut T)) -> Self {
        let (expected, sequential) = shortest(RUNS, input, &mut original);
        Self {
            title: title.into(),
            input: input.clone(),
            expected,
            sequential,
        }
    }

    /// Runs `generated` on copies of the same input and prints one line: processors, supersteps,
    /// both times, and whether the results are identical.
    ///
    /// Returns whether they are. A failed run, and a call that ran the original for want of a
    /// program, count as not.
    pub fn print(&self, mut generated: impl FnMut(&mut T) -> Result<(), RunError>) -> bool {
        let mut outcome = Ok(());
        let (actual, parallel) = shortest(RUNS, &self.input, |data| {
            if outcome.is_ok() {
                outcome = generated(data);
            }
        });
        let ran = superstep::last_run();
        match (outcome, ran) {
            (Ok(()), Some(ran)) => {
                let identical = actual.same_bits(&self.expected);
                println!(
                    "{}: {}, {}, {:.3} ms (sequential {:.3} ms), identical: {}",
                    self.title,
                    count(ran.processors, "processor"),
                    count(ran.supersteps, "superstep"),
                    1e3 * parallel.as_secs_f64(),
                    1e3 * self.sequential.as_secs_f64(),
                    if identical { "yes" } else { "no" },
                );
                identical
            }
            (Ok(()), None) if superstep::last_reason() == Some(superstep::Reason::AsWritten) => {
                let identical = actual.same_bits(&self.expected);
                println!(
                    "{}: the function as written, {:.3} ms (sequential {:.3} ms), identical: {}",
                    self.title,
                    1e3 * parallel.as_secs_f64(),
                    1e3 * self.sequential.as_secs_f64(),
                    if identical { "yes" } else { "no" },
                );
                identical
            }
            (Ok(()), None) => {
                println!("{}: no program was generated for this call", self.title);
                false
            }
            (Err(error), _) => {
                println!("{}: {error}", self.title);
                false
            }
        }
    }
}

/// `1 superstep`, `2 supersteps`.
fn count(number: usize, thing: &str) -> String {
    let ending = if number == 1 { "" } else { "s" };
    format!("{number} {thing}{ending}")
}

/// The shortest of several runs of `run`, each on a fresh copy of `input`, and what it left in its
/// copy.
pub fn shortest<T: Clone>(runs: usize, input: &T, mut run: impl FnMut(&mut T)) -> (T, Duration) {
    let mut data = input.clone();
    let mut best = Duration::MAX;
    for _ in 0..runs {
        data.clone_from(input);
        let start = Instant::now();
        run(&mut data);
        best = best.min(start.elapsed());
    }
    (data, best)
}
