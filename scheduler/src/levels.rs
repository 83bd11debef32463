//! One superstep for each level of the graph: the textbook schedule of wavefronts.

use superstep_dag_builder::{TaskGraph, levels};
use superstep_machine::Machine;

use crate::{Schedule, ScheduleError, Scheduler};

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

    fn schedule(&self, graph: &TaskGraph, machine: &Machine) -> Result<Schedule, ScheduleError> {
        let processors = machine.processors.max(1);
        let mut schedule = Schedule::new(processors);
        schedule.tasks.reserve_exact(graph.tasks());
        for level in by_level(graph).iter() {
            deal(graph, level, processors, &mut schedule);
        }
        Ok(schedule)
    }
}

/// The tasks of each level, the deepest level first, each in topological order.
struct ByLevel {
    starts: Vec<u32>,
    tasks: Vec<u32>,
}

impl ByLevel {
    fn iter(&self) -> impl Iterator<Item = &[u32]> {
        self.starts
            .windows(2)
            .map(|range| &self.tasks[range[0] as usize..range[1] as usize])
    }
}

fn by_level(graph: &TaskGraph) -> ByLevel {
    let levels = levels(graph);
    let deepest = levels.iter().copied().max().unwrap_or(0);
    // Counts stand two places on, so that starts stand one place on, where they turn into ends as the levels fill.
    let mut starts = vec![0; deepest as usize + 2];
    for &level in &levels {
        starts[(deepest - level) as usize + 2] += 1;
    }
    for at in 2..starts.len() {
        starts[at] += starts[at - 1];
    }
    let mut tasks = vec![0; graph.tasks()];
    for task in graph.topological() {
        let end = &mut starts[(deepest - levels[task as usize]) as usize + 1];
        tasks[*end as usize] = task;
        *end += 1;
    }
    starts.pop();
    ByLevel { starts, tasks }
}

/// Adds a superstep of `tasks`: the task whose work lies around the fraction x of all goes to processor floor(x P).
fn deal(graph: &TaskGraph, tasks: &[u32], processors: u32, schedule: &mut Schedule) {
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
