//! Programs that have been replayed: what can be printed.

use superstep_plan::Plan;
use superstep_tracer::Trace;

use crate::figures::Figures;
use crate::pattern::signature::Signature;
use crate::program::{Program, tables};
use crate::verify::error::ReplayError;
use crate::verify::replay;

/// A program that the [replay](crate::verify) has passed: what can be printed.
#[derive(Clone, Debug, PartialEq)]
pub struct CheckedProgram {
    plan: Plan,
    signatures: Vec<Signature>,
    figures: Figures,
}

impl Program {
    /// Replays the program symbolically.
    ///
    /// # Errors
    /// When the program does not compute what the trace says.
    pub fn check(self, trace: &Trace) -> Result<CheckedProgram, ReplayError> {
        replay(trace, &self)?;
        let figures = Figures::new(&self);
        Ok(CheckedProgram {
            plan: self.plan,
            signatures: self.signatures,
            figures,
        })
    }
}

impl CheckedProgram {
    /// The tables.
    pub fn plan(&self) -> &Plan {
        &self.plan
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

    /// The tables that the generated code needs at run time, encoded.
    pub fn tables(&self) -> Vec<u8> {
        tables(&self.plan, self.is_printed())
    }

    /// Returns what there is to say about it in numbers.
    pub fn figures(&self) -> &Figures {
        &self.figures
    }
}
