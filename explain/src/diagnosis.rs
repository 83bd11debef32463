//! Which changes come into question: by the strides of a program's loops, by chains of its trace,
//! and by what was asked for.

use superstep_compiler::{Compiled, Passes, Request};
use superstep_machine::Memory;
use superstep_scheduler::{Algorithm, Effort};
use superstep_tracer::{Form, Trace};

use crate::Subject;
use crate::change::{Change, chain};

/// Tasks of the shortest chain of which a tree is tried: `#[reduce]` has blocks of 8 operands at
/// least, so shorter ones would keep two processors busy with two blocks each at most.
const LONG: usize = 32;

/// Part of the tasks below which a statement's loops are left as they are: mending all of them
/// would gain less than is told.
const LARGE: f64 = 0.03;

/// Tasks up to which schedulers are given more effort, which takes 2 us for each edge
/// (`scheduler::Effort`): some seconds for so many tasks. An estimate of patience.
const FEW_TASKS: usize = 1 << 20;

/// Returns the changes that may gain, those that gain most often first. `base`: the program;
/// `alone`: that for one processor.
pub(crate) fn changes(subject: &Subject<'_>, base: &Compiled, alone: &Compiled) -> Vec<Change> {
    let Subject {
        trace,
        options,
        request,
        cores,
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
    changes.extend(uneven_rows(trace));
    if !trace.grains().is_empty() {
        changes.push(Change::NoGrains);
    }
    let more = (2 * request.processors).min(cores);
    if more > request.processors {
        changes.push(Change::Processors(more));
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

/// Returns the statements that compute words in chains of different lengths.
fn uneven_rows(trace: &Trace) -> Vec<Change> {
    let kernel = trace.kernel();
    let mut tasks = vec![0; kernel.statements.len()];
    let mut lengths = vec![None; kernel.statements.len()];
    let mut are_uneven = vec![false; kernel.statements.len()];
    let mut next = 0;
    while next < trace.tasks() {
        let statement = usize::from(trace.statements()[next]);
        let own = &kernel.statements[statement];
        let accumulates = own.form == Form::Compound && own.operands.first() == Some(&own.target);
        let length = if accumulates {
            chain(trace, statement as u16, next)
        } else {
            1
        };
        if length > 1 {
            tasks[statement] += length;
            let known = lengths[statement].replace(length);
            are_uneven[statement] |= known.is_some_and(|known| known != length);
        }
        next += length;
    }
    let is_large = |at: usize| tasks[at] as f64 >= LARGE * trace.tasks() as f64;
    let uneven = (0..kernel.statements.len()).filter(|&at| are_uneven[at] && is_large(at));
    uneven.map(|at| Change::SortRows(at as u16)).collect()
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
