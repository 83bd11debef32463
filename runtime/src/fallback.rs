//! When a call leaves its processors aside and runs on one: a rule that sees how long calls took, and nothing else.
//!
//! On a machine whose cores do other work as well, a processor that waits for another waits for a time slice of the scheduler, and a program
//! takes many times what the sequential form takes. No build can know that, so calls are timed. Both forms give the same bits, so any call
//! may run in either.
//!
//! * **The sequential form is measured** by running it: after 3 parallel calls, then after 12, 48 and so on. What it takes follows shorter
//!   times at once and longer ones slowly, so that it is that of an undisturbed call.
//! * **Parallel calls run up a debt**: the time that they take beyond the sequential form. Faster ones pay off a little and, ahead, up to some
//!   calls' worth, so that a single interruption changes nothing.
//! * **While there is a debt, calls are sequential** and pay off a sixteenth of their time. Then the next one is parallel again.
//!
//! So however times vary, parallel calls together cost at most a sixteenth more than sequential ones would have, but for the longest call; of many
//! calls at most a third take more than 1.5 times the sequential form's time; and a machine that is idle again is found so after at most
//! sixteen times as long as the slow calls took.

use std::time::Duration;

/// Parallel calls before the sequential form is first measured; each later time it is four times as many.
const FIRST: u32 = 3;

/// The share of a sequential call's time that pays off debt, as a divisor.
const SHARE: i64 = 16;

/// At most this share of the sequential time, as a divisor, is gained by a parallel call. Gains that are smaller than what calls of 1.5 times the
/// sequential time lose keep these few.
const GAIN: i64 = 4;

/// How many sequential calls' time may be gained in advance.
const CREDIT: i64 = 4;

/// The largest debt, in nanoseconds: after a call that was stopped for hours the next parallel one comes within minutes.
const MOST: i64 = 10_000_000_000;

/// What a call can run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// The program on its processors.
    Parallel,
    /// The program for one processor.
    Sequential,
}

/// What the calls of a program have shown so far. Times in nanoseconds.
#[derive(Clone, Debug)]
pub(crate) struct Fallback {
    /// What the sequential form takes, once that is known.
    sequential: Option<i64>,
    /// What parallel calls took beyond the sequential form and is not paid off yet; negative where they gained.
    debt: i64,
    /// Parallel calls since the sequential form was last measured.
    unmeasured: u32,
    /// The number of them after which it is measured again.
    patience: u32,
}

impl Default for Fallback {
    fn default() -> Self {
        Self {
            sequential: None,
            debt: 0,
            unmeasured: 0,
            patience: FIRST,
        }
    }
}

impl Fallback {
    /// What the next call is to run.
    pub(crate) fn next(&self) -> Form {
        if self.debt > 0 || self.unmeasured >= self.patience {
            Form::Sequential
        } else {
            Form::Parallel
        }
    }

    /// Takes note of a call that ran in this form.
    pub(crate) fn took(&mut self, form: Form, time: Duration) {
        let time = i64::try_from(time.as_nanos()).unwrap_or(i64::MAX);
        match form {
            Form::Parallel => self.parallel(time),
            Form::Sequential => self.sequential(time),
        }
    }

    fn parallel(&mut self, time: i64) {
        self.unmeasured = self.unmeasured.saturating_add(1);
        if let Some(sequential) = self.sequential {
            let lost = (time - sequential).max(-sequential / GAIN);
            let least = sequential.saturating_mul(-CREDIT);
            self.debt = self.debt.saturating_add(lost).clamp(least, MOST);
        }
    }

    fn sequential(&mut self, time: i64) {
        let known = self.sequential.unwrap_or(time);
        self.sequential = Some(if time < known {
            time
        } else {
            known + (time - known) / 8
        });
        if self.debt > 0 {
            self.debt = (self.debt - time / SHARE).max(0);
        }
        if self.unmeasured >= self.patience {
            self.patience = self.patience.saturating_mul(4);
        }
        self.unmeasured = 0;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// What a call took, in nanoseconds, in the form that the rule chose. `times` are what it takes in parallel and sequentially.
    fn call(fallback: &mut Fallback, [parallel, sequential]: [u64; 2]) -> (Form, u64) {
        let form = fallback.next();
        let time = match form {
            Form::Parallel => parallel,
            Form::Sequential => sequential,
        };
        fallback.took(form, Duration::from_nanos(time));
        (form, time)
    }

    /// How many of `calls` with these times are sequential.
    fn sequential_calls(fallback: &mut Fallback, times: [u64; 2], calls: u64) -> u64 {
        let is_sequential = |_: &u64| call(fallback, times).0 == Form::Sequential;
        (0..calls).filter(is_sequential).count() as u64
    }

    #[test]
    fn a_faster_program_keeps_running_but_for_ever_rarer_measurements() {
        let mut fallback = Fallback::default();
        let sequential = sequential_calls(&mut fallback, [500, 1000], 1_000_000);
        assert_eq!(sequential, 9, "after 3, 12, 48, ... parallel calls");
    }

    #[test]
    fn a_single_interruption_changes_nothing() {
        let mut fallback = Fallback::default();
        sequential_calls(&mut fallback, [500, 1000], 30);
        call(&mut fallback, [4900, 1000]);
        assert_eq!(fallback.next(), Form::Parallel);
    }

    #[test]
    fn a_slower_program_gives_way_and_comes_back_when_the_machine_is_idle_again() {
        let mut fallback = Fallback::default();
        let busy = [20_000, 1000];
        let sequential = sequential_calls(&mut fallback, busy, 10_000);
        assert!(
            (9_960..10_000).contains(&sequential),
            "a call in 305 or so is parallel: {sequential}"
        );
        let idle = [500, 1000];
        let sequential = sequential_calls(&mut fallback, idle, 400);
        assert!(
            sequential <= 16 * 20,
            "sixteen times a slow call: {sequential}"
        );
        let measured = sequential_calls(&mut fallback, idle, 40);
        assert!(measured <= 1, "{measured}");
    }

    #[test]
    fn after_a_call_that_was_stopped_for_a_day_the_next_parallel_one_comes_within_minutes() {
        let mut fallback = Fallback::default();
        let second = 1_000_000_000;
        sequential_calls(&mut fallback, [second / 2, second], 5);
        call(&mut fallback, [86_400 * second, second]);
        let sequential = sequential_calls(&mut fallback, [second / 2, second], 200);
        // Ten seconds are paid off by 62.5 ms each.
        assert!((160..=162).contains(&sequential), "{sequential}");
    }

    #[test]
    fn a_first_measurement_that_was_slow_is_corrected_by_the_next() {
        let mut fallback = Fallback::default();
        sequential_calls(&mut fallback, [1500, 5000], 4);
        let sequential = sequential_calls(&mut fallback, [1500, 1000], 1000);
        assert!(sequential > 850, "{sequential}");
    }

    /// Times of parallel calls, from much less to much more than the sequential 1000 to 2000, in any mixture.
    fn times() -> impl Strategy<Value = Vec<[u64; 2]>> {
        let parallel = prop_oneof![0..1000_u64, 900..1700_u64, 1000..100_000_u64];
        let runs = (parallel, 1000..2000_u64, 1..40_usize)
            .prop_map(|(parallel, sequential, calls)| vec![[parallel, sequential]; calls]);
        prop::collection::vec(runs, 1..60).prop_map(|runs| runs.concat())
    }

    proptest! {
        /// The bounds that the module's page states.
        #[test]
        fn calls_together_take_little_more_than_sequential_ones(times in times()) {
            let mut fallback = Fallback::default();
            let calls: Vec<(Form, u64)> = times.iter().map(|&times| call(&mut fallback, times)).collect();
            // Before there is a measurement nothing is known, and one call can be of any length.
            let judged = calls.get(FIRST as usize + 1..).unwrap_or_default();
            let longest = judged.iter().map(|&(_, time)| time).max().unwrap_or_default();
            let total: u64 = judged.iter().map(|&(_, time)| time).sum();
            let sequential = 2000 * judged.len() as u64;
            prop_assert!(
                total <= sequential + sequential / 16 + longest,
                "{} calls took {}", judged.len(), total
            );
        }

        #[test]
        fn the_median_stays_within_half_as_much_again(
            parallel in prop::collection::vec(prop_oneof![0..1000_u64, 900..1700_u64, 1000..100_000_u64], 60..2000)
        ) {
            let mut fallback = Fallback::default();
            let calls: Vec<u64> = parallel.iter().map(|&time| call(&mut fallback, [time, 1000]).1).collect();
            let slow = calls.iter().filter(|&&time| time > 1500).count();
            prop_assert!(slow <= calls.len() / 3 + 10, "{} of {}", slow, calls.len());
            prop_assert!(2 * slow < calls.len());
        }
    }
}
