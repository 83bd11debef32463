//! Hierarchies: processors of one host, or hosts of one site, reach each other sooner than others.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};

use crate::{InvalidValue, Machine};

/// One level of a hierarchical machine: groups of processors within which it costs less to
/// communicate.
///
/// A superstep boundary at which nothing leaves a group costs `latency` times the machine's L. A
/// word that stays inside costs `gap` times the machine's g. Parts, not costs: a machine whose
/// costs are scaled keeps its shape.
///
/// ```
/// use superstep_machine::{Level, Machine};
///
/// // Two sites of two processors each; inside a site everything costs a tenth.
/// let site = Level { groups: vec![0, 0, 1, 1], latency: 0.1, gap: 0.1 };
/// let machine = Machine { levels: vec![site], latency: 5000.0, ..Machine::new(4) };
/// machine.validate()?;
/// assert_eq!((machine.level(0, 1), machine.level(1, 2)), (0, 1));
/// assert_eq!((machine.latency_of(0), machine.latency_of(1)), (500.0, 5000.0));
/// # Ok::<(), superstep_machine::InvalidValue>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Level {
    /// The group of each processor: any numbers.
    pub groups: Vec<u32>,
    /// Part of the machine's latency that a boundary inside the groups costs, from 0 to 1.
    #[serde(default = "whole")]
    pub latency: f64,
    /// Part of the machine's gap that a word inside a group costs, from 0 to 1.
    #[serde(default = "whole")]
    pub gap: f64,
}

fn whole() -> f64 {
    1.0
}

impl Level {
    /// Returns the number of groups.
    pub fn count(&self) -> usize {
        self.groups.iter().collect::<HashSet<_>>().len()
    }

    /// Returns whether two processors are of one group.
    fn joins(&self, a: u32, b: u32) -> bool {
        self.groups[a as usize] == self.groups[b as usize]
    }
}

impl Machine {
    /// Returns the innermost level whose groups have both processors: an index into
    /// [`levels`](Self#structfield.levels), or their number where only the whole machine does.
    pub fn level(&self, a: u32, b: u32) -> usize {
        let mut levels = self.levels.iter();
        levels
            .position(|level| level.joins(a, b))
            .unwrap_or(self.levels.len())
    }

    /// Returns the cost of a boundary whose farthest message is of that [level](Self::level).
    pub fn latency_of(&self, level: usize) -> f64 {
        let part = self.levels.get(level).map_or(1.0, |level| level.latency);
        part * self.latency
    }

    /// Returns the cost of a word between processors of that [level](Self::level).
    pub fn gap_of(&self, level: usize) -> f64 {
        let part = self.levels.get(level).map_or(1.0, |level| level.gap);
        part * self.gap
    }

    /// Returns the machine without its levels: every boundary and every word at full cost.
    #[must_use]
    pub fn flat(&self) -> Self {
        Self {
            levels: Vec::new(),
            ..self.clone()
        }
    }

    /// Returns the machine without levels on which everything costs as little as on the innermost
    /// level: no schedule costs more there.
    #[must_use]
    pub fn nearest(&self) -> Self {
        Self {
            gap: self.gap_of(0),
            latency: self.latency_of(0),
            ..self.flat()
        }
    }

    /// Returns the machine of some of the processors, in that order: the levels that part them
    /// stay.
    ///
    /// Where all are of one group, that group's costs are the machine's.
    ///
    /// # Panics
    /// When the machine has no such processor.
    #[must_use]
    pub fn part(&self, processors: &[u32]) -> Self {
        let is_whole = |level: &&Level| processors.iter().all(|&p| level.joins(processors[0], p));
        let top = self.levels.iter().position(|level| is_whole(&level));
        let outer = top.unwrap_or(self.levels.len());
        let (gap, latency) = (self.gap_of(outer), self.latency_of(outer));
        let whole = self.levels.get(outer);
        let levels = self.levels[..outer].iter().map(|level| Level {
            groups: processors
                .iter()
                .map(|&p| level.groups[p as usize])
                .collect(),
            latency: part_of(level.latency, whole.map_or(1.0, |whole| whole.latency)),
            gap: part_of(level.gap, whole.map_or(1.0, |whole| whole.gap)),
        });
        Self {
            processors: processors.len() as u32,
            gap,
            latency,
            tau: self.tau.filter(|_| whole.is_none()),
            levels: levels.collect(),
        }
    }

    /// Returns the machine with so many processors: the first ones, or all and others beyond them.
    /// Each of those is alone in its groups, so that to reach it costs as much as anything does.
    ///
    /// ```
    /// use superstep_machine::{Level, Machine};
    ///
    /// let socket = Level { groups: vec![0, 0, 7, 7], latency: 0.1, gap: 1.0 };
    /// let machine = Machine { levels: vec![socket], ..Machine::new(4) };
    /// assert_eq!(machine.with_processors(6).levels[0].groups, [0, 0, 7, 7, 1, 2]);
    /// assert_eq!(machine.with_processors(3).levels[0].groups, [0, 0, 7]);
    /// ```
    #[must_use]
    pub fn with_processors(&self, processors: u32) -> Self {
        if processors < self.processors {
            let first: Vec<u32> = (0..processors).collect();
            return self.part(&first);
        }
        let mut wider = Self {
            processors,
            ..self.clone()
        };
        for level in &mut wider.levels {
            let taken: HashSet<u32> = level.groups.iter().copied().collect();
            let others = (0..).filter(|group| !taken.contains(group));
            level
                .groups
                .extend(others.take((processors - self.processors) as usize));
        }
        wider
    }

    /// Returns the processors of each group of the outermost level, by the least of them; all in
    /// one where there are no levels.
    pub fn groups(&self) -> Vec<Vec<u32>> {
        let mut groups: Vec<Vec<u32>> = Vec::new();
        for processor in 0..self.processors {
            let outermost = self.levels.last();
            let mine = groups
                .iter_mut()
                .find(|group| outermost.is_none_or(|level| level.joins(group[0], processor)));
            match mine {
                Some(group) => group.push(processor),
                None => groups.push(vec![processor]),
            }
        }
        groups
    }

    /// Checks that each level has a group for each processor, and parts from 0 to 1. Its groups
    /// must be made of those of the level inside it, on which nothing costs more.
    pub(crate) fn validate_levels(&self) -> Result<(), InvalidValue> {
        for (at, level) in self.levels.iter().enumerate().rev() {
            let wrong =
                |key, value, wanted| Err(InvalidValue::of_level(at + 1, key, value, wanted));
            let groups = level.groups.len();
            if groups != self.processors as usize {
                return wrong("groups", groups as f64, "one number for each processor");
            }
            let whole = |of: fn(&Level) -> f64| self.levels.get(at + 1).map_or(1.0, of);
            for (key, part, most) in [
                ("latency", level.latency, whole(|outer| outer.latency)),
                ("gap", level.gap, whole(|outer| outer.gap)),
            ] {
                if !(0.0..=most).contains(&part) {
                    return wrong(key, part, "from 0 to the part of the next level, at most 1");
                }
            }
            if let Some(outer) = self.levels.get(at + 1)
                && let Some(first) = splits(level, outer)
            {
                let wanted = "each in one group of the next level";
                return wrong("groups", f64::from(first), wanted);
            }
        }
        Ok(())
    }
}

/// Returns a group of `inner` whose processors are of several groups of `outer`.
fn splits(inner: &Level, outer: &Level) -> Option<u32> {
    let mut pairs: Vec<_> = inner.groups.iter().zip(&outer.groups).collect();
    pairs.sort_unstable();
    pairs.dedup();
    let again = pairs.windows(2).find(|pair| pair[0].0 == pair[1].0)?;
    Some(*again[0].0)
}

/// Returns a part as a part of another, nothing being all of nothing.
fn part_of(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { part / whole } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Makes two sites of two hosts of two processors.
    fn machine() -> Machine {
        let level = |groups: [u32; 8], latency, gap| Level {
            groups: groups.to_vec(),
            latency,
            gap,
        };
        Machine {
            gap: 4.0,
            latency: 1000.0,
            levels: vec![
                level([0, 0, 1, 1, 7, 7, 5, 5], 0.01, 0.125),
                level([0, 0, 0, 0, 1, 1, 1, 1], 0.1, 0.5),
            ],
            ..Machine::new(8)
        }
    }

    #[test]
    fn pairs_are_of_the_innermost_level_that_joins_them() {
        let machine = machine();
        machine.validate().unwrap();
        assert_eq!([1, 3, 6].map(|other| machine.level(0, other)), [0, 1, 2]);
        assert_eq!(
            [0, 1, 2].map(|l| machine.latency_of(l)),
            [10.0, 100.0, 1000.0]
        );
        assert_eq!([0, 1, 2].map(|l| machine.gap_of(l)), [0.5, 2.0, 4.0]);
        assert_eq!(machine.groups(), [[0, 1, 2, 3], [4, 5, 6, 7]]);
    }

    #[test]
    fn a_part_costs_what_its_processors_do() {
        let machine = machine();
        for processors in [&[4, 5, 6, 7][..], &[2, 3], &[0, 7, 1], &[3]] {
            let part = machine.part(processors);
            part.validate().unwrap();
            for (a, &p) in (0..).zip(processors) {
                for (b, &q) in (0..).zip(processors).filter(|&(b, _)| b != a) {
                    let cost = |machine: &Machine, level| {
                        (machine.latency_of(level), machine.gap_of(level))
                    };
                    let (inside, whole) = (part.level(a, b), machine.level(p, q));
                    assert_eq!(cost(&part, inside), cost(&machine, whole));
                }
            }
        }
        assert_eq!(machine.part(&[4, 5, 6, 7]).levels.len(), 1);
    }

    #[test]
    fn a_machine_of_any_number_of_processors_costs_what_those_that_it_has_do() {
        let machine = machine();
        for processors in 1..20 {
            let other = machine.with_processors(processors);
            other.validate().unwrap();
            assert_eq!(other.processors, processors);
            for a in 0..processors {
                for b in (0..processors).filter(|&b| b != a) {
                    let level = match a.max(b) < machine.processors {
                        true => machine.level(a, b),
                        false => machine.levels.len(),
                    };
                    let cost = |machine: &Machine, level| {
                        (machine.latency_of(level), machine.gap_of(level))
                    };
                    assert_eq!(cost(&other, other.level(a, b)), cost(&machine, level));
                }
            }
        }
        assert_eq!(machine.with_processors(8), machine);
    }

    #[test]
    fn levels_that_do_not_nest_are_refused() {
        let refused = |change: fn(&mut Machine)| {
            let mut machine = machine();
            change(&mut machine);
            machine.validate().unwrap_err().to_string()
        };
        assert_eq!(
            refused(|m| m.levels[0].groups[7] = 0),
            "`groups` of level 1 must be each in one group of the next level, not 0"
        );
        assert_eq!(
            refused(|m| m.levels[1].groups.truncate(7)),
            "`groups` of level 2 must be one number for each processor, not 7"
        );
        assert_eq!(
            refused(|m| m.levels[0].latency = 0.2),
            "`latency` of level 1 must be from 0 to the part of the next level, at most 1, not 0.2"
        );
        assert_eq!(
            refused(|m| m.levels[1].gap = f64::NAN),
            "`gap` of level 2 must be from 0 to the part of the next level, at most 1, not NaN"
        );
    }
}
