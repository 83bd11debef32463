//! Refinement of cuts from coarse to fine.

use superstep_machine::Machine;

use super::{
    levelled::Levelled,
    search::{Chosen, Layer, Rule, Search},
};
use crate::tunables::{BY_ALL_RULES, COARSE_RULES, FINE_RULES, FINER, FINER_BY_ALL_RULES, RANGES};

/// Choices of cuts, each between finer ranges of levels than the one before, which bounds it.
pub(super) struct Refinement<'a> {
    graph: &'a Levelled<'a>,
    search: Search<'a>,
    best: Chosen,
    /// Levels of a range.
    stride: usize,
    /// Steps of the last choice.
    last: u64,
}

impl<'a> Refinement<'a> {
    /// Makes the coarsest choice, in that many steps or so.
    pub(super) fn begin(graph: &'a Levelled<'a>, machine: &'a Machine, steps: u64) -> Self {
        let mut search = Search::new(graph, machine);
        let stride = (graph.levels() / RANGES).max(1).next_power_of_two();
        let best = search.choose(&divided_by(stride), &COARSE_RULES, None, steps);
        let last = search.steps();
        Self {
            graph,
            search,
            best,
            stride,
            last,
        }
    }

    /// Makes a choice between ranges of half the size, until so many steps are taken or so; returns
    /// false if ranges are levels already.
    pub(super) fn halve(&mut self, most_steps: u64) -> bool {
        let finer = self.stride > 1;
        if finer {
            self.choose(self.stride / 2, &COARSE_RULES, most_steps);
        }
        finer
    }

    /// Makes finer choices, in that many steps or so.
    pub(super) fn refine(&mut self, steps: u64) {
        let most_steps = self.steps() + steps;
        let fits = |this: &Self, times: u64| this.steps() + times * this.last <= most_steps;
        while self.stride > 2 && fits(self, FINER) {
            self.halve(most_steps);
        }
        if self.stride > 1 && fits(self, FINER_BY_ALL_RULES) {
            self.choose(self.stride / 2, &FINE_RULES, most_steps);
        } else if fits(self, BY_ALL_RULES) {
            self.choose(self.stride, &FINE_RULES, most_steps);
        } else if fits(self, FINER) {
            self.halve(most_steps);
        }
    }

    fn choose(&mut self, stride: usize, rules: &[Rule], most_steps: u64) {
        let before = self.steps();
        let chosen = self
            .search
            .choose(&divided_by(stride), rules, Some(&self.best), most_steps);
        self.last = self.steps() - before;
        self.stride = stride;
        if chosen.cost < self.best.cost {
            self.best = chosen;
        }
    }

    /// Returns the steps taken so far.
    pub(super) fn steps(&self) -> u64 {
        self.search.steps()
    }

    /// Returns the steps of the last choice.
    pub(super) fn last(&self) -> u64 {
        self.last
    }

    /// Returns the cost of the best choice.
    pub(super) fn cost(&self) -> f64 {
        self.best.cost
    }

    /// Returns the layers of the best choice, and the levels that they are of.
    pub(super) fn into_layers(self) -> (&'a Levelled<'a>, Vec<Layer>) {
        (self.graph, self.best.layers)
    }
}

/// Returns whether levels may be cut that `stride` divides.
fn divided_by(stride: usize) -> impl Fn(usize) -> bool {
    move |level| level.is_multiple_of(stride)
}
