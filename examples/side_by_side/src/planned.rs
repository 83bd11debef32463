//! What plans made at run time cost and gain, as a table.

use std::fmt;
use std::time::Instant;

use superstep::Reason;

/// Times of calls in one form.
#[derive(Clone, Debug, Default)]
pub struct Timed {
    seconds: Vec<f64>,
    /// Number of calls in which a plan gave way to the function.
    given_way: usize,
}

impl Timed {
    /// Runs a call and adds its time to those of others.
    pub fn call<T>(&mut self, call: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let result = call();
        self.seconds.push(start.elapsed().as_secs_f64());
        let has_given_way = superstep::last_reason() == Some(Reason::AsWritten);
        self.given_way += usize::from(has_given_way);
        result
    }

    /// Returns the median, in seconds; 0 of no calls.
    fn median(&self) -> f64 {
        let mut times = self.seconds.clone();
        times.sort_by(f64::total_cmp);
        times.get(times.len() / 2).copied().unwrap_or_default()
    }
}

/// Calls of a kernel in a loop.
#[derive(Clone, Debug)]
pub struct Calls {
    /// Name of the kernel.
    pub kernel: &'static str,
    /// Calls of the function as written.
    pub written: Timed,
    /// Calls of the plan.
    pub planned: Timed,
    /// Seconds that planning took.
    pub planning: f64,
    /// Name of the schedule.
    pub schedule: String,
    /// Reason why it is sequential, if it is.
    pub why_sequential: Option<String>,
}

impl Calls {
    /// Returns whether the function ran: nothing is gained then, but by chance.
    fn is_function(&self) -> bool {
        self.why_sequential.is_some() || 2 * self.planned.given_way > self.planned.seconds.len()
    }
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
            written: calls.written.median(),
            planned: calls.planned.median(),
            planning: calls.planning,
        }
    }

    /// Prints them, in a line that can go on.
    fn print(
        &self,
        name: &str,
        calls: &str,
        is_function: bool,
        f: &mut fmt::Formatter<'_>,
    ) -> fmt::Result {
        let gain = self.written - self.planned;
        let paid = match gain > 0.0 && !is_function {
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
            "kernel",
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
            let count = calls.written.seconds.len();
            times.print(calls.kernel, &count.to_string(), calls.is_function(), f)?;
            write!(f, "  {}", calls.schedule)?;
            let given_way = calls.planned.given_way as f64 / calls.planned.seconds.len() as f64;
            match &calls.why_sequential {
                Some(reason) => writeln!(f, ": {reason}")?,
                None if given_way > 0.0 => {
                    writeln!(f, "; the function was faster in {:.0} %", 100.0 * given_way)?;
                }
                None => writeln!(f)?,
            }
            let share = count as f64 / self.turns as f64;
            turn.written += share * times.written;
            turn.planned += share * times.planned;
            turn.planning += times.planning;
        }
        let is_function = self.kernels.iter().all(Calls::is_function);
        turn.print(self.turn, &self.turns.to_string(), is_function, f)?;
        writeln!(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn calls(kernel: &'static str, written: f64, planned: f64, reason: Option<&str>) -> Calls {
        let timed = |seconds: f64| Timed {
            seconds: vec![9.0, seconds, 0.0],
            given_way: 0,
        };
        Calls {
            kernel,
            written: timed(written),
            planned: timed(planned),
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
        let mut kernels = [
            calls("factor", 4e-3, 2e-3, None),
            calls(
                "solve",
                1e-3,
                0.9e-3,
                Some("one long chain: parallelism 1.1"),
            ),
            calls("slower", 1e-3, 2e-3, None),
            calls("as fast", 1e-3, 0.9e-3, None),
        ];
        kernels[3].planned.given_way = 2;
        let account = Account {
            kernels: &kernels,
            turn: "a step",
            turns: 6,
        };
        assert_eq!(
            account.to_string(),
            "\
kernel         calls   as written   planned   planning  break-even
                               ms        ms      calls       calls
factor             3       4.0000    2.0000        5.0          10  doacross 8
solve              3       1.0000    0.9000       20.0       never  sequential: one long chain: parallelism 1.1
slower             3       1.0000    2.0000       20.0       never  doacross 8
as fast            3       1.0000    0.9000       20.0       never  doacross 8; the function was faster in 67 %
a step             6       3.5000    2.9000       22.9         133
"
        );
    }
}
