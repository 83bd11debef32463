//! Loaded plans: structure and values are read from tapes, in the order of the schedule.

use std::fmt;
use std::time::Instant;

use super::run::{Runner, record};
use super::{Grains, PlanningError, Tape};
use crate::call::{self, Reason};
use crate::error::RunError;
use crate::fallback::Form;
use crate::sync::Padded;
use crate::team;

/// A plan with [tapes](super::tape), and what its runs keep.
pub struct Loaded<K: Grains> {
    runner: Runner<K>,
    /// The tape of each processor.
    tapes: Vec<Padded<K::Tape>>,
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
    pub(super) fn new(
        runner: Runner<K>,
        control: K::Control<'_>,
        values: K::Values<'_>,
    ) -> Result<Self, PlanningError> {
        let tape = |_| Padded(K::Tape::default());
        let tapes = (0..runner.processors()).map(tape).collect();
        let mut loaded = Self { runner, tapes };
        loaded.record(control, values)?;
        let mut tapes = loaded.tapes.iter_mut();
        if tapes.any(|tape| tape.0.control().is_wide()) {
            return Err(PlanningError::Wide { kernel: K::NAME });
        }
        for tape in &mut loaded.tapes {
            tape.0.control().keep();
        }
        Ok(loaded)
    }

    /// Loads other values.
    ///
    /// # Errors
    /// If an array of values is too short. Runs fail then until an update does not.
    pub fn update(
        &mut self,
        control: K::Control<'_>,
        values: K::Values<'_>,
    ) -> Result<(), PlanningError> {
        for tape in &mut self.tapes {
            tape.0.clear();
        }
        self.record(control, values)
    }

    fn record(
        &mut self,
        control: K::Control<'_>,
        values: K::Values<'_>,
    ) -> Result<(), PlanningError> {
        let program = &*self.runner.program;
        let record = |(processor, tape): (usize, &mut Padded<K::Tape>)| {
            PlanningError::catch(K::NAME, || {
                let grains = program.grains_of(processor).iter().copied();
                record::<K>(program, control, grains, values, &mut tape.0);
                Ok(())
            })
        };
        self.tapes.iter_mut().enumerate().try_for_each(record)
    }

    /// Returns the bytes of all tapes.
    pub fn bytes(&self) -> usize {
        self.tapes.iter().map(|tape| tape.0.bytes()).sum()
    }

    /// Runs the plan; on the calling thread alone if there are no others, or that is measured to be
    /// faster.
    ///
    /// # Errors
    /// If an argument is not as long as the plan needs, or an iteration panics: the error is that
    /// of the first one in the sequential run.
    pub fn run(
        &self,
        control: K::Control<'_>,
        is_fitting: bool,
        mut arguments: K::Arguments<'_>,
    ) -> Result<(), RunError> {
        if !is_fitting || self.runner.is_short(&arguments) {
            return Err(RunError::Length { kernel: K::NAME });
        }
        let tapes = &self.tapes[..];
        let mut next = None;
        let outcome = if self.runner.processors() < 2 {
            Err(Reason::Sequential)
        } else if team::inside() {
            Err(Reason::Nested)
        } else {
            next = self.runner.next();
            match next {
                Some(next) if next.form == Form::Written => Err(next.reason(Reason::Slower)),
                _ => self
                    .runner
                    .run(control, Some(tapes), next, &mut arguments)?,
            }
        };
        let ran = match outcome {
            Ok(ran) => ran,
            Err(_) => {
                let next = next.filter(|next| next.form == Form::Written && next.timed);
                let start = next.map(|_| Instant::now());
                let ran = self.runner.run_here(control, tapes, &mut arguments)?;
                if let Some(start) = start {
                    self.runner.fallback.took(Form::Written, start.elapsed());
                }
                ran
            }
        };
        call::keep(Some(ran), outcome.err());
        Ok(())
    }
}
