//! Orders of a list that are tried, as far as the [road](crate::road) asks for them:
//!
//! * trace order;
//! * by chain;
//! * with runs side by side;
//! * with phases fused;
//! * by depth, if the list is dear as it is;
//! * the best of these, with loose iterations that share cache lines near each other.

use superstep_machine::Times;
use superstep_plan::{Body, Code};

use crate::place::sharing::{NOTHING, respects};
use crate::place::tasks::Tasks;
use crate::reorder::chains::{ByChain, VERSIONS};
use crate::reorder::depths::ByDepth;
use crate::reorder::estimate::{Estimate, bodies};
use crate::reorder::flow::Flow;
use crate::reorder::fuse::fuse;
use crate::reorder::jam::{RUNS, jam, waiting_runs};
use crate::reorder::near::near;

/// Nanoseconds per task up to which a list is not dear: it is not tried by depth.
const FAIR: f64 = 0.9;

/// The facts by which orders of lists are found, all values at home.
pub(crate) struct Orders<'a> {
    tasks: &'a Tasks<'a>,
    times: &'a Times,
    /// Flags, per array: set if all processors use it where the caller has it.
    shared: &'a [bool],
    /// Sorter by chain, made when it is needed first; none inside, if words are hardly written
    /// twice.
    by_chain: Option<Option<ByChain<'a>>>,
    /// Sorter by depth, made when it is needed first, from the sample.
    by_depth: Option<ByDepth<'a>>,
    sample: Vec<Vec<u32>>,
    flow: Flow,
    /// [`NOTHING`] for each word.
    written: Vec<Vec<u32>>,
}

impl<'a> Orders<'a> {
    /// Prepares for lists that the sample stands for.
    pub(crate) fn new(
        tasks: &'a Tasks<'a>,
        times: &'a Times,
        shared: &'a [bool],
        sample: Vec<Vec<u32>>,
    ) -> Self {
        let nothing = |extent| vec![NOTHING; extent as usize];
        Self {
            tasks,
            times,
            shared,
            by_chain: None,
            by_depth: None,
            sample,
            flow: Flow::new(tasks.trace().tasks()),
            written: tasks.layout().extents().map(nothing).collect(),
        }
    }

    /// Returns the order of a list that costs least of those that are tried. There is none if it is
    /// the one that the list has, in which it folds into the code of `given` and takes `cost`.
    pub(crate) fn best(
        &mut self,
        list: &[u32],
        given: (&[Body], &Code),
        cost: f64,
        try_orders: impl Fn(&mut Trial<'_, 'a>),
    ) -> Option<Vec<u32>> {
        let mut trial = Trial {
            orders: self,
            list,
            given,
            given_cost: cost,
            cost,
            tried: Vec::new(),
            best: None,
        };
        try_orders(&mut trial);
        trial.best.map(|(sorted, _)| sorted)
    }

    fn respects(&mut self, sorted: &[u32]) -> bool {
        respects(self.tasks, self.shared, sorted, &mut self.written)
    }
}

/// The orders of one list that are tried one after the other, and the best so far.
pub(crate) struct Trial<'t, 'a> {
    orders: &'t mut Orders<'a>,
    list: &'t [u32],
    /// The code of the list as it is, and its bodies.
    given: (&'t [Body], &'t Code),
    given_cost: f64,
    /// Nanoseconds in the best order.
    cost: f64,
    /// Orders that came before.
    tried: Vec<Vec<u32>>,
    best: Option<(Vec<u32>, Estimate)>,
}

impl Trial<'_, '_> {
    /// Tries the tasks by chain.
    pub(crate) fn by_chain(&mut self) {
        let Orders {
            by_chain,
            tasks,
            flow,
            ..
        } = &mut *self.orders;
        let by_chain = by_chain.get_or_insert_with(|| ByChain::new(tasks));
        let sorted = by_chain
            .iter()
            .flat_map(|by_chain| VERSIONS.map(|versions| by_chain.sort(flow, self.list, versions)));
        let sorted = sorted.flatten().collect();
        self.measure(sorted);
    }

    /// Tries runs that wait for themselves side by side.
    pub(crate) fn jam(&mut self) {
        let Orders { tasks, flow, .. } = &mut *self.orders;
        let (bodies, code) = self.given;
        let runs = waiting_runs(tasks.trace().kernel(), bodies, code);
        let jammed = RUNS.map(|most| jam(tasks, flow, self.list, &runs, most));
        self.measure(jammed.into_iter().flatten().collect());
    }

    /// Tries phases fused.
    pub(crate) fn fuse(&mut self) {
        let Orders {
            tasks, times, flow, ..
        } = &mut *self.orders;
        let (bodies, code) = self.given;
        let estimate = |list: &[u32]| Estimate::of(tasks, &[list], times).cost;
        let fused = fuse(tasks, flow, bodies, code, self.list, estimate);
        self.measure(fused.into_iter().collect());
    }

    /// Tries the tasks by depth, if the list is dear as it is.
    pub(crate) fn by_depth(&mut self) {
        if self.given_cost <= FAIR * self.list.len() as f64 {
            return;
        }
        let Orders {
            by_depth,
            tasks,
            sample,
            ..
        } = &mut *self.orders;
        let by_depth = by_depth.get_or_insert_with(|| ByDepth::new(tasks, sample));
        let sorted = by_depth.sort(self.list);
        self.measure(sorted.into());
    }

    /// Tries the best order so far with loose iterations near each other that share cache lines.
    pub(crate) fn near(&mut self) {
        let Orders {
            tasks, times, flow, ..
        } = &mut *self.orders;
        let core = &times.core;
        let nearer = match &self.best {
            Some((sorted, Estimate { shapes, code, .. })) => {
                near(tasks, flow, &bodies(shapes), &code[0], sorted, core)
            }
            None => near(tasks, flow, self.given.0, self.given.1, self.list, core),
        };
        self.measure(nearer.into_iter().collect());
    }

    /// Keeps what is better than all before.
    fn measure(&mut self, orders: Vec<Vec<u32>>) {
        for sorted in orders {
            if self.tried.contains(&sorted) {
                continue;
            }
            if self.orders.respects(&sorted) {
                let Orders { tasks, times, .. } = *self.orders;
                let estimate = Estimate::of(tasks, &[&sorted], times);
                if estimate.cost < self.cost {
                    self.cost = estimate.cost;
                    self.best = Some((sorted.clone(), estimate));
                }
            }
            self.tried.push(sorted);
        }
    }
}
