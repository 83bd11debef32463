//! Rounds of multilevel search, from coarse groups to fine ones.

use superstep_scheduler::{Order, ScheduleError};

use super::{
    coarsening::any_group_counts,
    entrants::Entrant,
    multilevel::{Multilevel, Solution},
    pool::Pool,
    refinement::fitting,
};
use crate::{
    merged::MergedPipeline,
    tunables::{
        CLEARLY, FEW, FINENESS, FINER_PIECES, LARGE_ROUNDS, MEDIUM, MEDIUM_ROUNDS, PIECES,
        ROUNDS_OF_FEW, ROUNDS_OF_VERY_FEW, Round, Rounds, SEARCHED, SMALL, STARTS_OF_ROUND,
        VERY_FEW,
    },
};

/// Offers the schedules that searches of groups find, with most effort. Returns whether they are so
/// good, and the graph so large, that tasks are not worth a search.
///
/// Tiles come first. Where they gain nothing, pipelines whose supersteps are merged do, and pieces
/// of pipelines.
pub(super) fn run(pool: &mut Pool<'_>) -> Result<bool, ScheduleError> {
    let (graph, processors) = (pool.graph, pool.machine.processors);
    if graph.edges() > SEARCHED || !any_group_counts(graph) {
        return Ok(false);
    }
    let known = pool.least_cost();
    let size = graph.tasks() + graph.edges();
    let is_medium = size <= MEDIUM;
    let Rounds { coarse, mut finer } = match size {
        ..=MEDIUM => MEDIUM_ROUNDS,
        _ if processors <= VERY_FEW => ROUNDS_OF_VERY_FEW,
        _ if processors <= FEW => ROUNDS_OF_FEW,
        _ => LARGE_ROUNDS,
    };
    let mut enough = CLEARLY * known;
    let is_molten = is_medium && processors <= FEW && size > SMALL;
    offer(pool, coarse, &[Solution::Entrants { is_molten }])?;
    if pool.least_cost() >= known {
        finer = &[];
        if is_medium {
            offer_pipelines(pool)?;
            let is_merged = pool.least_cost() < known;
            if is_merged || is_deep(pool) {
                if !is_merged {
                    offer(pool, PIECES, &[Solution::Entrants { is_molten: false }])?;
                }
                // Where pieces gain, cuts between levels do not, and there is no time for them.
                (finer, enough) = (FINER_PIECES, known);
            }
        }
    }
    for round in finer.chunks(1).filter(|_| size > SMALL) {
        let before = pool.least_cost();
        let starts = (0..STARTS_OF_ROUND).map_while(|place| pool.get(place).cloned());
        let starts: Vec<Solution> = starts.map(Solution::Schedule).collect();
        offer(pool, round, &starts)?;
        if pool.least_cost() == before {
            break;
        }
    }
    Ok(size > SMALL && pool.least_cost() < enough)
}

/// Returns whether the best of a pool has as many supersteps as a pipeline takes to reach its last
/// processor and to end. Where it has fewer, pieces of pipelines gain nothing; where it has as
/// many, fine ones may where coarse ones do not.
fn is_deep(pool: &Pool<'_>) -> bool {
    let best = fitting(pool).next();
    best.is_some_and(|best| best.supersteps() >= 2 * pool.machine.processors as usize)
}

/// Offers pipelines whose supersteps are merged.
fn offer_pipelines(pool: &mut Pool<'_>) -> Result<(), ScheduleError> {
    let machine = pool.machine;
    let order = if pool.graph.ids_are_topological() {
        Order::Ids
    } else {
        Order::DepthFirst
    };
    let pipelines = FINENESS.map(|fineness| -> Entrant {
        let pipeline = MergedPipeline { order, fineness };
        (Box::new(pipeline), machine.clone())
    });
    pool.offer_all(&pipelines)
}

/// Offers the schedules that are found by these rounds, side by side, from each of these solutions.
fn offer(
    pool: &mut Pool<'_>,
    rounds: &[Round],
    solutions: &[Solution],
) -> Result<(), ScheduleError> {
    let machine = pool.machine;
    let searches = rounds.iter().flat_map(|&(shape, steps)| {
        solutions.iter().map(move |solution| -> Entrant {
            let search = Multilevel {
                shape,
                solution: solution.clone(),
                steps,
            };
            (Box::new(search), machine.clone())
        })
    });
    pool.offer_all(&searches.collect::<Vec<_>>())
}
