//! Which cache lines the words of lists find in a core's first cache.

use superstep_runtime::plan::{Body, Run};
use superstep_tracer::Kernel;

use super::loops::{Iteration, size};
use super::memory::LINE;

/// A first cache of 32 KiB: sets, and lines in each.
const SETS: usize = 64;
const WAYS: usize = 8;

/// The lines in the first cache of a core, of those that hold words of lists: what loops go through comes in ahead of use, and does not count.
pub(super) struct FirstCache {
    /// Bytes of a word of each array.
    sizes: Vec<usize>,
    /// First line of each array.
    bases: Vec<usize>,
    /// Per set: its lines, the one used last first; 0 for none.
    sets: [[usize; WAYS]; SETS],
}

impl FirstCache {
    /// An empty one, for a memory with arrays of so many words.
    pub(super) fn new(kernel: &Kernel, lengths: impl Iterator<Item = u32>) -> Self {
        let sizes: Vec<usize> = kernel
            .arrays
            .iter()
            .map(|array| size(&array.element))
            .collect();
        let mut lines = 1;
        let base = |(length, size): (u32, &usize)| {
            let base = lines;
            lines += (length as usize * size).div_ceil(LINE);
            base
        };
        let bases = lengths.zip(&sizes).map(base).collect();
        Self {
            sizes,
            bases,
            sets: [[0; WAYS]; SETS],
        }
    }

    /// The lines that a run of one iteration has to get.
    pub(super) fn missed(&mut self, iteration: &Iteration, body: &Body, run: Run<'_>) -> usize {
        let mut missed = 0;
        for moving in &iteration.moving {
            let slot = body.start(moving.component, run).max(0) as usize;
            let line = self.bases[moving.array] + slot * self.sizes[moving.array] / LINE;
            missed += usize::from(self.touch(line));
        }
        missed
    }

    /// Brings a line in; whether it was not there.
    fn touch(&mut self, line: usize) -> bool {
        let set = &mut self.sets[line % SETS];
        let at = set.iter().position(|&own| own == line);
        set[..=at.unwrap_or(WAYS - 1)].rotate_right(1);
        set[0] = line;
        at.is_none()
    }
}

#[cfg(test)]
mod tests {
    use superstep_tracer::{Kernel, Role};

    use super::{FirstCache, SETS, WAYS};

    #[test]
    fn a_set_keeps_the_lines_used_last() {
        let mut kernel = Kernel::new("k");
        kernel.add_array("x", Role::InOut, None);
        let mut cache = FirstCache::new(&kernel, [1 << 20].into_iter());
        let in_one_set = |line: usize| 1 + line * SETS;
        for line in 0..WAYS {
            assert!(cache.touch(in_one_set(line)), "they come in");
        }
        assert!(
            !cache.touch(in_one_set(0)),
            "all are there, and this one is the last used"
        );
        assert!(cache.touch(in_one_set(WAYS)), "one more");
        assert!(!cache.touch(in_one_set(0)));
        assert!(cache.touch(in_one_set(1)), "it had to go");
        assert!(cache.touch(2), "another set");
        assert!(!cache.touch(2));
    }
}
