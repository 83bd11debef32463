//! Loop over layers: it decides how many levels make a superstep.

use std::collections::HashMap;

use superstep_dag::Dag;
use superstep_machine::Machine;
use superstep_schedule::Schedule;
use superstep_scheduler::{ScheduleError, Scheduler};

use super::{
    Bcsh, Layer,
    by_level::ByLevel,
    groups::{Groups, TaskClasses},
    rewind::Rewind,
};
use crate::{lists::schedule_copies, sets::MOST_PROCESSORS};

/// Returns the schedule of `graph`, and its layers, the last superstep first.
///
/// # Errors
/// When there are too many task instances.
pub(super) fn schedule(
    bcsh: &Bcsh,
    graph: &Dag,
    machine: &Machine,
    mut observe: impl FnMut(usize),
) -> Result<(Schedule, Vec<Layer>), ScheduleError> {
    let by_level = ByLevel::new(graph);
    let mut finished = Finished::new(graph.tasks());
    let mut layers = Vec::new();
    // Work of the levels from this one on.
    let mut work_left = graph.total_work();
    let mut tasks_done = 0;
    let mut level = 1;
    while level <= by_level.deepest() {
        let (mut groups, last) = collect(
            graph,
            machine,
            &by_level,
            level,
            work_left,
            &mut finished.classes,
        );
        let processors = if bcsh.processor_saving {
            groups.weights().fewest_processors(machine.processors)
        } else {
            machine.processors
        };
        let (owners, load) = groups.deal(processors);
        let tasks = by_level.tasks_of(level..=last);
        finished.finish(tasks, &mut groups, &owners);
        work_left -= tasks
            .iter()
            .map(|&task| u64::from(graph.weight(task)))
            .sum::<u64>();
        layers.push(Layer {
            levels: level as u32..=last as u32,
            groups: owners.len(),
            weight: groups.weights().sum,
            load,
            processors: owners
                .iter()
                .fold(0u64, |set, &(_, place)| set | 1 << place)
                .count_ones(),
        });
        level = last + 1;
        tasks_done += tasks.len();
        observe(tasks_done);
    }
    let schedule = finished.schedule(
        bcsh.name(),
        graph,
        machine.processors,
        &by_level.levels,
        &layers,
    )?;
    Ok((schedule, layers))
}

/// Returns the groups of the layer that starts at level `first`, and its last level.
fn collect(
    graph: &Dag,
    machine: &Machine,
    by_level: &ByLevel,
    first: usize,
    work_left: u64,
    classes: &mut TaskClasses,
) -> (Groups, usize) {
    let processors = machine.processors;
    let fraction = |work: u64| work as f64 / f64::from(processors);
    let mut groups = Groups::new(graph, by_level.tasks(first), classes);
    let after_first = work_left - groups.weights().sum;
    let always_balanced = (after_first as f64) < fraction(after_first) + machine.tau();
    let mut take_in = |groups: &mut Groups, level: usize, threshold: u64| {
        groups.grow(graph, by_level.tasks(level), classes);
        groups.merge(threshold);
    };
    let mut rewind = (!always_balanced).then(|| Rewind::new(&groups, first));
    let mut makespan = groups.weights().makespan(processors);
    let mut last = first;
    let mut balanced = true;
    while last < by_level.deepest() {
        take_in(&mut groups, last + 1, makespan);
        let grown = groups.weights().makespan(processors);
        if let Some(rewind) = &mut rewind {
            balanced = grown as f64 <= fraction(groups.weights().sum) + machine.tau();
            if !balanced {
                break;
            }
            rewind.keep(&groups, makespan);
        }
        makespan = grown;
        last += 1;
    }
    if let Some(rewind) = rewind
        && !balanced
    {
        rewind.back(&mut groups, take_in);
    }
    (groups, last)
}

/// Set of processors of each task of finished layers.
struct Finished {
    classes: TaskClasses,
    /// Sets of processors, as bits; those of one processor first.
    sets: Vec<u64>,
    /// Indices in `sets` of the other sets.
    index: HashMap<u64, u32>,
}

impl Finished {
    fn new(tasks: usize) -> Self {
        Self {
            classes: TaskClasses::new(tasks),
            sets: (0..MOST_PROCESSORS)
                .map(|processor| 1 << processor)
                .collect(),
            index: HashMap::new(),
        }
    }

    /// Notes for each of `tasks` the processors of its groups. `owners` has the processor of each
    /// group, by seed.
    fn finish(&mut self, tasks: &[u32], groups: &mut Groups, owners: &[(u32, u32)]) {
        let seeds = owners.iter().map(|&(seed, _)| seed + 1).max().unwrap_or(0);
        let mut processor = vec![0; seeds as usize];
        for &(seed, owner) in owners {
            processor[seed as usize] = owner;
        }
        let set_of = |members: &[u32]| {
            members.iter().fold(0u64, |set, &group| {
                set | 1 << processor[groups.seed(group) as usize]
            })
        };
        let sets: Vec<u32> = groups
            .classes()
            .map(|members| {
                let set = set_of(members);
                if set.count_ones() < 2 {
                    // Without processors, if no task is in the class.
                    return set.trailing_zeros() % MOST_PROCESSORS;
                }
                *self.index.entry(set).or_insert_with(|| {
                    self.sets.push(set);
                    self.sets.len() as u32 - 1
                })
            })
            .collect();
        for &task in tasks {
            let class = groups.class_of(self.classes.get(task));
            self.classes.finish(task, sets[class as usize]);
        }
    }

    /// Schedules the tasks of all layers, the last found first.
    fn schedule(
        &self,
        algorithm: &'static str,
        graph: &Dag,
        processors: u32,
        levels: &[u32],
        layers: &[Layer],
    ) -> Result<Schedule, ScheduleError> {
        let mut superstep_of_level = vec![0];
        for (superstep, layer) in (0..layers.len()).rev().zip(layers) {
            superstep_of_level.extend(layer.levels.clone().map(|_| superstep));
        }
        schedule_copies(algorithm, graph, processors, layers.len(), |task| {
            let level = levels[task as usize] as usize;
            let set = self.sets[self.classes.get(task) as usize];
            (superstep_of_level[level], set)
        })
    }
}
