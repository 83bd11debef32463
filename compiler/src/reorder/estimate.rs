//! Lists folded to see what they cost, and the records that are folded.

use superstep_machine::Times;
use superstep_plan::{Body, Code};

use crate::fold::fold;
use crate::fold::runs::Records;
use crate::fold::shapes::Shapes;
use crate::place::storage::Storage;
use crate::place::tasks::Tasks;
use crate::predict::costs::costs;
use crate::reorder::chains::{ByChain, VERSIONS};
use crate::reorder::depths::ByDepth;
use crate::reorder::flow::Flow;

/// Nanoseconds per task at which no other layout is looked for.
const GOOD: f64 = 0.5;

/// Orders of a sample of lists that are tried.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sorts {
    pub(crate) by_depth: bool,
    pub(crate) by_chain: bool,
}

/// Estimate of some lists, folded with all values at home.
pub(crate) struct Estimate {
    pub(crate) shapes: Shapes,
    pub(crate) code: Vec<Code>,
    /// Nanoseconds that they take.
    pub(crate) cost: f64,
}

impl Estimate {
    /// Estimates each of the orders that are tried; only the order that they have, if that is good.
    pub(crate) fn orders(
        tasks: &Tasks<'_>,
        lists: &[Vec<u32>],
        times: &Times,
        sorts: Sorts,
    ) -> Vec<Self> {
        let given = Self::of(tasks, lists, times);
        if given.cost <= GOOD * lists.iter().map(|list| list.len()).sum::<usize>() as f64 {
            return vec![given];
        }
        let mut orders = vec![lists.to_vec()];
        if sorts.by_depth {
            let mut by_depth = ByDepth::new(tasks, lists);
            let (words, blocks) = lists.iter().map(|list| by_depth.sort(list).into()).unzip();
            orders.extend([words, blocks]);
        }
        if let Some(by_chain) = ByChain::new(tasks).filter(|_| sorts.by_chain) {
            let mut flow = Flow::new(tasks.trace().tasks());
            let mut by_chain = |versions| {
                lists
                    .iter()
                    .map(|list| by_chain.sort(&mut flow, list, versions))
                    .collect()
            };
            orders.extend(
                VERSIONS
                    .iter()
                    .filter_map(|&versions| -> Option<Vec<_>> { by_chain(versions) }),
            );
        }
        let orders = different(orders);
        let others = orders.iter().skip(1);
        let estimates = others.map(|lists| Self::of(tasks, lists, times));
        std::iter::once(given).chain(estimates).collect()
    }

    /// Estimates the order that they have.
    pub(crate) fn of(tasks: &Tasks<'_>, lists: &[impl AsRef<[u32]>], times: &Times) -> Self {
        let (shapes, code) = fold_at_home(tasks, lists);
        let costs = costs(tasks, &shapes, code.clone(), times);
        let cost = costs.into_iter().sum();
        Self { shapes, code, cost }
    }
}

/// Folds lists with all values at home.
pub(crate) fn fold_at_home(tasks: &Tasks<'_>, lists: &[impl AsRef<[u32]>]) -> (Shapes, Vec<Code>) {
    let mut shapes = Shapes::default();
    let mut code = Vec::with_capacity(lists.len());
    for list in lists {
        let mut records = TaskInstances {
            tasks,
            storage: None,
            list: list.as_ref(),
        };
        code.push(fold(&mut records, &mut shapes).into_code(&shapes));
    }
    (shapes, code)
}

/// Returns the orders without those that came before: a quarter of those that are tried for
/// stencils, more than a third for factorisations.
pub(crate) fn different<T: PartialEq>(orders: Vec<T>) -> Vec<T> {
    let mut different: Vec<T> = Vec::with_capacity(orders.len());
    for order in orders {
        if !different.contains(&order) {
            different.push(order);
        }
    }
    different
}

/// Cuts parts out of the longest lists, spread over each.
pub(crate) fn sample<'a>(lists: impl Iterator<Item = &'a [u32]>) -> Vec<Vec<u32>> {
    const LISTS: usize = 4;
    const PARTS: usize = 8;
    const TASKS: usize = 1 << 12;
    let mut lists: Vec<&[u32]> = lists.collect();
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

/// Returns the bodies of code that was folded with these shapes.
pub(crate) fn bodies(shapes: &Shapes) -> Vec<Body> {
    let body =
        |(statements, components): (&[u16], u32)| Body::own(statements.to_vec(), components as u16);
    shapes.bodies().map(body).collect()
}

/// Task instances of one (superstep, processor) as records to fold: written slot, operands' slots,
/// control values.
pub(crate) struct TaskInstances<'a> {
    pub(crate) tasks: &'a Tasks<'a>,
    /// The slots of a processor's values; `None`: at home.
    pub(crate) storage: Option<(&'a Storage, usize)>,
    pub(crate) list: &'a [u32],
}

impl TaskInstances<'_> {
    #[inline]
    fn slot(&self, array: u16, value: u32) -> i64 {
        i64::from(match self.storage {
            Some((storage, processor)) => storage.slot(self.tasks, processor, array, value),
            None => self.tasks.home(array, value),
        })
    }
}

impl Records for TaskInstances<'_> {
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

    fn read(&mut self, at: usize, record: &mut [i64]) -> u16 {
        let task = self.list[at];
        let operands = self.tasks.operands(task);
        let number = self.tasks.statement(task);
        let statement = self.tasks.trace().kernel().statement(number);
        record[0] = self.slot(statement.target, task);
        let reads = statement.operands.iter().zip(operands);
        for (component, (&array, &value)) in record[1..].iter_mut().zip(reads) {
            *component = self.slot(array, value);
        }
        let control = self.tasks.control(task);
        record[1 + operands.len()..][..control.len()].copy_from_slice(control);
        number
    }

    fn readers(&self, statement: u16) -> u64 {
        let statement = self.tasks.trace().kernel().statement(statement);
        let operands = statement.operands.iter().zip(1..u64::BITS);
        let readers = operands.filter(|&(&array, _)| array == statement.target);
        readers.map(|(_, c)| 1 << c).sum()
    }
}
