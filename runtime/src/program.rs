//! A program that can run: its tables, and what its transports and calls keep from run to run.

use std::sync::Arc;

use superstep_plan::{Plan, PlanError};

use crate::error::RunError;
use crate::fork::PerProcess;
use crate::kernel::Kernel;
use crate::memory::Memory;
use crate::options::{Options, TransportKind};
use crate::tables::{Execute, Tables};
use crate::transport::{Alone, InTurn, Threads, Transport};

/// A program and the idle states of its transports.
pub(crate) struct Program<K: Kernel> {
    tables: Arc<Tables<K>>,
    alone: Option<Alone<K>>,
    threads: Threads<K>,
    in_turn: InTurn<K>,
    pub(crate) calls: PerProcess<Memory>,
}

impl<K: Kernel> Program<K> {
    pub(crate) fn new(plan: Plan, execute: Execute<K>) -> Result<Self, PlanError> {
        let tables = Arc::new(Tables::new(plan, execute)?);
        Ok(Self {
            alone: Alone::new(&tables.plan, ()),
            tables,
            threads: Threads::new(()),
            in_turn: InTurn::new(()),
            calls: PerProcess::new(),
        })
    }

    pub(crate) fn plan(&self) -> &Plan {
        &self.tables.plan
    }

    /// A program of the same code by other tables.
    pub(crate) fn altered(&self, change: impl FnOnce(&mut Plan)) -> Result<Self, PlanError> {
        let mut plan = self.plan().clone();
        change(&mut plan);
        Self::new(plan, self.tables.execute)
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
