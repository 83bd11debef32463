//! Operations of the method: by the functions, and by their plans.

use std::sync::Arc;

use superstep::reduce;

use crate::{Matrix, SolveError, kernels};

/// Operations of the method on a matrix.
pub trait Operations {
    /// Factors the matrix.
    ///
    /// # Errors
    /// If it has no factor, or a plan cannot be run.
    fn factor(&mut self) -> Result<(), SolveError>;

    /// Solves `L L' z = r`.
    ///
    /// # Errors
    /// If a plan cannot be run.
    fn precondition(&self, r: &[f64], z: &mut [f64]) -> Result<(), SolveError>;

    /// Computes `q = A p`.
    ///
    /// # Errors
    /// If a plan cannot be run.
    fn product(&self, p: &[f64], q: &mut [f64]) -> Result<(), SolveError>;

    /// Returns the dot product.
    ///
    /// # Errors
    /// If threads fail.
    fn dot(&self, x: &Arc<[f64]>, y: &Arc<[f64]>) -> Result<f64, SolveError>;
}

/// The functions as they are written.
pub struct Functions<'m> {
    matrix: &'m Matrix,
    /// Values of the factor.
    pub l: Vec<f64>,
    sums: reduce::Plan,
}

impl<'m> Functions<'m> {
    /// Prepares for a matrix.
    pub fn new(matrix: &'m Matrix) -> Self {
        Self {
            matrix,
            l: matrix.lower.values.clone(),
            sums: reduce::Plan::fixed(matrix.size(), 1),
        }
    }
}

impl Operations for Functions<'_> {
    fn factor(&mut self) -> Result<(), SolveError> {
        let lower = &self.matrix.lower;
        self.l.copy_from_slice(&lower.values);
        kernels::factor(
            self.matrix.size(),
            &lower.starts,
            &lower.indices,
            &mut self.l,
        )?;
        Ok(())
    }

    fn precondition(&self, r: &[f64], z: &mut [f64]) -> Result<(), SolveError> {
        let (n, lower) = (self.matrix.size(), &self.matrix.lower);
        kernels::precondition(n, &lower.starts, &lower.indices, &self.l, r, z);
        Ok(())
    }

    fn product(&self, p: &[f64], q: &mut [f64]) -> Result<(), SolveError> {
        let a = &self.matrix.a;
        kernels::product(self.matrix.size(), &a.starts, &a.indices, &a.values, p, q);
        Ok(())
    }

    fn dot(&self, x: &Arc<[f64]>, y: &Arc<[f64]>) -> Result<f64, SolveError> {
        Ok(reduce::dot(&self.sums, x, y)?.unwrap_or(0.0))
    }
}

/// The plans of all kernels for a matrix.
pub struct Plans<'m> {
    matrix: &'m Matrix,
    /// Values of the factor.
    pub l: Vec<f64>,
    /// Plan of the factorisation.
    pub factor: kernels::factor::Planned<'m>,
    /// Plan of both solves, with the values of the factor.
    pub precondition: kernels::precondition::Loaded<'m>,
    /// Plan of the product, with the values of the matrix.
    pub product: kernels::product::Loaded<'m>,
    sums: reduce::Plan,
}

impl<'m> Plans<'m> {
    /// Plans all kernels for so many processors.
    ///
    /// # Errors
    /// If there are no processors, or too many.
    pub fn new(matrix: &'m Matrix, processors: usize) -> Result<Self, SolveError> {
        let Matrix { a, lower } = matrix;
        let (n, row, col) = (matrix.size(), &lower.starts, &lower.indices);
        let factor = kernels::factor::plan(n, row, col).processors(processors);
        let precondition = kernels::precondition::plan(n, row, col).processors(processors);
        let product = kernels::product::plan(n, &a.starts, &a.indices).processors(processors);
        Ok(Self {
            matrix,
            l: lower.values.clone(),
            factor: factor.build()?,
            precondition: precondition.build()?.load(&lower.values)?,
            product: product.build()?.load(&a.values)?,
            sums: reduce::Plan::fixed(n, processors),
        })
    }
}

impl Operations for Plans<'_> {
    fn factor(&mut self) -> Result<(), SolveError> {
        self.l.copy_from_slice(&self.matrix.lower.values);
        self.factor.run(&mut self.l)??;
        Ok(self.precondition.update(&self.l)?)
    }

    fn precondition(&self, r: &[f64], z: &mut [f64]) -> Result<(), SolveError> {
        Ok(self.precondition.run(r, z)?)
    }

    fn product(&self, p: &[f64], q: &mut [f64]) -> Result<(), SolveError> {
        Ok(self.product.run(p, q)?)
    }

    fn dot(&self, x: &Arc<[f64]>, y: &Arc<[f64]>) -> Result<f64, SolveError> {
        Ok(reduce::dot(&self.sums, x, y)?.unwrap_or(0.0))
    }
}
