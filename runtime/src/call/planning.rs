//! Plans that calls make at run time, as the kernels know that have them.

use std::sync::Arc;

use super::{Ran, Reason};
use crate::error::RunError;
use crate::kernel::Kernel;
pub use crate::memory::{AnyPlan, MadePlan};
use crate::options::{Options, Processors};

/// Plans that are made at run time, for the control arguments of a call.
pub trait Planning<K: Kernel> {
    /// Makes a plan for so many processors, ahead of the calls that run it; none if one processor is
    /// predicted to be as fast, or the kernel cannot be planned for these control arguments.
    fn plan_ahead(&self, processors: usize, made: &Arc<MadePlan>);

    /// Runs a plan that was made for the same control arguments, or gives the reason why it cannot
    /// run, with nothing touched.
    ///
    /// # Errors
    /// If an iteration panics.
    fn run(
        &self,
        plan: &AnyPlan,
        arguments: &mut K::Arguments<'_>,
    ) -> Result<Result<Ran, Reason>, RunError>;
}

impl Options {
    /// Returns the number of processors that a plan may have on so many cores; none if no plan may
    /// run.
    pub(super) fn processors_of_plans(&self, cores: usize) -> Option<usize> {
        let processors = match self.processors {
            Processors::Any => cores,
            Processors::AtMost(most) => most.min(cores),
            Processors::Exactly(_) => 1,
        };
        let may_run = processors > 1 && self.private_memory != Some(true);
        may_run.then_some(processors)
    }
}
