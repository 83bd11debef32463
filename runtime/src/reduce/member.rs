//! Member of a team: a processor of a running program, and the reductions that it takes part in.

use std::ops::Range;

use superstep_reduction::Tree;

use super::forest::Forest;
use super::network::Network;

/// Processor of a team that runs a program: see [`run`](super::run).
///
/// The methods that take a tree are *collective*: every processor of the team calls them, with
/// equal trees and in the same order. Operands and operations are the processor's own affair; of
/// the operands only those of its [range](Self::operands) are asked for.
pub struct Member<'a> {
    processor: usize,
    network: &'a Network,
    begun: usize,
}

impl<'a> Member<'a> {
    pub(super) fn new(processor: usize, network: &'a Network) -> Self {
        Self {
            processor,
            network,
            begun: 0,
        }
    }

    /// Returns the number of this processor, from 0.
    pub fn processor(&self) -> usize {
        self.processor
    }

    /// Returns the number of processors of the team.
    pub fn processors(&self) -> usize {
        self.network.processors()
    }

    /// Returns the operands of `tree` that are this processor's.
    pub fn operands(&self, tree: &Tree) -> Range<usize> {
        tree.range(self.processor)
    }

    /// Combines all operands (collective); processor 0 gets the result, if there are any operands,
    /// and the others get nothing.
    ///
    /// # Panics
    /// As all collective operations: when the tree takes more processors than the team has, or
    /// another processor calls something else.
    pub fn reduce<T: Send + 'static>(
        &mut self,
        tree: &Tree,
        operand: impl Fn(usize) -> T,
        combine: impl Fn(T, T) -> T,
    ) -> Option<T> {
        self.begin(tree);
        let own = Forest::of(tree, self.operands(tree), &operand, &combine);
        self.gather(tree, own, &combine)?.finish(&combine)
    }

    /// Combines all operands (collective); every processor gets the result, `None` if there are no
    /// operands.
    ///
    /// Where the tree's layers divide the processors evenly, all of a group take in all others'
    /// results. They combine them themselves, instead of waiting for one that does it for them.
    pub fn allreduce<T: Clone + Send + 'static>(
        &mut self,
        tree: &Tree,
        operand: impl Fn(usize) -> T,
        combine: impl Fn(T, T) -> T,
    ) -> Option<T> {
        self.begin(tree);
        let own = Forest::of(tree, self.operands(tree), &operand, &combine);
        if let Some(fan_ins) = tree.exchange() {
            let all = (self.processor < tree.active())
                .then(|| self.exchange(fan_ins, own, &combine).finish(&combine));
            self.hand_on(tree, all)
        } else {
            let result = self.gather(tree, own, &combine);
            self.broadcast(tree, result.map(|all| all.finish(&combine)))
        }
    }

    /// Begins a collective operation.
    pub(super) fn begin(&mut self, tree: &Tree) {
        self.begun += 1;
        assert!(
            tree.active() <= self.processors(),
            "the tree takes {} processors, the team has {}",
            tree.active(),
            self.processors()
        );
    }

    /// Returns the number of collective operations that have begun.
    pub(super) fn begun(&self) -> usize {
        self.begun
    }

    pub(super) fn send<T: Send + 'static>(&self, to: usize, value: T) {
        self.network.send(self.processor, to, Box::new(value));
    }

    pub(super) fn receive<T: 'static>(&self, from: usize) -> T {
        let value = self.network.receive(from, self.processor).downcast();
        *value.expect("all processors call the same collective operations in the same order")
    }

    /// Takes the value that is the member's own, or receives another's.
    pub(super) fn take_or_receive<T: 'static>(&self, mine: &mut Option<T>, from: usize) -> T {
        let mine = mine.take_if(|_| from == self.processor);
        mine.unwrap_or_else(|| self.receive(from))
    }

    /// Takes in the children's results and sends all to the parent; on processor 0, the result.
    fn gather<T: Send + 'static>(
        &self,
        tree: &Tree,
        mut own: Forest<T>,
        combine: &impl Fn(T, T) -> T,
    ) -> Option<Forest<T>> {
        for child in tree.children(self.processor) {
            own.append(self.receive(child), combine);
        }
        match tree.parent(self.processor) {
            Some(parent) => {
                self.send(parent, own);
                None
            }
            None => Some(own).filter(|_| self.processor == 0),
        }
    }

    /// Takes in, layer by layer, the results of all others of the group and gives them its own.
    fn exchange<T: Clone + Send + 'static>(
        &self,
        fan_ins: &[u64],
        mut own: Forest<T>,
        combine: &impl Fn(T, T) -> T,
    ) -> Forest<T> {
        let mut stride = 1;
        for &fan_in in fan_ins {
            let fan_in = fan_in as usize;
            let place = self.processor / stride % fan_in;
            let first = self.processor - place * stride;
            let group = (0..fan_in).map(|place| first + place * stride);
            for other in group.clone().filter(|&other| other != self.processor) {
                self.send(other, own.clone());
            }
            let mut mine = Some(own);
            let mut parts = group.map(|other| self.take_or_receive(&mut mine, other));
            own = parts.next().expect("a group has at least two members");
            parts.for_each(|right| own.append(right, combine));
            stride *= fan_in;
        }
        own
    }

    /// Hands a value down from processor 0, which has it, to all.
    fn broadcast<T: Clone + Send + 'static>(&self, tree: &Tree, value: Option<T>) -> T {
        let value = match (tree.parent(self.processor), value) {
            (Some(parent), _) => Some(self.receive(parent)),
            (None, value) => value,
        };
        if let Some(value) = &value {
            // Whoever was taken in last has the most below it.
            for child in tree.children(self.processor).rev() {
                self.send(child, value.clone());
            }
        }
        self.hand_on(tree, value)
    }

    /// Hands a value from the processors that take part in the tree, which have it, to the others.
    pub(super) fn hand_on<T: Clone + Send + 'static>(&self, tree: &Tree, value: Option<T>) -> T {
        let Some(value) = value else {
            return self.receive(self.processor % tree.active());
        };
        for other in (self.processor..self.processors())
            .step_by(tree.active())
            .skip(1)
        {
            self.send(other, value.clone());
        }
        value
    }
}
