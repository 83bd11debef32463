//! Drawing of chosen layers: their groups, and classes of tasks that are on the same processors.
//!
//! The search for cuts keeps of each layer its levels, its rule and its owners alone, and grows one
//! at a time. Here all layers are there at once, to be annealed and to be made a schedule.

use std::collections::HashMap;

use superstep_machine::Machine;
use superstep_schedule::Schedule;
use superstep_scheduler::ScheduleError;

use super::{growth::Growth, levelled::Levelled, search::Layer};
use crate::lists::schedule_copies;

/// Class of tasks that are always on the same processors.
#[derive(Clone, Copy)]
pub(super) struct Class {
    pub(super) layer: u32,
    pub(super) weight: u64,
}

/// Values of a class that the same classes of later layers read.
#[derive(Clone, Copy)]
pub(super) struct Value {
    pub(super) class: u32,
    pub(super) words: u64,
}

/// Drawing of layers, the last superstep first.
pub(super) struct Drawing<'a> {
    graph: &'a Levelled<'a>,
    /// Processor of each group.
    pub(super) owners: Vec<u8>,
    /// First group of each layer, and the number of groups.
    pub(super) first_groups: Vec<u32>,
    /// Pairs of group and class.
    pub(super) members: Vec<(usize, u32)>,
    pub(super) classes: Vec<Class>,
    /// Class of each task, by rank.
    class_of: Vec<u32>,
    /// First rank of each layer.
    firsts: Vec<u32>,
}

impl<'a> Drawing<'a> {
    pub(super) fn new(graph: &'a Levelled<'a>, machine: &Machine, layers: &[Layer]) -> Self {
        let mut drawing = Self {
            graph,
            owners: Vec::new(),
            first_groups: vec![0],
            members: Vec::new(),
            classes: Vec::new(),
            class_of: vec![0; graph.tasks()],
            firsts: Vec::new(),
        };
        let mut growth = Growth::new(graph, machine.processors);
        for (layer, number) in layers.iter().zip(0..) {
            layer.grow(&mut growth);
            drawing.firsts.push(growth.ranks().start);
            let first_class = drawing.classes.len() as u32;
            let first_group = drawing.owners.len();
            for ((groups, weight), class) in growth.classes.sets.iter().zip(first_class..) {
                let members = groups.iter();
                let members = members.map(|&group| (first_group + group as usize, class));
                drawing.members.extend(members);
                drawing.classes.push(Class {
                    layer: number,
                    weight,
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

    pub(super) fn layers(&self) -> usize {
        self.firsts.len()
    }

    /// Returns the schedule of an `algorithm`.
    ///
    /// # Errors
    /// When there are too many task instances.
    pub(super) fn schedule(
        &self,
        algorithm: &'static str,
        processors: u32,
    ) -> Result<Schedule, ScheduleError> {
        let mut sets = vec![0_u64; self.classes.len()];
        for &(group, class) in &self.members {
            sets[class as usize] |= 1 << self.owners[group];
        }
        let layers = self.layers();
        schedule_copies(algorithm, self.graph.graph, processors, layers, |task| {
            let class = self.class_of[self.graph.rank(task) as usize] as usize;
            (layers - 1 - self.classes[class].layer as usize, sets[class])
        })
    }

    /// Returns the values that later layers read, and each class that reads one with that value.
    /// Values of a class that the same classes read are one.
    pub(super) fn values(&self) -> (Vec<Value>, Vec<(usize, u32)>) {
        let graph = self.graph;
        let (mut values, mut readings) = (Vec::<Value>::new(), Vec::new());
        // By class and readers.
        let mut known = HashMap::<Vec<u32>, u32>::new();
        let mut key = Vec::new();
        for rank in 0..graph.tasks() as u32 {
            let class = self.class_of[rank as usize];
            let first = self.firsts[self.classes[class as usize].layer as usize];
            let later = graph.successors(rank).iter();
            let later = later.filter(|&&reader| reader < first);
            key.clear();
            key.extend(later.map(|&reader| self.class_of[reader as usize]));
            if key.is_empty() {
                continue;
            }
            key.sort_unstable();
            key.dedup();
            key.push(class);
            let words = graph.words(rank);
            if let Some(&value) = known.get(&key) {
                values[value as usize].words += words;
                continue;
            }
            let value = values.len() as u32;
            let readers = &key[..key.len() - 1];
            readings.extend(readers.iter().map(|&reader| (reader as usize, value)));
            known.insert(key.clone(), value);
            values.push(Value { class, words });
        }
        (values, readings)
    }
}
