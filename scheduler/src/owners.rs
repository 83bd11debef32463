//! Owner computes: each word of memory has an owner, which runs every task that writes it.
//!
//! Dense factorisations, products and sweeps over arrays are distributed by hand in this way (ScaLAPACK's block-cyclic distribution, the
//! owner-computes rule of data-parallel languages): rows, columns or stretches of an array are dealt to the processors in blocks, round
//! after round. No task is copied and each word is written by one processor, so that all processors can share the caller's arrays; and what
//! a processor runs is made of whole rows, which fold into loops.
//!
//! * Distributions (`distribution.rs`): the arrays by rows or by columns, in blocks of which each
//!   processor has 1, 2, 4 and so on of each array, dealt in rounds from the first processor to the last, or there and back. A task that writes no word of the caller's belongs to its first reader.
//! * Supersteps (`steps.rs`): a value of another owner is there in the superstep after. Values that others wait for come as early as they can;
//!   what an owner does with its own values that it also sends may wait for the next superstep, where the others do the same with them,
//!   unless that would delay the last superstep.
//! * Balance (`levelling.rs`): an owner that has more to do than the others puts off whole rows to a superstep in which it has less.
//! * The distribution with the smallest BSP cost wins, serial among them.

mod distribution;
mod levelling;
mod steps;

use superstep_dag_builder::TaskGraph;
use superstep_machine::Machine;

use self::{distribution::families, steps::Steps};
use crate::{Schedule, ScheduleError, Scheduler, Serial, matrices::Matrices, scheduler::serves};

/// Owner computes, over block-cyclic distributions of the arrays.
///
/// For graphs with [homes](superstep_dag_builder::Homes).
///
/// Cost: some 20 ns per task and edge for each of the up to 4 log2(rows / P) distributions, mostly half as many; 20 bytes per task.
///
/// ```
/// use superstep_dag_builder::{Homes, TaskGraph, generate};
/// use superstep_machine::Machine;
/// use superstep_scheduler::{CheckedSchedule, Costs, Owners, Scheduler};
///
/// let trace = generate::lu_trace(32)?;
/// let graph = TaskGraph::from_trace(&trace).with_homes(Homes::of(&trace))?;
/// let machine = Machine { latency: 100.0, ..Machine::new(2) };
/// let schedule = Owners.schedule(&graph, &machine)?;
/// let costs = Costs::of(&CheckedSchedule::new(&graph, schedule)?, &machine);
/// assert_eq!(costs.duplication_rate, 1.0);
/// assert!(costs.bsp_cost < 0.8 * graph.total_work() as f64);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Owners;

impl Scheduler for Owners {
    fn name(&self) -> &'static str {
        "owners"
    }

    fn schedule(&self, graph: &TaskGraph, machine: &Machine) -> Result<Schedule, ScheduleError> {
        serves(self, machine, Schedule::MOST_PROCESSORS)?;
        let homes = graph.homes().ok_or(ScheduleError::NoHomes {
            algorithm: self.name(),
        })?;
        let mut least = graph.total_work() as f64;
        let mut best = None;
        let matrices = Matrices::new(homes, graph.tasks());
        for family in families(&matrices, machine.processors) {
            let (mut least_here, mut dearer) = (f64::INFINITY, 0);
            for distribution in family {
                let owned = distribution.deal(graph, homes);
                let earliest = Steps::earliest(graph, &owned.owners);
                let mut level = earliest.together(graph, &owned.owners);
                levelling::level(graph, &owned, &mut level, machine.processors);
                let mut cost = f64::INFINITY;
                for steps in [earliest, level] {
                    let this = steps.cost(graph, &owned.owners, machine);
                    cost = cost.min(this);
                    if this < least {
                        least = this;
                        best = Some(steps.into_schedule(graph, &owned.owners, machine.processors));
                    }
                }
                // Smaller blocks balance better and exchange more: beyond the best size it only gets worse.
                dearer = if cost < least_here { 0 } else { dearer + 1 };
                least_here = least_here.min(cost);
                if dearer == 2 {
                    break;
                }
            }
        }
        match best {
            Some(schedule) => Ok(schedule),
            None => Serial.schedule(graph, machine),
        }
    }
}
