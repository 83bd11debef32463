//! Program that was chosen for a call, or another form in its place.

use std::sync::Arc;
use std::time::{Duration, Instant};

use superstep_order::CallForm;
use superstep_plan::{Head, Plan, PlanError};

use super::planned::{self, run_plan};
use super::{LAST, Original, Outcome, Planning, Ran, Reason, Timed, original};
use crate::error::RunError;
use crate::fallback::{Fallback, Form, Forms, Next, Prospect};
use crate::fork::PerProcess;
use crate::kernel::Kernel;
use crate::keyed_program::KeyedProgram;
use crate::load;
use crate::memory::Memory;
use crate::options::Options;
use crate::program::Program;
use crate::team;
use crate::timeline;

/// Source of a program.
pub(super) enum Source<'p, K: Kernel> {
    /// Program of the generated file, whose tables may yet have to be decoded.
    Keyed(&'p KeyedProgram<K>, Head),
    /// Program that was prepared.
    Program(&'p Arc<Program<K>>),
}

impl<'p, K: Kernel> Source<'p, K> {
    /// Returns the program, decoded by now.
    pub(super) fn program(&self) -> Result<&'p Arc<Program<K>>, PlanError> {
        match self {
            Self::Keyed(keyed, _) => keyed.program(),
            Self::Program(program) => Ok(program),
        }
    }

    /// Returns whether the program is decoded. If not, it will be; `fallback` is told the time that
    /// it takes now.
    fn is_ready(&self, fallback: &Fallback) -> Result<bool, PlanError> {
        let Self::Keyed(keyed, _) = self else {
            return Ok(true);
        };
        if keyed.is_decoded() {
            return Ok(true);
        }
        let start = Instant::now();
        let program = keyed.program_ahead()?;
        fallback.prepared(start.elapsed());
        Ok(program.is_some())
    }

    pub(super) fn head(&self) -> Head {
        match self {
            Self::Keyed(_, head) => *head,
            Self::Program(program) => program.plan().head(),
        }
    }

    fn calls(&self) -> &'p PerProcess<Memory> {
        match self {
            Self::Keyed(keyed, _) => &keyed.calls,
            Self::Program(program) => &program.calls,
        }
    }

    /// Returns what is known of the program before its first call, if it could run now.
    fn prospect(&self, fallback: &Fallback) -> Result<Option<Prospect>, PlanError> {
        let head = self.head();
        let first = match head.processors {
            1 => FIRST_ALONE,
            _ => FIRST_ON_THREADS,
        };
        let is_predicted = head.predicted > 0;
        let predicted = is_predicted.then(|| i64::try_from(head.predicted).unwrap_or(i64::MAX));
        let prospect = Prospect { predicted, first };
        Ok(self.is_ready(fallback)?.then_some(prospect))
    }
}

/// Time that the first call of a program takes beyond later ones, in nanoseconds: pages of its code
/// and of memory are seen first. An estimate: of Givens rotations it was 50 to 90 us, whose code is
/// 300 kB of source.
const FIRST_ALONE: i64 = 10_000;

/// Time that the first call on several processors takes beyond later ones, in nanoseconds: waking
/// workers takes some 50 us, and pages are seen first. An estimate.
pub(crate) const FIRST_ON_THREADS: i64 = 100_000;

/// Program for a call, and what there is beside it.
pub(super) struct Chosen<'p, K: Kernel> {
    pub(super) program: Source<'p, K>,
    /// Program for one processor, if that is another one.
    pub(super) alone: Option<Source<'p, K>>,
    pub(super) may_fall_back: bool,
    /// Set if all control arguments are known to be those of the program.
    pub(super) is_compared: bool,
    /// Cores of this thread.
    pub(super) cores: usize,
}

/// Calls that may fall back.
pub(super) struct Calls<'p, 'c, K: Kernel> {
    pub(super) memory: &'p Memory,
    /// Planning for the call's control arguments, if a plan may run.
    pub(super) planning: Option<&'c dyn Planning<K>>,
    /// Time at which a timed call of a program began, if that is not now.
    pub(super) since: Option<Instant>,
}

impl<'p, K: Kernel> Chosen<'p, K> {
    /// Returns the memory of these calls, and who makes plans for them if one may run; none if
    /// calls cannot fall back.
    pub(super) fn calls<'c>(
        &self,
        options: &Options,
        planning: Option<&'c dyn Planning<K>>,
        since: Option<Instant>,
    ) -> Option<Calls<'p, 'c, K>> {
        if !self.may_fall_back {
            return None;
        }
        let planned = planning.zip(options.processors_of_plans(self.cores));
        let processors = planned.map_or(0, |(_, processors)| processors);
        Some(Calls {
            memory: self.program.calls().get().of(processors),
            planning: planned.map(|(planning, _)| planning),
            since,
        })
    }

    fn processors(&self) -> usize {
        self.program.head().processors as usize
    }

    /// Returns the forms that this call may have, with the plan if it `has_plan`.
    fn forms(&self, has_plan: bool, fallback: &Fallback) -> Result<Forms, PlanError> {
        let program = self.program.prospect(fallback)?;
        let alone = self.alone.as_ref().map(|alone| alone.prospect(fallback));
        let alone = alone.transpose()?.flatten();
        let planned = has_plan.then_some(planned::PROSPECT);
        let (parallel, alone) = match self.processors() {
            1 => (None, program),
            _ => (program, alone),
        };
        Ok(Forms {
            parallel,
            alone,
            planned,
            function: None,
        })
    }

    /// Runs the program, or by what earlier calls have shown another form in its place.
    pub(super) fn run<'a>(
        &self,
        calls: Option<Calls<'p, '_, K>>,
        options: &Options,
        mut arguments: K::Arguments<'a>,
    ) -> Result<Outcome<'p, K::Arguments<'a>>, RunError> {
        let Some(calls) = calls else {
            return self.run_without_choice(options, arguments);
        };
        let fallback = &calls.memory.fallback;
        let plan = calls.plan();
        let forms = self.forms(plan.is_some(), fallback);
        let mut forms = forms.map_err(unreadable::<K>)?;
        let since = calls.since;
        loop {
            let next = fallback.next(forms, || load::is_busy(self.processors().max(2)));
            if next.form == Form::Written {
                return Ok(Outcome::Original(arguments, calls.written(next)));
            }
            if let (true, Some(planning)) = (next.plans, calls.planning) {
                let make = |processors, made: &_| planning.plan_ahead(processors, made);
                calls.memory.plan_ahead(make);
            }
            let plan = plan.filter(|_| next.form == Form::Planned);
            let start = next.timed.then(|| since.unwrap_or_else(Instant::now));
            let ran = match plan {
                Some(plan) => run_plan(plan, Some(self.processors()), &mut arguments),
                None => {
                    let (source, instead_of) = self.program_of(next);
                    let program = source.program().map_err(unreadable::<K>)?;
                    run_program(program, instead_of, options, &mut arguments)
                }
            };
            match ran {
                Ok(Ok(())) => {
                    if let Some(start) = start {
                        fallback.took(next.form, start.elapsed());
                    }
                    return Ok(Outcome::Ran);
                }
                Ok(Err(Reason::NoThreads)) | Err(RunError::Threads { .. })
                    if forms.parallel.or(forms.planned).is_some() =>
                {
                    fallback.lacks_threads();
                    (forms.parallel, forms.planned) = (None, None);
                }
                Ok(Err(reason)) => return Ok(original(reason, arguments)),
                Err(error) => return Err(error),
            }
        }
    }

    /// Runs the program, which no other form stands in for.
    fn run_without_choice<'a>(
        &self,
        options: &Options,
        mut arguments: K::Arguments<'a>,
    ) -> Result<Outcome<'p, K::Arguments<'a>>, RunError> {
        let program = self.program.program().map_err(unreadable::<K>)?;
        match run_program(program, None, options, &mut arguments) {
            Ok(Ok(())) => Ok(Outcome::Ran),
            Ok(Err(reason)) => Ok(original(reason, arguments)),
            Err(RunError::Threads { .. }) if !options.processors.insists() => {
                Ok(original(Reason::NoThreads, arguments))
            }
            Err(error) => Err(error),
        }
    }

    /// Returns the program of a form, and in whose place it runs for which reason.
    fn program_of(&self, next: Next) -> (&Source<'p, K>, Option<(usize, Reason)>) {
        match &self.alone {
            Some(alone) if next.form == Form::Alone => {
                let reason = next.reason(Reason::Slower);
                (alone, Some((self.processors(), reason)))
            }
            _ => (&self.program, None),
        }
    }
}

/// Returns the error of tables that cannot be read.
pub(super) fn unreadable<K: Kernel>(source: PlanError) -> RunError {
    RunError::Plan {
        kernel: K::NAME,
        source,
    }
}

impl<'p, K: Kernel> Calls<'p, '_, K> {
    /// Returns the plan, if there is one.
    fn plan(&self) -> Option<planned::Runnable<'_, K>> {
        Some((self.planning?, self.memory.plan()?))
    }

    /// Lets the function run as written.
    fn written(&self, next: Next) -> Original<'p> {
        let timed = next.timed.then_some(Timed::Lent(&self.memory.fallback));
        Original::in_place_of::<K>(next.reason(Reason::AsWritten), timed)
    }

    /// Lets the function run where it is in the midst of its turn, without a look at other forms.
    /// (Calls for patterns that look alike are timed as if for one.)
    pub(super) fn function_in_its_turn(&self) -> Option<Original<'p>> {
        let next = self.memory.fallback.next_if_written()?;
        Some(self.written(next))
    }
}

/// Runs a program, in place of one for another number of processors if that fell back, and says so
/// to this thread. If it cannot, gives the reason why, with nothing touched.
fn run_program<K: Kernel>(
    program: &Program<K>,
    instead_of: Option<(usize, Reason)>,
    options: &Options,
    arguments: &mut K::Arguments<'_>,
) -> Result<Result<(), Reason>, RunError> {
    if !program.fits(arguments) {
        return Ok(Err(Reason::Short));
    }
    let ran = team::as_processor(|| program.run(options, arguments));
    timeline::end(
        || Some((CallForm::Program, program.identity())),
        ran.is_err(),
    );
    let worked = ran?;
    let Plan {
        processors,
        supersteps,
        predicted,
        ..
    } = program.plan();
    let ran = Ran {
        kernel: K::NAME,
        processors: *processors as usize,
        instead_of: instead_of.map(|(chosen, _)| chosen),
        supersteps: *supersteps as usize,
        worked,
        predicted: (*predicted > 0).then(|| Duration::from_nanos(*predicted)),
    };
    LAST.set((Some(ran), instead_of.map(|(_, reason)| reason)));
    Ok(Ok(()))
}
