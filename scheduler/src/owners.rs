//! Owner computes: each word of memory has an owner, which runs every task that writes it.
//!
//! Dense factorisations, products and sweeps over arrays are distributed by hand in this way
//! (ScaLAPACK's block-cyclic distribution, the owner-computes rule of data-parallel languages).
//! Rows, columns or stretches of an array are dealt to the processors in blocks, round after round.
//! No task is copied. A word is overwritten in a later superstep than others use it, so that all
//! processors can share the caller's arrays. A processor's tasks are whole rows, which fold into
//! loops.
//!
//! * Distributions (`distribution.rs`): the arrays by rows or by columns, in blocks. A processor
//!   has 1, 2, 4 and so on of each array. They are dealt in rounds from the first processor to the
//!   last, or there and back. A task that writes no word of the caller's belongs to its first
//!   reader. Columns have to be cheaper by a tenth: rows lie in one piece.
//! * Bundles (`bundles.rs`): the tasks of a butterfly or of a swap stay together. Where their words
//!   have several owners, these share the bundles evenly.
//! * Supersteps (`steps.rs`): a value of another owner is there in the superstep after, and its
//!   words can be overwritten then. Values that others wait for come as early as they can. An
//!   owner's work on values that it also sends may wait for the next superstep, where the others
//!   work on them too. It does not where that would delay the last superstep.
//! * Balance (`levelling.rs`): an owner that has more to do than the others puts off whole rows to
//!   a superstep in which it has less.
//! * From some size of blocks the search goes to larger or smaller ones, and there and back, as
//!   long as the cost does not rise. The cost is that of BSP with eager messages, or of words [read
//!   in place](Owners::in_place). Where all are dearer than serial, half as many processors are
//!   dealt to, and so on. Serial is never dearer by the cost that the search goes by.

mod bundles;
mod distribution;
mod levelling;
mod steps;

use std::borrow::Cow;

use superstep_dag::{Dag, Homes};
use superstep_machine::Machine;
use superstep_schedule::Schedule;

use self::{
    bundles::{Bundles, Edges, Precedence},
    distribution::Distribution,
    steps::Steps,
};
use crate::{
    ScheduleError, Scheduler, Serial,
    matrices::{Dimension, Matrices},
    scheduler::serves,
};

/// Owner computes, over block-cyclic distributions of the arrays.
///
/// For graphs with [homes](superstep_dag::Homes).
///
/// Cost: some 60 ns per task and edge for each of the six to ten distributions that are tried, for
/// each number of processors. Memory: 24 bytes per task.
///
/// ```
/// use superstep_dag::{Homes, Dag};
/// use superstep_graphs::generate;
/// use superstep_machine::Machine;
/// use superstep_schedule::{CheckedSchedule, Costs};
/// use superstep_scheduler::{Owners, Scheduler};
///
/// let trace = generate::lu_trace(32)?;
/// let graph = superstep_dag_builder::from_trace(&trace).with_homes(superstep_dag_builder::homes(&trace))?;
/// let machine = Machine { latency: 100.0, ..Machine::new(2) };
/// let schedule = Owners::default().schedule(&graph, &machine)?;
/// let costs = Costs::of(&CheckedSchedule::new(&graph, schedule)?, &machine);
/// assert_eq!(costs.duplication_rate, 1.0);
/// assert!(costs.bsp_cost < 0.8 * graph.total_work() as f64);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Owners {
    /// Set if words are read where they lie, in memory that all processors share. A word then costs
    /// those who read it, and not its owner once more for each of them. The h-relation of a
    /// superstep is the most words that a processor reads. By the BSP cost, which counts words
    /// sent, such a schedule may be dearer than others, and than serial.
    ///
    /// Rows that all others read cost their owner P - 1 times as much otherwise, so that few
    /// supersteps with much imbalance look cheaper.
    pub in_place: bool,
}

impl Scheduler for Owners {
    fn name(&self) -> &'static str {
        "owners"
    }

    fn schedule(&self, graph: &Dag, machine: &Machine) -> Result<Schedule, ScheduleError> {
        serves(self, machine, Schedule::MOST_PROCESSORS)?;
        let homes = graph.homes().ok_or(ScheduleError::NoHomes {
            algorithm: self.name(),
        })?;
        let matrices = Matrices::new(graph, homes);
        let mut search = Search {
            graph,
            homes,
            bundles: &Bundles::new(graph, homes),
            machine,
            in_place: self.in_place,
            processors: machine.processors,
            tried: Vec::new(),
            least: graph.total_work() as f64,
            best: None,
        };
        while search.best.is_none() && search.processors > 1 {
            search.descend(&matrices);
            search.processors = search.processors.div_ceil(2);
        }
        match search.best {
            Some(schedule) => Ok(schedule),
            None => Serial.schedule(graph, machine),
        }
    }
}

/// Search for the cheapest schedule.
struct Search<'a> {
    graph: &'a Dag,
    homes: &'a Homes,
    bundles: &'a Bundles<'a>,
    machine: &'a Machine,
    in_place: bool,
    /// Number of the machine's processors to which the arrays are dealt.
    processors: u32,
    tried: Vec<(Dimension, u32, bool)>,
    /// Cost of the best, or of serial, as [`Steps::cost`] counts it.
    least: f64,
    best: Option<Schedule>,
}

impl Search<'_> {
    /// Goes from some size of blocks to others as long as they cost no more.
    fn descend(&mut self, matrices: &Matrices) {
        self.tried.clear();
        let mut here = self.cheapest(Distribution::first(matrices, self.processors));
        while let Some((distribution, cost)) = here {
            here = self
                .cheapest(distribution.neighbours())
                .filter(|(_, next)| *next <= cost);
        }
    }

    /// Returns the cheapest of some distributions that were not tried before, with its cost.
    fn cheapest<'m>(
        &mut self,
        distributions: Vec<Distribution<'m>>,
    ) -> Option<(Distribution<'m>, f64)> {
        let mut cheapest: Option<(Distribution<'m>, f64)> = None;
        for distribution in distributions {
            if self.tried.contains(&distribution.key()) {
                continue;
            }
            self.tried.push(distribution.key());
            let cost = self.try_out(&distribution);
            if cheapest.as_ref().is_none_or(|(_, least)| cost < *least) {
                cheapest = Some((distribution, cost));
            }
        }
        cheapest
    }

    /// Returns the cost of a distribution, its price included; keeps its schedule, if that is the
    /// best.
    fn try_out(&mut self, distribution: &Distribution<'_>) -> f64 {
        let bundles = self.bundles;
        match bundles.edges() {
            Edges::One(edges) => self.try_in(&**edges, distribution),
            Edges::Two(edges) => self.try_in(edges, distribution),
        }
    }

    fn try_in(&mut self, order: &impl Precedence, distribution: &Distribution<'_>) -> f64 {
        let graph = self.graph;
        let owned = distribution.deal(graph, self.homes, self.bundles);
        let earliest = Steps::earliest(order, &owned.owners);
        let mut level = earliest.together(order, &owned.owners);
        let owners = self.bundles.spread(Cow::Borrowed(&owned.owners));
        let earliest = self.try_steps(earliest, &owners, distribution.price());
        levelling::level(order, &owned, &mut level, self.processors);
        earliest.min(self.try_steps(level, &owners, distribution.price()))
    }

    /// Returns the cost of such steps of bundles, times `price`; keeps their schedule, if that is
    /// the best.
    fn try_steps(&mut self, steps: Steps, owners: &[u16], price: f64) -> f64 {
        let steps = Steps(self.bundles.spread(Cow::Owned(steps.0)).into_owned());
        let cost = price * steps.cost(self.graph, owners, self.machine, self.in_place);
        if cost < self.least {
            self.least = cost;
            self.best = None;
            let processors = self.machine.processors;
            self.best = Some(steps.into_schedule(self.graph, owners, processors));
        }
        cost
    }
}
