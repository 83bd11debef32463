//! Programs that have been replayed: what can be printed.

use superstep_machine::Times;
use superstep_plan::Plan;
use superstep_report::Figures;
use superstep_tracer::{Kernel, Trace};

use crate::figures::figures;
use crate::pattern::signature::Signature;
use crate::predict::costs::RunCosts;
use crate::predict::supersteps::{Data, Prediction, predict};
use crate::program::{Program, tables};
use crate::replay::error::ReplayError;
use crate::replay::replay;

/// A program that the [replay](crate::replay) has passed: what can be printed.
#[derive(Clone, Debug, PartialEq)]
pub struct CheckedProgram {
    plan: Plan,
    signatures: Vec<Signature>,
    figures: Figures,
    /// `[processor * arrays + array]`.
    homes: Vec<u32>,
}

impl Program {
    /// Replays the program symbolically.
    ///
    /// # Errors
    /// When the program does not compute what the trace says.
    pub fn check(self, trace: &Trace) -> Result<CheckedProgram, ReplayError> {
        replay(trace, &self)?;
        let figures = figures(&self);
        Ok(CheckedProgram {
            plan: self.plan,
            signatures: self.signatures,
            figures,
            homes: self.homes,
        })
    }
}

impl CheckedProgram {
    /// Returns the tables.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Returns the slots of each array of a processor below which values are at home.
    pub(crate) fn homes(&self, processor: usize) -> &[u32] {
        let arrays = self.plan.extents.len();
        &self.homes[processor * arrays..(processor + 1) * arrays]
    }

    /// Returns what is known about the runs of each of the plan's bodies.
    pub fn signatures(&self) -> &[Signature] {
        &self.signatures
    }

    /// Returns whether its loops are printed as Rust: few programs have so few that this is better
    /// than tables.
    pub fn is_printed(&self) -> bool {
        self.figures.printed
    }

    /// Encodes the tables that the generated code needs at run time.
    pub fn tables(&self) -> Vec<u8> {
        tables(&self.plan, self.is_printed())
    }

    /// Returns what there is to say about it in numbers.
    pub fn figures(&self) -> &Figures {
        &self.figures
    }

    /// Predicts the time of a call on a machine with these times, in nanoseconds, as
    /// [`Program::predict`] does.
    pub fn predict(&self, kernel: &Kernel, times: &Times, data: Data) -> f64 {
        predict(kernel, &self.plan, &self.signatures, times, data)
    }

    /// Predicts a call, superstep by superstep.
    pub(crate) fn prediction(&self, kernel: &Kernel, times: &Times, data: Data) -> Prediction {
        Prediction::new(kernel, &self.plan, &self.signatures, times, data)
    }

    /// Returns how many iterations of each body the processor executes at once.
    pub(crate) fn lanes(&self, kernel: &Kernel, times: &Times) -> Vec<usize> {
        let costs = RunCosts::new(kernel, &self.signatures, times);
        (0..self.signatures.len())
            .map(|body| costs.iteration(body).lanes)
            .collect()
    }
}
