//! L1 of a core as runs find it: the cache lines of words of loose runs, and scattered words that
//! the line before packed.

use superstep_machine::Core;
use superstep_plan::loops::PIECE;
use superstep_plan::{Body, Run};

use super::crowds::Crowds;
use super::loops::Iteration;
use crate::predict::cache_lines::CacheLines;

/// L1 cache of a core: those of its cache lines that hold words of loose runs. Those that loops go
/// through are prefetched, and do not count. It also keeps what the last run has packed.
pub(super) struct FirstCache {
    lines: CacheLines,
    /// Cache lines of a set.
    ways: usize,
    /// Set by set: its cache lines plus one, the one used last first; 0 for none.
    sets: Vec<usize>,
    /// Body and iterations of the last run, and start and step of each component that was packed
    /// last.
    last: (usize, usize),
    packed: Vec<(i64, i64)>,
    /// Sets that loops crowd.
    pub(super) crowds: Crowds,
}

impl FirstCache {
    /// Makes an empty L1.
    pub(super) fn new(lines: CacheLines, core: &Core) -> Self {
        Self {
            lines,
            ways: core.ways,
            sets: vec![0; core.sets * core.ways],
            last: (0, 0),
            packed: Vec::new(),
            crowds: Crowds::new(core),
        }
    }

    /// Counts the cache lines that a run of one iteration has to get.
    pub(super) fn missed(&mut self, iteration: &Iteration, body: &Body, run: Run<'_>) -> usize {
        let mut missed = 0;
        for moving in &iteration.moving {
            let slot = body.start(moving.component, run).max(0) as usize;
            missed += usize::from(self.touch(self.lines.line(moving.array, slot)));
        }
        missed
    }

    /// Counts the words that a run of `body`, whose number is given, packs. Those that the run
    /// before has packed do not count, if it is of the same body. (They may be of two calls of its
    /// function, the second of which does not find them: few are.)
    pub(super) fn packs(
        &mut self,
        number: usize,
        iteration: &Iteration,
        body: &Body,
        run: Run<'_>,
    ) -> usize {
        let packed = iteration.moving.iter().filter(|moving| moving.is_packed);
        let of = |c: usize| (body.start(c, run), body.step(c, run));
        let count = run.count();
        let is_next = self.last == (number, count) && count <= PIECE;
        let mut words = 0;
        for (at, moving) in packed.enumerate() {
            let place = of(moving.component);
            match self.packed.get_mut(at) {
                Some(last) if is_next && *last == place => continue,
                Some(last) => *last = place,
                None => self.packed.push(place),
            }
            words += count;
        }
        self.last = (number, count);
        words
    }

    /// Loads a cache line; returns whether it was missing.
    fn touch(&mut self, line: usize) -> bool {
        let number = line % (self.sets.len() / self.ways);
        let set = &mut self.sets[number * self.ways..][..self.ways];
        let at = set.iter().position(|&own| own == line + 1);
        set[..=at.unwrap_or(self.ways - 1)].rotate_right(1);
        set[0] = line + 1;
        at.is_none()
    }
}

#[cfg(test)]
mod tests {
    use superstep_plan::{Body, Run};
    use superstep_tracer::{Kernel, Role};

    use super::{Core, FirstCache, PIECE};
    use crate::pattern::signature::{Signature, Step};
    use crate::predict::cache_lines::CacheLines;
    use crate::predict::loops::Iteration;

    #[test]
    fn a_set_keeps_the_lines_used_last() {
        let mut kernel = Kernel::new("k");
        kernel.add_array("x", Role::InOut, None);
        let core = Core {
            sets: 4,
            ways: 3,
            ..Core::default()
        };
        let lines = CacheLines::new(&kernel, [1 << 20].into_iter(), &core);
        let mut cache = FirstCache::new(lines, &core);
        let in_one_set = |line: usize| line * core.sets;
        for line in 0..core.ways {
            assert!(cache.touch(in_one_set(line)), "they come in");
        }
        assert!(
            !cache.touch(in_one_set(0)),
            "all are there, and this one is the last used"
        );
        assert!(cache.touch(in_one_set(core.ways)), "one more");
        assert!(!cache.touch(in_one_set(0)));
        assert!(cache.touch(in_one_set(1)), "it had to go");
        assert!(cache.touch(1), "another set");
        assert!(!cache.touch(1));
    }

    /// Lines of a block that read the same factors find them packed, unless a line has more than a
    /// piece of them.
    #[test]
    fn words_are_packed_once_for_runs_that_follow_each_other() {
        let mut kernel = Kernel::new("k");
        let (y, x) = (
            kernel.add_array("y", Role::InOut, None),
            kernel.add_array("x", Role::Input, None),
        );
        kernel.add_statement("y[i] = x[3 * i] + x[5 * i]", y, &[x, x]);
        let core = Core::default();
        let signature = Signature {
            steps: vec![Step::One, Step::Any, Step::Any],
            ..Signature::general(&kernel, &[0])
        };
        let iteration = Iteration::new(&kernel, &signature, &core);
        let body = Body::own(vec![0], 3);
        let lines = CacheLines::new(&kernel, [1 << 10; 2].into_iter(), &core);
        let mut cache = FirstCache::new(lines, &core);
        let mut packs = |number, count, starts: [i64; 3]| {
            let values = [starts[0], starts[1], starts[2], 1, 3, 5];
            cache.packs(number, &iteration, &body, Run::new(count, &values, &[0; 3]))
        };
        assert_eq!(packs(0, 10, [0, 1, 2]), 20, "both");
        assert_eq!(
            packs(0, 10, [10, 1, 2]),
            0,
            "none, as only what is written moves on"
        );
        assert_eq!(packs(0, 10, [10, 1, 3]), 10, "one of them");
        assert_eq!(packs(0, 11, [10, 1, 3]), 22, "more of each");
        assert_eq!(
            packs(1, 11, [10, 1, 3]),
            22,
            "by another loop, in a room of its own"
        );
        let longer = PIECE + 1;
        assert_eq!(
            [packs(1, longer, [0; 3]), packs(1, longer, [0; 3])],
            [2 * longer; 2]
        );
    }
}
