//! Gap between the portfolio and the optimum, where that can be found by trying everything.

#[path = "../../scheduler/tests/random_graphs/mod.rs"]
mod random_graphs;

use std::collections::BTreeMap;

use random_graphs::{SplitMix, graph};
use superstep_dag::Dag;
use superstep_machine::Machine;
use superstep_schedule::{CheckedSchedule, Costs, bounds};
use superstep_scheduler::{Effort, Scheduler};
use superstep_search::Portfolio;

/// State of two processors: the values that each holds, as bits.
type State = [u32; 2];

/// Optimum: the least BSP cost on two processors, with copies, each message at the best time. It is
/// found by Dijkstra's algorithm over the values that the processors hold.
///
/// Costs are whole numbers. Values that a processor could compute or send besides, within the
/// largest load or the h-relation, never hurt. Only sets to which nothing can be added are tried.
struct Optimum<'a> {
    graph: &'a Dag,
    gap: u64,
    latency: u64,
}

impl Optimum<'_> {
    /// Returns the optimum, if it is below `most`.
    fn find_below(&self, most: u64) -> Option<u64> {
        let all = (1 << self.graph.tasks()) - 1;
        // Cost, then state; states are left for good with their least cost.
        let mut open = std::collections::BTreeSet::from([(0, [0, 0])]);
        let mut costs: BTreeMap<State, u64> = BTreeMap::from([([0, 0], 0)]);
        while let Some((cost, state)) = open.pop_first() {
            if state[0] | state[1] == all {
                return Some(cost);
            }
            let mut reach = |next: State, price: u64| {
                let left = self.work(all & !(next[0] | next[1])).div_ceil(2);
                let known = costs.entry(next).or_insert(most);
                if cost + price + left < *known {
                    open.remove(&(*known, next));
                    *known = cost + price;
                    open.insert((*known, next));
                }
            };
            let computed = state.map(|held| self.computations(held));
            for load in limits(&computed) {
                let full = [0, 1].map(|at| self.full_computations(state[at], &computed[at], load));
                for &first in &full[0] {
                    full[1]
                        .iter()
                        .for_each(|&second| reach([first, second], load));
                }
            }
            let sent = [state[0] & !state[1], state[1] & !state[0]].map(|values| {
                let sets = subsets(values);
                sets.map(|set| (set, self.words(set))).collect::<Vec<_>>()
            });
            for relation in limits(&sent) {
                let price = match relation {
                    0 => 0,
                    _ => self.gap * relation + self.latency,
                };
                let full = sent
                    .each_ref()
                    .map(|sets| self.full_messages(sets, relation));
                for &to_second in &full[0] {
                    for &to_first in &full[1] {
                        reach([state[0] | to_first, state[1] | to_second], price);
                    }
                }
            }
        }
        None
    }

    /// Returns the sets that a processor can hold after it has computed, and the work.
    fn computations(&self, held: u32) -> Vec<(u32, u64)> {
        let mut found = vec![(held, 0)];
        for task in self.graph.topological() {
            for at in 0..found.len() {
                let (now, work) = found[at];
                if self.can_compute(now, task) {
                    found.push((now | 1 << task, work + self.work(1 << task)));
                }
            }
        }
        found
    }

    fn can_compute(&self, held: u32, task: u32) -> bool {
        let mut values = self.graph.predecessors(task).iter();
        held & (1 << task) == 0 && values.all(|value| held & (1 << value) != 0)
    }

    /// Returns the computations of at most that work to which no task can be added.
    fn full_computations(&self, held: u32, computed: &[(u32, u64)], most: u64) -> Vec<u32> {
        let fits = |work: u64, task: u32| work + self.work(1 << task) <= most;
        let full = computed.iter().filter(|&&(now, work)| {
            let mut tasks = 0..self.graph.tasks() as u32;
            work <= most && !tasks.any(|task| self.can_compute(now, task) && fits(work, task))
        });
        full.map(|&(now, _)| now | held).collect()
    }

    /// Returns the sets of at most that many words to which no value can be added; the first set
    /// holds all.
    fn full_messages(&self, sets: &[(u32, u64)], most: u64) -> Vec<u32> {
        let all = sets[0].0;
        let full = sets.iter().filter(|&&(set, words)| {
            let mut others = (0..self.graph.tasks()).filter(|task| all & !set & (1 << task) != 0);
            words <= most && !others.any(|task| words + self.words(1 << task) <= most)
        });
        full.map(|&(set, _)| set).collect()
    }

    fn work(&self, tasks: u32) -> u64 {
        let all = 0..self.graph.tasks() as u32;
        all.filter(|task| tasks & (1 << task) != 0)
            .map(|task| u64::from(self.graph.weight(task)))
            .sum()
    }

    fn words(&self, values: u32) -> u64 {
        let tasks = 0..self.graph.tasks() as u32;
        tasks
            .filter(|task| values & (1 << task) != 0)
            .map(|task| u64::from(self.graph.words(task)))
            .sum()
    }
}

/// Returns the different loads, or words, of the sets that two processors can reach.
fn limits(sets: &[Vec<(u32, u64)>; 2]) -> Vec<u64> {
    let mut limits: Vec<u64> = sets.iter().flatten().map(|&(_, total)| total).collect();
    limits.sort_unstable();
    limits.dedup();
    limits
}

/// Returns all subsets of a set, the set itself first.
fn subsets(set: u32) -> impl Iterator<Item = u32> {
    let mut next = Some(set);
    std::iter::from_fn(move || {
        let subset = next?;
        next = (subset != 0).then(|| (subset - 1) & set);
        Some(subset)
    })
}

/// Measures the portfolio on random graphs of at most that many tasks: returns how many of how many
/// are optimal, and the mean excess.
fn gap(seed: u64, rounds: u32, most_tasks: usize) -> (u32, f64) {
    let mut random = SplitMix::new(seed);
    let (mut optimal, mut excess) = (0, 0.0);
    for _ in 0..rounds {
        let graph = graph(&mut random, most_tasks);
        let (gap, latency) = (random.below(3) as u64, random.below(6) as u64);
        let machine = Machine {
            gap: gap as f64,
            latency: latency as f64,
            ..Machine::new(2)
        };
        let thorough = Portfolio {
            effort: Effort::Thorough,
        };
        let schedule = thorough.schedule(&graph, &machine).unwrap();
        let checked = CheckedSchedule::new(&graph, schedule).unwrap();
        let cost = Costs::of(&checked, &machine).bsp_cost;
        let search = Optimum {
            graph: &graph,
            gap,
            latency,
        };
        // Costs are whole numbers, so that one below the next is at most this one.
        let found = search.find_below(cost as u64 + 1);
        let optimum = found.expect("the schedule is one that the search can find") as f64;
        let bound = bounds::bsp_bound(&graph, &machine);
        assert!(bound <= optimum, "bound {bound}, optimum {optimum}");
        optimal += u32::from(cost == optimum);
        excess += (cost - optimum) / optimum.max(1.0);
    }
    println!(
        "{optimal} of {rounds} graphs of up to {most_tasks} tasks optimal; {:.2} % above on average",
        100.0 * excess / f64::from(rounds)
    );
    (optimal, excess / f64::from(rounds))
}

#[test]
fn thorough_finds_the_optimum_of_nearly_all_tiny_graphs() {
    let (optimal, _) = gap(5, 12, 7);
    assert!(optimal >= 11, "{optimal} of 12");
}

#[test]
fn thorough_is_near_the_optimum_of_graphs_of_twelve_tasks() {
    let (optimal, excess) = gap(6, 12, 12);
    assert!(optimal >= 10 && excess < 0.02, "{optimal} of 12, {excess}");
}
