//! Supersteps of two runs of one program.

use std::cmp::Reverse;

use serde::{Deserialize, Serialize};
use superstep_order::{Timeline, Times};

/// Supersteps that a comparison lists.
const MOST_STEPS: usize = 20;

/// Differences between the supersteps of a program in two runs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct StepChanges {
    /// Supersteps that took longer in the second run.
    pub slower: StepSum,
    /// Supersteps that took less.
    pub faster: StepSum,
    /// Supersteps that differ most, in either direction: 20 at most.
    pub rows: Vec<StepChange>,
}

/// Some supersteps, and the time in which they differ.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct StepSum {
    /// Number of supersteps.
    pub count: usize,
    /// Sum of the differences.
    pub ns: u64,
}

/// A superstep in two runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct StepChange {
    /// The superstep, from 0.
    pub step: usize,
    /// The processor whose work and copies differ most.
    pub processor: usize,
    /// Longest work and copies of a processor in the first run.
    pub before_ns: u64,
    /// Its value in the second run.
    pub after_ns: u64,
    /// The second less the first.
    pub difference_ns: i64,
    /// Time that all processors wait before it in the first run.
    pub wait_before_ns: u64,
    /// Its value in the second run.
    pub wait_after_ns: u64,
}

impl StepChanges {
    /// Compares two timelines of as many processors and steps.
    pub(super) fn of(before: &Timeline, after: &Timeline, supersteps: usize) -> Self {
        let mut rows: Vec<StepChange> = (0..supersteps)
            .map(|step| change(before, after, step))
            .collect();
        let sum = |sign: i64| {
            let differences = rows.iter().map(|row| sign * row.difference_ns);
            differences.filter(|&difference| difference > 0).fold(
                StepSum::default(),
                |sum, difference| StepSum {
                    count: sum.count + 1,
                    ns: sum.ns + difference.unsigned_abs(),
                },
            )
        };
        let (slower, faster) = (sum(1), sum(-1));
        rows.retain(|row| row.difference_ns != 0);
        rows.sort_by_key(|row| (Reverse(row.difference_ns.unsigned_abs()), row.step));
        rows.truncate(MOST_STEPS);
        Self {
            slower,
            faster,
            rows,
        }
    }
}

fn change(before: &Timeline, after: &Timeline, step: usize) -> StepChange {
    let busy = |times: Times| times.work.saturating_add(times.copy);
    let mut row = StepChange {
        step,
        ..StepChange::default()
    };
    let mut most = 0;
    for processor in 0..before.processors() {
        let [a, b] = [before, after].map(|timeline| timeline.steps_of(processor)[step]);
        row.before_ns = row.before_ns.max(busy(a));
        row.after_ns = row.after_ns.max(busy(b));
        row.wait_before_ns = row.wait_before_ns.saturating_add(a.wait);
        row.wait_after_ns = row.wait_after_ns.saturating_add(b.wait);
        let difference = busy(a).abs_diff(busy(b));
        if difference > most {
            (row.processor, most) = (processor, difference);
        }
    }
    row.difference_ns = row.after_ns as i64 - row.before_ns as i64;
    row
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_steps_that_differ_most_come_first() {
        let step = |wait, work| Times {
            wait,
            work,
            copy: 1,
        };
        let timeline = |works: [u64; 6]| {
            let steps = works.map(|work| step(work / 10, work)).to_vec();
            Timeline::new(vec![0, 3, 6], steps)
        };
        let before = timeline([100, 50, 70, 90, 60, 70]);
        let after = timeline([100, 10, 70, 190, 40, 60]);
        let found = StepChanges::of(&before, &after, 3);
        assert_eq!(found.slower, StepSum { count: 1, ns: 90 });
        assert_eq!(found.faster, StepSum { count: 1, ns: 20 });
        let [slower, faster] = found.rows[..] else {
            panic!("the last step took as long")
        };
        assert_eq!((slower.step, slower.processor), (0, 1));
        assert_eq!((slower.before_ns, slower.after_ns), (101, 191));
        assert_eq!((slower.wait_before_ns, slower.wait_after_ns), (19, 29));
        assert_eq!(
            (faster.step, faster.processor, faster.difference_ns),
            (1, 0, -20)
        );
    }
}
