//! Which order of a list is best: trace order, by chain, with loops side by side, with phases fused or, where it is dear, by depth; and then
//! with loose iterations near each other that share cache lines.

use superstep_machine::Times;
use superstep_plan::{Body, Code};

use crate::passes::{Pass, Passes};
use crate::place::sharing::{NOTHING, respects};
use crate::place::tasks::Tasks;
use crate::reorder::chains::{BLOCKS, ByChain};
use crate::reorder::depths::ByDepth;
use crate::reorder::estimate::{Estimate, bodies, different};
use crate::reorder::flow::Flow;
use crate::reorder::fuse::fuse;
use crate::reorder::jam::{LOOPS, jam, waiting_loops};
use crate::reorder::near::near;

/// Nanoseconds per task at which lists are not tried by depth.
const FAIR: f64 = 0.9;

/// Finds the best orders of lists, all values at home.
pub(crate) struct Orders<'a> {
    tasks: &'a Tasks<'a>,
    times: &'a Times,
    /// Per array: whether all processors use it where the caller has it.
    shared: &'a [bool],
    by_chain: Option<ByChain<'a>>,
    /// Made when it is needed first, from the sample.
    by_depth: Option<ByDepth<'a>>,
    sample: Vec<Vec<u32>>,
    flow: Flow,
    /// [`NOTHING`] for each word.
    written: Vec<Vec<u32>>,
    passes: Passes,
}

impl<'a> Orders<'a> {
    /// For lists that the sample stands for.
    pub(crate) fn new(
        tasks: &'a Tasks<'a>,
        times: &'a Times,
        shared: &'a [bool],
        sample: Vec<Vec<u32>>,
        passes: Passes,
    ) -> Self {
        let nothing = |extent| vec![NOTHING; extent as usize];
        Self {
            tasks,
            times,
            shared,
            by_chain: ByChain::new(tasks).filter(|_| passes.has(Pass::Chains)),
            by_depth: None,
            sample,
            flow: Flow::new(tasks.trace().tasks()),
            written: tasks.layout().extents().map(nothing).collect(),
            passes,
        }
    }

    /// The order of a list that costs least; none, if that is the one that it has, in which it folds into `code` and takes `cost`.
    pub(crate) fn best(
        &mut self,
        list: &[u32],
        bodies: &[Body],
        code: &Code,
        cost: f64,
    ) -> Option<Vec<u32>> {
        let mut best = (cost, None);
        for sorted in self.candidates(list, bodies, code, cost) {
            if self.respects(&sorted) {
                let estimate = Estimate::of(self.tasks, &[&sorted], self.times);
                if estimate.cost < best.0 {
                    best = (estimate.cost, Some((sorted, estimate)));
                }
            }
        }
        let (cost, best) = best;
        if !self.passes.has(Pass::Near) {
            return best.map(|(sorted, _)| sorted);
        }
        let nearer = match &best {
            Some((sorted, Estimate { shapes, code, .. })) => near(
                self.tasks,
                &mut self.flow,
                &self::bodies(shapes),
                &code[0],
                sorted,
                &self.times.core,
            ),
            None => near(
                self.tasks,
                &mut self.flow,
                bodies,
                code,
                list,
                &self.times.core,
            ),
        };
        nearer
            .filter(|nearer| {
                self.respects(nearer) && Estimate::of(self.tasks, &[nearer], self.times).cost < cost
            })
            .or(best.map(|(sorted, _)| sorted))
    }

    /// Orders that respect flow.
    fn candidates(
        &mut self,
        list: &[u32],
        bodies: &[Body],
        code: &Code,
        cost: f64,
    ) -> Vec<Vec<u32>> {
        let (tasks, times, flow) = (self.tasks, self.times, &mut self.flow);
        let mut sorted = Vec::new();
        if let Some(by_chain) = &self.by_chain {
            sorted.extend(
                BLOCKS
                    .iter()
                    .filter_map(|&block| by_chain.sort(flow, list, block)),
            );
        }
        if self.passes.has(Pass::Jam) {
            let loops = waiting_loops(tasks.trace().kernel(), bodies, code);
            sorted.extend(
                LOOPS
                    .iter()
                    .filter_map(|&most| jam(tasks, flow, list, &loops, most)),
            );
        }
        if self.passes.has(Pass::Fuse) {
            let estimate = |list: &[u32]| Estimate::of(tasks, &[list], times).cost;
            sorted.extend(fuse(tasks, flow, bodies, code, list, estimate));
        }
        if self.passes.has(Pass::Depths) && cost > FAIR * list.len() as f64 {
            let by_depth = self
                .by_depth
                .get_or_insert_with(|| ByDepth::new(tasks, &self.sample));
            sorted.extend(by_depth.sort(list));
        }
        different(sorted)
    }

    fn respects(&mut self, sorted: &[u32]) -> bool {
        respects(self.tasks, self.shared, sorted, &mut self.written)
    }
}
