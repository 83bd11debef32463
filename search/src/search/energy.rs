//! Energy, which annealing makes small.

use superstep_machine::Machine;

use super::assignment::Assignment;

/// Energy: the cost of an assignment on a machine, with slopes where the cost alone has none.
#[derive(Clone, Debug)]
pub(crate) struct Energy {
    pub(crate) machine: Machine,
    /// Share of the mean load that counts as cost: a slope where the largest loads alone give none.
    pub(crate) slope: f64,
    /// Share of the [root mean square](Assignment::root_mean_square) that counts as cost: a slope
    /// towards even supersteps, where one of several busiest processors does less.
    pub(crate) evenness: f64,
}

impl Energy {
    /// Returns the energy that is the cost alone.
    pub(crate) fn of_cost(machine: &Machine) -> Self {
        Self {
            machine: machine.clone(),
            slope: 0.0,
            evenness: 0.0,
        }
    }

    /// Returns the energy of an assignment.
    pub(crate) fn of(&self, assignment: &mut Assignment) -> f64 {
        assignment.cost(&self.machine)
            + self.slope * assignment.mean_load(&self.machine)
            + self.evenness * assignment.root_mean_square(&self.machine)
    }
}
