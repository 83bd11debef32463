//! The choice among plans: which one is the best, and which are worth timing.

use crate::{
    Algorithm, Candidate, Costs, Graph, Plan, ProofError, Proved, Report, Track, TrackError,
    contest::contest,
    doacross::doacross,
    farm::{self, farm},
    grow_local::grow_local,
    levels::levels,
    owners::owners,
    pipeline::pipeline,
    prediction::predict_both,
    proof::prove_after,
};

/// Plans of one kernel that are worth timing, at most: the best of two algorithms.
///
/// The experiment is 30 plans of five real matrices. On 4 of 16 cores they then took 0.62 of the
/// function in place of 0.66, and loaded ones 0.81 in place of 0.89. They took 44 calls to plan in
/// place of 36. On 8 cores they took 0.45 as before, as the other work of that machine decided
/// more.
pub const RIVALS: usize = 2;
/// The longest time of a rival in place, as predicted over the time in order. One that is predicted
/// to gain loaded may take any: the first calls give it up.
///
/// By the clock of 16 cores, four of 6 plans by grow-local gained that were predicted from 1 to
/// 1.3. Beyond it three of 13 did. Two of the four took 0.65 in place of 1.01, and 0.63 in place of
/// 1.27.
pub const UNLIKELY: f64 = 1.3;
/// The longest time of a rival, as predicted over that of the best.
///
/// By the clock of 16 cores, of 61 plans by grow-local that were predicted within it 16 were faster
/// than the best. Of 7 beyond it there were none. Of 149 second plans on eight real matrices it
/// leaves out 43, which would be proved and loaded.
const BEHIND: f64 = 1.4;

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
        /// Number of processors that were asked for.
        processors: u32,
    },
}

/// Tracks a kernel, chooses the plan that is predicted to be fastest, and proves it. It is in order
/// where no other can pay for itself within so many `calls`; `u64::MAX` is no limit.
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
/// let (proved, report) = plan(&Strides, 2, &Costs::default(), 10_000)?;
/// assert!(report.chosen().ratio < 0.8);
/// assert_eq!(proved.plan().order.processors(), 2);
///
/// let (proved, report) = plan(&Strides, 2, &Costs::default(), 3)?;
/// assert_eq!(proved.plan().order.processors(), 1);
/// let [_, least] = report.unpaid.expect("three calls gain less than scheduling takes");
/// assert!(least > 3);
/// # Ok::<(), superstep_planner::PlanError>(())
/// ```
pub fn plan(
    track: &dyn Track,
    processors: u32,
    costs: &Costs,
    calls: u64,
) -> Result<(Proved, Report), PlanError> {
    check(processors, costs)?;
    let graph = Graph::new(track, costs)?;
    let (plan, report) = fastest(&graph, processors, costs, calls);
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
    calls: u64,
) -> Result<Vec<(Proved, Report)>, PlanError> {
    check(processors, costs)?;
    let graph = Graph::new(track, costs)?;
    let rivals = worth_timing(&graph, processors, costs, calls);
    drop(graph);
    let proved = rivals
        .into_iter()
        .map(|(plan, report)| Ok((prove_after(true, track, plan)?, report)));
    proved.collect()
}

/// Chooses the fastest plan, as predicted: in order, a farm, doacross with windows of several
/// sizes, owners, levels, grow-local, or a pipeline.
///
/// # Errors
/// If there is no such number of processors, or costs are none.
pub fn choose(graph: &Graph, processors: u32, costs: &Costs) -> Result<(Plan, Report), PlanError> {
    check(processors, costs)?;
    Ok(fastest(graph, processors, costs, u64::MAX))
}

fn fastest(graph: &Graph, processors: u32, costs: &Costs, calls: u64) -> (Plan, Report) {
    let (best, report) = contest(graph, processors, costs, 0.0, calls);
    let sequential = || Plan::sequential(graph.boundaries().clone());
    let plan = best.into_iter().next().map(|(plan, _)| plan);
    (plan.unwrap_or_else(sequential), report)
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
    check(processors, costs)?;
    let (_, mut report) = contest(graph, processors, costs, 0.0, u64::MAX);
    let plan = match algorithm {
        Algorithm::Sequential => Plan::sequential(graph.boundaries().clone()),
        Algorithm::Farm => farm(graph, processors, costs),
        Algorithm::Doacross(windows) => doacross(graph, processors, windows),
        Algorithm::Levels => levels(graph, processors),
        Algorithm::GrowLocal => grow_local(graph, processors, costs),
        Algorithm::Pipeline => pipeline(graph, processors, costs),
        Algorithm::Owners(parts) => owners(graph, processors, parts),
    };
    let times = match algorithm {
        Algorithm::Sequential => Some([report.nanoseconds; 2]),
        Algorithm::Farm => Some(farm::predict(&plan, graph, processors, costs)),
        _ => predict_both(&plan, graph, costs),
    };
    let times = times.unwrap_or([f64::INFINITY; 2]);
    let [ratio, loaded] = times.map(|time| time / report.nanoseconds);
    let candidate = Candidate {
        algorithm,
        ratio,
        loaded,
        chunks: plan.grains.len(),
        waits: plan.order.waits.items.len(),
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

/// Returns the plans that are worth timing, each with a report that calls it chosen. They are the
/// one that is predicted to be fastest in place, and another one that is predicted to be fastest
/// loaded.
///
/// They are of different algorithms, each with its best plan in place, as it is algorithms that
/// predictions are wrong about. What is predicted for grow-local holds, so that it is alone where
/// it is the best. The plan in order is there only if it is alone.
///
/// Times over the function, for 22 patterns and two processors:
///
/// | loaded | so | with the two that are fastest in place |
/// |---|---|---|
/// | solves | 0.81 | 0.83 |
/// | backward solves | 0.82 | 0.82 |
/// | sweeps | 0.79 | 0.82 |
///
/// On a 5-point grid of 600^2 solves take 0.41 in place of 0.53. Planning one takes 43 calls in
/// place of 40.
///
/// # Errors
/// As [`choose`].
pub fn rivals(
    graph: &Graph,
    processors: u32,
    costs: &Costs,
) -> Result<Vec<(Plan, Report)>, PlanError> {
    check(processors, costs)?;
    Ok(worth_timing(graph, processors, costs, u64::MAX))
}

fn worth_timing(graph: &Graph, processors: u32, costs: &Costs, calls: u64) -> Vec<(Plan, Report)> {
    let (best, report) = contest(graph, processors, costs, UNLIKELY, calls);
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
    rivals.into_iter().map(of).collect()
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
