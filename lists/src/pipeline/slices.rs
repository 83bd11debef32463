//! Slices: the supersteps that a budget makes, and their costs.

use super::{Prices, blocks::Tent, sequences::Sequences};

/// Distance that each block may go in a superstep.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Pace {
    /// Pace of so much work in each superstep.
    Even(u64),
    /// Pace of that many supersteps from a block's first one to its end, each its part of the
    /// block's work.
    Parts {
        /// Number of supersteps.
        parts: f64,
        /// Sizes of the parts.
        sizes: Tent,
    },
}

/// Walk through sequences superstep by superstep.
pub(super) struct Slices<'a> {
    sequences: &'a Sequences,
    prices: Prices,
    /// First gate and first value sent of each owner.
    first_gates: Vec<u32>,
    first_sent: Vec<u32>,
    /// Position, gate and value sent at which each owner is.
    positions: Vec<u32>,
    gates: Vec<u32>,
    sent: Vec<u32>,
    /// Position of each owner at the start of the superstep.
    begun: Vec<u32>,
    /// Supersteps that each owner has had since its first.
    ages: Vec<u32>,
    loads: Vec<u64>,
    words: Vec<(u64, u64)>,
    /// Gates, values and owners looked at.
    pub(super) steps: u64,
}

impl<'a> Slices<'a> {
    pub(super) fn new(sequences: &'a Sequences, prices: Prices) -> Self {
        let processors = prices.processors as usize;
        let gates = |&start: &u32| {
            sequences
                .gates
                .partition_point(|gate| gate.position < start) as u32
        };
        let sent =
            |&start: &u32| sequences.sent.partition_point(|sent| sent.position < start) as u32;
        Self {
            first_gates: sequences.starts.iter().map(gates).collect(),
            first_sent: sequences.starts.iter().map(sent).collect(),
            positions: Vec::new(),
            gates: Vec::new(),
            sent: Vec::new(),
            begun: Vec::new(),
            ages: Vec::new(),
            loads: vec![0; processors],
            words: vec![(0, 0); processors],
            sequences,
            prices,
            steps: 0,
        }
    }

    /// Returns the cost of supersteps of that pace, each value being sent right after its
    /// superstep; infinite if that is more than `most`. Calls `superstep` with the positions of all
    /// owners before and after each.
    pub(super) fn cost(
        &mut self,
        pace: Pace,
        most: f64,
        mut superstep: impl FnMut(&[u32], &[u32]),
    ) -> f64 {
        let owners = self.sequences.owners();
        self.positions.clone_from(&self.sequences.starts);
        self.gates.clone_from(&self.first_gates);
        self.sent.clone_from(&self.first_sent);
        self.ages.clear();
        self.ages.resize(owners, 0);
        let (mut cost, mut done) = (0.0, 0);
        while done < self.sequences.tasks.len() {
            self.begun.clone_from(&self.positions);
            self.loads.fill(0);
            for owner in 0..owners {
                let load = self.go_on(owner, pace);
                let processors = self.loads.len();
                self.loads[owner % processors] += load;
                done += (self.positions[owner] - self.begun[owner]) as usize;
            }
            cost += self.loads.iter().copied().max().unwrap_or(0) as f64;
            let relation = self.exchange();
            if relation > 0 {
                cost += self.prices.gap * relation as f64 + self.prices.latency;
            }
            superstep(&self.begun, &self.positions);
            if cost > most {
                return f64::INFINITY;
            }
        }
        cost
    }

    /// Lets an owner go on as far as it can; returns its load.
    fn go_on(&mut self, owner: usize, pace: Pace) -> u64 {
        let sequences = self.sequences;
        let (position, end) = (self.positions[owner], sequences.starts[owner + 1]);
        if position == end {
            return 0;
        }
        let before = sequences.work_before(position);
        let most = self.limit(owner, pace);
        let mut limit = sequences.reach(position..end, most).max(position + 1);
        let gate = &mut self.gates[owner];
        while *gate < self.first_gates[owner + 1]
            && sequences.gates[*gate as usize].position < limit
        {
            self.steps += 1;
            let waits = sequences.waits(*gate as usize);
            if waits
                .iter()
                .any(|&(other, wait)| self.begun[other as usize] <= wait)
            {
                limit = sequences.gates[*gate as usize].position;
                break;
            }
            *gate += 1;
        }
        // Tasks after the last value sent are of no use to others yet: they can as well be done in
        // the next superstep.
        let sent = self.first_sent[owner] as usize..self.first_sent[owner + 1] as usize;
        let sent = &sequences.sent[sent];
        let before_limit = sent.partition_point(|sent| sent.position < limit);
        if limit < end
            && before_limit > 0
            && let after = sent[before_limit - 1].position + 1
            && after > position
        {
            limit = after;
        }
        self.steps += 10;
        self.positions[owner] = limit;
        self.ages[owner] += u32::from(limit > sequences.starts[owner]);
        sequences.work_before(limit) - before
    }

    /// Returns the work of all tasks before the position that an owner should get to.
    fn limit(&self, owner: usize, pace: Pace) -> u64 {
        let sequences = self.sequences;
        match pace {
            Pace::Even(budget) => sequences.work_before(self.positions[owner]) + budget,
            Pace::Parts { parts, sizes } => {
                let [first, end] =
                    [owner, owner + 1].map(|owner| sequences.work_before(sequences.starts[owner]));
                let part = sizes.before(f64::from(self.ages[owner] + 1) / parts);
                first + ((end - first) as f64 * part).ceil() as u64
            }
        }
    }

    /// Returns the h-relation of what the owners have run in this superstep.
    fn exchange(&mut self) -> u64 {
        let sequences = self.sequences;
        let processors = self.words.len();
        self.words.fill((0, 0));
        for owner in 0..sequences.owners() {
            let sent = &mut self.sent[owner];
            while *sent < self.first_sent[owner + 1]
                && sequences.sent[*sent as usize].position < self.positions[owner]
            {
                let value = &sequences.sent[*sent as usize];
                let (from, to) = (owner % processors, value.to as usize % processors);
                if from != to {
                    self.words[from].0 += u64::from(value.words);
                    self.words[to].1 += u64::from(value.words);
                }
                self.steps += 1;
                *sent += 1;
            }
        }
        let largest = self
            .words
            .iter()
            .map(|&(sent, received)| sent.max(received));
        largest.max().unwrap_or(0)
    }
}
