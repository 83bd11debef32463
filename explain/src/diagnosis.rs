//! Which changes come into question: by the strides of a program's loops, by chains of its trace, and
//! by what was asked for.

use superstep_compiler::{Compiled, Passes, Request};
use superstep_machine::Memory;
use superstep_scheduler::{Algorithm, Effort};
use superstep_tracer::{Form, Trace};

use crate::Subject;
use crate::change::{Change, chain};

/// The shortest chain of which a tree is tried: shorter ones are a block or two.
const LONG: usize = 32;

/// Part of the tasks below which a statement's loops are left as they are: mending all of them would
/// gain less than is told.
const LARGE: f64 = 0.03;

/// Bytes of rows that a power of two divides, from which on rows fall on few sets of a cache.
const SETS: u64 = 1 << 10;

/// Words that are added to such rows: a cache line of doubles.
const PADDING: u32 = 8;

/// Words up to which an array is one that processors share line by line: a few for each.
const FEW_WORDS: u32 = 4096;

/// Tasks up to which schedulers are given more effort.
const FEW_TASKS: usize = 1 << 20;

/// Returns the changes that may gain, those that gain most often first. `base`: the program;
/// `alone`: that for one processor.
pub(crate) fn changes(subject: &Subject<'_>, base: &Compiled, alone: &Compiled) -> Vec<Change> {
    let Subject {
        trace,
        options,
        request,
    } = *subject;
    let mut changes = Vec::new();
    if options.algorithm != Algorithm::Auto || request.algorithm.is_some() {
        changes.push(Change::AnyAlgorithm);
    }
    if options.passes != Passes::ALL {
        changes.push(Change::AllPasses);
    }
    changes.extend(reductions(trace));
    changes.extend(strides(trace, base, alone));
    changes.extend(shared_lines(trace, base));
    if !trace.grains().is_empty() {
        changes.push(Change::NoGrains);
    }
    if request.processors > 1 {
        changes.extend(fewer(request, base, alone));
        changes.push(Change::Memory(match request.memory {
            Memory::Shared => Memory::Private,
            Memory::Private => Memory::Shared,
        }));
        if options.effort == Effort::Fast && trace.tasks() <= FEW_TASKS {
            changes.push(Change::Effort(Effort::Balanced));
        }
    }
    changes
}

/// Returns fewer processors, where one is predicted to be faster or half of them may be.
fn fewer(request: Request, base: &Compiled, alone: &Compiled) -> Vec<Change> {
    let half = request.processors / 2;
    let efficiency = base
        .report
        .times
        .as_ref()
        .map_or(1.0, |times| times.predicted.efficiency());
    let mut fewer = Vec::new();
    if alone.report.predicted() < base.report.predicted() {
        fewer.push(Change::Processors(1));
    }
    if half > 1 && efficiency < 0.5 {
        fewer.push(Change::Processors(half));
    }
    fewer
}

/// Returns the statements that accumulate into one word in long chains.
fn reductions(trace: &Trace) -> Vec<Change> {
    let kernel = trace.kernel();
    let mut chained = vec![0; kernel.statements.len()];
    let mut next = 0;
    while next < trace.tasks() {
        let statement = trace.statements()[next];
        let own = kernel.statement(statement);
        let accumulates = own.form == Form::Compound && own.operands.first() == Some(&own.target);
        let length = if accumulates {
            chain(trace, statement, next)
        } else {
            1
        };
        if length >= LONG {
            chained[usize::from(statement)] += length;
        }
        next += length;
    }
    let is_large = |&(_, &tasks): &(u16, &usize)| tasks as f64 >= LARGE * trace.tasks() as f64;
    let large = (0..)
        .zip(&chained)
        .filter(|(_, tasks)| **tasks > 0)
        .filter(is_large);
    large
        .map(|(statement, _)| Change::Reduce(statement))
        .collect()
}

/// Strides of an access in a program's loops: tasks by words from one iteration to the next.
#[derive(Clone, Debug, Default)]
struct Strides {
    array: u16,
    statement: u16,
    is_write: bool,
    /// Stride and tasks, the strides that most have first.
    tasks: Vec<(i64, u64)>,
}

/// Returns what would have loops go through memory word by word.
fn strides(trace: &Trace, base: &Compiled, alone: &Compiled) -> Vec<Change> {
    let mut changes = Vec::new();
    for found in [alone, base]
        .into_iter()
        .flat_map(|compiled| found_strides(trace, compiled))
    {
        let Some(&(stride, tasks)) = found.tasks.first() else {
            continue;
        };
        let width = stride.unsigned_abs();
        let is_far = width > 1 && width < u64::from(u32::MAX);
        if !is_far || (tasks as f64) < LARGE * trace.tasks() as f64 {
            continue;
        }
        let (array, width) = (found.array, width as u32);
        if found.is_write {
            changes.push(Change::Interchange(found.statement));
        }
        changes.push(Change::Transpose { array, width });
        let bytes = u64::from(width) * trace.kernel().array(array).element.bytes as u64;
        if bytes >= SETS && bytes.is_power_of_two() {
            changes.push(Change::Pad {
                array,
                width,
                words: PADDING,
            });
        }
    }
    let mut different: Vec<Change> = Vec::new();
    for change in changes {
        if !different.contains(&change) {
            different.push(change);
        }
    }
    different
}

/// Finds the strides of each access of each statement.
fn found_strides(trace: &Trace, compiled: &Compiled) -> Vec<Strides> {
    let kernel = trace.kernel();
    let mut found: Vec<Vec<Strides>> = Vec::new();
    for (at, statement) in (0..).zip(&kernel.statements) {
        let arrays = std::iter::once((statement.target, true))
            .chain(statement.operands.iter().map(|&array| (array, false)));
        found.push(
            arrays
                .map(|(array, is_write)| Strides {
                    array,
                    statement: at,
                    is_write,
                    tasks: Vec::new(),
                })
                .collect(),
        );
    }
    let plan = compiled.program.plan();
    for code in &plan.code {
        code.walk(&plan.bodies, &mut |number, run| {
            if run.count() < 2 {
                return;
            }
            let body = &plan.bodies[number];
            let mut component = 0;
            for &statement in body.statements() {
                let statement = usize::from(statement);
                for access in &mut found[statement] {
                    let stride = body.step(component, run);
                    let count = run.count() as u64;
                    match access.tasks.iter_mut().find(|known| known.0 == stride) {
                        Some(known) => known.1 += count,
                        None => access.tasks.push((stride, count)),
                    }
                    component += 1;
                }
                component += kernel.statements[statement].control.len();
            }
        });
    }
    let mut all: Vec<Strides> = found.into_iter().flatten().collect();
    for access in &mut all {
        access
            .tasks
            .sort_by_key(|&(_, tasks)| std::cmp::Reverse(tasks));
    }
    all
}

/// Returns small arrays that several processors write.
fn shared_lines(trace: &Trace, base: &Compiled) -> Vec<Change> {
    let kernel = trace.kernel();
    let plan = base.program.plan();
    let arrays = kernel.arrays.len();
    let mut writers = vec![0_u64; arrays];
    for (at, code) in plan.code.iter().enumerate() {
        let processor = at % plan.processors.max(1) as usize;
        code.walk(&plan.bodies, &mut |number, _| {
            for &statement in plan.bodies[number].statements() {
                let target = usize::from(kernel.statement(statement).target);
                writers[target] |= 1 << (processor % 64);
            }
        });
    }
    let is_few = |array: usize| (2..=FEW_WORDS).contains(&trace.extents()[array]);
    let is_shared = |array: usize| plan.shared.get(array).is_some_and(|&shared| shared);
    (0..arrays)
        .filter(|&array| writers[array].count_ones() > 1 && is_few(array) && is_shared(array))
        .map(|array| Change::Spread(array as u16))
        .collect()
}
