//! Choice of the arrays that are kept by columns, and of those that all processors use where the
//! caller has them.
//!
//! Layouts are compared by the cost of a sample of the schedule's lists, folded into loops, and by
//! the words that are copied. A transposed array is never shared.

use superstep_machine::Times;
use superstep_tracer::{Address, Trace};

use super::layout::Layout;
use super::placement::Placement;
use super::tasks::Tasks;
use crate::predict::cache_lines::size;
use crate::predict::crowds::lost_by_column;
use crate::reorder::estimate::{Estimate, Sorts, bodies, different, sample};

/// Parts of the longest lists of a schedule, folded with every array in the caller's order.
pub(crate) struct Sample {
    lists: Vec<Vec<u32>>,
    /// Nanoseconds of all in the best order that is tried.
    cost: f64,
    /// The layouts that the runs of these orders ask for.
    columns: Vec<Layout>,
}

impl Sample {
    /// Folds a [sample] of lists of these `tasks`, which are in the caller's order.
    pub(crate) fn new(
        tasks: &Tasks<'_>,
        lists: Vec<Vec<u32>>,
        times: &Times,
        sorts: Sorts,
    ) -> Self {
        let estimates = Estimate::orders(tasks, &lists, times, sorts);
        let columns = estimates
            .iter()
            .filter_map(|Estimate { shapes, code, .. }| {
                Layout::for_columns(tasks.trace(), &bodies(shapes), code)
            });
        Self {
            columns: different(columns.collect()),
            cost: least(&estimates),
            lists,
        }
    }

    /// Returns the nanoseconds that a task takes.
    pub(crate) fn per_task(&self) -> f64 {
        self.cost / self.tasks().max(1) as f64
    }

    fn tasks(&self) -> usize {
        self.lists.iter().map(Vec::len).sum()
    }
}

/// Returns the cost of the best of some orders.
fn least(estimates: &[Estimate]) -> f64 {
    let costs = estimates.iter().map(|estimate| estimate.cost);
    costs.fold(f64::INFINITY, f64::min)
}

/// Chooses the layout that promises most on a sample of lists, which may be `known`. Returns it,
/// and which of the `shareable` arrays processors share in it. The tasks are `given` in the
/// caller's order.
pub(crate) fn choose(
    given: Tasks<'_>,
    placement: &Placement,
    shareable: &[bool],
    known: Option<Sample>,
    times: &Times,
    sorts: Sorts,
) -> (Layout, Vec<bool>) {
    let trace = given.trace();
    // What is transposed is not where the caller has it.
    let shared = |layout: &Layout| -> Vec<bool> {
        (0..)
            .zip(shareable)
            .map(|(array, &shareable)| shareable && !layout.is_transposed(array))
            .collect()
    };
    let moves = |layout: &Layout| {
        let moved = moved(trace, placement, &shared(layout));
        COPIED * (moved * placement.processors()) as f64
            + transposed(trace, placement, layout, times)
    };
    let lists = sample(placement.lists().map(|(_, _, list)| list));
    let sample = known
        .filter(|known| known.lists == lists)
        .unwrap_or_else(|| Sample::new(&given, lists, times, sorts));
    // Of all tasks, if the sample is a fair one.
    let share = placement.task_instances() as f64 / sample.tasks().max(1) as f64;
    let layout = given.into_layout();
    let mut best = (sample.cost * share + moves(&layout), layout);
    for columns in sample.columns {
        let tasks = Tasks::new(trace, columns);
        let cost = least(&Estimate::orders(&tasks, &sample.lists, times, sorts));
        let cost = cost * share + moves(tasks.layout());
        if cost < best.0 {
            best = (cost, tasks.into_layout());
        }
    }
    let shared = shared(&best.1);
    (best.1, shared)
}

/// Counts the words that are scattered, sent and gathered.
fn moved(trace: &Trace, placement: &Placement, shared: &[bool]) -> usize {
    let is_private = |address: &Address| !shared[usize::from(address.array)];
    let words = |processor| {
        results(trace, placement, processor)
            .chain(placement.inputs(processor).iter().copied())
            .filter(is_private)
            .count()
    };
    let sent = placement
        .transfers()
        .iter()
        .filter(|transfer| is_private(&trace.written(transfer.task)));
    sent.count() + (0..placement.processors()).map(words).sum::<usize>()
}

/// Iterates over the words that are gathered from a processor.
fn results(
    trace: &Trace,
    placement: &Placement,
    processor: usize,
) -> impl Iterator<Item = Address> {
    let tasks = placement.results(processor).iter();
    tasks.map(|&task| trace.written(task))
}

/// Returns the nanoseconds that words take beyond copying them, as they come in and go out
/// transposed. Both go along the caller's rows, so a processor's own columns are written, and read,
/// with a step.
fn transposed(trace: &Trace, placement: &Placement, layout: &Layout, times: &Times) -> f64 {
    let lost = |array: u16| {
        let [width, rows] = layout.shape(array);
        let bytes = size(trace.kernel().array(array));
        lost_by_column(rows as usize * bytes, width as usize, &times.core)
            .map(|words| TRANSPOSED + words * times.word)
    };
    let lost: Vec<[f64; 2]> = (0..trace.extents().len() as u16).map(lost).collect();
    let word = |address: Address, of: usize| match layout.is_transposed(address.array) {
        true => lost[usize::from(address.array)][of],
        false => 0.0,
    };
    let of = |processor| {
        let inputs = placement.inputs(processor).iter();
        let written = inputs.map(|&address| word(address, 1)).sum::<f64>();
        let read = results(trace, placement, processor).map(|address| word(address, 0));
        written + read.sum::<f64>()
    };
    (0..placement.processors()).map(of).sum()
}

/// Time to copy a word, in nanoseconds. Inputs and results are copied by one processor while the
/// others wait.
const COPIED: f64 = 0.6;

/// Time that transposing a word takes beyond copying it, in nanoseconds.
const TRANSPOSED: f64 = 1.5;
