//! A program that can run: its plan, its code, and what its transports keep from run to run.

use std::sync::{Arc, Mutex};

use superstep_plan::synchronisation::Synchronisation;
use superstep_plan::{Plan, PlanError};

use crate::call::Options;
use crate::error::RunError;
use crate::fallback::Fallback;
use crate::kernel::Kernel;
use crate::transport::{Alone, InTurn, Threads, Transport, TransportKind};
use crate::wait::lock;
use crate::words::Permit;

/// What a processor computes in a superstep: `execute(plan, superstep, processor, view)`. Returns whether it ran any task.
pub type Execute<K> = fn(&Plan, usize, usize, &mut <K as Kernel>::View<'_>) -> bool;

/// What is fixed about a program.
pub(crate) struct Tables<K: Kernel> {
    pub(crate) plan: Plan,
    pub(crate) synchronisation: Synchronisation,
    execute: Execute<K>,
}

/// A program and the idle states of its transports.
pub(crate) struct Program<K: Kernel> {
    tables: Arc<Tables<K>>,
    alone: Option<Alone<K>>,
    threads: Threads<K>,
    in_turn: InTurn<K>,
    /// What its calls have shown, from whichever threads they came.
    pub(crate) fallback: Mutex<Fallback>,
}

impl<K: Kernel> Program<K> {
    pub(crate) fn new(plan: Plan, execute: Execute<K>) -> Result<Self, PlanError> {
        let tables = Arc::new(Tables::new(plan, execute)?);
        Ok(Self {
            alone: Alone::new(&tables.plan),
            tables,
            threads: Threads::default(),
            in_turn: InTurn::default(),
            fallback: Mutex::default(),
        })
    }

    pub(crate) fn plan(&self) -> &Plan {
        &self.tables.plan
    }

    /// Whether all arguments are as long as the plan needs them, and memories can be made.
    pub(crate) fn fits(&self, arguments: &K::Arguments<'_>) -> bool {
        let long_enough = |(array, &extent): (u16, &u32)| {
            extent == 0 || K::argument_words(arguments, array) >= extent as usize
        };
        (0..).zip(&self.plan().extents).all(long_enough) && K::fills(arguments)
    }

    /// Runs once; returns how many processors ran a task.
    pub(crate) fn run(
        &self,
        options: &Options,
        arguments: &mut K::Arguments<'_>,
    ) -> Result<usize, RunError> {
        let alone = self
            .alone
            .as_ref()
            .filter(|_| options.transport == TransportKind::Threads);
        if let Some(done) = alone.and_then(|alone| alone.run(&self.tables, arguments)) {
            return done;
        }
        match options.transport {
            TransportKind::Threads => self.threads.run(&self.tables, arguments, options),
            TransportKind::InTurn => self.in_turn.run(&self.tables, arguments, options),
        }
    }
}

impl<K: Kernel> Tables<K> {
    fn new(plan: Plan, execute: Execute<K>) -> Result<Self, PlanError> {
        let processors = plan.processors as usize;
        if processors == 0 {
            return Err(PlanError::Malformed("no processors"));
        }
        if plan.lengths.len() != processors * plan.extents.len() {
            return Err(PlanError::Malformed(
                "not one length for each processor and array",
            ));
        }
        if plan.scatter.len() != processors || plan.gather.len() != processors {
            return Err(PlanError::Malformed(
                "not one list of inputs and of results for each processor",
            ));
        }
        let synchronisation = Synchronisation::new(&plan)?;
        Ok(Self {
            plan,
            synchronisation,
            execute,
        })
    }

    pub(crate) fn processors(&self) -> usize {
        self.plan.processors as usize
    }

    pub(crate) fn supersteps(&self) -> usize {
        self.plan.supersteps as usize
    }

    /// New memory for a processor.
    pub(crate) fn memory(&self, processor: usize, arguments: &K::Arguments<'_>) -> K::Memory {
        let arrays = self.plan.extents.len();
        K::memory(
            arguments,
            &self.plan.lengths[processor * arrays..][..arrays],
        )
    }

    /// Copies a processor's inputs into its memory.
    pub(crate) fn scatter(
        &self,
        processor: usize,
        arguments: &K::Arguments<'_>,
        memory: &mut K::Memory,
    ) {
        for copies in &self.plan.scatter[processor] {
            K::scatter(arguments, memory, copies);
        }
    }

    /// Copies a processor's results into the arguments.
    pub(crate) fn gather(
        &self,
        processor: usize,
        arguments: &mut K::Arguments<'_>,
        memory: &K::Memory,
    ) {
        for copies in &self.plan.gather[processor] {
            K::gather(arguments, memory, copies);
        }
    }

    /// The arguments, to be lent if the plan shares some.
    pub(crate) fn lend(&self, arguments: &mut K::Arguments<'_>) -> Option<K::Lent> {
        if self.plan.shared.contains(&true) {
            K::lend(arguments)
        } else {
            None
        }
    }

    /// What a processor works on: its memory, and what is lent.
    pub(crate) fn view<'v>(
        &self,
        lent: Option<(&K::Lent, Permit<'v>)>,
        memory: &'v mut K::Memory,
    ) -> K::View<'v> {
        match lent {
            Some((lent, permit)) => K::shared_view(lent, memory, &self.plan.shared, permit),
            None => K::view(memory),
        }
    }

    /// Runs a processor's tasks of a superstep; returns whether there were any.
    pub(crate) fn compute(
        &self,
        superstep: usize,
        processor: usize,
        memory: &mut K::View<'_>,
    ) -> bool {
        (self.execute)(&self.plan, superstep, processor, memory)
    }
}

/// States that no run uses at the moment. A state that a failed run has left behind is not put back.
pub(crate) struct Pool<S>(Mutex<Vec<S>>);

impl<S> Default for Pool<S> {
    fn default() -> Self {
        Self(Mutex::new(Vec::new()))
    }
}

impl<S> Pool<S> {
    pub(crate) fn take(&self) -> Option<S> {
        lock(&self.0).pop()
    }

    pub(crate) fn put(&self, state: S) {
        lock(&self.0).push(state);
    }
}
