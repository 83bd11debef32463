//! Memory of calls for the same control arguments: how long forms took, and the plan that was made
//! at run time.

use std::any::Any;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use crate::fallback::Fallback;
use crate::sync::get_or_make;

/// Plan of a kernel, whose type is known to who has made it.
pub type AnyPlan = dyn Any + Send + Sync;

/// Plan that another thread makes; none if there is none that is worth running.
pub type MadePlan = OnceLock<Option<Box<AnyPlan>>>;

/// Memory of calls for the same control arguments, in a list by the number of processors that a
/// plan may have. It has an element for each number that callers wish for.
#[derive(Default)]
pub(crate) struct Memory {
    processors: OnceLock<usize>,
    plan: Arc<MadePlan>,
    /// Set if the plan is made, or was.
    is_begun: AtomicBool,
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

    /// Returns the plan, if it was made.
    pub(crate) fn plan(&self) -> Option<&AnyPlan> {
        self.plan.get()?.as_deref()
    }

    /// Returns whether a plan was wished for that is not worth running, or cannot be made.
    pub(crate) fn has_no_plan(&self) -> bool {
        matches!(self.plan.get(), Some(None))
    }

    /// Returns the plan, made here and now if it was not. Nobody waits for another thread that
    /// makes it, which may have no core.
    pub(crate) fn plan_now(
        &self,
        make: impl FnOnce(usize) -> Option<Box<AnyPlan>>,
    ) -> Option<&AnyPlan> {
        get_or_make(&self.plan, || make(self.processors())).as_deref()
    }

    /// Returns the number of processors that a plan may have.
    pub(crate) fn processors(&self) -> usize {
        self.processors.get().copied().unwrap_or(0)
    }

    /// Returns whether no plan was begun.
    pub(crate) fn may_begin(&self) -> bool {
        !self.is_begun.load(Ordering::Relaxed)
    }

    /// Has a plan made for the number of processors, once.
    pub(crate) fn plan_ahead(&self, make: impl FnOnce(usize, &Arc<MadePlan>)) {
        if !self.is_begun.swap(true, Ordering::Relaxed) {
            make(self.processors(), &self.plan);
        }
    }
}
