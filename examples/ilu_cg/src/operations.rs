//! Operations of the method: by the functions, and by their plans.

use std::borrow::Cow;
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
    /// If the factor was not found, or a plan cannot be run.
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
    sums: reduce::Tree,
}

impl<'m> Functions<'m> {
    /// Prepares for a matrix.
    pub fn new(matrix: &'m Matrix) -> Self {
        Self {
            matrix,
            l: matrix.lower.values.clone(),
            sums: reduce::Tree::fixed(matrix.size(), 1),
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
        kernels::precondition(n, &lower.starts, &lower.indices, &self.l, r, z)?;
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
///
/// They borrow it, or [own](Self::owned) what they need of it.
pub struct Plans<'m> {
    /// Values of the lower triangle.
    lower: Cow<'m, [f64]>,
    /// Values of the factor.
    pub l: Vec<f64>,
    /// Plan of the factorisation.
    pub factor: kernels::factor::Planned<'m>,
    /// Plan of both solves, with the values of the factor.
    pub precondition: kernels::precondition::Loaded<'m>,
    /// Plan of the product, with the values of the matrix.
    pub product: kernels::product::Loaded<'m>,
    sums: reduce::Tree,
}

impl<'m> Plans<'m> {
    /// Plans all kernels for so many processors.
    ///
    /// # Errors
    /// If there are no processors, or too many.
    pub fn new(matrix: &'m Matrix, processors: usize) -> Result<Self, SolveError> {
        let Matrix { a, lower } = matrix;
        let (n, row, col) = (matrix.size(), &lower.starts, &lower.indices);
        let planners = Planners {
            factor: kernels::factor::plan(n, row, col),
            precondition: kernels::precondition::plan(n, row, col),
            product: kernels::product::plan(n, &a.starts, &a.indices),
        };
        planners.build(n, Cow::from(&lower.values), &a.values, processors)
    }
}

impl Plans<'static> {
    /// Plans all kernels of a matrix for so many processors, and keeps of it what it needs.
    ///
    /// The plans of the factorisation and of the solves share the pattern of the lower triangle.
    /// Nothing of it is copied.
    ///
    /// # Errors
    /// If there are no processors, or too many.
    pub fn owned(matrix: Matrix, processors: usize) -> Result<Self, SolveError> {
        let (n, Matrix { a, lower }) = (matrix.size(), matrix);
        let (row, col) = (Arc::new(lower.starts), Arc::new(lower.indices));
        let planners = Planners {
            factor: kernels::factor::plan_owned(n, Arc::clone(&row), Arc::clone(&col)),
            precondition: kernels::precondition::plan_owned(n, row, col),
            product: kernels::product::plan_owned(n, a.starts, a.indices),
        };
        planners.build(n, Cow::from(lower.values), &a.values, processors)
    }
}

/// Planners of all kernels.
struct Planners<'m> {
    factor: kernels::factor::Planner<'m>,
    precondition: kernels::precondition::Planner<'m>,
    product: kernels::product::Planner<'m>,
}

impl<'m> Planners<'m> {
    /// Makes the plans of `n` equations, for values of the lower triangle and of the whole matrix.
    fn build(
        &self,
        n: usize,
        lower: Cow<'m, [f64]>,
        a: &[f64],
        processors: usize,
    ) -> Result<Plans<'m>, SolveError> {
        let precondition = self.precondition.processors(processors).build()?;
        let product = self.product.processors(processors).build()?;
        Ok(Plans {
            l: lower.to_vec(),
            factor: self.factor.processors(processors).build()?,
            precondition: precondition.load(&lower)?,
            product: product.load(a)?,
            lower,
            sums: reduce::Tree::fixed(n, processors),
        })
    }
}

impl Operations for Plans<'_> {
    fn factor(&mut self) -> Result<(), SolveError> {
        self.l.copy_from_slice(&self.lower);
        self.factor.run(&mut self.l)??;
        Ok(self.precondition.update(&self.l)?)
    }

    fn precondition(&self, r: &[f64], z: &mut [f64]) -> Result<(), SolveError> {
        Ok(self.precondition.run(r, z)??)
    }

    fn product(&self, p: &[f64], q: &mut [f64]) -> Result<(), SolveError> {
        Ok(self.product.run(p, q)?)
    }

    fn dot(&self, x: &Arc<[f64]>, y: &Arc<[f64]>) -> Result<f64, SolveError> {
        Ok(reduce::dot(&self.sums, x, y)?.unwrap_or(0.0))
    }
}
