//! From traces and schedules to files, in one object: what a build script uses.

use superstep_scheduler::CheckedSchedule;
use superstep_tracer::{Kernel, Trace};

use crate::figures::Figures;
use crate::messages::{Placement, PlacementError};
use crate::print::{File, Instance, Options, print};
use crate::program::Program;
use crate::replay::ReplayError;

/// Collects the programs of one kernel and prints them together.
///
/// A trace and a schedule can be dropped once they were [added](Self::add): their program takes a small part of their memory.
#[derive(Clone, Debug)]
pub struct Generator {
    kernel: Kernel,
    options: Options,
    instances: Vec<Instance>,
}

/// Why a program could not be generated.
#[derive(Debug, thiserror::Error)]
pub enum GenerateError {
    /// The schedule is not one of the trace.
    #[error(transparent)]
    Placement(#[from] PlacementError),
    /// The program does not compute what the trace says: an error in superstep itself.
    #[error("the generated program failed its check, please report this: {0}")]
    Replay(#[from] ReplayError),
    /// A name is no Rust.
    #[error("the generated file does not parse: {0}")]
    Print(#[from] syn::Error),
}

impl Generator {
    /// A generator for `kernel` without programs.
    pub fn new(kernel: Kernel, options: Options) -> Self {
        Self {
            kernel,
            options,
            instances: Vec::new(),
        }
    }

    /// Generates and checks the program of one schedule; returns its figures.
    ///
    /// `control` is the key of the control arguments, `label` says them to people, `notes` are lines for the header comment. Instances
    /// are printed in the order in which they are added.
    ///
    /// # Errors
    /// When the schedule is not one of this trace, or the program fails its check.
    pub fn add(
        &mut self,
        trace: &Trace,
        schedule: &CheckedSchedule<'_>,
        control: &[u8],
        label: &str,
        notes: Vec<String>,
    ) -> Result<&Figures, GenerateError> {
        let placement = Placement::new(trace, schedule.schedule())?;
        let program = Program::new(trace, placement).check(trace)?;
        self.instances.push(Instance {
            control: control.to_vec(),
            label: label.to_owned(),
            notes,
            program,
        });
        Ok(self.instances[self.instances.len() - 1].program.figures())
    }

    /// The programs so far.
    pub fn instances(&self) -> &[Instance] {
        &self.instances
    }

    /// Prints all programs: `<id>.rs` first, then the files that it includes. Equal programs give equal bytes.
    ///
    /// # Errors
    /// When a name in the kernel's table or in the options is no Rust.
    pub fn finish(&self) -> Result<Vec<File>, GenerateError> {
        Ok(print(&self.kernel, &self.instances, &self.options)?)
    }
}
