//! Sequences: the tasks of each owner in the order in which it runs them, and where it waits for
//! others.

use std::ops::Range;

use superstep_order::Rows;

use super::blocks::{Shape, owners};
use crate::{Before, Ranking};

/// Task that reads values of other owners.
pub(super) struct Gate {
    pub(super) position: u32,
    /// Start of its waits.
    start: u32,
}

/// Value that another owner reads.
pub(super) struct Sent {
    pub(super) position: u32,
    pub(super) to: u32,
    pub(super) words: u32,
}

/// Sequences of tasks by *position*: owner by owner, each in the order in which it runs them.
pub struct Sequences {
    pub(super) tasks: Vec<u32>,
    /// First position of each owner, and the number of tasks.
    pub(super) starts: Vec<u32>,
    /// Work of the tasks before each position; none, where each task's is 1.
    work: Option<Vec<u64>>,
    /// Tasks that wait for other owners, by position.
    pub(super) gates: Vec<Gate>,
    /// Owner that a gate waits for, and the position that must have run in an earlier superstep.
    waits: Vec<(u32, u32)>,
    /// Values that other owners read, by position, then by receiver.
    pub(super) sent: Vec<Sent>,
}

/// Offset of the arrival of tasks that lead to no reader elsewhere: they can wait.
const CAN_WAIT: u32 = 1 << 31;

/// Returns the key by which each owner orders its tasks. It is the least depth of a task with a
/// reader elsewhere that a task leads to in its block. Where there is none, it is the largest depth
/// of a task elsewhere that the block has to wait for before it. It never falls along an edge
/// inside a block.
fn urgency(graph: Before<'_>, depths: &[u32], owners: &[u16]) -> Vec<u32> {
    let mut urgency = vec![u32::MAX; graph.tasks()];
    for task in graph.in_order().rev() {
        let owner = owners[task as usize];
        let readers = graph.successors.row(task as usize).iter();
        let readers = readers.map(|&reader| {
            if owners[reader as usize] == owner {
                urgency[reader as usize]
            } else {
                depths[task as usize]
            }
        });
        urgency[task as usize] = readers.min().unwrap_or(u32::MAX);
    }
    for task in graph.in_order() {
        if urgency[task as usize] < CAN_WAIT {
            continue;
        }
        let owner = owners[task as usize];
        let values = graph.predecessors.row(task as usize).iter();
        let arrivals = values.map(|&value| {
            if owners[value as usize] != owner {
                CAN_WAIT + depths[value as usize]
            } else {
                urgency[value as usize]
            }
        });
        urgency[task as usize] = arrivals.max().unwrap_or(0).max(CAN_WAIT);
    }
    urgency
}

impl Sequences {
    /// Puts the tasks of the blocks of such a shape in sequence; `depths` has the depth of each
    /// task.
    pub fn new(graph: Before<'_>, ranks: &impl Ranking, depths: &[u32], shape: Shape) -> Self {
        let owners = owners(graph, ranks, shape);
        let count = shape.blocks;
        let urgency = urgency(graph, depths, &owners);
        let Rows {
            offsets: starts,
            items: tasks,
        } = sort(graph, &owners, &urgency, count);
        drop(urgency);
        let work = |&task: &u32| graph.work_of(task);
        let is_unit = tasks.iter().all(|task| work(task) == 1);
        let work = (!is_unit).then(|| {
            let mut sums = Vec::with_capacity(tasks.len() + 1);
            sums.push(0);
            for (at, task) in tasks.iter().enumerate() {
                sums.push(sums[at] + work(task));
            }
            sums
        });
        let mut sequences = Self {
            tasks,
            starts,
            work,
            gates: Vec::new(),
            waits: Vec::new(),
            sent: Vec::new(),
        };
        sequences.find_gates(graph, &owners);
        sequences.find_sent(graph, &owners);
        sequences
    }

    fn find_gates(&mut self, graph: Before<'_>, owners: &[u16]) {
        let mut positions = vec![0; self.tasks.len()];
        for (&task, position) in self.tasks.iter().zip(0..) {
            positions[task as usize] = position;
        }
        for owner in 0..self.owners() {
            // Last position that the gates so far have waited for, by owner.
            let mut passed = vec![None; self.owners()];
            for position in self.starts[owner]..self.starts[owner + 1] {
                let start = self.waits.len();
                for &value in graph
                    .predecessors
                    .row(self.tasks[position as usize] as usize)
                {
                    let other = owners[value as usize];
                    let passed: &mut Option<u32> = &mut passed[other as usize];
                    let wait = positions[value as usize];
                    if other as usize != owner && passed.is_none_or(|passed| passed < wait) {
                        *passed = Some(wait);
                        self.waits.push((other.into(), wait));
                    }
                }
                if self.waits.len() > start {
                    let start = start as u32;
                    self.gates.push(Gate { position, start });
                }
            }
        }
    }

    fn find_sent(&mut self, graph: Before<'_>, owners: &[u16]) {
        let mut receivers = Vec::new();
        for (&task, position) in self.tasks.iter().zip(0..) {
            let readers = graph.successors.row(task as usize).iter();
            receivers.clear();
            receivers.extend(readers.map(|&reader| owners[reader as usize]));
            receivers.retain(|&receiver| receiver != owners[task as usize]);
            receivers.sort_unstable();
            receivers.dedup();
            let words = graph.words_of(task);
            let sent = receivers.iter().map(|&to: &u16| Sent {
                position,
                to: to.into(),
                words,
            });
            self.sent.extend(sent);
        }
    }

    /// Returns the number of owners.
    pub(super) fn owners(&self) -> usize {
        self.starts.len() - 1
    }

    /// Returns the work of the tasks before a position.
    #[inline]
    pub(super) fn work_before(&self, position: u32) -> u64 {
        match &self.work {
            Some(work) => work[position as usize],
            None => position.into(),
        }
    }

    /// Returns the last of these positions, or the end, with at most `most` work before it; the
    /// first one, if there is none.
    pub(super) fn reach(&self, positions: Range<u32>, most: u64) -> u32 {
        let Range { start, end } = positions;
        match &self.work {
            Some(work) => {
                let work = &work[start as usize + 1..=end as usize];
                start + work.partition_point(|&work| work <= most) as u32
            }
            None => most.clamp(start.into(), end.into()) as u32,
        }
    }

    /// Returns the work of an owner on average.
    pub(super) fn share(&self) -> f64 {
        self.work_before(self.tasks.len() as u32) as f64 / self.owners() as f64
    }

    /// Returns the most work of an owner.
    pub(super) fn heaviest(&self) -> u64 {
        let work = |owner: &[u32]| self.work_before(owner[1]) - self.work_before(owner[0]);
        self.starts.windows(2).map(work).max().unwrap_or(0)
    }

    /// Returns the waits of the gate of that number.
    pub(super) fn waits(&self, gate: usize) -> &[(u32, u32)] {
        let end = self.gates.get(gate + 1);
        let end = end.map_or(self.waits.len(), |next| next.start as usize);
        &self.waits[self.gates[gate].start as usize..end]
    }
}

/// Returns the tasks of each owner, the most urgent first. A task comes after its predecessors of
/// the same owner.
fn sort(graph: Before<'_>, owners: &[u16], urgency: &[u32], count: u32) -> Rows<u32> {
    let owned = graph
        .in_order()
        .map(|task| (owners[task as usize].into(), task));
    let mut tasks = Rows::sorted(count as usize, owned);
    for owner in 0..tasks.len() {
        // Stable: tasks of equal urgency stay in topological order.
        let own = tasks.range(owner);
        tasks.items[own].sort_by_key(|&task| urgency[task as usize]);
    }
    tasks
}
