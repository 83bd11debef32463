//! Cache lines that a processor finds in its own caches: first in, first out, one by one.
//!
//! Prefetch: cores load cache lines ahead of a loop, some beyond its end. So a processor loses
//! cache lines that lie behind those of another. Where rows of a matrix are dealt in blocks, these
//! are a block's first rows, when the columns of the one before are traversed. That is a tenth of
//! the time of a factorisation of 128 rows in blocks of eight.

use std::ops::Range;

use superstep_machine::{Core, Times};
use superstep_plan::{Body, Plan, Run};
use superstep_tracer::Kernel;

use super::loops::Iteration;
use crate::predict::cache_lines::{sizes, words};

/// Writer of a cache line that nobody has for himself.
const NOBODY: u8 = u8::MAX;

/// Misses: the cache lines that a run has to get.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Misses {
    /// Cache lines from beyond the core's own caches.
    pub(super) missed: usize,
    /// Cache lines from another processor, which has written them.
    pub(super) fetched: usize,
    /// Cache lines from another processor that has not asked for them: they lie behind those that
    /// it went through.
    pub(super) taken: usize,
    /// Cache lines of its own, from all others that have read them: it writes to them.
    pub(super) claimed: usize,
}

/// Caches of all processors, and which cache lines they hold.
pub(super) struct Caches {
    core: Core,
    arrays: usize,
    /// Bytes of a word of each array.
    sizes: Vec<usize>,
    /// Cache lines of each array of each processor, `[processor * arrays + array]`. Shared arrays
    /// have the same for all.
    spans: Vec<Range<usize>>,
    /// Cache lines that a processor's caches hold.
    capacity: u32,
    /// Time at which the cache line came in, per processor and line; 0: never, or lost to another
    /// processor.
    arrived: Vec<Vec<u32>>,
    /// Cache lines that have come in, per processor.
    clock: Vec<u32>,
    /// Last writer of each cache line.
    writer: Vec<u8>,
    /// Flags: set if others than the writer have the cache line too.
    is_common: Vec<bool>,
    /// Flags: set if another has prefetched the cache line since its writer touched it, ahead of a
    /// loop, and has not come there.
    is_taken: Vec<bool>,
}

impl Caches {
    /// Makes caches as an earlier call has left them, if all fits, or else empty ones.
    pub(super) fn new(kernel: &Kernel, plan: &Plan, times: &Times) -> Self {
        let processors = plan.processors as usize;
        let arrays = kernel.arrays.len();
        let sizes = sizes(kernel);
        let mut spans: Vec<Range<usize>> = Vec::with_capacity(processors * arrays);
        let mut lines = 0;
        for processor in 0..processors {
            for (array, words) in words(plan, processor).enumerate() {
                let is_shared = plan.shared.get(array).copied().unwrap_or(false);
                if is_shared && processor > 0 {
                    spans.push(spans[array].clone());
                    continue;
                }
                let first = lines;
                lines += (words as usize * sizes[array]).div_ceil(times.core.line_bytes);
                spans.push(first..lines);
            }
        }
        let capacity = (times.core.cache as usize / times.core.line_bytes).min(1 << 30) as u32;
        // What fits is there from the call before, in the caches of who will ask for it.
        let fits = lines / processors <= capacity as usize;
        let mut caches = Self {
            core: times.core,
            arrays,
            sizes,
            spans,
            capacity,
            arrived: vec![vec![0; lines]; processors],
            clock: vec![1; processors],
            writer: vec![NOBODY; lines],
            is_common: vec![true; lines],
            is_taken: vec![false; lines],
        };
        if fits {
            for (span, own) in caches.spans.iter().zip(0..) {
                caches.arrived[own / arrays][span.clone()].fill(1);
            }
        }
        // What a call writes, the caller has written before, on the core of the first processor.
        for array in
            (0..arrays).filter(|&array| kernel.arrays[array].role != superstep_tracer::Role::Input)
        {
            if plan.shared.get(array).copied().unwrap_or(false) {
                for line in caches.spans[array].clone() {
                    caches.touch(0, line, true, &mut Misses::default());
                }
            }
        }
        // The first processor has scattered the inputs of the others.
        for (processor, strided) in plan.scatter.iter().enumerate().skip(1) {
            for strided in strided {
                for (_, slot) in strided.words() {
                    let array = usize::from(strided.array);
                    let line = caches.line(processor, array, slot);
                    caches.touch(0, line, true, &mut Misses::default());
                }
            }
        }
        caches
    }

    fn line(&self, processor: usize, array: usize, slot: usize) -> usize {
        let first = self.spans[processor * self.arrays + array].start;
        first + slot * self.sizes[array] / self.core.line_bytes
    }

    /// Returns the cache lines that a run of `body` has to get.
    pub(super) fn run(
        &mut self,
        processor: usize,
        iteration: &Iteration,
        body: &Body,
        run: Run<'_>,
    ) -> Misses {
        let Core {
            line_bytes,
            lines_ahead,
            rows_ahead,
            known_after,
            ..
        } = self.core;
        let mut misses = Misses::default();
        for moving in &iteration.moving {
            let (first, step) = (
                body.start(moving.component, run),
                body.step(moving.component, run),
            );
            let slot = |x: usize| usize::try_from(Run::advance(first, step, x)).unwrap_or(0);
            let line = |x: usize| self.line(processor, moving.array, slot(x));
            let last = run.count() - 1;
            if step.unsigned_abs() as usize * moving.bytes <= line_bytes {
                let (low, high) = (line(0).min(line(last)), line(0).max(line(last)));
                for line in low..=high {
                    self.touch(processor, line, moving.is_written, &mut misses);
                }
                if step > 0 && high - low >= known_after {
                    for line in high + 1..=high + lines_ahead {
                        self.bring_ahead(processor, moving.array, line);
                    }
                }
            } else {
                for x in 0..=last {
                    let line = self.line(processor, moving.array, slot(x));
                    self.touch(processor, line, moving.is_written, &mut misses);
                }
                if last >= known_after {
                    let ahead = last + 1..=last + rows_ahead;
                    let ahead = ahead.map(|x| Run::advance(first, step, x));
                    for slot in ahead.filter_map(|slot| usize::try_from(slot).ok()) {
                        let line = self.line(processor, moving.array, slot);
                        self.bring_ahead(processor, moving.array, line);
                    }
                }
            }
        }
        misses
    }

    /// Returns whether a processor's caches hold a cache line.
    fn holds(&self, processor: usize, line: usize) -> bool {
        let arrived = self.arrived[processor][line];
        arrived > 0 && self.clock[processor] - arrived < self.capacity
    }

    fn touch(&mut self, processor: usize, line: usize, is_written: bool, misses: &mut Misses) {
        let Some(&writer) = self.writer.get(line) else {
            return;
        };
        let is_here = self.holds(processor, line);
        let is_own = usize::from(writer) == processor;
        let is_elsewhere = !is_own && writer != NOBODY && self.holds(usize::from(writer), line);
        if is_elsewhere && self.arrived[processor][line] == 0 {
            misses.fetched += 1;
        } else if !is_here {
            misses.missed += 1;
        } else if is_own && self.is_taken[line] {
            misses.taken += 1;
        }
        self.is_taken[line] = false;
        if !is_here {
            self.clock[processor] += 1;
            self.arrived[processor][line] = self.clock[processor];
        }
        if is_written && (!is_own || self.is_common[line]) {
            let others = (0..self.arrived.len()).filter(|&other| other != processor);
            misses.claimed +=
                usize::from(is_here && others.clone().any(|other| self.holds(other, line)));
            self.writer[line] = processor as u8;
            self.is_common[line] = false;
            others.for_each(|other| self.arrived[other][line] = 0);
        }
        self.is_common[line] |= usize::from(self.writer[line]) != processor;
    }

    /// Prefetches a cache line of `array`: it leaves the caches of its writer, as a loop of another
    /// goes towards it.
    fn bring_ahead(&mut self, processor: usize, array: usize, line: usize) {
        let span = &self.spans[processor * self.arrays + array];
        if span.contains(&line) {
            let is_others = usize::from(self.writer[line]) != processor;
            self.is_taken[line] |= is_others && !self.is_common[line];
        }
    }
}

#[cfg(test)]
mod tests {
    use superstep_machine::{Core, Times};
    use superstep_plan::{Body, Plan, Run};
    use superstep_tracer::{Kernel, Role};

    use super::{Caches, Misses};
    use crate::pattern::signature::{Signature, Step};
    use crate::predict::loops::Iteration;

    const ROWS: usize = 16;
    /// Words of a row.
    const WORDS: usize = 128;

    /// Two processors, and a matrix of theirs that the caller has written on the core of the first
    /// one.
    struct Matrix {
        caches: Caches,
        along: Iteration,
        down: Iteration,
    }

    impl Matrix {
        fn new() -> Self {
            let mut kernel = Kernel::new("k");
            let x = kernel.add_array("x", Role::InOut, None);
            kernel.add_statement("x[i] = 2 * x[i]", x, &[x]);
            let iteration = |step| {
                let signature = Signature {
                    steps: vec![step; 2],
                    same: vec![0; 2],
                    ..Signature::general(&kernel, &[0])
                };
                Iteration::new(&kernel, &signature, &Core::default())
            };
            let plan = Plan {
                processors: 2,
                extents: vec![(ROWS * WORDS) as u32],
                lengths: vec![0; 2],
                shared: vec![true],
                ..Plan::default()
            };
            Self {
                along: iteration(Step::One),
                down: iteration(Step::Row),
                caches: Caches::new(&kernel, &plan, &Times::default()),
            }
        }

        /// Updates a row on one processor.
        fn row(&mut self, processor: usize, row: usize) -> Misses {
            let start = (row * WORDS) as i64;
            let run = [start, start, 1, 1];
            let run = Run::new(WORDS, &run, &[0; 2]);
            let body = Body::own(vec![0], 2);
            self.caches.run(processor, &self.along, &body, run)
        }

        /// Updates some rows of the first column on one processor.
        fn column(&mut self, processor: usize, row: usize, rows: usize) -> Misses {
            let (start, step) = ((row * WORDS) as i64, WORDS as i64);
            let run = [start, start, step, step];
            let run = Run::new(rows, &run, &[0; 2]);
            let body = Body::own(vec![0], 2);
            self.caches.run(processor, &self.down, &body, run)
        }
    }

    /// Cache lines of a row.
    const CACHE_LINES: usize = WORDS / 8;

    #[test]
    fn what_another_has_written_is_fetched() {
        let mut matrix = Matrix::new();
        let fetched = Misses {
            fetched: CACHE_LINES,
            ..Misses::default()
        };
        assert_eq!(matrix.row(0, 0), Misses::default(), "the caller's core");
        assert_eq!(matrix.row(1, 0), fetched);
        assert_eq!(matrix.row(1, 0), Misses::default());
        assert_eq!(matrix.row(0, 0), fetched);
    }

    #[test]
    fn a_row_loses_what_the_one_before_it_brings_in_ahead() {
        let mut matrix = Matrix::new();
        matrix.row(1, 8);
        matrix.row(0, 7);
        let lost = Misses {
            taken: Core::default().lines_ahead,
            ..Misses::default()
        };
        assert_eq!(matrix.row(1, 8), lost);
        assert_eq!(matrix.row(1, 8), Misses::default(), "once");
        // Its last rows are the second processor's as well, and nothing is behind the array.
        matrix.row(1, ROWS - 1);
        assert_eq!(matrix.row(1, ROWS - 1), Misses::default());
    }

    #[test]
    fn a_block_of_rows_loses_those_that_a_column_above_brings_in_ahead() {
        let mut matrix = Matrix::new();
        matrix.column(1, 8, 8);
        matrix.column(0, 0, 8);
        let lost = Misses {
            taken: Core::default().rows_ahead,
            ..Misses::default()
        };
        assert_eq!(matrix.column(1, 8, 8), lost);
        // After three rows it does not know that there is a column.
        matrix.column(0, 5, 3);
        assert_eq!(matrix.column(1, 8, 8), Misses::default());
    }
}
