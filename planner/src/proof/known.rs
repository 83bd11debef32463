//! The dry run: what each processor knows of the others when it begins a chunk.

use super::ProofError;
use crate::{Plan, Wait};

/// For each chunk and processor, how far that processor is known to have come when the chunk
/// begins.
pub(super) struct Known {
    processors: usize,
    /// The first position in the list of all grains that is not known to be past.
    until: Vec<u32>,
}

impl Known {
    /// Runs the waits dry.
    pub(super) fn new(plan: &Plan) -> Result<Self, ProofError> {
        let processors = plan.processors.len() - 1;
        let mut known = Self {
            processors,
            until: table(plan.chunks.len() - 1, processors)?,
        };
        let mut next = plan.processors[..processors].to_vec();
        let mut runnable: Vec<usize> = (0..processors).rev().collect();
        // The processors that are waiting for each processor.
        let mut waiters = vec![Vec::new(); processors];
        while let Some(processor) = runnable.pop() {
            if next[processor] == plan.processors[processor + 1] {
                continue;
            }
            let chunk = next[processor];
            if let Some(wait) = unfulfilled(plan, chunk, &next) {
                waiters[wait.processor as usize].push(processor);
                continue;
            }
            known.begin(plan, processor, chunk);
            next[processor] += 1;
            runnable.push(processor);
            runnable.append(&mut waiters[processor]);
        }
        match (0..processors).find(|&each| next[each] < plan.processors[each + 1]) {
            None => Ok(known),
            Some(processor) => {
                let chunk = next[processor];
                Err(ProofError::Deadlock {
                    processor: processor as u32,
                    chunk: chunk - plan.processors[processor],
                    wait: unfulfilled(plan, chunk, &next).unwrap_or_default(),
                })
            }
        }
    }

    /// Notes what a processor knows when it begins a chunk, all of whose waits are fulfilled.
    fn begin(&mut self, plan: &Plan, processor: usize, chunk: u32) {
        let (before, row) = self.until.split_at_mut(chunk as usize * self.processors);
        let row = &mut row[..self.processors];
        if chunk == plan.processors[processor] {
            for (until, &first) in row.iter_mut().zip(&plan.processors) {
                *until = plan.chunks[first as usize];
            }
        } else {
            row.copy_from_slice(&before[before.len() - self.processors..]);
        }
        for wait in plan.waits_of(chunk) {
            if wait.chunks == 0 {
                continue;
            }
            let last = plan.processors[wait.processor as usize] + wait.chunks - 1;
            for peer in 0..self.processors {
                let theirs = self.until[last as usize * self.processors + peer];
                let own = &mut self.until[chunk as usize * self.processors + peer];
                *own = theirs.max(*own);
            }
            let own = &mut self.until[chunk as usize * self.processors + wait.processor as usize];
            *own = plan.chunks[last as usize + 1].max(*own);
        }
        self.until[chunk as usize * self.processors + processor] = plan.chunks[chunk as usize];
    }

    /// How far each processor is known to have come when a chunk begins.
    pub(super) fn row(&self, chunk: u32) -> &[u32] {
        &self.until[chunk as usize * self.processors..][..self.processors]
    }
}

/// A table with an entry for each chunk and processor: a plan of few bytes can have many chunks.
fn table(chunks: usize, processors: usize) -> Result<Vec<u32>, ProofError> {
    let memory = ProofError::Memory { chunks, processors };
    let entries = chunks.checked_mul(processors).ok_or(memory.clone())?;
    let mut table = Vec::new();
    table.try_reserve_exact(entries).map_err(|_| memory)?;
    table.resize(entries, 0);
    Ok(table)
}

/// The first wait of a chunk that is not fulfilled, where each processor has come to its next
/// chunk.
fn unfulfilled(plan: &Plan, chunk: u32, next: &[u32]) -> Option<Wait> {
    let is_open = |wait: &&Wait| {
        let peer = wait.processor as usize;
        next[peer] - plan.processors[peer] < wait.chunks
    };
    plan.waits_of(chunk).iter().find(is_open).copied()
}
