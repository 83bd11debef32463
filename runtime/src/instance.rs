//! An instance: a kernel built for certain control arguments and a number of processors.

use std::fmt;
use std::sync::{Arc, OnceLock};

use superstep_plan::{Head, Plan, PlanError};

use crate::fork::PerProcess;
use crate::kernel::Kernel;
use crate::program::Program;
pub use crate::tables::Execute;

/// An instance as a generated file declares it: a static with its tables in bytes. They are decoded when the instance is first used.
pub struct Instance<K: Kernel> {
    control: &'static [u8],
    plan: &'static [u8],
    digest: u64,
    execute: Execute<K>,
    private_memory: bool,
    /// Decoding it once more takes some tens of nanoseconds, as many as a small function.
    head: OnceLock<Result<Head, PlanError>>,
    program: PerProcess<OnceLock<Result<Arc<Program<K>>, PlanError>>>,
}

impl<K: Kernel> Instance<K> {
    /// The instance for the control arguments whose [key](crate::control) is `control`, with an encoded [`Plan`] and its code, and the
    /// [digest](superstep_plan::digest()) of both when they were generated.
    pub const fn new(
        control: &'static [u8],
        plan: &'static [u8],
        digest: u64,
        execute: Execute<K>,
    ) -> Self {
        Self {
            control,
            plan,
            digest,
            execute,
            private_memory: false,
            head: OnceLock::new(),
            program: PerProcess::new(),
        }
    }

    /// An instance whose processors have memories of their own.
    #[must_use]
    pub const fn over_private_memory(mut self) -> Self {
        self.private_memory = true;
        self
    }

    /// Returns whether its processors have memories of their own.
    pub fn has_private_memory(&self) -> bool {
        self.private_memory
    }

    /// The key of its control arguments.
    pub fn control(&self) -> &'static [u8] {
        self.control
    }

    /// What there is to choose by, without decoding the rest.
    pub(crate) fn head(&self) -> Result<Head, PlanError> {
        let decode = || Ok(superstep_plan::head(self.plan)?);
        self.head.get_or_init(decode).clone()
    }

    /// The program. Its tables are in files of their own, so it is checked first that they are as
    /// generated: by other ones it might give other bits, and its processors might race.
    pub(crate) fn program(&self) -> Result<&Arc<Program<K>>, PlanError> {
        let load = || match superstep_plan::digest(self.control, self.plan) == self.digest {
            true => Program::new(Plan::decode(self.plan)?, self.execute).map(Arc::new),
            false => Err(PlanError::Changed),
        };
        self.program
            .get()
            .get_or_init(load)
            .as_ref()
            .map_err(Clone::clone)
    }
}

impl<K: Kernel> fmt::Debug for Instance<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Instance")
            .field("kernel", &K::NAME)
            .field("plan_bytes", &self.plan.len())
            .finish_non_exhaustive()
    }
}
