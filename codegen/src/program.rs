//! The program: everything about a parallel run, before it is printed.

use superstep_runtime::plan::{Body, Code, Copies, Message, Plan, Term};
use superstep_tracer::{INPUT, Role, Trace};

use crate::bodies::{Signature, specialise};
use crate::figures::Figures;
use crate::fold::{Rows, Shapes, fold};
use crate::messages::{Placement, Send};
use crate::order::ByDepth;
use crate::print::nests;
use crate::replay::{ReplayError, replay};
use crate::storage::Storage;
use crate::tasks::Tasks;

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
    /// Tasks run in trace order; where that gives short runs, an order by depth is tried. Cost: about 100 ns per task
    /// instance, three times that where another order is tried.
    pub fn new(trace: &Trace, mut placement: Placement) -> Self {
        let tasks = Tasks::new(trace);
        let mut storage = Storage::new(trace, &placement);
        let mut folded = Folded::new(&tasks, &placement, &storage);
        let changed = folded.improve_order(&tasks, &mut placement);
        if !changed.is_empty() {
            let before: Vec<usize> = changed.iter().map(|&at| folded.cost(at)).collect();
            storage = folded.update(&tasks, &placement, &storage, &changed);
            let worse = folded.revert(&before, &changed, &mut placement);
            if !worse.is_empty() {
                storage = folded.update(&tasks, &placement, &storage, &worse);
            }
        }
        let Folded { shapes, mut code } = folded;
        let (bodies, signatures) = specialise(trace.kernel(), &shapes, &mut code);
        let processors = placement.processors();
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

    /// Whether its loops are printed as Rust: few programs have so few that this is better than tables.
    pub fn is_printed(&self) -> bool {
        self.figures.printed
    }

    /// The tables that the generated code needs at run time, encoded.
    pub fn tables(&self) -> Vec<u8> {
        tables(&self.plan, self.is_printed())
    }

    /// What there is to say about it in numbers.
    pub fn figures(&self) -> &Figures {
        &self.figures
    }
}

/// Whether the loops of `plan` are so few that they are printed.
pub(crate) fn is_printed(plan: &Plan) -> bool {
    /// Runs, over all supersteps and processors.
    const FEW: usize = 64;
    let is_run = |term: &&Term| matches!(term, Term::Run { .. });
    let runs = plan
        .code
        .iter()
        .flat_map(|code| &code.terms)
        .filter(is_run)
        .count();
    runs <= FEW && plan.code.iter().all(nests::is_printable)
}

/// The encoded plan, without its code if that is printed.
pub(crate) fn tables(plan: &Plan, printed: bool) -> Vec<u8> {
    if !printed {
        return plan.encode();
    }
    Plan {
        code: vec![Code::default(); plan.code.len()],
        bodies: Vec::new(),
        ..plan.clone()
    }
    .encode()
}

/// The lists of all supersteps and processors, folded.
struct Folded {
    shapes: Shapes,
    /// `[superstep * processors + processor]`.
    code: Vec<Code>,
}

impl Folded {
    fn new(tasks: &Tasks<'_>, placement: &Placement, storage: &Storage) -> Self {
        let mut shapes = Shapes::default();
        let code = placement.lists().map(|(_, processor, list)| {
            let storage = Some((storage, processor));
            fold(
                &mut Instances {
                    tasks,
                    storage,
                    list,
                },
                &mut shapes,
            )
            .into_code(&shapes)
        });
        Self {
            code: code.collect(),
            shapes,
        }
    }

    /// Finds storage again after the order of the `changed` lists did change, and folds what that affects.
    fn update(
        &mut self,
        tasks: &Tasks<'_>,
        placement: &Placement,
        old: &Storage,
        changed: &[usize],
    ) -> Storage {
        let new = Storage::new(tasks.trace(), placement);
        let agrees: Vec<bool> = (0..placement.processors())
            .map(|processor| new.agrees(old, processor))
            .collect();
        for (at, (_, processor, list)) in placement.lists().enumerate() {
            if !agrees[processor] || changed.binary_search(&at).is_ok() {
                let terms = fold(
                    &mut Instances {
                        tasks,
                        storage: Some((&new, processor)),
                        list,
                    },
                    &mut self.shapes,
                );
                self.code[at] = terms.into_code(&self.shapes);
            }
        }
        new
    }

    /// Sorts the lists of `placement` whose runs are short by depth, where that is better with all values at home. Returns their numbers,
    /// ascending.
    fn improve_order(&self, tasks: &Tasks<'_>, placement: &mut Placement) -> Vec<usize> {
        const SHORT_RUN: usize = 16;
        let bodies = bodies(&self.shapes);
        let is_short =
            |at: &usize| runs(&self.code[*at], &bodies) * SHORT_RUN > placement.list(*at).len();
        let short: Vec<usize> = (0..self.code.len()).filter(is_short).collect();
        if short.is_empty() {
            return short;
        }
        let mut by_depth = ByDepth::new(tasks);
        let mut improve = |at: &usize| {
            let list = placement.list_mut(*at);
            let mut best = cost(&self.code[*at], &bodies);
            let mut better = false;
            for sorted in by_depth.sort(list) {
                let mut shapes = Shapes::default();
                let terms = fold(
                    &mut Instances {
                        tasks,
                        storage: None,
                        list: &sorted,
                    },
                    &mut shapes,
                );
                let cost = cost(&terms.into_code(&shapes), &self::bodies(&shapes));
                if cost < best {
                    (best, better) = (cost, true);
                    list.copy_from_slice(&sorted);
                }
            }
            better
        };
        short.into_iter().filter(|at| improve(at)).collect()
    }

    /// Puts those of the `changed` lists back into trace order that cost no less than before. Returns their numbers, ascending.
    fn revert(&self, before: &[usize], changed: &[usize], placement: &mut Placement) -> Vec<usize> {
        let worse = |(at, before): &(&usize, &usize)| self.cost(**at) >= **before;
        let worse: Vec<usize> = changed
            .iter()
            .zip(before)
            .filter(worse)
            .map(|(at, _)| *at)
            .collect();
        worse
            .iter()
            .for_each(|&at| placement.list_mut(at).sort_unstable());
        worse
    }

    fn cost(&self, at: usize) -> usize {
        cost(&self.code[at], &bodies(&self.shapes))
    }
}

/// The bodies of code that was folded with these shapes.
fn bodies(shapes: &Shapes) -> Vec<Body> {
    let body = |(statements, components): (&[u16], u32)| Body {
        statements: statements.to_vec(),
        components,
    };
    shapes.bodies().map(body).collect()
}

/// Runs that `code` executes.
fn runs(code: &Code, bodies: &[Body]) -> usize {
    let mut runs = 0;
    code.walk(bodies, &mut |_, _| runs += 1);
    runs
}

/// What code costs, roughly in tenths of nanoseconds: starting runs, iterations (a stride costs a cache line), and reading tables.
fn cost(code: &Code, bodies: &[Body]) -> usize {
    let values = code.values.iter().filter(|value| **value != 0).count();
    let mut cost = 10 * code.terms.len() + 20 * values;
    code.walk(bodies, &mut |body, run| {
        let statements = bodies[body].statements.len();
        let strides = run.step().iter().any(|step| !(0..=1).contains(step));
        cost += 100
            + run.count()
                * if strides {
                    15 + 5 * statements
                } else {
                    3 * statements
                };
    });
    cost
}

/// Words that the caller's arguments must have.
fn extents(trace: &Trace) -> Vec<u32> {
    let local = |array: usize| trace.kernel().arrays[array].role == Role::Local;
    let extents = trace.extents().iter().enumerate();
    extents
        .map(|(array, &extent)| if local(array) { 0 } else { extent })
        .collect()
}

/// The instances of one (superstep, processor) as rows to fold: written slot, operands' slots, control values.
struct Instances<'a> {
    tasks: &'a Tasks<'a>,
    /// The slots of a processor's values; `None`: at home.
    storage: Option<(&'a Storage, usize)>,
    list: &'a [u32],
}

impl Instances<'_> {
    #[inline]
    fn slot(&self, value: u32) -> i64 {
        i64::from(match self.storage {
            Some((storage, processor)) if value & INPUT == 0 => {
                storage.slot(self.tasks.trace(), processor, value)
            }
            _ => self.tasks.home(value),
        })
    }
}

impl Rows for Instances<'_> {
    fn len(&self) -> usize {
        self.list.len()
    }

    fn width(&self) -> usize {
        let statements = 0..self.tasks.trace().kernel().statements.len() as u16;
        statements.map(|s| self.components(s)).max().unwrap_or(0)
    }

    fn components(&self, statement: u16) -> usize {
        let statement = self.tasks.trace().kernel().statement(statement);
        1 + statement.operands.len() + statement.control.len()
    }

    fn read(&mut self, at: usize, row: &mut [i64]) -> u16 {
        let task = self.list[at];
        let operands = self.tasks.operands(task);
        row[0] = self.slot(task);
        for (component, &value) in row[1..].iter_mut().zip(operands) {
            *component = self.slot(value);
        }
        let control = self.tasks.control(task);
        row[1 + operands.len()..][..control.len()].copy_from_slice(control);
        self.tasks.statement(task)
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

/// The messages. The words of one are in the order of their addresses or of their tasks, whichever makes fewer copies: rows or columns.
fn messages(trace: &Trace, placement: &Placement, storage: &Storage) -> Vec<Message> {
    let same = |a: &Send, b: &Send| (a.superstep, a.from, a.to) == (b.superstep, b.from, b.to);
    let word = |send: &Send| Word {
        array: trace.written(send.task).array,
        from: storage.slot(trace, send.from as usize, send.task),
        to: storage.slot(trace, send.to as usize, send.task),
    };
    let packet = |sends: &[Send]| {
        let mut by_task = sends.to_vec();
        by_task.sort_unstable_by_key(|send| send.task);
        let (by_address, by_task) = (
            copies(sends.iter().map(word)),
            copies(by_task.iter().map(word)),
        );
        let Send {
            superstep,
            from,
            to,
            ..
        } = sends[0];
        let copies = if by_task.len() < by_address.len() {
            by_task
        } else {
            by_address
        };
        Message {
            superstep,
            from,
            to,
            copies,
        }
    };
    placement.sends().chunk_by(same).map(packet).collect()
}
