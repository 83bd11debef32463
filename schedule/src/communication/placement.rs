//! In which superstep each value is sent.

use super::{Placement, Transfer};
use crate::Schedule;

/// Chooses the superstep of each transfer; they come by task, then receiver.
///
/// Cost of improved lazy placement: transfers times the supersteps that each may choose from, and 16 bytes per (superstep, processor).
pub(super) fn place(
    transfers: &mut [Transfer],
    placement: Placement,
    schedule: &Schedule,
    words: impl Fn(u32) -> u32,
) {
    for transfer in &mut *transfers {
        transfer.superstep = match placement {
            Placement::Eager => transfer.computed,
            Placement::Lazy | Placement::ImprovedLazy => transfer.first_use - 1,
        };
    }
    if placement == Placement::ImprovedLazy {
        let mut traffic = Traffic::new(schedule.supersteps(), schedule.processors());
        for transfer in &*transfers {
            traffic.add(transfer, words(transfer.task));
        }
        for transfer in transfers {
            traffic.improve(transfer, words(transfer.task));
        }
    }
}

/// Words that each processor sends and receives at each boundary.
struct Traffic {
    processors: usize,
    /// By superstep, then processor.
    sent: Vec<u64>,
    received: Vec<u64>,
    /// The largest of them by superstep.
    relations: Vec<u64>,
}

impl Traffic {
    fn new(supersteps: usize, processors: usize) -> Self {
        Self {
            processors,
            sent: vec![0; supersteps * processors],
            received: vec![0; supersteps * processors],
            relations: vec![0; supersteps],
        }
    }

    fn at(&self, superstep: u32, processor: u32) -> usize {
        superstep as usize * self.processors + processor as usize
    }

    fn add(&mut self, transfer: &Transfer, words: u32) {
        let (from, to) = (
            self.at(transfer.superstep, transfer.from),
            self.at(transfer.superstep, transfer.to),
        );
        self.sent[from] += u64::from(words);
        self.received[to] += u64::from(words);
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
        self.sent[from] -= u64::from(words);
        self.received[to] -= u64::from(words);
        if was_largest {
            let row = self.at(transfer.superstep, 0)..self.at(transfer.superstep + 1, 0);
            let loads = self.sent[row.clone()].iter().chain(&self.received[row]);
            self.relations[transfer.superstep as usize] = loads.copied().max().unwrap_or(0);
        }
    }

    /// Moves a lazy transfer to the earliest superstep whose relation that does not raise, if there is one before its own.
    fn improve(&mut self, transfer: &mut Transfer, words: u32) {
        let fits = |&superstep: &u32| {
            let (from, to) = (
                self.at(superstep, transfer.from),
                self.at(superstep, transfer.to),
            );
            self.sent[from].max(self.received[to]) + u64::from(words)
                <= self.relations[superstep as usize]
        };
        if let Some(superstep) = (transfer.computed..transfer.superstep).find(fits) {
            self.remove(transfer, words);
            transfer.superstep = superstep;
            self.add(transfer, words);
        }
    }
}
