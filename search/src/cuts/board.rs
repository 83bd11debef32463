//! Board of all layers with the owners of their groups, and the cost of those.
//!
//! It counts by *classes* of tasks, which are always on the same processors, and by *values*: words
//! of a class that the same classes read. To move a group costs time for its classes and their
//! values alone.

use std::ops::Range;

use superstep_machine::Machine;

use super::{
    dealing::bits,
    growth::Growth,
    levelled::Levelled,
    search::{Layer, regrow},
};
use crate::{
    index::{Index, hash},
    search::cells::Cells,
};

/// Owner of a group that has none yet.
const NOWHERE: u8 = u8::MAX;

/// Lists of numbers, one after the other.
#[derive(Default)]
struct Lists {
    offsets: Vec<u32>,
    items: Vec<u32>,
}

impl Lists {
    /// Returns the list for each key, from pairs of key and item.
    fn new(keys: usize, pairs: impl Iterator<Item = (u32, u32)> + Clone) -> Self {
        let mut offsets = vec![0u32; keys + 2];
        for (key, _) in pairs.clone() {
            offsets[key as usize + 2] += 1;
        }
        for at in 2..offsets.len() {
            offsets[at] += offsets[at - 1];
        }
        let mut items = vec![0; offsets[keys + 1] as usize];
        for (key, item) in pairs {
            let end = &mut offsets[key as usize + 1];
            items[*end as usize] = item;
            *end += 1;
        }
        offsets.pop();
        Self { offsets, items }
    }

    fn range(&self, key: u32) -> Range<usize> {
        self.offsets[key as usize] as usize..self.offsets[key as usize + 1] as usize
    }
}

/// Class of tasks that are always on the same processors.
#[derive(Clone, Copy)]
struct Class {
    layer: u32,
    weight: u64,
    /// Processors, as bits.
    set: u64,
}

/// Values of a class that the same classes of later layers read.
#[derive(Clone, Copy)]
struct Value {
    class: u32,
    words: u64,
    needed_by: u64,
}

/// Board of all layers with the owners of their groups, and the cost of that, each value being sent
/// right after it is computed.
pub(super) struct Board {
    processors: usize,
    /// Processor of each group.
    pub(super) owners: Vec<u8>,
    /// First group of each layer.
    first_groups: Vec<u32>,
    classes_of: Lists,
    classes: Vec<Class>,
    /// Number of groups of each class that each processor has.
    groups: Vec<u32>,
    values: Vec<Value>,
    values_of: Lists,
    read_by: Lists,
    /// Number of classes reading each value that each processor has.
    readers: Vec<u32>,
    loads: Cells,
    /// Words that each processor sends, then those that each receives, by layer.
    traffic: Cells,
    work: u64,
    words: u64,
    /// Steps taken so far: classes, values and words looked at.
    pub(super) steps: u64,
}

impl Board {
    /// Returns the board of layers, the last superstep first, with the owners that their groups
    /// have.
    pub(super) fn new(graph: &Levelled<'_>, machine: &Machine, layers: &[Layer]) -> Self {
        let processors = machine.processors as usize;
        let drawing = Drawing::new(graph, machine, layers);
        let values = drawing.values(graph);
        let groups = drawing.owners.len();
        let mut board = Self {
            processors,
            classes_of: Lists::new(groups, drawing.members.iter().copied()),
            values_of: Lists::new(
                drawing.classes.len(),
                values
                    .values
                    .iter()
                    .zip(0..)
                    .map(|(value, at)| (value.class, at)),
            ),
            read_by: Lists::new(drawing.classes.len(), values.readers()),
            groups: vec![0; drawing.classes.len() * processors],
            readers: vec![0; values.values.len() * processors],
            loads: Cells::new(layers.len(), processors),
            traffic: Cells::new(layers.len(), 2 * processors),
            owners: vec![NOWHERE; groups],
            first_groups: drawing.first_groups,
            classes: drawing.classes,
            values: values.values,
            work: 0,
            words: 0,
            steps: 0,
        };
        for (&owner, group) in drawing.owners.iter().zip(0..) {
            board.put(group, owner);
        }
        board
    }

    pub(super) fn layers(&self) -> usize {
        self.first_groups.len() - 1
    }

    pub(super) fn processors(&self) -> usize {
        self.processors
    }

    /// Returns the groups of a layer.
    pub(super) fn groups(&self, layer: usize) -> Range<u32> {
        self.first_groups[layer]..self.first_groups[layer + 1]
    }

    /// Returns the processor that computes most in a layer.
    pub(super) fn busiest(&self, layer: usize) -> u8 {
        self.loads.column_of_largest(layer as u32) as u8
    }

    /// Returns the processor that sends or receives most after a layer.
    pub(super) fn most_traffic(&self, layer: usize) -> u8 {
        (self.traffic.column_of_largest(layer as u32) % self.processors) as u8
    }

    /// Puts a group on a processor.
    pub(super) fn put(&mut self, group: u32, to: u8) {
        let from = std::mem::replace(&mut self.owners[group as usize], to);
        for at in self.classes_of.range(group) {
            let class = self.classes_of.items[at];
            let counts = &mut self.groups[class as usize * self.processors..][..self.processors];
            let before = self.classes[class as usize].set;
            let mut set = before;
            if from != NOWHERE {
                counts[usize::from(from)] -= 1;
                if counts[usize::from(from)] == 0 {
                    set &= !(1 << from);
                }
            }
            counts[usize::from(to)] += 1;
            set |= 1 << to;
            self.steps += 1;
            if set != before {
                self.give(class, set);
            }
        }
    }

    /// Lets that set of processors compute a class.
    fn give(&mut self, class: u32, set: u64) {
        let of = self.values_of.range(class);
        let read = self.read_by.range(class);
        self.steps += (of.len() + read.len()) as u64;
        let Class {
            layer,
            weight,
            set: before,
        } = self.classes[class as usize];
        // The processors that need a value from elsewhere change with the set; the sender is the
        // first of the set.
        let sender_stays = before.trailing_zeros() == set.trailing_zeros();
        if sender_stays {
            let changed = before ^ set;
            for at in of.clone() {
                let value = self.values_of.items[at];
                let concerned = self.values[value as usize].needed_by & changed;
                for processor in bits(concerned & set) {
                    self.charge_one(value, processor, false);
                }
            }
        } else {
            for at in of.clone() {
                self.charge(self.values_of.items[at], false);
            }
        }
        self.classes[class as usize].set = set;
        if weight > 0 {
            for processor in bits(before & !set) {
                self.loads.subtract(layer, processor, weight);
                self.work -= weight;
            }
            for processor in bits(set & !before) {
                self.loads.add(layer, processor, weight);
                self.work += weight;
            }
        }
        if sender_stays {
            let left = before & !set;
            for at in of.clone() {
                let value = self.values_of.items[at];
                let concerned = self.values[value as usize].needed_by & left;
                for processor in bits(concerned) {
                    self.charge_one(value, processor, true);
                }
            }
        } else {
            for at in of {
                self.charge(self.values_of.items[at], true);
            }
        }
        for at in read {
            let value = self.read_by.items[at];
            let counts = value as usize * self.processors;
            for processor in bits(before & !set) {
                self.readers[counts + processor] -= 1;
                if self.readers[counts + processor] == 0 {
                    self.values[value as usize].needed_by &= !(1 << processor);
                    self.charge_one(value, processor, false);
                }
            }
            for processor in bits(set & !before) {
                self.readers[counts + processor] += 1;
                if self.readers[counts + processor] == 1 {
                    self.values[value as usize].needed_by |= 1 << processor;
                    self.charge_one(value, processor, true);
                }
            }
        }
    }

    fn charge(&mut self, value: u32, more: bool) {
        let Value {
            class, needed_by, ..
        } = self.values[value as usize];
        for processor in bits(needed_by & !self.classes[class as usize].set) {
            self.charge_one(value, processor, more);
        }
    }

    /// Counts a value for a processor that needs it, or counts it no more.
    fn charge_one(&mut self, value: u32, processor: usize, more: bool) {
        let Value { class, words, .. } = self.values[value as usize];
        let Class { layer, set, .. } = self.classes[class as usize];
        if set == 0 || set >> processor & 1 == 1 {
            return;
        }
        self.steps += 1;
        let sender = set.trailing_zeros() as usize;
        for column in [sender, self.processors + processor] {
            if more {
                self.traffic.add(layer, column, words);
            } else {
                self.traffic.subtract(layer, column, words);
            }
        }
        if more {
            self.words += words;
        } else {
            self.words -= words;
        }
    }

    /// Returns the cost of all layers.
    pub(super) fn cost(&mut self, machine: &Machine) -> f64 {
        self.loads.settle();
        self.traffic.settle();
        self.loads.sum() as f64
            + machine.gap * self.traffic.sum() as f64
            + machine.latency * f64::from(self.traffic.rows_in_use())
    }

    /// Returns the cost of work and words of all processors.
    pub(super) fn total(&self, machine: &Machine) -> f64 {
        self.work as f64 + machine.gap * self.words as f64
    }
}

/// Drawing of layers as classes.
struct Drawing {
    owners: Vec<u8>,
    first_groups: Vec<u32>,
    /// Pairs of group and class.
    members: Vec<(u32, u32)>,
    classes: Vec<Class>,
    /// Class of each task, by rank.
    class_of: Vec<u32>,
    /// First rank of each layer.
    firsts: Vec<u32>,
}

impl Drawing {
    fn new(graph: &Levelled<'_>, machine: &Machine, layers: &[Layer]) -> Self {
        let mut drawing = Self {
            owners: Vec::new(),
            first_groups: vec![0],
            members: Vec::new(),
            classes: Vec::new(),
            class_of: vec![0; graph.tasks()],
            firsts: Vec::new(),
        };
        let mut growth = Growth::default();
        for (layer, number) in layers.iter().zip(0..) {
            regrow(graph, machine, layer, &mut growth);
            drawing.firsts.push(growth.ranks().start);
            let first_class = drawing.classes.len() as u32;
            let first_group = drawing.owners.len() as u32;
            for ((groups, weight), class) in growth.classes.iter().zip(first_class..) {
                let members = groups.iter().map(|&group| (first_group + group, class));
                drawing.members.extend(members);
                drawing.classes.push(Class {
                    layer: number,
                    weight,
                    set: 0,
                });
            }
            for rank in growth.ranks() {
                drawing.class_of[rank as usize] = first_class + growth.class_of(rank);
            }
            drawing.owners.extend_from_slice(&layer.owners);
            drawing.first_groups.push(drawing.owners.len() as u32);
        }
        drawing
    }

    /// Returns the values that later layers read; those of a class that the same classes read are
    /// one.
    fn values(&self, graph: &Levelled<'_>) -> Values {
        let mut values = Values::default();
        let mut readers = Vec::new();
        for rank in 0..graph.tasks() as u32 {
            let class = self.class_of[rank as usize];
            let first = self.firsts[self.classes[class as usize].layer as usize];
            let later = graph.successors(rank).iter();
            readers.clear();
            readers.extend(
                later
                    .filter(|&&reader| reader < first)
                    .map(|&reader| self.class_of[reader as usize]),
            );
            if !readers.is_empty() {
                readers.sort_unstable();
                readers.dedup();
                values.add(class, &readers, graph.words(rank));
            }
        }
        values
    }
}

/// Values and their readers.
#[derive(Default)]
struct Values {
    values: Vec<Value>,
    /// Classes that read each, one after the other, and the end of each one's.
    listed: Vec<u32>,
    ends: Vec<u32>,
    /// Values by a hash of class and readers.
    known: Index<u32>,
}

impl Values {
    fn add(&mut self, class: u32, readers: &[u32], words: u64) {
        let mix = |key: u64, &reader: &u32| key.rotate_left(5) ^ hash(reader);
        let key = readers.iter().fold(!hash(class), mix);
        if let Some(&at) = self.known.get(&key)
            && self.values[at as usize].class == class
            && self.readers_of(at as usize) == readers
        {
            self.values[at as usize].words += words;
            return;
        }
        self.known.insert(key, self.values.len() as u32);
        self.values.push(Value {
            class,
            words,
            needed_by: 0,
        });
        self.listed.extend_from_slice(readers);
        self.ends.push(self.listed.len() as u32);
    }

    fn readers_of(&self, value: usize) -> &[u32] {
        let start = value.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.listed[start as usize..self.ends[value] as usize]
    }

    /// Returns each class that reads a value, and the value.
    fn readers(&self) -> impl Iterator<Item = (u32, u32)> + Clone {
        (0..self.values.len()).flat_map(|value| {
            self.readers_of(value)
                .iter()
                .map(move |&class| (class, value as u32))
        })
    }
}
