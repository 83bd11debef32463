//! What annealing makes small.

use superstep_machine::Machine;

use super::assignment::Assignment;

/// The cost of an assignment on a machine, with slopes where the cost alone has none.
#[derive(Clone, Debug)]
pub(crate) struct Energy {
    pub(crate) machine: Machine,
    /// How much of the mean load counts as cost: a slope where the largest loads alone give none.
    pub(crate) slope: f64,
    /// How much of the [root mean square](Assignment::root_mean_square) counts as cost: a slope towards even supersteps, where one of several busiest
    /// processors does less.
    pub(crate) evenness: f64,
}

impl Energy {
    /// The cost alone.
    pub(crate) fn of_cost(machine: &Machine) -> Self {
        Self {
            machine: machine.clone(),
            slope: 0.0,
            evenness: 0.0,
        }
    }

    /// That of an assignment.
    pub(crate) fn of(&self, assignment: &mut Assignment) -> f64 {
        assignment.cost(&self.machine)
            + self.slope * assignment.mean_load(&self.machine)
            + self.evenness * assignment.root_mean_square(&self.machine)
    }
}
