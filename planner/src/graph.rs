//! The graph of grains: neighbours joined by work, and for each grain those that must run before
//! it.

mod grains;
mod passes;

use std::sync::Arc;

use superstep_lists::Before;

use crate::{
    Costs, Rows, Track, TrackError,
    track::{Asked, Words},
};

use grains::Grains;
use passes::{NONE, Overwriters, Writers};

/// Grains and what each needs.
///
/// A grain is a range of consecutive iterations. An edge leads from `a` to `b` where `b` uses a
/// word that `a` writes, or writes one that `a` uses. Of the edges that follow from others many are
/// left out: those from predecessors of the nearest predecessors.
///
/// Memory: 20 bytes for each grain, 4 for each edge.
#[derive(Clone, Debug)]
pub struct Graph {
    boundaries: Arc<[u32]>,
    work: Vec<u32>,
    /// The place of the last word that each grain writes.
    homes: Vec<u32>,
    /// Number of grains that write words that others have written.
    pub(crate) rewrites: u32,
    /// Words of the tracked arrays.
    pub(crate) words: u64,
    /// Accesses that were told.
    pub(crate) accesses: u64,
    pub(crate) predecessors: Rows<u32>,
    /// Number of predecessors of each grain that are operands: they come first.
    operands: Vec<u32>,
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
    /// Cost: one pass over all accesses, with one random read for each word, and for each range of
    /// words that one grain has written. If a word is written that several grains read before or
    /// that another grain wrote, there is a second one, backwards. Memory beside the graph: 4 bytes
    /// for each tracked word, 16 for each grain, 8 for each anti-dependence.
    ///
    /// # Errors
    /// The first fault of the first iteration that has one; too many iterations, words or edges.
    pub fn new(track: &dyn Track, costs: &Costs) -> Result<Self, TrackError> {
        let words = Words::new(track)?;
        let mut writers = Writers::new(words.table(track, NONE)?, &words, costs);
        let told = Asked::new(track).tell(0..track.iterations(), &mut writers);
        let (grains, table, backwards) = writers.finish(track.iterations(), told)?;
        let graph = grains.into_graph(words.total());
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

    /// Returns the position of the last word that each grain writes. It is how much of its array
    /// ends with that word, as a part of `u32::MAX`, and 0 if the grain writes none.
    ///
    /// So words of several arrays lie at one place where one of them is computed from the others.
    /// Examples are rows of a matrix and entries of a vector, or two fields that take turns.
    pub fn homes(&self) -> &[u32] {
        &self.homes
    }

    /// Returns the number of edges that are kept.
    pub fn edges(&self) -> usize {
        self.predecessors.items.len()
    }

    /// Returns the grains from which edges lead to this one.
    #[inline]
    pub fn predecessors(&self, grain: u32) -> &[u32] {
        self.predecessors.row(grain as usize)
    }

    /// Returns the grains whose words this one uses or writes anew; its other predecessors come
    /// after them, and only read what it overwrites.
    #[inline]
    pub fn operands(&self, grain: u32) -> &[u32] {
        &self.predecessors(grain)[..self.operands[grain as usize] as usize]
    }

    /// Returns the successors of each grain, ascending.
    pub(crate) fn successors(&self) -> Rows<u32> {
        self.predecessors.turned()
    }

    /// Returns the graph as list schedulers read it: edges both ways and work, given the
    /// [successors](Self::successors).
    pub(crate) fn before<'g>(&'g self, successors: &'g Rows<u32>) -> Before<'g> {
        Before {
            predecessors: &self.predecessors,
            successors,
            work: Some(&self.work),
            words: None,
            topological: None,
        }
    }

    /// Pairs (writer, reader) of a word that the writer overwrites after the reader has read it,
    /// from a pass backwards.
    fn anti_dependences(
        &self,
        track: &dyn Track,
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
        let mut asked = Asked::new(track);
        for grain in (0..self.grains()).rev() {
            next.grain = grain;
            // In either order: a grain that reads a word and then writes it comes before the next
            // writer for both reasons.
            let iterations = self.boundaries[grain as usize]..self.boundaries[grain as usize + 1];
            let told = asked.tell(iterations.clone(), &mut next);
            if let Some(fault) = next.fault.take().or(told.err()) {
                return Err(words.locate(track, iterations, fault));
            }
        }
        Ok(next.pairs)
    }

    /// Adds edges, given as pairs (grain, predecessor).
    fn with_edges(self, pairs: Vec<(u32, u32)>) -> Result<Self, TrackError> {
        offset(&pairs)?;
        let added = pairs.iter();
        let added = added.map(|&(grain, reader)| (grain as usize, reader));
        let added = Rows::sorted(self.work.len(), added);
        drop(pairs);
        let mut grains = Grains::default();
        (grains.rewrites, grains.accesses) = (self.rewrites, self.accesses);
        for grain in 0..self.grains() {
            for &predecessor in self.predecessors(grain) {
                grains.find(grain, predecessor);
            }
            grains.end_operands();
            for &reader in added.row(grain as usize) {
                grains.find(grain, reader);
            }
            grains.work = u64::from(self.work[grain as usize]);
            grains.home = self.homes[grain as usize];
            grains.close(self.boundaries[grain as usize + 1])?;
        }
        Ok(grains.into_graph(self.words))
    }
}

/// Returns the number of edges so far.
fn offset<T>(edges: &[T]) -> Result<u32, TrackError> {
    u32::try_from(edges.len()).map_err(|_| TrackError::Edges)
}
