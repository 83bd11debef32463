//! Which cache lines a processor finds in its own caches: first in, first out, line by line.

use std::ops::Range;

use superstep_machine::Times;
use superstep_runtime::plan::{Body, Plan, Run};
use superstep_tracer::Kernel;

use super::loops::Iteration;
use crate::cache_lines::{LINE, sizes};

/// Nobody has a line for himself.
const NOBODY: u8 = u8::MAX;

/// The lines that a run has to get.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Lines {
    /// From beyond the core's own caches.
    pub(super) missed: usize,
    /// From another processor, which has written them.
    pub(super) fetched: usize,
    /// Its own, from all others that have read them: it writes to them.
    pub(super) claimed: usize,
}

/// The caches of all processors.
pub(super) struct Memory {
    arrays: usize,
    /// Bytes of a word of each array.
    sizes: Vec<usize>,
    /// First line of each array of each processor, `[processor * arrays + array]`. Shared arrays have the same for all.
    bases: Vec<usize>,
    /// Lines that a processor's caches hold.
    capacity: u32,
    /// Per processor and line: when it came in; 0: never, or lost to another processor.
    arrived: Vec<Vec<u32>>,
    /// Per processor: lines that have come in.
    clock: Vec<u32>,
    /// Who has written a line last.
    writer: Vec<u8>,
    /// Whether others than the writer have it too.
    is_common: Vec<bool>,
}

impl Memory {
    /// Caches as an earlier call has left them, if all fits, or else empty ones.
    pub(super) fn new(kernel: &Kernel, plan: &Plan, times: &Times) -> Self {
        let processors = plan.processors as usize;
        let arrays = kernel.arrays.len();
        let sizes = sizes(kernel);
        let mut spans: Vec<Range<usize>> = Vec::with_capacity(processors * arrays);
        let mut lines = 0;
        for processor in 0..processors {
            for array in 0..arrays {
                let is_shared = plan.shared.get(array).copied().unwrap_or(false);
                if is_shared && processor > 0 {
                    spans.push(spans[array].clone());
                    continue;
                }
                let first = lines;
                let own = plan.lengths(processor)[array].max(plan.extents[array]);
                lines += (own as usize * sizes[array]).div_ceil(LINE);
                spans.push(first..lines);
            }
        }
        let capacity = (times.cache as usize / LINE).min(1 << 30) as u32;
        // What fits is there from the call before, in the caches of who will ask for it.
        let fits = lines / processors <= capacity as usize;
        let mut memory = Self {
            arrays,
            sizes,
            bases: spans.iter().map(|span| span.start).collect(),
            capacity,
            arrived: vec![vec![0; lines]; processors],
            clock: vec![1; processors],
            writer: vec![NOBODY; lines],
            is_common: vec![true; lines],
        };
        if fits {
            for (span, own) in spans.iter().zip(0..) {
                memory.arrived[own / arrays][span.clone()].fill(1);
            }
        }
        // What a call writes, the caller has written before, on the core of the first processor.
        for array in
            (0..arrays).filter(|&array| kernel.arrays[array].role != superstep_tracer::Role::Input)
        {
            let lines = (plan.extents[array] as usize * memory.sizes[array]).div_ceil(LINE);
            if plan.shared.get(array).copied().unwrap_or(false) {
                for line in memory.bases[array]..memory.bases[array] + lines {
                    memory.touch(0, line, true, &mut Lines::default());
                }
            }
        }
        // The first processor has scattered the inputs of the others.
        for (processor, copies) in plan.scatter.iter().enumerate().skip(1) {
            for copies in copies {
                for (_, slot) in copies.words() {
                    let array = usize::from(copies.array);
                    let line = memory.line(processor, array, slot);
                    memory.touch(0, line, true, &mut Lines::default());
                }
            }
        }
        memory
    }

    fn line(&self, processor: usize, array: usize, slot: usize) -> usize {
        self.bases[processor * self.arrays + array] + slot * self.sizes[array] / LINE
    }

    /// The lines that a run of `body` has to get.
    pub(super) fn run(
        &mut self,
        processor: usize,
        iteration: &Iteration,
        body: &Body,
        run: Run<'_>,
    ) -> Lines {
        let mut lines = Lines::default();
        for moving in &iteration.moving {
            let size = self.sizes[moving.array] as i64;
            let (first, step) = (
                body.start(moving.component, run),
                body.step(moving.component, run),
            );
            let last = first + step * (run.count() as i64 - 1);
            let line = |slot: i64| self.line(processor, moving.array, slot.max(0) as usize);
            if step.abs() * size <= LINE as i64 {
                let (low, high) = (line(first.min(last)), line(first.max(last)));
                for line in low..=high {
                    self.touch(processor, line, moving.is_written, &mut lines);
                }
            } else {
                for x in 0..run.count() {
                    let slot = Run::advance(first, step, x) as usize;
                    let line = self.line(processor, moving.array, slot);
                    self.touch(processor, line, moving.is_written, &mut lines);
                }
            }
        }
        lines
    }

    /// Whether a processor's caches hold a line.
    fn holds(&self, processor: usize, line: usize) -> bool {
        let arrived = self.arrived[processor][line];
        arrived > 0 && self.clock[processor] - arrived < self.capacity
    }

    fn touch(&mut self, processor: usize, line: usize, is_written: bool, lines: &mut Lines) {
        let Some(&writer) = self.writer.get(line) else {
            return;
        };
        let is_here = self.holds(processor, line);
        let is_elsewhere = usize::from(writer) != processor
            && writer != NOBODY
            && self.holds(usize::from(writer), line);
        if is_elsewhere && self.arrived[processor][line] == 0 {
            lines.fetched += 1;
        } else if !is_here {
            lines.missed += 1;
        }
        if !is_here {
            self.clock[processor] += 1;
            self.arrived[processor][line] = self.clock[processor];
        }
        if is_written && (usize::from(writer) != processor || self.is_common[line]) {
            let others = (0..self.arrived.len()).filter(|&other| other != processor);
            lines.claimed +=
                usize::from(is_here && others.clone().any(|other| self.holds(other, line)));
            self.writer[line] = processor as u8;
            self.is_common[line] = false;
            others.for_each(|other| self.arrived[other][line] = 0);
        }
        self.is_common[line] |= usize::from(self.writer[line]) != processor;
    }
}
