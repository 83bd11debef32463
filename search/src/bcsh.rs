//! BCSH: the bulk-communication scheduling heuristic of N. Fujimoto's thesis (2000), chapter 3.
//!
//! From the outputs backwards, BCSH collects levels of the graph into a *layer*, a superstep to be.
//! The tasks of the first level are *groups* of one task each. A further level is taken in by
//! copying each of its tasks into every group that reads its value. So no group needs another
//! inside the layer. Groups that share much are merged while they stay small. A level may make the
//! groups too unequal to be dealt to the processors, by more than tau. Then the layer ends before
//! it and the next one starts.
//!
//! * levels of a layer: `layers.rs`, and the way back from one level too many: `rewind.rs`;
//! * groups and their growth: `groups.rs`; their merging: `groups/merging.rs`; their names, weights
//!   and order: `roster.rs`;
//! * near-linear cost: *membership classes* of tasks that belong to the same groups (`classes.rs`),
//!   and the lists of each group's classes (`links.rs`). A watch on the groups that may find a
//!   partner is in `watch.rs`; tables for groups that grow step by step are in `tables.rs`;
//! * dealing groups to processors, the heaviest first: `dealing.rs`; the makespan of that from
//!   the weights alone: `weights.rs`.
//!
//! The pseudo-code as printed does not reproduce the thesis's own tables. This module differs as
//! follows; published figures pin it:
//!
//! * The threshold of a merge is the makespan of the groups *before* they grew by the level
//!   (printed: after).
//! * A group is merged into the first partner that keeps the union below the threshold, and then no
//!   further. Partners share work, and come in descending order of it. (Printed: copied into every
//!   such partner.)
//! * Groups are balanced against the sum of their weights, copies included. (Printed: the work of
//!   their union.) In a layer after which little work is left (t < t/p + tau) they are not
//!   balanced.
//! * Loads count a task once for each group of a processor, though the processor computes it once.

mod by_level;
mod classes;
pub(crate) mod dealing;
mod groups;
mod layers;
mod links;
mod rewind;
mod roster;
mod tables;
mod watch;
mod weights;

use std::{fmt, ops::RangeInclusive};

use superstep_dag::Dag;
use superstep_machine::Machine;
use superstep_schedule::Schedule;

use superstep_scheduler::{ScheduleError, Scheduler, serves};

use crate::sets::MOST_PROCESSORS;

/// Mark of nothing: the end of a list of links, or a group that is not there.
const NONE: u32 = u32::MAX;

/// BCSH, with its one option.
///
/// Cost: near-linear in tasks and edges, whatever the number of levels and of outputs. It is 0.1 to
/// 0.5 microseconds per task of LU 128, which has 700,000. It is 1 where each output of a grid
/// shares work with its neighbours. Memory: 20 bytes per task besides the graph.
///
/// ```
/// use superstep_graphs::generate;
/// use superstep_machine::Machine;
/// use superstep_scheduler::Scheduler;
/// use superstep_search::Bcsh;
///
/// let machine = Machine { tau: Some(120.0), ..Machine::new(2) };
/// let schedule = Bcsh::default().schedule(&generate::lu(32)?, &machine)?;
/// assert_eq!(schedule.supersteps(), 5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bcsh {
    /// Set if each superstep uses the fewest processors that reach the best makespan, so that
    /// fewer, longer messages are sent.
    pub processor_saving: bool,
}

impl Default for Bcsh {
    /// Returns the algorithm with processor saving.
    fn default() -> Self {
        Self {
            processor_saving: true,
        }
    }
}

/// Layer: a superstep as BCSH sees it while it builds it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layer {
    /// Levels of the layer: longest distances to an output, outputs being level 1.
    pub levels: RangeInclusive<u32>,
    /// Number of groups.
    pub groups: usize,
    /// Sum of the weights of the groups. A task that is in several groups counts in each of them.
    pub weight: u64,
    /// Largest load of a processor: the sum of the weights of its groups.
    pub load: u64,
    /// Number of processors that have a group.
    pub processors: u32,
}

impl fmt::Display for Layer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (first, last) = (self.levels.start(), self.levels.end());
        let Self {
            groups,
            weight,
            load,
            processors,
            ..
        } = self;
        write!(
            f,
            "levels {first} to {last}: {groups} groups of {weight} in all, {load} at most on {processors} processors"
        )
    }
}

impl Bcsh {
    /// Returns the schedule, and the layers that the algorithm made, in the order in which it finds
    /// them: the last superstep first.
    ///
    /// # Errors
    /// When the machine has no processors or more than 64, or when there are 2^32 task instances or
    /// more.
    pub fn layers(
        &self,
        graph: &Dag,
        machine: &Machine,
    ) -> Result<(Schedule, Vec<Layer>), ScheduleError> {
        self.layers_observed(graph, machine, |_| ())
    }

    /// Returns the result of [`layers`](Self::layers); calls `observe` after each layer with the
    /// number of tasks that are in layers by then.
    ///
    /// # Errors
    /// As [`layers`](Self::layers).
    pub fn layers_observed(
        &self,
        graph: &Dag,
        machine: &Machine,
        observe: impl FnMut(usize),
    ) -> Result<(Schedule, Vec<Layer>), ScheduleError> {
        serves(self, machine, MOST_PROCESSORS)?;
        layers::schedule(self, graph, machine, observe)
    }
}

impl Scheduler for Bcsh {
    fn name(&self) -> &'static str {
        "bcsh"
    }

    fn schedule(&self, graph: &Dag, machine: &Machine) -> Result<Schedule, ScheduleError> {
        Ok(self.layers(graph, machine)?.0)
    }
}
