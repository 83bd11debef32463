//! Choice of the cuts.

use superstep_machine::Machine;

use super::{
    dealing::{Dealer, Owners, sets},
    growth::{Growth, Rule},
    levelled::Levelled,
    needs::{Demand, Needs},
};
use crate::tunables::{FIRST_SLACK, FREE_MEMBERSHIPS, MOST_MEMBERSHIPS, SLACK, STEPS_OF_DEALING};

/// Layer: levels `first..end`.
#[derive(Clone)]
pub(super) struct Layer {
    first: usize,
    end: usize,
    rule: Rule,
    /// Processor of each group.
    pub(super) owners: Owners,
}

/// Label of a cut: the cheapest way to it.
struct Label {
    cost: f64,
    /// Layer after the cut, none at the outputs.
    layer: Option<Layer>,
    /// Needs for values of the tasks before the cut; found when the cut's turn comes.
    needs: Needs,
}

/// Cuts that were chosen.
pub(super) struct Chosen {
    /// Cost with every value sent right after it is computed.
    pub(super) cost: f64,
    /// Layers, the last superstep first.
    pub(super) layers: Vec<Layer>,
    /// Costs of the cuts, by which the next, finer choice is bounded: by level, infinite where
    /// there was no cut.
    costs: Vec<f64>,
}

/// Search for cuts.
pub(super) struct Search<'a> {
    pub(super) graph: &'a Levelled<'a>,
    machine: &'a Machine,
    growth: Growth<'a>,
    dealer: Dealer,
    demand: Demand,
    /// Processors that need each rank, as bits; 0 between uses.
    needed_by: Vec<u64>,
    processors: Vec<u64>,
    labels: Vec<Label>,
    /// Slack by which a layer may be dearer than the best known, if longer ones are to be tried.
    slack: f64,
    /// Steps taken so far: tasks, edges and memberships looked at.
    pub(super) steps: u64,
}

impl Layer {
    /// Grows the layer again; returns the steps that takes.
    pub(super) fn grow(&self, growth: &mut Growth<'_>) -> u64 {
        growth.start(self.first, self.rule);
        let mut steps = 0;
        while growth.end < self.end {
            steps += growth.take_level(|_| ());
        }
        steps
    }
}

/// Returns for each level the most that it costs to get there, or further, by cuts chosen before.
fn bounds(before: Option<&Chosen>, levels: usize) -> Vec<f64> {
    let mut bounds = match before {
        Some(before) => before.costs.clone(),
        None => vec![f64::INFINITY; levels + 1],
    };
    for level in (0..levels).rev() {
        bounds[level] = bounds[level].min(bounds[level + 1]);
    }
    bounds
}

impl<'a> Search<'a> {
    pub(super) fn new(graph: &'a Levelled<'a>, machine: &'a Machine) -> Self {
        Self {
            graph,
            machine,
            growth: Growth::new(graph, machine.processors),
            dealer: Dealer::default(),
            demand: Demand::default(),
            needed_by: Vec::new(),
            processors: Vec::new(),
            labels: Vec::new(),
            slack: 0.0,
            steps: 0,
        }
    }

    /// Returns the best cuts, of those at levels that may be cut. Beyond that many steps in all,
    /// each layer tried is as short as can be. So with no steps all that may be cut is cut.
    pub(super) fn choose(
        &mut self,
        may_be_cut: &dyn Fn(usize) -> bool,
        rules: &[Rule],
        before: Option<&Chosen>,
        most_steps: u64,
    ) -> Chosen {
        let levels = self.graph.levels();
        self.clear_labels();
        let bounds = bounds(before, levels);
        self.slack = match before {
            Some(before) => self.machine.latency + SLACK * before.cost / before.layers.len() as f64,
            None => FIRST_SLACK * self.machine.latency,
        };
        // The cuts whose layers end at cuts that are still to come, and the last of those.
        let mut open: Vec<(usize, usize)> = Vec::new();
        for level in (0..levels).filter(|&level| may_be_cut(level)) {
            self.find_needs(level);
            let ends = rules
                .iter()
                .map(|&rule| self.try_layers(level, rule, may_be_cut, &bounds, most_steps));
            open.push((level, ends.max().unwrap_or(level)));
            open.retain(|&(first, end)| {
                if end <= level {
                    self.labels[first].needs = Needs::new();
                }
                end > level
            });
        }
        self.chosen()
    }

    /// Removes all cuts but that at the outputs.
    fn clear_labels(&mut self) {
        let levels = self.graph.levels();
        self.labels.clear();
        self.labels.extend((0..=levels).map(|_| Label {
            cost: f64::INFINITY,
            layer: None,
            needs: Needs::new(),
        }));
        self.labels[0].cost = 0.0;
    }

    /// Returns the layers that lead to the inputs.
    fn chosen(&self) -> Chosen {
        let levels = self.graph.levels();
        let mut layers = Vec::new();
        let mut at = levels;
        while let Some(layer) = &self.labels[at].layer {
            at = layer.first;
            layers.push(layer.clone());
        }
        layers.reverse();
        Chosen {
            cost: self.labels[levels].cost,
            layers,
            costs: self.labels.iter().map(|label| label.cost).collect(),
        }
    }

    /// Tries layers from a level on by a rule; returns the level after the last of the longest.
    fn try_layers(
        &mut self,
        level: usize,
        rule: Rule,
        may_be_cut: &dyn Fn(usize) -> bool,
        bounds: &[f64],
        most_steps: u64,
    ) -> usize {
        let levels = self.graph.levels();
        self.demand.clear();
        self.growth.start(level, rule);
        let mut worse = 0;
        loop {
            let demand = &mut self.demand;
            self.steps += self.growth.take_level(|remap| demand.remap(remap));
            let end = self.growth.end;
            if end != levels && !may_be_cut(end) {
                continue;
            }
            let cost = self.try_layer(level, rule);
            let best = self.labels[end].cost.min(bounds[end]);
            worse = if cost > best + self.slack {
                worse + 1
            } else {
                0
            };
            let tasks = self.growth.ranks().len();
            let memberships = self.growth.classes.members();
            let copies = memberships > MOST_MEMBERSHIPS * tasks + FREE_MEMBERSHIPS;
            if worse >= 2 || copies || end == levels || self.steps > most_steps {
                return end;
            }
        }
    }

    /// Deals the layer from a level on as it has grown, unless it is too dear however it is dealt.
    /// Returns the cost of all that is computed then, or a bound on it.
    fn try_layer(&mut self, level: usize, rule: Rule) -> f64 {
        let Self {
            growth,
            demand,
            dealer,
            machine,
            ..
        } = self;
        demand.count(self.graph, growth, &self.labels[level].needs);
        let end = growth.end;
        let base = self.labels[level].cost;
        let label = &mut self.labels[end];
        let heaviest = growth.groups.weights.iter().copied().max().unwrap_or(0);
        let share = growth.work.div_ceil(u64::from(machine.processors));
        let bound = base + heaviest.max(share) as f64;
        if bound >= label.cost {
            return bound;
        }
        self.steps +=
            STEPS_OF_DEALING * growth.classes.members() as u64 + demand.entries.len() as u64;
        let (cost, owners) = dealer.best(growth, demand, machine);
        let cost = base + cost;
        if cost < label.cost {
            label.cost = cost;
            label.layer = Some(Layer {
                first: level,
                end,
                rule,
                owners: owners.to_vec(),
            });
        }
        cost
    }

    /// Finds the needs for values of the tasks before a cut: those of later layers, and those of
    /// the layer behind it.
    fn find_needs(&mut self, level: usize) {
        let Some(layer) = &self.labels[level].layer else {
            return;
        };
        self.steps += layer.grow(&mut self.growth);
        sets(&self.growth, &layer.owners, &mut self.processors);
        let ranks = self.growth.ranks();
        self.needed_by.resize(self.graph.tasks(), 0);
        let mut needs = Needs::new();
        for &(rank, set) in &self.labels[layer.first].needs {
            if rank >= ranks.end {
                self.needed_by[rank as usize] = set;
                needs.push((rank, 0));
            }
        }
        for rank in ranks.clone() {
            let set = self.processors[self.growth.class_of(rank) as usize];
            let values = self.graph.predecessors(rank);
            for value in values.filter(|&value| value >= ranks.end) {
                let needed_by = &mut self.needed_by[value as usize];
                if *needed_by == 0 {
                    needs.push((value, 0));
                }
                *needed_by |= set;
            }
        }
        needs.sort_unstable();
        for (rank, set) in &mut needs {
            *set = std::mem::take(&mut self.needed_by[*rank as usize]);
        }
        self.labels[level].needs = needs;
    }
}
