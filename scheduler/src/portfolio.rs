//! The best of many: cheap schedulers, several machines, and local search from what they find.

mod candidates;
mod coarse;
mod pool;
mod refinement;
mod tiled;

use std::fmt;
use std::str::FromStr;

use superstep_dag::Dag;
use superstep_machine::Machine;
use superstep_schedule::Schedule;

use self::{pool::Pool, refinement::Refinement};
use crate::{ScheduleError, Scheduler, scheduler::serves};

/// How much time a [`Portfolio`] may take.
///
/// What is done is counted in steps, not in seconds, so that a schedule does not depend on the machine that computes it, nor on how many
/// threads that has for its candidates. The times are those of two common cores in 2026; each includes the ones before, so that more effort is never worse.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Effort {
    /// About 100 ns per edge, or some hundredths of a second.
    Fast,
    /// About 2 us per edge, or some tenths of a second.
    #[default]
    Balanced,
    /// About 100 us per edge: some seconds, and minutes for millions of edges.
    Thorough,
}

impl Effort {
    /// All, the least first.
    pub const ALL: [Self; 3] = [Self::Fast, Self::Balanced, Self::Thorough];

    /// The name under which the command line knows it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Fast => "fast",
            Self::Balanced => "balanced",
            Self::Thorough => "thorough",
        }
    }

    /// What it takes.
    pub fn about(self) -> &'static str {
        match self {
            Self::Fast => "about 100 ns per edge",
            Self::Balanced => "about 2 us per edge",
            Self::Thorough => "about 100 us per edge, up to some seconds",
        }
    }
}

impl fmt::Display for Effort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A name that no effort has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no effort is called `{0}`; there are fast, balanced, thorough")]
pub struct UnknownEffort(String);

impl FromStr for Effort {
    type Err = UnknownEffort;

    fn from_str(name: &str) -> Result<Self, UnknownEffort> {
        let mut all = Self::ALL.into_iter();
        all.find(|effort| effort.name() == name)
            .ok_or_else(|| UnknownEffort(name.to_owned()))
    }
}

/// The best schedule by [BSP cost](superstep_schedule::cost::bsp_cost) with improved lazy messages that a given effort finds; never dearer than
/// [`Serial`](crate::Serial), and never dearer than with less effort.
///
/// On a complete binary tree [`ALG3*`](crate::tree::Alg3Star) is among them, on other reductions [`Reduction`](crate::tree::Reduction).
///
/// Greedy schedulers and [`Bcsh`](crate::Bcsh) run for several boundary costs, orders and numbers of processors, and with more than the least
/// effort [`Cuts`](crate::Cuts) and [`Pipeline`](crate::Pipeline) on graphs of up to some million edges, and all of this on the
/// [rows](superstep_dag::intervals) of larger ones, each as one task, with most effort on [tiles](superstep_dag::tiles()); on graphs that are small
/// enough for the effort, the best of their schedules are improved by simulated annealing on the true cost, with copies.
///
/// ```
/// use superstep_dag_builder::generate;
/// use superstep_machine::Machine;
/// use superstep_schedule::{CheckedSchedule, Costs};
/// use superstep_scheduler::{Effort, Portfolio, Scheduler};
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
    /// How much to try.
    pub effort: Effort,
}

impl Scheduler for Portfolio {
    fn name(&self) -> &'static str {
        "portfolio"
    }

    fn schedule(&self, graph: &Dag, machine: &Machine) -> Result<Schedule, ScheduleError> {
        serves(self, machine, Schedule::MOST_PROCESSORS)?;
        let mut pool = Pool::new(graph, machine)?;
        let mut candidates = Vec::new();
        // All that less effort does, in the same order: its result is among what this one chooses from.
        for effort in Effort::ALL {
            if effort > self.effort || effort == Effort::Thorough && tiled::collect(&mut pool)? {
                break;
            }
            candidates.extend(candidates::of(&pool, effort));
            let refinement = Refinement::new(&pool, effort);
            // Where nothing is searched between, those of more effort run beside these.
            let is_between = effort == Effort::Fast && self.effort > effort;
            if !is_between || refinement.is_worth_it(&pool) {
                pool.offer_all(&std::mem::take(&mut candidates))?;
                refinement.run(&mut pool);
            }
        }
        Ok(pool.into_best())
    }
}
