//! The choice among plans, and the report about it.

use std::mem;

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
/// Windows in run order are good enough within this factor of what no plan can beat: then none are
/// ordered by level.
const ENOUGH: f64 = 1.5;
/// Windows are no longer ordered by level once that took so many times as long as run order.
///
/// That leaves out 44 of 462 windows for two processors (16 real matrices, six kernels), none of which
/// was the best. A factor of 1 leaves out 94, and 8 problems then have a best window that is predicted
/// to take up to 1.2 times as long.
const WORSE: f64 = 1.05;
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
/// The longest time of a rival, as predicted over the time in order.
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
    let time = match algorithm {
        Algorithm::Sequential => Some(report.nanoseconds),
        Algorithm::Farm => Some(farm::predict(&plan, graph, processors, costs)),
        _ => predict(&plan, graph, costs),
    };
    let candidate = Candidate {
        algorithm,
        ratio: time.unwrap_or(f64::INFINITY) / report.nanoseconds,
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

/// Returns the plans that are worth timing, the one that is predicted to be fastest first, each with
/// a report that calls it chosen.
///
/// They are of different algorithms, as it is algorithms that predictions are wrong about; what is
/// predicted for grow-local holds, so that it is alone where it is the best. The plan in order is
/// there only if it is alone.
///
/// # Errors
/// As [`choose`].
pub fn rivals(
    graph: &Graph,
    processors: u32,
    costs: &Costs,
) -> Result<Vec<(Plan, Report)>, PlanError> {
    let (best, report) = contest(graph, processors, costs, UNLIKELY)?;
    let most = UNLIKELY.min(BEHIND * report.chosen().ratio);
    let algorithm = |position: usize| report.candidates[position].algorithm;
    let is_worthwhile = |&(_, position): &(Plan, usize)| {
        algorithm(position) != Algorithm::Sequential && report.candidates[position].ratio <= most
    };
    let (mut rivals, mut others): (Vec<_>, Vec<_>) = best.into_iter().partition(is_worthwhile);
    rivals.truncate(match rivals.first() {
        // Its predictions hold or are too long, those of the others are too short.
        Some(&(_, position)) if algorithm(position) == Algorithm::GrowLocal => 1,
        _ => RIVALS,
    });
    if rivals.is_empty() {
        others.retain(|&(_, position)| algorithm(position) == Algorithm::Sequential);
        rivals = others;
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
        }
        if best > bound * CLOSE && (best <= HOPELESS || best.is_infinite()) {
            // If there is nothing else, the report tells how it compares.
            let others = best.is_finite().then_some(best.min(1.0));
            let most = others.map_or(best, |best| slow.max(best * GIVEN_UP) * shape.work);
            if let Some(grown) = grow_within(graph, processors, costs, most) {
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
        let time = predict_with(&plan, &crossings, self.work, self.costs).unwrap_or(f64::INFINITY);
        self.enter_predicted(algorithm, plan, time)
    }

    /// Enters a plan with its predicted time in nanoseconds; returns its time over that in order.
    fn enter_predicted(&mut self, algorithm: Algorithm, plan: Plan, time: f64) -> f64 {
        let ratio = time / self.base;
        self.candidates.push(Candidate {
            algorithm,
            ratio,
            chunks: plan.chunks.len() - 1,
            waits: plan.waits.len(),
        });
        let position = self.candidates.len() - 1;
        let kind = mem::discriminant(&algorithm);
        let candidates = &self.candidates;
        let mut same = self.best.iter_mut();
        match same.find(|best| mem::discriminant(&candidates[best.1].algorithm) == kind) {
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
        self.enter_predicted(Algorithm::Farm, plan, time)
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
        let mean = self.base / f64::from(graph.grains());
        let grains = |waits: f64| (waits * self.costs.wait / mean).ceil().max(1.0) as u32;
        let mut window = grains(LEAST_WINDOW);
        let mut best = f64::INFINITY;
        let mut orders = &[Within::Run, Within::Levels][..];
        while window.saturating_mul(processors) <= graph.grains() {
            let mut ratio = f64::INFINITY;
            for &within in orders {
                // All grains but the first of a window jump.
                let jumps = f64::from(graph.grains()) * self.costs.jump / self.base;
                let least = bound + jumps / f64::from(processors);
                if within == Within::Levels && least >= ratio.min(best) {
                    continue;
                }
                let windows = Windows {
                    grains: window,
                    chunks: (CHUNKS * processors).min(window.div_ceil(grains(LEAST_CHUNK))),
                    within,
                };
                let dealt = deal(graph, processors, windows);
                let found = self.enter(Algorithm::Doacross(windows), dealt);
                if within == Within::Levels && found >= ratio * WORSE {
                    orders = &[Within::Run];
                }
                ratio = ratio.min(found);
                if ratio <= bound * ENOUGH {
                    break;
                }
            }
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
