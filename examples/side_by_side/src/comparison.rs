//! The time of a generated program beside that of its original.

use std::time::{Duration, Instant};

use superstep::RunError;

use crate::SameBits;

/// Repetitions, of which the shortest counts.
const REPETITIONS: usize = 10;

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
    /// names the kernel and its size.
    pub fn new(title: &str, input: &T, original: impl FnMut(&mut T)) -> Self {
        let mut expected = input.clone();
        let sequential = shortest(input, original, |result| expected.clone_from(result));
        Self {
            title: title.into(),
            input: input.clone(),
            expected,
            sequential,
        }
    }

    /// Runs `generated` on copies of the same input, and prints processors, supersteps, both times,
    /// and whether the results of all runs are identical.
    ///
    /// Returns whether they are. A failed run counts as not; so does a call that ran the original
    /// as no program was generated.
    pub fn print(&self, generated: impl FnMut(&mut T) -> Result<(), RunError>) -> bool {
        let (parallel, identical) = match self.compare(generated) {
            Ok(compared) => compared,
            Err(error) => {
                println!("{}: {error}", self.title);
                return false;
            }
        };
        let form = match superstep::last_run() {
            Some(ran) => format!(
                "{}, {}",
                count(ran.processors, "processor"),
                count(ran.supersteps, "superstep")
            ),
            None if superstep::last_reason() == Some(superstep::Reason::AsWritten) => {
                "the function as written".into()
            }
            None => {
                println!("{}: no program was generated for this call", self.title);
                return false;
            }
        };
        println!(
            "{}: {form}, {:.3} ms (sequential {:.3} ms), identical: {}",
            self.title,
            1e3 * parallel.as_secs_f64(),
            1e3 * self.sequential.as_secs_f64(),
            if identical { "yes" } else { "no" },
        );
        identical
    }

    /// Runs `generated` as often as the original; returns its shortest time, and whether the
    /// results of all runs are identical.
    fn compare(
        &self,
        mut generated: impl FnMut(&mut T) -> Result<(), RunError>,
    ) -> Result<(Duration, bool), RunError> {
        let (mut outcome, mut identical) = (Ok(()), true);
        let run = |data: &mut T| {
            if outcome.is_ok() {
                outcome = generated(data);
            }
        };
        let time = shortest(&self.input, run, |result| {
            identical &= result.same_bits(&self.expected);
        });
        outcome.map(|()| (time, identical))
    }
}

/// `1 superstep`, `2 supersteps`.
fn count(number: usize, thing: &str) -> String {
    let ending = if number == 1 { "" } else { "s" };
    format!("{number} {thing}{ending}")
}

/// Repeats `run`, each time on a fresh copy of `input`, of which `see` has the result. Returns the
/// shortest time.
fn shortest<T: Clone>(input: &T, mut run: impl FnMut(&mut T), mut see: impl FnMut(&T)) -> Duration {
    let mut data = input.clone();
    let mut best = Duration::MAX;
    for _ in 0..REPETITIONS {
        data.clone_from(input);
        let start = Instant::now();
        run(&mut data);
        best = best.min(start.elapsed());
        see(&data);
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_results_of_all_runs_are_compared() {
        let comparison = Comparison::new("sum", &vec![1.0, 2.0], |data| data[0] += data[1]);
        for wrong in 0..=REPETITIONS {
            let mut runs = 0..;
            let compared = comparison.compare(|data| {
                data[0] += data[1];
                if runs.next() == Some(wrong) {
                    data[0] = -data[0];
                }
                Ok(())
            });
            let (_, identical) = compared.expect("no run fails");
            assert_eq!(identical, wrong == REPETITIONS, "{wrong}");
        }
    }
}
