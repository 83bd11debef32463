//! Changes that come into question: by chains of the trace, by what the program's loops touch, and
//! by what was asked for.

pub(crate) mod lines;
mod strides;

use superstep_compiler::{Compiled, Passes, Request};
use superstep_machine::Memory;
use superstep_scheduler::Algorithm;
use superstep_tracer::{Form, Kernel, Role, Trace};

use self::lines::{interleaved_chains, scattered_reads};
use self::strides::strides;
use crate::Subject;
use crate::change::{Change, MOST_BLOCKS, chain};

/// Tasks of the shortest chain of which a tree is tried: `#[reduce]` has blocks of 8 operands at
/// least, so shorter ones would keep two processors busy with two blocks each at most.
const LONG: usize = 32;

/// Part of the tasks below which a statement's loops are left as they are: mending all of them
/// would gain less than is told.
const LARGE: f64 = 0.03;

/// Changes that are planned again, at most. A bound of patience: most of the collection's kernels
/// have fewer than ten on two processors, and one had 19.
const MOST: usize = 10;

/// Returns the changes that may gain: those of a build, of loops, of what arrays hold. `base` is
/// the program, `alone` that for one processor.
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
    }
    changes.extend(reductions(trace));
    changes.extend(interleaved_chains(trace, options, base));
    changes.extend(overwritten(trace, base));
    changes.extend(uneven_rows(trace));
    changes.extend(scattered_reads(trace, options));
    changes.extend(strides(trace));
    let mut different: Vec<Change> = Vec::new();
    for change in changes {
        if !different.contains(&change) {
            different.push(change);
        }
    }
    different.truncate(MOST);
    different
}

/// Returns the caller's arrays of which processors keep copies, or more words than there are:
/// values are overwritten that others still need. Of locals there may be as many as there are
/// iterations.
fn overwritten(trace: &Trace, base: &Compiled) -> Vec<Change> {
    let report = &base.report;
    let is_overwritten = |array: u16| {
        let own = report.statements.iter();
        let mut own = own
            .filter(|statement| statement.writes == Some(array))
            .peekable();
        let is_copied = !report.private_memory && !report.arrays[usize::from(array)].shared;
        let is_local = trace.kernel().array(array).role == Role::Local;
        !is_local
            && own.peek().is_some()
            && (is_copied || own.any(|statement| statement.extra_words > 0))
    };
    let arrays = 0..report.arrays.len() as u16;
    arrays
        .filter(|&array| is_overwritten(array))
        .map(Change::Apart)
        .collect()
}

/// Calls `each(statement, tasks)` for each chain of tasks that accumulate into one word, in order.
pub(crate) fn chains(trace: &Trace, mut each: impl FnMut(u16, usize)) {
    let mut next = 0;
    while next < trace.tasks() {
        let statement = trace.statements()[next];
        let own = trace.kernel().statement(statement);
        if own.form == Form::Compound && own.operands.first() == Some(&own.target) {
            let length = chain(trace, statement, next);
            each(statement, length);
            next += length;
        } else {
            next += 1;
        }
    }
}

/// Returns the statements that compute words in chains of different lengths.
fn uneven_rows(trace: &Trace) -> Vec<Change> {
    let statements = trace.kernel().statements.len();
    let mut tasks = vec![0; statements];
    let mut lengths = vec![None; statements];
    let mut are_uneven = vec![false; statements];
    chains(trace, |statement, length| {
        let statement = usize::from(statement);
        if length > 1 {
            tasks[statement] += length;
            let known = lengths[statement].replace(length);
            are_uneven[statement] |= known.is_some_and(|known| known != length);
        }
    });
    let is_large = |at: usize| tasks[at] as f64 >= LARGE * trace.tasks() as f64;
    let uneven = (0..statements).filter(|&at| are_uneven[at] && is_large(at));
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
    chains(trace, |statement, length| {
        if length >= LONG {
            chained[usize::from(statement)] += length;
        }
    });
    let is_large = |&statement: &u16| {
        let tasks = chained[usize::from(statement)];
        tasks > 0 && tasks as f64 >= LARGE * trace.tasks() as f64
    };
    (0..kernel.statements.len() as u16)
        .filter(is_large)
        .filter(|&statement| !is_of_tree(kernel, statement))
        .map(Change::Reduce)
        .collect()
}

/// Returns whether a statement is one that `#[reduce]` has made: it accumulates into an array of
/// the macro's own.
fn is_of_tree(kernel: &Kernel, statement: u16) -> bool {
    let target = kernel.array(kernel.statement(statement).target);
    let is_own = target.role == Role::Local && target.length == Some(MOST_BLOCKS as u32);
    is_own && target.name.starts_with("partials")
}
