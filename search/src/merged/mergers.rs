//! Mergers: neighbouring supersteps as one each, at the price of copies.

use superstep_dag::{Dag, depths};
use superstep_machine::Machine;
use superstep_schedule::Schedule;

use crate::tunables::MERGERS;

/// Schedule, and the mergers of its supersteps that cost least as one superstep each.
///
/// In a merger each processor runs all that it runs in any of the supersteps. It computes itself
/// the values that it reads there of others. A shortest path over the supersteps picks the mergers.
/// A merger that costs more than its supersteps apart is not made longer: that mostly makes it
/// dearer.
pub(super) struct Mergers {
    schedule: Schedule,
    /// Ends of mergers, from 0 to the number of supersteps.
    ends: Vec<usize>,
}

impl Mergers {
    /// Finds the cheapest mergers of a schedule that holds each task once.
    pub(super) fn new(graph: &Dag, schedule: Schedule, machine: &Machine) -> Self {
        let most = MERGERS * (graph.tasks() + graph.edges()) as u64;
        let supersteps = schedule.supersteps();
        let mut merger = Merger::new(graph, &schedule);
        // Cost of the cheapest way to have done so many supersteps, and the first superstep of its
        // last merger.
        let mut least = vec![(f64::INFINITY, 0); supersteps + 1];
        least[0].0 = 0.0;
        for first in 0..supersteps {
            merger.restart(first);
            let mut apart = 0.0;
            for last in first..supersteps {
                apart += merger.add(last) as f64 + machine.latency;
                let together = merger.load() as f64 + machine.latency;
                let cost = least[first].0 + together;
                if cost < least[last + 1].0 {
                    least[last + 1] = (cost, first);
                }
                if together > apart + machine.latency || merger.steps > most {
                    break;
                }
            }
        }
        let mut ends = vec![supersteps];
        while let Some(&end) = ends.last().filter(|&&end| end > 0) {
            ends.push(least[end].1);
        }
        ends.reverse();
        Self { schedule, ends }
    }

    /// Returns the schedule with a superstep for each merger.
    pub(super) fn schedule(&self, graph: &Dag) -> Schedule {
        let depths = depths(graph);
        let mut merged = Schedule::new(self.schedule.processors() as u32);
        let mut merger = Merger::new(graph, &self.schedule);
        for ends in self.ends.windows(2) {
            merger.restart(ends[0]);
            for superstep in ends[0]..ends[1] {
                merger.add(superstep);
            }
            for list in &mut merger.lists {
                list.sort_unstable_by_key(|&task| (depths[task as usize], task));
                merged.push(list.iter().copied());
            }
        }
        merged
    }
}

/// Merger: some supersteps of a schedule as one.
struct Merger<'a> {
    graph: &'a Dag,
    schedule: &'a Schedule,
    /// Superstep of each task in the schedule.
    supersteps: Vec<u32>,
    first: u32,
    /// Processors that run each task, as bits.
    holders: Vec<u64>,
    lists: Vec<Vec<u32>>,
    loads: Vec<u64>,
    /// Tasks and edges looked at.
    steps: u64,
}

impl<'a> Merger<'a> {
    fn new(graph: &'a Dag, schedule: &'a Schedule) -> Self {
        let mut supersteps = vec![0; graph.tasks()];
        for superstep in 0..schedule.supersteps() {
            for &task in schedule.superstep(superstep).flatten() {
                supersteps[task as usize] = superstep as u32;
            }
        }
        Self {
            graph,
            schedule,
            supersteps,
            first: 0,
            holders: vec![0; graph.tasks()],
            lists: vec![Vec::new(); schedule.processors()],
            loads: vec![0; schedule.processors()],
            steps: 0,
        }
    }

    /// Removes all supersteps: the next one is `first`.
    fn restart(&mut self, first: usize) {
        self.first = first as u32;
        for task in self.lists.iter_mut().flat_map(|list| list.drain(..)) {
            self.holders[task as usize] = 0;
        }
        self.loads.fill(0);
    }

    /// Adds the next superstep; returns its largest load without copies.
    fn add(&mut self, superstep: usize) -> u64 {
        let (graph, schedule) = (self.graph, self.schedule);
        let mut largest = 0;
        for processor in 0..self.lists.len() {
            let mut at = self.lists[processor].len();
            let own = schedule.tasks(superstep, processor);
            own.iter().for_each(|&task| self.hold(task, processor));
            let work: u64 = own.iter().map(|&task| u64::from(graph.weight(task))).sum();
            largest = largest.max(work);
            while let Some(&task) = self.lists[processor].get(at) {
                at += 1;
                let values = graph.predecessors(task);
                self.steps += 1 + values.len() as u64;
                for &value in values {
                    if self.supersteps[value as usize] >= self.first {
                        self.hold(value, processor);
                    }
                }
            }
        }
        largest
    }

    /// Lets a processor run a task, unless it does.
    fn hold(&mut self, task: u32, processor: usize) {
        let holders = &mut self.holders[task as usize];
        if *holders & 1 << processor == 0 {
            *holders |= 1 << processor;
            self.lists[processor].push(task);
            self.loads[processor] += u64::from(self.graph.weight(task));
        }
    }

    /// Returns the largest load.
    fn load(&self) -> u64 {
        self.loads.iter().copied().max().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use superstep_graphs::generate;

    use super::*;
    use superstep_schedule::{CheckedSchedule, cost};
    use superstep_scheduler::{Levels, Scheduler};

    /// Returns the sum of the largest loads, and a latency for each superstep.
    fn price(graph: &Dag, schedule: &Schedule, machine: &Machine) -> f64 {
        let loads: u64 = cost::superstep_loads(graph, schedule).iter().sum();
        loads as f64 + machine.latency * schedule.supersteps() as f64
    }

    #[test]
    fn no_choice_of_mergers_costs_less() {
        let graph = generate::grid_substitution_by_row(5).expect("it is small");
        let machine = Machine::new(3);
        let levels = Levels.schedule(&graph, &machine).expect("it serves all");
        for latency in [0.0, 2.0, 5.0, 11.0, 1000.0] {
            let machine = Machine {
                latency,
                ..machine.clone()
            };
            let mergers = Mergers::new(&graph, levels.clone(), &machine);
            let merged = CheckedSchedule::new(&graph, mergers.schedule(&graph));
            let merged = merged.expect("it is valid");
            let cost = price(&graph, merged.schedule(), &machine);
            let count = levels.supersteps();
            let costs = (0..1 << (count - 1)).map(|cuts: u32| {
                let inner = (1..count).filter(|end| cuts >> (end - 1) & 1 == 1);
                let other = Mergers {
                    schedule: levels.clone(),
                    ends: [0].into_iter().chain(inner).chain([count]).collect(),
                };
                price(&graph, &other.schedule(&graph), &machine)
            });
            assert_eq!(costs.min_by(f64::total_cmp), Some(cost), "L = {latency}");
        }
    }
}
