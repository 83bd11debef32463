//! DSH: the duplication scheduling heuristic.

use std::{cmp::Reverse, collections::BinaryHeap};

use superstep_dag::Dag;
use superstep_machine::Machine;
use superstep_schedule::Schedule;

use super::timeline::{Timeline, heaviest_paths};
use superstep_scheduler::{ScheduleError, Scheduler, serves};

/// DSH: list scheduling with copies. The ready task with the heaviest path to an output goes to the
/// processor on which it can start first. The time in which that processor would wait for messages
/// may be spent on copies of the tasks whose values come last.
///
/// After B. Kruatrachue and T. Lewis, *Grain size determination for parallel processing* (1988),
/// with which Fujimoto's thesis compares BCSH. Values take `latency + gap x words` between
/// processors. Cost: for each task and processor a look at all copies that are worth it there: for
/// small graphs.
///
/// ```
/// use superstep_graphs::generate;
/// use superstep_machine::Machine;
/// use superstep_schedule::CheckedSchedule;
/// use superstep_scheduler::Scheduler;
/// use superstep_search::rivals::Dsh;
///
/// let graph = generate::lu(8)?;
/// let machine = Machine { latency: 20.0, ..Machine::new(4) };
/// let schedule = Dsh.schedule(&graph, &machine)?;
/// assert!(schedule.task_instances() > graph.tasks()); // it copies
/// CheckedSchedule::new(&graph, schedule)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Dsh;

/// Largest number of copies that are tried for one task.
const MOST_COPIES: usize = 2000;

impl Scheduler for Dsh {
    fn name(&self) -> &'static str {
        "dsh"
    }

    fn schedule(&self, graph: &Dag, machine: &Machine) -> Result<Schedule, ScheduleError> {
        serves(self, machine, Schedule::MOST_PROCESSORS)?;
        let paths = heaviest_paths(graph);
        let tasks = 0..graph.tasks() as u32;
        let mut waiting: Vec<usize> = tasks
            .clone()
            .map(|task| graph.predecessors(task).len())
            .collect();
        let mut ready: BinaryHeap<(u64, Reverse<u32>)> = tasks
            .filter(|&task| waiting[task as usize] == 0)
            .map(|task| (paths[task as usize], Reverse(task)))
            .collect();
        let mut timeline = Timeline::new(graph, machine);
        while let Some((_, Reverse(task))) = ready.pop() {
            schedule_task(&mut timeline, task);
            for &reader in graph.successors(task) {
                waiting[reader as usize] -= 1;
                if waiting[reader as usize] == 0 {
                    ready.push((paths[reader as usize], Reverse(reader)));
                }
            }
        }
        Ok(timeline.into_schedule())
    }
}

/// Puts a task, and the copies that it is worth, where it can be finished first.
fn schedule_task(timeline: &mut Timeline<'_>, task: u32) {
    let from = timeline.placed();
    let mut best = (f64::INFINITY, 0);
    for processor in 0..timeline.processors {
        let free = timeline.free[processor];
        let finish = place_with_copies(timeline, task, processor, best.0, from + MOST_COPIES);
        if finish < best.0 {
            best = (finish, processor);
        }
        timeline.take_back(processor, from, free);
    }
    place_with_copies(timeline, task, best.1, f64::INFINITY, from + MOST_COPIES);
    timeline.publish(from);
}

/// Puts a task at the end of a processor's list, after copies of the tasks that it would wait for
/// longest. Copies are made as long as each lets it start earlier. Returns the time at which it is
/// finished: infinite, with the task to be taken back, where that is not before `limit`.
///
/// Each call that waits for a copy keeps one of the `most` places for its own task, so that calls
/// are no deeper than that.
fn place_with_copies(
    timeline: &mut Timeline<'_>,
    task: u32,
    processor: usize,
    limit: f64,
    most: usize,
) -> f64 {
    let graph = timeline.graph;
    let weight = f64::from(graph.weight(task));
    loop {
        if timeline.free[processor] + weight >= limit {
            return f64::INFINITY;
        }
        let values = graph.predecessors(task).iter();
        let arrivals = values.map(|&value| (timeline.arrival(value, processor), value));
        let latest = arrivals.max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)));
        let Some((arrival, value)) = latest else {
            break;
        };
        let free = timeline.free[processor];
        if arrival <= free || timeline.computes(processor, value) || timeline.placed() >= most {
            break;
        }
        let from = timeline.placed();
        if place_with_copies(timeline, value, processor, arrival, most - 1) == f64::INFINITY {
            timeline.take_back(processor, from, free);
            break;
        }
    }
    let finish = timeline.place(task, processor);
    if finish < limit {
        finish
    } else {
        f64::INFINITY
    }
}
