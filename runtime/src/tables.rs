//! Tables of a program and its code: what a processor has to do, and how, whatever transport it
//! runs on.

use superstep_plan::synchronisation::{Link, Synchronisation};
use superstep_plan::{Plan, PlanError};

use crate::kernel::Kernel;

/// Code of a superstep: `execute(plan, superstep, processor, view)` computes what a processor does
/// in it. Returns whether it ran any task.
pub type Execute<K> = fn(&Plan, usize, usize, &mut <K as Kernel>::View<'_>) -> bool;

/// Tables and code of a program: what is fixed about it.
pub(crate) struct Tables<K: Kernel> {
    pub(crate) plan: Plan,
    pub(crate) synchronisation: Synchronisation,
    pub(crate) execute: Execute<K>,
}

impl<K: Kernel> Tables<K> {
    /// Makes the tables of a plan: checks its counts, and finds who waits, sends and receives when.
    pub(crate) fn new(plan: Plan, execute: Execute<K>) -> Result<Self, PlanError> {
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

    /// Copies a processor's inputs into its memory.
    pub(crate) fn scatter(
        &self,
        processor: usize,
        arguments: &K::Arguments<'_>,
        memory: &mut K::Memory,
    ) {
        for strided in &self.plan.scatter[processor] {
            K::scatter(arguments, memory, strided);
        }
    }

    /// Copies a processor's results into the arguments.
    pub(crate) fn gather(
        &self,
        processor: usize,
        arguments: &mut K::Arguments<'_>,
        memory: &K::Memory,
    ) {
        for strided in &self.plan.gather[processor] {
            K::gather(arguments, memory, strided);
        }
    }

    /// Lends the arguments, if the plan shares some.
    pub(crate) fn lend(&self, arguments: &mut K::Arguments<'_>) -> Option<K::Lent> {
        let shares = self.plan.shared.contains(&true);
        shares.then(|| K::lend(arguments)).flatten()
    }

    /// Fills `packet` with the words of the link's message.
    pub(crate) fn pack(&self, link: Link, memory: &K::Memory, packet: &mut K::Packet) {
        K::clear(packet);
        for strided in &self.plan.messages[link.message as usize].strided {
            K::pack(memory, packet, strided);
        }
    }

    /// Takes the words of the link's message out of `packet`.
    pub(crate) fn unpack(&self, link: Link, packet: &mut K::Packet, memory: &mut K::Memory) {
        for strided in &self.plan.messages[link.message as usize].strided {
            K::unpack(packet, memory, strided);
        }
    }
}
