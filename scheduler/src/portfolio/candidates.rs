//! What the cheap schedulers find.

use superstep_machine::Machine;

use super::{Effort, pool::Pool};
use crate::{
    Bcsh, BspGreedy, Cuts, GrowLocal, Order, Pipeline, ScheduleError, Scheduler, TreeAlgorithm,
};

/// Edges up to which a scheduler runs for several machines.
fn few_edges(effort: Effort) -> usize {
    match effort {
        Effort::Fast => 30_000,
        Effort::Balanced => 150_000,
        Effort::Thorough => 3_000_000,
    }
}

/// Edges above which every effort does what the least does.
const MANY_EDGES: usize = 10_000_000;

/// Offers what this effort runs and the one before does not.
pub(super) fn collect(pool: &mut Pool<'_>, effort: Effort) -> Result<(), ScheduleError> {
    let edges = pool.graph.edges();
    if effort == Effort::Fast {
        offer(pool, &GrowLocal::default(), pool.machine)?;
        offer_tree(pool)?;
        if edges <= MANY_EDGES / 4 {
            offer_bcsh(pool, 1.0, pool.machine.processors)?;
        }
    } else if effort == Effort::Balanced && edges > MANY_EDGES / 4 {
        offer_bcsh(pool, 1.0, pool.machine.processors)?;
    }
    if effort > Effort::Fast
        && edges <= MANY_EDGES / 4
        && pool.machine.processors <= Cuts::MOST_PROCESSORS
    {
        let cuts = if effort == Effort::Balanced {
            Cuts::BALANCED
        } else {
            Cuts::THOROUGH
        };
        offer(pool, &cuts, pool.machine)?;
    }
    if effort > Effort::Fast && edges <= MANY_EDGES / 4 {
        let order = if effort == Effort::Balanced {
            Order::Ids
        } else {
            Order::DepthFirst
        };
        let pipeline = Pipeline {
            order,
            ..Pipeline::default()
        };
        offer(pool, &pipeline, pool.machine)?;
    }
    let was_few = match effort {
        Effort::Fast => false,
        Effort::Balanced => edges <= few_edges(Effort::Fast),
        Effort::Thorough => edges <= few_edges(Effort::Balanced),
    };
    if edges <= few_edges(effort) && !was_few {
        several(pool)?;
    }
    Ok(())
}

/// Other orders, other boundary costs, fewer processors.
fn several(pool: &mut Pool<'_>) -> Result<(), ScheduleError> {
    for order in [Order::DepthFirst, Order::Levels] {
        offer(pool, &GrowLocal { order }, pool.machine)?;
    }
    for order in [Order::Ids, Order::Levels] {
        offer(pool, &BspGreedy { order }, pool.machine)?;
    }
    let mut processors = pool.machine.processors;
    while processors > 1 {
        for boundary in [0.0, 0.3, 2.0, 4.0] {
            offer_bcsh(pool, boundary, processors)?;
        }
        processors /= 2;
        if processors > 1 {
            offer_bcsh(pool, 1.0, processors)?;
        }
    }
    Ok(())
}

/// BCSH for boundaries that cost `boundary` latencies.
fn offer_bcsh(pool: &mut Pool<'_>, boundary: f64, processors: u32) -> Result<(), ScheduleError> {
    if processors > Bcsh::MOST_PROCESSORS {
        return Ok(());
    }
    let machine = Machine {
        processors,
        tau: Some(boundary * pool.machine.latency),
        ..pool.machine.clone()
    };
    offer(pool, &Bcsh::default(), &machine)
}

/// ALG3*, if the graph is a complete binary tree.
fn offer_tree(pool: &mut Pool<'_>) -> Result<(), ScheduleError> {
    let machine = Machine {
        tau: Some(pool.machine.latency),
        ..pool.machine.clone()
    };
    offer(pool, &TreeAlgorithm::Alg3Star, &machine)
}

/// What `scheduler` finds for a machine that may have fewer processors.
fn offer(
    pool: &mut Pool<'_>,
    scheduler: &impl Scheduler,
    machine: &Machine,
) -> Result<(), ScheduleError> {
    let schedule = match scheduler.schedule(pool.graph, machine) {
        Ok(schedule) => schedule,
        // Too many copies to count, which is never the best, or no graph of its shape.
        Err(ScheduleError::Instances { .. } | ScheduleError::NoCompleteTree { .. }) => {
            return Ok(());
        }
        Err(error) => return Err(error),
    };
    pool.offer(schedule.widened(pool.machine.processors));
    Ok(())
}
