//! Matrices of regular grids and of random patterns, which no file is needed for.
//!
//! All are symmetric patterns with ones as values.

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use superstep_matrix::Compressed;

/// Neighbours within so many steps along each axis, all of them or those along one axis alone.
fn grid(sides: [usize; 3], diagonals: bool) -> Compressed<f64> {
    let [width, depth, height] = sides;
    let near = |at: usize, side: usize| at.saturating_sub(1)..(at + 2).min(side);
    let line = |point: usize| {
        let (x, y, z) = (point % width, point / width % depth, point / width / depth);
        let mut line = Vec::new();
        for other_z in near(z, height) {
            for other_y in near(y, depth) {
                for other_x in near(x, width) {
                    let steps = z.abs_diff(other_z) + y.abs_diff(other_y) + x.abs_diff(other_x);
                    if diagonals || steps <= 1 {
                        line.push(((other_z * depth + other_y) * width + other_x, 1.0));
                    }
                }
            }
        }
        line
    };
    let points = width * depth * height;
    Compressed::from_lines(points, (0..points).map(line))
}

/// Returns the 5-point stencil on a square of `side` points a side, numbered by rows.
pub fn five_point(side: usize) -> Compressed<f64> {
    grid([side, side, 1], false)
}

/// Returns the 7-point stencil on a cube of `side` points a side.
pub fn seven_point(side: usize) -> Compressed<f64> {
    grid([side; 3], false)
}

/// Returns the 27-point stencil on a cube of `side` points a side.
pub fn twenty_seven_point(side: usize) -> Compressed<f64> {
    grid([side; 3], true)
}

/// Returns a band in which each entry up to `half_width` off the diagonal is there with
/// probability 1/2.
pub fn band(rows: usize, half_width: usize, seed: u64) -> Compressed<f64> {
    let mut random = Pcg64Mcg::seed_from_u64(seed);
    let below = (0..rows).map(|row| {
        let near = row.saturating_sub(half_width)..row;
        let kept: Vec<usize> = near.filter(|_| random.random_bool(0.5)).collect();
        kept
    });
    mirrored(rows, below)
}

/// Returns a matrix whose lower triangle has `entries` in each row, its diagonal and others at
/// random.
pub fn random(rows: usize, entries: usize, seed: u64) -> Compressed<f64> {
    let mut random = Pcg64Mcg::seed_from_u64(seed);
    let below = (0..rows).map(|row| {
        let others = 1..entries.min(row + 1);
        let mut kept: Vec<usize> = others.map(|_| random.random_range(0..row)).collect();
        kept.sort_unstable();
        kept.dedup();
        kept
    });
    mirrored(rows, below)
}

/// Adds the diagonal and the upper triangle to entries below the diagonal.
fn mirrored(rows: usize, below: impl Iterator<Item = Vec<usize>>) -> Compressed<f64> {
    let with_diagonal = below.enumerate().map(|(row, mut line)| {
        line.push(row);
        line.into_iter().map(|at| (at, 1.0))
    });
    Compressed::from_lines(rows, with_diagonal).mirrored()
}
