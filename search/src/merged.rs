//! Pipelines of more supersteps than the latency allows, merged at the price of copies.

mod mergers;

use superstep_dag::{Dag, depths};
use superstep_lists::pipeline::{Borders, MOST, Pace, Prices, Sequences, Shape, Tent, lists};
use superstep_machine::Machine;
use superstep_schedule::Schedule;
use superstep_scheduler::{Order, Ranks, ScheduleError, Scheduler, serves};

use self::mergers::Mergers;

/// Steps of a descent for each task and edge.
const EFFORT: u64 = 2000;

/// Cost of sequences for each task, in steps.
const STEPS_OF_SEQUENCES: u64 = 20;

/// Sizes at both ends of the sequential run to begin with.
const ENDS: f64 = 0.15;

/// Factors by which a number changes at first, and at last.
const COARSE: f64 = 1.5;
const FINE: f64 = 1.03;

/// Merged pipeline: tapered pipelines of many small slices, in [mergers](Mergers) that are one
/// superstep each. Where a pipeline of few processors fills and drains, or where the latency is
/// high, no processor waits for others: it computes the values that it needs itself.
///
/// A descent over the numbers of blocks and slices and over their sizes at both ends looks for the
/// cheapest.
///
/// Cost: `EFFORT` steps of one to three nanoseconds for each task and edge at the most.
pub(crate) struct MergedPipeline {
    /// Order whose blocks processors own.
    pub(crate) order: Order,
    /// Blocks for each processor to begin with.
    pub(crate) rounds: f64,
}

impl Scheduler for MergedPipeline {
    fn name(&self) -> &'static str {
        "merged-pipeline"
    }

    fn schedule(&self, graph: &Dag, machine: &Machine) -> Result<Schedule, ScheduleError> {
        serves(self, machine, Mergers::MOST_PROCESSORS)?;
        let blocks = (self.rounds * f64::from(machine.processors)).round();
        let start = Form {
            blocks,
            slices: blocks,
            ends: [ENDS; 2],
        };
        let mut descent = Descent {
            graph,
            machine,
            ranks: self.order.ranks(graph),
            depths: depths(graph),
            steps_left: EFFORT * (graph.tasks() + graph.edges()) as u64,
        };
        Ok(descent.run(start).schedule(graph))
    }
}

/// Form of a pipeline: the numbers that a descent changes.
#[derive(Clone, Copy, PartialEq)]
struct Form {
    blocks: f64,
    /// Slices of each block.
    slices: f64,
    /// Sizes at both ends, of blocks and of slices.
    ends: [f64; 2],
}

impl Form {
    /// Number of ways to change a form.
    const WAYS: usize = 8;

    /// Returns this form with one number changed by a factor.
    fn changed(mut self, way: usize, factor: f64) -> Self {
        let factor = [factor, 1.0 / factor][way % 2];
        match way / 2 {
            0 => self.slices *= factor,
            1 => self.blocks = (self.blocks * factor).round().clamp(1.0, MOST.into()),
            at => self.ends[at - 2] = (self.ends[at - 2] * factor).min(1.0),
        }
        self
    }

    fn shape(self) -> Shape {
        Shape {
            blocks: self.blocks as u32,
            sizes: Tent { ends: self.ends[0] },
            borders: Borders::FewEdges,
        }
    }

    fn pace(self) -> Pace {
        Pace::Parts {
            parts: self.slices,
            sizes: Tent { ends: self.ends[1] },
        }
    }
}

/// Search for the cheapest form.
struct Descent<'a> {
    graph: &'a Dag,
    machine: &'a Machine,
    ranks: Ranks,
    depths: Vec<u32>,
    steps_left: u64,
}

impl Descent<'_> {
    /// Changes one number at a time, for as long as that gains, by smaller and smaller factors.
    fn run(&mut self, start: Form) -> Mergers {
        let mut form = start;
        let mut best = self.mergers(form);
        let mut factor = COARSE;
        while factor > FINE {
            let before = best.cost;
            for way in 0..Form::WAYS {
                let other = form.changed(way, factor);
                if other == form || self.steps_left == 0 {
                    continue;
                }
                let mergers = self.mergers(other);
                if mergers.cost < best.cost {
                    (form, best) = (other, mergers);
                }
            }
            if best.cost == before {
                factor = factor.sqrt();
            }
        }
        best
    }

    fn mergers(&mut self, form: Form) -> Mergers {
        let before = self.graph.before();
        let sequences = Sequences::new(before, &self.ranks, &self.depths, form.shape());
        let prices = Prices {
            processors: self.machine.processors,
            gap: self.machine.gap,
            latency: self.machine.latency,
        };
        let mut slices = Schedule::new(prices.processors);
        lists(&sequences, form.pace(), prices, &mut slices);
        let mergers = Mergers::new(self.graph, slices, self.machine);
        let steps = STEPS_OF_SEQUENCES * self.graph.tasks() as u64 + mergers.steps;
        self.steps_left = self.steps_left.saturating_sub(steps);
        mergers
    }
}

#[cfg(test)]
mod tests {
    use superstep_graphs::generate;

    use super::*;
    use superstep_schedule::{CheckedSchedule, Costs};
    use superstep_scheduler::Pipeline;

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
                let rounds = 2.0;
                let merged = cost(graph, &MergedPipeline { order, rounds });
                assert!(merged < 0.97 * tapered, "{merged}, {tapered}");
            }
        }
    }
}
