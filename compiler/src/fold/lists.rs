//! Lists of a program, folded: in trace order first, then in the order that is best.

use superstep_machine::Times;
use superstep_plan::Code;

use crate::fold::fold;
use crate::fold::shapes::Shapes;
use crate::place::placement::Placement;
use crate::place::storage::Storage;
use crate::place::tasks::Tasks;
use crate::predict::costs::costs;
use crate::reorder::estimate::{TaskInstances, bodies, sample};
use crate::reorder::orders::{Orders, Trial};

/// The lists of all supersteps and processors in the order found best, where their values live, and
/// the loops that they fold into.
pub(crate) struct Lists<'a> {
    /// Flags, per array: set if all processors use it where the caller has it.
    pub(crate) shared: Vec<bool>,
    /// Set if processors hold no words that they do not use.
    compact: bool,
    pub(crate) tasks: Tasks<'a>,
    times: &'a Times,
    pub(crate) placement: Placement,
    pub(crate) storage: Storage,
    pub(crate) shapes: Shapes,
    /// `[superstep * processors + processor]`.
    pub(crate) code: Vec<Code>,
}

impl<'a> Lists<'a> {
    /// Places the values of lists that are not folded yet.
    pub(crate) fn new(
        tasks: Tasks<'a>,
        placement: Placement,
        (shared, compact): (Vec<bool>, bool),
        times: &'a Times,
    ) -> Self {
        let storage = Storage::new(&tasks, &placement, &shared, compact);
        Self {
            shared,
            compact,
            tasks,
            times,
            placement,
            storage,
            shapes: Shapes::default(),
            code: Vec::new(),
        }
    }

    /// Folds the lists in the order that they have: that of the trace.
    pub(crate) fn fold_all(&mut self) {
        let all = 0..self.placement.lists().count();
        self.code = all.map(|at| self.fold(at)).collect();
    }

    /// Gives lists another order of those that `try_orders` tries where that makes their loops
    /// cheaper, and folds them again.
    pub(crate) fn reorder(&mut self, try_orders: impl Fn(&mut Trial<'_, '_>)) {
        let changed = self.improve_order(try_orders);
        if !changed.is_empty() {
            let before = self.costs(&changed);
            self.update(&changed);
            let worse = self.revert(&before, &changed);
            if !worse.is_empty() {
                self.update(&worse);
            }
        }
    }

    /// Folds the list of that number, with its values where they live.
    fn fold(&mut self, at: usize) -> Code {
        let processor = at % self.placement.processors();
        let mut records = TaskInstances {
            tasks: &self.tasks,
            storage: Some((&self.storage, processor)),
            list: self.placement.list(at),
        };
        fold(&mut records, &mut self.shapes).into_code(&self.shapes)
    }

    /// Finds storage again after the order of the `changed` lists did change, and folds what that
    /// affects.
    fn update(&mut self, changed: &[usize]) {
        let old = std::mem::replace(
            &mut self.storage,
            Storage::new(&self.tasks, &self.placement, &self.shared, self.compact),
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

    /// Gives lists the order that is best with all values at home. Returns the numbers of those
    /// that had another, ascending.
    fn improve_order(&mut self, try_orders: impl Fn(&mut Trial<'_, '_>)) -> Vec<usize> {
        let mut changed: Vec<usize> = (0..self.code.len()).collect();
        let costs = self.costs(&changed);
        let mut orders = Orders::new(
            &self.tasks,
            self.times,
            &self.shared,
            sample(self.placement.lists().map(|(_, _, list)| list)),
        );
        let bodies = bodies(&self.shapes);
        changed.retain(|&at| {
            let given = (&bodies[..], &self.code[at]);
            let best = orders.best(self.placement.list(at), given, costs[at], &try_orders);
            if let Some(best) = &best {
                self.placement.list_mut(at).copy_from_slice(best);
            }
            best.is_some()
        });
        changed
    }

    /// Puts those of the `changed` lists back into trace order that cost no less than before.
    /// Returns their numbers, ascending.
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
