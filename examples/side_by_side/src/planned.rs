//! What plans made at run time cost and gain, as a table.

use std::fmt;
use std::time::Instant;

/// Calls of a kernel in a loop.
#[derive(Clone, Debug)]
pub struct Calls {
    /// Name of the kernel.
    pub kernel: &'static str,
    /// Seconds of each call of the function as written.
    pub written: Vec<f64>,
    /// Seconds of each call of the plan.
    pub planned: Vec<f64>,
    /// Seconds that planning took.
    pub planning: f64,
    /// Name of the schedule.
    pub schedule: String,
    /// Reason why it is sequential, if it is.
    pub why_sequential: Option<String>,
}

/// Runs a call and adds its time to those of others, in seconds.
pub fn timed<T>(seconds: &mut Vec<f64>, call: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = call();
    seconds.push(start.elapsed().as_secs_f64());
    result
}

/// Prints the kernels of a loop, a line for each and one for a turn of the loop: medians of times,
/// planning in calls, and the number of calls after which planning has paid.
#[derive(Clone, Copy, Debug)]
pub struct Account<'c> {
    /// The kernels.
    pub kernels: &'c [Calls],
    /// Name of a turn of the loop.
    pub turn: &'static str,
    /// Number of turns in which the calls of the function were made.
    pub turns: usize,
}

/// Times of one call, in seconds.
#[derive(Clone, Copy, Debug, Default)]
struct Times {
    written: f64,
    planned: f64,
    planning: f64,
}

impl Times {
    fn of(calls: &Calls) -> Self {
        Self {
            written: median(&calls.written),
            planned: median(&calls.planned),
            planning: calls.planning,
        }
    }

    /// Prints them, in a line that can go on. Sequential plans are the function: what they gain is
    /// chance.
    fn print(
        &self,
        name: &str,
        calls: &str,
        is_sequential: bool,
        f: &mut fmt::Formatter<'_>,
    ) -> fmt::Result {
        let gain = self.written - self.planned;
        let paid = match gain > 0.0 && !is_sequential {
            true => format!("{:.0}", self.planning / gain),
            false => "never".into(),
        };
        write!(
            f,
            "{name:<12} {calls:>7} {:>12.4} {:>9.4} {:>10.1} {paid:>11}",
            1e3 * self.written,
            1e3 * self.planned,
            self.planning / self.written,
        )
    }
}

impl fmt::Display for Account<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{:<12} {:>7} {:>12} {:>9} {:>10} {:>11}\n{:<12} {:>7} {:>12} {:>9} {:>10} {:>11}",
            "",
            "calls",
            "as written",
            "planned",
            "planning",
            "break-even",
            "",
            "",
            "ms",
            "ms",
            "calls",
            "calls",
        )?;
        let mut turn = Times::default();
        for calls in self.kernels {
            let times = Times::of(calls);
            let (sequential, count) = (calls.why_sequential.is_some(), calls.written.len());
            times.print(calls.kernel, &count.to_string(), sequential, f)?;
            write!(f, "  {}", calls.schedule)?;
            match &calls.why_sequential {
                Some(reason) => writeln!(f, ": {reason}")?,
                None => writeln!(f)?,
            }
            let share = count as f64 / self.turns as f64;
            turn.written += share * times.written;
            turn.planned += share * times.planned;
            turn.planning += times.planning;
        }
        let is_sequential = self.kernels.iter().all(|k| k.why_sequential.is_some());
        turn.print(self.turn, &self.turns.to_string(), is_sequential, f)?;
        writeln!(f)
    }
}

/// Returns the middle of some times, and 0 of none.
fn median(times: &[f64]) -> f64 {
    let mut times = times.to_vec();
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn calls(kernel: &'static str, written: f64, planned: f64, reason: Option<&str>) -> Calls {
        Calls {
            kernel,
            written: vec![9.0, written, 0.0],
            planned: vec![0.0, planned, 9.0],
            planning: 0.02,
            schedule: if reason.is_some() {
                "sequential"
            } else {
                "doacross 8"
            }
            .into(),
            why_sequential: reason.map(str::to_owned),
        }
    }

    #[test]
    fn medians_planning_and_break_even_are_told() {
        let kernels = [
            calls("factor", 4e-3, 2e-3, None),
            calls(
                "solve",
                1e-3,
                0.9e-3,
                Some("one long chain: parallelism 1.1"),
            ),
            calls("slower", 1e-3, 2e-3, None),
        ];
        let account = Account {
            kernels: &kernels,
            turn: "a step",
            turns: 6,
        };
        assert_eq!(
            account.to_string(),
            "\
               calls   as written   planned   planning  break-even
                               ms        ms      calls       calls
factor             3       4.0000    2.0000        5.0          10  doacross 8
solve              3       1.0000    0.9000       20.0       never  sequential: one long chain: parallelism 1.1
slower             3       1.0000    2.0000       20.0       never  doacross 8
a step             6       3.0000    2.4500       20.0         109
"
        );
    }
}
