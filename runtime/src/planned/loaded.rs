//! Loaded plans: structure and values are read from tapes, in the order of the schedule.
//!
//! A tape is recorded when values are loaded for the first time. Plans with longer tapes than
//! [`MOST`] allows run in place.

use std::fmt;
use std::sync::Arc;

use super::extents::Kind;
use super::program::Program;
use super::run::{Runner, Tapes};
use super::state::record;
use super::{Grains, PlanningError, Report, Tape};
use crate::call::Outcome;
use crate::control::{ControlSink, Entry};
use crate::error::{LengthError, RunError};
use crate::sync::Padded;

/// Plan with [tapes](Tape), and what its runs keep. Or two plans, of which calls find out the
/// faster one, until values are loaded again.
pub struct Loaded<K: Grains> {
    runner: Runner<K>,
    /// Tapes of each plan.
    tapes: Vec<Tapes<K>>,
    /// Tapes of the program for one processor, if it has its own.
    alone: Tapes<K>,
}

impl<K: Grains> fmt::Debug for Loaded<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Loaded")
            .field("kernel", &K::NAME)
            .field("bytes", &self.bytes())
            .finish_non_exhaustive()
    }
}

impl<K: Grains> Loaded<K> {
    /// Returns a plan with its tapes, or two plans, if the tapes take no more memory than they may.
    /// None if those of each plan take more. `alone` is a program for one processor with tapes of
    /// its own, if there is one.
    pub(super) fn new(
        runner: Runner<K>,
        alone: Option<Arc<Program>>,
        control: K::Control<'_>,
        values: K::Values<'_>,
    ) -> Result<Option<Self>, PlanningError> {
        check(&runner, control, values)?;
        let tape = |_| Padded(K::Tape::default());
        let tapes = |program: &Arc<Program>| (0..program.parts()).map(tape).collect();
        let in_place = Arc::clone(&runner.alone);
        let mut loaded = Self {
            tapes: runner.programs.iter().map(tapes).collect(),
            alone: alone.as_ref().map_or_else(Vec::new, tapes),
            runner,
        };
        loaded.runner.alone = alone.unwrap_or_else(|| Arc::clone(&in_place));
        loaded.record(control)?;
        if loaded.tapes().any(|tape| tape.is_wide()) {
            return Err(PlanningError::Wide { kernel: K::NAME });
        }
        let mut alone = loaded.alone.iter_mut();
        if alone.any(|tape| tape.0.control().is_full()) {
            loaded.alone.clear();
            loaded.runner.alone = in_place;
        }
        for plan in (0..loaded.tapes.len()).rev() {
            let mut tapes = loaded.tapes[plan].iter_mut();
            if tapes.any(|tape| tape.0.control().is_full()) {
                if loaded.tapes.len() == 1 {
                    return Ok(None);
                }
                loaded.keep(1 - plan);
            }
        }
        loaded.tapes().for_each(|tape| {
            tape.keep();
            K::fill(values, tape);
        });
        Ok(Some(loaded))
    }

    /// Returns all tapes.
    fn tapes(&mut self) -> impl Iterator<Item = &mut K::Tape> {
        let tapes = self.tapes.iter_mut().flatten().chain(&mut self.alone);
        tapes.map(|tape| &mut tape.0)
    }

    /// Leaves out the other one of two plans.
    fn keep(&mut self, plan: usize) {
        self.tapes = vec![self.tapes.swap_remove(plan)];
        let programs = vec![Arc::clone(&self.runner.programs[plan])];
        let is_loaded = self.tapes.iter().any(|tapes| !tapes.is_empty());
        self.runner = self.runner.of(programs, is_loaded);
    }

    /// Returns a plan without tapes, whose runs are in place.
    pub(super) fn in_place(runner: Runner<K>) -> Self {
        let tapes = runner.programs.iter().map(|_| Vec::new());
        Self {
            tapes: tapes.collect(),
            alone: Vec::new(),
            runner,
        }
    }

    /// Loads other values: each word of a tape is copied from where it stands. If calls have found
    /// the faster one of two plans, only that is loaded, and is then compared with the function
    /// anew.
    ///
    /// # Errors
    /// If an array of values is not as long as the plan needs: those that were loaded stay then.
    pub fn update(
        &mut self,
        control: K::Control<'_>,
        values: K::Values<'_>,
    ) -> Result<(), PlanningError> {
        check(&self.runner, control, values)?;
        if self.tapes.len() > 1
            && let Some(faster) = self.runner.faster()
        {
            self.keep(faster);
        }
        self.tapes().for_each(|tape| K::fill(values, tape));
        Ok(())
    }

    /// Records what is read of structure, and where of values.
    fn record(&mut self, control: K::Control<'_>) -> Result<(), PlanningError> {
        let mut structure = Bytes(0);
        K::feed(control, &mut structure);
        let mut left = FREE + MOST * structure.0;
        let mut plans: Vec<_> = self.runner.programs.iter().zip(&mut self.tapes).collect();
        // A plan by level comes before its own order, which may have the memory first.
        if let [(a, _), (b, _)] = &plans[..]
            && Arc::ptr_eq(&a.proved.plan().order, &b.proved.plan().order)
        {
            plans.reverse();
        }
        let alone = (&self.runner.alone, &mut self.alone);
        for (program, tapes) in plans.into_iter().chain([alone]) {
            for (part, tape) in tapes.iter_mut().enumerate() {
                tape.0.control().limit(left);
                PlanningError::catch(K::NAME, || {
                    let intervals = program.intervals_of(part);
                    record::<K>(program, control, intervals, &mut tape.0);
                    Ok(())
                })?;
                left = left.saturating_sub(tape.0.control().bytes());
                if tape.0.control().is_full() {
                    break;
                }
            }
        }
        Ok(())
    }

    /// Returns what was planned, and why. It is of the plan that calls have found to be faster, or
    /// that is predicted to be.
    pub fn whole_report<'p>(&'p self, control: K::Control<'p>) -> Report<'p> {
        self.runner.report(control)
    }

    /// Returns the bytes of all tapes.
    pub fn bytes(&self) -> usize {
        let tapes = self.tapes.iter().flatten().chain(&self.alone);
        tapes.map(|tape| tape.0.bytes()).sum()
    }

    /// Runs the plan as [`Planned::run`](super::Planned::run) does.
    ///
    /// # Errors
    /// If an argument is not as long as the plan needs, or an iteration panics. The error is that
    /// of the first iteration in the sequential run.
    pub fn run<'p, 'a>(
        &'p self,
        control: K::Control<'_>,
        arguments: K::Arguments<'a>,
    ) -> Result<Outcome<'p, K::Arguments<'a>>, RunError> {
        let tapes = Some((&self.tapes[..], &self.alone[..]));
        self.runner.run(control, tapes, arguments)
    }
}

/// Bytes of the tapes of control for each byte of structure, at most. A merge of long rows has
/// several pairs of places for an entry. [`FREE`] comes on top, and a plan that takes more runs in
/// place.
///
/// A bound of memory, not tuned. It keeps ILU(0) of a 27-point grid (4.3 times) in place, where its
/// tape takes 0.61 of the function and its loop 0.81.
const MOST: usize = 3;
/// Bytes of the tapes of control that any plan may have: a page. So plans of any small pattern can
/// be loaded.
const FREE: usize = 4096;

/// Counter of the bytes of structure.
struct Bytes(usize);

impl ControlSink for Bytes {
    fn scalar(&mut self, _: i128) {}

    fn slice<T: Entry>(&mut self, entries: &[T]) {
        self.0 += size_of_val(entries);
    }
}

/// Compares the lengths of values with what plans use.
fn check<K: Grains>(
    runner: &Runner<K>,
    control: K::Control<'_>,
    values: K::Values<'_>,
) -> Result<(), LengthError> {
    runner.check(
        control,
        |kind| kind == Kind::Values,
        |array| K::value_words(&values, array),
    )
}
