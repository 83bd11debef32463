//! The paper's own queue of events: a list in the order of time, into which an event is inserted
//! from its end (its section 3.3).

use std::collections::VecDeque;

use superstep_farm::LogGp;

use super::BYTES;

/// Result of a simulation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Listed {
    /// Seconds until the master has the last result.
    pub(super) makespan: f64,
    /// Events that were moved to make room for others.
    pub(super) moves: u64,
}

/// Events by their time, and how many were moved.
#[derive(Default)]
struct List {
    times: VecDeque<f64>,
    moves: u64,
}

impl List {
    fn insert(&mut self, time: f64) {
        let later = self.times.iter().rev().take_while(|&&other| other > time);
        let later = later.count();
        self.moves += later as u64;
        self.times.insert(self.times.len() - later, time);
    }
}

/// Simulates a master that deals items of these costs, in seconds, one by one to slaves.
pub(super) fn simulate(network: &LogGp, slaves: usize, costs: &[f64]) -> Listed {
    let LogGp {
        latency,
        overhead,
        byte_gap,
        ..
    } = *network;
    let [input, output] = BYTES.map(|bytes| bytes * byte_gap);
    let mut list = List::default();
    let mut clock = 0.0;
    let send = |list: &mut List, clock: &mut f64, cost: f64| {
        *clock += overhead + input;
        list.insert(*clock + 2.0 * latency + cost + 2.0 * overhead + output);
    };
    let (first, rest) = costs.split_at(slaves.min(costs.len()));
    for &cost in first {
        send(&mut list, &mut clock, cost);
    }
    let mut rest = rest.iter();
    while let Some(time) = list.times.pop_front() {
        clock = time.max(clock) + overhead;
        if let Some(&cost) = rest.next() {
            send(&mut list, &mut clock, cost);
        }
    }
    Listed {
        makespan: clock,
        moves: list.moves,
    }
}

#[cfg(test)]
mod tests {
    use superstep_farm::MasterSlave;

    use super::*;

    #[test]
    fn the_list_gives_the_makespan_of_the_heap() {
        let network = LogGp {
            latency: 0.5,
            overhead: 0.1,
            byte_gap: 0.001,
            ..LogGp::default()
        };
        let [input, output] = BYTES;
        let costs: Vec<f64> = (0..200).map(|at| f64::from(at * 37 % 50)).collect();
        for slaves in [1, 3, 20, 300] {
            let master = MasterSlave {
                input,
                output,
                ..MasterSlave::new(network, slaves)
            };
            let heap = master.simulate(&costs).expect("costs are positive");
            let listed = simulate(&network, slaves, &costs);
            assert!((listed.makespan - heap.makespan).abs() < 1e-9);
            assert_eq!(listed.moves == 0, slaves == 1);
        }
    }

    #[test]
    fn events_after_the_new_one_are_moved() {
        let mut list = List::default();
        for (time, moves) in [(1.0, 0), (3.0, 0), (2.0, 1), (2.0, 2), (0.5, 6)] {
            list.insert(time);
            assert_eq!(list.moves, moves);
        }
        assert!(list.times.iter().is_sorted());
    }
}
