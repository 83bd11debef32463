//! Portfolio: multilevel search for the schedule with the least BSP cost.
//!
//! * *Coarsen*: groups of tasks take the place of tasks (`coarsening.rs`). They are rows of a graph
//!   that is too large, tiles or pieces of pipelines of others.
//! * *Solve*: schedulers run side by side on the graph of groups, or on that of tasks
//!   (`entrants.rs`). The best schedules are in a pool (`pool.rs`).
//! * *Refine*: the best are annealed, with copies (`refinement.rs`), and searched on with smaller
//!   groups (`rounds.rs`).
//!
//! `multilevel.rs` puts these together as one scheduler of one shape of groups. All numbers are in
//! `tunables.rs`.

mod coarsening;
mod entrants;
mod multilevel;
mod pool;
mod refinement;
mod rounds;

use superstep_dag::Dag;
use superstep_machine::Machine;
use superstep_schedule::Schedule;

use superstep_scheduler::{Effort, ScheduleError, Scheduler, serves};

pub(crate) use self::{coarsening::Shape, refinement::Heat};
use self::{pool::Pool, refinement::Refinement};

/// Portfolio, which finds the best schedule by [BSP cost](superstep_schedule::cost::bsp_cost) with
/// improved lazy messages that a given effort finds. It is never dearer than
/// [`Serial`](superstep_scheduler::Serial), and never dearer than with less effort.
///
/// On a complete binary tree [`ALG3*`](superstep_scheduler::tree::Alg3Star) is among them, on other
/// reductions [`Reduction`](superstep_scheduler::tree::Reduction).
///
/// Greedy schedulers and [`Bcsh`](crate::Bcsh) run for several boundary costs, orders and numbers
/// of processors. With more than the least effort [`Cuts`](crate::Cuts) and
/// [`Pipeline`](superstep_scheduler::Pipeline) run on graphs of up to some million edges. On the
/// [rows](superstep_dag::intervals) of larger graphs, each as one task, all of this runs, with most
/// effort on [tiles](superstep_dag::tiles()). On graphs that are small enough for the effort, the
/// best of their schedules are improved by simulated annealing on the true cost, with copies.
///
/// ```
/// use superstep_graphs::generate;
/// use superstep_machine::Machine;
/// use superstep_schedule::{CheckedSchedule, Costs};
/// use superstep_scheduler::{Effort, Scheduler};
/// use superstep_search::Portfolio;
///
/// let graph = generate::lu(8)?;
/// let machine = Machine { latency: 20.0, ..Machine::new(4) };
/// let schedule = Portfolio { effort: Effort::Fast }.schedule(&graph, &machine)?;
/// let costs = Costs::of(&CheckedSchedule::new(&graph, schedule)?, &machine);
/// assert!(costs.bsp_cost < graph.total_work() as f64); // better than serial
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Portfolio {
    /// Effort of the search.
    pub effort: Effort,
}

impl Scheduler for Portfolio {
    fn name(&self) -> &'static str {
        "portfolio"
    }

    fn schedule(&self, graph: &Dag, machine: &Machine) -> Result<Schedule, ScheduleError> {
        serves(self, machine, Schedule::MOST_PROCESSORS)?;
        let mut pool = Pool::new(graph, machine)?;
        let mut entrants = Vec::new();
        // All that less effort does, in the same order: its result is among those that this one
        // chooses from.
        for effort in Effort::ALL {
            if effort > self.effort || effort == Effort::Thorough && rounds::run(&mut pool)? {
                break;
            }
            entrants.extend(entrants::of(&pool, effort));
            let refinement = Refinement::of_tasks(&pool, effort);
            // Where nothing is searched between, those of more effort run beside these.
            let is_between = effort == Effort::Fast && self.effort > effort;
            if !is_between || refinement.is_worth_it(&pool) {
                pool.offer_all(&std::mem::take(&mut entrants))?;
                refinement.run(&mut pool, None);
            }
        }
        Ok(pool.into_best())
    }
}
