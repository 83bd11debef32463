//! The graph of grains: neighbours joined by work, and for each grain those that must run before it.

use std::{ops::Range, sync::Arc};

use crate::{
    Accesses, Costs, Fault, Track, TrackError,
    track::{MOST_ITERATIONS, Words},
};

/// No grain: a word that nobody has used so far.
const NONE: u32 = u32::MAX;
/// Marks the id of a grain that has read a word which no grain had written.
const READ: u32 = 1 << 31;
/// A word without a writer that several grains have read.
const MANY: u32 = NONE - 1;
/// Of so many of its nearest predecessors a grain looks at the predecessors. More made no graph of bands, grids or random rows smaller.
const LOOKED_AT: usize = 4;

/// Grains and what each needs.
///
/// A grain is a range of consecutive iterations. An edge leads from `a` to `b` where `b` uses a word that `a` writes, or writes one that `a`
/// uses. Of the edges that follow from others many are left out: those from predecessors of the nearest predecessors.
///
/// Memory: 12 bytes for each grain, 4 for each edge.
#[derive(Clone, Debug)]
pub struct Graph {
    boundaries: Arc<[u32]>,
    work: Vec<u32>,
    offsets: Vec<u32>,
    predecessors: Vec<u32>,
}

impl Graph {
    /// Tracks a kernel and joins neighbours until each grain has the [least work](Costs::least_work).
    ///
    /// Cost: one pass over all accesses, with one random read for each word; a second one, backwards, if a word is written that several
    /// grains read before or that another grain wrote. Memory beside the graph: 4 bytes for each tracked word and for each grain; 8 for
    /// each anti-dependence.
    ///
    /// # Errors
    /// The first fault of the first iteration that has one; too many iterations or words.
    pub fn new(track: &impl Track, costs: &Costs) -> Result<Self, TrackError> {
        let words = Words::new(track)?;
        let mut writers = Writers {
            words: &words,
            table: words.table(track, NONE)?,
            grain: 0,
            near: Near::default(),
            used: 0,
            backwards: false,
            fault: None,
        };
        let (mut boundaries, mut works) = (vec![0], Vec::new());
        let (mut offsets, mut predecessors) = (vec![0], Vec::new());
        let least = u64::from(costs.least_work());
        let mut work = 0;
        for iteration in 0..track.iterations() {
            writers.used = 0;
            let told = track.track(iteration, &mut writers);
            first_fault(iteration, writers.fault.take(), told)?;
            let counted = writers.used + u64::from(costs.iteration);
            work += track.work(iteration).map_or(counted, u64::from);
            if work >= least || iteration + 1 == track.iterations() {
                boundaries.push(iteration + 1);
                works.push(work.min(u64::from(u32::MAX)) as u32);
                work = 0;
                writers
                    .near
                    .close(writers.grain, &offsets, &mut predecessors);
                offsets.push(offset(&predecessors)?);
                writers.grain += 1;
            }
        }
        let Writers {
            table, backwards, ..
        } = writers;
        let graph = Self {
            boundaries: boundaries.into(),
            work: works,
            offsets,
            predecessors,
        };
        if backwards {
            let anti = graph.anti_dependences(track, &words, table)?;
            return graph.with_edges(anti);
        }
        Ok(graph)
    }

    /// Returns the number of grains.
    pub fn grains(&self) -> u32 {
        self.work.len() as u32
    }

    /// Returns the first iteration of each grain, and the number of iterations behind the last.
    pub fn boundaries(&self) -> &Arc<[u32]> {
        &self.boundaries
    }

    /// Returns the work of each grain in words, at most `u32::MAX`.
    pub fn work(&self) -> &[u32] {
        &self.work
    }

    /// Returns the number of edges that are kept.
    pub fn edges(&self) -> usize {
        self.predecessors.len()
    }

    /// Returns the grains from which edges lead to this one.
    #[inline]
    pub fn predecessors(&self, grain: u32) -> &[u32] {
        &self.predecessors[row(&self.offsets, grain)]
    }

    /// The other ends of all edges: offsets, and the successors of each grain, ascending.
    pub(crate) fn successors(&self) -> (Vec<u32>, Vec<u32>) {
        let edges = (0..self.grains()).flat_map(|grain| {
            let predecessors = self.predecessors(grain).iter();
            predecessors.map(move |&predecessor| (predecessor, grain))
        });
        sorted(self.grains(), edges)
    }

    /// Pairs (writer, reader) of a word that the writer overwrites after the reader has read it, from a pass backwards.
    fn anti_dependences(
        &self,
        track: &impl Track,
        words: &Words,
        mut table: Vec<u32>,
    ) -> Result<Vec<(u32, u32)>, TrackError> {
        table.fill(NONE);
        let mut next = Overwriters {
            words,
            table,
            grain: 0,
            seen: vec![NONE; self.work.len()],
            pairs: Vec::new(),
            fault: None,
        };
        for grain in (0..self.grains()).rev() {
            next.grain = grain;
            for iteration in row(&self.boundaries, grain).rev() {
                let told = track.track(iteration as u32, &mut next);
                first_fault(iteration as u32, next.fault.take(), told)?;
            }
        }
        Ok(next.pairs)
    }

    /// Adds edges, given as pairs (grain, predecessor).
    fn with_edges(self, pairs: Vec<(u32, u32)>) -> Result<Self, TrackError> {
        offset(&pairs)?;
        let (starts, added) = sorted(self.grains(), pairs.iter().copied());
        drop(pairs);
        let (mut offsets, mut predecessors) = (vec![0], Vec::new());
        let mut near = Near::default();
        for grain in 0..self.grains() {
            let added = &added[row(&starts, grain)];
            for &predecessor in self.predecessors(grain).iter().chain(added) {
                near.find(grain, predecessor);
            }
            near.close(grain, &offsets, &mut predecessors);
            offsets.push(offset(&predecessors)?);
        }
        Ok(Self {
            offsets,
            predecessors,
            ..self
        })
    }
}

#[inline]
fn row(offsets: &[u32], row: u32) -> Range<usize> {
    offsets[row as usize] as usize..offsets[row as usize + 1] as usize
}

/// The number of edges so far.
fn offset<T>(edges: &[T]) -> Result<u32, TrackError> {
    u32::try_from(edges.len()).map_err(|_| TrackError::Edges)
}

/// Pairs sorted by their first member: offsets, and the second members.
fn sorted(rows: u32, pairs: impl Iterator<Item = (u32, u32)> + Clone) -> (Vec<u32>, Vec<u32>) {
    let mut offsets = vec![0u32; rows as usize + 2];
    for (row, _) in pairs.clone() {
        offsets[row as usize + 2] += 1;
    }
    for row in 2..offsets.len() {
        offsets[row] += offsets[row - 1];
    }
    let mut items = vec![0; offsets[rows as usize + 1] as usize];
    for (row, item) in pairs {
        let next = &mut offsets[row as usize + 1];
        items[*next as usize] = item;
        *next += 1;
    }
    offsets.pop();
    (offsets, items)
}

/// The fault of an iteration: the receiver's came before the one that ended it.
fn first_fault(
    iteration: u32,
    kept: Option<Fault>,
    told: Result<(), Fault>,
) -> Result<(), TrackError> {
    match kept.map_or(told, Err) {
        Ok(()) => Ok(()),
        Err(fault) => Err(TrackError::Fault { iteration, fault }),
    }
}

/// The predecessors of the grain that is being tracked.
#[derive(Default)]
struct Near {
    /// For each earlier grain the last one that needs it; with the mark [`READ`] if that follows from other edges.
    needed_by: Vec<u32>,
    found: Vec<u32>,
}

impl Near {
    #[inline]
    fn find(&mut self, grain: u32, predecessor: u32) {
        let needed_by = &mut self.needed_by[predecessor as usize];
        if *needed_by != grain {
            *needed_by = grain;
            self.found.push(predecessor);
        }
    }

    /// Appends the predecessors found, the nearest first, without those that the nearest imply.
    fn close(&mut self, grain: u32, offsets: &[u32], predecessors: &mut Vec<u32>) {
        if self.found.len() > 1 {
            self.found.sort_unstable_by(|a, b| b.cmp(a));
            for &near in self.found.iter().take(LOOKED_AT) {
                for &implied in &predecessors[row(offsets, near)] {
                    let needed_by = &mut self.needed_by[implied as usize];
                    if *needed_by == grain {
                        *needed_by = grain | READ;
                    }
                }
            }
        }
        let needed_by = &self.needed_by;
        predecessors.extend(
            self.found
                .drain(..)
                .filter(|&each| needed_by[each as usize] == grain),
        );
        self.needed_by.push(NONE);
    }
}

/// The pass forwards: the last writer of each word.
struct Writers<'a> {
    words: &'a Words,
    /// For each word its last writer; before there is one, its reader, with the mark [`READ`].
    table: Vec<u32>,
    grain: u32,
    near: Near,
    /// Words that the iteration has used.
    used: u64,
    /// A writer must wait for readers whom this pass does not know.
    backwards: bool,
    fault: Option<Fault>,
}

impl Writers<'_> {
    #[inline]
    fn entries(&mut self, array: u16, words: &Range<usize>) -> Range<usize> {
        match self.words.entries(array, words) {
            Ok(entries) => {
                self.used += entries.len() as u64;
                entries
            }
            Err(fault) => {
                self.fault.get_or_insert(fault);
                0..0
            }
        }
    }
}

impl Accesses for Writers<'_> {
    #[inline]
    fn read(&mut self, array: u16, words: Range<usize>) {
        let grain = self.grain;
        let entries = self.entries(array, &words);
        for entry in &mut self.table[entries] {
            if *entry <= MOST_ITERATIONS {
                if *entry != grain {
                    self.near.find(grain, *entry);
                }
            } else if *entry == NONE {
                *entry = grain | READ;
            } else if *entry != grain | READ {
                *entry = MANY;
            }
        }
    }

    #[inline]
    fn write(&mut self, array: u16, words: Range<usize>) {
        let grain = self.grain;
        for index in self.entries(array, &words) {
            let before = std::mem::replace(&mut self.table[index], grain);
            if before == grain || before == NONE {
                continue;
            }
            if before == MANY {
                self.backwards = true;
            } else if before & READ == 0 {
                self.near.find(grain, before);
                self.backwards = true;
            } else if before != grain | READ {
                self.near.find(grain, before & !READ);
            }
        }
    }
}

/// The pass backwards: the next writer of each word.
struct Overwriters<'a> {
    words: &'a Words,
    table: Vec<u32>,
    grain: u32,
    /// For each later grain the last one for which it was noted.
    seen: Vec<u32>,
    /// Writer and reader.
    pairs: Vec<(u32, u32)>,
    fault: Option<Fault>,
}

impl Accesses for Overwriters<'_> {
    #[inline]
    fn read(&mut self, array: u16, words: Range<usize>) {
        let entries = self.words.entries(array, &words);
        let entries = entries.unwrap_or_else(|fault| {
            self.fault.get_or_insert(fault);
            0..0
        });
        // Where the next writer is the grain itself, whoever writes after it waits for it as the last writer.
        for &writer in &self.table[entries] {
            if writer != NONE && writer != self.grain {
                let seen = &mut self.seen[writer as usize];
                if *seen != self.grain {
                    *seen = self.grain;
                    self.pairs.push((writer, self.grain));
                }
            }
        }
    }

    #[inline]
    fn write(&mut self, array: u16, words: Range<usize>) {
        let entries = self.words.entries(array, &words);
        let entries = entries.unwrap_or_else(|fault| {
            self.fault.get_or_insert(fault);
            0..0
        });
        self.table[entries].fill(self.grain);
    }
}
