//! Calls for which nothing was built: the function as written, or a plan that is made meanwhile.

use std::time::Instant;

use super::chosen::FIRST_ON_THREADS;
use super::unbuilt::Found;
use super::{
    AnyPlan, LAST, Options, Original, Outcome, Planning, Ran, Reason, Timed, not_built, original,
};
use crate::cores;
use crate::error::RunError;
use crate::fallback::{Form, Forms, Next, Prospect};
use crate::kernel::Kernel;
use crate::load;
use crate::memory::Memory;

/// Plan, and who can run it.
pub(super) type Runnable<'c, K> = (&'c dyn Planning<K>, &'c AnyPlan);

/// Prospect of a plan that was never called: it is tried as soon as waking the workers is paid for.
pub(super) const PROSPECT: Prospect = Prospect {
    predicted: None,
    first: FIRST_ON_THREADS,
};

/// Memory of calls for the same control arguments.
pub(super) enum Kept<'p> {
    /// Memory of calls that were prepared.
    Lent(&'p Memory),
    /// Memory that was found by the control arguments of a call.
    Found(Found<'p>),
}

impl<'p> Kept<'p> {
    fn memory(&self) -> &Memory {
        match self {
            Self::Lent(memory) => memory,
            Self::Found(found) => found.memory(),
        }
    }

    /// Returns the plan for the call, if there is one.
    fn plan(&self) -> Option<&AnyPlan> {
        match self {
            Self::Lent(memory) => memory.plan(),
            Self::Found(found) => found.plan(),
        }
    }

    /// Returns whether a plan for the call may be made: whether the memory is that of its control
    /// arguments.
    fn is_of<K: Kernel>(&mut self, planning: &dyn Planning<K>) -> bool {
        match self {
            Self::Lent(_) => true,
            Self::Found(found) => found.is_of(planning),
        }
    }

    /// Returns who is told how long the function takes.
    fn timed(self) -> Timed<'p> {
        match self {
            Self::Lent(memory) => Timed::Lent(&memory.fallback),
            Self::Found(found) => Timed::Found(found),
        }
    }
}

/// Finds the memory of calls for these control arguments, and runs what it says.
pub(super) fn run_unbuilt<'p, 'a, K: Kernel>(
    planning: Option<&dyn Planning<K>>,
    options: &Options,
    arguments: K::Arguments<'a>,
) -> Result<Outcome<'p, K::Arguments<'a>>, RunError> {
    let processors = planning.and_then(|_| options.processors_of_plans(cores::count_by_now()));
    let Some((planning, processors)) = planning.zip(processors) else {
        return Ok(original(not_built::<K>(), arguments));
    };
    let (unbuilt, glance) = (planning.unbuilt(), planning.glance());
    let insists = options.processors.insists();
    let mut next = None;
    // The comparison counts to a plan's time: the function does without.
    let mut since = None;
    let mut is_wanted = |found: &mut Found<'_>| {
        if insists {
            return found.is_of(planning);
        }
        if since.is_none() {
            next = found.fallback().next_if_written();
            if next.is_some() {
                return true;
            }
        }
        since.get_or_insert_with(Instant::now);
        found.may_be_of(planning)
    };
    let mut found = unbuilt.find(glance, processors, &mut is_wanted);
    if found.is_none() {
        unbuilt.keep(glance, insists);
        found = unbuilt.find(glance, processors, &mut is_wanted);
    }
    let Some(found) = found else {
        if insists {
            let plan = planning.plan(processors);
            return run_insisted(planning, plan.as_deref(), arguments);
        }
        return Ok(original(not_built::<K>(), arguments));
    };
    if let Some(next) = next {
        let turn = written::<K>(Kept::Found(found), next);
        return Ok(Outcome::Original(arguments, turn));
    }
    run(Kept::Found(found), planning, since, options, arguments)
}

/// Runs the plan, or by what earlier calls have shown the function in its place. `since`: when a
/// call of the plan began, if that is not now.
pub(super) fn run<'p, 'a, K: Kernel>(
    mut kept: Kept<'p>,
    planning: &dyn Planning<K>,
    since: Option<Instant>,
    options: &Options,
    mut arguments: K::Arguments<'a>,
) -> Result<Outcome<'p, K::Arguments<'a>>, RunError> {
    let memory = kept.memory();
    if options.processors.insists() {
        let plan = memory.plan_now(|processors| planning.plan(processors));
        return run_insisted(planning, plan, arguments);
    }
    let mut forms = Forms {
        planned: kept.plan().map(|_| PROSPECT),
        ..Forms::default()
    };
    loop {
        let memory = kept.memory();
        let next = (memory.fallback).next(forms, || load::is_busy(memory.processors()));
        if next.plans && memory.may_begin() && kept.is_of(planning) {
            let memory = kept.memory();
            memory.plan_ahead(|processors, made| planning.plan_ahead(processors, made));
        }
        let Some(plan) = kept.plan().filter(|_| next.form == Form::Planned) else {
            return Ok(Outcome::Original(arguments, written::<K>(kept, next)));
        };
        let fallback = &kept.memory().fallback;
        let start = next.timed.then(|| since.unwrap_or_else(Instant::now));
        match run_plan((planning, plan), None, &mut arguments)? {
            Ok(()) => {
                if let Some(start) = start {
                    fallback.took(Form::Planned, start.elapsed());
                }
                return Ok(Outcome::Ran);
            }
            Err(Reason::NoThreads) => {
                fallback.lacks_threads();
                forms.planned = None;
            }
            Err(reason) => return Ok(original(reason, arguments)),
        }
    }
}

/// Runs a plan in any case, if there is one.
fn run_insisted<'p, 'a, K: Kernel>(
    planning: &dyn Planning<K>,
    plan: Option<&AnyPlan>,
    mut arguments: K::Arguments<'a>,
) -> Result<Outcome<'p, K::Arguments<'a>>, RunError> {
    let ran = match plan {
        Some(plan) => run_plan((planning, plan), None, &mut arguments)?,
        None => Err(sequential::<K>()),
    };
    Ok(match ran {
        Ok(()) => Outcome::Ran,
        Err(reason) => original(reason, arguments),
    })
}

/// Returns why the function runs where no plan is worth running.
fn sequential<K: Kernel>() -> Reason {
    K::differs().map_or(Reason::Sequential, Reason::Differs)
}

/// Takes the turn of the function. Where there is no plan yet, the reason is that nothing was
/// built.
fn written<'p, K: Kernel>(kept: Kept<'p>, next: Next) -> Original<'p> {
    let memory = kept.memory();
    let reason = match memory.plan() {
        Some(_) => Reason::AsWritten,
        None if memory.has_no_plan() => sequential::<K>(),
        None => not_built::<K>(),
    };
    let timed = next.timed.then(|| kept.timed());
    Original::in_place_of::<K>(next.reason(reason), timed)
}

/// Runs a plan, in place of a program for so many processors if there is one, and says so to this
/// thread.
pub(super) fn run_plan<K: Kernel>(
    (planning, plan): Runnable<'_, K>,
    instead_of: Option<usize>,
    arguments: &mut K::Arguments<'_>,
) -> Result<Result<(), Reason>, RunError> {
    let ran = planning.run(plan, arguments)?;
    Ok(ran.map(|ran| {
        LAST.set((Some(Ran { instead_of, ..ran }), Some(Reason::Planned)));
    }))
}
