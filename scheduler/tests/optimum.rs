//! How far the portfolio is from the optimum, where that can be found by trying everything.

mod random_graphs;

use std::collections::BTreeMap;

use random_graphs::{SplitMix, graph};
use superstep_dag_builder::TaskGraph;
use superstep_machine::Machine;
use superstep_scheduler::{CheckedSchedule, Costs, Effort, Portfolio, Scheduler, bounds};

/// Which values each of two processors holds, as bits.
type State = [u32; 2];

/// The least BSP cost on two processors, with copies, each message at the best time: by Dijkstra's algorithm over what the processors hold.
///
/// Costs are whole numbers.
struct Optimum<'a> {
    graph: &'a TaskGraph,
    gap: u64,
    latency: u64,
}

impl Optimum<'_> {
    fn find(&self) -> u64 {
        let all = (1 << self.graph.tasks()) - 1;
        // Cost, then state; states are left for good with their least cost.
        let mut open = std::collections::BTreeSet::from([(0, [0, 0])]);
        let mut costs: BTreeMap<State, u64> = BTreeMap::from([([0, 0], 0)]);
        while let Some((cost, state)) = open.pop_first() {
            if state[0] | state[1] == all {
                return cost;
            }
            let mut reach = |next: State, price: u64| {
                let known = costs.entry(next).or_insert(u64::MAX);
                if cost + price < *known {
                    open.remove(&(*known, next));
                    *known = cost + price;
                    open.insert((*known, next));
                }
            };
            let computed = state.map(|held| self.computations(held));
            for &(first, work) in &computed[0] {
                for &(second, other) in &computed[1] {
                    reach([first, second], work.max(other));
                }
            }
            for to_second in subsets(state[0] & !state[1]) {
                for to_first in subsets(state[1] & !state[0]) {
                    let words = self.words(to_first).max(self.words(to_second));
                    let price = if words == 0 {
                        0
                    } else {
                        self.gap * words + self.latency
                    };
                    reach([state[0] | to_first, state[1] | to_second], price);
                }
            }
        }
        unreachable!("one processor can compute everything")
    }

    /// What a processor can hold after it has computed, and the work.
    fn computations(&self, held: u32) -> Vec<(u32, u64)> {
        let mut found = vec![(held, 0)];
        for task in self.graph.topological() {
            let needs = self
                .graph
                .predecessors(task)
                .iter()
                .fold(0, |set, value| set | 1 << value);
            for at in 0..found.len() {
                let (now, work) = found[at];
                if now & (1 << task) == 0 && now & needs == needs {
                    found.push((now | 1 << task, work + u64::from(self.graph.weight(task))));
                }
            }
        }
        found
    }

    fn words(&self, values: u32) -> u64 {
        let tasks = 0..self.graph.tasks() as u32;
        tasks
            .filter(|task| values & (1 << task) != 0)
            .map(|task| u64::from(self.graph.words(task)))
            .sum()
    }
}

/// All subsets of a set, the set itself first.
fn subsets(set: u32) -> impl Iterator<Item = u32> {
    let mut next = Some(set);
    std::iter::from_fn(move || {
        let subset = next?;
        next = (subset != 0).then(|| (subset - 1) & set);
        Some(subset)
    })
}

#[test]
fn thorough_finds_the_optimum_of_nearly_all_tiny_graphs() {
    let mut random = SplitMix::new(5);
    let (mut graphs, mut optimal) = (0, 0);
    let mut excess = 0.0;
    for _ in 0..12 {
        let graph = graph(&mut random, 7);
        let (gap, latency) = (random.below(3) as u64, random.below(6) as u64);
        let machine = Machine {
            gap: gap as f64,
            latency: latency as f64,
            ..Machine::new(2)
        };
        let optimum = Optimum {
            graph: &graph,
            gap,
            latency,
        }
        .find() as f64;
        let bound = bounds::bsp_bound(&graph, &machine);
        assert!(bound <= optimum, "bound {bound}, optimum {optimum}");
        let thorough = Portfolio {
            effort: Effort::Thorough,
        };
        let schedule = thorough.schedule(&graph, &machine).unwrap();
        let checked = CheckedSchedule::new(&graph, schedule).unwrap();
        let cost = Costs::of(&checked, &machine).bsp_cost;
        assert!(cost >= optimum, "cost {cost}, optimum {optimum}");
        graphs += 1;
        optimal += u32::from(cost == optimum);
        excess += if optimum > 0.0 {
            cost / optimum - 1.0
        } else {
            0.0
        };
    }
    println!(
        "{optimal} of {graphs} optimal; {:.2} % above on average",
        100.0 * excess / f64::from(graphs)
    );
    assert!(optimal + 1 >= graphs, "{optimal} of {graphs}");
}
