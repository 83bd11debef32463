//! Random patterns, schedules and costs.

// Each file of tests takes what it needs.
#![allow(dead_code)]

use proptest::prelude::*;
use superstep::plan::{Costs, Schedule, Windows, Within};

/// Lower triangular pattern in compressed rows: entries of a row ascend, the diagonal is last.
#[derive(Clone, Debug)]
pub(crate) struct Pattern {
    pub(crate) row: Vec<usize>,
    pub(crate) col: Vec<u32>,
}

impl Pattern {
    pub(crate) fn size(&self) -> usize {
        self.row.len() - 1
    }

    /// The transposed pattern: the diagonal is first in its row.
    pub(crate) fn transposed(&self) -> Self {
        let n = self.size();
        let mut rows = vec![Vec::new(); n];
        for i in 0..n {
            for &j in &self.col[self.row[i]..self.row[i + 1]] {
                rows[j as usize].push(i as u32);
            }
        }
        Self::of(rows)
    }

    pub(crate) fn of(rows: Vec<Vec<u32>>) -> Self {
        let ends = rows.iter().scan(0, |end, row| {
            *end += row.len();
            Some(*end)
        });
        Self {
            row: [0].into_iter().chain(ends).collect(),
            col: rows.concat(),
        }
    }

    /// Values that keep solutions within bounds.
    pub(crate) fn values(&self) -> Vec<f64> {
        let value = |at: usize| 0.3 + ((at * 7919) % 97) as f64 / 300.0;
        (0..self.col.len()).map(value).collect()
    }
}

/// Rows of all kinds: empty ones, chains, dense ones, bands, stars, random ones; entries may
/// repeat.
pub(crate) fn lower() -> impl Strategy<Value = Pattern> {
    let kinds = prop::collection::vec((0..6_u8, any::<u32>(), 0..5_usize), 1..60);
    kinds.prop_map(|kinds| {
        let row = |(i, (kind, seed, count)): (usize, (u8, u32, usize))| {
            let below = i as u32;
            let mut entries: Vec<u32> = match kind {
                0 => Vec::new(),
                1 => below.checked_sub(1).into_iter().collect(),
                2 if i < 20 => (0..below).collect(),
                3 => (below.saturating_sub(3)..below).collect(),
                4 if i > 0 => vec![0],
                _ if i > 0 => (0..count as u32)
                    .map(|k| seed.rotate_left(7 * k) % below)
                    .collect(),
                _ => Vec::new(),
            };
            entries.sort_unstable();
            entries.push(below);
            entries
        };
        Pattern::of(kinds.into_iter().enumerate().map(row).collect())
    })
}

/// Returns whether a schedule has several processors for any kernel. A farm needs independent
/// parts, and a pipeline has to be shorter than the sequential run.
pub(crate) fn is_parallel(schedule: Schedule, processors: usize) -> bool {
    processors > 1
        && !matches!(
            schedule,
            Schedule::Fastest | Schedule::Farm | Schedule::Pipeline
        )
}

/// Checks that a plan for several processors has run, if the schedule has them.
pub(crate) fn assert_ran(schedule: Schedule, processors: usize) {
    if is_parallel(schedule, processors) {
        let ran = superstep::last_run().map(|ran| ran.processors);
        assert_eq!(ran, Some(processors), "{:?}", superstep::last_reason());
    }
}

pub(crate) fn bits(x: &[f64]) -> Vec<u64> {
    x.iter().map(|x| x.to_bits()).collect()
}

pub(crate) fn start(n: usize) -> Vec<f64> {
    (0..n).map(|i| 1.0 + (i % 17) as f64 / 8.0).collect()
}

/// Small grains, each of one iteration or of a few.
pub(crate) fn costs() -> impl Strategy<Value = Costs> {
    (1..40_u32).prop_map(|least| Costs {
        least: f64::from(least),
        // Parts of farms are that small, too.
        wait: f64::from(least),
        ..Costs::default()
    })
}

pub(crate) fn schedules() -> impl Strategy<Value = Schedule> {
    prop_oneof![
        (0..20_u32, 0..8_u32, any::<bool>()).prop_map(|(grains, chunks, by_level)| {
            let within = if by_level {
                Within::Levels
            } else {
                Within::Run
            };
            Schedule::Doacross(Windows {
                grains,
                chunks,
                within,
            })
        }),
        Just(Schedule::Levels),
        Just(Schedule::GrowLocal),
        Just(Schedule::Pipeline),
        Just(Schedule::Farm),
        (0..6_u32).prop_map(Schedule::Owners),
        Just(Schedule::Fastest),
    ]
}

/// Single iterations as grains, four to a window.
pub(crate) fn small(planner: Schedule) -> (Schedule, Costs) {
    let costs = Costs {
        least: 1.0,
        ..Costs::default()
    };
    (planner, costs)
}

pub(crate) const WINDOWS: Schedule = Schedule::Doacross(Windows {
    grains: 4,
    chunks: 4,
    within: Within::Run,
});
