//! Dealing of the groups of a layer to processors, and its cost.

use superstep_machine::Machine;

use super::{growth::Growth, needs::Demand};

/// Processor of each group.
pub(super) type Owners = Vec<u8>;

/// Cost of a layer on given processors.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Cost {
    /// Largest load, copies that meet on a processor counted once.
    pub(super) load: u64,
    /// Most words that a processor sends or receives after it.
    pub(super) relation: u64,
}

impl Cost {
    pub(super) fn total(self, machine: &Machine) -> f64 {
        let exchange = if self.relation > 0 {
            machine.gap * self.relation as f64 + machine.latency
        } else {
            0.0
        };
        self.load as f64 + exchange
    }
}

/// Dealer, which finds good owners for groups.
#[derive(Default)]
pub(super) struct Dealer {
    /// Classes of each group.
    offsets: Vec<u32>,
    classes: Vec<u32>,
    order: Vec<u32>,
    /// Processor that has met each class last.
    met: Vec<u32>,
    now: u32,
    owners: Owners,
    best: (f64, Owners),
    /// Set of processors of each class.
    processors: Vec<u64>,
    loads: Vec<u64>,
    sent: Vec<u64>,
    received: Vec<u64>,
    held: Vec<u64>,
}

impl Dealer {
    /// Returns the best of some dealings, with its cost.
    pub(super) fn best(
        &mut self,
        layer: &Growth,
        demand: &Demand,
        machine: &Machine,
    ) -> (f64, &[u8]) {
        let processors = machine.processors;
        self.best = (f64::INFINITY, Owners::new());
        self.list_classes(layer);
        let most = self.deal_balanced(layer, processors);
        self.consider(layer, demand, machine);
        self.deal_contiguously(layer, processors, most);
        self.consider(layer, demand, machine);
        (self.best.0, &self.best.1)
    }

    /// Keeps the dealing at hand, or that dealing with processors relabelled, if it is better than
    /// the best.
    fn consider(&mut self, layer: &Growth, demand: &Demand, machine: &Machine) {
        let cost = self.cost(layer, demand, machine.processors);
        self.keep(cost.total(machine));
        if cost.relation > 0 {
            self.relabel(demand, machine.processors);
            let cost = self.cost(layer, demand, machine.processors);
            self.keep(cost.total(machine));
        }
    }

    /// Keeps the dealing at hand if it is better.
    fn keep(&mut self, total: f64) {
        if total < self.best.0 {
            self.best.0 = total;
            self.best.1.clone_from(&self.owners);
        }
    }

    fn list_classes(&mut self, layer: &Growth) {
        let groups = layer.groups();
        self.offsets.clear();
        self.offsets.resize(groups + 2, 0);
        for (members, _) in layer.classes.iter() {
            for &group in members {
                self.offsets[group as usize + 2] += 1;
            }
        }
        for at in 2..self.offsets.len() {
            self.offsets[at] += self.offsets[at - 1];
        }
        self.classes.clear();
        self.classes.resize(self.offsets[groups + 1] as usize, 0);
        for ((members, _), class) in layer.classes.iter().zip(0..) {
            for &group in members {
                let end = &mut self.offsets[group as usize + 1];
                self.classes[*end as usize] = class;
                *end += 1;
            }
        }
    }

    fn deal_balanced(&mut self, layer: &Growth, processors: u32) -> u64 {
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
        self.loads.clear();
        self.loads.resize(processors as usize, 0);
        for &group in &self.order {
            let (processor, load) = self
                .loads
                .iter_mut()
                .enumerate()
                .min_by_key(|(_, load)| **load)
                .expect("a machine has processors");
            *load += weights[group as usize];
            self.owners[group as usize] = processor as u8;
        }
        self.loads.iter().copied().max().unwrap_or(0)
    }

    /// Deals groups in the order of their positions, each processor a run of them, with the least
    /// bound on loads for which that can be. `most` is a bound for which there is a dealing.
    fn deal_contiguously(&mut self, layer: &Growth, processors: u32, most: u64) {
        self.order
            .sort_unstable_by_key(|&group| (layer.groups.positions[group as usize], group));
        let heaviest = layer.groups.weights.iter().copied().max().unwrap_or(0);
        let mut low = heaviest.max(layer.work().div_ceil(u64::from(processors)));
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
    fn fill(&mut self, layer: &Growth, processors: u32, bound: u64) -> bool {
        let classes = layer.classes.len();
        if self.met.len() < classes || self.now > u32::MAX - 2 * u32::from(u8::MAX) {
            self.met.clear();
            self.met.resize(classes, 0);
            self.now = 0;
        }
        let (mut processor, mut load) = (0, 0);
        self.now += 1;
        for &group in &self.order {
            let range =
                self.offsets[group as usize] as usize..self.offsets[group as usize + 1] as usize;
            let classes = &self.classes[range];
            let new: u64 = classes
                .iter()
                .filter(|&&class| self.met[class as usize] != self.now)
                .map(|&class| layer.classes.get(class).1)
                .sum();
            load += new;
            if load > bound {
                processor += 1;
                if processor == processors {
                    return false;
                }
                self.now += 1;
                load = layer.groups.weights[group as usize];
            }
            for &class in classes {
                self.met[class as usize] = self.now;
            }
            self.owners[group as usize] = processor as u8;
        }
        true
    }

    /// Returns the cost of the owners at hand.
    fn cost(&mut self, layer: &Growth, demand: &Demand, processors: u32) -> Cost {
        sets(layer, &self.owners, &mut self.processors);
        for totals in [&mut self.loads, &mut self.sent, &mut self.received] {
            totals.clear();
            totals.resize(processors as usize, 0);
        }
        for ((_, weight), &set) in layer.classes.iter().zip(&self.processors) {
            if weight > 0 {
                for processor in bits(set) {
                    self.loads[processor] += weight;
                }
            }
        }
        for entry in &demand.entries {
            let set = self.processors[entry.class as usize];
            let missing = entry.needed_by & !set;
            if missing != 0 {
                self.sent[set.trailing_zeros() as usize] +=
                    entry.words * u64::from(missing.count_ones());
                for processor in bits(missing) {
                    self.received[processor] += entry.words;
                }
            }
        }
        let most = |totals: &[u64]| totals.iter().copied().max().unwrap_or(0);
        Cost {
            load: most(&self.loads),
            relation: most(&self.sent).max(most(&self.received)),
        }
    }

    /// Calls the processors by other numbers, so that they hold much of the words that they need
    /// later: the pair of processor and number that matches most words comes first.
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
pub(super) fn sets(layer: &Growth, owners: &[u8], sets: &mut Vec<u64>) {
    sets.clear();
    sets.extend(layer.classes.iter().map(|(members, _)| {
        members
            .iter()
            .fold(0u64, |set, &group| set | 1 << owners[group as usize])
    }));
}

/// Returns the numbers of the bits that are set.
pub(super) fn bits(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = set.trailing_zeros() as usize;
        (set != 0).then(|| {
            set &= set - 1;
            bit
        })
    })
}
