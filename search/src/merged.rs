//! Pipelines of more supersteps than the latency allows, merged at the price of copies.

mod mergers;

use superstep_dag::Dag;
use superstep_machine::Machine;
use superstep_schedule::Schedule;
use superstep_scheduler::{Order, Pipeline, ScheduleError, Scheduler, serves};

use self::mergers::Mergers;
use crate::sets::MOST_PROCESSORS;

/// Merged pipeline: the tapered pipeline for a lower latency, in [mergers](Mergers) that are one
/// superstep each. While a pipeline fills and drains, or where the latency is high, no processor
/// waits for others: it computes the values that it needs itself.
///
/// Cost: that of a pipeline, and [`MERGERS`](crate::tunables::MERGERS) steps of one to three
/// nanoseconds for each task and edge at the most.
pub(crate) struct MergedPipeline {
    /// Order whose blocks processors own.
    pub(crate) order: Order,
    /// Factor by which the latency is lower.
    pub(crate) fineness: f64,
}

impl Scheduler for MergedPipeline {
    fn name(&self) -> &'static str {
        "merged-pipeline"
    }

    fn schedule(&self, graph: &Dag, machine: &Machine) -> Result<Schedule, ScheduleError> {
        serves(self, machine, MOST_PROCESSORS)?;
        let pipeline = Pipeline {
            order: self.order,
            tapered: true,
            ..Pipeline::default()
        };
        let finer = Machine {
            latency: machine.latency / self.fineness,
            ..machine.clone()
        };
        let slices = pipeline.schedule(graph, &finer)?;
        Ok(Mergers::new(graph, slices, machine).schedule(graph))
    }
}

#[cfg(test)]
mod tests {
    use superstep_graphs::generate;

    use super::*;
    use crate::tunables::FINENESS;
    use superstep_schedule::{CheckedSchedule, Costs};

    #[test]
    fn merged_pipelines_cost_less_than_tapered_ones_whatever_tasks_are_called() {
        let graph = generate::grid_substitution_by_row(100).expect("it is small");
        let backwards: Vec<u32> = (0..graph.tasks() as u32).rev().collect();
        let renumbered = graph.renumbered(&backwards).expect("it has as many tasks");
        for (processors, latency) in [(4, 1000.0), (16, 100.0), (16, 1000.0)] {
            let machine = Machine {
                latency,
                ..Machine::new(processors)
            };
            let cost = |graph: &Dag, scheduler: &dyn Scheduler| {
                let schedule = scheduler.schedule(graph, &machine).expect("it serves all");
                let schedule = CheckedSchedule::new(graph, schedule).expect("it is valid");
                Costs::of(&schedule, &machine).bsp_cost
            };
            let tapered = Pipeline {
                tapered: true,
                ..Pipeline::default()
            };
            let tapered = cost(&graph, &tapered);
            for (graph, order) in [(&graph, Order::Ids), (&renumbered, Order::DepthFirst)] {
                let all = FINENESS.map(|fineness| cost(graph, &MergedPipeline { order, fineness }));
                let merged = all.into_iter().fold(f64::INFINITY, f64::min);
                assert!(merged < 0.97 * tapered, "{merged}, {tapered}");
            }
        }
    }
}
