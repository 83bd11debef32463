//! Joining iterations to grains, and the edges of each.

use superstep_tuning::tuned;

use super::{
    Graph, offset,
    passes::NONE,
    passes::{Iteration, READ},
};
use crate::{Rows, TrackError};

tuned! {
    /// Number of its predecessors, those found last, whose own predecessors a grain looks at.
    ///
    /// In a band of half-width 32, half full, 4 takes 40 % more time of tracking than none. Grids
    /// are alike with all.
    ///
    /// | looked at | 0 | 1 | 4 | 16 |
    /// |---|---|---|---|---|
    /// | million edges | 9.0 | 5.6 | 3.4 | 1.5 |
    const LOOKED_AT: usize = 4, off 0;

    /// Predecessors so far back, in grains, are near. Of those alone the predecessors are looked
    /// at, as they are still in the cache. Without this bound a graph of random rows, of which none
    /// implies another, took twice the time.
    const NEAR: u32 = 64, off 0;

    /// Iterations that need nothing near are joined freely as long as the graph has this
    /// parallelism, enough for as many processors. Where they are not, matrices are predicted to
    /// take 5 % longer.
    const PARALLELISM: u64 = 64, off u64::MAX;
}

/// Grains as they are joined: the graph of those that are closed, and the one that is open.
#[derive(Default)]
pub(super) struct Grains {
    /// The end of each closed grain.
    ends: Vec<u32>,
    works: Vec<u32>,
    /// The last word that each closed grain writes, counted from 1.
    pub(super) homes: Vec<u32>,
    predecessors: Rows<u32>,
    /// Number of predecessors of each closed grain that are operands.
    operands: Vec<u32>,
    closed: Vec<Closed>,
    /// Predecessors of the open grain: its operands first.
    found: Vec<u32>,
    /// Predecessors that are found are operands, or those before this number.
    found_operands: Option<usize>,
    /// Earliest start of the open grain, on as many processors as there are grains, and its work.
    start: u64,
    pub(super) work: u64,
    /// The last word that the open grain writes, counted from 1.
    pub(super) home: u32,
    /// Set if the open grain writes words that others have written; then the number of closed ones
    /// that do.
    pub(super) is_rewriting: bool,
    pub(super) rewrites: u32,
    /// Set if the open grain needs a near one, or an iteration of it another.
    pub(super) is_chained: bool,
    /// Work of the closed grains.
    all: u64,
    /// Words that all grains have told to read or write.
    pub(super) accesses: u64,
}

#[derive(Clone, Copy)]
struct Closed {
    /// End of the grain, on as many processors as there are grains.
    end: u64,
    /// The last grain that needs it; with the mark [`READ`] if that follows from other edges.
    needed_by: u32,
}

impl Grains {
    /// Returns whether the open grain is small, and neither it nor the iteration would lose more
    /// than `least` by joining, or little that counts.
    #[inline]
    pub(super) fn can_join(&self, iteration: &Iteration, work: u64, least: u64) -> bool {
        if self.work >= least || work >= least {
            return false;
        }
        let ends = iteration.needs.iter();
        let ready = ends.map(|&grain| self.closed[grain as usize].end).max();
        let ready = ready.unwrap_or(0);
        let alone = if iteration.needs_open {
            ready.max(self.start + self.work)
        } else {
            ready
        };
        let start = ready.max(self.start);
        if start <= self.start + least && start + self.work <= alone + least {
            return true;
        }
        let is_chained = self.is_chained || iteration.needs_open;
        let mut needs = iteration.needs.iter();
        !is_chained
            && start + self.work + work <= self.all / PARALLELISM.get()
            && !needs.any(|&need| self.closed.len() as u32 - need <= NEAR.get())
    }

    /// Notes that the open grain needs another.
    #[inline]
    pub(super) fn find(&mut self, grain: u32, predecessor: u32) {
        let closed = &mut self.closed[predecessor as usize];
        if closed.needed_by != grain {
            closed.needed_by = grain;
            self.start = closed.end.max(self.start);
            self.is_chained |= grain - predecessor <= NEAR.get();
            self.found.push(predecessor);
        }
    }

    /// Takes the predecessors that are found from here on for others than operands.
    pub(super) fn end_operands(&mut self) {
        self.found_operands = Some(self.found.len());
    }

    /// Closes the open grain before an iteration.
    ///
    /// It keeps those predecessors that the last ones found do not imply. Rows have their
    /// columns in order, mostly, so that these are the nearest.
    pub(super) fn close(&mut self, iteration: u32) -> Result<(), TrackError> {
        let grain = self.closed.len() as u32;
        if self.found.len() > 1 {
            let last = self.found.iter().rev().take(LOOKED_AT.get());
            for &near in last.filter(|&&each| self.is_chained && grain - each <= NEAR.get()) {
                for &implied in self.predecessors.row(near as usize) {
                    let needed_by = &mut self.closed[implied as usize].needed_by;
                    if *needed_by == grain {
                        *needed_by = grain | READ;
                    }
                }
            }
        }
        let found_operands = self.found_operands.take().unwrap_or(self.found.len());
        let mut operands = 0;
        for (position, &each) in self.found.iter().enumerate() {
            if self.closed[each as usize].needed_by == grain {
                self.predecessors.items.push(each);
                operands += u32::from(position < found_operands);
            }
        }
        self.operands.push(operands);
        self.found.clear();
        self.closed.push(Closed {
            end: self.start + self.work,
            needed_by: NONE,
        });
        self.ends.push(iteration);
        self.works.push(self.work.min(u64::from(u32::MAX)) as u32);
        self.homes.push(self.home);
        self.rewrites += u32::from(self.is_rewriting);
        offset(&self.predecessors.items)?;
        self.predecessors.end_row();
        self.all += self.work;
        (self.start, self.work, self.home) = (0, 0, 0);
        (self.is_chained, self.is_rewriting) = (false, false);
        Ok(())
    }

    /// Returns their graph, of arrays of so many words.
    pub(super) fn into_graph(self, words: u64) -> Graph {
        Graph {
            words,
            accesses: self.accesses,
            boundaries: std::iter::once(0).chain(self.ends).collect(),
            work: self.works,
            homes: self.homes,
            rewrites: self.rewrites,
            predecessors: self.predecessors,
            operands: self.operands,
        }
    }
}
