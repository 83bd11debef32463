//! All lists of a program, folded: in trace order first, then in the order that is best.

use superstep_machine::Times;
use superstep_plan::Code;
use superstep_tracer::{Address, Trace};

use crate::fold::{Shapes, fold};
use crate::place::layout::Layout;
use crate::place::messages::Placement;
use crate::place::sharing::shareable;
use crate::place::storage::Storage;
use crate::place::tasks::Tasks;
use crate::predict::costs;
use crate::program::Arguments;
use crate::reorder::estimate::{Estimate, Instances, bodies, sample};
use crate::reorder::orders::Orders;

/// The lists of all supersteps and processors in the order found best, where their values live, and the loops that they fold into.
pub(crate) struct Folded<'a> {
    /// Per array: whether all processors use it where the caller has it.
    pub(crate) shared: Vec<bool>,
    pub(crate) tasks: Tasks<'a>,
    times: &'a Times,
    pub(crate) placement: Placement,
    pub(crate) storage: Storage,
    pub(crate) shapes: Shapes,
    /// `[superstep * processors + processor]`.
    pub(crate) code: Vec<Code>,
}

impl<'a> Folded<'a> {
    /// Folds the lists in the order that they have; then those again that another order makes cheaper.
    pub(crate) fn new(
        tasks: Tasks<'a>,
        placement: Placement,
        shared: Vec<bool>,
        times: &'a Times,
    ) -> Self {
        let storage = Storage::new(&tasks, &placement, &shared);
        let mut folded = Self {
            shared,
            tasks,
            times,
            placement,
            storage,
            shapes: Shapes::default(),
            code: Vec::new(),
        };
        let lists = 0..folded.placement.lists().count();
        folded.code = lists.map(|at| folded.fold(at)).collect();
        let changed = folded.improve_order();
        if !changed.is_empty() {
            let before = folded.costs(&changed);
            folded.update(&changed);
            let worse = folded.revert(&before, &changed);
            if !worse.is_empty() {
                folded.update(&worse);
            }
        }
        folded
    }

    /// The list of that number, folded with its values where they live.
    fn fold(&mut self, at: usize) -> Code {
        let processor = at % self.placement.processors();
        let mut rows = Instances {
            tasks: &self.tasks,
            storage: Some((&self.storage, processor)),
            list: self.placement.list(at),
        };
        fold(&mut rows, &mut self.shapes).into_code(&self.shapes)
    }

    /// Finds storage again after the order of the `changed` lists did change, and folds what that affects.
    fn update(&mut self, changed: &[usize]) {
        let old = std::mem::replace(
            &mut self.storage,
            Storage::new(&self.tasks, &self.placement, &self.shared),
        );
        let agrees: Vec<bool> = (0..self.placement.processors())
            .map(|processor| self.storage.agrees(&old, processor))
            .collect();
        for at in 0..self.code.len() {
            if !agrees[at % agrees.len()] || changed.binary_search(&at).is_ok() {
                self.code[at] = self.fold(at);
            }
        }
    }

    /// Gives lists the order that is best with all values at home. Returns the numbers of those that had another, ascending.
    fn improve_order(&mut self) -> Vec<usize> {
        let mut changed: Vec<usize> = (0..self.code.len()).collect();
        let costs = self.costs(&changed);
        let mut orders = Orders::new(
            &self.tasks,
            self.times,
            &self.shared,
            sample(&self.placement),
        );
        let bodies = bodies(&self.shapes);
        changed.retain(|&at| {
            let best = orders.best(self.placement.list(at), &bodies, &self.code[at], costs[at]);
            if let Some(best) = &best {
                self.placement.list_mut(at).copy_from_slice(best);
            }
            best.is_some()
        });
        changed
    }

    /// Puts those of the `changed` lists back into trace order that cost no less than before. Returns their numbers, ascending.
    fn revert(&mut self, before: &[f64], changed: &[usize]) -> Vec<usize> {
        let costs = self.costs(changed).into_iter().zip(before);
        let worse = changed
            .iter()
            .zip(costs)
            .filter(|(_, (after, before))| after >= before);
        let worse: Vec<usize> = worse.map(|(at, _)| *at).collect();
        worse
            .iter()
            .for_each(|&at| self.placement.list_mut(at).sort_unstable());
        worse
    }

    fn costs(&self, lists: &[usize]) -> Vec<f64> {
        let code = lists.iter().map(|&at| self.code[at].clone()).collect();
        costs(&self.tasks, &self.shapes, code, self.times)
    }
}

/// The layout that promises most, found on a sample of lists; and which arrays processors share in it.
pub(crate) fn choose_layout(
    trace: &Trace,
    placement: &Placement,
    arguments: Arguments,
    times: &Times,
) -> (Layout, Vec<bool>) {
    let given = Tasks::new(trace, Layout::given(trace));
    let shareable = match arguments {
        Arguments::Shared => shareable(&given, placement),
        Arguments::Private => vec![false; trace.extents().len()],
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
            + TRANSPOSED * transposed(placement, layout) as f64
    };
    let sample = sample(placement);
    let sampled: usize = sample.iter().map(|list| list.len()).sum();
    let as_given = Estimate::orders(&given, &sample, times);
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
        let cost = least(&Estimate::orders(&tasks, &sample, times));
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
        let results = placement
            .results(processor)
            .iter()
            .map(|(address, _)| address);
        results
            .chain(placement.inputs(processor))
            .filter(|address| is_private(address))
            .count()
    };
    let sent = placement
        .sends()
        .iter()
        .filter(|send| is_private(&trace.written(send.task)));
    sent.count() + (0..placement.processors()).map(words).sum::<usize>()
}

/// Words that are transposed as they come in and go out.
fn transposed(placement: &Placement, layout: &Layout) -> usize {
    let words = |processor| {
        let results = placement
            .results(processor)
            .iter()
            .map(|(address, _)| address);
        let words = placement.inputs(processor).iter().chain(results);
        words
            .filter(|address| layout.is_transposed(address.array))
            .count()
    };
    (0..placement.processors()).map(words).sum()
}

/// What it takes to copy a word, in nanoseconds. Inputs and results are copied by one processor while the others wait.
const COPIED: f64 = 0.6;

/// What it takes more to transpose it.
const TRANSPOSED: f64 = 1.5;
