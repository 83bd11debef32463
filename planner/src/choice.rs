//! The choice among plans, and the report about it.

use crate::{
    Algorithm, Candidate, Costs, Graph, Plan, ProofError, Proved, Report, Track, TrackError,
    Windows, Within,
    doacross::{deal, doacross},
    farm::{self, farm},
    grow_local::{grow_local, grow_within},
    order::Scheduled,
    owners::{own, owners},
    prediction::{predict, predict_with},
    proof::prove_after,
};

/// The least work of a window, in waits.
const LEAST_WINDOW: f64 = 8.0;
/// The least work of a chunk, in waits.
const LEAST_CHUNK: f64 = 0.5;
/// Chunks of a window for each processor, at most. With one for each all are busy in lines that
/// need their neighbours; the others are for those that are behind.
const CHUNKS: u32 = 4;
/// The next size of windows that is tried, as a multiple.
const WINDOW_GROWTH: u32 = 4;
/// Words of the kernel's arrays that a window by level has about: 32 KB, which stay in a core's
/// first cache.
///
/// Loaded solves on 5-point grids of 300^2 and 1000^2 and a 7-point grid of 40^3 take 0.38, 0.40
/// and 0.52 of the function with some 3,200 rows; 0.52, 0.54 and 0.57 with 800; 0.52, 0.59 and 0.59
/// with 12,800. Other windows by level are the best plan of none of 141 problems (22 patterns;
/// solves, sweeps, ILU).
const CACHED: u64 = 4096;
/// Nothing else is tried where a farm is within this factor of what no plan can beat, nor grow-local,
/// which takes several times as long to schedule, where another plan is.
///
/// By the clock of 16 cores, of 57 plans for 2 to 16 processors that were predicted beyond it (eight
/// real matrices, five kernels) grow-local was faster for 13, by up to 3.4 times; of 11 within it for
/// 3, by up to 1.2 times.
const CLOSE: f64 = 1.2;
/// Plans of one kernel that are worth timing, at most: the best of two algorithms.
///
/// On 4 of 16 cores 30 plans of five real matrices then took 0.62 of the function in place of 0.66,
/// loaded ones 0.81 in place of 0.89, and planning 44 calls in place of 36; on 8 they took 0.45 as
/// before, as the other work of that machine decided more.
pub const RIVALS: usize = 2;
/// The longest time of a rival in place, as predicted over the time in order. One that is predicted
/// to gain loaded may take any: the first calls give it up.
///
/// By the clock of 16 cores, of 6 plans by grow-local that were predicted from 1 to 1.3 four gained
/// (0.65 in place of 1.01, 0.63 in place of 1.27), of 13 beyond it three.
pub const UNLIKELY: f64 = 1.3;
/// The longest time of a rival, as predicted over that of the best.
///
/// By the clock of 16 cores, of 61 plans by grow-local that were predicted within it 16 were faster
/// than the best, of 7 beyond it none. Of 149 second plans on eight real matrices it leaves out 43,
/// which would be proved and loaded.
const BEHIND: f64 = 1.4;
/// Nothing is tried where no plan can beat this part of the time in order. Another order than that
/// of memory alone cost 9 % to 24 % on a 5-point grid and more elsewhere (the example `patterns`).
pub(crate) const WORTHWHILE: f64 = 0.8;
/// Windows are large enough where doacross is within this factor of what no plan can beat.
const BEST: f64 = 1.02;

/// Parts of the words that each owner has: one where all words are written in each sweep, several
/// where fewer and fewer are, as in factorisations.
///
/// Owners are chosen for 13 of the collection's plans for two processors, which then take 0.82 of
/// the time of the next best on average (life 0.62 in place of 0.82 of the function, ntt 0.57 of
/// 0.74); one takes longer (bitonic, 1.19 and 0.85). Each number is the better one for some.
const PARTS: [u32; 2] = [1, 8];

/// Grow-local is given up where it takes longer than the best plan so far, as a multiple: a quarter
/// of the work may be slower than the rest. Of 315 choices (21 real and generated matrices, five
/// kernels, 2, 4 and 8 processors) one is another than without this end; random rows are planned in
/// half the time.
const GIVEN_UP: f64 = 1.25;

/// Grow-local is not tried where the best other plan is predicted to take this part of the time in
/// order: what makes that one slow, operands that cross and grains out of order, it has too.
///
/// In 15 such problems, of 96 (16 real matrices, six kernels, two processors), it is given up or
/// predicted to take from 1.4 to 2.4 of the time in order.
const HOPELESS: f64 = 1.3;

/// Errors of planning.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PlanError {
    /// The kernel can't be tracked.
    #[error(transparent)]
    Track(#[from] TrackError),
    /// The chosen plan is not proved: the kernel tells other accesses each time that it is tracked,
    /// or a scheduler is wrong.
    #[error("the plan is refused: {0}")]
    Proof(#[from] ProofError),
    /// Prices of which no plan can be predicted: one is negative, infinite or not a number, or a
    /// word is free.
    #[error("{costs:?} are no costs")]
    Costs {
        /// The prices.
        costs: Costs,
    },
    /// No processor, or more than a plan can have.
    #[error(
        "{processors} processors: a plan has from 1 to {}",
        Plan::MOST_PROCESSORS
    )]
    Processors {
        /// How many were asked for.
        processors: u32,
    },
}

/// Tracks a kernel, chooses the plan that is predicted to be fastest, and proves it.
///
/// Cost: two to four passes over the accesses of the kernel, and some passes over its graph of
/// grains.
///
/// # Errors
/// If tracking has a fault, there is no such number of processors, or costs are none.
///
/// ```
/// use std::ops::Range;
/// use superstep_planner::{Accesses, Costs, Fault, Track, plan};
///
/// /// `x[i] += x[i - 400]`: 400 independent chains.
/// struct Strides;
///
/// impl Track for Strides {
///     fn iterations(&self) -> u32 {
///         40_000
///     }
///     fn lengths(&self) -> &[usize] {
///         &[40_000]
///     }
///     fn track(&self, iterations: Range<u32>, x: &mut Accesses<'_>) -> Result<(), Fault> {
///         for i in iterations.start as usize..iterations.end as usize {
///             x.begin();
///             if let Some(before) = i.checked_sub(400) {
///                 x.read(0, before..before + 1);
///             }
///             x.write(0, i..i + 1);
///         }
///         Ok(())
///     }
/// }
///
/// let (proved, report) = plan(&Strides, 2, &Costs::default())?;
/// assert!(report.chosen().ratio < 0.8);
/// assert_eq!(proved.plan().processors.len(), 3);
/// # Ok::<(), superstep_planner::PlanError>(())
/// ```
pub fn plan(
    track: &dyn Track,
    processors: u32,
    costs: &Costs,
) -> Result<(Proved, Report), PlanError> {
    check(processors, costs)?;
    let graph = Graph::new(track, costs)?;
    let (plan, report) = choose(&graph, processors, costs)?;
    drop(graph);
    Ok((prove_after(true, track, plan)?, report))
}

/// Tracks a kernel, and proves the [plans that are worth timing](rivals).
///
/// Cost: as of [`plan`](plan()), and another proof.
///
/// # Errors
/// As [`plan`](plan()).
pub fn plans(
    track: &dyn Track,
    processors: u32,
    costs: &Costs,
) -> Result<Vec<(Proved, Report)>, PlanError> {
    check(processors, costs)?;
    let graph = Graph::new(track, costs)?;
    let rivals = rivals(&graph, processors, costs)?;
    drop(graph);
    let proved = rivals
        .into_iter()
        .map(|(plan, report)| Ok((prove_after(true, track, plan)?, report)));
    proved.collect()
}

/// Chooses the fastest plan, as predicted: in order, a farm, doacross with windows of several sizes,
/// owners, or grow-local.
///
/// # Errors
/// If there is no such number of processors, or costs are none.
pub fn choose(graph: &Graph, processors: u32, costs: &Costs) -> Result<(Plan, Report), PlanError> {
    let (best, report) = contest(graph, processors, costs, 0.0)?;
    let sequential = || Plan::sequential(graph.boundaries().clone());
    let plan = best.into_iter().next().map(|(plan, _)| plan);
    Ok((plan.unwrap_or_else(sequential), report))
}

/// Makes the plan of one algorithm, and a report that compares it with others and calls it chosen.
///
/// # Errors
/// As [`choose`].
///
/// # Panics
/// If the algorithm has no part or no window.
pub fn choose_as(
    graph: &Graph,
    processors: u32,
    costs: &Costs,
    algorithm: Algorithm,
) -> Result<(Plan, Report), PlanError> {
    let (_, mut report) = contest(graph, processors, costs, 0.0)?;
    let plan = match algorithm {
        Algorithm::Sequential => Plan::sequential(graph.boundaries().clone()),
        Algorithm::Farm => farm(graph, processors, costs),
        Algorithm::Doacross(windows) => doacross(graph, processors, windows),
        Algorithm::GrowLocal => grow_local(graph, processors, costs),
        Algorithm::Owners(parts) => owners(graph, processors, parts),
    };
    let ratio = |costs: &Costs| {
        let time = match algorithm {
            Algorithm::Sequential => Some(report.nanoseconds),
            Algorithm::Farm => Some(farm::predict(&plan, graph, processors, costs)),
            _ => predict(&plan, graph, costs),
        };
        time.unwrap_or(f64::INFINITY) / report.nanoseconds
    };
    let candidate = Candidate {
        algorithm,
        ratio: ratio(costs),
        loaded: ratio(&loaded(costs)),
        chunks: plan.chunks.len() - 1,
        waits: plan.waits.len(),
    };
    let mut candidates = report.candidates.iter();
    let known = candidates.position(|known| known.algorithm == algorithm);
    report.chosen = known.unwrap_or(report.candidates.len());
    match known {
        Some(known) => report.candidates[known] = candidate,
        None => report.candidates.push(candidate),
    }
    Ok((plan, report))
}

/// Returns the plans that are worth timing, each with a report that calls it chosen: the one that
/// is predicted to be fastest in place, and another one that is predicted to be fastest loaded.
///
/// They are of different algorithms, each with its best plan in place, as it is algorithms that
/// predictions are wrong about; what is
/// predicted for grow-local holds, so that it is alone where it is the best. The plan in order is
/// there only if it is alone.
///
/// Of 22 patterns and six kernels, loaded solves, backward solves and sweeps for two processors
/// take 0.81, 0.82 and 0.79 of the function in place of 0.83, 0.82 and 0.82 with the two that are
/// fastest in place; on a 5-point grid of 600^2 0.41 in place of 0.53. Planning a solve takes 43
/// calls in place of 40.
///
/// # Errors
/// As [`choose`].
pub fn rivals(
    graph: &Graph,
    processors: u32,
    costs: &Costs,
) -> Result<Vec<(Plan, Report)>, PlanError> {
    let (best, report) = contest(graph, processors, costs, UNLIKELY)?;
    let candidate = |&(_, position): &(Plan, usize)| &report.candidates[position];
    let (mut others, mut rivals): (Vec<_>, Vec<_>) = best
        .into_iter()
        .partition(|plan| candidate(plan).algorithm == Algorithm::Sequential);
    let best_loaded = rivals.iter().map(|plan| candidate(plan).loaded);
    let most_loaded = 1.0_f64.min(BEHIND * best_loaded.fold(1.0, f64::min));
    let most = UNLIKELY.min(BEHIND * report.chosen().ratio);
    rivals.retain(|plan| candidate(plan).ratio <= most || candidate(plan).loaded <= most_loaded);
    if let Some((first, others)) = rivals.split_first_mut() {
        others.sort_by(|a, b| candidate(a).loaded.total_cmp(&candidate(b).loaded));
        // Its predictions hold or are too long, those of the others are too short.
        let is_alone = candidate(first).algorithm == Algorithm::GrowLocal;
        rivals.truncate(if is_alone { 1 } else { RIVALS });
    } else {
        rivals.append(&mut others);
    }
    let of = |(plan, chosen)| {
        let report = Report {
            chosen,
            ..report.clone()
        };
        (plan, report)
    };
    Ok(rivals.into_iter().map(of).collect())
}

/// Returns the best plan of each algorithm with its position among the candidates, the best one
/// first. Plans that take at most `slow` of the time in order are not given up for a better one.
fn contest(
    graph: &Graph,
    processors: u32,
    costs: &Costs,
    slow: f64,
) -> Result<(Vec<(Plan, usize)>, Report), PlanError> {
    check(processors, costs)?;
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
    // No plan is shorter than the critical path, or the work of the busiest processor.
    let bound = 1.0 / shape.parallelism.min(f64::from(processors));
    if bound < WORTHWHILE {
        let mut best = contest.try_farm(graph, processors);
        if best > bound * CLOSE {
            best = best.min(contest.try_owners(graph, processors));
            best = best.min(contest.try_windows(graph, processors, bound));
            best = best.min(contest.try_levels(graph, processors));
        }
        if best > bound * CLOSE && (best <= HOPELESS || best.is_infinite()) {
            // If there is nothing else, the report tells how it compares.
            let others = best.is_finite().then_some(best.min(1.0));
            let most = others.map_or(best, |best| slow.max(best * GIVEN_UP) * shape.work);
            if let Some(grown) = grow_within(graph, processors, &loaded(costs), most) {
                contest.enter(Algorithm::GrowLocal, grown);
            }
        }
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
        others: Vec::new(),
    };
    Ok((best, report))
}

/// Returns the prices of runs whose structure and values are loaded in the order of the plan.
fn loaded(costs: &Costs) -> Costs {
    Costs {
        jump: 0.0,
        ..*costs
    }
}

/// Refuses what nothing can be planned for.
fn check(processors: u32, costs: &Costs) -> Result<(), PlanError> {
    let prices = [
        costs.word,
        costs.wait,
        costs.chunk,
        costs.jump,
        costs.crossing,
        costs.least,
    ];
    if costs.word <= 0.0
        || !prices
            .iter()
            .all(|price| (0.0..f64::INFINITY).contains(price))
    {
        return Err(PlanError::Costs { costs: *costs });
    }
    if processors == 0 || processors > Plan::MOST_PROCESSORS {
        return Err(PlanError::Processors { processors });
    }
    Ok(())
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
        let time = |costs: &Costs| predict_with(&plan, &crossings, self.work, costs);
        let times =
            [self.costs, &loaded(self.costs)].map(|costs| time(costs).unwrap_or(f64::INFINITY));
        self.enter_predicted(algorithm, plan, times)
    }

    /// Enters a plan with its predicted times in nanoseconds, in place and loaded; returns the
    /// first over that in order.
    fn enter_predicted(&mut self, algorithm: Algorithm, plan: Plan, times: [f64; 2]) -> f64 {
        let [ratio, loaded] = times.map(|time| time / self.base);
        self.candidates.push(Candidate {
            algorithm,
            ratio,
            loaded,
            chunks: plan.chunks.len() - 1,
            waits: plan.waits.len(),
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

    /// Enters a farm, if there are parts to share that are worth it; its ratio.
    fn try_farm(&mut self, graph: &Graph, processors: u32) -> f64 {
        let plan = farm(graph, processors, self.costs);
        if plan.processors.len() <= 2 {
            return f64::INFINITY;
        }
        let time = farm::predict(&plan, graph, processors, self.costs);
        // Its longest part takes that long at least, whoever takes it.
        if time > WORTHWHILE * self.base {
            return f64::INFINITY;
        }
        self.enter_predicted(Algorithm::Farm, plan, [time; 2])
    }

    /// Enters owners where most grains write words that others have written; the best ratio.
    fn try_owners(&mut self, graph: &Graph, processors: u32) -> f64 {
        if graph.rewrites() < graph.grains() / 2 {
            return f64::INFINITY;
        }
        let ratios =
            PARTS.map(|parts| self.enter(Algorithm::Owners(parts), own(graph, processors, parts)));
        ratios.into_iter().fold(f64::INFINITY, f64::min)
    }

    /// Enters doacross with larger and larger windows, as long as they gain; the best ratio.
    fn try_windows(&mut self, graph: &Graph, processors: u32, bound: f64) -> f64 {
        let mut window = self.grains(LEAST_WINDOW);
        let mut best = f64::INFINITY;
        while window.saturating_mul(processors) <= graph.grains() {
            let ratio = self.try_window(graph, processors, window, Within::Run);
            if ratio >= best {
                break;
            }
            best = ratio;
            if best <= bound * BEST {
                break;
            }
            window = window.saturating_mul(WINDOW_GROWTH);
        }
        best
    }

    /// Enters doacross with windows by level whose words stay in the cache; its ratio.
    fn try_levels(&mut self, graph: &Graph, processors: u32) -> f64 {
        let grains = u64::from(graph.grains());
        let window = (CACHED * grains / graph.words().max(1)).clamp(1, grains) as u32;
        if window.saturating_mul(processors) > graph.grains() {
            return f64::INFINITY;
        }
        self.try_window(graph, processors, window, Within::Levels)
    }

    fn try_window(&mut self, graph: &Graph, processors: u32, grains: u32, within: Within) -> f64 {
        let windows = Windows {
            grains,
            chunks: (CHUNKS * processors).min(grains.div_ceil(self.grains(LEAST_CHUNK))),
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

/// How deep a graph is.
struct Shape {
    levels: u32,
    work: f64,
    parallelism: f64,
}

impl Shape {
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
