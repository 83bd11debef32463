//! The tasks of a trace by number, each found with one load.

use superstep_tracer::{INPUT, Trace};

/// A trace and where the operands of each task begin: 4 bytes per task.
///
/// [`Trace::task`] walks over some tasks to find one; here tasks are visited in the order of schedules, many times.
pub(crate) struct Tasks<'a> {
    trace: &'a Trace,
    offsets: Vec<u32>,
    has_control: bool,
}

impl<'a> Tasks<'a> {
    pub(crate) fn new(trace: &'a Trace) -> Self {
        let statements = &trace.kernel().statements;
        let operands: Vec<u32> = statements.iter().map(|s| s.operands.len() as u32).collect();
        let mut offsets = Vec::with_capacity(trace.tasks() + 1);
        let mut end = 0;
        offsets.push(end);
        for &statement in trace.statements() {
            end += operands[usize::from(statement)];
            offsets.push(end);
        }
        Self {
            trace,
            offsets,
            has_control: statements.iter().any(|s| !s.control.is_empty()),
        }
    }

    pub(crate) fn trace(&self) -> &'a Trace {
        self.trace
    }

    #[inline]
    pub(crate) fn statement(&self, task: u32) -> u16 {
        self.trace.statements()[task as usize]
    }

    /// Per operand: the writer, or `INPUT | index`.
    #[inline]
    pub(crate) fn operands(&self, task: u32) -> &'a [u32] {
        let task = task as usize;
        &self.trace.operands()[self.offsets[task] as usize..self.offsets[task + 1] as usize]
    }

    /// The tasks whose values `task` reads.
    #[inline]
    pub(crate) fn producers(&self, task: u32) -> impl Iterator<Item = u32> + use<'a> {
        self.operands(task)
            .iter()
            .copied()
            .filter(|&value| value & INPUT == 0)
    }

    /// Home slot of a value: the index that its task writes, or that it has as an input.
    #[inline]
    pub(crate) fn home(&self, value: u32) -> u32 {
        if value & INPUT == 0 {
            self.trace.writes()[value as usize]
        } else {
            value & !INPUT
        }
    }

    #[inline]
    pub(crate) fn control(&self, task: u32) -> &'a [i64] {
        if self.has_control {
            self.trace.task(task).control
        } else {
            &[]
        }
    }
}
