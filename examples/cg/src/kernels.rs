//! The kernel: the crate and its build script both compile this file.

use superstep::kernel;

/// One step of the conjugate gradient method for the five-point Poisson equation on an `n` x `n` grid, row-major.
///
/// `x` is the solution so far, `r` its residual, `p` the direction, `q` room for the product with it. `rr` is the square of the residual's norm. All
/// of them are 0 on the boundary and stay so. Both dot products run along fixed trees: their bits are the same on any number of processors.
#[kernel]
pub fn cg_step(n: usize, x: &mut [f64], r: &mut [f64], p: &mut [f64], q: &mut [f64], rr: &mut f64) {
    for i in 1..n - 1 {
        for j in 1..n - 1 {
            q[i * n + j] = 4.0 * p[i * n + j]
                - p[(i - 1) * n + j]
                - p[i * n + j - 1]
                - p[i * n + j + 1]
                - p[(i + 1) * n + j];
        }
    }
    let mut pq = 0.0;
    #[reduce]
    for e in n..n * n - n {
        pq += p[e] * q[e];
    }
    let alpha = *rr / pq;
    for e in n..n * n - n {
        x[e] += alpha * p[e];
    }
    for e in n..n * n - n {
        r[e] -= alpha * q[e];
    }
    let mut next = 0.0;
    #[reduce]
    for e in n..n * n - n {
        next += r[e] * r[e];
    }
    let beta = next / *rr;
    for e in n..n * n - n {
        p[e] = r[e] + beta * p[e];
    }
    *rr = next;
}
