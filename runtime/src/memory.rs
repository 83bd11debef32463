//! The memory of a program's calls: how long forms took, and the plan that was made at run time.

use std::any::Any;
use std::sync::OnceLock;

use crate::fallback::Fallback;

/// A plan of a kernel, whose type is known to who has made it.
pub type AnyPlan = dyn Any + Send + Sync;

/// Memory of a program's calls, in a list by the number of processors that a plan may have. It has
/// an element for each number that callers wish for.
#[derive(Default)]
pub(crate) struct Memory {
    processors: OnceLock<usize>,
    plan: OnceLock<Option<Box<AnyPlan>>>,
    pub(crate) fallback: Fallback,
    next: OnceLock<Box<Self>>,
}

impl Memory {
    /// Returns the memory of calls whose plan may have so many processors; 0 if they have none.
    pub(crate) fn of(&self, processors: usize) -> &Self {
        let mut memory = self;
        while *memory.processors.get_or_init(|| processors) != processors {
            memory = memory.next.get_or_init(Box::default);
        }
        memory
    }

    /// Tells whether the plan was made, or tried to be made.
    pub(crate) fn has_planned(&self) -> bool {
        self.plan.get().is_some()
    }

    /// Returns the plan, which is made for the number of processors if it is not known.
    pub(crate) fn plan(
        &self,
        make: impl FnOnce(usize) -> Option<Box<AnyPlan>>,
    ) -> Option<&AnyPlan> {
        let processors = self.processors.get().copied().unwrap_or(0);
        self.plan.get_or_init(|| make(processors)).as_deref()
    }
}
