//! Which cache lines the words of lists find in a core's first cache.

use superstep_runtime::plan::{Body, Run};
use superstep_tracer::Kernel;

use super::loops::{Iteration, size};
use super::memory::LINE;

/// A first cache of 32 KiB: sets, and lines in each.
const SETS: usize = 64;
const WAYS: usize = 8;

/// The lines in the first cache of a core, of those that hold words of lists: what loops go through comes in ahead of use, and does not count.
pub(super) struct First {
    /// Bytes of a word of each array.
    sizes: Vec<usize>,
    /// First line of each array.
    bases: Vec<usize>,
    /// Per set: its lines, the one used last first; 0 for none.
    sets: [[usize; WAYS]; SETS],
}

impl First {
    /// An empty one, for arrays of so many words.
    pub(super) fn new(kernel: &Kernel, extents: &[u32]) -> Self {
        let sizes: Vec<usize> = kernel
            .arrays
            .iter()
            .map(|array| size(&array.element))
            .collect();
        let mut lines = 1;
        let base = |(&extent, size): (&u32, &usize)| {
            let base = lines;
            lines += (extent as usize * size).div_ceil(LINE);
            base
        };
        let bases = extents.iter().zip(&sizes).map(base).collect();
        Self {
            sizes,
            bases,
            sets: [[0; WAYS]; SETS],
        }
    }

    /// The lines that a run of one iteration has to get.
    pub(super) fn missed(&mut self, iteration: &Iteration, body: &Body, run: Run<'_>) -> usize {
        let lines = iteration.moving.iter().map(|moving| {
            let slot = body.start(moving.component, run).max(0) as usize;
            self.bases[moving.array] + slot * self.sizes[moving.array] / LINE
        });
        let mut missed = 0;
        for line in lines {
            let set = &mut self.sets[line % SETS];
            let at = set.iter().position(|&own| own == line);
            missed += usize::from(at.is_none());
            set[..=at.unwrap_or(WAYS - 1)].rotate_right(1);
            set[0] = line;
        }
        missed
    }
}
