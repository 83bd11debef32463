//! Board of all layers: the owners of their groups are annealed, by the cost of all supersteps.
//!
//! The search for cuts deals the groups of one layer after the other, from the outputs on. It knows
//! which values later layers need, and not which it will itself need of earlier ones. On the board
//! the groups of all layers move. Any owners make a valid schedule, as no group needs another of
//! its layer.
//!
//! It counts by *classes* of tasks, which are always on the same processors, and by *values*: words
//! of a class that the same classes read. To move a group costs time for its classes and their
//! values alone.

use std::ops::Range;

use superstep_machine::Machine;
use superstep_order::Rows;
use superstep_random::SplitMix64;

use super::drawing::{Class, Drawing, Value};
use crate::{
    search::{
        anneal::{Annealing, Journal, Limit, State},
        cost::{BspCost, Energy},
    },
    sets::bits,
    tunables::{EVENNESS, OWNERS_COLD, OWNERS_HOT},
};

/// Owner of a group that has none yet.
const NOWHERE: u32 = u32::MAX;

/// Steps of a try besides those of the board.
const STEPS_PER_TRY: u64 = 16;

/// Number of times that a group of the processor at hand is looked for.
const LOOKS: u32 = 4;

/// Finds better owners for the groups of all layers, in that many steps or so.
pub(super) fn anneal(drawing: &mut Drawing<'_>, machine: &Machine, steps: u64) {
    let layers = drawing.layers();
    if steps == 0 || layers == 0 || machine.processors < 2 {
        return;
    }
    let mut board = Board::new(drawing, machine);
    let unit = board.cost.cost(machine) / layers as f64;
    let annealing = Annealing {
        energy: Energy {
            evenness: EVENNESS,
            ..Energy::of_cost(machine)
        },
        hot: OWNERS_HOT * unit,
        cold: OWNERS_COLD * unit,
        ramp: 0.0,
        steps,
        seed: 0,
    };
    annealing.run(&mut board, random_exchange);
    drawing.owners = board.owners.iter().map(|&owner| owner as u8).collect();
}

/// Board of all layers with the owners of their groups, and the cost of that, each value being sent
/// right after it is computed.
struct Board {
    /// Processor of each group.
    owners: Vec<u32>,
    /// First group of each layer.
    first_groups: Vec<u32>,
    /// Classes of each group.
    classes_of: Rows<u32>,
    classes: Vec<Class>,
    /// Processors of each class, by its groups.
    holders: Holders,
    values: Vec<Value>,
    values_of: Rows<u32>,
    read_by: Rows<u32>,
    /// Processors that need each value, by the classes that read it.
    needed_by: Holders,
    cost: BspCost,
    /// Classes, values and words looked at so far.
    steps: u64,
}

impl State for Board {
    fn cost(&mut self) -> &mut BspCost {
        &mut self.cost
    }

    fn steps(&self) -> u64 {
        self.steps
    }

    fn is_valid(&self) -> bool {
        true
    }

    fn place_of(&self, group: u32, _: usize) -> u32 {
        self.owners[group as usize]
    }

    /// Gives a group to another processor.
    fn place(&mut self, group: u32, _: usize, to: u32) {
        let from = std::mem::replace(&mut self.owners[group as usize], to);
        for at in self.classes_of.range(group as usize) {
            let class = self.classes_of.items[at];
            let before = self.holders.sets[class as usize];
            if from != NOWHERE {
                self.holders.remove(class, from as usize);
            }
            self.holders.add(class, to as usize);
            self.steps += 1;
            let set = self.holders.sets[class as usize];
            if set != before {
                self.give(class, before, set);
            }
        }
    }
}

impl Board {
    /// Returns the board of a drawing, with the owners that its groups have.
    fn new(drawing: &Drawing<'_>, machine: &Machine) -> Self {
        let processors = machine.processors as usize;
        let (values, readings) = drawing.values();
        let (groups, classes) = (drawing.owners.len(), drawing.classes.len());
        let of_classes = values.iter().map(|value| value.class as usize).zip(0..);
        let mut board = Self {
            classes_of: Rows::sorted(groups, drawing.members.iter().copied()),
            values_of: Rows::sorted(classes, of_classes),
            read_by: Rows::sorted(classes, readings.iter().copied()),
            holders: Holders::new(classes, processors),
            needed_by: Holders::new(values.len(), processors),
            cost: BspCost::new(machine, drawing.layers()),
            owners: vec![NOWHERE; groups],
            first_groups: drawing.first_groups.clone(),
            classes: drawing.classes.clone(),
            values,
            steps: 0,
        };
        for (&owner, group) in drawing.owners.iter().zip(0..) {
            board.place(group, 0, owner.into());
        }
        board
    }

    /// Returns the groups of a layer.
    fn groups(&self, layer: usize) -> Range<u32> {
        self.first_groups[layer]..self.first_groups[layer + 1]
    }

    /// Lets that set of processors compute a class, in place of that before.
    fn give(&mut self, class: u32, before: u64, set: u64) {
        let Class { layer, weight } = self.classes[class as usize];
        for processor in bits(before & !set) {
            self.cost.work::<false>(layer, processor, weight);
        }
        for processor in bits(set & !before) {
            self.cost.work::<true>(layer, processor, weight);
        }
        for at in self.values_of.range(class as usize) {
            self.steps += 1;
            let value = self.values_of.items[at] as usize;
            let (words, needed_by) = (self.values[value].words, self.needed_by.sets[value]);
            self.send_anew(layer, words, (before, needed_by), (set, needed_by));
        }
        for at in self.read_by.range(class as usize) {
            self.steps += 1;
            self.read(self.read_by.items[at], before, set);
        }
    }

    /// Lets that set of processors run a class that reads a value, in place of that before.
    fn read(&mut self, value: u32, before: u64, set: u64) {
        let Value { class, words } = self.values[value as usize];
        let needed_before = self.needed_by.sets[value as usize];
        for processor in bits(before & !set) {
            self.needed_by.remove(value, processor);
        }
        for processor in bits(set & !before) {
            self.needed_by.add(value, processor);
        }
        let needed = self.needed_by.sets[value as usize];
        let own = self.holders.sets[class as usize];
        let layer = self.classes[class as usize].layer;
        self.send_anew(layer, words, (own, needed_before), (own, needed));
    }

    /// Counts the messages with a value as they are after a change, and no longer as before. Either
    /// is given by who computes the value and who needs it; the first who computes it sends it.
    fn send_anew(&mut self, layer: u32, words: u64, before: (u64, u64), after: (u64, u64)) {
        let receivers = |(set, needed_by): (u64, u64)| if set == 0 { 0 } else { needed_by & !set };
        let [from, now_from] = [before, after].map(|(set, _)| set.trailing_zeros() as usize);
        let (old, new) = (receivers(before), receivers(after));
        let same = if from == now_from { old & new } else { 0 };
        for processor in bits(old & !same) {
            self.cost.send::<false>(layer, from, processor, words);
        }
        for processor in bits(new & !same) {
            self.cost.send::<true>(layer, now_from, processor, words);
        }
        self.steps += u64::from((old & !same).count_ones() + (new & !same).count_ones());
    }
}

/// Sets of processors by number, with how often each processor was added.
struct Holders {
    /// Processors, as bits.
    sets: Vec<u64>,
    /// `[set * processors + processor]`.
    counts: Vec<u32>,
    processors: usize,
}

impl Holders {
    /// Returns so many empty sets.
    fn new(sets: usize, processors: usize) -> Self {
        Self {
            sets: vec![0; sets],
            counts: vec![0; sets * processors],
            processors,
        }
    }

    fn add(&mut self, set: u32, processor: usize) {
        self.counts[set as usize * self.processors + processor] += 1;
        self.sets[set as usize] |= 1 << processor;
    }

    /// Takes back that a processor was added once.
    fn remove(&mut self, set: u32, processor: usize) {
        let count = &mut self.counts[set as usize * self.processors + processor];
        *count -= 1;
        if *count == 0 {
            self.sets[set as usize] &= !(1 << processor);
        }
    }
}

/// Gives a random group to another processor, and maybe one from there back in exchange. Most often
/// it is a group of the processor that makes a layer dear. Returns false if nothing would change.
fn random_exchange(
    board: &mut Board,
    random: &mut SplitMix64,
    journal: &mut Journal,
    _: &Limit,
) -> bool {
    board.steps += STEPS_PER_TRY;
    let layer = random.below(board.first_groups.len() - 1);
    let groups = board.groups(layer);
    let any = |random: &mut SplitMix64| groups.start + random.below(groups.len()) as u32;
    let mut group = any(random);
    let dear = match random.below(4) {
        0 => None,
        1 => Some(board.cost.busiest(layer as u32)),
        _ => Some(board.cost.most_traffic(layer as u32).0),
    };
    for _ in 0..LOOKS {
        if dear.is_none_or(|dear| board.owners[group as usize] as usize == dear) {
            break;
        }
        group = any(random);
    }
    let other = any(random);
    let back = random.below(2) == 0;
    let to = if back || random.below(2) == 0 {
        board.owners[other as usize]
    } else {
        random.below(board.cost.processors) as u32
    };
    let from = board.owners[group as usize];
    if to == from {
        return false;
    }
    journal.place(board, group, 0, to);
    if back {
        journal.place(board, other, 0, from);
    }
    true
}

#[cfg(test)]
mod tests {
    use superstep_graphs::generate;
    use superstep_schedule::{CheckedSchedule, Communication, Sending, cost};

    use super::*;
    use crate::cuts::{
        levelled::{Anchor, Levelled},
        search::Search,
    };
    use crate::tunables::FINE_RULES;

    #[test]
    fn the_cost_is_that_of_the_schedule_whatever_moves() {
        let graph = generate::lu(12).expect("it is small");
        let machine = Machine {
            gap: 2.0,
            latency: 9.0,
            ..Machine::new(3)
        };
        let levelled = Levelled::new(&graph, Anchor::Outputs);
        let cuts = |level: usize| level.is_multiple_of(5);
        let mut search = Search::new(&levelled, &machine);
        let layers = search.choose(&cuts, &FINE_RULES, None, 0).layers;
        let mut drawing = Drawing::new(&levelled, &machine, &layers);
        let mut board = Board::new(&drawing, &machine);
        let energy = Energy::of_cost(&machine);
        let limit = Limit {
            energy: &energy,
            most: 0.0,
        };
        let (mut random, mut journal) = (SplitMix64::new(7), Journal::default());
        for _ in 0..200 {
            random_exchange(&mut board, &mut random, &mut journal, &limit);
            drawing.owners = board.owners.iter().map(|&owner| owner as u8).collect();
            let schedule = drawing
                .schedule("cuts", machine.processors)
                .expect("it is small");
            let checked = CheckedSchedule::new(&graph, schedule).expect("it is valid");
            let eager = Communication::new(&checked, Sending::Eager);
            let cost = cost::bsp_cost(&checked, &eager, &machine);
            assert_eq!(board.cost.cost(&machine), cost);
        }
    }
}
