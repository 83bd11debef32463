//! BCSH with chosen cuts: the supersteps are ranges of levels, as in [BCSH](crate::bcsh), but each
//! ends at a cut that is chosen by its cost.
//!
//! BCSH ends a layer when its groups can no longer be dealt evenly. Here layers grow from *every*
//! cut between levels, backwards from the outputs. Each is dealt to the processors after each
//! further level. A shortest path over the cuts picks the layers whose BSP cost is least in sum.
//! That weighs copies against messages, and the number of supersteps against both.
//!
//! * The tasks by levels, counted from the outputs or from the inputs: `levelled.rs`. Counted from
//!   the outputs a task comes as late as can be, from the inputs as early as can be. For the FFT
//!   only the latter has cuts that cross each butterfly at most once.
//! * Growth of a layer: each task joins every group that reads its value, so no group needs another
//!   inside the layer. Tasks that belong to the same groups are counted as one *membership class*
//!   (`growth.rs`, `classes.rs`).
//! * Groups come about by two rules. *Seeds*: the first level is divided into some groups for each
//!   processor, of tasks that are neighbours in memory. *Merged*: each task of the first level is a
//!   group. Then groups that share work are merged, up to a part of a processor's share
//!   (`merging.rs`). Several groups for each processor leave freedom to place, and copies that meet
//!   on one processor count once.
//! * Dealing: the heaviest group first, or contiguously by position in memory (`dealing.rs`). Each
//!   is also tried with the processors relabelled to the owners of the values that later layers
//!   need (`needs.rs`). Contiguous dealing mostly wins: neighbours share inputs.
//! * The search: from coarse to fine ranges of levels. The costs of one choice of cuts bound the
//!   layers that the next one tries (`search.rs`, `refinement.rs`). With an effort of 0
//!   the cuts are those of BCSH: only groups and their owners are looked for.
//! * Annealing: then the groups of all layers (`drawing.rs`) move at once, by the cost of all
//!   supersteps (`board.rs`). It spreads the words that are sent over the processors. Dealing layer
//!   by layer leaves them to those that hold the inputs of the next layer.
//!
//! The search keeps one way to get to each cut, the cheapest. The words that it leaves to be sent
//! differ, so the result is not optimal even among ranges of levels. Messages are taken to be sent
//! right after the superstep that computes them. With [improved
//! lazy](superstep_schedule::Sending::ImprovedLazy) messages the cost differs by some per cent.

mod board;
mod classes;
mod dealing;
mod drawing;
mod growth;
mod levelled;
mod merging;
mod needs;
mod positions;
mod refinement;
mod search;

use superstep_dag::Dag;
use superstep_machine::Machine;
use superstep_schedule::Schedule;

pub(crate) use self::growth::Rule;
use self::{
    board::anneal,
    drawing::Drawing,
    levelled::{Anchor, Levelled},
    refinement::Refinement,
    search::Search,
};
use crate::{
    Bcsh,
    sets::MOST_PROCESSORS,
    tunables::{
        BALANCED_CUTS, FAST_CUTS, RULES_OF_DEALING, SIDE_BY_SIDE, THOROUGH_CUTS, words_left,
    },
};
use superstep_scheduler::{ScheduleError, Scheduler, serves};

/// BCSH with chosen cuts, with its effort. It serves up to 64 processors.
///
/// Cost: `effort` steps of 5 to 10 nanoseconds for each task and each edge, at most 1.5 times as
/// many. Memory: 50 bytes per task and 8 per edge besides the graph.
///
/// ```
/// use superstep_graphs::generate;
/// use superstep_machine::Machine;
/// use superstep_schedule::{CheckedSchedule, Costs};
/// use superstep_scheduler::Scheduler;
/// use superstep_search::Cuts;
///
/// let graph = generate::fft(256)?;
/// let machine = Machine { latency: 100.0, ..Machine::new(8) };
/// let schedule = Cuts::default().schedule(&graph, &machine)?;
/// // One exchange, and no copies: 384 operations on each processor, 28 of 32 values sent by
/// // each, the latency.
/// let costs = Costs::of(&CheckedSchedule::new(&graph, schedule)?, &machine);
/// assert_eq!(costs.bsp_cost, 384.0 + 28.0 + 100.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cuts {
    /// Steps for each task and edge of the search for cuts. A step is a look at a task, at an edge,
    /// or at a group of a class. Below 10 or so the cuts are those of the coarsest choice; above
    /// 1,000 or so little is left to find. With 0 the cuts are those of [BCSH](crate::Bcsh), and
    /// groups are made and dealt anew.
    pub effort: u32,
    /// Steps for each task and edge of annealing the owners of groups.
    pub annealing: u32,
}

impl Cuts {
    /// Least effort: some coarse choices.
    pub const FAST: Self = Self::searching(FAST_CUTS);
    /// Middle effort: cuts between ranges of a few levels.
    pub const BALANCED: Self = Self::searching(BALANCED_CUTS);
    /// Largest effort: cuts between any levels, by all rules.
    pub const THOROUGH: Self = Self::searching(THOROUGH_CUTS);

    /// Returns the search of that effort, without annealing.
    const fn searching(effort: u32) -> Self {
        Self {
            effort,
            annealing: 0,
        }
    }

    /// Returns the steps in all, of which there are so many for each task and edge.
    fn steps(self, each: u32, graph: &Dag) -> u64 {
        u64::from(each) * (graph.tasks() + graph.edges()) as u64
    }
}

impl Default for Cuts {
    /// Returns [`BALANCED`](Self::BALANCED).
    fn default() -> Self {
        Self::BALANCED
    }
}

impl Scheduler for Cuts {
    fn name(&self) -> &'static str {
        "cuts"
    }

    fn schedule(&self, graph: &Dag, machine: &Machine) -> Result<Schedule, ScheduleError> {
        serves(self, machine, MOST_PROCESSORS)?;
        // Annealing will lower the words that are sent, so a search for cuts before it counts them
        // at a lower price.
        let left = if self.annealing > 0 {
            words_left(machine.processors)
        } else {
            1.0
        };
        let softened = Machine {
            gap: left * machine.gap,
            ..machine.clone()
        };
        let late = Levelled::new(graph, Anchor::Outputs);
        let early;
        let (levelled, layers) = if self.effort == 0 {
            let (_, layers) = Bcsh::default().layers(graph, machine)?;
            let ends = layers.iter().map(|layer| *layer.levels.end() as usize);
            let ends: Vec<usize> = [0].into_iter().chain(ends).collect();
            let is_end = |level: usize| ends.binary_search(&level).is_ok();
            let mut search = Search::new(&late, machine);
            let chosen = search.choose(&is_end, &RULES_OF_DEALING, None, 0);
            (&late, chosen.layers)
        } else {
            let steps = self.steps(self.effort, graph);
            let mut best = Refinement::begin(&late, &softened, steps / 2);
            if 3 * best.search.steps <= steps {
                early = Levelled::new(graph, Anchor::Inputs);
                let other = Refinement::begin(&early, &softened, steps / 2);
                best = better(best, other, steps);
            }
            (best.search.graph, best.chosen.layers)
        };
        let mut drawing = Drawing::new(levelled, machine, &layers);
        anneal(&mut drawing, machine, self.steps(self.annealing, graph));
        drawing.schedule(self.name(), machine.processors)
    }
}

/// Refines two choices of cuts in so many steps in all, and returns the better one. First both go
/// side by side. Then the cheaper one is refined, and the other in the steps that are left.
fn better<'a>(mut best: Refinement<'a>, mut other: Refinement<'a>, steps: u64) -> Refinement<'a> {
    let left = |best: &Refinement<'_>, other: &Refinement<'_>| {
        steps.saturating_sub(best.search.steps + other.search.steps)
    };
    while SIDE_BY_SIDE * (best.last + other.last) <= left(&best, &other)
        && best.halve(steps)
        && other.halve(steps)
    {}
    if other.chosen.cost < best.chosen.cost {
        std::mem::swap(&mut best, &mut other);
    }
    best.refine(left(&best, &other));
    other.refine(left(&best, &other));
    if other.chosen.cost < best.chosen.cost {
        other
    } else {
        best
    }
}
