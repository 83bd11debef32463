//! What a schedule costs, by the thesis and by the BSP model.
//!
//! All figures are of the schedule as it stands: a copy is work, wherever it stands.

use serde::Serialize;
use superstep_dag::Dag;

use crate::{CheckedSchedule, Communication, Placement, Schedule};

/// The largest load of a processor in each superstep: the sum of the weights of what it runs, copies included.
pub fn superstep_loads(graph: &Dag, schedule: &Schedule) -> Vec<u64> {
    let load = |tasks: &[u32]| {
        tasks
            .iter()
            .map(|&task| u64::from(graph.weight(task)))
            .sum()
    };
    let largest = |superstep| schedule.superstep(superstep).map(load).max().unwrap_or(0);
    (0..schedule.supersteps()).map(largest).collect()
}

/// Makespan by the thesis (section 3.3): the largest load of each superstep, and tau for each boundary between two supersteps, whether or
/// not anything crosses it.
///
/// For BCSH this can be a little below the sum of the loads that the algorithm itself reports: those count a task twice that two groups
/// of one processor share.
pub fn makespan(graph: &Dag, schedule: &Schedule, tau: f64) -> f64 {
    let loads = superstep_loads(graph, schedule);
    loads.iter().sum::<u64>() as f64 + tau * loads.len().saturating_sub(1) as f64
}

/// Makespan speed-up S_M (thesis, section 3.6): total work by makespan; 1 for a graph without work and a makespan of 0.
pub fn speedup(graph: &Dag, schedule: &Schedule, tau: f64) -> f64 {
    ratio(graph.total_work() as f64, makespan(graph, schedule, tau))
}

/// Work of all instances by total work (thesis, section 3.6): 1 without copies.
pub fn duplication_rate(graph: &Dag, schedule: &Schedule) -> f64 {
    let work: u64 = schedule
        .tasks
        .iter()
        .map(|&task| u64::from(graph.weight(task)))
        .sum();
    ratio(work as f64, graph.total_work() as f64)
}

/// Processors that run at least one task.
pub fn processors_used(schedule: &Schedule) -> usize {
    let runs = |&processor: &usize| {
        (0..schedule.supersteps()).any(|s| !schedule.tasks(s, processor).is_empty())
    };
    (0..schedule.processors()).filter(runs).count()
}

/// Number of messages and of words in them.
///
/// A message is what one processor sends another at one boundary. The thesis's mean message length has
/// [eager](Placement::Eager) placement.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Messages {
    /// Non-empty (boundary, sender, receiver).
    pub messages: u64,
    /// Words in all of them.
    pub words: u64,
}

impl Messages {
    /// Those of `communication`, which is of a schedule of `graph`.
    pub fn of(graph: &Dag, communication: &Communication) -> Self {
        Self {
            messages: communication.messages().count() as u64,
            words: communication.words(graph),
        }
    }

    /// Those of the same transfers with [eager](Placement::Eager) placement, however `communication` places them.
    pub fn eager(graph: &Dag, communication: &Communication) -> Self {
        let transfers = communication.transfers().iter();
        let mut messages: Vec<_> = transfers.map(|t| (t.computed, t.from, t.to)).collect();
        // Most neighbours are of one message, so that little is left to sort.
        messages.dedup();
        messages.sort_unstable();
        messages.dedup();
        Self {
            messages: messages.len() as u64,
            words: communication.words(graph),
        }
    }

    /// Words per message; 0 without messages.
    pub fn mean_words(&self) -> f64 {
        if self.messages == 0 {
            0.0
        } else {
            self.words as f64 / self.messages as f64
        }
    }
}

/// BSP cost: the largest load of each superstep, and `gap * h + latency` for each that sends anything, where h is the most words that one
/// processor sends or receives. A superstep that sends nothing pays no latency.
///
/// Cost: linear in instances and transfers.
pub fn bsp_cost(
    schedule: &CheckedSchedule<'_>,
    communication: &Communication,
    gap: f64,
    latency: f64,
) -> f64 {
    let work: u64 = superstep_loads(schedule.graph(), schedule.schedule())
        .iter()
        .sum();
    let relations = h_relations(schedule, communication);
    let sent = relations.iter().filter(|&&h| h > 0);
    work as f64 + sent.map(|&h| gap * h as f64 + latency).sum::<f64>()
}

/// The h-relation of each superstep: the most words that one processor sends or receives after it.
pub fn h_relations(schedule: &CheckedSchedule<'_>, communication: &Communication) -> Vec<u64> {
    let processors = schedule.schedule().processors();
    let mut relations = vec![0; schedule.schedule().supersteps()];
    let (mut sent, mut received) = (vec![0; processors], vec![0; processors]);
    for transfers in communication.supersteps() {
        sent.fill(0);
        received.fill(0);
        for transfer in transfers {
            let words = u64::from(schedule.graph().words(transfer.task));
            sent[transfer.from as usize] += words;
            received[transfer.to as usize] += words;
        }
        relations[transfers[0].superstep as usize] =
            sent.iter().chain(&received).copied().max().unwrap_or(0);
    }
    relations
}

/// All figures of a schedule at once.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Costs {
    /// Number of supersteps.
    pub supersteps: usize,
    /// [`makespan()`].
    pub makespan: f64,
    /// [`speedup()`].
    pub speedup: f64,
    /// [`bsp_cost()`] with improved lazy placement.
    pub bsp_cost: f64,
    /// [`duplication_rate()`].
    pub duplication_rate: f64,
    /// With eager placement.
    pub messages: u64,
    /// With eager placement.
    pub mean_message_words: f64,
    /// [`processors_used()`].
    pub processors_used: usize,
}

impl Costs {
    /// The costs of `schedule` on `machine`.
    pub fn of(schedule: &CheckedSchedule<'_>, machine: &superstep_machine::Machine) -> Self {
        let lazy = Communication::new(schedule, Placement::ImprovedLazy);
        let messages = Messages::eager(schedule.graph(), &lazy);
        let (graph, lists) = (schedule.graph(), schedule.schedule());
        Self {
            supersteps: lists.supersteps(),
            makespan: makespan(graph, lists, machine.tau()),
            speedup: speedup(graph, lists, machine.tau()),
            bsp_cost: bsp_cost(schedule, &lazy, machine.gap, machine.latency),
            duplication_rate: duplication_rate(graph, lists),
            messages: messages.messages,
            mean_message_words: messages.mean_words(),
            processors_used: processors_used(lists),
        }
    }
}

fn ratio(a: f64, b: f64) -> f64 {
    if a == b { 1.0 } else { a / b }
}
