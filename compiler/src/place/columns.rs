//! Which arrays are kept by columns, and which all processors use where the caller has them.

use superstep_machine::{Memory, Times};
use superstep_tracer::{Address, Trace};

use super::layout::Layout;
use super::messages::Placement;
use super::sharing::shareable;
use super::tasks::Tasks;
use crate::reorder::estimate::{Estimate, bodies, sample};
use crate::{Pass, Passes};

/// Chooses the layout that promises most, found on a sample of lists; gives it, and which arrays processors share in it.
pub fn choose(
    trace: &Trace,
    placement: &Placement,
    memory: Memory,
    times: &Times,
    passes: Passes,
) -> (Layout, Vec<bool>) {
    let given = Tasks::new(trace, Layout::given(trace));
    let shareable = match memory {
        Memory::Shared => shareable(&given, placement),
        Memory::Private => vec![false; trace.extents().len()],
    };
    // What is transposed is not where the caller has it.
    let shared = |layout: &Layout| -> Vec<bool> {
        (0..)
            .zip(&shareable)
            .map(|(array, &shareable)| shareable && !layout.is_transposed(array))
            .collect()
    };
    let moves = |layout: &Layout| {
        let moved = moved(trace, placement, &shared(layout));
        COPIED * (moved * placement.processors()) as f64
            + TRANSPOSED * transposed(trace, placement, layout) as f64
    };
    if !passes.has(Pass::Columns) {
        let layout = given.into_layout();
        let shared = shared(&layout);
        return (layout, shared);
    }
    let sample = sample(placement.lists().map(|(_, _, list)| list));
    let sampled: usize = sample.iter().map(|list| list.len()).sum();
    let as_given = Estimate::orders(&given, &sample, times, passes);
    let least = |estimates: &[Estimate]| {
        let costs = estimates.iter().map(|estimate| estimate.cost);
        costs.fold(f64::INFINITY, f64::min)
    };
    let cost = least(&as_given);
    // Of all tasks, if the sample is a fair one.
    let share = placement.instances() as f64 / sampled.max(1) as f64;
    let layout = given.into_layout();
    let mut best = (cost * share + moves(&layout), layout);
    let mut tried = Vec::new();
    for estimate in &as_given {
        let columns = Layout::for_columns(trace, &bodies(&estimate.shapes), &estimate.code);
        let Some(columns) = columns.filter(|columns| !tried.contains(columns)) else {
            continue;
        };
        tried.push(columns.clone());
        let tasks = Tasks::new(trace, columns);
        let cost = least(&Estimate::orders(&tasks, &sample, times, passes));
        let cost = cost * share + moves(tasks.layout());
        if cost < best.0 {
            best = (cost, tasks.into_layout());
        }
    }
    let shared = shared(&best.1);
    (best.1, shared)
}

/// Words that are scattered, sent and gathered.
fn moved(trace: &Trace, placement: &Placement, shared: &[bool]) -> usize {
    let is_private = |address: &Address| !shared[usize::from(address.array)];
    let words = |processor| {
        results(trace, placement, processor)
            .chain(placement.inputs(processor).iter().copied())
            .filter(is_private)
            .count()
    };
    let sent = placement
        .sends()
        .iter()
        .filter(|send| is_private(&trace.written(send.task)));
    sent.count() + (0..placement.processors()).map(words).sum::<usize>()
}

/// The words that are gathered from a processor.
fn results(
    trace: &Trace,
    placement: &Placement,
    processor: usize,
) -> impl Iterator<Item = Address> {
    let tasks = placement.results(processor).iter();
    tasks.map(|&task| trace.written(task))
}

/// Words that are transposed as they come in and go out.
fn transposed(trace: &Trace, placement: &Placement, layout: &Layout) -> usize {
    let words = |processor| {
        let inputs = placement.inputs(processor).iter().copied();
        let words = inputs.chain(results(trace, placement, processor));
        words
            .filter(|address| layout.is_transposed(address.array))
            .count()
    };
    (0..placement.processors()).map(words).sum()
}

/// Time to copy a word, in nanoseconds. Inputs and results are copied by one processor while the
/// others wait.
const COPIED: f64 = 0.6;

/// Time that transposing a word takes beyond copying it, in nanoseconds.
const TRANSPOSED: f64 = 1.5;
