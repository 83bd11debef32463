//! BCSH and the costs as literally as they can be written: sets of tasks, no data structure. For
//! small graphs only.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
};

use superstep_dag::Dag;
use superstep_schedule::{Schedule, Sending};
use superstep_search::bcsh::Layer;

type Group = (usize, BTreeSet<u32>);

/// Returns the work of some tasks.
fn work<'a>(graph: &Dag, tasks: impl IntoIterator<Item = &'a u32>) -> u64 {
    tasks
        .into_iter()
        .map(|&task| u64::from(graph.weight(task)))
        .sum()
}

/// Returns the longest distance of each task to an output, outputs being 1.
fn levels(graph: &Dag) -> Vec<u32> {
    let mut levels = vec![1; graph.tasks()];
    for task in graph.topological().collect::<Vec<_>>().into_iter().rev() {
        for &before in graph.predecessors(task) {
            levels[before as usize] = levels[before as usize].max(levels[task as usize] + 1);
        }
    }
    levels
}

/// Gives the heaviest group first to the processor with the least load; returns loads, and groups
/// on each processor.
fn lpt(graph: &Dag, groups: &[Group], processors: usize) -> (Vec<u64>, Vec<Vec<usize>>) {
    let mut order: Vec<&Group> = groups.iter().collect();
    order.sort_by_key(|(id, tasks)| (Reverse(work(graph, tasks)), *id));
    let (mut loads, mut places) = (vec![0; processors], vec![Vec::new(); processors]);
    for (id, tasks) in order {
        let least = (0..processors)
            .min_by_key(|&processor| (loads[processor], processor))
            .unwrap();
        loads[least] += work(graph, tasks);
        places[least].push(*id);
    }
    (loads, places)
}

/// Returns LM of the thesis and the smallest number of processors that reaches it.
fn lm(graph: &Dag, groups: &[Group], processors: usize) -> (u64, usize) {
    let weights = groups.iter().map(|(_, tasks)| work(graph, tasks));
    let (total, heaviest) = (weights.clone().sum::<u64>(), weights.max().unwrap());
    let fewest = if heaviest == 0 {
        1
    } else {
        (total.div_ceil(heaviest) as usize).min(processors)
    };
    let makespan = |count: usize| *lpt(graph, groups, count).0.iter().max().unwrap();
    (fewest..=processors)
        .map(|count| (makespan(count), count))
        .min()
        .unwrap()
}

fn merge(graph: &Dag, groups: &mut Vec<Group>, threshold: u64) {
    let mut order: Vec<usize> = groups.iter().map(|(id, _)| *id).collect();
    let by_id: BTreeMap<usize, u64> = groups
        .iter()
        .map(|(id, tasks)| (*id, work(graph, tasks)))
        .collect();
    order.sort_by_key(|id| (by_id[id], *id));
    let mut alive: BTreeMap<usize, BTreeSet<u32>> = std::mem::take(groups).into_iter().collect();
    for id in &order[..order.len() - 1] {
        let Some(own) = alive.get(id) else { continue };
        let mut partners: Vec<(Reverse<u64>, usize)> = (0..order.len())
            .filter(|&at| order[at] != *id && alive.contains_key(&order[at]))
            .map(|at| {
                (
                    Reverse(work(graph, own.intersection(&alive[&order[at]]))),
                    at,
                )
            })
            .filter(|(common, _)| common.0 > 0)
            .collect();
        partners.sort();
        let fits = |at: &usize| work(graph, own.union(&alive[&order[*at]])) < threshold;
        if let Some(at) = partners.into_iter().map(|(_, at)| at).find(fits) {
            let own = alive.remove(id).unwrap();
            alive.get_mut(&order[at]).unwrap().extend(own);
        }
    }
    *groups = alive.into_iter().collect();
}

/// Schedules by BCSH with processor saving or without.
pub(crate) fn bcsh(
    graph: &Dag,
    processors: usize,
    tau: f64,
    saving: bool,
) -> (Schedule, Vec<Layer>) {
    let levels = levels(graph);
    let deepest = levels.iter().copied().max().unwrap_or(0);
    let of_level = |wanted: u32| {
        (0..graph.tasks() as u32)
            .filter(|&task| levels[task as usize] == wanted)
            .collect::<Vec<_>>()
    };
    let (mut layers, mut supersteps) = (Vec::new(), Vec::new());
    let mut first = 1;
    while first <= deepest {
        let mut groups: Vec<Group> = of_level(first)
            .into_iter()
            .map(|task| BTreeSet::from([task]))
            .enumerate()
            .collect();
        let mut last = first;
        let above: Vec<u32> = (first + 1..=deepest).flat_map(of_level).collect();
        let left = work(graph, &above) as f64;
        while last < deepest {
            let threshold = lm(graph, &groups, processors).0;
            let mut grown = groups.clone();
            for (_, tasks) in &mut grown {
                let joins = |task: &u32| {
                    graph
                        .successors(*task)
                        .iter()
                        .any(|successor| tasks.contains(successor))
                };
                let joining: Vec<u32> = of_level(last + 1).into_iter().filter(joins).collect();
                tasks.extend(joining);
            }
            merge(graph, &mut grown, threshold);
            let total: u64 = grown.iter().map(|(_, tasks)| work(graph, tasks)).sum();
            let balanced = left < left / processors as f64 + tau
                || lm(graph, &grown, processors).0 as f64 <= total as f64 / processors as f64 + tau;
            if !balanced {
                break;
            }
            groups = grown;
            last += 1;
        }
        let used = if saving {
            lm(graph, &groups, processors).1
        } else {
            processors
        };
        let (loads, places) = lpt(graph, &groups, used);
        layers.push(Layer {
            levels: first..=last,
            groups: groups.len(),
            weight: groups.iter().map(|(_, tasks)| work(graph, tasks)).sum(),
            load: *loads.iter().max().unwrap(),
            processors: places.iter().filter(|groups| !groups.is_empty()).count() as u32,
        });
        let by_id: BTreeMap<usize, &BTreeSet<u32>> =
            groups.iter().map(|(id, tasks)| (*id, tasks)).collect();
        supersteps.push(
            (0..processors)
                .map(|processor| {
                    let groups = places.get(processor).into_iter().flatten();
                    groups
                        .flat_map(|id| by_id[id].iter().copied())
                        .collect::<BTreeSet<u32>>()
                })
                .collect::<Vec<_>>(),
        );
        first = last + 1;
    }
    supersteps.reverse();
    (Schedule::from_lists(processors as u32, supersteps), layers)
}

/// Values that are sent, as (task, receiver): (sender, superstep after which it is sent).
pub(crate) type Sends = BTreeMap<(u32, usize), (usize, usize)>;

/// Returns the messages of a valid schedule, from the definition.
pub(crate) fn sends(graph: &Dag, schedule: &Schedule, sending: Sending) -> Sends {
    let (processors, supersteps) = (schedule.processors(), schedule.supersteps());
    let computes = |task: u32, processor: usize, superstep: usize| {
        schedule.tasks(superstep, processor).contains(&task)
    };
    let computed = |task: u32, processor: usize| {
        (0..supersteps).find(|&superstep| computes(task, processor, superstep))
    };
    let mut windows = BTreeMap::new();
    for task in 0..graph.tasks() as u32 {
        for to in 0..processors {
            let uses = |superstep: &usize| {
                graph
                    .successors(task)
                    .iter()
                    .any(|&reader| computes(reader, to, *superstep))
            };
            let Some(first_use) = (0..supersteps).find(uses) else {
                continue;
            };
            if computed(task, to).is_some_and(|own| own <= first_use) {
                continue;
            }
            let holds =
                |&from: &usize| computed(task, from).is_some_and(|superstep| superstep < first_use);
            let from = (0..processors).find(holds).expect("the schedule is valid");
            windows.insert((task, to), (from, computed(task, from).unwrap(), first_use));
        }
    }
    let eager = sending == Sending::Eager;
    let mut sends: Sends = windows
        .iter()
        .map(|(&key, &(from, computed, first_use))| {
            (key, (from, if eager { computed } else { first_use - 1 }))
        })
        .collect();
    if sending == Sending::ImprovedLazy {
        for (&key, &(from, computed, first_use)) in &windows {
            let lazy = sends[&key];
            let moved = (computed..first_use - 1).find(|&superstep| {
                let before = relation(graph, &sends, superstep);
                let mut tried = sends.clone();
                tried.insert(key, (from, superstep));
                relation(graph, &tried, superstep) <= before
            });
            sends.insert(key, moved.map_or(lazy, |superstep| (from, superstep)));
        }
    }
    sends
}

/// Returns h of a superstep.
pub(crate) fn relation(graph: &Dag, sends: &Sends, superstep: usize) -> u64 {
    let mut traffic: BTreeMap<(bool, usize), u64> = BTreeMap::new();
    for (&(task, to), &(from, _)) in sends.iter().filter(|(_, send)| send.1 == superstep) {
        *traffic.entry((true, from)).or_default() += u64::from(graph.words(task));
        *traffic.entry((false, to)).or_default() += u64::from(graph.words(task));
    }
    traffic.into_values().max().unwrap_or(0)
}
