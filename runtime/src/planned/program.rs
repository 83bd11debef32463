//! Proved plans as they are run: with the iterations of their grains, and who waits for which
//! chunk.

use std::ops::Range;
use std::sync::Arc;

#[cfg(feature = "report")]
use superstep_order::Recording;
use superstep_order::{Order, Ordered};
use superstep_planner::{Plan, Proved};

use super::extents::Needed;
use super::list::Lists;
use super::{PlanReport, Space};

/// Proved plan with its iterations.
pub(super) struct Program {
    pub(super) space: Arc<Space>,
    pub(super) proved: Proved,
    /// Figures of the planner.
    pub(super) report: PlanReport,
    /// Number of its processors; of a farm, of threads.
    pub(super) threads: usize,
    /// Arrays that are tracked.
    pub(super) needed: Arc<[Needed]>,
    /// Order of its chunks.
    pub(super) ordered: Arc<Ordered>,
    /// Iterations of its chunks.
    pub(super) lists: Lists,
}

impl Program {
    pub(super) fn new(
        space: Arc<Space>,
        proved: Proved,
        report: PlanReport,
        needed: Arc<[Needed]>,
    ) -> Self {
        let plan = proved.plan();
        let processors = plan.order.processors();
        let threads = match plan.order.is_free() {
            true => processors.min(report.processors as usize),
            false => processors,
        };
        Self {
            lists: Lists::new(plan, &space),
            ordered: Arc::new(Ordered::from(Arc::clone(&plan.order))),
            space,
            proved,
            report,
            threads,
            needed,
        }
    }

    /// Returns the program of another plan for the same iterations.
    pub(super) fn with(&self, proved: Proved) -> Self {
        let (space, needed) = (Arc::clone(&self.space), Arc::clone(&self.needed));
        Self::new(space, proved, self.report.clone(), needed)
    }

    /// Returns the program that runs the same iterations in order, on one processor.
    pub(super) fn in_order(program: &Arc<Self>) -> Arc<Self> {
        if program.threads == 1 {
            return Arc::clone(program);
        }
        Arc::new(program.with(program.proved.in_order()))
    }

    /// Returns the bytes of the plan and its iterations.
    pub(super) fn bytes(&self) -> usize {
        let plan = self.proved.plan();
        let waits = &plan.order.waits;
        let words = plan.boundaries.len()
            + plan.grains.offsets.len()
            + plan.grains.items.len()
            + 2 * waits.offsets.len()
            + 3 * waits.items.len();
        self.space.bytes() + 4 * words + self.lists.bytes()
    }

    /// Returns a hash by which a recording of a run tells whether it is of this plan of a kernel.
    pub(super) fn identity(&self, kernel: &str) -> u64 {
        identity(self.proved.plan(), kernel)
    }

    /// Returns the number of the plan's processors: of a farm, of its parts.
    pub(super) fn parts(&self) -> usize {
        self.proved.plan().order.processors()
    }

    /// Returns whether nobody waits, so that any thread may run any part.
    pub(super) fn is_shared(&self) -> bool {
        self.proved.plan().order.is_free()
    }

    /// Returns the thread to which a part is dealt.
    pub(super) fn thread_of(&self, part: usize) -> usize {
        let starts =
            (0..self.threads).map(|thread| self.dealt(thread, self.threads).start as usize);
        starts.take_while(|&start| start <= part).count() - 1
    }

    /// Returns the parts that are dealt to a thread of so many.
    pub(super) fn dealt(&self, thread: usize, threads: usize) -> Range<u32> {
        let bounds = [thread, thread + 1].map(|thread| thread * self.parts() / threads);
        bounds[0] as u32..bounds[1] as u32
    }

    /// Returns where the intervals of a part stand.
    pub(super) fn intervals_of(&self, part: usize) -> Range<u32> {
        self.lists
            .range(self.proved.plan().order.steps_of(part as u32))
    }
}

/// Returns whether a recorded run is of a plan of a kernel.
#[cfg(feature = "report")]
pub(super) fn is_run_of(plan: &Plan, kernel: &str, run: &Recording) -> bool {
    let (timeline, order) = (&run.timeline, &plan.order);
    run.identity == identity(plan, kernel)
        && timeline.processors() == order.processors()
        && (0..order.processors())
            .all(|each| timeline.steps_of(each).len() == order.steps_of(each as u32).len())
}

/// Returns a hash of all tables of a plan of a kernel.
pub(super) fn identity(plan: &Plan, kernel: &str) -> u64 {
    let Order { processors, waits } = &*plan.order;
    let waits = waits
        .items
        .iter()
        .flat_map(|wait| [wait.processor, wait.steps]);
    let numbers = plan
        .boundaries
        .iter()
        .chain(processors)
        .chain(&plan.grains.offsets);
    let numbers = numbers.chain(&plan.grains.items).copied().chain(waits);
    let bytes: Vec<u8> = numbers.flat_map(u32::to_le_bytes).collect();
    superstep_plan::digest(kernel.as_bytes(), &bytes)
}
