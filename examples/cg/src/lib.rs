//! The Poisson equation on a grid, by conjugate gradients.
//!
//! A step has two dot products, whose sums decide everything after them. With `#[reduce]` they run
//! in parallel and have the bits of the sequential kernel. So all iterates, and the number of
//! steps, are the same on any number of processors.

pub mod kernels;

use superstep::RunError;
use superstep_side_by_side::SameBits;

/// Points of the grid in each direction, with the boundary: what the build script asks programs
/// for.
pub const N: usize = 180;

/// State of the iteration: the arguments of the kernel.
#[derive(Clone, Debug)]
pub struct State {
    /// The solution so far.
    pub x: Vec<f64>,
    /// Its residual.
    pub r: Vec<f64>,
    /// The direction of the next step.
    pub p: Vec<f64>,
    /// The product with it.
    pub q: Vec<f64>,
    /// The square of the residual's norm.
    pub rr: f64,
    /// Steps so far.
    pub steps: usize,
}

impl State {
    /// The start: nothing, and a right-hand side that has sources of both signs all over an `n` x
    /// `n` grid.
    pub fn new(n: usize) -> Self {
        let inside = |e: usize| [e / n, e % n].iter().all(|at| (1..n - 1).contains(at));
        let source = |e: usize| ((31 * (e / n) + 7 * (e % n)) % 97) as f64 / 97.0 - 0.25;
        let value = |e: usize| if inside(e) { source(e) } else { 0.0 };
        let r: Vec<f64> = (0..n * n).map(value).collect();
        Self {
            x: vec![0.0; n * n],
            p: r.clone(),
            q: vec![0.0; n * n],
            rr: r.iter().map(|value| value * value).sum(),
            r,
            steps: 0,
        }
    }

    /// Steps until the residual is `factor` of what it is now, at most `most` times.
    ///
    /// # Errors
    /// Those of `step`.
    pub fn solve(
        &mut self,
        factor: f64,
        most: usize,
        mut step: impl FnMut(&mut Self) -> Result<(), RunError>,
    ) -> Result<(), RunError> {
        let wanted = factor * factor * self.rr;
        for _ in 0..most {
            if self.rr <= wanted {
                break;
            }
            step(self)?;
            self.steps += 1;
        }
        Ok(())
    }

    /// The norm of the right-hand side less the product with the solution: what [`rr`](Self::rr)
    /// claims to be the square of.
    pub fn residual(&self, n: usize, right_hand_side: &[f64]) -> f64 {
        let x = &self.x;
        let at = |e: usize| 4.0 * x[e] - x[e - n] - x[e - 1] - x[e + 1] - x[e + n];
        let inside = (1..n - 1).flat_map(|i| (1..n - 1).map(move |j| i * n + j));
        let squares = inside.map(|e| (right_hand_side[e] - at(e)).powi(2));
        squares.sum::<f64>().sqrt()
    }
}

impl SameBits for State {
    fn same_bits(&self, other: &Self) -> bool {
        self.x.same_bits(&other.x)
            && self.r.same_bits(&other.r)
            && self.p.same_bits(&other.p)
            && self.q.same_bits(&other.q)
            && self.rr.same_bits(&other.rr)
            && self.steps == other.steps
    }
}
