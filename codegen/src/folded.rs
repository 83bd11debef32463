//! All lists of a program, folded: in trace order first, then in the order that is best: by chain, with loops side by side or, where all are
//! dear, by depth.

use superstep_runtime::plan::{Body, Code};
use superstep_tracer::{Address, INPUT, Trace};

use crate::chains::{BLOCKS, ByChain};
use crate::flow::Flow;
use crate::fold::{Rows, Shapes, fold};
use crate::jam::{LOOPS, jam, waiting_loops};
use crate::layout::Layout;
use crate::messages::Placement;
use crate::order::ByDepth;
use crate::prediction::costs;
use crate::program::Arguments;
use crate::sharing::{NOTHING, respects, shareable};
use crate::storage::Storage;
use crate::tasks::Tasks;

/// The lists of all supersteps and processors in the order found best, where their values live, and the loops that they fold into.
pub(crate) struct Folded<'a> {
    /// Per array: whether all processors use it where the caller has it.
    pub(crate) shared: Vec<bool>,
    pub(crate) tasks: Tasks<'a>,
    pub(crate) placement: Placement,
    pub(crate) storage: Storage,
    pub(crate) shapes: Shapes,
    /// `[superstep * processors + processor]`.
    pub(crate) code: Vec<Code>,
}

impl<'a> Folded<'a> {
    /// Folds the lists in the order that they have; then those again that another order makes cheaper.
    pub(crate) fn new(tasks: Tasks<'a>, placement: Placement, shared: Vec<bool>) -> Self {
        let storage = Storage::new(&tasks, &placement, &shared);
        let mut folded = Self {
            shared,
            tasks,
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

    /// Sorts lists by chain or jams their loops, and sorts those that are dear by depth, where that is better with all values at home. Returns their numbers,
    /// ascending.
    fn improve_order(&mut self) -> Vec<usize> {
        let all: Vec<usize> = (0..self.code.len()).collect();
        let costs = self.costs(&all);
        let lengths = self.placement.lists().map(|(_, _, list)| list.len());
        let is_dear: Vec<bool> = lengths
            .zip(&costs)
            .map(|(length, cost)| *cost > FAIR * length as f64)
            .collect();
        let mut by_depth = is_dear
            .contains(&true)
            .then(|| ByDepth::new(&self.tasks, &sample(&self.placement)));
        let by_chain = ByChain::new(&self.tasks);
        let mut flow = Flow::new(self.tasks.trace().tasks());
        let bodies = bodies(&self.shapes);
        let mut changed = all;
        let extents = self.tasks.layout().extents();
        let mut written: Vec<Vec<u32>> = extents
            .map(|extent| vec![NOTHING; extent as usize])
            .collect();
        changed.retain(|&at| {
            let list = self.placement.list(at);
            let mut sorted = Vec::new();
            if let Some(by_chain) = &by_chain {
                sorted.extend(
                    BLOCKS
                        .iter()
                        .filter_map(|&block| by_chain.sort(&mut flow, list, block)),
                );
            }
            let loops = waiting_loops(self.tasks.trace().kernel(), &bodies, &self.code[at]);
            sorted.extend(
                LOOPS
                    .iter()
                    .filter_map(|&most| jam(&self.tasks, &mut flow, list, &loops, most)),
            );
            if let Some(by_depth) = by_depth.as_mut().filter(|_| is_dear[at]) {
                sorted.extend(by_depth.sort(list));
            }
            let mut best = costs[at];
            sorted.retain(|sorted| respects(&self.tasks, &self.shared, sorted, &mut written));
            for sorted in sorted {
                let cost = Estimate::of(&self.tasks, std::slice::from_ref(&sorted)).cost;
                if cost < best {
                    best = cost;
                    self.placement.list_mut(at).copy_from_slice(&sorted);
                }
            }
            best < costs[at]
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
        costs(self.tasks.trace().kernel(), &self.shapes, code)
    }
}

/// The layout that promises most, found on a sample of lists; and which arrays processors share in it.
pub(crate) fn choose_layout(
    trace: &Trace,
    placement: &Placement,
    arguments: Arguments,
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
    let as_given = Estimate::orders(&given, &sample);
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
        let cost = least(&Estimate::orders(&tasks, &sample));
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

/// Parts of the longest lists, spread over each.
fn sample(placement: &Placement) -> Vec<Vec<u32>> {
    const LISTS: usize = 4;
    const PARTS: usize = 8;
    const TASKS: usize = 1 << 12;
    let mut lists: Vec<&[u32]> = placement.lists().map(|(_, _, list)| list).collect();
    lists.sort_by_key(|list| std::cmp::Reverse(list.len()));
    lists.truncate(LISTS);
    let spread = |list: &&[u32]| {
        let parts = list.chunks(list.len().div_ceil(PARTS).max(1));
        parts
            .flat_map(|part| &part[..part.len().min(TASKS)])
            .copied()
            .collect()
    };
    lists.iter().map(spread).collect()
}

/// Some lists folded with all values at home.
struct Estimate {
    shapes: Shapes,
    code: Vec<Code>,
    cost: f64,
}

impl Estimate {
    /// In each of the orders that are tried; only in the order that they have, if that is good.
    fn orders(tasks: &Tasks<'_>, lists: &[Vec<u32>]) -> Vec<Self> {
        let given = Self::of(tasks, lists);
        if given.cost <= GOOD * lists.iter().map(|list| list.len()).sum::<usize>() as f64 {
            return vec![given];
        }
        let mut by_depth = ByDepth::new(tasks, lists);
        let (words, blocks) = lists.iter().map(|list| by_depth.sort(list).into()).unzip();
        let mut orders: Vec<Vec<Vec<u32>>> = vec![words, blocks];
        if let Some(by_chain) = ByChain::new(tasks) {
            let mut flow = Flow::new(tasks.trace().tasks());
            let mut by_chain = |block| {
                lists
                    .iter()
                    .map(|list| by_chain.sort(&mut flow, list, block))
                    .collect()
            };
            orders.extend(
                BLOCKS
                    .iter()
                    .filter_map(|&block| -> Option<Vec<_>> { by_chain(block) }),
            );
        }
        let estimates = orders.iter().map(|lists| Self::of(tasks, lists));
        std::iter::once(given).chain(estimates).collect()
    }

    /// In the order that they have.
    fn of(tasks: &Tasks<'_>, lists: &[Vec<u32>]) -> Self {
        let mut shapes = Shapes::default();
        let mut code = Vec::with_capacity(lists.len());
        for list in lists {
            let mut rows = Instances {
                tasks,
                storage: None,
                list,
            };
            code.push(fold(&mut rows, &mut shapes).into_code(&shapes));
        }
        let costs = costs(tasks.trace().kernel(), &shapes, code.clone());
        let cost = costs.into_iter().sum();
        Self { shapes, code, cost }
    }
}

/// Nanoseconds per task at which no other order is looked for.
const FAIR: f64 = 0.9;

/// The same, at which no other layout is looked for.
const GOOD: f64 = 0.5;

/// What it takes to copy a word, in nanoseconds. Inputs and results are copied by one processor while the others wait.
const COPIED: f64 = 0.6;

/// What it takes more to transpose it.
const TRANSPOSED: f64 = 1.5;

/// The bodies of code that was folded with these shapes.
fn bodies(shapes: &Shapes) -> Vec<Body> {
    let body =
        |(statements, components): (&[u16], u32)| Body::own(statements.to_vec(), components as u16);
    shapes.bodies().map(body).collect()
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
    fn slot(&self, array: u16, value: u32) -> i64 {
        i64::from(match self.storage {
            Some((storage, processor)) if value & INPUT == 0 => {
                storage.slot(self.tasks, processor, value)
            }
            _ => self.tasks.home(array, value),
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
        let number = self.tasks.statement(task);
        let statement = self.tasks.trace().kernel().statement(number);
        row[0] = self.slot(statement.target, task);
        let reads = statement.operands.iter().zip(operands);
        for (component, (&array, &value)) in row[1..].iter_mut().zip(reads) {
            *component = self.slot(array, value);
        }
        let control = self.tasks.control(task);
        row[1 + operands.len()..][..control.len()].copy_from_slice(control);
        number
    }
}
