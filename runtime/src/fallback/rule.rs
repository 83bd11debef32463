//! The rule by which calls fall back: it sees how long calls took, and nothing else.
//!
//! * **The two forms on one core are measured**, three calls each, as only the first finds the data
//!   in another core's cache; one, if that takes twice as long as another form. They are measured
//!   again after 12, 48, 192 calls and so on. A time follows shorter ones at once and longer ones, the
//!   least of a turn, by a third: so that it is that of an undisturbed call. The faster one is the **base**; the program
//!   only if it is faster by a thirty-second.
//! * **Of the two forms on several cores** (the program, and a [plan](Form::Planned)) **the faster
//!   one** may run, or the other while that has a debt, if it is faster than the base. The other is
//!   measured as those on one core are; a plan for the first time after some [calls](UNPLANNED), as
//!   making it takes as long as tens of them, if it is not made already.
//! * **Parallel calls run up a debt**: the time that they take beyond the base. Faster ones pay off
//!   a little and, ahead, up to [some time](CREDIT_TIME), so that an interruption changes nothing.
//!   One that is slower while there is a debt ends their turn, but for the turn's first, if that
//!   took no more beyond the base than waking the workers may.
//! * **The base then runs** until 100 times the debt has passed. In the same way the measurement of a
//!   slower form on one core is paid for before the next.
//!
//! So however times vary, calls together take at most 1/50 more than in the base form, but for two
//! calls; of many calls at most a third take more than 1.5 times as long; and a machine that is idle
//! again is found so after at most 100 times as long as the slow calls took, or 256 calls.

use std::time::Duration;

use super::{FORMS, Form, Forms, MOST_UNTIMED, Next};

/// Calls with which a program begins: they make threads and memories, and are not judged.
const FIRST: u32 = 3;

/// Calls of a measurement, and the calls after the first one until the next; later four times as
/// many each time.
const MEASURED: u32 = 3;
const PATIENCE: u64 = 12;

/// Calls before a plan is made, so that who calls a few times does not pay for it.
///
/// Making a plan takes as long as 50 calls in the median, and as 160 for nine in ten, of the
/// collection's kernels at their real sizes (timed in the call that makes it): these 256 calls and
/// the plan take 1.2 or 1.6 times as long as without.
const UNPLANNED: u64 = 256;

/// Time of a call on one core, in nanoseconds, below which no plan is made: running on several takes
/// microseconds more. With plans for all calls, none of the 51 rows of the collection below it ran one
/// in the end, and 41 of its 132 rows took more than 1.03 of the function; with this bound 17 do.
const SHORT: i64 = 10_000;

/// How many times another form's time a call takes that ends a measurement.
const HOPELESS: i64 = 2;

/// Share of the time of calls that goes into slower forms, as a divisor: 1/100 for each of the two
/// that are not the base leaves room below 3 % in all for measurements that come in pairs.
const SHARE: i64 = 100;

/// By which share of its time the program for one processor has to be faster than the function, as a
/// divisor: times of 3 calls are no more exact.
const MARGIN: i64 = 32;

/// At most this share of the base's time, as a divisor, is gained by a parallel call. Gains that are
/// smaller than what calls of 1.5 times that time lose keep these few.
const GAIN: i64 = 4;

/// Time that may be gained in advance, in calls of the base; or [`CREDIT_TIME`], if that is longer.
const CREDIT: i64 = 4;

/// Time that may be gained in advance, in nanoseconds: two to three time slices of the system's
/// scheduler, of 3 to 4 ms.
///
/// With [`CREDIT`] alone every slice that another program takes has the base of a call of 50 us run
/// for thousands of calls. Six of the collection's kernels at their real sizes, three times each, took
/// .71 of the function on two processors, and .70, .66 and .64 with 2, 5 and 20 ms; all 66 of them
/// .71, and .67 with these 10. More only delays the function where others keep the cores.
const CREDIT_TIME: i64 = 10_000_000;

/// The largest debt, in nanoseconds: after a call that was stopped for hours the next parallel one
/// comes within minutes.
const MOST: i64 = 3_000_000_000;

/// The time, in nanoseconds, that waking the workers may take: tens of microseconds on an idle
/// machine.
const WAKING: i64 = 1_000_000;

/// The calls of the base between two turns of parallel calls, at least: from the one to the other,
/// doubled while these turns fail. Small debts are paid by so few calls that all would be timed.
const REST: [u64; 2] = [4, 256];

/// Calls between two attempts to have threads.
const WITHOUT_THREADS: u64 = 16;

/// Consecutive calls of one form.
#[derive(Clone, Copy, Debug)]
struct Turn {
    form: Form,
    /// Number of calls that are left.
    calls: u64,
    timed: bool,
    /// The cost of a measurement, in nanoseconds beyond the other form on one core; none if the turn
    /// is not one.
    measurement: Option<i64>,
    /// The least time of its calls.
    least: Option<i64>,
}

/// Memory of a program's calls. Times in nanoseconds, by form.
#[derive(Clone, Debug)]
pub(super) struct Rule {
    /// All calls that were handed out.
    calls: u64,
    turn: Turn,
    /// Time of each form undisturbed, once that is known.
    times: [Option<i64>; FORMS],
    /// The number of calls from which on each form may be tried, if another one runs.
    due: [u64; FORMS],
    /// The calls from one trial to the next.
    patience: [u64; FORMS],
    /// Time of this turn's parallel calls beyond the base; negative where they gained.
    debt: i64,
    /// Set if the first call of the parallel turn has passed.
    is_warm: bool,
    lacks_threads: bool,
    /// Set if the plan costs nothing but calls of its own.
    has_plan: bool,
}

impl Default for Rule {
    fn default() -> Self {
        Self {
            calls: 0,
            turn: Turn {
                form: Form::Written,
                calls: 0,
                timed: true,
                measurement: None,
                least: None,
            },
            times: [None; FORMS],
            due: [0, 0, 0, UNPLANNED],
            patience: [REST[0], PATIENCE, PATIENCE, PATIENCE],
            debt: 0,
            is_warm: false,
            lacks_threads: false,
            has_plan: false,
        }
    }
}

impl Rule {
    /// Returns the rule of calls that run plans: the first is [`Form::Parallel`], the second, if there
    /// is one, [`Form::Planned`], and is measured at once.
    #[cfg(any(feature = "plan", test))]
    pub(super) fn of_plans() -> Self {
        Self {
            due: [0; FORMS],
            has_plan: true,
            ..Self::default()
        }
    }

    /// Returns the form of two plans that is faster, once both were measured.
    #[cfg(any(feature = "plan", test))]
    pub(super) fn faster_plan(&self) -> Option<Form> {
        if self.turn.form == Form::Planned && self.turn.calls > 0 && self.turn.measurement.is_some()
        {
            return None;
        }
        let [first, _, _, second] = self.times;
        Some(match first? <= second? {
            true => Form::Parallel,
            false => Form::Planned,
        })
    }

    /// Hands out calls of one form: a timed one, or many others.
    pub(super) fn next(&mut self, forms: Forms) -> (Next, u32) {
        if self.turn.calls == 0 || !forms.have(self.turn.form) {
            self.turn = self.plan(forms);
        }
        let Turn {
            form, calls, timed, ..
        } = self.turn;
        let calls = match timed {
            true => 1,
            false => calls.min(u64::from(MOST_UNTIMED)),
        };
        self.turn.calls -= calls;
        self.calls += calls;
        let next = Next {
            form,
            timed,
            lacks_threads: self.lacks_threads,
        };
        (next, calls as u32)
    }

    /// Takes note of a timed call.
    pub(super) fn took(&mut self, form: Form, time: Duration) {
        let time = i64::try_from(time.as_nanos()).unwrap_or(i64::MAX).max(1);
        let known = &mut self.times[form as usize];
        *known = Some(known.map_or(time, |known| known.min(time)));
        // Another thread may have ended the turn since.
        if self.turn.form == form {
            self.turn.least = Some(self.turn.least.map_or(time, |least| least.min(time)));
            match self.turn.measurement {
                None if form.is_parallel() => self.took_parallel(form, time),
                _ => self.took_measured(form, time),
            }
        }
    }

    fn took_parallel(&mut self, form: Form, time: i64) {
        self.lacks_threads = false;
        let was_warm = std::mem::replace(&mut self.is_warm, true);
        let Some(base) = self.fastest(|form| !form.is_parallel()) else {
            return;
        };
        let lost = (time - base).max(-base / GAIN);
        // What was gained on a base that has been measured anew, and is faster, was no gain.
        let gains = self.times[form as usize].is_some_and(|known| known < base);
        let ahead = if gains { CREDIT_TIME } else { 0 };
        let least = -ahead.max(base.saturating_mul(CREDIT));
        self.debt = self.debt.saturating_add(lost).clamp(least, MOST);
        if self.debt == least {
            self.patience[form as usize] = REST[0];
        }
        if lost > 0 && self.debt > 0 && (was_warm || lost > WAKING) {
            self.put_off(form, self.debt);
            let patience = &mut self.patience[form as usize];
            *patience = (2 * *patience).min(REST[1]);
            self.debt = 0;
            self.turn.calls = 0;
        }
    }

    fn took_measured(&mut self, form: Form, time: i64) {
        let on_one_core = self.fastest(|other| other != form && !other.is_parallel());
        let other = self.fastest(|other| other != form);
        let known = self.times[form as usize].unwrap_or(time);
        let was_warm = std::mem::replace(&mut self.is_warm, true) || !form.is_parallel();
        if let Some(cost) = &mut self.turn.measurement {
            let beyond = on_one_core.map_or(0, |other| (time - other).max(0));
            *cost = cost.saturating_add(beyond);
            // By what is known of the form: a single call may have been interrupted, or have had to
            // wake the workers.
            let is_judged = was_warm || beyond > WAKING;
            if is_judged && other.is_some_and(|other| known > other.saturating_mul(HOPELESS)) {
                self.turn.calls = 0;
            }
        }
    }

    /// Takes note that there were no threads for a parallel call.
    pub(super) fn lacks_threads(&mut self) {
        self.lacks_threads = true;
        for form in [Form::Parallel, Form::Planned] {
            let due = &mut self.due[form as usize];
            *due = (*due).max(self.calls + WITHOUT_THREADS);
        }
        if self.turn.form.is_parallel() {
            self.end_turn();
        }
    }

    /// Takes note that there is no plan.
    pub(super) fn lacks_plan(&mut self) {
        self.due[Form::Planned as usize] = u64::MAX;
        if self.turn.form == Form::Planned {
            self.end_turn();
        }
    }

    /// Ends a turn in which nothing was learnt.
    fn end_turn(&mut self) {
        self.turn.calls = 0;
        self.turn.measurement = None;
    }

    /// Plans a turn after the last one.
    fn plan(&mut self, forms: Forms) -> Turn {
        self.follow();
        self.end_measurement();
        let turn = |form, calls, timed| Turn {
            form,
            calls,
            timed,
            measurement: None,
            least: None,
        };
        if self.calls == 0 {
            let form = match forms.parallel {
                true => Form::Parallel,
                false => Form::Alone,
            };
            return turn(form, u64::from(FIRST), true);
        }
        self.put_off_plan();
        let base = self.base(forms);
        let is_due = |form: Form| forms.have(form) && self.due[form as usize] <= self.calls;
        let parallel = self.parallel(forms);
        let runs = match (is_due(parallel), self.second(parallel)) {
            (true, _) => parallel,
            (false, Some(second)) if is_due(second) => second,
            _ => base,
        };
        let is_unknown = |form: Form| self.times[form as usize].is_none();
        let is_wanted = |form: Form| is_due(form) && (form != runs || is_unknown(form));
        let measured = [Form::Written, Form::Alone, Form::Parallel, Form::Planned].into_iter();
        let mut measured = measured.filter(|&form| form != parallel);
        if let Some(form) = measured.find(|&form| is_wanted(form)) {
            self.is_warm = false;
            return Turn {
                measurement: Some(0),
                ..turn(form, u64::from(MEASURED), true)
            };
        }
        let others = Form::ALL.into_iter();
        let others = others.filter(|&form| form != runs && forms.have(form));
        let until = others.map(|form| self.due[form as usize]).min();
        let calls = until.map_or(1, |until| until.saturating_sub(self.calls).max(1));
        if runs.is_parallel() {
            self.is_warm = false;
            return turn(runs, calls, true);
        }
        if self.turn.form == base {
            return turn(base, calls, false);
        }
        // The base comes after another form: these calls tell what it takes now.
        self.put_off(base, 0);
        turn(base, calls.min(u64::from(MEASURED)), true)
    }

    /// Has the first plan of a [short](SHORT) call wait for four times as many calls.
    fn put_off_plan(&mut self) {
        let due = self.due[Form::Planned as usize];
        if !self.has_plan && due <= self.calls && self.times[Form::Planned as usize].is_none() {
            let on_one_core = self.fastest(|form| !form.is_parallel());
            if on_one_core.is_some_and(|time| time < SHORT) {
                self.due[Form::Planned as usize] = self.calls.saturating_mul(4);
            }
        }
    }

    /// Has the known time of the form whose turn ends follow the least of its calls, if that is
    /// longer: so a single call that was interrupted changes nothing.
    fn follow(&mut self) {
        if let Some(known) = &mut self.times[self.turn.form as usize]
            && let Some(least) = self.turn.least
        {
            *known += (least - *known) / 3;
        }
    }

    /// Has the form that was measured wait for the next time.
    fn end_measurement(&mut self) {
        let form = self.turn.form;
        if let Some(cost) = self.turn.measurement.take() {
            self.put_off(form, cost);
            let patience = &mut self.patience[form as usize];
            *patience = patience.saturating_mul(4);
        }
    }

    /// Has a form wait until so much time is paid for, and for as many calls as its patience says.
    fn put_off(&mut self, form: Form, cost: i64) {
        let base = self.fastest(|form| !form.is_parallel()).unwrap_or(1);
        let calls = cost.saturating_mul(SHARE) / base;
        let calls = self.patience[form as usize].max(calls.max(0) as u64);
        self.due[form as usize] = self.calls.saturating_add(calls);
    }

    /// The form on one core that runs where the parallel one does not.
    fn base(&self, forms: Forms) -> Form {
        let [_, alone, written, _] = self.times;
        match (alone, written) {
            (Some(alone), Some(written)) if forms.alone && alone < written - written / MARGIN => {
                Form::Alone
            }
            _ => Form::Written,
        }
    }

    /// The form on several cores that may run: the plan, once it is known to be the faster one.
    fn parallel(&self, forms: Forms) -> Form {
        let [program, _, _, plan] = self.times;
        match (program.filter(|_| forms.parallel), plan) {
            (Some(program), Some(plan)) if plan >= program => Form::Parallel,
            (None, Some(_)) if forms.parallel => Form::Parallel,
            (_, Some(_)) if forms.planned => Form::Planned,
            _ => Form::Parallel,
        }
    }

    /// Returns the other form on several cores, if it is known to be faster than those on one.
    fn second(&self, parallel: Form) -> Option<Form> {
        let second = match parallel {
            Form::Planned => Form::Parallel,
            _ => Form::Planned,
        };
        let on_one_core = self.fastest(|form| !form.is_parallel())?;
        (self.times[second as usize]? < on_one_core).then_some(second)
    }

    /// The least of the known times of these forms.
    fn fastest(&self, of: impl Fn(Form) -> bool) -> Option<i64> {
        let times = Form::ALL.into_iter();
        let times = times
            .filter(|&form| of(form))
            .map(|form| self.times[form as usize]);
        times.flatten().min()
    }
}
