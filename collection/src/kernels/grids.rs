//! Grids: smoothers, multigrid, waves, cellular automata.

use superstep::kernel;

/// Smooths a grid of `n` rows in place, `sweeps` times (Gauss and Seidel).
#[kernel]
pub fn seidel(n: usize, sweeps: usize, u: &mut [f64]) {
    for _ in 0..sweeps {
        for i in 1..n - 1 {
            for j in 1..n - 1 {
                u[i * n + j] = 0.25
                    * (u[(i - 1) * n + j]
                        + u[i * n + j - 1]
                        + u[i * n + j + 1]
                        + u[(i + 1) * n + j]);
            }
        }
    }
}

/// Relaxes the equation of Poisson on `n` x `n` points, red points before black ones.
#[kernel]
pub fn relax(n: usize, u: &mut [f64], f: &[f64]) {
    for colour in 0..2 {
        for i in 1..n - 1 {
            for j in 1..n - 1 {
                if (i + j) % 2 == colour {
                    u[i * n + j] = 0.25
                        * (u[(i - 1) * n + j]
                            + u[(i + 1) * n + j]
                            + u[i * n + j - 1]
                            + u[i * n + j + 1]
                            + f[i * n + j]);
                }
            }
        }
    }
}

/// Brings what is wrong with `u` on `n` x `n` points to the right-hand side of every other point.
/// It is half of that, as nothing is wrong with black points.
#[kernel]
pub fn restrict(n: usize, u: &[f64], f: &[f64], coarse: &mut [f64]) {
    let half = n / 2 + 1;
    for i in 1..half - 1 {
        for j in 1..half - 1 {
            let at = 2 * i * n + 2 * j;
            let around = u[at - n] + u[at + n] + u[at - 1] + u[at + 1];
            coarse[i * half + j] = 2.0 * (f[at] - 4.0 * u[at] + around);
        }
    }
}

/// Adds the correction on every other point to `u` on `n` x `n` points, and between them its mean.
#[kernel]
pub fn prolong(n: usize, coarse: &[f64], u: &mut [f64]) {
    let half = n / 2 + 1;
    for i in 1..n - 1 {
        for j in 1..n - 1 {
            let up = i / 2 * half;
            let down = i.div_ceil(2) * half;
            let left = j / 2;
            let right = j.div_ceil(2);
            u[i * n + j] += 0.25
                * (coarse[up + left]
                    + coarse[up + right]
                    + coarse[down + left]
                    + coarse[down + right]);
        }
    }
}

/// One V-cycle of multigrid on `n` x `n` points, `n` a power of two plus one. All levels stand one
/// after the other in `u` and `f`, the finest first.
#[kernel]
pub fn multigrid(n: usize, levels: usize, u: &mut [f64], f: &mut [f64]) {
    let mut size = n;
    let mut at = 0;
    for _ in 1..levels {
        let below = at + size * size;
        relax(size, &mut u[at..below], &f[at..below]);
        let (fine, coarse) = f.split_at_mut(below);
        restrict(size, &u[at..below], &fine[at..], coarse);
        size = size / 2 + 1;
        at = below;
        for i in 0..size * size {
            u[at + i] = 0.0;
        }
    }
    for _ in 0..4 {
        relax(size, &mut u[at..], &f[at..]);
    }
    for _ in 1..levels {
        let fine = 2 * size - 1;
        let above = at - fine * fine;
        let (left, coarse) = u.split_at_mut(at);
        prolong(fine, coarse, &mut left[above..]);
        relax(fine, &mut u[above..at], &f[above..at]);
        size = fine;
        at = above;
    }
}

/// Propagates an electromagnetic wave through `n` x `n` cells for `steps` steps (Yee's FDTD).
#[kernel]
pub fn waves(
    n: usize,
    steps: usize,
    source: &[f32],
    ez: &mut [f32],
    hx: &mut [f32],
    hy: &mut [f32],
) {
    for t in 0..steps {
        for i in 0..n {
            for j in 0..n - 1 {
                hx[i * n + j] -= 0.5 * (ez[i * n + j + 1] - ez[i * n + j]);
            }
        }
        for i in 0..n - 1 {
            for j in 0..n {
                hy[i * n + j] += 0.5 * (ez[(i + 1) * n + j] - ez[i * n + j]);
            }
        }
        for i in 1..n - 1 {
            for j in 1..n - 1 {
                ez[i * n + j] +=
                    0.5 * (hy[i * n + j] - hy[(i - 1) * n + j] - hx[i * n + j] + hx[i * n + j - 1]);
            }
        }
        ez[n / 2 * n + n / 2] += source[t];
    }
}

/// Plays Conway's Life on a torus of `n` x `n` cells, 1 where they live; `next` is scratch.
#[kernel]
pub fn life(n: usize, generations: usize, cells: &mut [u8], next: &mut [u8]) {
    for _ in 0..generations {
        for i in 0..n {
            let up = (i + n - 1) % n;
            let down = (i + 1) % n;
            for j in 0..n {
                let left = (j + n - 1) % n;
                let right = (j + 1) % n;
                let around = cells[up * n + left]
                    + cells[up * n + j]
                    + cells[up * n + right]
                    + cells[i * n + left]
                    + cells[i * n + right]
                    + cells[down * n + left]
                    + cells[down * n + j]
                    + cells[down * n + right];
                next[i * n + j] = match (cells[i * n + j], around) {
                    (1, 2) | (_, 3) => 1,
                    _ => 0,
                };
            }
        }
        for i in 0..n * n {
            cells[i] = next[i];
        }
    }
}

/// Runs the elementary automaton of rule 110 on a ring of `n` cells: row `t` of `cells` is step
/// `t`.
#[kernel]
pub fn automaton(n: usize, steps: usize, cells: &mut [bool]) {
    for t in 1..=steps {
        for i in 0..n {
            let before = (t - 1) * n;
            let left = cells[before + (i + n - 1) % n];
            let own = cells[before + i];
            let right = cells[before + (i + 1) % n];
            cells[t * n + i] = (own || right) && !(left && own && right);
        }
    }
}
