//! Plans that calls make at run time, as the kernels know that have them.

use std::sync::Arc;

use super::{Ran, Reason, Unbuilt};
use crate::control::Glance;
use crate::error::RunError;
use crate::kernel::Kernel;
pub use crate::memory::{AnyPlan, MadePlan};
use crate::options::{Options, Processors, TransportKind};

/// Plans that are made at run time, for the control arguments of a call.
pub trait Planning<K: Kernel> {
    /// Makes a plan for so many processors, ahead of the calls that run it. There is none if one
    /// processor is predicted to be as fast, or the kernel cannot be planned for these control
    /// arguments.
    fn plan_ahead(&self, processors: usize, made: &Arc<MadePlan>);

    /// Makes a plan for so many processors here and now; none as for
    /// [`plan_ahead`](Self::plan_ahead).
    fn plan(&self, processors: usize) -> Option<Box<AnyPlan>>;

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

    /// Returns the memory of calls for which nothing was built.
    fn unbuilt(&self) -> &'static Unbuilt;

    /// Looks at the control arguments.
    fn glance(&self) -> Glance;

    /// Returns the [key](crate::control) of the control arguments.
    fn key(&self) -> Vec<u8>;

    /// Returns whether a key is that of the control arguments.
    fn is_for(&self, key: &[u8]) -> bool;
}

impl Options {
    /// Returns whether plans may run.
    pub(super) fn may_plan(&self) -> bool {
        self.private_memory != Some(true) && self.transport == TransportKind::Threads
    }

    /// Returns the number of processors that a plan may have on so many cores; none if no plan may
    /// run.
    pub(super) fn processors_of_plans(&self, cores: usize) -> Option<usize> {
        let processors = match self.processors {
            Processors::Any => cores,
            Processors::AtMost(most) => most.min(cores),
            Processors::Exactly(processors) => processors,
        };
        (processors > 1 && self.may_plan()).then_some(processors)
    }
}
