//! Supersteps of tasks whose owners are given.

use superstep_dag::{Dag, Rows};
use superstep_machine::Machine;
use superstep_schedule::Schedule;

use super::bundles::Precedence;

/// Superstep of each task.
///
/// Invariants: no task runs in a superstep before that of a task whose value it reads. It runs in a
/// later one, where that task has another owner.
pub(super) struct Steps(pub(super) Vec<u32>);

impl Steps {
    /// Returns the steps with each task as early as it can.
    pub(super) fn earliest(graph: &impl Precedence, owners: &[u16]) -> Self {
        let mut steps = vec![0; graph.tasks()];
        for task in graph.topological() {
            let owner = owners[task as usize];
            let before = graph
                .predecessors(task)
                .map(|&value| steps[value as usize] + u32::from(owners[value as usize] != owner));
            steps[task as usize] = before.max().unwrap_or(0);
        }
        Self(steps)
    }

    /// Returns steps in as many supersteps, where owners, too, wait for values that they send. They
    /// use them in the superstep after, where that delays nobody else.
    pub(super) fn together(&self, graph: &impl Precedence, owners: &[u16]) -> Self {
        let latest = self.latest(graph, owners);
        let is_sent = |task: u32| {
            let mut readers = graph.successors(task);
            readers.any(|&reader| owners[reader as usize] != owners[task as usize])
        };
        let sent: Vec<bool> = (0..graph.tasks() as u32).map(is_sent).collect();
        let mut steps = vec![0; graph.tasks()];
        for task in graph.topological() {
            let owner = owners[task as usize];
            let before = graph.predecessors(task).map(|&value| {
                let step = steps[value as usize];
                let waits = owners[value as usize] != owner
                    || step < latest[task as usize] && sent[value as usize];
                step + u32::from(waits)
            });
            steps[task as usize] = before.max().unwrap_or(0);
        }
        drop((latest, sent));
        sink(graph, owners, &mut steps);
        Self(steps)
    }

    /// Returns the steps with each task as late as it can.
    fn latest(&self, graph: &impl Precedence, owners: &[u16]) -> Vec<u32> {
        let last = self.supersteps() - 1;
        let mut latest = vec![last; graph.tasks()];
        for task in graph.topological().rev() {
            let owner = owners[task as usize];
            let after = graph.successors(task).map(|&reader| {
                latest[reader as usize] - u32::from(owners[reader as usize] != owner)
            });
            latest[task as usize] = after.min().unwrap_or(last);
        }
        latest
    }

    pub(super) fn supersteps(&self) -> u32 {
        self.0.iter().max().map_or(1, |&last| last + 1)
    }

    /// Returns the BSP cost, each value being sent after the superstep that computes it. Where
    /// values are read `in_place`, nothing is sent: an exchange takes as long as its receivers do.
    /// On a machine with levels a word costs as much as its level says, and a boundary as much as
    /// its farthest message.
    pub(super) fn cost(
        &self,
        graph: &Dag,
        owners: &[u16],
        machine: &Machine,
        in_place: bool,
    ) -> f64 {
        let processors = machine.processors as usize;
        let supersteps = self.supersteps() as usize;
        let mut tallies = vec![Tally::default(); supersteps * processors];
        let mut farthest: Vec<Option<usize>> = vec![None; supersteps];
        let parts = machine.levels.iter().map(|level| level.gap);
        let parts: Vec<f64> = parts.chain([1.0]).collect();
        // Per processor: the last value that it was sent, and one more.
        let mut sent = vec![0; processors];
        for task in 0..graph.tasks() as u32 {
            let owner = usize::from(owners[task as usize]);
            let at = self.0[task as usize] as usize;
            let superstep = &mut tallies[at * processors..][..processors];
            superstep[owner].work += u64::from(graph.weight(task));
            for &reader in graph.successors(task) {
                let to = usize::from(owners[reader as usize]);
                if to != owner && sent[to] != task + 1 {
                    sent[to] = task + 1;
                    let level = machine.level(owner as u32, to as u32);
                    let words = parts[level] * f64::from(graph.words(task));
                    superstep[owner].sent += words;
                    superstep[to].received += words;
                    farthest[at] = farthest[at].max(Some(level).filter(|_| graph.words(task) > 0));
                }
            }
        }
        let cost = |(superstep, farthest): (&[Tally], Option<usize>)| {
            let work = superstep.iter().map(|f| f.work).max().unwrap_or(0);
            let moved = |f: &Tally| f.received.max(if in_place { 0.0 } else { f.sent });
            let relation = superstep.iter().map(moved).fold(0.0, f64::max);
            let exchange = farthest.map_or(0.0, |level| {
                machine.gap * relation + machine.latency_of(level)
            });
            work as f64 + exchange
        };
        tallies
            .chunks_exact(processors)
            .zip(farthest)
            .map(cost)
            .sum()
    }

    /// Returns the schedule; tasks of a list in topological order.
    pub(super) fn into_schedule(self, graph: &Dag, owners: &[u16], processors: u32) -> Schedule {
        let width = processors as usize;
        let list =
            |task: u32| self.0[task as usize] as usize * width + usize::from(owners[task as usize]);
        let tasks = graph.topological().map(|task| (list(task), task));
        let Rows { offsets, items } = Rows::sorted(self.supersteps() as usize * width, tasks);
        Schedule::from_compressed(processors, offsets, items)
    }
}

/// Delays tasks of superstep 0 whose readers all have their owner, to the first superstep of a
/// reader. All that is done to a word is then done in one go.
fn sink(graph: &impl Precedence, owners: &[u16], steps: &mut [u32]) {
    // Only steps of tasks that have been visited change.
    for task in graph.topological().rev() {
        if steps[task as usize] != 0 {
            continue;
        }
        let readers = graph.successors(task);
        let owner = owners[task as usize];
        if readers
            .clone()
            .all(|&reader| owners[reader as usize] == owner)
        {
            let first = readers.map(|&reader| steps[reader as usize]).min();
            steps[task as usize] = first.unwrap_or(0);
        }
    }
}

/// Tally of one processor in one superstep.
#[derive(Clone, Copy, Default)]
struct Tally {
    work: u64,
    /// Words sent, each a part of one where it stays inside a group.
    sent: f64,
    received: f64,
}
