//! Outlook on a move: a lower bound on the rise of the energy, so the most that it gains, told
//! before it is made.
//!
//! Half of the moves that are possible overload a processor by more than all their words can gain.
//! To see that takes a fifth of the time that it takes to make such a move and to take it back.

use super::{Assignment, NOWHERE};
use crate::{search::cost::Energy, sets::bits};

/// Relocation: a copy of a group goes from one processor and superstep to another.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Relocation {
    pub(crate) group: u32,
    pub(crate) holder: usize,
    pub(crate) to: usize,
    /// Superstep where it goes.
    pub(crate) superstep: u32,
}

/// Messages that a move may spare.
#[derive(Clone, Copy, Debug, Default)]
struct Spared {
    words: u64,
    /// Fewest words that the busiest processor has in any of the exchanges in which they are.
    least_traffic: u64,
}

impl Spared {
    fn add(&mut self, words: u64, traffic: u64) {
        if words > 0 {
            self.least_traffic = match self.words {
                0 => traffic,
                _ => self.least_traffic.min(traffic),
            };
            self.words += words;
        }
    }
}

impl Assignment<'_> {
    /// Returns a lower bound on the rise of the energy by a relocation, and by another that goes
    /// back in exchange. None: too little is known. The assignment is valid. Costs a look at the
    /// values that the groups read.
    pub(crate) fn least_rise(
        &mut self,
        relocation: Relocation,
        back: Option<Relocation>,
        energy: &Energy,
    ) -> Option<f64> {
        let mut spared = self.spared(relocation, Spared::default())?;
        let mut weight = i64::from(self.graph.weight(relocation.group));
        if let Some(back) = back {
            spared = self.spared(back, spared)?;
            weight -= i64::from(self.graph.weight(back.group));
        }
        // An exchange may go whose words are all spared, or on a machine with levels go less far.
        let may_spare_latency = spared.least_traffic <= spared.words || !self.cost.is_flat();
        if spared.words > 0 && may_spare_latency {
            return None;
        }
        let from = self.superstep(relocation.group, relocation.holder);
        let from = (from, relocation.holder);
        let to = (relocation.superstep, relocation.to);
        let (from, to) = if weight < 0 { (to, from) } else { (from, to) };
        let work = self
            .cost
            .rise_of_work(weight.unsigned_abs(), from, to, energy);
        // A word is in two of 2 P columns, whose root mean square it raises by 1 / sqrt(P) at most.
        let processors = self.processors as f64;
        let word = 1.0 + energy.evenness / processors.sqrt();
        let words = energy.machine.gap * word * spared.words as f64;
        Some(work - words)
    }

    /// Returns the messages that a relocation may spare, with those of others; none where copies
    /// go, too.
    fn spared(
        &self,
        Relocation {
            group,
            holder,
            to,
            superstep,
        }: Relocation,
        mut spared: Spared,
    ) -> Option<Spared> {
        let before = self.superstep(group, holder);
        if self.holders(group).count_ones() > 1 {
            return None;
        }
        for &value in self.graph.predecessors(group) {
            let from = self.group(value);
            let holders = self.holders(from);
            if to != holder && holders & (holders - 1) != 0 && holders >> holder & 1 == 1 {
                return None;
            }
            let words = u64::from(self.graph.words(value));
            // A first use that ends, or becomes an earlier one.
            let first = self.on_processors[self.at(value, holder)].first_use();
            let moves = first == before || to == holder && superstep < first;
            if moves && self.superstep(from, holder) > first {
                spared.add(words, self.cost.largest_traffic(first - 1));
            }
            if to != holder {
                let first = self.on_processors[self.at(value, to)].first_use();
                let moves = first != NOWHERE && superstep < first;
                if moves && self.superstep(from, to) > first {
                    spared.add(words, self.cost.largest_traffic(first - 1));
                }
            }
        }
        if to != holder {
            // Its own values are sent by another processor.
            for value in self.values(group) {
                let words = u64::from(self.graph.words(value));
                let users = self.entries[value as usize].users & !(1 << holder);
                for user in bits(users) {
                    let first = self.on_processors[self.at(value, user)].first_use();
                    spared.add(words, self.cost.largest_traffic(first - 1));
                }
            }
        }
        Some(spared)
    }
}

#[cfg(test)]
mod tests {
    use superstep_machine::Machine;

    use super::*;
    use superstep_random::SplitMix64;

    use crate::search::{anneal::State, assignment::tests::graph};

    #[test]
    fn no_move_adds_less_than_is_foreseen() {
        let mut random = SplitMix64::new(3);
        let energy = Energy {
            machine: Machine {
                gap: 2.0,
                latency: 7.0,
                ..Machine::new(3)
            },
            evenness: 1.0,
        };
        let (mut exact, mut exchanges, mut unknown) = (0, 0, 0);
        for _ in 0..1000 {
            let graph = graph(&mut random, 12);
            let mut assignment = Assignment::new(&graph, 3, 5);
            for &task in &assignment.placed.to_vec() {
                assignment.place(task, 0, task / 3);
            }
            for _ in 0..100 {
                let mut relocation = || {
                    let group = assignment.placed[random.below(assignment.placed.len())];
                    let holder = bits(assignment.holders(group)).next()?;
                    let (to, superstep) = (random.below(3), random.below(5) as u32);
                    (assignment.superstep(group, holder) != superstep || to != holder).then_some(
                        Relocation {
                            group,
                            holder,
                            to,
                            superstep,
                        },
                    )
                };
                let Some(there) = relocation() else { continue };
                let left = assignment.superstep(there.group, there.holder);
                let back = relocation().map(|back| Relocation {
                    to: there.holder,
                    superstep: left,
                    ..back
                });
                let is_back = |back: &Relocation| {
                    let from = (assignment.superstep(back.group, back.holder), back.holder);
                    back.group != there.group && from == (there.superstep, there.to)
                };
                let back = back.filter(is_back);
                let before = energy.of(assignment.cost());
                let least = assignment.least_rise(there, back, &energy);
                let mut go = |group, from, to, superstep| {
                    assignment.place(group, from, NOWHERE);
                    assignment.place(group, to, superstep);
                };
                let all = [Some(there), back];
                let all = all.iter().flatten();
                for step in all.clone() {
                    go(step.group, step.holder, step.to, step.superstep);
                }
                if assignment.unserved > 0 {
                    for (step, superstep) in all.zip([left, there.superstep]) {
                        assignment.place(step.group, step.to, NOWHERE);
                        assignment.place(step.group, step.holder, superstep);
                    }
                    continue;
                }
                let rise = energy.of(assignment.cost()) - before;
                let Some(least) = least else {
                    unknown += 1;
                    continue;
                };
                // Root mean squares are rounded, row by row.
                assert!(least <= rise + 1.0, "{least} foreseen, {rise} added");
                exact += u32::from((least - rise).abs() < 1e-9);
                exchanges += u32::from(back.is_some());
            }
        }
        assert!(
            exact > 300 && exchanges > 300 && unknown > 300,
            "{exact}, {exchanges}, {unknown}"
        );
    }
}
