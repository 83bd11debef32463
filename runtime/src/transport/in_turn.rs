//! Processors run one after another on the calling thread, superstep by superstep: the same generated code and the same messages in one
//! fixed order. It is the oracle for every other transport, and shows no processor more than its own memory, its messages, and what the
//! plan shares.

use std::sync::Arc;

use crate::call::Options;
use crate::error::{Failure, RunError};
use crate::exchange::{self, Fault};
use crate::kernel::Kernel;
use crate::program::{Pool, Tables};
use crate::transport::{Transport, catching};
use crate::words::{Loan, Permit};

/// The transport: idle states of one program.
pub(crate) struct InTurn<K: Kernel>(Pool<State<K>>);

impl<K: Kernel> Default for InTurn<K> {
    fn default() -> Self {
        Self(Pool::default())
    }
}

impl<K: Kernel> Transport<K> for InTurn<K> {
    fn run(
        &self,
        tables: &Arc<Tables<K>>,
        arguments: &mut K::Arguments<'_>,
        options: &Options,
    ) -> Result<usize, RunError> {
        let mut state = self
            .0
            .take()
            .unwrap_or_else(|| State::new(tables, arguments));
        for (processor, memory) in state.memories.iter_mut().enumerate() {
            tables.scatter(processor, arguments, memory);
        }
        state.worked.fill(false);
        let loan = Loan::default();
        let mut supersteps = 0..tables.supersteps();
        let run = |lent: Option<(&K::Lent, Permit<'_>)>| {
            supersteps
                .try_for_each(|superstep| state.superstep(tables, lent, superstep, options.fault))
        };
        loan.during(
            arguments,
            |arguments| tables.lend(arguments),
            || loan.with(run),
        )
        .map_err(|failure| failure.into_error(K::NAME))?;
        for (processor, memory) in state.memories.iter().enumerate() {
            tables.gather(processor, arguments, memory);
        }
        let worked = state.worked.iter().filter(|worked| **worked).count();
        self.0.put(state);
        Ok(worked)
    }
}

/// The memories and packets of one run.
struct State<K: Kernel> {
    memories: Vec<K::Memory>,
    packets: Vec<K::Packet>,
    /// Whether each processor ran a task.
    worked: Vec<bool>,
}

impl<K: Kernel> State<K> {
    fn new(tables: &Tables<K>, arguments: &K::Arguments<'_>) -> Self {
        Self {
            memories: (0..tables.processors())
                .map(|processor| tables.memory(processor, arguments))
                .collect(),
            packets: (0..tables.synchronisation.packets())
                .map(|_| K::Packet::default())
                .collect(),
            worked: vec![false; tables.processors()],
        }
    }

    /// Receives on each processor, then computes and sends on each.
    fn superstep(
        &mut self,
        tables: &Tables<K>,
        lent: Option<(&K::Lent, Permit<'_>)>,
        superstep: usize,
        fault: Option<Fault>,
    ) -> Result<(), Failure> {
        let Tables {
            plan,
            synchronisation,
            ..
        } = tables;
        for (processor, memory) in self.memories.iter_mut().enumerate() {
            catching(superstep, processor, || {
                for &link in synchronisation.receives(superstep, processor) {
                    let packet = &mut self.packets[link.packet as usize];
                    exchange::unpack::<K>(plan, link, fault, packet, memory);
                }
            })?;
        }
        for (processor, memory) in self.memories.iter_mut().enumerate() {
            catching(superstep, processor, || {
                let mut view = tables.view(lent, memory);
                self.worked[processor] |= tables.compute(superstep, processor, &mut view);
                drop(view);
                for &link in synchronisation.sends(superstep, processor) {
                    let packet = &mut self.packets[link.packet as usize];
                    exchange::pack::<K>(plan, link, memory, packet);
                }
            })?;
        }
        Ok(())
    }
}
