//! Multilevel search: coarsen, solve, refine.

use superstep_dag::Dag;
use superstep_machine::Machine;
use superstep_schedule::Schedule;
use superstep_scheduler::{Effort, Order, ScheduleError, Scheduler, Serial};

use super::{
    Portfolio,
    coarsening::Shape,
    entrants,
    pool::Pool,
    refinement::{Refinement, fitting},
};
use crate::tunables::{
    FEW, FEWEST_TASKS, HIGHER, MANY_SUPERSTEPS, MEDIUM, MOLTEN, QUIET, SMALL, STARTS_OF_GROUPS,
    WARM,
};

/// Scheduler of groups of tasks as one task each.
pub(super) struct Multilevel {
    /// Groups that take the place of tasks.
    pub(super) shape: Shape,
    /// Schedule of the groups to begin with.
    pub(super) solution: Solution,
    /// Steps of annealing from there, for each task and edge of the graph of tasks.
    pub(super) steps: u64,
}

/// Schedule of the groups to begin with.
#[derive(Clone)]
pub(super) enum Solution {
    /// Best of a whole portfolio.
    Portfolio(Effort),
    /// Best of all that a portfolio of most effort has, but for its annealing. It may be molten.
    Entrants { is_molten: bool },
    /// Schedule of the tasks, which parts groups that it does not keep together.
    Schedule(Schedule),
}

impl Scheduler for Multilevel {
    fn name(&self) -> &'static str {
        "multilevel"
    }

    fn schedule(&self, graph: &Dag, machine: &Machine) -> Result<Schedule, ScheduleError> {
        if graph.ids_are_topological() {
            return self.in_order(graph, machine, &self.solution);
        }
        let walk = Order::DepthFirst.ranks(graph);
        let tasks = 0..graph.tasks() as u32;
        let numbers: Vec<u32> = tasks.map(|task| walk.rank(task)).collect();
        let graph = graph.renumbered(&numbers).expect("each task has a rank");
        let solution = match self.solution.clone() {
            Solution::Schedule(schedule) => {
                Solution::Schedule(schedule.renumbered(|task| walk.rank(task)))
            }
            solution => solution,
        };
        let schedule = self.in_order(&graph, machine, &solution)?;
        Ok(schedule.renumbered(|task| walk.task(task)))
    }
}

impl Multilevel {
    /// Returns the schedule of a graph whose ids are an order of a run.
    fn in_order(
        &self,
        graph: &Dag,
        machine: &Machine,
        solution: &Solution,
    ) -> Result<Schedule, ScheduleError> {
        let size = graph.tasks() + graph.edges();
        let steps = self.steps * size as u64;
        let mut groups = self.shape.groups(graph, machine)?;
        let best = match solution {
            &Solution::Portfolio(effort) => {
                Portfolio { effort }.schedule(groups.graph(), machine)?
            }
            Solution::Entrants { .. } if FEWEST_TASKS * groups.graph().tasks() > graph.tasks() => {
                return Serial.schedule(graph, machine);
            }
            &Solution::Entrants { is_molten } => {
                let mut pool = entrants::all(groups.graph(), machine)?;
                let is_in_seconds = size <= SMALL || size > MEDIUM && machine.processors <= FEW;
                let other = if is_in_seconds {
                    None
                } else {
                    with_fewer_supersteps(&pool)?
                };
                let heat = if is_molten { MOLTEN } else { WARM };
                Refinement::of_groups(steps, STARTS_OF_GROUPS, heat).run(&mut pool, other);
                pool.into_best()
            }
            Solution::Schedule(schedule) => {
                let start;
                (groups, start) = schedule.contract(graph, groups.groups());
                let mut pool = Pool::new(groups.graph(), machine)?;
                pool.offer_found(&[start], Schedule::clone);
                let is_tile = matches!(self.shape, Shape::Tile { .. });
                // Pieces of pipelines have not been annealed before.
                let heat = if is_tile { QUIET } else { WARM };
                Refinement::of_groups(steps, 1, heat).run(&mut pool, None);
                pool.into_best()
            }
        };
        Ok(best.expand(&groups))
    }
}

/// Returns the best schedule for a higher latency, and the machine that has it. There is none where
/// the best of the pool has few supersteps, or for two processors, which are even from the
/// beginning.
///
/// No move of one task leaves a superstep empty, and once moves have made loads even, fewer
/// supersteps pay than before.
fn with_fewer_supersteps(pool: &Pool<'_>) -> Result<Option<(Schedule, Machine)>, ScheduleError> {
    let supersteps = fitting(pool).next().map_or(0, |best| best.supersteps());
    if supersteps < MANY_SUPERSTEPS || pool.machine.processors < 3 {
        return Ok(None);
    }
    let machine = Machine {
        latency: HIGHER * pool.machine.latency,
        ..pool.machine.clone()
    };
    let found = entrants::all(pool.graph, &machine)?;
    let best = fitting(&found).next();
    Ok(best.map(|best| (best, machine.clone())))
}

#[cfg(test)]
mod tests {
    use superstep_graphs::generate;
    use superstep_scheduler::Pipeline;

    use super::*;
    use superstep_schedule::{CheckedSchedule, Costs};

    fn cost(graph: &Dag, scheduler: &dyn Scheduler, machine: &Machine) -> f64 {
        let schedule = scheduler.schedule(graph, machine).expect("it serves all");
        let schedule = CheckedSchedule::new(graph, schedule).expect("it is valid");
        Costs::of(&schedule, machine).bsp_cost
    }

    #[test]
    fn rows_are_scheduled_as_one_and_cost_little_more() {
        let graph = generate::lu(64).expect("it is small");
        for processors in [2, 3, 8] {
            let machine = Machine {
                latency: 100.0,
                ..Machine::new(processors)
            };
            let effort = Effort::Fast;
            let rows = Multilevel {
                shape: Shape::Row,
                solution: Solution::Portfolio(effort),
                steps: 0,
            };
            let rows = cost(&graph, &rows, &machine);
            let tasks = cost(&graph, &Portfolio { effort }, &machine);
            assert!(rows < 1.5 * tasks, "P = {processors}: {rows}, {tasks}");
        }
    }

    /// Returns the search of groups of that shape from nothing.
    fn of_shape(shape: Shape) -> Multilevel {
        Multilevel {
            shape,
            solution: Solution::Entrants { is_molten: false },
            steps: 50,
        }
    }

    #[test]
    fn tiles_of_lu_cost_less_than_tasks_whatever_these_are_called() {
        let graph = generate::lu(32).expect("it is small");
        let backwards: Vec<u32> = (0..graph.tasks() as u32).rev().collect();
        let renumbered = graph.renumbered(&backwards).expect("it has as many tasks");
        let machine = Machine {
            latency: 100.0,
            ..Machine::new(4)
        };
        let tiled = of_shape(Shape::Tile { path: 2, side: 4 });
        let effort = Effort::Balanced;
        let tasks = cost(&graph, &Portfolio { effort }, &machine);
        for graph in [&graph, &renumbered] {
            let tiles = cost(graph, &tiled, &machine);
            assert!(tiles < tasks, "{tiles}, {tasks}");
        }
    }

    #[test]
    fn pieces_of_a_grid_cost_less_than_its_pipeline_where_latency_is_high() {
        let graph = generate::grid_substitution_by_row(100).expect("it is small");
        let machine = Machine {
            latency: 1000.0,
            ..Machine::new(8)
        };
        let pieces = cost(&graph, &of_shape(Shape::Piece { owners: 20 }), &machine);
        let pipeline = cost(&graph, &Pipeline::default(), &machine);
        assert!(pieces < pipeline, "{pieces}, {pipeline}");
    }
}
