//! Program with its key: the control arguments that it was built for.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use superstep_plan::{Head, Plan, PlanError};

use crate::ahead;
use crate::fork::PerProcess;
use crate::kernel::Kernel;
use crate::memory::Memory;
use crate::program::Program;
use crate::sync::get_or_make;
pub use crate::tables::Execute;
use crate::{run, team};

/// Time that decoding tables takes, in nanoseconds for each byte. It was measured of the programs
/// of Givens rotations for 2 and 4 processors (65 and 77 kB, `Plan::decode` alone, one machine).
const DECODING: u64 = 10;

/// Time of decoding, in nanoseconds, that a call may take. Starting a thread that does it ahead
/// took 25 to 50 us on the same machine.
const AT_ONCE: u64 = 20_000;

/// Program with its key, as a generated file declares it: a static with its tables in bytes. They
/// are decoded when the program is first used, ahead of the calls that need them if that takes
/// long.
pub struct KeyedProgram<K: Kernel> {
    tables: Encoded,
    execute: Execute<K>,
    private_memory: bool,
    /// Head of the tables. Decoding it once more takes some tens of nanoseconds, as many as a small
    /// function.
    head: OnceLock<Result<Head, PlanError>>,
    program: PerProcess<Decoded<K>>,
    /// Memory of calls that compare control arguments.
    pub(crate) calls: PerProcess<Memory>,
}

/// Program, once its tables are decoded.
struct Decoded<K: Kernel> {
    program: Arc<OnceLock<Result<Arc<Program<K>>, PlanError>>>,
    is_begun: AtomicBool,
}

impl<K: Kernel> Default for Decoded<K> {
    fn default() -> Self {
        Self {
            program: Arc::default(),
            is_begun: AtomicBool::new(false),
        }
    }
}

impl<K: Kernel> KeyedProgram<K> {
    /// Makes the program for the control arguments whose [key](crate::control) is `control`. It
    /// has an encoded [`Plan`] and its code, and the [digest](superstep_plan::digest()) of both
    /// when they were generated.
    pub const fn new(
        control: &'static [u8],
        plan: &'static [u8],
        digest: u64,
        execute: Execute<K>,
    ) -> Self {
        Self {
            tables: Encoded {
                control,
                plan,
                digest,
            },
            execute,
            private_memory: false,
            head: OnceLock::new(),
            program: PerProcess::new(),
            calls: PerProcess::new(),
        }
    }

    /// Marks the program as one whose processors have memories of their own.
    #[must_use]
    pub const fn over_private_memory(mut self) -> Self {
        self.private_memory = true;
        self
    }

    /// Returns whether its processors have memories of their own.
    pub fn has_private_memory(&self) -> bool {
        self.private_memory
    }

    /// Returns the key of its control arguments.
    pub fn control(&self) -> &'static [u8] {
        self.tables.control
    }

    /// Returns the head, by which programs are chosen, without decoding the rest.
    pub(crate) fn head(&self) -> Result<Head, PlanError> {
        let decode = || Ok(superstep_plan::head(self.tables.plan)?);
        self.head.get_or_init(decode).clone()
    }

    /// Returns the program, decoded here and now if it is not known. Nobody waits for another
    /// thread that decodes it, which may have no core.
    pub(crate) fn program(&self) -> Result<&Arc<Program<K>>, PlanError> {
        let decoded = &self.program.get().program;
        let program = get_or_make(decoded, || self.tables.decode(self.execute));
        program.as_ref().map_err(Clone::clone)
    }

    /// Returns whether the tables are decoded.
    pub(crate) fn is_decoded(&self) -> bool {
        matches!(self.program.get().program.get(), Some(Ok(_)))
    }

    /// Returns the program if it is decoded. If not, it is decoded ahead, once; or at once, if that
    /// takes no longer than some calls.
    pub(crate) fn program_ahead(&self) -> Result<Option<&Arc<Program<K>>>, PlanError> {
        let decoded = self.program.get();
        if let Some(program) = decoded.program.get() {
            return program.as_ref().map(Some).map_err(Clone::clone);
        }
        let head = self.head()?;
        let time = DECODING * self.tables.plan.len() as u64;
        if time <= AT_ONCE.max(head.predicted / 4) {
            return self.program().map(Some);
        }
        if !decoded.is_begun.swap(true, Ordering::Relaxed) {
            let processors = head.processors as usize;
            let found = move || team::found(run::threads(processors));
            let (tables, execute) = (self.tables, self.execute);
            let program = Arc::clone(&decoded.program);
            ahead::work(found, move || {
                let _ = program.set(tables.decode(execute));
            });
        }
        Ok(None)
    }
}

/// Tables of a program, as the generated file declares them.
#[derive(Clone, Copy)]
struct Encoded {
    control: &'static [u8],
    plan: &'static [u8],
    digest: u64,
}

impl Encoded {
    /// Decodes the program. Its tables are in files of their own, so it is checked first that they
    /// are as generated. By other ones it might give other bits, and its processors might race.
    fn decode<K: Kernel>(self, execute: Execute<K>) -> Result<Arc<Program<K>>, PlanError> {
        match superstep_plan::digest(self.control, self.plan) == self.digest {
            true => Program::new(Plan::decode(self.plan)?, execute).map(Arc::new),
            false => Err(PlanError::Changed),
        }
    }
}
