//! Falling back: the form in which a call runs, by how long calls took.
//!
//! A call has up to four forms with the same bits:
//!
//! * the program for several processors;
//! * the program for one;
//! * the function as written;
//! * a plan that is made while the program runs.
//!
//! No build can know which is fastest where the program runs. Other work on the cores makes a
//! processor wait for a time slice of the scheduler. A compiler may do better by the function than
//! by a program. So calls are timed, and [`rule`] decides.
//!
//! Two looks at the clock and a lock take as long as the smallest functions. So once a form on one
//! core runs, the rule hands out hundreds of calls at once, and more and more of them. These are
//! counted down in one atomic number, and not timed.

mod allowance;
mod rule;
#[cfg(all(test, not(loom)))]
mod tests;
mod times;

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use crate::sync::{Mutex, lock};
use rule::Rule;

/// Form of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// The program on its processors.
    Parallel,
    /// The program for one processor.
    Alone,
    /// The function as written.
    Written,
    /// The function's iterations on several processors, by a plan that is made at run time; of two
    /// plans the second, where the first is [`Parallel`](Self::Parallel).
    Planned,
}

/// Number of forms.
const FORMS: usize = Form::ALL.len();

impl Form {
    const ALL: [Self; 4] = [Self::Parallel, Self::Alone, Self::Written, Self::Planned];

    /// Returns whether it runs on several cores.
    fn is_parallel(self) -> bool {
        matches!(self, Self::Parallel | Self::Planned)
    }
}

/// Prospect of a form: what is known of it before its first call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Prospect {
    /// Predicted time of a call, in nanoseconds, if there is a prediction.
    pub(crate) predicted: Option<i64>,
    /// Time that the first call takes beyond later ones, in nanoseconds.
    pub(crate) first: i64,
}

/// Time that a call of a form may lose, in nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Risk {
    /// Time that any call may take beyond the function.
    call: i64,
    /// Time that the first one takes beyond others.
    first: i64,
}

impl Risk {
    fn all(self) -> i64 {
        self.call.saturating_add(self.first)
    }
}

/// Forms that a call has, beside the function.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Forms {
    pub(crate) parallel: Option<Prospect>,
    pub(crate) alone: Option<Prospect>,
    pub(crate) planned: Option<Prospect>,
    /// Predicted time of the function, in nanoseconds, if there is a prediction.
    pub(crate) function: Option<i64>,
}

impl Forms {
    fn have(self, form: Form) -> bool {
        form == Form::Written || self.prospect(form).is_some()
    }

    fn prospect(self, form: Form) -> Option<Prospect> {
        match form {
            Form::Parallel => self.parallel,
            Form::Alone => self.alone,
            Form::Written => None,
            Form::Planned => self.planned,
        }
    }

    /// Returns the time that a call of a form may lose, where the function takes so long. A
    /// prediction counts beside that of the function, if there is one, and may be too short by half
    /// as much again.
    fn risk(self, form: Form, function: i64) -> Option<Risk> {
        let Prospect { predicted, first } = self.prospect(form)?;
        let predicted = predicted.map_or(function, |call| match self.function {
            Some(expected) => (call as f64 * function as f64 / expected.max(1) as f64) as i64,
            None => call,
        });
        let beyond = predicted.saturating_add(predicted / 2) - function;
        Some(Risk {
            call: beyond.max(0),
            first,
        })
    }

    /// Returns whether the program for several processors, or the first plan, is predicted to gain
    /// more in a single call than its first call takes.
    fn begin_in_parallel(self) -> bool {
        let predicted = self.parallel.and_then(|prospect| {
            let call = prospect.predicted?;
            Some(call.saturating_add(prospect.first))
        });
        matches!((predicted, self.function), (Some(first), Some(function)) if first <= function)
    }
}

/// Form of the next call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Next {
    pub(crate) form: Form,
    /// Set if the call is to be timed, and the time [told](Fallback::took).
    pub(crate) timed: bool,
    /// Set if the system had no threads when they were last asked for.
    pub(crate) lacks_threads: bool,
    /// Set if calls have shown that a plan may pay.
    pub(crate) plans: bool,
}

/// Memory of a program's calls, from whichever threads they come.
#[derive(Default)]
pub(crate) struct Fallback {
    untimed: Untimed,
    rule: Mutex<Rule>,
}

impl Fallback {
    /// Returns the memory of calls of one plan or of two, of which the [second](Form::Planned) need
    /// not wait.
    #[cfg(any(feature = "plan", test))]
    pub(crate) fn of_plans() -> Self {
        Self {
            untimed: Untimed::default(),
            rule: Mutex::new(Rule::of_plans()),
        }
    }

    /// Returns the form of two plans that is faster, once both were measured.
    #[cfg(any(feature = "plan", test))]
    pub(crate) fn faster_plan(&self) -> Option<Form> {
        lock(&self.rule).faster_plan()
    }

    /// Chooses the form of the next call. `is_busy` tells whether others keep the cores that a form
    /// on several would have; it is asked before first trials alone.
    pub(crate) fn next(&self, forms: Forms, is_busy: impl FnOnce() -> bool) -> Next {
        let handed_out = self.untimed.take(|next| forms.have(next.form));
        handed_out.unwrap_or_else(|| {
            let mut rule = lock(&self.rule);
            self.hand_out(rule.next(forms, is_busy))
        })
    }

    /// Chooses the function if it is its turn anyway.
    pub(crate) fn next_if_written(&self) -> Option<Next> {
        let handed_out = self.untimed.take(|next| next.form == Form::Written);
        handed_out.or_else(|| {
            let mut rule = lock(&self.rule);
            Some(self.hand_out(rule.next_if_written()?))
        })
    }

    /// Keeps calls for later, all but the first; the rule is locked meanwhile.
    fn hand_out(&self, (next, calls): (Next, u32)) -> Next {
        if !next.timed {
            self.untimed.put(next, calls - 1);
        }
        next
    }

    /// Takes note of how long a timed call in this form took.
    pub(crate) fn took(&self, form: Form, time: Duration) {
        lock(&self.rule).took(form, time);
    }

    /// Takes note of time that a call took for what later ones need.
    pub(crate) fn prepared(&self, time: Duration) {
        lock(&self.rule).prepared(time);
    }

    /// Takes note that there were no threads for a parallel form.
    pub(crate) fn lacks_threads(&self) {
        lock(&self.rule).lacks_threads();
    }
}

/// Calls that are handed out: their form and whether threads are lacking in the low bits, their
/// number above.
#[derive(Default)]
struct Untimed(AtomicU32);

/// Number of calls, at most, that are handed out at once.
const MOST_UNTIMED: u32 = (1 << 29) - 1;

impl Untimed {
    /// Takes one call, if there is one of a form that `is_wanted`.
    ///
    /// A thread that is disturbed by another takes none: the count is not what threads should wait
    /// for each other at.
    fn take(&self, is_wanted: impl FnOnce(Next) -> bool) -> Option<Next> {
        let state = self.0.load(Ordering::Relaxed);
        if state >> 3 == 0 {
            return None;
        }
        let next = Next {
            form: match state & 3 {
                1 => Form::Alone,
                _ => Form::Written,
            },
            timed: false,
            lacks_threads: state & 4 != 0,
            plans: false,
        };
        if !is_wanted(next) {
            return None;
        }
        // Calls that are not counted only prolong the turn.
        let fewer = state - (1 << 3);
        let _ = self
            .0
            .compare_exchange(state, fewer, Ordering::Relaxed, Ordering::Relaxed);
        Some(next)
    }

    fn put(&self, next: Next, calls: u32) {
        let state = calls << 3 | u32::from(next.lacks_threads) << 2 | next.form as u32;
        self.0.store(state, Ordering::Relaxed);
    }
}
