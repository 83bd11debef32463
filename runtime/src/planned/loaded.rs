//! Loaded plans: structure and values are read from tapes, in the order of the schedule.

use std::fmt;

use super::run::{Runner, record};
use super::{Grains, PlanReport, PlanningError, Tape};
use crate::call::Outcome;
use crate::error::RunError;
use crate::sync::Padded;

/// A plan with [tapes](Tape), and what its runs keep.
pub struct Loaded<K: Grains> {
    runner: Runner<K>,
    /// The tape of each processor; none if there is one, which runs the function.
    tapes: Vec<Padded<K::Tape>>,
    report: PlanReport,
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
        report: PlanReport,
        control: K::Control<'_>,
        values: K::Values<'_>,
    ) -> Result<Self, PlanningError> {
        let tape = |_| Padded(K::Tape::default());
        let processors = runner.processors();
        let tapes = (0..processors).filter(|_| processors > 1).map(tape);
        let tapes = tapes.collect();
        let mut loaded = Self {
            runner,
            tapes,
            report,
        };
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
    /// If an array of values is too short. Runs fail then until an update does not: the macro lets
    /// none through that is not as long as the one before.
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
        let program = self.runner.fastest();
        let record = |(processor, tape): (usize, &mut Padded<K::Tape>)| {
            PlanningError::catch(K::NAME, || {
                let grains = program.grains_of(processor).iter().copied();
                record::<K>(program, control, grains, values, &mut tape.0);
                Ok(())
            })
        };
        self.tapes.iter_mut().enumerate().try_for_each(record)
    }

    /// Returns what was planned, and why.
    pub fn report(&self) -> &PlanReport {
        &self.report
    }

    /// Returns the bytes of all tapes.
    pub fn bytes(&self) -> usize {
        self.tapes.iter().map(|tape| tape.0.bytes()).sum()
    }

    /// Runs the plan as [`Planned::run`](super::Planned::run) does.
    ///
    /// # Errors
    /// If an iteration panics: the error is that of the first one in the sequential run.
    pub fn run<'p, 'a>(
        &'p self,
        control: K::Control<'_>,
        is_fitting: bool,
        arguments: K::Arguments<'a>,
    ) -> Result<Outcome<'p, K::Arguments<'a>>, RunError> {
        let tapes = Some(&self.tapes[..]);
        self.runner.run(control, tapes, is_fitting, arguments)
    }
}
