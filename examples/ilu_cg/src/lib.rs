//! Conjugate gradients, preconditioned by an incomplete factorisation: IC(0).
//!
//! All that is done for each row are [`kernels`]: sequential functions, planned when the matrix is
//! there. [`solve()`] is the method; it runs by [`Functions`] or by [`Plans`], with the same bits.
//! Dot products are reductions in fixed order, so that the number of processors changes none of
//! theirs either.

#![forbid(unsafe_code)]

pub mod kernels;
mod operations;

use std::sync::Arc;

use kernels::Unfit;
pub use operations::{Functions, Operations, Plans};
use superstep::RunError;
use superstep::plan::PlanningError;
use superstep_matrix::Compressed;

/// A symmetric matrix, and where its factor has entries.
#[derive(Clone, Debug)]
pub struct Matrix {
    /// All of it, in compressed rows.
    pub a: Compressed<f64>,
    /// Its lower triangle: each row ends with its diagonal.
    pub lower: Compressed<f64>,
}

impl Matrix {
    /// Takes a matrix in compressed rows, whose values must be symmetric.
    pub fn new(a: Compressed<f64>) -> Self {
        let lower = a.lower(0.0);
        Self { a, lower }
    }

    /// Returns the number of equations.
    pub fn size(&self) -> usize {
        self.a.lines()
    }
}

/// Errors of a solution.
#[derive(Debug, thiserror::Error)]
pub enum SolveError {
    /// A kernel cannot be planned.
    #[error(transparent)]
    Planning(#[from] PlanningError),
    /// A plan cannot be run.
    #[error(transparent)]
    Run(#[from] RunError),
    /// The matrix has no incomplete factor.
    #[error(transparent)]
    Unfit(#[from] Unfit),
    /// An operation of another crate failed.
    #[error(transparent)]
    Other(Box<dyn std::error::Error + Send + Sync>),
}

/// A solver of systems with one matrix. It has the pattern, the factor and all plans in one object,
/// which borrows nothing and can be kept, sent and shared.
///
/// ```
/// use superstep_example_ilu_cg::{Matrix, SolveError, Solver};
/// use superstep_example_matrices::System;
///
/// fn solver(side: usize) -> Result<Solver, SolveError> {
///     Solver::new(Matrix::new(System::poisson(side).a), 2)
/// }
///
/// let mut solver = solver(12)?;
/// let solution = solver.solve(&System::poisson(12).b, 1e-10, 100)?;
/// assert!(solution.residual < 1e-10);
/// # Ok::<(), SolveError>(())
/// ```
pub struct Solver(Plans<'static>);

impl Solver {
    /// Plans all kernels for a matrix and so many processors.
    ///
    /// # Errors
    /// If there are no processors, or too many.
    pub fn new(matrix: Matrix, processors: usize) -> Result<Self, SolveError> {
        Plans::owned(matrix, processors).map(Self)
    }

    /// Solves a system as [`solve()`] does.
    ///
    /// # Errors
    /// If the matrix has no factor, or a plan cannot be run.
    pub fn solve(&mut self, b: &[f64], factor: f64, most: usize) -> Result<Solution, SolveError> {
        solve(&mut self.0, b, factor, most)
    }
}

/// Solution of a system of equations.
#[derive(Clone, Debug, PartialEq)]
pub struct Solution {
    /// The unknowns.
    pub x: Vec<f64>,
    /// Steps that it took.
    pub steps: usize,
    /// Norm of the residual over that of the right-hand side.
    pub residual: f64,
}

/// Factors the matrix, and takes steps until the residual is `factor` of the right-hand side, at
/// most so many.
///
/// The method is Algorithm 9.1 of Y. Saad, *Iterative Methods for Sparse Linear Systems*, second
/// edition, 2003.
///
/// # Errors
/// If the matrix has no factor, or a plan cannot be run.
///
/// ```
/// use superstep_example_ilu_cg::{Functions, Matrix, Plans, solve};
/// use superstep_example_matrices::System;
///
/// let system = System::poisson(12);
/// let matrix = Matrix::new(system.a);
/// let one = solve(&mut Functions::new(&matrix), &system.b, 1e-10, 100)?;
/// let other = solve(&mut Plans::new(&matrix, 2)?, &system.b, 1e-10, 100)?;
/// assert_eq!(one, other);
/// # Ok::<(), superstep_example_ilu_cg::SolveError>(())
/// ```
pub fn solve(
    operations: &mut impl Operations,
    b: &[f64],
    factor: f64,
    most: usize,
) -> Result<Solution, SolveError> {
    operations.factor()?;
    let zeros = vec![0.0; b.len()];
    let mut x = zeros.clone();
    // Threads that come late to a dot product may still hold its vectors: `make_mut` copies these
    // then.
    let [mut z, mut q] = [(); 2].map(|()| Arc::<[f64]>::from(&zeros[..]));
    let mut r: Arc<[f64]> = b.into();
    operations.precondition(&r, Arc::make_mut(&mut z))?;
    let mut p: Arc<[f64]> = z[..].into();
    let mut rz = operations.dot(&r, &z)?;
    let first = operations.dot(&r, &r)?;
    let mut rr = first;
    let mut steps = 0;
    while rr > factor * factor * first && steps < most {
        operations.product(&p, Arc::make_mut(&mut q))?;
        let alpha = rz / operations.dot(&p, &q)?;
        add(alpha, &p, &mut x);
        add(-alpha, &q, Arc::make_mut(&mut r));
        operations.precondition(&r, Arc::make_mut(&mut z))?;
        let next = operations.dot(&r, &z)?;
        let beta = next / rz;
        for (p, z) in Arc::make_mut(&mut p).iter_mut().zip(&z[..]) {
            *p = z + beta * *p;
        }
        rz = next;
        rr = operations.dot(&r, &r)?;
        steps += 1;
    }
    Ok(Solution {
        x,
        steps,
        residual: if first > 0.0 {
            (rr / first).sqrt()
        } else {
            0.0
        },
    })
}

/// Adds `alpha x` to `y`.
fn add(alpha: f64, x: &[f64], y: &mut [f64]) {
    for (y, x) in y.iter_mut().zip(x) {
        *y += alpha * x;
    }
}
