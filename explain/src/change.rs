//! Changes of a kernel or of its build, and what comes of them: other traces, options, requests.

use superstep_compiler::{Options, Passes, Request};
use superstep_machine::Memory;
use superstep_scheduler::{Algorithm, Effort};
use superstep_tracer::{
    Array, Form, Kernel, MOST_TASKS, Operations, Recorder, Role, Statement, Trace, record,
};

use crate::Subject;

/// The most blocks of a `#[reduce]`d loop, and the operands of the shortest: as the macro has them
/// (`macros/src/reduce`).
const MOST_BLOCKS: usize = 64;
/// See [`MOST_BLOCKS`].
const SHORTEST_BLOCK: usize = 8;

/// A change.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Change {
    /// So many processors.
    Processors(usize),
    /// All algorithms in place of the one that was named.
    AnyAlgorithm,
    /// More effort of schedulers.
    Effort(Effort),
    /// The caller's arrays, or memories of processors' own.
    Memory(Memory),
    /// All passes.
    AllPasses,
    /// No marked grains.
    NoGrains,
    /// A tree in place of the chain of a loop that accumulates by this statement: `#[reduce]`.
    Reduce(u16),
    /// An array whose rows of so many words are kept as columns.
    Transpose {
        /// The array.
        array: u16,
        /// Words of a row.
        width: u32,
    },
    /// The loops around this statement exchanged, so that the inner one goes along the words that
    /// it writes.
    Interchange(u16),
    /// Rows of this statement in the order of their lengths.
    SortRows(u16),
}

/// Result of a change; what it leaves alone is none.
#[derive(Debug, Default)]
pub(crate) struct Changed {
    /// Another trace.
    pub trace: Option<Trace>,
    /// Other options.
    pub options: Option<Options>,
    /// Another program.
    pub request: Option<Request>,
}

impl Change {
    /// Applies the change; none if it changes nothing, or cannot be made.
    pub(crate) fn applied(&self, subject: &Subject<'_>) -> Option<Changed> {
        let Subject {
            trace,
            options,
            request,
            ..
        } = *subject;
        let with_trace = |trace| Changed {
            trace: Some(trace),
            ..Changed::default()
        };
        let with_options = |options| Changed {
            options: Some(options),
            ..Changed::default()
        };
        let with_request = |request| Changed {
            request: Some(request),
            ..Changed::default()
        };
        Some(match *self {
            Self::Processors(processors) => with_request(Request {
                processors,
                ..request
            }),
            Self::AnyAlgorithm => Changed {
                options: Some(Options {
                    algorithm: Algorithm::Auto,
                    ..options.clone()
                }),
                request: Some(Request {
                    algorithm: None,
                    ..request
                }),
                ..Changed::default()
            },
            Self::Effort(effort) => with_options(Options {
                effort,
                ..options.clone()
            }),
            Self::Memory(memory) => with_request(Request { memory, ..request }),
            Self::AllPasses => with_options(Options {
                passes: Passes::ALL,
                ..options.clone()
            }),
            Self::NoGrains => with_trace(again(trace, false, |_, index| Some(index))?),
            Self::Transpose { array, width } => {
                let words = trace.extents()[usize::from(array)];
                let rows = words.div_ceil(width);
                let moved = |index: u32| Some(index % width * rows + index / width);
                with_trace(moved_words(trace, array, moved)?)
            }
            Self::Interchange(statement) => with_trace(interchanged(trace, statement)?),
            Self::SortRows(statement) => with_trace(sorted_rows(trace, statement)?),
            Self::Reduce(statement) => with_trace(reduced(trace, statement)?),
        })
    }
}

/// Records a trace again with the words of one array at other places.
fn moved_words(trace: &Trace, array: u16, moved: impl Fn(u32) -> Option<u32>) -> Option<Trace> {
    again(trace, true, |of, index| match of == array {
        true => moved(index),
        false => Some(index),
    })
}

/// Records a trace again, with its grains or without, and with words at other places.
fn again(
    trace: &Trace,
    has_grains: bool,
    place: impl Fn(u16, u32) -> Option<u32>,
) -> Option<Trace> {
    let mut kernel = trace.kernel().clone();
    for (at, array) in (0..).zip(&mut kernel.arrays) {
        // Words at other places may be beyond a length that the type has told.
        let last = trace.extents()[usize::from(at)].checked_sub(1);
        let end = last.and_then(|last| place(at, last)).map(|last| last + 1);
        array.length = array.length.map(|length| length.max(end.unwrap_or(0)));
    }
    let is_possible = std::cell::Cell::new(true);
    let recorded = record(kernel, MOST_TASKS, |recorder| {
        let mut copier = Copier {
            trace,
            recorder,
            indices: Vec::new(),
        };
        let mut grains = trace.grains().iter().filter(|_| has_grains).peekable();
        for (id, task) in (0..).zip(trace.iter()) {
            if grains.peek().is_some_and(|grain| grain.start == id) {
                copier.recorder.begin_grain();
            }
            if !copier.copy(&task, &place) {
                is_possible.set(false);
                return;
            }
            if grains.peek().is_some_and(|grain| grain.end == id + 1) {
                copier.recorder.end_grain();
                grains.next();
            }
        }
    });
    recorded.ok().filter(|_| is_possible.get())
}

/// Records tasks of a trace again.
struct Copier<'a, 'r> {
    trace: &'a Trace,
    recorder: &'r mut Recorder,
    /// Room for the indices of operands.
    indices: Vec<usize>,
}

impl Copier<'_, '_> {
    /// Records a task with its words at other places; returns whether they have some.
    fn copy(
        &mut self,
        task: &superstep_tracer::Task<'_>,
        place: &impl Fn(u16, u32) -> Option<u32>,
    ) -> bool {
        let target = self.trace.kernel().statement(task.statement).target;
        self.indices.clear();
        for operand in 0..task.operands.len() {
            let address = self.trace.read(task, operand);
            let Some(index) = place(address.array, address.index) else {
                return false;
            };
            self.indices.push(index as usize);
        }
        let Some(index) = place(target, task.write) else {
            return false;
        };
        task.control
            .iter()
            .for_each(|&value| self.recorder.control(value));
        self.recorder
            .push(task.statement, index as usize, &self.indices);
        true
    }
}

/// Exchanges loops: sorts neighbouring tasks of a statement, none of which needs another, by the
/// words that they write.
fn interchanged(trace: &Trace, statement: u16) -> Option<Trace> {
    if !trace.grains().is_empty() {
        return None;
    }
    let statements = trace.statements();
    let mut order: Vec<u32> = (0..trace.tasks() as u32).collect();
    let mut is_changed = false;
    let mut first = 0;
    while first < order.len() {
        let same = statements[first..]
            .iter()
            .take_while(|&&each| each == statements[first]);
        let end = first + same.count();
        let group = &mut order[first..end];
        if statements[first] == statement && group.len() > 1 && are_loose(trace, group) {
            let before = group.to_vec();
            group.sort_by_key(|&task| trace.writes()[task as usize]);
            is_changed |= before != group;
        }
        first = end;
    }
    if !is_changed {
        return None;
    }
    let recorded = record(trace.kernel().clone(), MOST_TASKS, |recorder| {
        let mut copier = Copier {
            trace,
            recorder,
            indices: Vec::new(),
        };
        for &task in &order {
            copier.copy(&trace.task(task), &|_, index| Some(index));
        }
    });
    recorded.ok()
}

/// Returns whether neighbouring tasks need nothing of each other, and write words of their own.
fn are_loose(trace: &Trace, tasks: &[u32]) -> bool {
    let first = tasks[0];
    let mut writes: Vec<u32> = tasks
        .iter()
        .map(|&task| trace.writes()[task as usize])
        .collect();
    writes.sort_unstable();
    let needs = |&task: &u32| {
        trace
            .task(task)
            .producers()
            .any(|producer| producer >= first)
    };
    writes.windows(2).all(|pair| pair[0] != pair[1]) && !tasks.iter().any(needs)
}

/// A row: neighbouring tasks that compute one word.
#[derive(Clone, Copy)]
struct Row {
    first: u32,
    end: u32,
}

impl Row {
    fn length(&self) -> u32 {
        self.end - self.first
    }
}

/// Sorts rows, none of which needs another, by their lengths: rows of one word each, with a chain
/// of tasks of a statement.
fn sorted_rows(trace: &Trace, statement: u16) -> Option<Trace> {
    if !trace.grains().is_empty() {
        return None;
    }
    let mut rows = rows(trace);
    let mut is_changed = false;
    let mut first = 0;
    while first < rows.len() {
        let begin = rows[first].first;
        let end = (first + 1..rows.len()).find(|&row| needs(trace, rows[row], begin));
        let end = end.unwrap_or(rows.len());
        let phase = &mut rows[first..end];
        let is_chain =
            |row: &Row| row.length() > 1 && trace.statements()[row.end as usize - 1] == statement;
        if phase.iter().any(is_chain) && are_apart(trace, phase) {
            is_changed |= !phase.is_sorted_by_key(Row::length);
            phase.sort_by_key(Row::length);
        }
        first = end;
    }
    if !is_changed {
        return None;
    }
    let recorded = record(trace.kernel().clone(), MOST_TASKS, |recorder| {
        let mut copier = Copier {
            trace,
            recorder,
            indices: Vec::new(),
        };
        for task in rows.iter().flat_map(|row| row.first..row.end) {
            copier.copy(&trace.task(task), &|_, index| Some(index));
        }
    });
    recorded.ok()
}

/// Finds the rows of a trace.
fn rows(trace: &Trace) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    let mut last = None;
    for task in 0..trace.tasks() as u32 {
        let word = trace.written(task);
        match rows.last_mut() {
            Some(row) if last == Some(word) => row.end = task + 1,
            _ => rows.push(Row {
                first: task,
                end: task + 1,
            }),
        }
        last = Some(word);
    }
    rows
}

/// Returns whether a row needs what a task from `begin` on, before the row, has computed.
fn needs(trace: &Trace, row: Row, begin: u32) -> bool {
    let needs = |task: u32| {
        trace
            .task(task)
            .producers()
            .any(|producer| (begin..row.first).contains(&producer))
    };
    (row.first..row.end).any(needs)
}

/// Returns whether rows write words of their own, which none of the others reads.
fn are_apart(trace: &Trace, rows: &[Row]) -> bool {
    let mut words: Vec<_> = rows.iter().map(|row| trace.written(row.first)).collect();
    words.sort_unstable();
    let are_different = words.windows(2).all(|pair| pair[0] != pair[1]);
    let reads_another = |row: &Row| {
        let own = trace.written(row.first);
        (row.first..row.end).any(|task| {
            let task = trace.task(task);
            (0..task.operands.len()).any(|operand| {
                let read = trace.read(&task, operand);
                read != own && words.binary_search(&read).is_ok()
            })
        })
    };
    are_different && !rows.iter().any(reads_another)
}

/// Replaces each chain of a statement that accumulates into one word by the tree that `#[reduce]`
/// makes of such a loop.
fn reduced(trace: &Trace, statement: u16) -> Option<Trace> {
    let own = trace.kernel().statement(statement);
    if own.form != Form::Compound || own.operands.first() != Some(&own.target) {
        return None;
    }
    // Choices name operands by their places, which the tree's statements have elsewhere.
    if !trace.grains().is_empty() || !own.operations.choices.is_empty() {
        return None;
    }
    let (kernel, tree) = with_tree(trace.kernel(), statement);
    let recorded = record(kernel, MOST_TASKS, |recorder| {
        let mut copier = Copier {
            trace,
            recorder,
            indices: Vec::new(),
        };
        let mut next = 0;
        while next < trace.tasks() {
            let length = chain(trace, statement, next);
            if length > 1 {
                tree.record(&mut copier, next as u32, length);
                next += length;
            } else {
                copier.copy(&trace.task(next as u32), &|_, index| Some(index));
                next += 1;
            }
        }
    });
    recorded.ok()
}

/// Returns how many neighbouring tasks from one on accumulate into its word by a statement.
pub(crate) fn chain(trace: &Trace, statement: u16, first: usize) -> usize {
    let word = trace.writes()[first];
    let of_chain =
        |&task: &usize| trace.statements()[task] == statement && trace.writes()[task] == word;
    let length = (first..trace.tasks()).take_while(of_chain).count();
    // The word is its first operand, and no other: each reads the one before.
    let reads_before = |task: usize| {
        let operands = trace.task(task as u32).operands;
        operands.first() == Some(&(task as u32 - 1)) && !operands[1..].contains(&(task as u32 - 1))
    };
    1 + (first + 1..first + length)
        .take_while(|&task| reads_before(task))
        .count()
}

/// The statements of a tree.
struct Tree {
    /// `partials[block] = value`.
    begin: u16,
    /// `partials[block] op= value`.
    accumulate: u16,
    /// `partials[left] op= partials[right]`.
    combine: u16,
    /// `word op= partials[0]`.
    end: u16,
}

/// Adds the array and the statements of a tree to a kernel.
fn with_tree(kernel: &Kernel, statement: u16) -> (Kernel, Tree) {
    let mut kernel = kernel.clone();
    let own = kernel.statement(statement).clone();
    let target = kernel.array(own.target).clone();
    let partials = kernel.arrays.len() as u16;
    kernel.arrays.push(Array {
        name: "partials".into(),
        role: Role::Local,
        length: Some(MOST_BLOCKS as u32),
        ..target
    });
    // The value alone has the operations but that of the accumulation, which is told to be an
    // addition if there is one.
    let accumulates = match own.operations.additions {
        0 => Operations {
            multiplications: 1,
            ..Operations::default()
        },
        _ => Operations {
            additions: 1,
            ..Operations::default()
        },
    };
    let value = Operations {
        additions: own.operations.additions - accumulates.additions,
        multiplications: own
            .operations
            .multiplications
            .saturating_sub(accumulates.multiplications),
        ..own.operations.clone()
    };
    let operands = own.operands[1..].to_vec();
    let with_partials = [&[partials][..], &operands].concat();
    let mut add =
        |target: u16, operands: Vec<u16>, form: Form, operations: Operations, is_value: bool| {
            kernel.statements.push(Statement {
                target,
                operands,
                form,
                operations,
                control: if is_value {
                    own.control.clone()
                } else {
                    Vec::new()
                },
                ..own.clone()
            });
            (kernel.statements.len() - 1) as u16
        };
    let form = if value == Operations::default() {
        Form::Move
    } else {
        Form::Value
    };
    let tree = Tree {
        begin: add(partials, operands, form, value, true),
        accumulate: add(
            partials,
            with_partials,
            Form::Compound,
            own.operations.clone(),
            true,
        ),
        combine: add(
            partials,
            vec![partials; 2],
            Form::Compound,
            accumulates.clone(),
            false,
        ),
        end: add(
            own.target,
            vec![own.target, partials],
            Form::Compound,
            accumulates,
            false,
        ),
    };
    (kernel, tree)
}

impl Tree {
    /// Records a tree in place of a chain of so many tasks from the first on.
    fn record(&self, copier: &mut Copier<'_, '_>, first: u32, length: usize) {
        let trace = copier.trace;
        let mut block = SHORTEST_BLOCK;
        while (length - 1) / MOST_BLOCKS >= block {
            block *= 2;
        }
        let blocks = length.div_ceil(block);
        for operand in 0..length {
            let task = trace.task(first + operand as u32);
            let at = operand / block;
            let is_first = operand % block == 0;
            copier.indices.clear();
            if !is_first {
                copier.indices.push(at);
            }
            for operand in 1..task.operands.len() {
                copier
                    .indices
                    .push(trace.read(&task, operand).index as usize);
            }
            task.control
                .iter()
                .for_each(|&value| copier.recorder.control(value));
            let statement = if is_first {
                self.begin
            } else {
                self.accumulate
            };
            copier.recorder.push(statement, at, &copier.indices);
        }
        let mut width = 1;
        while width < blocks {
            for left in (0..blocks - width).step_by(2 * width) {
                copier
                    .recorder
                    .push(self.combine, left, &[left, left + width]);
            }
            width *= 2;
        }
        let word = trace.writes()[first as usize] as usize;
        copier.recorder.push(self.end, word, &[word, 0]);
    }
}
