//! Dealing of the groups of a layer to processors, and its cost.

use superstep_machine::Machine;
use superstep_order::Rows;

use super::{growth::Growth, needs::Demand};
use crate::{bcsh::dealing::Loads, search::cost::BspCost, sets::bits, stamps::Stamps};

/// Processor of each group.
pub(super) type Owners = Vec<u8>;

/// Dealer, which finds good owners for groups.
#[derive(Default)]
pub(super) struct Dealer {
    /// Classes of each group.
    classes: Rows<u32>,
    order: Vec<u32>,
    /// Classes that the processor at hand has.
    met: Stamps,
    owners: Owners,
    best: (f64, Owners),
    /// Set of processors of each class.
    processors: Vec<u64>,
    held: Vec<u64>,
}

impl Dealer {
    /// Returns the best of some dealings, with its cost.
    pub(super) fn best(
        &mut self,
        layer: &Growth<'_>,
        demand: &Demand,
        machine: &Machine,
    ) -> (f64, &[u8]) {
        let processors = machine.processors;
        self.best = (f64::INFINITY, Owners::new());
        self.classes = layer
            .classes
            .by_group(layer.groups.weights.len(), |_, _| true);
        let most = self.deal_balanced(layer, processors);
        self.consider(layer, demand, machine);
        self.deal_contiguously(layer, processors, most);
        self.consider(layer, demand, machine);
        (self.best.0, &self.best.1)
    }

    /// Keeps the dealing at hand, or that dealing with processors relabelled, if it is better than
    /// the best.
    fn consider(&mut self, layer: &Growth<'_>, demand: &Demand, machine: &Machine) {
        let mut cost = self.cost(layer, demand, machine);
        self.keep(cost.cost(machine));
        if cost.has_messages() {
            self.relabel(demand, machine.processors);
            let cost = self.cost(layer, demand, machine).cost(machine);
            self.keep(cost);
        }
    }

    /// Keeps the dealing at hand if it is better.
    fn keep(&mut self, total: f64) {
        if total < self.best.0 {
            self.best.0 = total;
            self.best.1.clone_from(&self.owners);
        }
    }

    /// Deals the heaviest group first, each to the processor with the least load; returns the
    /// largest load.
    fn deal_balanced(&mut self, layer: &Growth<'_>, processors: u32) -> u64 {
        let weights = &layer.groups.weights;
        self.order.clear();
        self.order.extend(0..weights.len() as u32);
        self.order.sort_unstable_by_key(|&group| {
            (
                std::cmp::Reverse(weights[group as usize]),
                layer.groups.positions[group as usize],
                group,
            )
        });
        self.owners.clear();
        self.owners.resize(weights.len(), 0);
        let mut loads = Loads::new(processors);
        for &group in &self.order {
            self.owners[group as usize] = loads.give(weights[group as usize]) as u8;
        }
        loads.largest
    }

    /// Deals groups in the order of their positions, each processor a run of them, with the least
    /// bound on loads for which that can be. `most` is a bound for which there is a dealing.
    fn deal_contiguously(&mut self, layer: &Growth<'_>, processors: u32, most: u64) {
        self.order
            .sort_unstable_by_key(|&group| (layer.groups.positions[group as usize], group));
        let heaviest = layer.groups.weights.iter().copied().max().unwrap_or(0);
        let mut low = heaviest.max(layer.work.div_ceil(u64::from(processors)));
        let mut high = most.max(low);
        while !self.fill(layer, processors, high) {
            low = high;
            high += high / 8 + 1;
        }
        let precision = high / 200;
        while low + precision < high {
            let middle = low + (high - low) / 2;
            if self.fill(layer, processors, middle) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        self.fill(layer, processors, high);
    }

    /// Fills one processor after the other up to a bound; returns false if there are too few.
    fn fill(&mut self, layer: &Growth<'_>, processors: u32, bound: u64) -> bool {
        self.met.resize(layer.classes.sets.len());
        self.met.restart();
        let (mut processor, mut load) = (0, 0);
        for &group in &self.order {
            let classes = self.classes.row(group as usize);
            let new = classes.iter().filter(|&&class| !self.met.contains(class));
            load += new
                .map(|&class| layer.classes.sets.get(class).1)
                .sum::<u64>();
            if load > bound {
                processor += 1;
                if processor == processors {
                    return false;
                }
                self.met.restart();
                load = layer.groups.weights[group as usize];
            }
            for &class in classes {
                self.met.insert(class);
            }
            self.owners[group as usize] = processor as u8;
        }
        true
    }

    /// Returns the cost of the owners at hand. Copies that meet on a processor count once, and
    /// every value is sent right after the layer.
    fn cost(&mut self, layer: &Growth<'_>, demand: &Demand, machine: &Machine) -> BspCost {
        sets(layer, &self.owners, &mut self.processors);
        let mut cost = BspCost::new(machine, 1);
        for ((_, weight), &set) in layer.classes.sets.iter().zip(&self.processors) {
            for processor in bits(set) {
                cost.work::<true>(0, processor, weight);
            }
        }
        for entry in &demand.entries {
            let set = self.processors[entry.class as usize];
            let sender = set.trailing_zeros() as usize;
            for processor in bits(entry.needed_by & !set) {
                cost.send::<true>(0, sender, processor, entry.words);
            }
        }
        cost
    }

    /// Calls the processors by other numbers, so that they hold much of the words that they need
    /// later. The pair of processor and number that matches most words comes first.
    fn relabel(&mut self, demand: &Demand, processors: u32) {
        let count = processors as usize;
        self.held.clear();
        self.held.resize(count * count, 0);
        for entry in &demand.entries {
            for holder in bits(self.processors[entry.class as usize]) {
                let row = &mut self.held[holder * count..(holder + 1) * count];
                for user in bits(entry.needed_by) {
                    row[user] += entry.words;
                }
            }
        }
        let mut pairs: Vec<(std::cmp::Reverse<u64>, u32)> = self
            .held
            .iter()
            .zip(0..)
            .filter(|&(&words, _)| words > 0)
            .map(|(&words, at)| (std::cmp::Reverse(words), at))
            .collect();
        pairs.sort_unstable();
        let mut label = [u8::MAX; 64];
        let mut taken = 0u64;
        for (_, at) in pairs {
            let (holder, user) = (at as usize / count, at as usize % count);
            if label[holder] == u8::MAX && taken >> user & 1 == 0 {
                label[holder] = user as u8;
                taken |= 1 << user;
            }
        }
        for label in &mut label[..count] {
            if *label == u8::MAX {
                *label = taken.trailing_ones() as u8;
                taken |= 1 << *label;
            }
        }
        for owner in &mut self.owners {
            *owner = label[*owner as usize];
        }
    }
}

/// Finds the set of processors of each class.
pub(super) fn sets(layer: &Growth<'_>, owners: &[u8], sets: &mut Vec<u64>) {
    sets.clear();
    sets.extend(layer.classes.sets.iter().map(|(members, _)| {
        members
            .iter()
            .fold(0u64, |set, &group| set | 1 << owners[group as usize])
    }));
}
