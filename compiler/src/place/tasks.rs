//! Tasks of a trace by number, each found with one load.

use std::borrow::Cow;

use superstep_tracer::{INPUT, Trace};

use crate::place::layout::Layout;

/// Trace with the offsets of each task's operands and the home slots of values. It takes 4 bytes
/// per task, 8 where arrays are kept by columns.
///
/// [`Trace::task`] walks over some tasks to find one. Here tasks are visited in the order of
/// schedules, many times.
pub(crate) struct Tasks<'a> {
    trace: &'a Trace,
    offsets: Vec<u32>,
    has_control: bool,
    layout: Layout,
    /// Home slot of the value of each task.
    homes: Cow<'a, [u32]>,
}

impl<'a> Tasks<'a> {
    pub(crate) fn new(trace: &'a Trace, layout: Layout) -> Self {
        let statements = &trace.kernel().statements;
        let operands: Vec<u32> = statements.iter().map(|s| s.operands.len() as u32).collect();
        let mut offsets = Vec::with_capacity(trace.tasks() + 1);
        let mut end = 0;
        offsets.push(end);
        for &statement in trace.statements() {
            end += operands[usize::from(statement)];
            offsets.push(end);
        }
        let homes = if layout.is_given() {
            Cow::Borrowed(trace.writes())
        } else {
            let home = |(&statement, &index)| {
                layout.home(trace.kernel().statement(statement).target, index)
            };
            Cow::Owned(
                trace
                    .statements()
                    .iter()
                    .zip(trace.writes())
                    .map(home)
                    .collect(),
            )
        };
        Self {
            layout,
            homes,
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

    /// Returns, per operand, the writer, or `INPUT | index`.
    #[inline]
    pub(crate) fn operands(&self, task: u32) -> &'a [u32] {
        let task = task as usize;
        &self.trace.operands()[self.offsets[task] as usize..self.offsets[task + 1] as usize]
    }

    /// Returns the array that a task writes.
    #[inline]
    pub(crate) fn target(&self, task: u32) -> u16 {
        self.trace.kernel().statement(self.statement(task)).target
    }

    /// Iterates over the operands of a task, each as its array and its writer, or `INPUT | index`.
    #[inline]
    pub(crate) fn reads(&self, task: u32) -> impl ExactSizeIterator<Item = (u16, u32)> + use<'a> {
        let arrays = &self.trace.kernel().statement(self.statement(task)).operands;
        let operands = self.operands(task).iter();
        arrays.iter().copied().zip(operands.copied())
    }

    /// Iterates over the tasks whose values `task` reads.
    #[inline]
    pub(crate) fn producers(&self, task: u32) -> impl Iterator<Item = u32> + use<'a> {
        self.operands(task)
            .iter()
            .copied()
            .filter(|&value| value & INPUT == 0)
    }

    pub(crate) fn layout(&self) -> &Layout {
        &self.layout
    }

    pub(crate) fn into_layout(self) -> Layout {
        self.layout
    }

    /// Returns the home slot of the value of a task.
    #[inline]
    pub(crate) fn home_of(&self, task: u32) -> u32 {
        self.homes[task as usize]
    }

    /// Returns the home slot of a value of `array`: of a task's, or of an input.
    #[inline]
    pub(crate) fn home(&self, array: u16, value: u32) -> u32 {
        if value & INPUT == 0 {
            self.home_of(value)
        } else {
            self.layout.home(array, value & !INPUT)
        }
    }

    /// Iterates over the words that a task touches, each as its array and home slot: the one that
    /// it writes, then its operands.
    pub(crate) fn words(&self, task: u32) -> impl Iterator<Item = (u16, u32)> {
        let read = self.reads(task);
        let read = read.map(|(array, value)| (array, self.home(array, value)));
        std::iter::once((self.target(task), self.home_of(task))).chain(read)
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
