//! One superstep for each level of the graph: the textbook schedule of wavefronts.

use superstep_dag::Dag;
use superstep_machine::Machine;
use superstep_schedule::Schedule;

use crate::{ScheduleError, Scheduler, by_level::ByLevel, serves};

/// One superstep for each level (longest path to an output), the deepest first; the tasks of a level are dealt in contiguous blocks of
/// equal work.
///
/// Without copies, and without any task that could wait: it has as many supersteps as the longest path has tasks. Cost: linear.
#[derive(Clone, Copy, Debug, Default)]
pub struct Levels;

impl Scheduler for Levels {
    fn name(&self) -> &'static str {
        "levels"
    }

    fn schedule(&self, graph: &Dag, machine: &Machine) -> Result<Schedule, ScheduleError> {
        serves(self, machine, Schedule::MOST_PROCESSORS)?;
        let processors = machine.processors;
        let mut schedule = Schedule::new(processors);
        schedule.reserve(graph.tasks());
        let by_level = ByLevel::new(graph);
        for level in (1..=by_level.deepest()).rev() {
            deal(graph, by_level.tasks(level), processors, &mut schedule);
        }
        Ok(schedule)
    }
}

/// Adds a superstep of `tasks`: the task whose work lies around the fraction x of all goes to processor floor(x P).
fn deal(graph: &Dag, tasks: &[u32], processors: u32, schedule: &mut Schedule) {
    let work: u64 = tasks
        .iter()
        .map(|&task| u64::from(graph.weight(task)))
        .sum();
    let (work, weightless) = if work == 0 {
        (tasks.len() as u64, true)
    } else {
        (work, false)
    };
    let mut before = 0;
    let mut rest = tasks;
    for processor in 0..processors {
        let mut count = 0;
        for &task in rest {
            let weight = if weightless {
                1
            } else {
                u64::from(graph.weight(task))
            };
            let middle = u128::from(2 * before + weight) * u128::from(processors);
            if middle >= u128::from(2 * work) * u128::from(processor + 1)
                && processor + 1 < processors
            {
                break;
            }
            before += weight;
            count += 1;
        }
        let (block, left) = rest.split_at(count);
        schedule.push(block.iter().copied());
        rest = left;
    }
}
