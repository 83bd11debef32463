//! Large graphs as graphs of their rows.

use superstep_dag::{Contraction, Dag, intervals};
use superstep_machine::Machine;
use superstep_schedule::Schedule;

use superstep_scheduler::Effort;

use super::Portfolio;
use superstep_scheduler::{ScheduleError, Scheduler};

/// Number of intervals to begin with: rows of LU 512 are whole.
const MOST_GROUPS: usize = 1 << 19;

/// Number of edges between groups above which these are made larger.
const MANY_EDGES: usize = 1_000_000;

/// Scheduler of [intervals] of tasks as one each, by a portfolio.
pub(super) struct Coarse {
    pub(super) effort: Effort,
}

impl Scheduler for Coarse {
    fn name(&self) -> &'static str {
        "coarse"
    }

    fn schedule(&self, graph: &Dag, machine: &Machine) -> Result<Schedule, ScheduleError> {
        let portfolio = Portfolio {
            effort: self.effort,
        };
        let groups = groups(graph);
        let schedule = portfolio.schedule(groups.graph(), machine)?;
        Ok(schedule.expand(&groups))
    }
}

/// Finds groups with few edges between them. Of a large graph none holds more than a 256th, so that
/// there are enough for all processors.
fn groups(graph: &Dag) -> Contraction {
    let mut least = (graph.tasks() / MOST_GROUPS).max(1);
    loop {
        let groups = Contraction::of_intervals(graph, &intervals(graph, least as u32));
        least *= 4;
        if groups.graph().edges() <= MANY_EDGES || least > graph.tasks() >> 14 {
            return groups;
        }
    }
}

#[cfg(test)]
mod tests {
    use superstep_graphs::generate;

    use super::*;
    use superstep_schedule::{CheckedSchedule, Costs};

    #[test]
    fn rows_are_scheduled_as_one_and_cost_little_more() {
        let graph = generate::lu(64).expect("it is small");
        assert!(groups(&graph).graph().tasks() < graph.tasks() / 15);
        for processors in [2, 3, 8] {
            let machine = Machine {
                latency: 100.0,
                ..Machine::new(processors)
            };
            let cost = |scheduler: &dyn Scheduler| {
                let schedule = scheduler.schedule(&graph, &machine).expect("it serves all");
                let schedule = CheckedSchedule::new(&graph, schedule).expect("it is valid");
                Costs::of(&schedule, &machine).bsp_cost
            };
            let effort = Effort::Fast;
            let (rows, tasks) = (cost(&Coarse { effort }), cost(&Portfolio { effort }));
            assert!(rows < 1.5 * tasks, "P = {processors}: {rows}, {tasks}");
        }
    }
}
