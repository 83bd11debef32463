//! Which cache lines the words of lists find in a core's first cache.

use superstep_runtime::plan::{Body, Run};

use super::loops::Iteration;
use crate::cache_lines::CacheLines;

/// A first cache of 32 KiB: sets, and lines in each.
const SETS: usize = 64;
const WAYS: usize = 8;

/// The lines in the first cache of a core, of those that hold words of lists: what loops go through comes in ahead of use, and does not count.
pub(super) struct FirstCache {
    lines: CacheLines,
    /// Per set: its lines plus one, the one used last first; 0 for none.
    sets: [[usize; WAYS]; SETS],
}

impl FirstCache {
    /// An empty one.
    pub(super) fn new(lines: CacheLines) -> Self {
        Self {
            lines,
            sets: [[0; WAYS]; SETS],
        }
    }

    /// The lines that a run of one iteration has to get.
    pub(super) fn missed(&mut self, iteration: &Iteration, body: &Body, run: Run<'_>) -> usize {
        let mut missed = 0;
        for moving in &iteration.moving {
            let slot = body.start(moving.component, run).max(0) as usize;
            missed += usize::from(self.touch(self.lines.line(moving.array, slot)));
        }
        missed
    }

    /// Brings a line in; whether it was not there.
    fn touch(&mut self, line: usize) -> bool {
        let set = &mut self.sets[line % SETS];
        let at = set.iter().position(|&own| own == line + 1);
        set[..=at.unwrap_or(WAYS - 1)].rotate_right(1);
        set[0] = line + 1;
        at.is_none()
    }
}

#[cfg(test)]
mod tests {
    use superstep_tracer::{Kernel, Role};

    use super::{FirstCache, SETS, WAYS};
    use crate::cache_lines::CacheLines;

    #[test]
    fn a_set_keeps_the_lines_used_last() {
        let mut kernel = Kernel::new("k");
        kernel.add_array("x", Role::InOut, None);
        let mut cache = FirstCache::new(CacheLines::new(&kernel, [1 << 20].into_iter()));
        let in_one_set = |line: usize| line * SETS;
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
        assert!(cache.touch(1), "another set");
        assert!(!cache.touch(1));
    }
}
