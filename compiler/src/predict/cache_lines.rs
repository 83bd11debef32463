//! Cache line in which a word of an array stands.

use std::ops::Range;

use superstep_machine::Core;
use superstep_plan::Plan;
use superstep_tracer::{Array, Kernel};

/// The cache lines of one processor's arrays, each of which is taken to begin with one.
pub(crate) struct CacheLines {
    /// Bytes of a cache line.
    line_bytes: usize,
    /// Bytes of a word of each array.
    sizes: Vec<usize>,
    /// First cache line of each array, and the number of all.
    bases: Vec<usize>,
}

impl CacheLines {
    /// Lays out the cache lines of arrays with so many words, in the caches of such a core.
    pub(crate) fn new(kernel: &Kernel, lengths: impl Iterator<Item = u32>, core: &Core) -> Self {
        let line_bytes = core.line_bytes;
        let sizes = sizes(kernel);
        let mut bases = vec![0];
        let mut end = 0;
        for (length, size) in lengths.zip(&sizes) {
            end += (length as usize * size).div_ceil(line_bytes);
            bases.push(end);
        }
        Self {
            line_bytes,
            sizes,
            bases,
        }
    }

    /// Returns the cache line of a word.
    pub(crate) fn line(&self, array: usize, slot: usize) -> usize {
        self.bases[array] + slot * self.sizes[array] / self.line_bytes
    }

    /// Returns the cache lines of an array.
    pub(crate) fn array(&self, array: usize) -> Range<usize> {
        self.bases[array]..self.bases[array + 1]
    }
}

/// Iterates over the words of each array that a processor may use: of the caller's, or its memory.
pub(crate) fn words(plan: &Plan, processor: usize) -> impl Iterator<Item = u32> {
    let own = plan.lengths(processor).iter().zip(&plan.extents);
    own.enumerate().map(|(array, (&own, &extent))| {
        let is_shared = plan.shared.get(array).copied().unwrap_or(false);
        if is_shared { extent } else { own }
    })
}

/// Returns the bytes of a word of each array.
pub(crate) fn sizes(kernel: &Kernel) -> Vec<usize> {
    kernel.arrays.iter().map(size).collect()
}

/// Returns the bytes of a word of an array; one at least, as a type without values takes none.
pub(crate) fn size(array: &Array) -> usize {
    array.element.bytes.max(1)
}
