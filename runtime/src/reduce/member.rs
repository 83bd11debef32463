//! Member of a team: a processor of a running program, and the reductions that it takes part in.

use std::ops::Range;

use superstep_reduction::Plan;

use super::forest::Forest;
use super::network::Network;

/// Processor of a team that runs a program: see [`run`](super::run).
///
/// The methods that take a plan are *collective*: every processor of the team calls them, with
/// equal plans and in the same order. Operands and operations are the processor's own affair; of
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

    /// Returns the operands of `plan` that are this processor's.
    pub fn operands(&self, plan: &Plan) -> Range<usize> {
        plan.range(self.processor)
    }

    /// Combines all operands (collective); processor 0 gets the result, if there are any operands,
    /// and the others get nothing.
    ///
    /// # Panics
    /// As all collective operations: when the plan takes more processors than the team has, or
    /// another processor calls something else.
    pub fn reduce<T: Send + 'static>(
        &mut self,
        plan: &Plan,
        operand: impl Fn(usize) -> T,
        combine: impl Fn(T, T) -> T,
    ) -> Option<T> {
        self.begin(plan);
        let own = Forest::of(plan, self.operands(plan), &operand, &combine);
        self.gather(plan, own, &combine)?.finish(&combine)
    }

    /// Combines all operands (collective); every processor gets the result, `None` if there are no
    /// operands.
    ///
    /// Where the plan's layers divide the processors evenly, all of a group take in all others'
    /// results. They combine them themselves, instead of waiting for one that does it for them.
    pub fn allreduce<T: Clone + Send + 'static>(
        &mut self,
        plan: &Plan,
        operand: impl Fn(usize) -> T,
        combine: impl Fn(T, T) -> T,
    ) -> Option<T> {
        self.begin(plan);
        let own = Forest::of(plan, self.operands(plan), &operand, &combine);
        if let Some(fan_ins) = plan.exchange() {
            let all = (self.processor < plan.active())
                .then(|| self.exchange(fan_ins, own, &combine).finish(&combine));
            self.hand_on(plan, all)
        } else {
            let result = self.gather(plan, own, &combine);
            self.broadcast(plan, result.map(|all| all.finish(&combine)))
        }
    }

    /// Begins a collective operation.
    pub(super) fn begin(&mut self, plan: &Plan) {
        self.begun += 1;
        assert!(
            plan.active() <= self.processors(),
            "the plan takes {} processors, the team has {}",
            plan.active(),
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

    /// Takes in the children's results and sends all to the parent; on processor 0, the result.
    fn gather<T: Send + 'static>(
        &self,
        plan: &Plan,
        mut own: Forest<T>,
        combine: &impl Fn(T, T) -> T,
    ) -> Option<Forest<T>> {
        for child in plan.children(self.processor) {
            own.append(self.receive(child), combine);
        }
        match plan.parent(self.processor) {
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
            let mut parts = group.map(|other| match mine.take_if(|_| other == self.processor) {
                Some(mine) => mine,
                None => self.receive(other),
            });
            own = parts.next().expect("a group has at least two members");
            parts.for_each(|right| own.append(right, combine));
            stride *= fan_in;
        }
        own
    }

    /// Hands a value down from processor 0, which has it, to all.
    fn broadcast<T: Clone + Send + 'static>(&self, plan: &Plan, value: Option<T>) -> T {
        let value = match (plan.parent(self.processor), value) {
            (Some(parent), _) => Some(self.receive(parent)),
            (None, value) => value,
        };
        if let Some(value) = &value {
            // Whoever was taken in last has the most below it.
            for child in plan.children(self.processor).rev() {
                self.send(child, value.clone());
            }
        }
        self.hand_on(plan, value)
    }

    /// Hands a value from the processors that take part in the plan, which have it, to the others.
    pub(super) fn hand_on<T: Clone + Send + 'static>(&self, plan: &Plan, value: Option<T>) -> T {
        let Some(value) = value else {
            return self.receive(self.processor % plan.active());
        };
        for other in (self.processor..self.processors())
            .step_by(plan.active())
            .skip(1)
        {
            self.send(other, value.clone());
        }
        value
    }
}
