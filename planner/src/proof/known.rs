//! The dry run: what each processor knows of the others when it begins a chunk.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::ProofError;
use crate::{Plan, Wait, track::filled};

/// Progress of each processor that is known when each chunk begins.
///
/// Between two waits a processor learns nothing, so that chunks that do not wait share the row of
/// the one before.
pub(super) struct Known {
    processors: usize,
    /// The row of each chunk.
    rows: Vec<u32>,
    /// The first position in the list of all grains that is not known to be past: a row after the
    /// other.
    until: Vec<u32>,
}

/// Returns how many chunks wait, or are the first of a processor, at most: so many rows there are.
fn rows(plan: &Plan) -> usize {
    let waiting = plan
        .order
        .waits
        .offsets
        .windows(2)
        .filter(|pair| pair[0] < pair[1]);
    waiting.count() + plan.order.processors()
}

/// Returns how many bytes the [proof](super::prove) of a plan takes for what processors know of
/// each other. It is 4 for each processor and each chunk that waits, at most.
///
/// All else is in proportion to the plan and the kernel.
pub fn memory(plan: &Plan) -> usize {
    let processors = plan.order.processors();
    rows(plan).saturating_mul(processors).saturating_mul(4)
}

/// Runs the waits dry, and keeps nothing of that.
pub(super) fn waits_end(plan: &Plan) -> Result<(), ProofError> {
    DryRun::new(plan).run(|_, _| {})
}

impl Known {
    /// Runs the waits dry.
    pub(super) fn new(plan: &Plan) -> Result<Self, ProofError> {
        let processors = plan.order.processors();
        let mut known = Self {
            processors,
            rows: Vec::with_capacity(plan.grains.len()),
            until: Vec::new(),
        };
        let mut last = 0;
        for processor in 0..processors as u32 {
            for (position, chunk) in plan.order.steps_of(processor).enumerate() {
                last += u32::from(position == 0 || !plan.order.waits_of(chunk).is_empty());
                known.rows.push(last - 1);
            }
        }
        known.until = table(last as usize, processors)?;
        DryRun::new(plan).run(|processor, chunk| known.begin(plan, processor, chunk))?;
        Ok(known)
    }

    /// Notes what a processor knows when it begins a chunk, all of whose waits are fulfilled.
    fn begin(&mut self, plan: &Plan, processor: usize, chunk: u32) {
        let is_first = chunk == plan.order.processors[processor];
        let waits = plan.order.waits_of(chunk);
        if waits.is_empty() && !is_first {
            return;
        }
        let start = self.rows[chunk as usize] as usize * self.processors;
        let (before, row) = self.until.split_at_mut(start);
        let row = &mut row[..self.processors];
        if is_first {
            for (until, &first) in row.iter_mut().zip(&plan.order.processors) {
                *until = plan.grains.offsets[first as usize];
            }
        } else {
            row.copy_from_slice(&before[before.len() - self.processors..]);
        }
        for wait in waits.iter().filter(|wait| wait.steps > 0) {
            let last = plan.order.processors[wait.processor as usize] + wait.steps - 1;
            let theirs = self.rows[last as usize] as usize * self.processors;
            for peer in 0..self.processors {
                let theirs = self.until[theirs + peer];
                let own = &mut self.until[start + peer];
                *own = theirs.max(*own);
            }
            let own = &mut self.until[start + wait.processor as usize];
            *own = plan.grains.offsets[last as usize + 1].max(*own);
        }
        self.until[start + processor] = plan.grains.offsets[chunk as usize];
    }

    /// Returns how far each processor is known to have come when a chunk begins.
    pub(super) fn row(&self, chunk: u32) -> &[u32] {
        let start = self.rows[chunk as usize] as usize * self.processors;
        &self.until[start..start + self.processors]
    }
}

/// All processors, as far as they have come.
struct DryRun<'a> {
    plan: &'a Plan,
    /// The next chunk of each processor.
    next: Vec<u32>,
    /// The first wait of that which is not known to be fulfilled.
    wait: Vec<u32>,
    /// Processors that wait for each processor, and for how many of its chunks: the fewest first.
    waiters: Vec<BinaryHeap<Reverse<(u32, usize)>>>,
    /// Number of times that a wait was looked at.
    #[cfg(test)]
    looks: u64,
}

impl<'a> DryRun<'a> {
    fn new(plan: &'a Plan) -> Self {
        let next = plan.order.processors[..plan.order.processors()].to_vec();
        let first_wait = |&chunk: &u32| plan.order.waits.offsets[chunk as usize];
        Self {
            plan,
            wait: next.iter().map(first_wait).collect(),
            waiters: vec![BinaryHeap::new(); next.len()],
            next,
            #[cfg(test)]
            looks: 0,
        }
    }

    /// Runs all chunks, each of which begins when its waits are fulfilled. A wait is looked at
    /// twice, at most: when the processor comes to it, and when it is fulfilled.
    fn run(&mut self, mut begin: impl FnMut(usize, u32)) -> Result<(), ProofError> {
        let plan = self.plan;
        let processors = self.next.len();
        let mut runnable: Vec<usize> = (0..processors).rev().collect();
        while let Some(processor) = runnable.pop() {
            let chunk = self.next[processor];
            if chunk == plan.order.processors[processor + 1] {
                continue;
            }
            if let Some(wait) = self.unfulfilled(processor) {
                let waiters = &mut self.waiters[wait.processor as usize];
                waiters.push(Reverse((wait.steps, processor)));
                continue;
            }
            begin(processor, chunk);
            self.next[processor] += 1;
            runnable.push(processor);
            let ended = self.ended(processor);
            let waiters = &mut self.waiters[processor];
            while let Some(&Reverse((chunks, waiter))) = waiters.peek()
                && chunks <= ended
            {
                waiters.pop();
                runnable.push(waiter);
            }
        }
        match (0..processors).find(|&each| self.next[each] < plan.order.processors[each + 1]) {
            None => Ok(()),
            Some(processor) => Err(ProofError::Deadlock {
                processor: processor as u32,
                chunk: self.ended(processor),
                wait: self.unfulfilled(processor).unwrap_or_default(),
            }),
        }
    }

    /// Returns how many chunks of a processor have ended.
    fn ended(&self, processor: usize) -> u32 {
        self.next[processor] - self.plan.order.processors[processor]
    }

    /// Returns the first wait of a processor's next chunk that is not fulfilled.
    fn unfulfilled(&mut self, processor: usize) -> Option<Wait> {
        let end = self.plan.order.waits.offsets[self.next[processor] as usize + 1];
        while self.wait[processor] < end {
            let wait = self.plan.order.waits.items[self.wait[processor] as usize];
            #[cfg(test)]
            {
                self.looks += 1;
            }
            if self.ended(wait.processor as usize) < wait.steps {
                return Some(wait);
            }
            self.wait[processor] += 1;
        }
        None
    }
}

/// Allocates a table with an entry for each row and processor: a plan of few bytes can have many.
fn table(rows: usize, processors: usize) -> Result<Vec<u32>, ProofError> {
    let entries = rows.checked_mul(processors);
    let table = entries.and_then(|entries| filled(entries, 0));
    table.ok_or(ProofError::Memory {
        chunks: rows,
        processors,
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::{Order, Rows};

    /// Processor 0 has many chunks, and the first of processor 1 waits for each of them, the last
    /// one again and again.
    #[test]
    fn each_wait_is_looked_at_twice_at_most() {
        let chunks = 500;
        let wait = |steps| Wait {
            processor: 0,
            steps,
        };
        let waits: Vec<Wait> = (0..=chunks).chain(vec![chunks; 500]).map(wait).collect();
        let count = waits.len() as u32;
        let all = chunks as usize + 1;
        let plan = Plan {
            boundaries: (0..=chunks + 1).collect(),
            order: Arc::new(Order {
                processors: vec![0, chunks, chunks + 1],
                waits: Rows::sorted(all, waits.iter().map(|&wait| (chunks as usize, wait))),
            }),
            grains: Rows::sorted(all, (0..all).map(|chunk| (chunk, chunk as u32))),
        };
        let mut known = Known::new(&plan).expect("it ends");
        assert_eq!(known.row(chunks), [chunks; 2]);
        assert_eq!(memory(&plan), 3 * 2 * 4);
        let mut dry = DryRun::new(&plan);
        let begin = |processor, chunk| known.begin(&plan, processor, chunk);
        dry.run(begin).expect("it ends");
        assert!(dry.looks <= 2 * u64::from(count), "{} looks", dry.looks);
    }
}
