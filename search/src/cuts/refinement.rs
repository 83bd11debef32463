//! Refinement of cuts from coarse to fine.

use superstep_machine::Machine;

use super::{
    growth::Rule,
    levelled::Levelled,
    search::{Chosen, Search},
};
use crate::tunables::{BY_ALL_RULES, COARSE_RULES, FINE_RULES, FINER, FINER_BY_ALL_RULES, RANGES};

/// Choices of cuts, each between finer ranges of levels than the one before, which bounds it.
pub(super) struct Refinement<'a> {
    pub(super) search: Search<'a>,
    /// Best choice.
    pub(super) chosen: Chosen,
    /// Levels of a range.
    stride: usize,
    /// Steps of the last choice.
    pub(super) last: u64,
}

impl<'a> Refinement<'a> {
    /// Makes the coarsest choice, in that many steps or so.
    pub(super) fn begin(graph: &'a Levelled<'a>, machine: &'a Machine, steps: u64) -> Self {
        let mut search = Search::new(graph, machine);
        let stride = (graph.levels() / RANGES).max(1).next_power_of_two();
        let chosen = search.choose(&divided_by(stride), &COARSE_RULES, None, steps);
        let last = search.steps;
        Self {
            search,
            chosen,
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
        let most_steps = self.search.steps + steps;
        let fits = |this: &Self, times: u64| this.search.steps + times * this.last <= most_steps;
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
        let before = self.search.steps;
        let chosen = self
            .search
            .choose(&divided_by(stride), rules, Some(&self.chosen), most_steps);
        self.last = self.search.steps - before;
        self.stride = stride;
        if chosen.cost < self.chosen.cost {
            self.chosen = chosen;
        }
    }
}

/// Returns whether levels may be cut that `stride` divides.
fn divided_by(stride: usize) -> impl Fn(usize) -> bool {
    move |level| level.is_multiple_of(stride)
}
