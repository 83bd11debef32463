//! Symmetric Gauss-Seidel in its exact order.
//!
//! Each row takes the newest values of all others, so that a row waits for those before it that it
//! shares an entry with. Colourings break that order and converge more slowly; a plan keeps it, bit
//! for bit. [`solve()`] runs by [`Functions`] or by [`Plans`].

pub mod kernels;
mod operations;

use std::sync::Arc;

use kernels::Unfit;
pub use operations::{Functions, Operations, Plans};
use superstep::RunError;
use superstep::plan::PlanningError;
use superstep_matrix::Compressed;

/// A matrix, and where its diagonal is.
#[derive(Clone, Debug)]
pub struct Matrix {
    /// The matrix in compressed rows.
    pub a: Compressed<f64>,
    /// Position of each row's diagonal.
    pub diagonal: Vec<usize>,
}

impl Matrix {
    /// Takes a matrix in compressed rows.
    ///
    /// # Errors
    /// If a row lacks its diagonal.
    pub fn new(a: Compressed<f64>) -> Result<Self, SolveError> {
        let diagonal = a.diagonal().ok_or(SolveError::Diagonal)?;
        Ok(Self { a, diagonal })
    }

    /// Returns the number of equations.
    pub fn size(&self) -> usize {
        self.a.lines()
    }
}

/// Errors of a solution.
#[derive(Debug, thiserror::Error)]
pub enum SolveError {
    /// A row has no entry on the diagonal, by which to divide.
    #[error("a row of the matrix lacks its diagonal")]
    Diagonal,
    /// A kernel cannot be planned.
    #[error(transparent)]
    Planning(#[from] PlanningError),
    /// A plan cannot be run.
    #[error(transparent)]
    Run(#[from] RunError),
    /// A diagonal is zero.
    #[error(transparent)]
    Unfit(#[from] Unfit),
}

/// Solution of a system of equations.
#[derive(Clone, Debug, PartialEq)]
pub struct Solution {
    /// The unknowns.
    pub x: Vec<f64>,
    /// Sweeps that it took.
    pub sweeps: usize,
    /// Norm of the residual over that of the right-hand side.
    pub residual: f64,
}

/// Sweeps until the residual is `factor` of the right-hand side, at most so many times.
///
/// # Errors
/// If a diagonal is zero, or a plan cannot be run.
///
/// ```
/// use superstep_example_matrices::System;
/// use superstep_example_symgs::{Functions, Matrix, Plans, solve};
///
/// let system = System::poisson(12);
/// let matrix = Matrix::new(system.a)?;
/// let one = solve(&Functions::new(&matrix), &system.b, 1e-3, 1000)?;
/// let other = solve(&Plans::new(&matrix, 2)?, &system.b, 1e-3, 1000)?;
/// assert_eq!(one, other);
/// # Ok::<(), superstep_example_symgs::SolveError>(())
/// ```
pub fn solve(
    operations: &impl Operations,
    b: &[f64],
    factor: f64,
    most: usize,
) -> Result<Solution, SolveError> {
    let mut x = vec![0.0; b.len()];
    let mut r: Arc<[f64]> = b.into();
    let first = operations.square(&r)?;
    let mut rr = first;
    let mut sweeps = 0;
    while rr > factor * factor * first && sweeps < most {
        operations.sweep(b, &mut x)?;
        // A thread that comes late to the square may still hold its vector, which is copied then.
        operations.residual(b, &x, Arc::make_mut(&mut r))?;
        rr = operations.square(&r)?;
        sweeps += 1;
    }
    Ok(Solution {
        x,
        sweeps,
        residual: if first > 0.0 {
            (rr / first).sqrt()
        } else {
            0.0
        },
    })
}
