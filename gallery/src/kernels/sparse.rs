// Written by superstep-gallery-generator; do not edit.
//! Kernels over the structure that a caller gives.

#![allow(unused, clippy::all)]

use num_complex::Complex;
use superstep::kernel;

use super::pair::Pair;

/// Compressed sparse rows times a vector.
#[kernel]
pub fn multiply(#[structure] row: &[usize], #[structure] col: &[usize], values: &[f64], x: &[f64], y: &mut [f64]) {
    for i in 0..row.len() - 1 {
        let mut sum: f64 = 0.0;
        for e in row[i]..row[i + 1] {
            sum += values[e] * x[col[e]];
        }
        y[i] = sum;
    }
}

/// Compressed sparse rows times a vector.
#[kernel]
pub fn multiply_complex(#[structure] row: &[usize], #[structure] col: &[usize], values: &[Complex<f64>], x: &[Complex<f64>], y: &mut [Complex<f64>]) {
    for i in 0..row.len() - 1 {
        let mut sum: Complex<f64> = Complex::new(0.0, 0.0);
        for e in row[i]..row[i + 1] {
            sum += values[e] * x[col[e]];
        }
        y[i] = sum;
    }
}

/// The transpose of compressed sparse rows times a vector.
#[kernel]
pub fn transposed(n: usize, #[structure] row: &[u32], #[structure] col: &[u16], values: &[f32], x: &[f32], y: &mut [f32]) {
    for i in 0..n {
        for e in row[i]..row[i + 1] {
            y[col[e as usize] as usize] += values[e as usize] * x[i];
        }
    }
}

/// Forward substitution.
#[kernel]
pub fn forward(n: usize, #[structure] row: &[usize], #[structure] col: &[usize], values: &[f64], b: &[f64], x: &mut [f64]) {
    for i in 0..n {
        x[i] = b[i];
        for e in row[i]..row[i + 1] - 1 {
            x[i] -= values[e] * x[col[e]];
        }
        x[i] /= 2.0 + values[row[i + 1] - 1];
    }
}

/// Forward substitution.
#[kernel]
pub fn forward_large(n: usize, #[structure] row: &[usize], #[structure] col: &[usize], values: &[f64], b: &[f64], x: &mut [f64]) {
    for i in 0..n {
        x[i] = b[i];
        for e in row[i]..row[i + 1] - 1 {
            x[i] -= values[e] * x[col[e]];
        }
        x[i] /= 2.0 + values[row[i + 1] - 1];
    }
}

/// Backward substitution with the transpose, in place.
#[kernel]
pub fn backward(n: usize, #[structure] row: &[usize], #[structure] col: &[usize], values: &[f64], x: &mut [f64]) {
    for i in (0..n).rev() {
        x[i] /= 2.0 + values[row[i + 1] - 1];
        for e in row[i]..row[i + 1] - 1 {
            x[col[e]] -= values[e] * x[i];
        }
    }
}

/// Incomplete LU factorisation without fill: the pattern says which updates there are.
#[kernel]
pub fn incomplete_factor(n: usize, #[structure] row: &[usize], #[structure] col: &[usize], values: &mut [f64]) {
    for i in 0..n {
        for e in row[i]..row[i + 1] {
            let k = col[e];
            if k >= i {
                break;
            }
            let mut diagonal = row[k];
            while col[diagonal] != k {
                diagonal += 1;
            }
            values[e] /= 2.0 + values[diagonal];
            let mut other = diagonal + 1;
            for f in e + 1..row[i + 1] {
                while other < row[k + 1] && col[other] < col[f] {
                    other += 1;
                }
                if other < row[k + 1] && col[other] == col[f] {
                    values[f] -= values[e] * values[other];
                }
            }
        }
    }
}

/// Gathers by a permutation, then scatters by it.
#[kernel]
pub fn gather_i16(#[structure] p: &[usize], x: &mut [i16], y: &mut [i16]) {
    for i in 0..p.len() {
        y[i] = (y[i].min(x[p[i]]) ^ y[i]);
    }
    for i in 0..p.len() {
        x[p[i]] = (x[i] ^ (y[i] >> 1));
    }
}

/// Gathers by a permutation, then scatters by it.
#[kernel]
pub fn gather_pair(#[structure] p: &[usize], x: &mut [Pair], y: &mut [Pair]) {
    for i in 0..p.len() {
        y[i] = (Pair { x: x[p[i]].x.max(y[i].x), n: x[p[i]].n.rotate_right(1) });
    }
    for i in 0..p.len() {
        x[p[i]] = (if y[i].n < x[i].n { y[i] } else { x[i].mix(y[i]) });
    }
}

/// Exchanges in place, along a permutation.
#[kernel]
pub fn cycles(n: usize, #[structure] p: &[usize], x: &mut [u16]) {
    for i in 0..n {
        let kept: u16 = x[i];
        x[i] = x[p[i]];
        x[p[i]] = kept ^ x[i] >> 3;
    }
}

/// Rounds of relaxation over the edges of a graph.
#[kernel]
pub fn paths(rounds: usize, #[structure] from: &[u32], #[structure] to: &[u32], length: &[u32], distance: &mut [u32]) {
    for _ in 0..rounds {
        for e in 0..from.len() {
            distance[to[e] as usize] =
            distance[to[e] as usize].min(distance[from[e] as usize].saturating_add(length[e] >> 8));
        }
    }
}

/// A circuit of gates: the structure says which kind each is.
#[kernel]
pub fn circuit(inputs: usize, #[structure] gate: &[u8], #[structure] left: &[usize], #[structure] right: &[usize], wire: &mut [bool]) {
    for g in 0..gate.len() {
        if gate[g] == 0 {
            wire[inputs + g] = wire[left[g]] && wire[right[g]];
        } else if gate[g] == 1 {
            wire[inputs + g] = wire[left[g]] ^ wire[right[g]];
        } else {
            wire[inputs + g] = !wire[left[g]];
        }
    }
}

/// Neighbours on a mesh; a negative one is none.
#[kernel]
pub fn mesh(n: usize, sweeps: usize, #[structure] neighbour: &[i64], x: &mut [f64], y: &mut [f64]) {
    for _ in 0..sweeps {
        for i in 0..n {
            y[i] = 0.5 * x[i];
            for side in 0..4 {
                let other = neighbour[4 * i + side];
                if other >= 0 {
                    y[i] += 0.125 * x[other as usize];
                }
            }
        }
        for i in 0..n {
            x[i] = y[i];
        }
    }
}

/// Up a tree and down again.
#[kernel]
pub fn tree_f32(#[structure] parent: &[i32], x: &mut [f32]) {
    for i in (1..parent.len()).rev() {
        x[parent[i] as usize] = (x[i].abs().sqrt() - 0.5 * x[parent[i] as usize]);
    }
    for i in 1..parent.len() {
        x[i] = (x[0].clamp(-0.5, 0.5) + 0.25 * x[i]);
    }
}

/// Up a tree and down again.
#[kernel]
pub fn tree_i8(#[structure] parent: &[i32], x: &mut [i8]) {
    for i in (1..parent.len()).rev() {
        x[parent[i] as usize] = (x[parent[i] as usize].wrapping_shl((x[i] & 3) as u32) ^ x[parent[i] as usize]);
    }
    for i in 1..parent.len() {
        x[i] = (x[parent[i] as usize].wrapping_shl((x[0] & 3) as u32) ^ x[i]);
    }
}

/// A matrix in coordinate form times a vector, with integers that wrap.
#[kernel]
pub fn coordinates(#[structure] from: &[u32], #[structure] to: &[u32], values: &[i64], x: &[i64], y: &mut [i64]) {
    for e in 0..to.len() {
        y[to[e] as usize] = y[to[e] as usize].wrapping_add(values[e].wrapping_mul(x[from[e] as usize]));
    }
}

/// The largest word of each segment, by way of a prefix maximum.
#[kernel]
pub fn ragged(#[structure] start: &[usize], x: &mut [f64], largest: &mut [f64]) {
    for s in 0..start.len() - 1 {
        if start[s] == start[s + 1] {
            largest[s] = f64::NEG_INFINITY;
            continue;
        }
        for e in start[s] + 1..start[s + 1] {
            x[e] = x[e].max(x[e - 1]);
        }
        largest[s] = x[start[s + 1] - 1];
    }
}
