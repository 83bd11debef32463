//! Words that loops as written touch one after the other: how far apart they are.

use superstep_tracer::Trace;

use super::LARGE;
use crate::change::Change;

/// An access of a statement: the words that its tasks touch, in order.
#[derive(Clone, Copy, Default)]
struct Access {
    last: i64,
    step: i64,
    tasks: usize,
    /// Tasks whose step is that of the task before.
    steady: usize,
    /// Tasks whose step is the candidate, the majority's if there is one (Boyer and Moore).
    candidate: i64,
    votes: usize,
}

impl Access {
    fn touch(&mut self, index: u32) {
        let step = i64::from(index) - self.last;
        self.steady += usize::from(step == self.step);
        self.tasks += 1;
        match self.votes {
            0 => (self.candidate, self.votes) = (step, 1),
            _ if step == self.candidate => self.votes += 1,
            _ => self.votes -= 1,
        }
        (self.last, self.step) = (i64::from(index), step);
    }

    /// Returns the step of most tasks.
    fn stride(&self) -> Option<u64> {
        (2 * self.steady > self.tasks && self.votes > 0).then_some(self.candidate.unsigned_abs())
    }
}

/// Returns what would have loops go through memory word by word.
pub(super) fn strides(trace: &Trace) -> Vec<Change> {
    let kernel = trace.kernel();
    let accesses = |statement: &superstep_tracer::Statement| 1 + statement.operands.len();
    let mut all: Vec<Vec<Access>> = kernel
        .statements
        .iter()
        .map(|statement| vec![Access::default(); accesses(statement)])
        .collect();
    for task in trace.iter() {
        let own = &mut all[usize::from(task.statement)];
        own[0].touch(task.write);
        for operand in 0..task.operands.len() {
            own[1 + operand].touch(trace.read(&task, operand).index);
        }
    }
    let mut changes = Vec::new();
    for ((number, statement), accesses) in (0..).zip(&kernel.statements).zip(&all) {
        let arrays = std::iter::once(statement.target).chain(statement.operands.iter().copied());
        for (at, (array, access)) in arrays.zip(accesses).enumerate() {
            let words = u64::from(trace.extents()[usize::from(array)]);
            let is_large = access.tasks as f64 >= LARGE * trace.tasks() as f64;
            // Rows of a matrix fill it.
            let is_far = |width: &u64| *width > 1 && *width < words && words.is_multiple_of(*width);
            let Some(width) = access.stride().filter(|width| is_large && is_far(width)) else {
                continue;
            };
            if at == 0 {
                changes.push(Change::Interchange(number));
            }
            let width = width as u32;
            changes.push(Change::Transpose { array, width });
        }
    }
    changes
}
