//! Choice of the superstep after which each value is sent.

use superstep_machine::Machine;

use super::{Sending, Transfer};
use crate::Schedule;

/// Chooses the superstep of each transfer; they come by task, then receiver.
///
/// Cost of improved lazy sending: transfers times the supersteps that each may choose from, and
/// 16 bytes per (superstep, processor).
pub(super) fn choose_supersteps(
    transfers: &mut [Transfer],
    sending: Sending,
    schedule: &Schedule,
    machine: &Machine,
    words: impl Fn(u32) -> u32,
) {
    for transfer in &mut *transfers {
        transfer.superstep = match sending {
            Sending::Eager => transfer.computed,
            Sending::Lazy | Sending::ImprovedLazy => transfer.first_use - 1,
        };
    }
    if sending == Sending::ImprovedLazy {
        let reach = reach(transfers, schedule, machine);
        let mut traffic = Traffic::new(schedule, machine, reach);
        for transfer in &mut *transfers {
            transfer.superstep = traffic.last_admissible(transfer);
            traffic.add(transfer, words(transfer.task));
        }
        for transfer in transfers {
            traffic.improve(transfer, words(transfer.task));
        }
    }
}

/// Chooses for each boundary the level of its farthest messages. As few boundaries as can be are of
/// the outermost level, then of the next one inside. (The smallest set of points that stab
/// intervals takes the ends of those that end first.)
fn reach(transfers: &[Transfer], schedule: &Schedule, machine: &Machine) -> Vec<usize> {
    let mut reach = vec![0; schedule.supersteps()];
    let outermost = machine.levels.len();
    if outermost == 0 {
        return reach;
    }
    let mut of_level = vec![Vec::new(); outermost + 1];
    for transfer in transfers {
        let level = machine.level(transfer.from, transfer.to);
        of_level[level].push((transfer.first_use, transfer.computed));
    }
    for level in (1..=outermost).rev() {
        let intervals = &mut of_level[level];
        intervals.sort_unstable();
        intervals.dedup();
        for &(first_use, computed) in &*intervals {
            let boundaries = &mut reach[computed as usize..first_use as usize];
            if boundaries.iter().all(|&reach| reach < level) {
                boundaries[boundaries.len() - 1] = level;
            }
        }
    }
    reach
}

/// Weight of a word between the processors that are farthest apart; of others, a part of it. Parts
/// are told apart to a thousandth, and a machine without levels counts words.
const WHOLE: f64 = 1024.0;

/// Words that each processor sends and receives at each boundary.
struct Traffic<'a> {
    machine: &'a Machine,
    /// Farthest level of messages at each boundary.
    reach: Vec<usize>,
    /// Weight of a word of each level.
    weights: Vec<u64>,
    processors: usize,
    /// Words by superstep, then processor.
    sent: Vec<u64>,
    received: Vec<u64>,
    /// Largest of `sent` and `received` by superstep.
    relations: Vec<u64>,
}

impl<'a> Traffic<'a> {
    fn new(schedule: &Schedule, machine: &'a Machine, reach: Vec<usize>) -> Self {
        let (supersteps, processors) = (schedule.supersteps(), schedule.processors());
        let parts = machine
            .levels
            .iter()
            .map(|level| (level.gap * WHOLE) as u64);
        let weights = match machine.levels.len() {
            0 => vec![1],
            _ => parts.chain([WHOLE as u64]).collect(),
        };
        Self {
            machine,
            reach,
            weights,
            processors,
            sent: vec![0; supersteps * processors],
            received: vec![0; supersteps * processors],
            relations: vec![0; supersteps],
        }
    }

    /// Returns the last superstep before the first use after which messages go as far.
    fn last_admissible(&self, transfer: &Transfer) -> u32 {
        let level = self.machine.level(transfer.from, transfer.to);
        let mut supersteps = (transfer.computed..transfer.first_use).rev();
        supersteps
            .find(|&superstep| self.reach[superstep as usize] >= level)
            .expect("a boundary was chosen for each transfer")
    }

    /// Returns the weight of a number of words between the processors of a transfer.
    fn weight(&self, transfer: &Transfer, words: u32) -> u64 {
        self.weights[self.machine.level(transfer.from, transfer.to)] * u64::from(words)
    }

    fn at(&self, superstep: u32, processor: u32) -> usize {
        superstep as usize * self.processors + processor as usize
    }

    fn add(&mut self, transfer: &Transfer, words: u32) {
        let (from, to) = (
            self.at(transfer.superstep, transfer.from),
            self.at(transfer.superstep, transfer.to),
        );
        let weight = self.weight(transfer, words);
        self.sent[from] += weight;
        self.received[to] += weight;
        let relation = &mut self.relations[transfer.superstep as usize];
        *relation = self.sent[from].max(self.received[to]).max(*relation);
    }

    fn remove(&mut self, transfer: &Transfer, words: u32) {
        let (from, to) = (
            self.at(transfer.superstep, transfer.from),
            self.at(transfer.superstep, transfer.to),
        );
        let relation = self.relations[transfer.superstep as usize];
        let was_largest = self.sent[from] == relation || self.received[to] == relation;
        let weight = self.weight(transfer, words);
        self.sent[from] -= weight;
        self.received[to] -= weight;
        if was_largest {
            let row = self.at(transfer.superstep, 0)..self.at(transfer.superstep + 1, 0);
            let loads = self.sent[row.clone()].iter().chain(&self.received[row]);
            self.relations[transfer.superstep as usize] = loads.copied().max().unwrap_or(0);
        }
    }

    /// Moves a lazy transfer to the earliest superstep whose h-relation it does not raise, if there
    /// is one before its own.
    fn improve(&mut self, transfer: &mut Transfer, words: u32) {
        let level = self.machine.level(transfer.from, transfer.to);
        let weight = self.weight(transfer, words);
        let fits = |&superstep: &u32| {
            let (from, to) = (
                self.at(superstep, transfer.from),
                self.at(superstep, transfer.to),
            );
            self.reach[superstep as usize] >= level
                && self.sent[from].max(self.received[to]) + weight
                    <= self.relations[superstep as usize]
        };
        if let Some(superstep) = (transfer.computed..transfer.superstep).find(fits) {
            self.remove(transfer, words);
            transfer.superstep = superstep;
            self.add(transfer, words);
        }
    }
}
