//! The result of a traced run: one record per task, flat arrays only.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Range;

use crate::{Kernel, Observation, Role};

/// Bit of an operand that is an *input*: no task wrote the location before; the low 31 bits are the
/// index in the operand's array. Without it, an operand is the id of the task that wrote the value.
pub const INPUT: u32 = 1 << 31;

/// Tasks per entry of the sampled operand offsets.
pub(crate) const SAMPLE: usize = 16;

/// Trace of one sequential run: which task wrote what and read whose value.
///
/// A *task* is one execution of one assignment; its id is its position in the sequential run, so
/// trace order is a topological order.
///
/// Memory: 2 (statement) + 4 (write) + 4 per operand bytes for each task, + 8 per control value, +
/// 8 per 16 tasks, + 8 per grain. Beside the records, [`last`](Self::last) has 4 bytes for each
/// word of `InOut` arrays.
///
/// Invariants:
///
/// * `statement[t] < kernel.statements.len()`;
/// * a task has exactly `kernel.statements[statement[t]].operands.len()` operands and
///   `.control.len()` control values;
/// * an operand without [`INPUT`] is smaller than the task that reads it;
/// * there are fewer than 2^31 tasks and fewer than 2^32 operands and control values;
/// * grains are ascending, apart and not empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Trace {
    pub(crate) kernel: Kernel,
    pub(crate) statement: Vec<u16>,
    pub(crate) write: Vec<u32>,
    pub(crate) operands: Vec<u32>,
    pub(crate) control: Vec<i64>,
    /// Start of the operands and of the control values of every `SAMPLE`-th task.
    pub(crate) samples: Vec<(u32, u32)>,
    /// Number of operands and of control values, per statement.
    pub(crate) shapes: Vec<Shape>,
    /// Largest index touched plus one, per array (for arrays whose type says the length: that
    /// length).
    pub(crate) extents: Vec<u32>,
    /// Last writer of each word (`INPUT | index` where no task wrote it), per array that is
    /// `InOut`; empty for others.
    pub(crate) last: Vec<Vec<u32>>,
    /// Grains: see [`Trace::grains`].
    pub(crate) grains: Vec<Range<u32>>,
    /// Observations: see [`Trace::observations`].
    pub(crate) observations: Vec<Observation>,
}

/// Hashes all but where the kernel stands: see [`Kernel::without_place`].
impl Hash for Trace {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let Self {
            kernel,
            statement,
            write,
            operands,
            control,
            samples,
            shapes,
            extents,
            last,
            grains,
            observations,
        } = self;
        kernel.without_place().hash(state);
        (statement, write, operands, control, samples, shapes).hash(state);
        (extents, last, grains, observations).hash(state);
    }
}

/// Size of a statement's tasks in the flat arrays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Shape {
    pub(crate) operands: u32,
    pub(crate) control: u32,
}

/// One task of a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Task<'a> {
    /// Index into [`Kernel::statements`].
    pub statement: u16,
    /// Index of the written word in the statement's target array.
    pub write: u32,
    /// Writer of each operand, or [`INPUT`]` | index`.
    pub operands: &'a [u32],
    /// Values of the control operands, each cast to `i64` (a `u64` beyond `i64::MAX` keeps its
    /// bits).
    pub control: &'a [i64],
}

impl<'a> Task<'a> {
    /// Iterates over the tasks whose values this one reads, one per operand that is no input (a
    /// task may come twice).
    pub fn producers(&self) -> impl Iterator<Item = u32> + use<'a> {
        self.operands.iter().copied().filter(|&o| o & INPUT == 0)
    }
}

/// A word of the kernel's memory: an array and an index in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Address {
    /// Index into [`Kernel::arrays`].
    pub array: u16,
    /// Index of the word, row-major for nested arrays.
    pub index: u32,
}

impl Trace {
    /// Returns the kernel that was traced.
    pub fn kernel(&self) -> &Kernel {
        &self.kernel
    }

    /// Returns the number of tasks.
    pub fn tasks(&self) -> usize {
        self.statement.len()
    }

    /// Returns task `id`. Cost: a walk over at most 15 statements; [`iter`](Self::iter) is faster
    /// in sequence.
    ///
    /// # Panics
    /// When there is no such task.
    pub fn task(&self, id: u32) -> Task<'_> {
        let id = id as usize;
        let (mut operands, mut control) = self.samples[id / SAMPLE];
        for &s in &self.statement[id / SAMPLE * SAMPLE..id] {
            let shape = self.shapes[usize::from(s)];
            operands += shape.operands;
            control += shape.control;
        }
        self.record(id, operands, control)
    }

    fn record(&self, id: usize, operands: u32, control: u32) -> Task<'_> {
        let statement = self.statement[id];
        let shape = self.shapes[usize::from(statement)];
        Task {
            statement,
            write: self.write[id],
            operands: &self.operands[operands as usize..(operands + shape.operands) as usize],
            control: &self.control[control as usize..(control + shape.control) as usize],
        }
    }

    /// Iterates over all tasks in trace order; the `t`-th item is task `t`. Two additions per task.
    pub fn iter(&self) -> Tasks<'_> {
        Tasks {
            trace: self,
            next: 0,
            operands: 0,
            control: 0,
        }
    }

    /// Returns the statement of each task: `statements()[t]` is an index into
    /// [`Kernel::statements`].
    pub fn statements(&self) -> &[u16] {
        &self.statement
    }

    /// Returns the written word of each task: an index in the target array of its statement.
    pub fn writes(&self) -> &[u32] {
        &self.write
    }

    /// Returns the operands of all tasks, one task after the other.
    pub fn operands(&self) -> &[u32] {
        &self.operands
    }

    /// Returns the word that task `id` writes.
    ///
    /// # Panics
    /// When there is no such task.
    pub fn written(&self, id: u32) -> Address {
        let statement = self.statement[id as usize];
        Address {
            array: self.kernel.statement(statement).target,
            index: self.write[id as usize],
        }
    }

    /// Returns the word that operand number `operand` of `task` is read from. The array is the
    /// statement's; the index is the producer's write or the input's own.
    ///
    /// # Panics
    /// When the task has no such operand.
    pub fn read(&self, task: &Task<'_>, operand: usize) -> Address {
        let array = self.kernel.statement(task.statement).operands[operand];
        let value = task.operands[operand];
        let index = if value & INPUT == 0 {
            self.write[value as usize]
        } else {
            value & !INPUT
        };
        Address { array, index }
    }

    /// Returns the words of each array: the length where the type or the caller says it, else the
    /// largest index touched plus one.
    pub fn extents(&self) -> &[u32] {
        &self.extents
    }

    /// Returns the tasks of each grain: those that schedulers are to take as one, because one
    /// execution of a loop's body made them
    /// ([`Recorder::begin_grain`](crate::Recorder::begin_grain)). A task that is in none is a grain
    /// of its own. Ascending.
    pub fn grains(&self) -> &[Range<u32>] {
        &self.grains
    }

    /// Returns some calls that control made of functions, with what they returned: see
    /// [`Recorder::observe`](crate::Recorder::observe).
    pub fn observations(&self) -> &[Observation] {
        &self.observations
    }

    /// Returns, for an `InOut` array, the last writer of each of its words, `INPUT | index` where
    /// no task wrote. Empty for other arrays.
    ///
    /// # Panics
    /// When the kernel has no such array.
    pub fn last(&self, array: u16) -> &[u32] {
        &self.last[usize::from(array)]
    }

    /// Iterates over the results: every word of an `InOut` array that was written, with its last
    /// writer; by array, then by index.
    pub fn results(&self) -> impl Iterator<Item = (Address, u32)> + '_ {
        self.last.iter().enumerate().flat_map(|(array, words)| {
            words
                .iter()
                .enumerate()
                .filter(|&(_, writer)| writer & INPUT == 0)
                .map(move |(index, &writer)| {
                    (
                        Address {
                            array: array as u16,
                            index: index as u32,
                        },
                        writer,
                    )
                })
        })
    }

    /// Returns the number of control values that the statement table asks for.
    pub(crate) fn expected_control(&self) -> usize {
        if self.shapes.iter().all(|s| s.control == 0) {
            return 0;
        }
        self.statement
            .iter()
            .map(|&s| self.shapes[usize::from(s)].control as usize)
            .sum()
    }

    /// Returns the bytes of memory that the records take (the tables per array and per statement
    /// not counted).
    pub fn bytes(&self) -> usize {
        size_of_val(&*self.statement)
            + size_of_val(&*self.write)
            + size_of_val(&*self.operands)
            + size_of_val(&*self.control)
            + size_of_val(&*self.samples)
            + size_of_val(&*self.grains)
    }
}

/// Prints `lu (src/kernels.rs:5): 1 array, 2 statements; 10912 tasks with 32240 operands (1984 of
/// them inputs), 992 results, 199.9 kB`.
impl fmt::Display for Trace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let inputs = self.operands.iter().filter(|&o| o & INPUT != 0).count();
        let results: usize = self.results().count();
        write!(
            f,
            "{}; {} tasks with {} operands ({inputs} of them inputs), {results} results, {:.1} kB",
            self.kernel,
            self.tasks(),
            self.operands.len(),
            self.bytes() as f64 / 1e3,
        )
    }
}

impl<'a> IntoIterator for &'a Trace {
    type Item = Task<'a>;
    type IntoIter = Tasks<'a>;

    fn into_iter(self) -> Tasks<'a> {
        self.iter()
    }
}

/// The tasks of a trace in order: see [`Trace::iter`].
#[derive(Clone, Debug)]
pub struct Tasks<'a> {
    trace: &'a Trace,
    next: usize,
    operands: u32,
    control: u32,
}

impl<'a> Iterator for Tasks<'a> {
    type Item = Task<'a>;

    #[inline]
    fn next(&mut self) -> Option<Task<'a>> {
        if self.next == self.trace.tasks() {
            return None;
        }
        let task = self.trace.record(self.next, self.operands, self.control);
        self.next += 1;
        self.operands += task.operands.len() as u32;
        self.control += task.control.len() as u32;
        Some(task)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.trace.tasks() - self.next;
        (left, Some(left))
    }
}

impl ExactSizeIterator for Tasks<'_> {}

/// Returns whether the last writers of a word of such an array are results of the kernel.
pub(crate) fn has_results(role: Role) -> bool {
    role == Role::InOut
}
