//! Forward substitution with a sparse triangle.

use rayon::prelude::*;
use superstep_example_sptrsv::{kernels, pattern, right_hand_side, values};

use crate::contest::{Contest, Standing, prepared};

/// Runs the contest for the pattern of a `side` x `side` grid.
pub(crate) fn contest(side: usize, rounds: usize, busy: bool) -> Standing {
    let (row, col) = &pattern::lower_laplacian(side);
    let n = row.len() - 1;
    let (values, b) = (&values(row)[..], &right_hand_side(n)[..]);
    let x = vec![0.0; n];
    let by_levels = &ByLevels::new(row, col, values);
    let mut solution = vec![0.0; n];
    let mut solution_too = vec![0.0; n];
    let mut solution_of_wide = vec![0.0; n];
    let with = kernels::sptrsv::with;
    let exactly = [1, 2].map(|processors| with().exactly(processors).prepare(n, row, col));
    let at_most = [2, 4].map(|most| with().processors(most).prepare(n, row, col));
    let plan = kernels::sptrsv::plan(n, row, col).exactly(2).build();
    Contest::new("sptrsv", format_args!("{side} x {side}"), &x)
        .written(|x| kernels::sptrsv(n, row, col, values, b, x))
        .slices(|x| slices(row, col, values, b, x))
        .programs(exactly, at_most, |program, x| {
            prepared(program).run(values, b, x)
        })
        .planned(|x| prepared(&plan).run(values, b, x))
        .rayon("levels", |x| by_levels.solve([0, 1], b, x, &mut solution))
        .rayon("halved levels", |x| {
            by_levels.solve([0, usize::MAX], b, x, &mut solution_too)
        })
        .rayon("wide levels halved", |x| {
            by_levels.solve([WIDE, usize::MAX], b, x, &mut solution_of_wide)
        })
        .run(rounds, busy)
}

/// Unknowns of a level that is worth a second thread, at least. One takes some 7 ns, and rayon some
/// microseconds to wake a thread. Levels of a grid of 300 x 300 are narrower. Solving by them takes
/// 0.73 of the slice form uncut, and 1.14 halved (`superstep-bench speed --kernel sptrsv`).
pub(crate) const WIDE: usize = 1024;

/// Returns one unknown, from those before it.
fn unknown(col: &[usize], values: &[f64], b: f64, x: &[f64]) -> f64 {
    let last = values.len() - 1;
    let products = col[..last].iter().zip(&values[..last]);
    products.fold(b, |sum, (&col, value)| sum - value * x[col]) / values[last]
}

fn slices(row: &[usize], col: &[usize], values: &[f64], b: &[f64], x: &mut [f64]) {
    for (i, (ends, &b)) in row.windows(2).zip(b).enumerate() {
        let entries = ends[0]..ends[1];
        x[i] = unknown(&col[entries.clone()], &values[entries], b, x);
    }
}

/// Triangle with its unknowns renumbered level by level: those of one level need only earlier
/// levels, and lie side by side.
pub(crate) struct ByLevels {
    /// Old number of each new one.
    unknown: Vec<usize>,
    /// First unknown of each level, and the end of the last.
    level: Vec<usize>,
    row: Vec<usize>,
    col: Vec<usize>,
    values: Vec<f64>,
}

impl ByLevels {
    pub(crate) fn new(row: &[usize], col: &[usize], values: &[f64]) -> Self {
        let n = row.len() - 1;
        let mut depth = vec![0; n];
        for i in 0..n {
            depth[i] = col[row[i]..row[i + 1] - 1]
                .iter()
                .map(|&c| depth[c] + 1)
                .max()
                .unwrap_or(0);
        }
        let mut unknown: Vec<usize> = (0..n).collect();
        unknown.sort_by_key(|&i| depth[i]);
        let mut renumbered = vec![0; n];
        for (new, &old) in unknown.iter().enumerate() {
            renumbered[old] = new;
        }
        let starts = (1..n).filter(|&new| depth[unknown[new]] != depth[unknown[new - 1]]);
        let level = [0].into_iter().chain(starts).chain([n]).collect();
        let mut triangle = Self {
            unknown,
            level,
            row: vec![0],
            col: Vec::new(),
            values: Vec::new(),
        };
        for &old in &triangle.unknown {
            let entries = row[old]..row[old + 1];
            triangle
                .col
                .extend(col[entries.clone()].iter().map(|&c| renumbered[c]));
            triangle.values.extend(&values[entries]);
            triangle.row.push(triangle.col.len());
        }
        triangle
    }

    /// Returns the mean number of unknowns in a level.
    pub(crate) fn width(&self) -> f64 {
        self.unknown.len() as f64 / (self.level.len() - 1) as f64
    }

    /// Solves by a parallel loop over each level of at least `wide` unknowns; others are one job.
    /// It has at least `least` unknowns at a time, or a thread's share.
    pub(crate) fn solve(
        &self,
        [wide, least]: [usize; 2],
        b: &[f64],
        x: &mut [f64],
        solution: &mut [f64],
    ) {
        for level in self.level.windows(2) {
            let (solved, rest) = solution.split_at_mut(level[0]);
            let width = level[1] - level[0];
            let here = rest[..width]
                .par_iter_mut()
                .zip(&self.unknown[level[0]..])
                .enumerate();
            // Rayon halves as long as both halves have that many.
            let fair = (width / rayon::current_num_threads()).max(1);
            let least = if width < wide { width } else { least.min(fair) };
            here.with_min_len(least).for_each(|(i, (x, &old))| {
                let entries = self.row[level[0] + i]..self.row[level[0] + i + 1];
                *x = unknown(
                    &self.col[entries.clone()],
                    &self.values[entries],
                    b[old],
                    solved,
                );
            });
        }
        for (value, &old) in solution.iter().zip(&self.unknown) {
            x[old] = *value;
        }
    }
}
