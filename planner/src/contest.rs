//! The contest of all algorithms: which plans are tried, and what each is predicted to take.

use std::cell::LazyCell;

use superstep_tuning::tuned;

use crate::{
    Algorithm, Candidate, Costs, Graph, Plan, Report, Windows, Within,
    chunks::Scheduled,
    doacross::deal,
    farm::{self, farm},
    grow_local::grow_within,
    levels::deal_levels,
    owners::own,
    pipeline::search_within,
    prediction::predict_with,
};

tuned! {
    /// The least work of a window, in waits. Kernels are predicted to take 18 % longer with twice
    /// as much.
    const LEAST_WINDOW: f64 = 8.0;

    /// The least work of a chunk, in waits. With half as much kernels are predicted to take 2 %
    /// longer, with twice as much sweeps over grids.
    const LEAST_CHUNK: f64 = 0.5;

    /// Chunks of a window for each processor, at most. With one for each all are busy in lines that
    /// need their neighbours; the others are for those that are behind. With one grids are
    /// predicted to take 5 % longer, with eight 3 %.
    const CHUNKS: u32 = 4, off 1;

    /// The next size of windows that is tried, as a multiple. With 8 grids are predicted to take
    /// 4 % longer, with 2 matrices 1 %.
    const WINDOW_GROWTH: u32 = 4;

    /// Words of the kernel's arrays that a window by level has about: 32 KB, which stay in a core's
    /// first cache.
    ///
    /// Times of loaded solves over the function, by the rows of a window:
    ///
    /// | grid | 800 | 3,200 | 12,800 |
    /// |---|---|---|---|
    /// | 5-point, 300^2 | 0.52 | 0.38 | 0.52 |
    /// | 5-point, 1000^2 | 0.54 | 0.40 | 0.59 |
    /// | 7-point, 40^3 | 0.57 | 0.52 | 0.59 |
    ///
    /// There are 65 problems: 22 patterns; solves, sweeps, ILU. Windows by level of 128, 512 and
    /// 2,048 grains of some 8 rows were the best plan of six. Those of 512 were of five, those of
    /// 128 of ILU(0) on a 5-point grid, by 3 %.
    const CACHED: u64 = 4096;

    /// The least work of a processor in a level for levels to be tried, in waits.
    ///
    /// The problems are 204: 34 matrices and grids, solves and sweeps, 2, 4 and 8 processors.
    /// Levels are the best plan for nine. Seven of these have 52 and more, one 0.9 (0.88 in place
    /// of the time in order), one 0.6 (0.421 in place of 0.424). From 13 on levels also tell where
    /// grow-local is not hopeless: for 8 processors 0.33 and 0.48 in place of the time in order.
    /// Without this bound planning takes 5 % to 11 % longer, with it less than 1 %.
    const LEAST_PART: f64 = 16.0, off 0.0;

    /// The largest part of the work that may need other blocks for pipelines to be tried.
    ///
    /// In 164 problems no plan so far was close to the bound (34 matrices and grids, solves and
    /// sweeps, 2, 4 and 8 processors). Pipelines are the best plan for 16, all on dissected meshes
    /// and grids. For 15 of them at most 0.12 of the work needs other blocks, as for 8 others. For
    /// the last one, where 0.2 does, they gain 5 %. Tried for all 164 they make planning a seventh
    /// longer.
    const TORN: f64 = 0.125, off 1.0;

    /// Nothing else is tried where a farm is within this factor of what no plan can beat. Nor is
    /// grow-local where another plan is within it, as it takes several times as long to schedule.
    ///
    /// By the clock of 16 cores, for 2 to 16 processors, eight real matrices and five kernels. Of
    /// 57 plans that were predicted beyond it grow-local was faster for 13, by up to 3.4 times. Of
    /// 11 within it, it was faster for 3, by up to 1.2 times.
    const CLOSE: f64 = 1.2, off 0.0;

    /// Nothing is tried where no plan can beat this part of the time in order. Another order than
    /// that of memory alone cost 9 % to 24 % on a 5-point grid and more elsewhere (the example
    /// `patterns`).
    pub(crate) const WORTHWHILE: f64 = 0.8, off 1.0;

    /// Parts of the words that each owner has. It is one where all words are written in each sweep,
    /// several where fewer and fewer are, as in factorisations.
    ///
    /// Owners are chosen for 13 of the collection's plans for two processors, which then take 0.82
    /// of the time of the next best on average. Of the function life takes 0.62 in place of 0.82,
    /// and ntt 0.57 of 0.74. One takes longer (bitonic, 1.19 and 0.85). Each number is the better
    /// one for some.
    const PARTS: [u32; 2] = [1, 8];

    /// Grow-local is given up where it takes longer than the best plan so far, as a multiple. A
    /// quarter of the work may be slower than the rest. It counts as loaded, the other one in
    /// place.
    ///
    /// The choices are 315: 21 real and generated matrices, five kernels, 2, 4 and 8 processors.
    /// With both in place, one was another than without this end. Random rows were planned in half
    /// the time.
    const GIVEN_UP: f64 = 1.25, off f64::INFINITY;

    /// Grow-local is not tried where the best other plan is predicted to take this part of the time
    /// in order. It has, too, what makes that one slow: operands that cross and grains out of
    /// order.
    ///
    /// There are 15 such problems of 96 (16 real matrices, six kernels, two processors). In these
    /// it is given up or predicted to take from 1.4 to 2.4 of the time in order.
    const HOPELESS: f64 = 1.3, off f64::INFINITY;
}

/// Time that scheduling and proof take at least, in nanoseconds for each access.
///
/// `superstep-bench plan --processors 2` has planning beyond that of `--processors 1`. Solves take
/// 19 to 61, sweeps 90, on eight patterns of power grids, circuits and quadratic programs. A lower
/// bound, so that nothing is left out that could pay.
const SCHEDULING: f64 = 15.0;

/// Returns the best plan of each algorithm with its position among the candidates, the best one
/// first. Plans that take at most `slow` of the time in order are not given up for a better one.
/// None is made that cannot pay within so many `calls`.
pub(crate) fn contest(
    graph: &Graph,
    processors: u32,
    costs: &Costs,
    slow: f64,
    calls: u64,
) -> (Vec<(Plan, usize)>, Report) {
    let shape = Shape::new(graph);
    let sequential = Plan::sequential(graph.boundaries().clone());
    let mut contest = Contest {
        work: graph.work(),
        costs,
        base: shape.work * costs.word,
        best: vec![(sequential, 0)],
        candidates: vec![Candidate {
            algorithm: Algorithm::Sequential,
            ratio: 1.0,
            loaded: 1.0,
            chunks: 1,
            waits: 0,
        }],
    };
    let could_gain = shape.bound(processors) < WORTHWHILE.get();
    let least = shape.least_calls(graph, costs);
    let unpaid = (could_gain && calls < least).then_some([calls, least]);
    if could_gain && unpaid.is_none() {
        contest.try_all(graph, processors, &shape, slow);
    }
    let Contest {
        mut best,
        candidates,
        base,
        ..
    } = contest;
    let ratio = |&(_, position): &(Plan, usize)| candidates[position].ratio;
    best.sort_by(|a, b| ratio(a).total_cmp(&ratio(b)));
    let report = Report {
        level: 0,
        iterations: graph.boundaries().last().copied().unwrap_or(0),
        grains: graph.grains(),
        edges: graph.edges(),
        levels: shape.levels,
        parallelism: shape.parallelism,
        processors,
        nanoseconds: base,
        chosen: best.first().map_or(0, |&(_, position)| position),
        candidates,
        scratch: Vec::new(),
        outside: Vec::new(),
        others: Vec::new(),
        unpaid,
        measured: None,
    };
    (best, report)
}

struct Contest<'a> {
    work: &'a [u32],
    costs: &'a Costs,
    /// Predicted time in order, in nanoseconds.
    base: f64,
    /// The best plan of each algorithm, and its position among the candidates.
    best: Vec<(Plan, usize)>,
    candidates: Vec<Candidate>,
}

impl Contest<'_> {
    /// Enters a plan of processors that wait for each other; its time over the time in order.
    fn enter(&mut self, algorithm: Algorithm, scheduled: Scheduled) -> f64 {
        let Scheduled { plan, crossings } = scheduled;
        // Schedulers make no plan that waits forever; one that did would lose here.
        let times = predict_with(&plan, &crossings, self.work, self.costs);
        self.enter_predicted(algorithm, plan, times.unwrap_or([f64::INFINITY; 2]))
    }

    /// Enters a plan with its predicted times in nanoseconds, in place and loaded; returns the
    /// first over that in order.
    fn enter_predicted(&mut self, algorithm: Algorithm, plan: Plan, times: [f64; 2]) -> f64 {
        let [ratio, loaded] = times.map(|time| time / self.base);
        self.candidates.push(Candidate {
            algorithm,
            ratio,
            loaded,
            chunks: plan.grains.len(),
            waits: plan.order.waits.items.len(),
        });
        let position = self.candidates.len() - 1;
        let candidates = &self.candidates;
        let mut same = self.best.iter_mut();
        match same.find(|best| candidates[best.1].algorithm.is_like(algorithm)) {
            Some(best) if ratio < candidates[best.1].ratio => *best = (plan, position),
            Some(_) => {}
            None => self.best.push((plan, position)),
        }
        ratio
    }

    /// Enters the plans of all algorithms that may gain.
    fn try_all(&mut self, graph: &Graph, processors: u32, shape: &Shape, slow: f64) {
        let close = CLOSE.get() * shape.bound(processors);
        let mut best = self.try_farm(graph, processors);
        if best <= close {
            return;
        }
        let successors = LazyCell::new(|| graph.successors());
        best = best.min(self.try_owners(graph, processors));
        best = best.min(self.try_windows(graph, processors));
        best = best.min(self.try_windows_by_level(graph, processors));
        if shape.part_of_level(processors) * self.costs.word >= LEAST_PART.get() * self.costs.wait {
            let dealt = deal_levels(graph, graph.before(&successors), processors);
            best = best.min(self.enter(Algorithm::Levels, dealt));
        }
        if best > close && is_in_blocks(graph, processors, shape.work) {
            let before = graph.before(&successors);
            if let Some(searched) = search_within(graph, before, processors, self.costs) {
                best = best.min(self.enter(Algorithm::Pipeline, searched));
            }
        }
        if best > close && (best <= HOPELESS.get() || best.is_infinite()) {
            // If there is nothing else, the report tells how it compares.
            let others = best.is_finite().then_some(best.min(1.0));
            let most = others.map_or(best, |best| slow.max(best * GIVEN_UP.get()) * shape.work);
            let before = graph.before(&successors);
            if let Some(grown) = grow_within(graph, before, processors, self.costs, most) {
                self.enter(Algorithm::GrowLocal, grown);
            }
        }
    }

    /// Enters a farm, if there are parts to share that are worth it; its ratio.
    fn try_farm(&mut self, graph: &Graph, processors: u32) -> f64 {
        let plan = farm(graph, processors, self.costs);
        if plan.order.processors() < 2 {
            return f64::INFINITY;
        }
        let times = farm::predict(&plan, graph, processors, self.costs);
        // Its longest part takes that long at least, whoever takes it.
        if times[0] > WORTHWHILE.get() * self.base {
            return f64::INFINITY;
        }
        self.enter_predicted(Algorithm::Farm, plan, times)
    }

    /// Enters owners where most grains write words that others have written; the best ratio.
    fn try_owners(&mut self, graph: &Graph, processors: u32) -> f64 {
        if graph.rewrites < graph.grains() / 2 {
            return f64::INFINITY;
        }
        let ratios = PARTS
            .get()
            .map(|parts| self.enter(Algorithm::Owners(parts), own(graph, processors, parts)));
        ratios.into_iter().fold(f64::INFINITY, f64::min)
    }

    /// Enters doacross with larger and larger windows, as long as they gain; the best ratio.
    fn try_windows(&mut self, graph: &Graph, processors: u32) -> f64 {
        let mut window = self.grains(LEAST_WINDOW.get());
        let mut best = f64::INFINITY;
        while window.saturating_mul(processors) <= graph.grains() {
            let ratio = self.try_window(graph, processors, window, Within::Run);
            if ratio >= best {
                break;
            }
            best = ratio;
            window = window.saturating_mul(WINDOW_GROWTH.get());
        }
        best
    }

    /// Enters doacross with windows by level whose words stay in the cache; its ratio.
    fn try_windows_by_level(&mut self, graph: &Graph, processors: u32) -> f64 {
        let grains = u64::from(graph.grains());
        let window = (CACHED.get() * grains / graph.words.max(1)).clamp(1, grains) as u32;
        if window.saturating_mul(processors) > graph.grains() {
            return f64::INFINITY;
        }
        self.try_window(graph, processors, window, Within::Levels)
    }

    fn try_window(&mut self, graph: &Graph, processors: u32, grains: u32, within: Within) -> f64 {
        let windows = Windows {
            grains,
            chunks: (CHUNKS.get() * processors)
                .min(grains.div_ceil(self.grains(LEAST_CHUNK.get()))),
            within,
        };
        let dealt = deal(graph, processors, windows);
        self.enter(Algorithm::Doacross(windows), dealt)
    }

    /// Returns the number of grains that take as long as so many waits, at least one.
    fn grains(&self, waits: f64) -> u32 {
        let mean = self.base / self.work.len() as f64;
        (waits * self.costs.wait / mean).ceil().max(1.0) as u32
    }
}

/// Returns whether few grains need others of another block, where the run is cut into a block of
/// equal work for each processor. Few are at most a [part](TORN) of the work, with all that needs
/// it.
///
/// Cost: linear in grains and edges, until there are too many.
fn is_in_blocks(graph: &Graph, processors: u32, work: f64) -> bool {
    let share = work / f64::from(processors);
    let (mut start, mut end, mut done, mut torn) = (0, share, 0.0, 0.0);
    let mut is_whole = Vec::with_capacity(graph.grains() as usize);
    for (grain, &own) in (0..).zip(graph.work()) {
        if done >= end {
            (start, end) = (grain, end + share);
        }
        let mut needs = graph.predecessors(grain).iter();
        let is = needs.all(|&before| before >= start && is_whole[before as usize]);
        is_whole.push(is);
        done += f64::from(own);
        if !is {
            torn += f64::from(own);
            if torn > TORN.get() * work {
                return false;
            }
        }
    }
    true
}

/// Depth and work of a graph.
struct Shape {
    levels: u32,
    work: f64,
    parallelism: f64,
}

impl Shape {
    /// Returns the ratio that no plan is better than: that of the critical path, or of an even
    /// share of the work.
    fn bound(&self, processors: u32) -> f64 {
        1.0 / self.parallelism.min(f64::from(processors))
    }

    /// Returns the calls after which a schedule can have paid for itself at the earliest: those
    /// that take as long in order as scheduling does.
    fn least_calls(&self, graph: &Graph, costs: &Costs) -> u64 {
        (SCHEDULING * graph.accesses as f64 / (self.work * costs.word)).ceil() as u64
    }

    /// Returns the work of a processor in a level, in the mean.
    fn part_of_level(&self, processors: u32) -> f64 {
        self.work / (f64::from(self.levels) * f64::from(processors))
    }

    fn new(graph: &Graph) -> Self {
        let (mut levels, mut critical, mut all) = (0, 0, 0);
        // For each grain its level and the work of the longest path to its end.
        let mut paths: Vec<(u32, u64)> = Vec::with_capacity(graph.grains() as usize);
        for (grain, &work) in (0..).zip(graph.work()) {
            let before = graph.predecessors(grain).iter();
            let (level, path) = before.fold((0, 0), |(level, path), &before| {
                let before = paths[before as usize];
                (before.0.max(level), before.1.max(path))
            });
            let path = (level + 1, path + u64::from(work));
            paths.push(path);
            levels = path.0.max(levels);
            critical = path.1.max(critical);
            all += u64::from(work);
        }
        Self {
            levels,
            work: all as f64,
            parallelism: all as f64 / critical.max(1) as f64,
        }
    }
}
