//! The graph of grains: neighbours joined by work, and for each grain those that must run before
//! it.

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
/// Of so many of its predecessors, those found last, a grain looks at the predecessors.
const LOOKED_AT: usize = 4;
/// Predecessors so far back, in grains, are near. Of those alone the predecessors are looked at, as
/// they are still in the cache: without this bound a graph of random rows, of which none implies
/// another, took twice the time.
const NEAR: u32 = 64;
/// Iterations that need nothing near are joined freely as long as the graph has this parallelism,
/// enough for as many processors.
const PARALLELISM: u64 = 64;

/// Grains and what each needs.
///
/// A grain is a range of consecutive iterations. An edge leads from `a` to `b` where `b` uses a
/// word that `a` writes, or writes one that `a` uses. Of the edges that follow from others many are
/// left out: those from predecessors of the nearest predecessors.
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
    /// Tracks a kernel and joins neighbours until each grain has the [least
    /// work](Costs::least_work).
    ///
    /// An iteration joins the grain before it where neither waits for the other's sake longer than
    /// that work takes. So rows of a grid are joined along its lines but never across their ends,
    /// which would make one chain of all lines. Iterations that need nothing near, as rows of a
    /// random matrix, are joined as long as there is parallelism for 64 processors.
    ///
    /// Cost: one pass over all accesses, with one random read for each word; a second one,
    /// backwards, if a word is written that several grains read before or that another grain wrote.
    /// Memory beside the graph: 4 bytes for each tracked word, 16 for each grain, 8 for each
    /// anti-dependence.
    ///
    /// # Errors
    /// The first fault of the first iteration that has one; too many iterations, words or edges.
    pub fn new(track: &impl Track, costs: &Costs) -> Result<Self, TrackError> {
        let words = Words::new(track)?;
        let mut writers = Writers {
            words: &words,
            table: words.table(track, NONE)?,
            grain: 0,
            own: Iteration::default(),
            backwards: false,
            fault: None,
        };
        let mut grains = Grains::default();
        let least = u64::from(costs.least_work());
        for iteration in 0..track.iterations() {
            writers.own.clear();
            let told = track.track(iteration, &mut writers);
            first_fault(iteration, &mut writers.fault, told)?;
            let counted = writers.own.used + u64::from(costs.iteration);
            let work = track.work(iteration).map_or(counted, u64::from);
            if iteration > 0 && !grains.can_join(&writers.own, work, least) {
                grains.close(iteration)?;
                writers.open_next();
            }
            grains.is_chained |= writers.own.needs_open;
            writers.commit(&mut grains);
            grains.work += work;
        }
        if track.iterations() > 0 {
            grains.close(track.iterations())?;
        }
        let Writers {
            table, backwards, ..
        } = writers;
        let graph = grains.into_graph();
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

    /// Pairs (writer, reader) of a word that the writer overwrites after the reader has read it,
    /// from a pass backwards.
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
                first_fault(iteration as u32, &mut next.fault, told)?;
            }
        }
        Ok(next.pairs)
    }

    /// Adds edges, given as pairs (grain, predecessor).
    fn with_edges(self, pairs: Vec<(u32, u32)>) -> Result<Self, TrackError> {
        offset(&pairs)?;
        let (starts, added) = sorted(self.grains(), pairs.iter().copied());
        drop(pairs);
        let mut grains = Grains::default();
        for grain in 0..self.grains() {
            let added = &added[row(&starts, grain)];
            for &predecessor in self.predecessors(grain).iter().chain(added) {
                grains.find(grain, predecessor);
            }
            grains.work = u64::from(self.work[grain as usize]);
            grains.close(self.boundaries[grain as usize + 1])?;
        }
        Ok(grains.into_graph())
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
#[inline]
fn first_fault(
    iteration: u32,
    kept: &mut Option<Fault>,
    told: Result<(), Fault>,
) -> Result<(), TrackError> {
    if kept.is_none() && told.is_ok() {
        return Ok(());
    }
    match kept.take().map_or(told, Err) {
        Ok(()) => Ok(()),
        Err(fault) => Err(TrackError::Fault { iteration, fault }),
    }
}

/// Grains as they are joined: the graph of those that are closed, and the one that is open.
struct Grains {
    boundaries: Vec<u32>,
    works: Vec<u32>,
    offsets: Vec<u32>,
    predecessors: Vec<u32>,
    closed: Vec<Closed>,
    /// Predecessors of the open grain.
    found: Vec<u32>,
    /// When the open grain can start, on as many processors as there are grains, and its work.
    start: u64,
    work: u64,
    /// The open grain needs a near one, or an iteration of it another.
    is_chained: bool,
    /// Work of the closed grains.
    all: u64,
}

#[derive(Clone, Copy)]
struct Closed {
    /// When the grain ends, on as many processors as there are grains.
    end: u64,
    /// The last grain that needs it; with the mark [`READ`] if that follows from other edges.
    needed_by: u32,
}

impl Default for Grains {
    fn default() -> Self {
        Self {
            boundaries: vec![0],
            works: Vec::new(),
            offsets: vec![0],
            predecessors: Vec::new(),
            closed: Vec::new(),
            found: Vec::new(),
            start: 0,
            work: 0,
            is_chained: false,
            all: 0,
        }
    }
}

impl Grains {
    /// Whether the open grain is small, and neither it nor the iteration would lose more than
    /// `least` by joining, or little that counts.
    #[inline]
    fn can_join(&self, iteration: &Iteration, work: u64, least: u64) -> bool {
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
            && start + self.work + work <= self.all / PARALLELISM
            && !needs.any(|&need| self.is_near(need))
    }

    /// Whether a closed grain stands near the open one.
    #[inline]
    fn is_near(&self, grain: u32) -> bool {
        self.closed.len() as u32 - grain <= NEAR
    }

    /// Notes that the open grain needs another.
    #[inline]
    fn find(&mut self, grain: u32, predecessor: u32) {
        let closed = &mut self.closed[predecessor as usize];
        if closed.needed_by != grain {
            closed.needed_by = grain;
            self.start = closed.end.max(self.start);
            self.is_chained |= grain - predecessor <= NEAR;
            self.found.push(predecessor);
        }
    }

    /// Closes the open grain before an iteration.
    ///
    /// Of its predecessors it keeps those that the last ones found do not imply. Rows have their
    /// columns in order, mostly, so that these are the nearest.
    fn close(&mut self, iteration: u32) -> Result<(), TrackError> {
        let grain = self.closed.len() as u32;
        if self.found.len() > 1 {
            let last = self.found.iter().rev().take(LOOKED_AT);
            for &near in last.filter(|&&each| self.is_chained && grain - each <= NEAR) {
                for &implied in &self.predecessors[row(&self.offsets, near)] {
                    let needed_by = &mut self.closed[implied as usize].needed_by;
                    if *needed_by == grain {
                        *needed_by = grain | READ;
                    }
                }
            }
        }
        for &each in &self.found {
            if self.closed[each as usize].needed_by == grain {
                self.predecessors.push(each);
            }
        }
        self.found.clear();
        self.closed.push(Closed {
            end: self.start + self.work,
            needed_by: NONE,
        });
        self.boundaries.push(iteration);
        self.works.push(self.work.min(u64::from(u32::MAX)) as u32);
        self.offsets.push(offset(&self.predecessors)?);
        self.all += self.work;
        (self.start, self.work, self.is_chained) = (0, 0, false);
        Ok(())
    }

    fn into_graph(self) -> Graph {
        Graph {
            boundaries: self.boundaries.into(),
            work: self.works,
            offsets: self.offsets,
            predecessors: self.predecessors,
        }
    }
}

/// Accesses of one iteration, of which it is not known yet to which grain it belongs.
#[derive(Default)]
struct Iteration {
    /// Closed grains that it needs; they may repeat.
    needs: Vec<u32>,
    /// It needs the open grain.
    needs_open: bool,
    /// Words that it reads and that no grain has written.
    inputs: Vec<usize>,
    writes: Vec<Range<usize>>,
    /// How many words it uses.
    used: u64,
}

impl Iteration {
    fn clear(&mut self) {
        self.needs.clear();
        self.needs_open = false;
        self.inputs.clear();
        self.writes.clear();
        self.used = 0;
    }
}

/// The pass forwards: the last writer of each word.
struct Writers<'a> {
    words: &'a Words,
    /// For each word its last writer; before there is one, its reader, with the mark [`READ`].
    table: Vec<u32>,
    /// The open grain.
    grain: u32,
    own: Iteration,
    /// A writer must wait for readers whom this pass does not know.
    backwards: bool,
    fault: Option<Fault>,
}

impl Writers<'_> {
    #[inline]
    fn entries(&mut self, array: u16, words: &Range<usize>) -> Range<usize> {
        match self.words.entries(array, words) {
            Ok(entries) => {
                self.own.used += entries.len() as u64;
                entries
            }
            Err(fault) => {
                self.fault.get_or_insert(fault);
                0..0
            }
        }
    }

    #[inline]
    fn need(own: &mut Iteration, open: u32, grain: u32) {
        if grain == open {
            own.needs_open = true;
        } else if own.needs.last() != Some(&grain) {
            own.needs.push(grain);
        }
    }

    /// Begins the next grain with the iteration that has been tracked.
    fn open_next(&mut self) {
        if self.own.needs_open {
            self.own.needs.push(self.grain);
            self.own.needs_open = false;
        }
        self.grain += 1;
    }

    /// Enters the accesses of an iteration as those of the open grain.
    #[inline]
    fn commit(&mut self, grains: &mut Grains) {
        let grain = self.grain;
        for &need in &self.own.needs {
            grains.find(grain, need);
        }
        for &input in &self.own.inputs {
            let entry = &mut self.table[input];
            if *entry == NONE {
                *entry = grain | READ;
            } else if *entry > MOST_ITERATIONS && *entry != grain | READ {
                *entry = MANY;
            }
        }
        for writes in &self.own.writes {
            for entry in &mut self.table[writes.clone()] {
                let before = std::mem::replace(entry, grain);
                if before == grain || before == NONE || before == grain | READ {
                    continue;
                }
                if before == MANY {
                    self.backwards = true;
                } else if before & READ == 0 {
                    self.backwards = true;
                    grains.find(grain, before);
                } else {
                    grains.find(grain, before & !READ);
                }
            }
        }
    }
}

impl Accesses for Writers<'_> {
    #[inline]
    fn read(&mut self, array: u16, words: Range<usize>) {
        for index in self.entries(array, &words) {
            let entry = self.table[index];
            if entry <= MOST_ITERATIONS {
                Self::need(&mut self.own, self.grain, entry);
            } else {
                self.own.inputs.push(index);
            }
        }
    }

    #[inline]
    fn write(&mut self, array: u16, words: Range<usize>) {
        let entries = self.entries(array, &words);
        if self.own.writes.last() != Some(&entries) {
            self.own.writes.push(entries);
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
        // Where the next writer is the grain itself, whoever writes after it waits for it as the
        // last writer.
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
