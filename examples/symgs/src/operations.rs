//! Operations of the method: by the functions, and by their plans.

use std::sync::Arc;

use superstep::reduce;

use crate::{Matrix, SolveError, kernels};

/// Operations of the method on a matrix.
pub trait Operations {
    /// Sweeps forwards and backwards over `x`.
    ///
    /// # Errors
    /// If a diagonal is zero, or a plan cannot be run.
    fn sweep(&self, b: &[f64], x: &mut [f64]) -> Result<(), SolveError>;

    /// Computes `r = b - A x`.
    ///
    /// # Errors
    /// If a plan cannot be run.
    fn residual(&self, b: &[f64], x: &[f64], r: &mut [f64]) -> Result<(), SolveError>;

    /// Returns the square of the norm, summed in fixed order.
    ///
    /// # Errors
    /// If threads fail.
    fn square(&self, r: &Arc<[f64]>) -> Result<f64, SolveError>;
}

/// The functions as they are written.
pub struct Functions<'m> {
    matrix: &'m Matrix,
    sums: reduce::Tree,
}

impl<'m> Functions<'m> {
    /// Prepares for a matrix.
    pub fn new(matrix: &'m Matrix) -> Self {
        let sums = reduce::Tree::fixed(matrix.size(), 1);
        Self { matrix, sums }
    }
}

impl Operations for Functions<'_> {
    fn sweep(&self, b: &[f64], x: &mut [f64]) -> Result<(), SolveError> {
        let Matrix { a, diagonal } = self.matrix;
        kernels::sweep(a.lines(), &a.starts, &a.indices, diagonal, &a.values, b, x)?;
        Ok(())
    }

    fn residual(&self, b: &[f64], x: &[f64], r: &mut [f64]) -> Result<(), SolveError> {
        let a = &self.matrix.a;
        kernels::residual(a.lines(), &a.starts, &a.indices, &a.values, b, x, r);
        Ok(())
    }

    fn square(&self, r: &Arc<[f64]>) -> Result<f64, SolveError> {
        Ok(reduce::dot(&self.sums, r, r)?.unwrap_or(0.0))
    }
}

/// The plans of all kernels for a matrix, loaded with its values.
pub struct Plans<'m> {
    /// Plan of the sweeps.
    pub sweep: kernels::sweep::Loaded<'m>,
    /// Plan of the residual.
    pub residual: kernels::residual::Loaded<'m>,
    sums: reduce::Tree,
}

impl<'m> Plans<'m> {
    /// Plans all kernels for so many processors.
    ///
    /// # Errors
    /// If there are no processors, or too many.
    pub fn new(matrix: &'m Matrix, processors: usize) -> Result<Self, SolveError> {
        let Matrix { a, diagonal } = matrix;
        let (n, row, col) = (a.lines(), &a.starts, &a.indices);
        let sweep = kernels::sweep::plan(n, row, col, diagonal).processors(processors);
        let residual = kernels::residual::plan(n, row, col).processors(processors);
        Ok(Self {
            sweep: sweep.build()?.load(&a.values)?,
            residual: residual.build()?.load(&a.values)?,
            sums: reduce::Tree::fixed(n, processors),
        })
    }
}

impl Operations for Plans<'_> {
    fn sweep(&self, b: &[f64], x: &mut [f64]) -> Result<(), SolveError> {
        Ok(self.sweep.run(b, x)??)
    }

    fn residual(&self, b: &[f64], x: &[f64], r: &mut [f64]) -> Result<(), SolveError> {
        Ok(self.residual.run(b, x, r)?)
    }

    fn square(&self, r: &Arc<[f64]>) -> Result<f64, SolveError> {
        Ok(reduce::dot(&self.sums, r, r)?.unwrap_or(0.0))
    }
}
