//! Rule by which calls fall back. It sees how long calls took, what builds and planners have
//! predicted, and, before a first trial on several cores, whether others keep these.
//!
//! * **The function begins**, unless another form is predicted to gain more than its first call
//!   takes.
//! * **First trials are paid for by an [allowance](Allowance)**, so that from the first call on all
//!   together take little more than the function would. A form is tried as soon as the allowance
//!   pays what that may lose; of several forms the one that may lose least. A trial is three calls,
//!   but ends once its next call is not paid for.
//! * **The two forms on one core are measured** again after 12, 48, 192 calls and so on. They have
//!   three calls each; one, if that takes twice as long as another form. The faster one is the
//!   **base**; the program only if it is faster by a thirty-second.
//! * **What runs is timed, too**: each call, and of short ones [so many](SAMPLED) that it costs
//!   little. Where its [time](Time) has changed by a quarter, as other data has come, the other
//!   forms are measured at once.
//! * **Of the two forms on several cores** (the program, and a [plan](Form::Planned)) **the faster
//!   one** may run, if it is faster than the base. While the faster one has a debt, the other may
//!   run so. The other is measured as those on one core are. A plan is made after some
//!   [calls](UNPLANNED), while others run.
//! * **Parallel calls run up a debt**: the time that they take beyond the base. Faster ones pay off
//!   a little and, ahead, up to [some time](CREDIT_TIME), so that an interruption changes nothing.
//!   A form that gained in its first trial has the allowance ahead. One that is slower while there
//!   is a debt ends their turn. The turn's first does not, if it took no more beyond the base than
//!   waking the workers may.
//! * **The base then runs** until 100 times the debt has passed. In the same way the measurement of
//!   a slower form on one core is paid for before the next.
//!
//! So, however times vary:
//!
//! * calls together take at most 1/50 more than in the base form, but for two calls and the
//!   allowance;
//! * of many calls at most a third take more than 1.5 times as long;
//! * a machine that is idle again is found so after at most 100 times as long as the slow calls
//!   took, or 256 calls.

use std::time::Duration;

use super::allowance::{Allowance, BUSY, DEBT};
use super::times::Time;
use super::{FORMS, Form, Forms, MOST_UNTIMED, Next, Risk};

/// Calls of a measurement, and the calls after the first one until the next; later four times as
/// many each time.
const MEASURED: u32 = 3;
const PATIENCE: u64 = 12;

/// Calls before a plan is made, ahead of the calls that run it. So who calls a few times does not
/// have a core do what would not pay. Of the collection's kernels at their real sizes, that takes
/// as long as 50 calls in the median, and as 160 for nine in ten.
const UNPLANNED: u64 = 256;

/// Time of a call on one core, in nanoseconds, below which no plan is made: running on several
/// takes microseconds more. With plans for all calls, none of the 51 rows of the collection below
/// it ran one in the end. Then 41 of its 132 rows took more than 1.03 of the function; with this
/// bound 17 do.
const SHORT: i64 = 10_000;

/// Factor that ends a measurement: a call takes so many times another form's time.
const HOPELESS: i64 = 2;

/// Share of the time of calls that goes into slower forms, as a divisor. The two that are not the
/// base have 1/100 each. That leaves room below 3 % in all for measurements that come in pairs.
const SHARE: i64 = 100;

/// Share of its time by which the program for one processor has to be faster than the function, as
/// a divisor. Times of 3 calls are no more exact.
const MARGIN: i64 = 32;

/// Share of the base's time, as a divisor, that a parallel call gains at most. Gains that are
/// smaller than what calls of 1.5 times that time lose keep these few.
const GAIN: i64 = 4;

/// Time that may be gained in advance, in calls of the base; or [`CREDIT_TIME`], if that is longer.
const CREDIT: i64 = 4;

/// Time that may be gained in advance, in nanoseconds: two to three time slices of the system's
/// scheduler, of 3 to 4 ms.
///
/// With [`CREDIT`] alone every slice that another program takes has the base of a call of 50 us run
/// for thousands of calls. The experiment is the collection's kernels at their real sizes, on two
/// processors, by the function: six of them, three times each, and all 66.
///
/// | ahead | [`CREDIT`] alone | 2 ms | 5 ms | 10 ms | 20 ms |
/// |---|---|---|---|---|---|
/// | six | .71 | .70 | .66 | | .64 |
/// | all | .71 | | | .67 | |
///
/// More only delays the function where others keep the cores.
const CREDIT_TIME: i64 = 10_000_000;

/// Time, in nanoseconds, that waking the workers may take: tens of microseconds on an idle machine.
const WAKING: i64 = 1_000_000;

/// Calls of the base between two turns of parallel calls, at least: from the one number to the
/// other, doubled while these turns fail. Small debts are paid by so few calls that all would be
/// timed.
const REST: [u64; 2] = [4, 256];

/// Calls between two attempts to have threads.
const WITHOUT_THREADS: u64 = 16;

/// Time of calls of the form that runs on one core, in nanoseconds, of which one is timed. Looking
/// at the clock and telling the rule takes about 0.1 us (an estimate), a two-hundredth of it. And
/// the most calls of which one is timed: a test bounds the timed calls of the shortest functions.
const SAMPLED: (i64, i64) = (20_000, 128);

/// Calls of the form that runs on one core, all of them timed, between two looks for a change.
/// Where control arguments hold patterns, these are compared in full at each look. With a look at
/// one in 12 calls that was 2 % of the function's time, for the collection's `ldl`.
const WATCHED: u64 = 48;

/// Change of the time of the form that runs, as a divisor, by which others are measured at once.
/// Medians of eight calls of one input move by less on a quiet machine. Not tuned.
const CHANGED: i64 = 4;

/// Consecutive calls of one form.
#[derive(Clone, Copy, Debug)]
struct Turn {
    form: Form,
    /// Number of calls that are left.
    calls: u64,
    /// Calls between two that are timed; 0: all are.
    between: u64,
    /// Calls until the next one that is timed.
    until: u64,
    /// Cost of a measurement, in nanoseconds beyond the other form on one core; none if the turn is
    /// not one.
    measurement: Option<i64>,
    /// Risk of the next call, if the form was measured never before.
    trial: Option<Risk>,
}

impl Turn {
    /// Returns a turn whose calls are all timed.
    fn timed(form: Form, calls: u64) -> Self {
        Self::sampled(form, calls, 0)
    }

    /// Returns a turn of which one call is timed after so many others.
    fn sampled(form: Form, calls: u64, between: u64) -> Self {
        Self {
            form,
            calls,
            between,
            until: between,
            measurement: None,
            trial: None,
        }
    }

    /// Takes calls: a timed one, or many others.
    fn take(&mut self) -> (u64, bool) {
        let calls = self.until.min(self.calls).min(u64::from(MOST_UNTIMED));
        let is_timed = calls == 0;
        match is_timed {
            true => self.until = self.between,
            false => self.until -= calls,
        }
        let calls = calls.max(1);
        self.calls -= calls;
        (calls, is_timed)
    }

    fn measured(form: Form, trial: Option<Risk>) -> Self {
        Self {
            measurement: Some(0),
            trial,
            ..Self::timed(form, u64::from(MEASURED))
        }
    }
}

/// Memory of a program's calls. Times in nanoseconds, by form.
#[derive(Clone, Debug)]
pub(super) struct Rule {
    /// Number of all calls that were handed out.
    calls: u64,
    turn: Turn,
    times: [Time; FORMS],
    allowance: Allowance,
    /// Number of calls from which on each form may be tried, if another one runs.
    due: [u64; FORMS],
    /// Number of calls from which on the measurements of each form are paid for.
    paid: [u64; FORMS],
    /// Calls from one trial to the next.
    patience: [u64; FORMS],
    /// Time of the form that runs, when the others were measured last.
    usual: Option<i64>,
    /// Time of this turn's parallel calls beyond the base; negative where they gained.
    debt: i64,
    /// Set if the first call of the parallel turn has passed.
    is_warm: bool,
    lacks_threads: bool,
    /// Set if the plan costs nothing but calls of its own.
    has_plan: bool,
    /// Calls before a plan may pay.
    unplanned: u64,
}

impl Default for Rule {
    fn default() -> Self {
        Self {
            calls: 0,
            turn: Turn::timed(Form::Written, 0),
            times: [Time::default(); FORMS],
            allowance: Allowance::default(),
            due: [0, 0, PATIENCE, 0],
            paid: [0; FORMS],
            patience: [REST[0], PATIENCE, PATIENCE, PATIENCE],
            usual: None,
            debt: 0,
            is_warm: false,
            lacks_threads: false,
            has_plan: false,
            unplanned: UNPLANNED,
        }
    }
}

impl Rule {
    /// Returns the rule of calls that run plans: the first is [`Form::Parallel`], the second, if
    /// there is one, [`Form::Planned`], and is measured at once.
    #[cfg(any(feature = "plan", test))]
    pub(super) fn of_plans() -> Self {
        Self {
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
        Some(match first.known()? <= second.known()? {
            true => Form::Parallel,
            false => Form::Planned,
        })
    }

    /// Hands out calls of one form: a timed one, or many others. `is_busy` tells whether others
    /// keep the cores that a form on several would have.
    pub(super) fn next(&mut self, forms: Forms, is_busy: impl FnOnce() -> bool) -> (Next, u32) {
        if self.turn.calls == 0 || !forms.have(self.turn.form) {
            self.turn = self.plan(forms, is_busy);
        }
        self.hand_out()
    }

    /// Hands out calls of the function, if it is in the midst of its turn and not being measured.
    pub(super) fn next_if_written(&mut self) -> Option<(Next, u32)> {
        let Turn {
            form,
            calls,
            measurement,
            ..
        } = self.turn;
        let is_its_turn = form == Form::Written && calls > 0 && measurement.is_none();
        (is_its_turn && self.known(form).is_some()).then(|| self.hand_out())
    }

    fn hand_out(&mut self) -> (Next, u32) {
        let form = self.turn.form;
        let (calls, timed) = self.turn.take();
        self.allowance.pass(calls, self.calls);
        self.calls += calls;
        let next = Next {
            form,
            timed,
            lacks_threads: self.lacks_threads,
            plans: self.may_plan(),
        };
        (next, calls as u32)
    }

    /// Takes note of a timed call.
    pub(super) fn took(&mut self, form: Form, time: Duration) {
        let time = nanoseconds(time).max(1);
        self.times[form as usize].took(time);
        match (form, self.known(Form::Written)) {
            (Form::Written, Some(function)) => self.allowance.know(function),
            _ => self.allowance.took(time),
        }
        // Another thread may have ended the turn since.
        if self.turn.form == form {
            match self.turn.measurement {
                None if form.is_parallel() => self.took_parallel(form, time),
                // One long call of the function says enough to try another form.
                None if time > WAKING => self.turn.calls = 0,
                _ => self.took_measured(form, time),
            }
        }
    }

    /// Takes note of time that a call took for what later ones need.
    pub(super) fn prepared(&mut self, time: Duration) {
        self.allowance.spend(nanoseconds(time));
    }

    fn known(&self, form: Form) -> Option<i64> {
        self.times[form as usize].known()
    }

    fn took_parallel(&mut self, form: Form, time: i64) {
        self.lacks_threads = false;
        let was_warm = std::mem::replace(&mut self.is_warm, true);
        let Some(base) = self.fastest(|form| !form.is_parallel()) else {
            return;
        };
        let lost = (time - base).max(-base / GAIN);
        // What was gained on a base that has been measured anew, and is faster, was no gain.
        let gains = self.known(form).is_some_and(|known| known < base);
        let ahead = if gains { CREDIT_TIME } else { 0 };
        let least = -ahead.max(base.saturating_mul(CREDIT));
        self.debt = self.debt.saturating_add(lost).clamp(least, DEBT);
        if self.debt == least {
            self.patience[form as usize] = REST[0];
        }
        if lost > 0 && self.debt > 0 && (was_warm || lost > WAKING) {
            self.put_off(form, self.debt);
            self.lose_patience(form);
            self.debt = 0;
            self.turn.calls = 0;
        }
    }

    fn took_measured(&mut self, form: Form, time: i64) {
        let on_one_core = self.fastest(|other| other != form && !other.is_parallel());
        let other = self.fastest(|other| other != form);
        let known = self.known(form).unwrap_or(time);
        let was_warm = std::mem::replace(&mut self.is_warm, true) || !form.is_parallel();
        let Some(cost) = &mut self.turn.measurement else {
            return;
        };
        let beyond = on_one_core.map_or(0, |other| (time - other).max(0));
        *cost = cost.saturating_add(beyond);
        // By what is known of the form: a single call may have been interrupted, or have had to
        // wake the workers.
        let is_judged = was_warm || beyond > WAKING;
        let is_hopeless = other.is_some_and(|other| known > other.saturating_mul(HOPELESS));
        let risk = self.turn.trial.as_mut();
        let next = risk.map(|risk| risk.call.max(beyond - std::mem::take(&mut risk.first)));
        let is_paid = next.is_none_or(|next| self.allowance.pays(next));
        if (is_judged && is_hopeless) || !is_paid {
            self.turn.calls = 0;
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

    /// Ends a turn in which nothing was learnt.
    fn end_turn(&mut self) {
        self.turn.calls = 0;
        self.turn.measurement = None;
    }

    /// Plans a turn after the last one.
    fn plan(&mut self, forms: Forms, is_busy: impl FnOnce() -> bool) -> Turn {
        let last = self.turn.form;
        if last.is_parallel() || self.turn.measurement.is_some() {
            self.settle(last);
        }
        self.end_measurement();
        if self.known(Form::Written).is_none() {
            return match self.calls == 0 && forms.begin_in_parallel() && !is_busy() {
                true => Turn::timed(Form::Parallel, 1),
                false => Turn::timed(Form::Written, u64::from(MEASURED)),
            };
        }
        let turn = self.trial(forms, is_busy);
        let turn = turn.unwrap_or_else(|| self.measurement_or_run(forms));
        if turn.form != last {
            self.settle(last);
            self.is_warm = false;
        }
        turn
    }

    /// Has the time of a form follow its last calls. Of one on several cores a single call says
    /// enough, as its turn ends with one that is slow.
    fn settle(&mut self, form: Form) {
        let least = if form.is_parallel() { 1 } else { MEASURED };
        self.times[form as usize].settle(least as usize);
    }

    /// Returns the first trial of a form, if the allowance pays for one.
    fn trial(&mut self, forms: Forms, is_busy: impl FnOnce() -> bool) -> Option<Turn> {
        let function = self.known(Form::Written)?;
        let untried = Form::ALL.into_iter().filter_map(|form| {
            let is_due = self.known(form).is_none() && self.due[form as usize] <= self.calls;
            let risk = forms.risk(form, function).filter(|_| is_due)?;
            Some((risk, form))
        });
        let (risk, form) = untried.min_by_key(|&(risk, _)| risk.all())?;
        if !self.allowance.pays(risk.all()) {
            return None;
        }
        let busy = BUSY.0.saturating_add(function.saturating_mul(BUSY.1));
        let is_paid = self.allowance.pays(risk.all().saturating_add(busy));
        if form.is_parallel() && !is_paid && is_busy() {
            self.due[form as usize] = self.calls + self.patience[form as usize];
            self.lose_patience(form);
            return None;
        }
        Some(Turn::measured(form, Some(risk)))
    }

    /// Returns the measurement of a form that is due, or a turn of the form that is the fastest.
    fn measurement_or_run(&mut self, forms: Forms) -> Turn {
        let base = self.base(forms);
        let is_due = |form: Form| {
            let is_due = self.is_tried(form, forms) && self.due[form as usize] <= self.calls;
            is_due && self.is_paid(form)
        };
        let parallel = self.parallel(forms);
        let runs = match (is_due(parallel), self.second(parallel)) {
            (true, _) => parallel,
            (false, Some(second)) if is_due(second) => second,
            _ => base,
        };
        let measured = [Form::Written, Form::Alone, Form::Parallel, Form::Planned];
        let is_wanted = |&form: &Form| form != runs && form != parallel && is_due(form);
        if let Some(form) = measured.into_iter().find(is_wanted) {
            return Turn::measured(form, None);
        }
        self.look_for_change(runs);
        let others = Form::ALL.into_iter().filter(|&form| form != runs);
        let until = others.filter_map(|form| self.looked_at(form, forms)).min();
        let calls = until.map_or(u64::MAX, |until| until.saturating_sub(self.calls).max(1));
        match runs.is_parallel() {
            true => Turn::timed(runs, calls),
            false => self.run_on_one_core(runs, calls),
        }
    }

    /// Returns the number of calls from which on a form may have a turn; none if there is no such
    /// form. One that was not tried is looked at again and again, as the allowance grows.
    fn looked_at(&self, form: Form, forms: Forms) -> Option<u64> {
        let due = self.due[form as usize];
        forms
            .have(form)
            .then(|| match self.is_tried(form, forms) && self.is_paid(form) {
                true => due,
                false => due.max(self.calls + PATIENCE),
            })
    }

    /// Returns a turn of the base, whose calls are timed, or of short ones one after many others.
    fn run_on_one_core(&mut self, base: Form, calls: u64) -> Turn {
        let (time, most) = SAMPLED;
        let known = self.known(base).unwrap_or(time);
        let untimed = (time / known.max(1)).clamp(1, most) as u64 - 1;
        if self.turn.form != base {
            // The base comes after another form: these calls tell what it takes now.
            self.put_off(base, 0);
            return Turn::timed(base, calls.min(u64::from(MEASURED)));
        }
        Turn::sampled(base, calls.min(WATCHED.max(2 * (untimed + 1))), untimed)
    }

    /// Has other forms measured at once if the time of the one that runs has changed.
    fn look_for_change(&mut self, runs: Form) {
        let Some(known) = self.known(runs) else {
            return;
        };
        let usual = match self.usual {
            Some(usual) if self.turn.form == runs => usual,
            _ => *self.usual.insert(known),
        };
        if (known - usual).abs() > usual / CHANGED {
            self.usual = Some(known);
            for form in Form::ALL.into_iter().filter(|&form| form != runs) {
                if self.times[form as usize].known().is_some() {
                    let soon = self.paid[form as usize].max(self.calls + 1);
                    let due = &mut self.due[form as usize];
                    *due = (*due).min(soon);
                    self.patience[form as usize] = PATIENCE;
                }
            }
        }
    }

    /// Returns whether a plan may pay: not of few calls, nor of [short](SHORT) ones, which wait for
    /// four times as many.
    fn may_plan(&mut self) -> bool {
        if self.has_plan || self.calls < self.unplanned {
            return false;
        }
        let on_one_core = self.fastest(|form| !form.is_parallel());
        let is_short = on_one_core.is_none_or(|time| time < SHORT);
        if is_short {
            self.unplanned = self.calls.saturating_mul(4);
        }
        !is_short
    }

    /// Has the form that was measured wait for the next time, unless it is on several cores and the
    /// fastest: then it may run.
    fn end_measurement(&mut self) {
        let form = self.turn.form;
        let Some(cost) = self.turn.measurement.take() else {
            return;
        };
        let other = self.fastest(|other| other != form);
        if form.is_parallel() && self.known(form) < other {
            if self.turn.trial.is_some() {
                self.debt = -self.allowance.left();
            }
            self.due[form as usize] = self.calls;
            self.patience[form as usize] = REST[0];
            return;
        }
        self.put_off(form, cost);
        let patience = &mut self.patience[form as usize];
        *patience = patience.saturating_mul(4);
    }

    fn lose_patience(&mut self, form: Form) {
        let patience = &mut self.patience[form as usize];
        *patience = (2 * *patience).min(REST[1]);
    }

    /// Has a form wait until so much time is paid for, and for as many calls as its patience says.
    fn put_off(&mut self, form: Form, cost: i64) {
        let base = self.fastest(|form| !form.is_parallel()).unwrap_or(1);
        let calls = cost.saturating_mul(SHARE) / base;
        self.paid[form as usize] = self.calls.saturating_add(calls.max(0) as u64);
        let patient = self.calls.saturating_add(self.patience[form as usize]);
        self.due[form as usize] = patient.max(self.paid[form as usize]);
    }

    /// Returns the form on one core that runs where the parallel one does not.
    fn base(&self, forms: Forms) -> Form {
        match (self.known(Form::Alone), self.known(Form::Written)) {
            (Some(alone), Some(written))
                if forms.have(Form::Alone) && alone < written - written / MARGIN =>
            {
                Form::Alone
            }
            _ => Form::Written,
        }
    }

    /// Returns the form on several cores that may run: the plan, once it is known to be the faster
    /// one.
    fn parallel(&self, forms: Forms) -> Form {
        let known = |form| self.known(form).filter(|_| forms.have(form));
        match (known(Form::Parallel), known(Form::Planned)) {
            (Some(program), Some(plan)) if plan >= program => Form::Parallel,
            (_, Some(_)) => Form::Planned,
            _ => Form::Parallel,
        }
    }

    /// Returns whether the allowance pays for a measurement of a form, if it is slower than the
    /// function.
    fn is_paid(&self, form: Form) -> bool {
        let lost = self
            .known(form)
            .zip(self.known(Form::Written))
            .map(|(form, function)| form - function);
        lost.is_none_or(|lost| lost <= 0 || self.allowance.pays_again(i64::from(MEASURED) * lost))
    }

    fn is_tried(&self, form: Form, forms: Forms) -> bool {
        forms.have(form) && self.known(form).is_some()
    }

    /// Returns the other form on several cores, if it is known to be faster than those on one.
    fn second(&self, parallel: Form) -> Option<Form> {
        let second = match parallel {
            Form::Planned => Form::Parallel,
            _ => Form::Planned,
        };
        let on_one_core = self.fastest(|form| !form.is_parallel())?;
        (self.known(second)? < on_one_core).then_some(second)
    }

    /// Returns the least of the known times of these forms.
    fn fastest(&self, of: impl Fn(Form) -> bool) -> Option<i64> {
        let forms = Form::ALL.into_iter().filter(|&form| of(form));
        forms.filter_map(|form| self.known(form)).min()
    }
}

fn nanoseconds(time: Duration) -> i64 {
    i64::try_from(time.as_nanos()).unwrap_or(i64::MAX)
}
