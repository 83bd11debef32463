//! A processor of a run: waits, receives, computes, sends and ends, superstep after superstep. The
//! one driver of all transports.

use crate::error::{Failure, catch};
use crate::exchange::Endpoint;
use crate::kernel::Kernel;
use crate::progress::Aborted;
use crate::statement;
use crate::tables::Tables;
use crate::words::Permit;

/// A processor of a run.
pub(crate) struct Processor<'r, K: Kernel> {
    /// The program.
    pub(crate) tables: &'r Tables<K>,
    /// Which processor it is.
    pub(crate) number: usize,
    /// What it shares with the caller, if it shares anything.
    pub(crate) shared: Option<Shared<'r, K>>,
}

/// Arguments that a processor uses where the caller has them.
pub(crate) struct Shared<'r, K: Kernel> {
    /// The arguments.
    pub(crate) lent: &'r K::Lent,
    /// Leave to use them.
    pub(crate) permit: Permit<'r>,
    /// Per array: whether it is one of those.
    pub(crate) arrays: &'r [bool],
}

/// Why a processor goes no further.
pub(crate) enum Stopped {
    /// It waits for one that goes no further.
    Aborted,
    /// It panicked.
    Panicked(Failure),
}

impl Stopped {
    /// The failure of a processor that never waits.
    pub(crate) fn failure(self) -> Failure {
        match self {
            Self::Panicked(failure) => failure,
            Self::Aborted => unreachable!("it has waited for nobody"),
        }
    }
}

impl<K: Kernel> Processor<'_, K> {
    /// Runs all supersteps; returns whether it ran a task.
    pub(crate) fn run(
        &self,
        memory: &mut K::Memory,
        endpoint: &mut impl Endpoint<K>,
    ) -> Result<bool, Stopped> {
        let mut worked = false;
        for superstep in 0..self.tables.supersteps() {
            worked |= self.superstep(superstep, memory, endpoint)?;
        }
        Ok(worked)
    }

    /// Runs one superstep; returns whether it ran a task. A panic ends here.
    pub(crate) fn superstep(
        &self,
        superstep: usize,
        memory: &mut K::Memory,
        endpoint: &mut impl Endpoint<K>,
    ) -> Result<bool, Stopped> {
        let steps = || self.steps(superstep, memory, endpoint);
        match catch(steps) {
            Ok(done) => done.map_err(|Aborted| Stopped::Aborted),
            Err(payload) => Err(Stopped::Panicked(Failure {
                superstep,
                processor: self.number,
                statement: statement::take(),
                payload,
            })),
        }
    }

    fn steps(
        &self,
        superstep: usize,
        memory: &mut K::Memory,
        endpoint: &mut impl Endpoint<K>,
    ) -> Result<bool, Aborted> {
        let Self { tables, number, .. } = *self;
        let synchronisation = &tables.synchronisation;
        endpoint.wait(synchronisation.waits(superstep, number))?;
        endpoint.receive(
            synchronisation.receives(superstep, number),
            |link, packet| tables.unpack(link, packet, memory),
        )?;
        let worked = tables.compute(superstep, number, &mut self.view(memory));
        endpoint.send(synchronisation.sends(superstep, number), |link, packet| {
            tables.pack(link, memory, packet);
        });
        let listeners = synchronisation.listeners(superstep, number);
        endpoint.end(superstep as u32 + 1, listeners);
        Ok(worked)
    }

    /// What it works on: its memory, and what is lent.
    fn view<'v>(&'v self, memory: &'v mut K::Memory) -> K::View<'v> {
        match &self.shared {
            Some(shared) => K::shared_view(shared.lent, memory, shared.arrays, shared.permit),
            None => K::view(memory),
        }
    }
}
