//! Kernels whose control reads tables from outside: constants of their file.

use superstep::kernel;

/// Velocities of a lattice in two dimensions, of nine to a point.
pub const CX: [i32; 9] = [0, 1, 0, -1, 0, 1, -1, -1, 1];
/// Their second components.
pub static CY: [i32; 9] = [0, 0, 1, 0, -1, 1, 1, -1, -1];

/// Streams the populations of a lattice and collides them, on a torus (lattice Boltzmann, D2Q9).
#[kernel(plan)]
pub fn lattice(width: usize, height: usize, omega: f64, f: &[[f64; 9]], next: &mut [[f64; 9]]) {
    for y in 0..height {
        for x in 0..width {
            let mut density = 0.0;
            for d in 0..CX.len() {
                let from_x = (x as i32 - CX[d]).rem_euclid(width as i32) as usize;
                let from_y = (y as i32 - CY[d]).rem_euclid(height as i32) as usize;
                next[y * width + x][d] = f[from_y * width + from_x][d];
                density += next[y * width + x][d];
            }
            for d in 0..CX.len() {
                let rest = density / 9.0 - next[y * width + x][d];
                next[y * width + x][d] += omega * rest;
            }
        }
    }
}

/// The order of a block's words in each round (RFC 7693), of the first eight.
pub const SIGMA: [[usize; 8]; 4] = [
    [0, 1, 2, 3, 4, 5, 6, 7],
    [7, 2, 4, 1, 0, 6, 3, 5],
    [3, 6, 5, 0, 7, 1, 4, 2],
    [5, 4, 1, 6, 2, 7, 0, 3],
];

/// Mixes blocks of words, each with a state of its own: rows of a table of tables.
#[kernel(plan)]
pub fn mixed(blocks: usize, rounds: usize, words: &[[u64; 8]], state: &mut [[u64; 4]]) {
    for b in 0..blocks {
        for round in 0..rounds {
            for k in 0..4 {
                let first = SIGMA[round % SIGMA.len()][2 * k];
                let second = SIGMA[round % 4][2 * k + 1];
                let sum = state[b][k]
                    .wrapping_add(state[b][(k + 1) % 4])
                    .wrapping_add(words[b][first]);
                state[b][k] = (sum ^ words[b][second]).rotate_right(24);
            }
        }
    }
}

/// Tables that stand elsewhere.
pub mod reach {
    /// Distance that each kind reaches back, from 1.
    pub const BACK: &[u8] = &[1, 2, 5];
}

/// Adds to words what stands before them, as far as their kind reaches: a table by structure.
#[kernel(plan)]
pub fn kinds(n: usize, #[structure] kind: &[u8], #[values] by: &[f64], x: &mut [f64]) {
    for i in 5..n {
        let back = reach::BACK[kind[i] as usize] as usize;
        x[i] += by[i] * x[i - back] + 0.5 * x[i - reach::BACK[(kind[i] as usize + 1) % 3] as usize];
    }
}
