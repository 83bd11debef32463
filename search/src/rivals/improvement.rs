//! Local search from a greedy schedule.

use superstep_dag::Dag;
use superstep_machine::Machine;
use superstep_schedule::Schedule;
use superstep_scheduler::{GrowLocal, Order, ScheduleError, Scheduler, Serial, priced, serves};

use crate::{
    search::{anneal::Annealing, assignment::Assignment, cost::Energy, moves},
    sets::MOST_PROCESSORS,
};

/// Steps of a search for each task and edge.
const STEPS: u64 = 300;

/// Hill climbing on the true BSP cost, from the best of some greedy schedules. Of random moves of
/// tasks and copies those stay that do not raise the cost: annealing without heat.
///
/// Cost: 300 steps of 20 to 200 nanoseconds for each task and edge; up to 64 processors.
#[derive(Clone, Copy, Debug, Default)]
pub struct HillClimb;

/// Copies in place of messages, from the best of some greedy schedules. Whole supersteps are merged
/// into the ones before, and single values are computed where they are needed, where that lowers
/// the BSP cost. No task leaves its processor.
///
/// Cost as for [`HillClimb`].
#[derive(Clone, Copy, Debug, Default)]
pub struct CopyInsertion;

impl Scheduler for HillClimb {
    fn name(&self) -> &'static str {
        "hill-climb"
    }

    fn schedule(&self, graph: &Dag, machine: &Machine) -> Result<Schedule, ScheduleError> {
        serves(self, machine, MOST_PROCESSORS)?;
        improve(graph, machine, false)
    }
}

impl Scheduler for CopyInsertion {
    fn name(&self) -> &'static str {
        "copy-insertion"
    }

    fn schedule(&self, graph: &Dag, machine: &Machine) -> Result<Schedule, ScheduleError> {
        serves(self, machine, MOST_PROCESSORS)?;
        improve(graph, machine, true)
    }
}

/// Improves the best greedy schedule by all moves, or by copies alone.
fn improve(graph: &Dag, machine: &Machine, by_copies: bool) -> Result<Schedule, ScheduleError> {
    let (least, start) = best_greedy(graph, machine)?;
    if graph.tasks() == 0 || !Assignment::has_room_for(&start) {
        return Ok(start);
    }
    let mut assignment = Assignment::of(graph, &start, machine, 1);
    // So cold that nothing that raises the cost is accepted.
    let cold = f64::MIN_POSITIVE;
    let climb = Annealing {
        energy: Energy::of_cost(machine),
        hot: cold,
        cold,
        ramp: 0.0,
        steps: STEPS * (graph.tasks() + graph.edges()) as u64,
        seed: 0,
    };
    if by_copies {
        moves::merge_supersteps(&mut assignment, &climb.energy);
        climb.run(&mut assignment, moves::random_copy);
    } else {
        climb.run(&mut assignment, moves::random_move);
    }
    let (cost, found) = priced(graph, machine, assignment.schedule());
    Ok(if cost < least { found } else { start })
}

/// Returns the cheapest of some greedy schedules and the serial one, with its cost.
fn best_greedy(graph: &Dag, machine: &Machine) -> Result<(f64, Schedule), ScheduleError> {
    let mut best = priced(graph, machine, Serial.schedule(graph, machine)?);
    for order in [Order::Ids, Order::DepthFirst, Order::Levels] {
        let schedule = GrowLocal { order }.schedule(graph, machine)?;
        let priced = priced(graph, machine, schedule);
        if priced.0 < best.0 {
            best = priced;
        }
    }
    Ok(best)
}
