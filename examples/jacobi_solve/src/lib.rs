//! One Jacobi iteration for a dense system of 512 unknowns: row sums, then the norm of the change.

pub mod kernels;

/// A dense linear system `a y = b` and a guess `x` of its solution.
#[derive(Clone, Debug)]
pub struct System {
    /// Row-major matrix; its diagonal dominates every row.
    pub a: Vec<f64>,
    /// Right-hand side.
    pub b: Vec<f64>,
    /// The guess.
    pub x: Vec<f64>,
}

/// A system of `n` unknowns.
pub fn system(n: usize) -> System {
    let element = |i: usize, j: usize| {
        let off_diagonal = ((29 * i + 13 * j) % 103) as f64 / 103.0;
        if i == j {
            off_diagonal + n as f64
        } else {
            off_diagonal
        }
    };
    System {
        a: (0..n * n).map(|e| element(e / n, e % n)).collect(),
        b: (0..n).map(|i| (i % 11) as f64 - 5.0).collect(),
        x: (0..n).map(|i| 1.0 / (i + 1) as f64).collect(),
    }
}
