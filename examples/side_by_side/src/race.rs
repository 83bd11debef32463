//! The time of a function beside that of its plan.

use std::fmt;
use std::time::{Duration, Instant};

use superstep::Reason;
use superstep::plan::PlanReport;
use superstep_timing::timed;

use crate::SameBits;

/// Pairs of calls after which a plan has chosen between itself and the function.
const SETTLED: usize = 12;

/// Pairs of calls of which the shortest count.
const RUNS: usize = 10;

/// Time for either, at least three pairs: what takes long is not disturbed for all of it.
const ENOUGH: Duration = Duration::from_secs(1);

/// A function and its plan, which ran in turn on equal inputs.
///
/// It prints as one line of a table, below [`Race::HEADING`].
#[derive(Clone, Debug)]
pub struct Race {
    name: String,
    function: Duration,
    plan: Duration,
    identical: bool,
    planning: Duration,
    /// The schedule, or the reason why it is sequential.
    schedule: String,
    /// The plan has run as the function: a lower time is chance.
    as_written: bool,
}

impl Race {
    /// Heading of the lines.
    pub const HEADING: &str =
        "             function         plan    ratio        planning      pays after";

    /// Runs both on copies of `input`, some times for the plan to settle, then until the shortest
    /// of ten runs is known. `planning` is what it took to make the plan.
    ///
    /// # Errors
    /// That of the plan.
    pub fn run<T: Clone + SameBits, E>(
        name: &str,
        planning: Duration,
        input: &T,
        mut function: impl FnMut(&mut T),
        mut plan: impl FnMut(&mut T) -> Result<(), E>,
    ) -> Result<Self, E> {
        let (mut expected, mut actual) = (input.clone(), input.clone());
        let mut identical = true;
        let mut shortest = [Duration::MAX; 2];
        for pairs in [SETTLED, RUNS] {
            shortest = [Duration::MAX; 2];
            let start = Instant::now();
            for pair in 0..pairs {
                if pair >= 3 && start.elapsed() > ENOUGH {
                    break;
                }
                expected.clone_from(input);
                let (time, ()) = timed(|| function(&mut expected));
                shortest[0] = time.min(shortest[0]);
                actual.clone_from(input);
                let (time, ended) = timed(|| plan(&mut actual));
                shortest[1] = time.min(shortest[1]);
                ended?;
                identical &= actual.same_bits(&expected);
            }
        }
        Ok(Self {
            name: name.into(),
            function: shortest[0],
            plan: shortest[1],
            identical,
            planning,
            schedule: String::new(),
            as_written: superstep::last_reason() == Some(Reason::AsWritten),
        })
    }

    /// Adds the schedule of the plan.
    #[must_use]
    pub fn scheduled(self, report: &PlanReport) -> Self {
        let reason = report.why_sequential();
        let as_written = self.as_written || reason.is_some();
        let schedule = match reason {
            Some(reason) => format!("  sequential: {reason}"),
            None if as_written => format!("  {}, but as written", report.chosen().algorithm),
            None => format!("  {}", report.chosen().algorithm),
        };
        Self {
            as_written,
            schedule,
            ..self
        }
    }

    /// Says which plans it is made of.
    #[must_use]
    pub fn made_of(self, others: &[Self]) -> Self {
        let as_written = others.iter().all(|other| other.as_written);
        Self { as_written, ..self }
    }

    /// Returns whether every run of the plan had the bits of the function.
    pub fn is_identical(&self) -> bool {
        self.identical
    }
}

impl fmt::Display for Race {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let times = [self.function, self.plan, self.planning];
        let [function, plan, planning] = times.map(|time| 1e3 * time.as_secs_f64());
        let (ratio, calls) = (plan / function, planning / function);
        let pays = match self.as_written || ratio >= 1.0 {
            true => "never".into(),
            false => format!("{:.1} calls", calls / (1.0 - ratio)),
        };
        let (name, schedule) = (&self.name, &self.schedule);
        let mark = if self.identical { "" } else { "  DIFFERENT" };
        write!(
            f,
            "{name:<8} {function:>9.3} ms {plan:>9.3} ms {ratio:>8.3} {calls:>9.1} calls {pays:>15}{mark}{schedule}"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn race(function: u64, plan: u64) -> Race {
        let [function, plan] = [function, plan].map(Duration::from_micros);
        Race {
            name: "forward".into(),
            function,
            plan,
            identical: true,
            planning: Duration::from_millis(5),
            schedule: String::new(),
            as_written: false,
        }
    }

    #[test]
    fn a_line_says_when_planning_has_paid() {
        let line = |race: Race| race.to_string();
        let faster = "forward      1.000 ms     0.600 ms    0.600       5.0 calls      12.5 calls";
        assert_eq!(line(race(1000, 600)), faster);
        assert_eq!(faster.len(), Race::HEADING.len());
        let even = "forward      1.000 ms     1.000 ms    1.000       5.0 calls           never";
        assert_eq!(line(race(1000, 1000)), even);

        let as_written = Race {
            as_written: true,
            ..race(1000, 600)
        };
        let never = "forward      1.000 ms     0.600 ms    0.600       5.0 calls           never";
        assert_eq!(line(as_written.clone()), never);
        let made_of = |parts: &[Race]| line(race(1000, 600).made_of(parts));
        assert_eq!(made_of(&[as_written.clone(), race(1, 1)]), faster);
        assert_eq!(made_of(&[as_written.clone(), as_written]), never);

        let different = Race {
            identical: false,
            schedule: "  grow-local".into(),
            ..race(1000, 600)
        };
        assert_eq!(line(different), format!("{faster}  DIFFERENT  grow-local"));
    }

    #[test]
    fn one_run_with_other_bits_is_told() {
        let is_identical = |wrong| {
            let (mut runs, add) = (0, |x: &mut Vec<f64>| x[0] += 1.0);
            let race = Race::run("add", Duration::ZERO, &vec![1.0], add, |x| {
                add(x);
                runs += 1;
                if runs == wrong {
                    x[0] = x[0].next_up();
                }
                Ok::<(), ()>(())
            });
            race.unwrap().is_identical()
        };
        assert!(is_identical(0));
        assert!(!is_identical(1) && !is_identical(SETTLED + 1));
    }

    #[test]
    fn the_error_of_a_plan_ends_the_race() {
        let race = Race::run(
            "fails",
            Duration::ZERO,
            &vec![1.0],
            |_| {},
            |_| Err("broken"),
        );
        assert_eq!(race.unwrap_err(), "broken");
    }
}
