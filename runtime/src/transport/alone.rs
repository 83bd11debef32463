//! One processor alone needs no messages and no memory of its own: it works on the arguments where
//! they are.

use superstep_order as order;
use superstep_plan::synchronisation::Link;
use superstep_plan::{Copies, Plan};

use super::Pool;
use crate::error::RunError;
use crate::exchange::{Endpoint, Layer};
use crate::kernel::Kernel;
use crate::processor::{Processor, Shared, Stopped};
use crate::progress::Aborted;
use crate::tables::Tables;
use crate::words::{Loan, Permit};

/// Idle memories for the locals of one program.
pub(crate) struct Alone<K: Kernel, L = ()> {
    layer: L,
    idle: Pool<K::Memory>,
    /// Per array: whether it is an argument.
    arguments: Vec<bool>,
}

impl<K: Kernel, L: Layer<K>> Alone<K, L> {
    /// For programs whose one processor keeps every word of the arguments at its own index.
    pub(crate) fn new(plan: &Plan, layer: L) -> Option<Self> {
        let stays = |copies: &Copies| {
            copies.from == copies.to && (copies.count == 1 || copies.from_step == copies.to_step)
        };
        let mut copies = plan.scatter.iter().chain(&plan.gather).flatten();
        // Locals have no extent, and overflow slots lie beyond it.
        let fits = |(&extent, &length): (&u32, &u32)| extent == 0 || length <= extent;
        let serves = plan.processors == 1
            && copies.all(stays)
            && plan.extents.iter().zip(&plan.lengths).all(fits);
        serves.then(|| Self {
            layer,
            idle: Pool::default(),
            arguments: plan.extents.iter().map(|&extent| extent > 0).collect(),
        })
    }

    /// Runs a program once, as a transport does; none if the kernel does not lend its arguments.
    pub(crate) fn run(
        &self,
        tables: &Tables<K>,
        arguments: &mut K::Arguments<'_>,
    ) -> Option<Result<usize, RunError>> {
        let mut locals = self
            .idle
            .take()
            .unwrap_or_else(|| locals(tables, arguments));
        let loan = Loan::default();
        let run = |lent: Option<(&K::Lent, Permit<'_>)>| {
            let (lent, permit) = lent?;
            let processor = Processor {
                tables,
                number: 0,
                shared: Some(Shared {
                    lent,
                    permit,
                    arrays: &self.arguments,
                }),
            };
            let endpoint = &mut self.layer.around(0, Nobody);
            Some(processor.run(&mut locals, endpoint))
        };
        let done = loan.during(arguments, K::lend, || loan.with(run));
        if !matches!(done, Some(Err(_))) {
            self.idle.put(locals);
        }
        let failed = |stopped: Stopped| stopped.failure().into_error(K::NAME);
        done.map(|done| done.map(usize::from).map_err(failed))
    }
}

/// The end of connections of a processor that has no peers.
struct Nobody;

impl<K: Kernel> Endpoint<K> for Nobody {
    fn wait(&mut self, _: &[order::Wait]) -> Result<(), Aborted> {
        Ok(())
    }

    fn receive(&mut self, _: &[Link], _: impl FnMut(Link, &mut K::Packet)) -> Result<(), Aborted> {
        Ok(())
    }

    fn send(&mut self, _: &[Link], _: impl FnMut(Link, &mut K::Packet)) {}

    fn end(&mut self, _: u32, _: &[u32]) {}
}

/// Memory without any words for the arguments.
fn locals<K: Kernel>(tables: &Tables<K>, arguments: &K::Arguments<'_>) -> K::Memory {
    let words = tables.plan.extents.iter().zip(&tables.plan.lengths);
    let lengths: Vec<u32> = words
        .map(|(&extent, &length)| if extent == 0 { length } else { 0 })
        .collect();
    K::memory(arguments, &lengths)
}
