//! Loop over layers: it decides how many levels make a superstep.

use std::collections::HashMap;

use superstep_dag::Dag;
use superstep_machine::Machine;
use superstep_schedule::Schedule;

use super::{
    Layer, MOST,
    by_level::ByLevel,
    groups::{Groups, TaskClasses},
    rewind::Rewind,
};

/// Returns the schedule of `graph`, and its layers, the last superstep first; or the number of task
/// instances, if they are too many.
pub(super) fn schedule(
    graph: &Dag,
    machine: &Machine,
    saving: bool,
    mut observe: impl FnMut(usize),
) -> Result<(Schedule, Vec<Layer>), u64> {
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
        let deal = groups.deal();
        let processors = if saving {
            groups.weights().fewest_processors(machine.processors)
        } else {
            machine.processors
        };
        let (owners, load) = deal.owners(processors);
        let tasks = by_level.tasks_of(level..=last);
        finished.finish(tasks, &mut groups, &owners);
        work_left -= tasks
            .iter()
            .map(|&task| u64::from(graph.weight(task)))
            .sum::<u64>();
        layers.push(Layer {
            levels: level as u32..=last as u32,
            groups: deal.groups(),
            weight: deal.weight(),
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
    let schedule = finished.write(graph, machine.processors, by_level.levels, &layers)?;
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
    let after_first = work_left - groups.weights().sum();
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
            balanced = grown as f64 <= fraction(groups.weights().sum()) + machine.tau();
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
            sets: (0..MOST).map(|processor| 1 << processor).collect(),
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
                    return set.trailing_zeros() % MOST;
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

    /// Returns the lists of all layers, the last found first; a counting sort, in topological order
    /// of the tasks.
    fn write(
        self,
        graph: &Dag,
        processors: u32,
        levels: Vec<u32>,
        layers: &[Layer],
    ) -> Result<Schedule, u64> {
        let tasks = 0..graph.tasks() as u32;
        let set_of = |task: u32| self.sets[self.classes.get(task) as usize];
        let instances: u64 = tasks
            .clone()
            .map(|task| u64::from(set_of(task).count_ones()))
            .sum();
        if instances > u64::from(u32::MAX) {
            return Err(instances);
        }
        let mut superstep_of_level = vec![0; 1];
        for (superstep, layer) in (0..layers.len()).rev().zip(layers) {
            superstep_of_level.extend(
                layer
                    .levels
                    .clone()
                    .map(|_| superstep * processors as usize),
            );
        }
        let lists = |task: u32| {
            let first = superstep_of_level[levels[task as usize] as usize];
            let mut set = set_of(task);
            std::iter::from_fn(move || {
                let processor = set.trailing_zeros();
                (set != 0).then(|| {
                    set &= set - 1;
                    first + processor as usize
                })
            })
        };
        // Counts stand two places on, so that starts stand one place on, where they turn into ends
        // as the lists fill.
        let mut offsets = vec![0u32; layers.len() * processors as usize + 2];
        for task in tasks {
            for list in lists(task) {
                offsets[list + 2] += 1;
            }
        }
        for at in 2..offsets.len() {
            offsets[at] += offsets[at - 1];
        }
        let mut tasks = vec![0; instances as usize];
        for task in graph.topological() {
            for list in lists(task) {
                let end = &mut offsets[list + 1];
                tasks[*end as usize] = task;
                *end += 1;
            }
        }
        offsets.pop();
        Ok(Schedule::from_compressed(processors, offsets, tasks))
    }
}
