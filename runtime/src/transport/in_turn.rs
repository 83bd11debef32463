//! Processors run one after another on the calling thread, superstep by superstep: the same
//! generated code and the same messages in one fixed order. It is the oracle for every other
//! transport, and shows no processor more than its own memory, its messages, and what the plan
//! shares.

use std::sync::Arc;

use superstep_order as order;
use superstep_plan::synchronisation::Link;

use super::{Pool, Transport};
use crate::error::RunError;
use crate::exchange::{Endpoint, Layer};
use crate::kernel::Kernel;
use crate::options::Options;
use crate::processor::{Processor, Shared, Stopped};
use crate::progress::Aborted;
use crate::tables::Tables;
use crate::words::{Loan, Permit};

/// The transport: idle states of one program.
pub(crate) struct InTurn<K: Kernel, L = ()> {
    pub(super) layer: L,
    idle: Pool<State<K>>,
}

impl<K: Kernel, L: Layer<K>> InTurn<K, L> {
    pub(crate) fn new(layer: L) -> Self {
        Self {
            layer,
            idle: Pool::default(),
        }
    }
}

impl<K: Kernel, L: Layer<K>> Transport<K> for InTurn<K, L> {
    fn run(
        &self,
        tables: &Arc<Tables<K>>,
        arguments: &mut K::Arguments<'_>,
        _: &Options,
    ) -> Result<usize, RunError> {
        let idle = self.idle.take();
        let mut state = idle.unwrap_or_else(|| State::new(tables, arguments));
        for (processor, memory) in state.memories.iter_mut().enumerate() {
            tables.scatter(processor, arguments, memory);
        }
        state.worked.fill(false);
        let loan = Loan::default();
        let run = |lent: Option<(&K::Lent, Permit<'_>)>| state.run(tables, lent, &self.layer);
        let lend = |arguments: &mut K::Arguments<'_>| tables.lend(arguments);
        loan.during(arguments, lend, || loan.with(run))
            .map_err(|stopped| stopped.failure().into_error(K::NAME))?;
        for (processor, memory) in state.memories.iter().enumerate() {
            tables.gather(processor, arguments, memory);
        }
        let worked = state.worked.iter().filter(|worked| **worked).count();
        self.idle.put(state);
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
        let processors = 0..tables.processors();
        Self {
            memories: processors.map(|p| tables.memory(p, arguments)).collect(),
            packets: tables.packets().collect(),
            worked: vec![false; tables.processors()],
        }
    }

    fn run(
        &mut self,
        tables: &Tables<K>,
        lent: Option<(&K::Lent, Permit<'_>)>,
        layer: &impl Layer<K>,
    ) -> Result<(), Stopped> {
        let Self {
            memories,
            packets,
            worked,
        } = self;
        for superstep in 0..tables.supersteps() {
            for (number, memory) in memories.iter_mut().enumerate() {
                let processor = Processor {
                    tables,
                    number,
                    shared: lent.map(|(lent, permit)| Shared {
                        lent,
                        permit,
                        arrays: &tables.plan.shared,
                    }),
                };
                let endpoint = &mut layer.around(number, Turn { packets });
                worked[number] |= processor.superstep(superstep, memory, endpoint)?;
            }
        }
        Ok(())
    }
}

/// The end of connections of the processor whose turn it is. All others have ended every earlier
/// superstep, and nobody waits for more: a packet that is filled in a superstep is taken in a later
/// one, before it is filled again.
struct Turn<'r, P> {
    packets: &'r mut [P],
}

impl<K: Kernel> Endpoint<K> for Turn<'_, K::Packet> {
    fn wait(&mut self, _: &[order::Wait]) -> Result<(), Aborted> {
        Ok(())
    }

    fn receive(
        &mut self,
        links: &[Link],
        take: impl FnMut(Link, &mut K::Packet),
    ) -> Result<(), Aborted> {
        each(links, self.packets, take);
        Ok(())
    }

    fn send(&mut self, links: &[Link], fill: impl FnMut(Link, &mut K::Packet)) {
        each(links, self.packets, fill);
    }

    fn end(&mut self, _: u32, _: &[u32]) {}
}

/// Calls `with` for each link and its packet.
fn each<P>(links: &[Link], packets: &mut [P], mut with: impl FnMut(Link, &mut P)) {
    for &link in links {
        with(link, &mut packets[link.packet as usize]);
    }
}
