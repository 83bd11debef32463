//! Sets of the first cache (L1) that are crowded: steps of a power of two have all lines of a column
//! fall into few of them.

use superstep_machine::Core;
use superstep_plan::{Body, Copies, Run};

use super::loops::Iteration;

/// Time of a word that is read where all lines of a run fall into one set, in words that are there.
/// Of more sets it is that over their number.
///
/// Rows of 128 to 1024 words, of which runs read or write a column: reading takes 1.2, 0.5, 0.2 and
/// 0.05 ns more where lines fall into 1, 2, 4 and 8 sets, writing 7.7, 5.5, 2.5 and 1.4. A core of 2025
/// with 64 sets.
const CROWDED_READ: f64 = 8.0;

/// See [`CROWDED_READ`]: of a word that is written.
const CROWDED_WRITE: f64 = 55.0;

/// What runs lose in crowded sets.
pub(super) struct Crowds {
    core: Core,
    /// For each body, where each of its components began in the last runs.
    streaks: Vec<Vec<Streak>>,
}

/// Runs in a row of which a component begins as far from the one before.
#[derive(Clone, Copy, Default)]
struct Streak {
    start: i64,
    apart: i64,
    runs: usize,
}

impl Crowds {
    /// Begins with none.
    pub(super) fn new(core: &Core) -> Self {
        Self {
            core: *core,
            streaks: Vec::new(),
        }
    }

    /// Returns what a run of `body`, whose number is given, loses in crowded sets, in words that are
    /// there: by its own steps, or by those from run to run.
    pub(super) fn lost(
        &mut self,
        number: usize,
        iteration: &Iteration,
        body: &Body,
        run: Run<'_>,
    ) -> f64 {
        if self.streaks.len() <= number {
            self.streaks.resize(number + 1, Vec::new());
        }
        let streaks = &mut self.streaks[number];
        streaks.resize(iteration.moving.len(), Streak::default());
        let mut words = 0.0;
        for (moving, streak) in iteration.moving.iter().zip(streaks) {
            let start = body.start(moving.component, run);
            let apart = start - streak.start;
            let runs = if apart == streak.apart {
                streak.runs + 1
            } else {
                1
            };
            *streak = Streak { start, apart, runs };
            let bytes = |words: i64| words.unsigned_abs() as usize * moving.bytes;
            let (step, count) = (bytes(body.step(moving.component, run)), run.count());
            let lines = (step * count).div_ceil(self.core.line_bytes);
            let own = count as f64 * crowding(step, count, 1, &self.core);
            let among = lines as f64 * crowding(bytes(apart), runs, lines, &self.core);
            let word = if moving.is_written {
                CROWDED_WRITE
            } else {
                CROWDED_READ
            };
            words += word * own.max(among);
        }
        words
    }
}

/// Returns what copies lose in crowded sets, in words that are there: a word has so many bytes.
pub(super) fn lost_by_copies(copies: &Copies, bytes: usize, core: &Core) -> f64 {
    let count = copies.count as usize;
    let of = |step: i32, word: f64| {
        word * count as f64 * crowding(step.unsigned_abs() as usize * bytes, count, 1, core)
    };
    of(copies.from_step, CROWDED_READ) + of(copies.to_step, CROWDED_WRITE)
}

/// Returns what reading and writing a column of so many rows loses for each word, in words that are
/// there: rows have so many bytes.
pub(crate) fn lost_by_column(row: usize, rows: usize, core: &Core) -> [f64; 2] {
    let crowding = crowding(row, rows, 1, core);
    [CROWDED_READ * crowding, CROWDED_WRITE * crowding]
}

/// Returns how crowded the sets of the first cache are where so many blocks of `lines` lines each
/// stand in steps of so many bytes: one over the sets that their first lines fall into, or 0 where all
/// have room.
///
/// Steps of a power of two fall into few: of 4096 bytes into one of 64 sets of 64-byte lines.
fn crowding(step: usize, count: usize, lines: usize, core: &Core) -> f64 {
    let apart = step / core.line_bytes;
    if apart < 2 || !step.is_multiple_of(core.line_bytes) {
        return 0.0;
    }
    let (mut common, mut rest) = (core.sets, apart);
    while rest > 0 {
        (common, rest) = (rest, common % rest);
    }
    let first = core.sets / common;
    let sets = first.saturating_mul(lines).min(core.sets);
    let has_room = count.saturating_mul(lines) <= sets * core.ways || sets == core.sets;
    if has_room { 0.0 } else { 1.0 / first as f64 }
}

#[cfg(test)]
mod tests {
    use superstep_tracer::{Kernel, Role};

    use super::*;
    use crate::pattern::signature::{Signature, Step};

    #[test]
    fn steps_of_a_power_of_two_crowd_few_sets() {
        let core = Core::default();
        assert_eq!(crowding(4096, 9, 1, &core), 1.0);
        assert_eq!(crowding(4096, 8, 1, &core), 0.0, "they have room");
        assert_eq!(crowding(3 * 1024, 100, 1, &core), 0.25);
        assert_eq!(
            crowding(520 * 8, 1000, 1, &core),
            0.0,
            "all sets, one after the other"
        );
        assert_eq!(
            crowding(1024, 128, 16, &core),
            0.0,
            "rows of a matrix fill all"
        );
        assert_eq!(crowding(8, 1000, 1, &core), 0.0, "neighbours");
        assert_eq!(
            crowding(4100, 1000, 1, &core),
            0.0,
            "their places in lines differ"
        );
    }

    /// Rows of 512 words: down a column, and eight columns at once.
    #[test]
    fn a_column_is_crowded_and_so_are_a_few_side_by_side() {
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
        let down = [0, 0, 512, 0];
        let run = Run::new(100, &down, &[0; 2]);
        let word = CROWDED_WRITE;
        assert_eq!(
            Crowds::new(&core).lost(0, &iteration, &body, run),
            100.0 * word
        );
        let mut crowds = Crowds::new(&core);
        let mut row = |at: i64| {
            let along = [512 * at, 0, 1, 1];
            crowds.lost(0, &iteration, &body, Run::new(8, &along, &[0; 2]))
        };
        let lost: f64 = (0..100).map(&mut row).sum();
        // The first rows have room in their set.
        assert_eq!(lost, (100 - core.ways as i64 - 1) as f64 * word);
    }
}
