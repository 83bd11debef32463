//! Traces that are recorded again, with words at other places.

use superstep_tracer::{Kernel, MOST_TASKS, Recorder, Trace, record};

/// Records a trace again with the words of one array at other places.
pub(super) fn moved_words(trace: &Trace, array: u16, moved: impl Fn(u32) -> u32) -> Option<Trace> {
    again(trace, true, |of, index| match of == array {
        true => moved(index),
        false => index,
    })
}

/// Records a trace again, with its grains or without, and with words at other places.
pub(super) fn again(
    trace: &Trace,
    has_grains: bool,
    place: impl Fn(u16, u32) -> u32,
) -> Option<Trace> {
    let mut kernel = trace.kernel().clone();
    for (at, array) in (0..).zip(&mut kernel.arrays) {
        // Words at other places may be beyond a length that the type has told.
        let last = trace.extents()[usize::from(at)].checked_sub(1);
        let end = last.map(|last| place(at, last) + 1);
        array.length = array.length.map(|length| length.max(end.unwrap_or(0)));
    }
    copied(trace, kernel, |copier| {
        let mut grains = trace.grains().iter().filter(|_| has_grains).peekable();
        for (id, task) in (0..).zip(trace.iter()) {
            if grains.peek().is_some_and(|grain| grain.start == id) {
                copier.recorder.begin_grain();
            }
            copier.copy(&task, &place);
            if grains.peek().is_some_and(|grain| grain.end == id + 1) {
                copier.recorder.end_grain();
                grains.next();
            }
        }
    })
}

/// Records what is copied of a trace, as a trace of another kernel.
pub(super) fn copied(
    trace: &Trace,
    kernel: Kernel,
    tasks: impl FnOnce(&mut Copier<'_, '_>),
) -> Option<Trace> {
    let recorded = record(kernel, MOST_TASKS, |recorder| {
        tasks(&mut Copier {
            trace,
            recorder,
            indices: Vec::new(),
        });
    });
    recorded.ok()
}

/// Records tasks of a trace again.
pub(super) struct Copier<'a, 'r> {
    pub(super) trace: &'a Trace,
    pub(super) recorder: &'r mut Recorder,
    /// Room for the indices of operands.
    pub(super) indices: Vec<usize>,
}

impl Copier<'_, '_> {
    /// Records a task with its words at other places.
    pub(super) fn copy(
        &mut self,
        task: &superstep_tracer::Task<'_>,
        place: &impl Fn(u16, u32) -> u32,
    ) {
        let target = self.trace.kernel().statement(task.statement).target;
        self.indices.clear();
        for operand in 0..task.operands.len() {
            let address = self.trace.read(task, operand);
            let index = place(address.array, address.index);
            self.indices.push(index as usize);
        }
        self.push(task, place(target, task.write));
    }

    /// Records a task that writes there, and reads the places that are at hand.
    pub(super) fn push(&mut self, task: &superstep_tracer::Task<'_>, index: u32) {
        task.control
            .iter()
            .for_each(|&value| self.recorder.control(value));
        self.recorder
            .push(task.statement, index as usize, &self.indices);
    }
}
