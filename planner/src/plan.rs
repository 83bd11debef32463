//! A plan as plain data: which processor runs which grains, in chunks, and for whom each chunk
//! waits.

use std::{ops::Range, sync::Arc};

/// Chunks that another processor must have ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wait {
    /// The processor that is waited for.
    pub processor: u32,
    /// How many of its chunks must have ended.
    pub chunks: u32,
}

/// A plan of grains, which nobody has proved.
///
/// Each processor runs its chunks in order, each chunk its grains in order, and each grain its
/// iterations in the order of the sequential run. Before a chunk a processor waits until others
/// have ended as many of their chunks as its [waits](Wait) say. Where nobody waits, processors of the
/// plan are parts that any number of threads may share.
///
/// Kept: 8 bytes for each grain, 8 for each chunk, 8 for each wait. All numbers are `u32`, so that
/// a file of a plan is its arrays.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// The first iteration of each grain, and the number of iterations behind the last.
    pub boundaries: Arc<[u32]>,
    /// The first chunk of each processor, and the number of chunks behind the last.
    pub processors: Vec<u32>,
    /// The first position of each chunk in `grains`, and their number behind the last.
    pub chunks: Vec<u32>,
    /// The grains of all chunks, one chunk after the other.
    pub grains: Vec<u32>,
    /// The first wait of each chunk in `waits`, and their number behind the last.
    pub first_waits: Vec<u32>,
    /// The waits of all chunks, one chunk after the other.
    pub waits: Vec<Wait>,
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
            processors: vec![0, 1],
            chunks: vec![0, grains],
            grains: (0..grains).collect(),
            first_waits: vec![0, 0],
            waits: Vec::new(),
        }
    }

    /// Returns the chunks of a processor.
    ///
    /// # Panics
    /// If the plan has no such processor.
    pub fn chunks_of(&self, processor: u32) -> Range<u32> {
        self.processors[processor as usize]..self.processors[processor as usize + 1]
    }

    /// Returns the grains of a chunk.
    ///
    /// # Panics
    /// If the plan has no such chunk.
    pub fn grains_of(&self, chunk: u32) -> &[u32] {
        let positions = self.chunks[chunk as usize]..self.chunks[chunk as usize + 1];
        &self.grains[positions.start as usize..positions.end as usize]
    }

    /// Returns the waits of a chunk.
    ///
    /// # Panics
    /// If the plan has no such chunk.
    pub fn waits_of(&self, chunk: u32) -> &[Wait] {
        let waits = self.first_waits[chunk as usize]..self.first_waits[chunk as usize + 1];
        &self.waits[waits.start as usize..waits.end as usize]
    }

    /// Returns the iterations of a grain.
    ///
    /// # Panics
    /// If the plan has no such grain.
    pub fn iterations_of(&self, grain: u32) -> Range<u32> {
        self.boundaries[grain as usize]..self.boundaries[grain as usize + 1]
    }
}
