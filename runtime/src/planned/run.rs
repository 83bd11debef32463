//! Calls of proved plans: chooses the plan that runs, or the function, by what calls have taken.

use std::sync::Arc;
use std::time::Instant;

use superstep_order::CallForm;
use superstep_planner::RIVALS;

use super::extents::{Array, Kind, Needed};
use super::program::Program;
use super::state::State;
use super::tracked::Loops;
use super::{Grains, Report, Settings, WaitPolicy};
use crate::call::{self, FIRST_ON_THREADS, Original, Outcome, Ran, Reason, Timed};
use crate::error::{Failure, LengthError, RunError};
use crate::fallback::{Fallback, Form, Forms, Next, Prospect};
use crate::fork::PerProcess;
use crate::load;
use crate::pool::Pool;
use crate::run::{self, Runs};
use crate::sync::Padded;
use crate::team::{self, Late, Need};
use crate::timeline;
use crate::words::proved::IS_TESTED;

/// Tape of each part of a plan; none if it runs in place.
pub(super) type Tapes<K> = Vec<Padded<<K as Grains>::Tape>>;

/// Tapes of each plan, and of the program for one processor.
type AllTapes<'t, K> = (&'t [Tapes<K>], &'t [Padded<<K as Grains>::Tape>]);

/// Runner of a plan, in place or loaded, or of the faster one of two plans. Several runs can go on
/// at once.
pub(super) struct Runner<K: Grains> {
    /// Programs of the plans: at least one; two if both are parallel.
    pub(super) programs: Vec<Arc<Program>>,
    /// Program for one processor: in order, or by level from a tape. Its loops need no tests of
    /// bounds. Of a loaded plan without such a tape one thread runs all processors instead.
    pub(super) alone: Arc<Program>,
    /// Predicted times of the plans, and that of the function.
    forms: Forms,
    wait: WaitPolicy,
    /// Set if runs are never compared with the function.
    pub(super) insists: bool,
    record: bool,
    /// Prices by which the plans were predicted, if none were measured.
    #[cfg(feature = "report")]
    costs: superstep_planner::Costs,
    kept: PerProcess<Kept<K>>,
}

/// Memory that runs leave for those that follow.
struct Kept<K: Grains> {
    /// Memory of each plan's runs, and of those on one processor.
    idle: [Pool<Idle<K>>; RIVALS],
    alone: Pool<Idle<K>>,
    fallback: Fallback,
}

/// Memory of a plan's runs, with its runs on threads; a farm has none.
struct Idle<K: Grains> {
    state: Arc<State<K>>,
    runs: Option<Runs>,
}

impl<K: Grains> Idle<K> {
    /// Makes the memory of runs on so many threads.
    fn new(
        program: &Arc<Program>,
        threads: usize,
        arguments: &K::Arguments<'_>,
        wait: WaitPolicy,
    ) -> Self {
        let is_shared = program.is_shared();
        let state = Arc::new(State::new(program, threads, arguments));
        let payload = || Arc::clone(&state) as _;
        let runs = (!is_shared).then(|| Runs::new(&program.ordered, payload(), threads, wait));
        Self { state, runs }
    }

    /// Runs all chunks of a plan, or gives the reason why there are no threads for it.
    fn run(&mut self, threads: usize) -> std::io::Result<Result<(), Failure>> {
        match &mut self.runs {
            Some(runs) => runs.run(Need::Wishes),
            None => self
                .state
                .recorded(|state| team::run(threads, Late::Excused, Need::Wishes, state).map(Ok)),
        }
    }
}

impl<K: Grains> Default for Kept<K> {
    fn default() -> Self {
        Self {
            idle: Default::default(),
            alone: Pool::default(),
            fallback: Fallback::of_plans(),
        }
    }
}

impl<K: Grains> Runner<K> {
    pub(super) fn new(programs: Vec<Arc<Program>>, settings: &Settings) -> Self {
        let alone = Program::in_order(outermost(&programs));
        Self {
            forms: forms(&programs, false),
            programs,
            alone,
            wait: settings.wait,
            insists: settings.insists,
            record: settings.record,
            #[cfg(feature = "report")]
            costs: settings.costs,
            kept: PerProcess::new(),
        }
    }

    /// Returns a runner of these programs: with tapes, or in place.
    pub(super) fn of(&self, programs: Vec<Arc<Program>>, is_loaded: bool) -> Self {
        Self {
            forms: forms(&programs, is_loaded),
            programs,
            alone: Arc::clone(&self.alone),
            kept: PerProcess::new(),
            ..*self
        }
    }

    /// Returns the bytes of the plans and their iterations.
    pub(super) fn bytes(&self) -> usize {
        let programs = self.programs.iter().map(|program| program.bytes());
        programs.sum::<usize>() + self.alone.lists.bytes()
    }

    /// Returns the number of the plan that calls have found to be faster, or that there is alone.
    pub(super) fn faster(&self) -> Option<usize> {
        match self.programs.len() {
            RIVALS => self.kept.get().fallback.faster_plan().map(plan_of),
            _ => Some(0),
        }
    }

    /// Returns the program that calls have found to be faster, or that is predicted to be.
    pub(super) fn program(&self) -> &Arc<Program> {
        &self.programs[self.faster().unwrap_or(0)]
    }

    /// Returns all that there is to say of the plan that calls have found to be faster, or that is
    /// predicted to be.
    #[cfg_attr(not(feature = "report"), expect(unused_variables))]
    pub(super) fn report<'p>(&'p self, control: K::Control<'p>) -> Report<'p> {
        let program = self.program();
        Report {
            plan: &program.report,
            is_gathered: false,
            #[cfg(feature = "report")]
            is_explained: false,
            #[cfg(feature = "report")]
            whole: Box::new(move |is_explained, run| {
                let (file, line) = K::PLACE;
                let kernel = superstep_report::Location {
                    name: K::NAME.to_owned(),
                    file: file.to_owned(),
                    line,
                };
                Loops::of::<K, _>(control, |loops| {
                    let explained = is_explained.then_some((&kernel, size_of::<K::Tape>() > 0));
                    let measured = program.report.measured.as_ref();
                    let costs = measured.map_or(self.costs, |measured| measured.costs);
                    let (account, answers) = loops.account(program, &costs, explained)?;
                    let subject = super::report::whole::Subject {
                        kernel: kernel.clone(),
                        control: String::new(),
                        plan: program.proved.plan(),
                        planned: &program.report,
                        account,
                        answers,
                    };
                    Ok(subject.whole(run))
                })
            }),
        }
    }

    /// Returns the number of threads of the first plan.
    pub(super) fn threads(&self) -> usize {
        self.programs[0].threads
    }

    /// Returns the programs by whose needs the lengths of arrays are measured. These are all that
    /// may run, but for the one in order where it has the needs of another.
    fn measures(&self) -> impl Iterator<Item = &Arc<Program>> {
        let has_its_needs =
            |program: &Arc<Program>| Arc::ptr_eq(&program.needed, &self.alone.needed);
        let is_measured = self.programs.iter().any(has_its_needs);
        let alone = (!is_measured).then_some(&self.alone);
        self.programs.iter().chain(alone)
    }

    /// Compares the lengths of arrays, those of some kinds, with what the plans use and were made
    /// for.
    ///
    /// # Errors
    /// If an array is not as long: that of the first such array.
    pub(super) fn check(
        &self,
        control: K::Control<'_>,
        is_given: impl Fn(Kind) -> bool,
        words: impl Fn(u16) -> usize,
    ) -> Result<(), LengthError> {
        for program in self.measures() {
            for (at, needed) in program.needed.iter().enumerate() {
                let Array { number, name, kind } = needed.array;
                if !is_given(kind) {
                    continue;
                }
                let found = words(number);
                if found < needed.words {
                    return Err(Loops::of::<K, _>(control, |loops| {
                        loops.too_short(&program.space, at, found, needed.words - 1)
                    }));
                }
                if let Some(planned) = needed.known
                    && planned != found
                {
                    return Err(LengthError::Other {
                        kernel: K::NAME,
                        array: name,
                        found,
                        planned,
                    });
                }
            }
        }
        Ok(())
    }

    /// Returns whether an argument is shorter than a plan needs.
    fn is_short(&self, arguments: &K::Arguments<'_>) -> bool {
        let mut needed = self.measures().flat_map(|program| &program.needed[..]);
        needed.any(|Needed { array, words, .. }| {
            array.kind != Kind::Common && K::argument_words(arguments, array.number) < *words
        })
    }

    /// Runs a plan, or gives the arguments back for the function. `tapes`: of each plan, and of
    /// the program for one processor; none where they run in place.
    pub(super) fn run<'p, 'a>(
        &'p self,
        control: K::Control<'_>,
        tapes: Option<AllTapes<'_, K>>,
        mut arguments: K::Arguments<'a>,
    ) -> Result<Outcome<'p, K::Arguments<'a>>, RunError> {
        call::begin();
        if !team::inside() {
            timeline::begin(K::NAME, self.record);
        }
        let is_given = |kind| kind != Kind::Common;
        self.check(control, is_given, |array| {
            K::argument_words(&arguments, array)
        })?;
        let turn = match self.turn(&arguments) {
            Ok(next) => match self.run_timed(control, tapes, next, &mut arguments)? {
                Some(ran) => {
                    call::keep(ran, self.reason(next));
                    return Ok(Outcome::Ran);
                }
                None => Original::in_place_of::<K>(Reason::NoThreads, None),
            },
            Err(turn) => turn,
        };
        Ok(Outcome::Original(arguments, turn))
    }

    /// Returns why a run of this form was not one on several processors, if it was not.
    fn reason(&self, next: Option<Next>) -> Option<Reason> {
        let is_alone = next.is_some_and(|next| next.form == Form::Alone);
        match self.threads() {
            0 | 1 => Some(Reason::Sequential),
            _ => next
                .filter(|_| is_alone)
                .map(|next| next.reason(Reason::Slower)),
        }
    }

    /// Runs the plan, which is not compared with the function here, or gives the reason why it
    /// cannot run.
    pub(super) fn run_uncompared(
        &self,
        control: K::Control<'_>,
        arguments: &mut K::Arguments<'_>,
    ) -> Result<Result<Ran, Reason>, RunError> {
        if self.is_short(arguments) || has_no_word::<K>(arguments) {
            return Ok(Err(Reason::Short));
        }
        let ran = self.run_timed(control, None, None, arguments)?;
        Ok(ran.ok_or(Reason::NoThreads))
    }

    /// Chooses the form of the next call: parallel, or the function. None if runs insist.
    fn turn(&self, arguments: &K::Arguments<'_>) -> Result<Option<Next>, Original<'_>> {
        if has_no_word::<K>(arguments) {
            return Err(Original::in_place_of::<K>(Reason::Short, None));
        }
        if team::inside() {
            return Err(Original::in_place_of::<K>(Reason::Nested, None));
        }
        if K::CAN_GIVE_UP && cfg!(panic = "abort") {
            return Err(Original::in_place_of::<K>(Reason::Aborts, None));
        }
        if self.insists {
            return Ok(None);
        }
        let fallback = &self.kept.get().fallback;
        let next = fallback.next(self.forms, || load::is_busy(self.threads()));
        if next.form == Form::Written {
            let timed = next.timed.then_some(Timed::Lent(fallback));
            let reason = match self.threads() {
                0 | 1 => Reason::Sequential,
                _ => next.reason(Reason::AsWritten),
            };
            return Err(Original::in_place_of::<K>(reason, timed));
        }
        Ok(Some(next))
    }

    /// Runs a plan on its threads, if these can be had, and takes note of how long it takes.
    fn run_timed(
        &self,
        control: K::Control<'_>,
        tapes: Option<AllTapes<'_, K>>,
        next: Option<Next>,
        arguments: &mut K::Arguments<'_>,
    ) -> Result<Option<Ran>, RunError> {
        let start = next.filter(|next| next.timed).map(|_| Instant::now());
        let form = next.map_or(Form::Parallel, |next| next.form);
        let kept = self.kept.get();
        let (plan, is_alone) = (plan_of(form), form == Form::Alone);
        let (own, of_plan) = match tapes {
            Some((plans, alone)) => (alone, &plans[plan][..]),
            None => (&[][..], &[][..]),
        };
        // A plan for one processor that is loaded has another form in place.
        let is_apart = !own.is_empty() || of_plan.is_empty() || self.threads() <= 1;
        let (program, tapes) = match is_alone && is_apart {
            true => (&self.alone, own),
            false => (&self.programs[plan], of_plan),
        };
        let tapes = Some(tapes).filter(|tapes| !tapes.is_empty());
        let threads = match (is_alone, program.is_shared()) {
            (true, _) => 1,
            (false, true) => program.threads,
            (false, false) => run::threads(program.threads),
        };
        let idle = if is_alone {
            &kept.alone
        } else {
            &kept.idle[plan]
        };
        let new = || Idle::new(program, threads, arguments, self.wait);
        let mut memory = idle.take().unwrap_or_else(new);
        let state = Arc::clone(&memory.state);
        let run = || memory.run(threads);
        let ended = state.during(control, tapes, arguments, run);
        let identity = || {
            let program = Arc::clone(program);
            Some((
                CallForm::Plan,
                Box::new(move || program.identity(K::NAME)) as _,
            ))
        };
        timeline::end(identity, ended.is_err());
        let failed = |failure: Failure| failure.into_error(K::NAME);
        let outcome = match ended.map_err(failed)? {
            Ok(ran) => Ok(ran.map_err(failed)?),
            Err(no_threads) => Err(no_threads),
        };
        let worked = state.worked();
        idle.put(memory);
        match (&outcome, start) {
            (Ok(()), Some(start)) => kept.fallback.took(form, start.elapsed()),
            (Err(_), Some(_)) => kept.fallback.lacks_threads(),
            _ => {}
        }
        let chosen = self.threads();
        let of = |threads: usize| if is_alone { 1 } else { threads };
        let ran = Ran {
            kernel: K::NAME,
            processors: of(program.threads),
            instead_of: (is_alone && chosen > 1).then_some(chosen),
            supersteps: program.ordered.longest() as usize,
            worked: of(worked),
            predicted: None,
        };
        Ok(outcome.is_ok().then_some(ran))
    }
}

/// Returns the forms of runs: a plan or two, the one on one thread, and the function. In place the
/// form on one thread has the function's loops at worst; loaded it is taken to be as fast. A plan
/// for one processor is a form of its own if it is loaded.
fn forms(programs: &[Arc<Program>], is_loaded: bool) -> Forms {
    let prospect = |program: &Arc<Program>| {
        let is_parallel = program.threads > 1;
        let predicted = match is_loaded {
            true => program.report.predicted_loaded(),
            false => program.report.predicted(),
        };
        let prospect = Prospect {
            predicted: Some(predicted as i64),
            first: if is_parallel { FIRST_ON_THREADS } else { 0 },
        };
        (is_parallel || is_loaded).then_some(prospect)
    };
    let mut prospects = programs.iter().map(prospect);
    let function = Some(programs[0].report.nanoseconds as i64);
    // With tests of accesses loops in order are slower than the function's.
    let is_alone = !IS_TESTED || is_loaded && programs[0].threads > 1;
    Forms {
        parallel: prospects.next().flatten(),
        alone: is_alone.then_some(Prospect {
            predicted: function,
            first: 0,
        }),
        planned: prospects.next().flatten(),
        function,
    }
}

/// Returns the program whose grains are iterations of the outermost loops. There is at least one.
fn outermost(programs: &[Arc<Program>]) -> &Arc<Program> {
    programs.iter().fold(&programs[0], |best, program| {
        match program.space.level() < best.space.level() {
            true => program,
            false => best,
        }
    })
}

/// Returns whether the arguments lack a word of which the arrays in common could be made.
fn has_no_word<K: Grains>(arguments: &K::Arguments<'_>) -> bool {
    !K::COMMON.is_empty() && !K::fills(arguments)
}

/// Returns the number of the plan that is a form of calls.
fn plan_of(form: Form) -> usize {
    usize::from(form == Form::Planned)
}
