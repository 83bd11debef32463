//! Recorder that a trace function calls: one call per task.

use std::cell::RefCell;

use crate::environment::Observations;
use crate::error::{Failure, Location, stopped};
use crate::panics;
use crate::shadow::Shadow;
use crate::trace::{SAMPLE, Shape};
use crate::{Kernel, Trace, TraceError};

/// Tasks after which a trace stops unless another limit is asked for: 10^9, whose trace alone takes
/// 20 GB or so.
pub const DEFAULT_LIMIT: u64 = 1_000_000_000;

/// The most tasks that a trace can have, whatever the limit: 2^31 - 1.
pub const MOST_TASKS: u64 = (1 << 31) - 1;

/// A dimension whose length nobody knows: see [`Recorder::index`].
pub const UNKNOWN: usize = usize::MAX;

/// Tasks that room is made for at once: few calls, and a block stays in L1 until it is filled.
const BLOCK: usize = 32 * SAMPLE;

/// Loops around a statement that messages tell of.
const DEPTH: usize = 16;

/// Statement that stands for "between statements".
const NOWHERE: u16 = u16::MAX;

/// Recorder of a sequential run: [`enter`](Self::enter) a statement, find the words with
/// [`index`](Self::index), append the [`task`](Self::task).
///
/// These calls stop a sequential run that cannot go on by unwinding to [`record`], so a recorder is
/// normally used through that function.
///
/// Cost of a task: one load per operand, one store for the target, 2 + 4 + 4 per operand bytes.
#[derive(Debug)]
pub struct Recorder {
    trace: Trace,
    shadow: Shadow,
    /// Tasks and operands recorded; the trace's arrays are longer, up to the next checkpoint.
    tasks: usize,
    operands: usize,
    /// Largest number of operands of a statement, and of control values.
    widest: usize,
    most_control: usize,
    limit: u64,
    /// Next task at which [`checkpoint`](Self::checkpoint) is due.
    stop: usize,
    /// First task of the grain that is open.
    grain: Option<usize>,
    /// Statement being executed, or `NOWHERE`.
    current: u16,
    /// Loops around the current place.
    depth: usize,
    values: [i64; DEPTH],
    variables: [u16; DEPTH],
    observations: RefCell<Observations>,
}

impl Recorder {
    /// Starts an empty trace.
    pub fn new(kernel: Kernel) -> Self {
        let shape = |s: &crate::Statement| Shape {
            operands: s.operands.len() as u32,
            control: s.control.len() as u32,
        };
        Self {
            shadow: Shadow::new(&kernel.arrays),
            tasks: 0,
            operands: 0,
            widest: kernel
                .statements
                .iter()
                .map(|s| s.operands.len())
                .max()
                .unwrap_or(0),
            most_control: kernel
                .statements
                .iter()
                .map(|s| s.control.len())
                .max()
                .unwrap_or(0),
            trace: Trace {
                shapes: kernel.statements.iter().map(shape).collect(),
                kernel,
                ..Trace::default()
            },
            limit: DEFAULT_LIMIT,
            stop: 0,
            grain: None,
            current: NOWHERE,
            depth: 0,
            values: [0; DEPTH],
            variables: [0; DEPTH],
            observations: RefCell::default(),
        }
    }

    /// Stops after that many tasks instead of [`DEFAULT_LIMIT`]; never more than [`MOST_TASKS`].
    #[must_use]
    pub fn limit(mut self, tasks: u64) -> Self {
        self.limit = tasks.min(MOST_TASKS);
        self
    }

    /// Returns the number of tasks recorded so far.
    pub(crate) fn tasks(&self) -> u64 {
        self.tasks as u64
    }

    /// Returns the kernel being traced.
    pub fn kernel(&self) -> &Kernel {
        &self.trace.kernel
    }

    /// Gives a slice its length, so that a larger index is an error. To be called before any task.
    pub fn length(&mut self, array: u16, words: usize) {
        self.shadow.fix(array, words);
    }

    /// Begins an iteration of the loop at nesting `depth` (outermost: 0) with its variable (an
    /// index into [`Kernel::variables`]) at `value`. For messages only.
    #[inline(always)]
    pub fn iteration(&mut self, depth: usize, variable: u16, value: i64) {
        if depth < DEPTH {
            self.values[depth] = value;
            self.variables[depth] = variable;
            self.depth = depth + 1;
        }
    }

    /// Ends the loop at nesting `depth`. For messages only.
    #[inline(always)]
    pub fn leave(&mut self, depth: usize) {
        self.depth = depth.min(DEPTH);
    }

    /// Notes a call that control makes of a function of integers, to be made again where the
    /// program runs: see [`Trace::observations`]. `digest` of its result is called for a few calls
    /// only.
    pub fn observe(&self, number: u16, arguments: &[i64], digest: impl FnOnce() -> u64) {
        Observations::call(&self.observations, number, arguments, digest);
    }

    /// Begins a grain with the task to come, and ends the one that is open: up to its end the tasks
    /// are one for schedulers.
    ///
    /// ```
    /// use superstep_tracer::{DEFAULT_LIMIT, Kernel, Role, record};
    ///
    /// let mut kernel = Kernel::new("rows");
    /// let x = kernel.add_array("x", Role::InOut, None);
    /// let add = kernel.add_statement("x[i] += 1.0", x, &[x]);
    /// let trace = record(kernel, DEFAULT_LIMIT, |recorder| {
    ///     for row in 0..2 {
    ///         recorder.begin_grain();
    ///         (0..3).for_each(|j| recorder.push(add, 3 * row + j, &[3 * row + j]));
    ///     }
    ///     recorder.end_grain();
    ///     recorder.push(add, 0, &[0]); // a task of its own
    /// })?;
    /// assert_eq!(trace.grains(), [0..3, 3..6]);
    /// # Ok::<(), superstep_tracer::TraceError>(())
    /// ```
    #[inline(always)]
    pub fn begin_grain(&mut self) {
        self.end_grain();
        self.grain = Some(self.tasks);
    }

    /// Ends the grain that is open, if any. One without tasks is none.
    #[inline(always)]
    pub fn end_grain(&mut self) {
        if let Some(start) = self.grain.take()
            && start < self.tasks
        {
            // Both are below 2^31: a trace has no more tasks.
            self.trace.grains.push(start as u32..self.tasks as u32);
        }
    }

    /// Begins a statement: what goes wrong until its [`task`](Self::task) is blamed on it.
    #[inline(always)]
    pub fn enter(&mut self, statement: u16) {
        self.current = statement;
    }

    /// Returns the flat index of an element of a (nested) array of those dimensions, outermost
    /// first. The outermost may be [`UNKNOWN`], as in a slice; a scalar has no dimension, and its
    /// index is 0. An index out of range fails the trace.
    ///
    /// ```
    /// use superstep_tracer::{Kernel, Recorder, Role, UNKNOWN};
    ///
    /// let mut kernel = Kernel::new("rows");
    /// let rows = kernel.add_array("rows", Role::Input, None);
    /// let recorder = Recorder::new(kernel);
    /// assert_eq!(recorder.index(rows, [UNKNOWN, 3], [4, 2]), 14); // rows: &[[f64; 3]], rows[4][2]
    /// ```
    #[inline(always)]
    pub fn index<const D: usize>(
        &self,
        array: u16,
        dimensions: [usize; D],
        at: [usize; D],
    ) -> usize {
        let mut flat = 0_usize;
        for d in 0..D {
            if dimensions[d] != UNKNOWN && at[d] >= dimensions[d] {
                out_of_range(array, at[d], dimensions[d]);
            }
            // Saturation cannot hide an error: the largest `usize` is out of range everywhere.
            flat = if d == 0 {
                at[0]
            } else {
                flat.saturating_mul(dimensions[d]).saturating_add(at[d])
            };
        }
        flat
    }

    /// Ends the trace of a kernel that can give up with an error.
    pub fn can_give_up(&self) {
        Failure::CanGiveUp.raise();
    }

    /// Gives the next control operand of the task to come; a `u64` beyond `i64::MAX` keeps its
    /// bits.
    #[inline(always)]
    pub fn control(&mut self, value: i64) {
        self.trace.control.push(value);
    }

    /// Appends a task: an execution of `statement` that reads `operands` (array, index) and then
    /// writes word `index` of `target`.
    ///
    /// Target, arrays and number of operands are the statement's; its control operands were given
    /// before.
    #[inline(always)]
    pub fn task<const R: usize>(
        &mut self,
        statement: u16,
        target: u16,
        index: usize,
        operands: [(u16, usize); R],
    ) {
        let id = self.tasks;
        if id == self.stop {
            self.checkpoint(statement);
        }
        if self.trace.shapes[usize::from(statement)].operands != R as u32 {
            Failure::Operands {
                statement,
                given: R,
            }
            .raise();
        }
        // Plain loops over slots that a checkpoint made: at opt-level 1 `map` and `push` stay
        // calls.
        let room = self
            .trace
            .operands
            .get_mut(self.operands..)
            .and_then(<[u32]>::first_chunk_mut);
        let slots: &mut [u32; R] = room.expect("a checkpoint made room for the widest statement");
        for r in 0..R {
            slots[r] = self.shadow.read(operands[r].0, operands[r].1);
        }
        self.operands += R;
        self.shadow.write(target, index, id as u32);
        self.trace.statement[id] = statement;
        self.trace.write[id] = index as u32;
        self.tasks = id + 1;
        self.current = NOWHERE;
    }

    /// Appends a task whose arrays are read off the statement table: for traces made by hand.
    /// `operands` are indices in the statement's operand arrays.
    ///
    /// # Panics
    /// When the kernel has no such statement.
    pub fn push(&mut self, statement: u16, index: usize, operands: &[usize]) {
        let id = self.tasks;
        if id == self.stop {
            self.checkpoint(statement);
        }
        let table = &self.trace.kernel.statements[usize::from(statement)];
        if operands.len() != table.operands.len() {
            Failure::Operands {
                statement,
                given: operands.len(),
            }
            .raise();
        }
        for (&array, &at) in table.operands.iter().zip(operands) {
            self.trace.operands[self.operands] = self.shadow.read(array, at);
            self.operands += 1;
        }
        self.shadow.write(table.target, index, id as u32);
        self.trace.statement[id] = statement;
        self.trace.write[id] = index as u32;
        self.tasks = id + 1;
        self.current = NOWHERE;
    }

    /// Notes where the operands of the next tasks begin, and makes room for them: every `SAMPLE`
    /// tasks, and at the limit.
    #[cold]
    #[inline(never)]
    fn checkpoint(&mut self, statement: u16) {
        self.current = statement;
        if self.tasks as u64 >= self.limit {
            Failure::Limit { limit: self.limit }.raise();
        }
        // The control operands of the task to come are already there.
        let own = self
            .trace
            .shapes
            .get(usize::from(statement))
            .map_or(0, |s| s.control as usize);
        let control = self.trace.control.len().saturating_sub(own);
        if self.operands.max(control) > u32::MAX as usize - SAMPLE * self.widest {
            Failure::Full.raise();
        }
        let trace = &mut self.trace;
        reserve(&mut trace.samples, 1);
        trace.samples.push((self.operands as u32, control as u32));
        // What comes until the next checkpoint has room.
        reserve(&mut trace.control, (SAMPLE + 1) * self.most_control);
        reserve(&mut trace.grains, SAMPLE + 1);
        if self.tasks + SAMPLE > trace.statement.len() {
            lengthen(&mut trace.statement, self.tasks + BLOCK);
            lengthen(&mut trace.write, self.tasks + BLOCK);
        }
        if self.operands + SAMPLE * self.widest > trace.operands.len() {
            lengthen(&mut trace.operands, self.operands + BLOCK * self.widest);
        }
        self.stop = (self.tasks + SAMPLE).min(self.limit as usize);
    }

    /// Returns where the sequential run stands.
    pub(crate) fn location(&self) -> Box<Location> {
        self.location_in(self.current)
    }

    /// Returns where the sequential run stands, if it stands in that statement.
    pub(crate) fn location_in(&self, statement: u16) -> Box<Location> {
        let kernel = &self.trace.kernel;
        let statement = kernel.statements.get(usize::from(statement));
        let variable = |&i: &u16| {
            kernel
                .variables
                .get(usize::from(i))
                .map_or("_", String::as_str)
        };
        let names = self.variables[..self.depth]
            .iter()
            .map(|i| variable(i).to_owned());
        Box::new(Location {
            kernel: kernel.name.clone(),
            file: statement
                .and_then(|s| s.file.as_ref())
                .unwrap_or(&kernel.file)
                .clone(),
            line: statement.map_or(kernel.line, |s| s.line),
            statement: statement.map(|s| s.text.clone()),
            iteration: names.zip(self.values).collect(),
        })
    }

    /// Ends the trace.
    ///
    /// # Errors
    /// [`TraceError::Control`] when tasks were not given the control operands that the statement
    /// table asks for.
    pub fn finish(mut self) -> Result<Trace, TraceError> {
        self.end_grain();
        let location = self.location();
        let Self {
            mut trace,
            shadow,
            tasks,
            operands,
            observations,
            ..
        } = self;
        trace.statement.truncate(tasks);
        trace.write.truncate(tasks);
        trace.operands.truncate(operands);
        let (given, expected) = (trace.control.len(), trace.expected_control());
        if given != expected {
            return Err(TraceError::Control {
                location,
                given,
                expected,
            });
        }
        trace.statement.shrink_to_fit();
        trace.write.shrink_to_fit();
        trace.operands.shrink_to_fit();
        trace.control.shrink_to_fit();
        trace.samples.shrink_to_fit();
        trace.grains.shrink_to_fit();
        trace.observations = observations.into_inner().into_kept();
        shadow.finish(&mut trace);
        Ok(trace)
    }
}

/// Makes room for more, or fails the trace.
pub(crate) fn reserve<T>(list: &mut Vec<T>, more: usize) {
    if list.try_reserve(more).is_err() {
        Failure::Memory.raise();
    }
}

/// Appends zeros up to a length, or fails the trace.
fn lengthen<T: Copy + Default>(list: &mut Vec<T>, length: usize) {
    reserve(list, length.saturating_sub(list.len()));
    list.resize(length, T::default());
}

#[cold]
#[inline(never)]
fn out_of_range(array: u16, index: usize, length: usize) -> ! {
    Failure::Index {
        array,
        index,
        length,
    }
    .raise()
}

/// Runs a trace function: what it records until it returns is the trace; what stops it becomes an
/// error that says where and when.
///
/// `limit`: see [`Recorder::limit`].
///
/// # Errors
/// Everything that [`TraceError`] lists.
///
/// ```
/// use superstep_tracer::{INPUT, Kernel, Role, record, DEFAULT_LIMIT};
///
/// // fn running(x: &mut [f64]) { for i in 1..4 { x[i] += x[i - 1]; } }
/// let mut kernel = Kernel::new("running");
/// let x = kernel.add_array("x", Role::InOut, None);
/// let sum = kernel.add_statement("x[i] += x[i - 1]", x, &[x, x]);
/// let trace = record(kernel, DEFAULT_LIMIT, |recorder| {
///     for i in 1..4 {
///         recorder.task(sum, x, i, [(x, i), (x, i - 1)]);
///     }
/// })?;
/// assert_eq!(trace.task(0).operands, [INPUT | 1, INPUT | 0]);
/// assert_eq!(trace.task(2).operands, [INPUT | 3, 1]);
/// assert_eq!(trace.last(x), [INPUT | 0, 0, 1, 2]);
/// # Ok::<(), superstep_tracer::TraceError>(())
/// ```
pub fn record(
    kernel: Kernel,
    limit: u64,
    run: impl FnOnce(&mut Recorder),
) -> Result<Trace, TraceError> {
    let mut recorder = Recorder::new(kernel).limit(limit);
    match panics::catch(|| run(&mut recorder)) {
        Ok(()) => recorder.finish(),
        Err(caught) => Err(stopped(caught, &recorder)),
    }
}
