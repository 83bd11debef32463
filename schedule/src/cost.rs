//! Costs of a schedule: makespan by N. Fujimoto's thesis (2000, chapter 3), and BSP cost.
//!
//! All figures are of the schedule as it stands: a copy is work, wherever it stands.

use superstep_dag::Dag;
use superstep_machine::Machine;

use crate::{CheckedSchedule, Communication, Schedule, Sending, Transfer};

/// Returns the largest load of a processor in each superstep: the sum of the weights of the tasks
/// that it runs, copies included.
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

/// Returns the makespan by the thesis (section 3.3): the largest load of each superstep, and tau
/// for each boundary between two supersteps. A boundary counts whether or not anything crosses it.
///
/// BCSH (the thesis's scheduler) may report a little more. It deals groups of tasks that overlap,
/// and counts a task once for each group of a processor.
pub fn makespan(graph: &Dag, schedule: &Schedule, tau: f64) -> f64 {
    let loads = superstep_loads(graph, schedule);
    loads.iter().sum::<u64>() as f64 + tau * loads.len().saturating_sub(1) as f64
}

/// Returns the work of all task instances by total work (thesis, section 3.6): 1 without copies.
pub fn duplication_rate(graph: &Dag, schedule: &Schedule) -> f64 {
    let work: u64 = schedule
        .tasks
        .iter()
        .map(|&task| u64::from(graph.weight(task)))
        .sum();
    ratio(work as f64, graph.total_work() as f64)
}

/// Returns the number of processors that run at least one task.
pub fn processors_used(schedule: &Schedule) -> usize {
    let runs = |&processor: &usize| {
        (0..schedule.supersteps()).any(|s| !schedule.tasks(s, processor).is_empty())
    };
    (0..schedule.processors()).filter(runs).count()
}

/// Number of messages and of words in them.
///
/// A message is all that one processor sends another at one boundary. The thesis's mean message
/// length has [eager](Sending::Eager) sending.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Messages {
    /// Number of non-empty (boundary, sender, receiver).
    pub messages: u64,
    /// Words in all of them.
    pub words: u64,
}

impl Messages {
    /// Counts the messages of `communication`, which is of a schedule of `graph`.
    pub fn of(graph: &Dag, communication: &Communication) -> Self {
        Self {
            messages: communication.messages().count() as u64,
            words: communication.words(graph),
        }
    }

    /// Counts the messages of these transfers with [eager](Sending::Eager) sending, however
    /// `communication` sends them.
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

    /// Returns the words per message; 0 without messages.
    pub fn mean_words(&self) -> f64 {
        if self.messages == 0 {
            0.0
        } else {
            self.words as f64 / self.messages as f64
        }
    }
}

/// Returns the BSP cost: the largest load of each superstep, and `g h + L` for each that sends
/// anything. Here h is the most words that one processor sends or receives. A superstep that sends
/// nothing pays no latency.
///
/// On a machine with [levels](Machine#structfield.levels) each word costs as much as its own level
/// says. L is that of the farthest message of the superstep.
///
/// Cost: linear in task instances and transfers, and in levels times processors times supersteps.
pub fn bsp_cost(
    schedule: &CheckedSchedule<'_>,
    communication: &Communication,
    machine: &Machine,
) -> f64 {
    let work: u64 = superstep_loads(schedule.graph(), schedule.schedule())
        .iter()
        .sum();
    let all = exchanges(schedule, communication, machine);
    work as f64 + all.map(|exchange| exchange.cost).sum::<f64>()
}

/// Communication of one superstep.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Exchange {
    /// Superstep that it follows.
    pub superstep: usize,
    /// [Level](Machine::level) of its farthest message.
    pub level: usize,
    /// Part of the BSP cost: `g h + L`.
    pub cost: f64,
}

/// Returns the exchanges of a schedule, in the order of supersteps; those without a word are left
/// out.
pub fn exchanges<'a>(
    schedule: &'a CheckedSchedule<'_>,
    communication: &'a Communication,
    machine: &'a Machine,
) -> impl Iterator<Item = Exchange> + 'a {
    let levels = machine.levels.len() + 1;
    // Words by processor, then by direction (sent, received), then by level, which varies fastest.
    let mut words = vec![0_u64; 2 * levels * schedule.schedule().processors()];
    let exchange_of = move |transfers: &[Transfer]| {
        words.fill(0);
        let mut farthest = None;
        for transfer in transfers {
            let (from, to) = (transfer.from as usize, transfer.to as usize);
            let count = u64::from(schedule.graph().words(transfer.task));
            let level = machine.level(transfer.from, transfer.to);
            words[2 * from * levels + level] += count;
            words[(2 * to + 1) * levels + level] += count;
            if count > 0 {
                farthest = farthest.max(Some(level));
            }
        }
        let cost = |words: &[u64]| -> f64 {
            let of_level = |(level, &count): (usize, &u64)| machine.gap_of(level) * count as f64;
            words.iter().enumerate().map(of_level).sum()
        };
        let relation = words.chunks_exact(levels).map(cost).fold(0.0, f64::max);
        farthest.map(|level| Exchange {
            superstep: transfers[0].superstep as usize,
            level,
            cost: relation + machine.latency_of(level),
        })
    };
    communication.supersteps().filter_map(exchange_of)
}

/// Costs of a schedule, all figures at once.
#[derive(Clone, Debug, PartialEq)]
pub struct Costs {
    /// Number of supersteps.
    pub supersteps: usize,
    /// Makespan: [`makespan()`].
    pub makespan: f64,
    /// BSP cost, [`bsp_cost()`], with improved lazy sending.
    pub bsp_cost: f64,
    /// Work of all task instances by total work: [`duplication_rate()`].
    pub duplication_rate: f64,
    /// Number of messages with eager sending.
    pub messages: u64,
    /// Words per message with eager sending.
    pub mean_message_words: f64,
    /// Processors that run at least one task: [`processors_used()`].
    pub processors_used: usize,
}

impl Costs {
    /// Computes the costs of `schedule` on `machine`.
    pub fn of(schedule: &CheckedSchedule<'_>, machine: &Machine) -> Self {
        let lazy = Communication::on(schedule, Sending::ImprovedLazy, machine);
        let messages = Messages::eager(schedule.graph(), &lazy);
        let (graph, lists) = (schedule.graph(), schedule.schedule());
        Self {
            supersteps: lists.supersteps(),
            makespan: makespan(graph, lists, machine.tau()),
            bsp_cost: bsp_cost(schedule, &lazy, machine),
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
