//! A plan as plain data: which processor runs which grains, in chunks, and for whom each chunk
//! waits.

use std::{ops::Range, sync::Arc};

use superstep_order::{Order, Rows};

/// A plan of grains, which nobody has proved.
///
/// Each processor runs its chunks in order, each chunk its grains in order, and each grain its
/// iterations in the order of the sequential run. Chunks are the steps of the [order](Order):
/// before one a processor waits until others have ended as many of theirs as its waits say. Where
/// nobody waits, processors of the plan are parts that any number of threads may share.
///
/// Kept: 8 bytes for each grain, 8 for each chunk, 8 for each wait. All numbers are `u32`, so that
/// a file of a plan is its arrays.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// The first iteration of each grain, and the number of iterations behind the last.
    pub boundaries: Arc<[u32]>,
    /// The chunks of each processor, and their waits.
    pub order: Arc<Order>,
    /// The grains of each chunk.
    pub grains: Rows<u32>,
}

impl Plan {
    /// The most processors of a plan. The proof and the schedulers have tables of chunks times
    /// processors.
    pub const MOST_PROCESSORS: u32 = 256;

    /// Returns the plan that runs all grains in order, on one processor.
    pub fn sequential(boundaries: Arc<[u32]>) -> Self {
        let grains = boundaries.len().saturating_sub(1) as u32;
        Self {
            boundaries,
            order: Arc::new(Order {
                processors: vec![0, 1],
                waits: Rows {
                    offsets: vec![0, 0],
                    items: Vec::new(),
                },
            }),
            grains: Rows {
                offsets: vec![0, grains],
                items: (0..grains).collect(),
            },
        }
    }

    /// Returns the grains of a chunk.
    ///
    /// # Panics
    /// If the plan has no such chunk.
    #[inline]
    pub fn grains_of(&self, chunk: u32) -> &[u32] {
        self.grains.row(chunk as usize)
    }

    /// Returns the iterations of a grain.
    ///
    /// # Panics
    /// If the plan has no such grain.
    pub fn iterations_of(&self, grain: u32) -> Range<u32> {
        self.boundaries[grain as usize]..self.boundaries[grain as usize + 1]
    }

    /// Returns the iterations of a chunk in their order, those that follow each other joined.
    ///
    /// # Panics
    /// If the plan has no such chunk.
    pub fn joined_iterations_of(&self, chunk: u32) -> Vec<Range<u32>> {
        let mut joined: Vec<Range<u32>> = Vec::new();
        for &grain in self.grains_of(chunk) {
            let iterations = self.iterations_of(grain);
            match joined.last_mut() {
                Some(last) if last.end == iterations.start => last.end = iterations.end,
                _ => joined.push(iterations),
            }
        }
        joined
    }

    /// Returns the chunk of each grain.
    pub(crate) fn chunks_of_grains(&self) -> Vec<u32> {
        let mut chunks = vec![0; self.boundaries.len().saturating_sub(1)];
        for (chunk, grains) in (0..).zip(self.grains.iter()) {
            for &grain in grains {
                chunks[grain as usize] = chunk;
            }
        }
        chunks
    }
}
