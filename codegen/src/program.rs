//! The program: everything about a parallel run, before it is printed.

use superstep_runtime::plan::{Copies, Message, Plan};
use superstep_tracer::{INPUT, Trace};

use crate::bodies::{Signature, specialise};
use crate::figures::Figures;
use crate::fold::{Rows, Shapes, fold};
use crate::messages::Placement;
use crate::replay::{ReplayError, replay};
use crate::storage::Storage;

/// A program as assembled: which slots, loops and messages, and which tasks they stand for.
///
/// Nothing is taken on trust: only [`check`](Self::check) makes it a [`CheckedProgram`], which can be printed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// The tables.
    pub plan: Plan,
    /// What is known about the runs of each of the plan's bodies.
    pub signatures: Vec<Signature>,
    /// Which tasks each processor runs in each superstep, in the order of the plan's code.
    pub placement: Placement,
    /// Values in overflow slots.
    pub overflowing: usize,
}

/// A program that the [replay](crate::replay) has passed: what can be printed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckedProgram {
    plan: Plan,
    signatures: Vec<Signature>,
    figures: Figures,
}

impl Program {
    /// Assembles the program of `trace` for a placement: finds slots, folds, and packs messages.
    ///
    /// Cost: about 100 ns per task instance.
    pub fn new(trace: &Trace, placement: Placement) -> Self {
        let storage = Storage::new(trace, &placement);
        let processors = placement.processors();
        let mut shapes = Shapes::default();
        let mut code = Vec::new();
        for superstep in 0..placement.supersteps() {
            for processor in 0..processors {
                let tasks = placement.tasks(superstep, processor);
                let terms = fold(
                    &mut Instances {
                        trace,
                        storage: &storage,
                        processor,
                        tasks,
                    },
                    &mut shapes,
                );
                code.push(terms.into_code(&shapes));
            }
        }
        let (bodies, signatures) = specialise(trace.kernel(), &shapes, &mut code);
        let plan = Plan {
            processors: processors as u32,
            supersteps: placement.supersteps() as u32,
            extents: extents(trace),
            lengths: (0..processors)
                .flat_map(|p| storage.lengths(p).to_vec())
                .collect(),
            scatter: (0..processors).map(|p| scatter(&placement, p)).collect(),
            gather: (0..processors)
                .map(|p| gather(trace, &placement, &storage, p))
                .collect(),
            messages: messages(trace, &placement, &storage),
            bodies,
            code,
        };
        Self {
            plan,
            signatures,
            placement,
            overflowing: storage.overflowing(),
        }
    }

    /// Replays the program symbolically.
    ///
    /// # Errors
    /// When the program does not compute what the trace says.
    pub fn check(self, trace: &Trace) -> Result<CheckedProgram, ReplayError> {
        replay(trace, &self)?;
        let figures = Figures::new(&self);
        Ok(CheckedProgram {
            plan: self.plan,
            signatures: self.signatures,
            figures,
        })
    }
}

impl CheckedProgram {
    /// The tables.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// What is known about the runs of each of the plan's bodies.
    pub fn signatures(&self) -> &[Signature] {
        &self.signatures
    }

    /// What there is to say about it in numbers.
    pub fn figures(&self) -> &Figures {
        &self.figures
    }
}

/// Words that the caller's arguments must have.
fn extents(trace: &Trace) -> Vec<u32> {
    let local = |array: usize| trace.kernel().arrays[array].role == superstep_tracer::Role::Local;
    trace
        .extents()
        .iter()
        .enumerate()
        .map(|(array, &extent)| if local(array) { 0 } else { extent })
        .collect()
}

/// The instances of one (superstep, processor) as rows to fold: written slot, operands' slots, control values.
struct Instances<'a> {
    trace: &'a Trace,
    storage: &'a Storage,
    processor: usize,
    tasks: &'a [u32],
}

impl Rows for Instances<'_> {
    fn len(&self) -> usize {
        self.tasks.len()
    }

    fn width(&self) -> usize {
        let statements = 0..self.trace.kernel().statements.len() as u16;
        statements.map(|s| self.components(s)).max().unwrap_or(0)
    }

    fn components(&self, statement: u16) -> usize {
        let statement = self.trace.kernel().statement(statement);
        1 + statement.operands.len() + statement.control.len()
    }

    fn read(&mut self, at: usize, row: &mut [i64]) -> u16 {
        let id = self.tasks[at];
        let task = self.trace.task(id);
        let slot = |value: u32| match value & INPUT {
            0 => self.storage.slot(self.trace, self.processor, value),
            _ => value & !INPUT,
        };
        row[0] = i64::from(slot(id));
        let (operands, control) = row[1..].split_at_mut(task.operands.len());
        for (component, &value) in operands.iter_mut().zip(task.operands) {
            *component = i64::from(slot(value));
        }
        control[..task.control.len()].copy_from_slice(task.control);
        task.statement
    }
}

/// One word to copy.
struct Word {
    array: u16,
    from: u32,
    to: u32,
}

/// Folds words into copies with constant steps, in order.
fn copies(words: impl IntoIterator<Item = Word>) -> Vec<Copies> {
    let mut copies: Vec<Copies> = Vec::new();
    for Word { array, from, to } in words {
        if let Some(last) = copies.last_mut().filter(|last| last.array == array) {
            let end = last.count - 1;
            let from_step = i64::from(from)
                - (i64::from(last.from) + i64::from(end) * i64::from(last.from_step));
            let to_step =
                i64::from(to) - (i64::from(last.to) + i64::from(end) * i64::from(last.to_step));
            let fits = last.count == 1
                || (from_step, to_step) == (last.from_step.into(), last.to_step.into());
            if let (true, Ok(from_step), Ok(to_step)) =
                (fits, i32::try_from(from_step), i32::try_from(to_step))
            {
                *last = Copies {
                    count: last.count + 1,
                    from_step,
                    to_step,
                    ..*last
                };
                continue;
            }
        }
        copies.push(Copies {
            array,
            count: 1,
            from,
            from_step: 0,
            to,
            to_step: 0,
        });
    }
    copies
}

fn scatter(placement: &Placement, processor: usize) -> Vec<Copies> {
    let inputs = placement.inputs(processor).iter();
    copies(inputs.map(|input| Word {
        array: input.array,
        from: input.index,
        to: input.index,
    }))
}

fn gather(
    trace: &Trace,
    placement: &Placement,
    storage: &Storage,
    processor: usize,
) -> Vec<Copies> {
    let results = placement.results(processor).iter();
    copies(results.map(|(address, task)| Word {
        array: address.array,
        from: storage.slot(trace, processor, *task),
        to: address.index,
    }))
}

fn messages(trace: &Trace, placement: &Placement, storage: &Storage) -> Vec<Message> {
    let same = |a: &crate::messages::Send, b: &crate::messages::Send| {
        (a.superstep, a.from, a.to) == (b.superstep, b.from, b.to)
    };
    let packet = |sends: &[crate::messages::Send]| {
        let word = |send: &crate::messages::Send| Word {
            array: trace.written(send.task).array,
            from: storage.slot(trace, send.from as usize, send.task),
            to: storage.slot(trace, send.to as usize, send.task),
        };
        let copies = copies(sends.iter().map(word));
        Message {
            superstep: sends[0].superstep,
            from: sends[0].from,
            to: sends[0].to,
            copies,
        }
    };
    placement.sends().chunk_by(same).map(packet).collect()
}
