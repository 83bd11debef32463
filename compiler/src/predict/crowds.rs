//! L1 sets that are crowded: steps of a power of two have all cache lines of a column fall into few
//! of them.

use std::collections::VecDeque;

use superstep_machine::Core;
use superstep_plan::{Body, Run, Strided};
use superstep_tuning::tuned;

use super::loops::Iteration;

tuned! {
    /// Time that reading a word takes beyond one in L1, in words there (`Times::word`), where all
    /// cache lines of a run fall into one set. Where they fall into several, it is divided by their
    /// number.
    ///
    /// Nanoseconds beyond L1 for each word of a column, in matrices with rows of 128 to 1024 words.
    /// The core is of 2025 and has 64 sets.
    ///
    /// | sets that cache lines fall into | 1 | 2 | 4 | 8 |
    /// |---|---|---|---|---|
    /// | reading | 1.2 | 0.5 | 0.2 | 0.05 |
    /// | writing | 7.7 | 5.5 | 2.5 | 1.4 |
    ///
    /// `superstep-bench explained` has columns of rows with 300 and 512 words.
    const CROWDED_READ: f64 = 8.0, off 0.0;

    /// Time that writing a word takes beyond one in L1: as [`CROWDED_READ`].
    const CROWDED_WRITE: f64 = 55.0, off 0.0;
}

/// Last runs of a body that are searched for one that began in the same cache line. Blocks of rows
/// that are gone through column by column have such. A bound, not tuned.
const RECENT: usize = 64;

/// Tally of what runs lose in crowded sets: those that come back to the cache lines of one before,
/// as down the next column.
///
/// A column that is gone through once, between others, takes no longer for its step. LU of rows of
/// 256 words takes as long for a word as of 248 and 264.
pub(super) struct Crowds {
    core: Core,
    /// Starts of each component of each body in the last runs that would be crowded.
    recent: Vec<Vec<VecDeque<i64>>>,
}

impl Crowds {
    /// Begins with no runs.
    pub(super) fn new(core: &Core) -> Self {
        Self {
            core: *core,
            recent: Vec::new(),
        }
    }

    /// Returns what a run of `body`, whose number is given, loses, in words that are there.
    pub(super) fn lost(
        &mut self,
        number: usize,
        iteration: &Iteration,
        body: &Body,
        run: Run<'_>,
    ) -> f64 {
        let mut words = 0.0;
        for (at, moving) in iteration.moving.iter().enumerate() {
            let bytes = |words: u64| (words as usize).saturating_mul(moving.bytes);
            let step = bytes(body.step(moving.component, run).unsigned_abs());
            let crowding = crowding(step, run.count(), &self.core);
            if crowding == 0.0 {
                continue;
            }
            let start = body.start(moving.component, run);
            let line = self.core.line_bytes;
            let recent = self.recent(number, at);
            let comes_back = recent
                .iter()
                .any(|&last| bytes(start.abs_diff(last)) <= line);
            recent.truncate(RECENT - 1);
            recent.push_front(start);
            if comes_back {
                let word = match moving.is_written {
                    true => CROWDED_WRITE.get(),
                    false => CROWDED_READ.get(),
                };
                words += word * run.count() as f64 * crowding;
            }
        }
        words
    }

    /// Returns where the last runs of a body began, of one of its components.
    fn recent(&mut self, number: usize, at: usize) -> &mut VecDeque<i64> {
        if self.recent.len() <= number {
            self.recent.resize(number + 1, Vec::new());
        }
        let own = &mut self.recent[number];
        if own.len() <= at {
            own.resize(at + 1, VecDeque::new());
        }
        &mut own[at]
    }
}

/// Returns what copies lose in crowded sets, in words that are there: a word has so many bytes.
pub(super) fn lost_by_copies(strided: &Strided, bytes: usize, core: &Core) -> f64 {
    let count = strided.count as usize;
    let of = |step: i32, word: f64| {
        word * count as f64 * crowding(step.unsigned_abs() as usize * bytes, count, core)
    };
    of(strided.from_step, CROWDED_READ.get()) + of(strided.to_step, CROWDED_WRITE.get())
}

/// Returns what reading and writing a column of so many rows loses for each word, in words that are
/// there: rows have so many bytes.
pub(crate) fn lost_by_column(row: usize, rows: usize, core: &Core) -> [f64; 2] {
    let crowding = crowding(row, rows, core);
    [CROWDED_READ.get(), CROWDED_WRITE.get()].map(|word| word * crowding)
}

/// Returns how crowded the sets of L1 are where so many cache lines stand in steps of so many
/// bytes. It is one over the sets that they fall into, or 0 where all have room.
///
/// Steps of a power of two fall into few: of 4096 bytes into one of 64 sets of 64-byte cache lines.
fn crowding(step: usize, lines: usize, core: &Core) -> f64 {
    let apart = step / core.line_bytes;
    if apart < 2 || !step.is_multiple_of(core.line_bytes) {
        return 0.0;
    }
    let (mut common, mut rest) = (core.sets, apart);
    while rest > 0 {
        (common, rest) = (rest, common % rest);
    }
    let sets = core.sets / common;
    let has_room = lines <= sets * core.ways || sets == core.sets;
    if has_room { 0.0 } else { 1.0 / sets as f64 }
}

#[cfg(test)]
mod tests {
    use superstep_tracer::{Kernel, Role};

    use super::*;
    use crate::pattern::signature::{Signature, Step};

    #[test]
    fn steps_of_a_power_of_two_crowd_few_sets() {
        let core = Core::default();
        assert_eq!(crowding(4096, 9, &core), 1.0);
        assert_eq!(crowding(4096, 8, &core), 0.0, "they have room");
        assert_eq!(crowding(3 * 1024, 100, &core), 0.25);
        assert_eq!(
            crowding(520 * 8, 1000, &core),
            0.0,
            "all sets, one after the other"
        );
        assert_eq!(crowding(8, 1000, &core), 0.0, "neighbours");
        assert_eq!(
            crowding(4100, 1000, &core),
            0.0,
            "their offsets in cache lines differ"
        );
    }

    /// Rows of 512 words: down one column after the other, down columns far apart, along rows.
    #[test]
    fn columns_that_follow_each_other_are_crowded() {
        let mut kernel = Kernel::new("k");
        let x = kernel.add_array("x", Role::InOut, None);
        let y = kernel.add_array("y", Role::Input, None);
        kernel.add_statement("x[i] = y[j]", x, &[y]);
        let core = Core::default();
        let signature = Signature {
            steps: vec![Step::Any, Step::Any],
            ..Signature::general(&kernel, &[0])
        };
        let iteration = Iteration::new(&kernel, &signature, &core);
        let body = Body::own(vec![0], 2);
        let lost = |starts: [i64; 3], step: i64| {
            let mut crowds = Crowds::new(&core);
            let run = |start: i64| {
                let values = [start, 0, step, 0];
                let run = Run::new(100, &values, &[0; 2]);
                crowds.lost(0, &iteration, &body, run)
            };
            starts.map(run)
        };
        let word = 100.0 * CROWDED_WRITE.get();
        assert_eq!(lost([0, 1, 2], 512), [0.0, word, word]);
        assert_eq!(lost([0, 100 * 512, 1], 512), [0.0, 0.0, word], "two blocks");
        assert_eq!(
            lost([0, 513, 2 * 513], 512),
            [0.0; 3],
            "further down each time"
        );
        assert_eq!(lost([0, 512, 1024], 1), [0.0; 3]);
    }
}
