//! Operations of a step: by the functions, and by their plans.

use crate::network::{Arrays, Network};
use crate::{NoRoot, kernels};

/// Operations of a step on a network.
pub trait Operations {
    /// Evaluates equations and Jacobian at `x`.
    ///
    /// # Errors
    /// If a plan cannot be run.
    fn evaluate(&self, source: &[f64], arrays: &mut Arrays) -> Result<(), NoRoot>;

    /// Factors the Jacobian.
    ///
    /// # Errors
    /// If a pivot is too small, or a plan cannot be run.
    fn refactor(&self, arrays: &mut Arrays) -> Result<(), NoRoot>;

    /// Solves for the correction.
    ///
    /// # Errors
    /// If a pivot is too small, or a plan cannot be run.
    fn solve(&self, arrays: &mut Arrays) -> Result<(), NoRoot>;
}

/// The functions as they are written.
#[derive(Clone, Copy)]
pub struct Functions<'n> {
    network: &'n Network,
}

impl<'n> Functions<'n> {
    /// Prepares for a network.
    pub fn new(network: &'n Network) -> Self {
        Self { network }
    }
}

impl Operations for Functions<'_> {
    fn evaluate(&self, source: &[f64], arrays: &mut Arrays) -> Result<(), NoRoot> {
        let Network {
            elements,
            to,
            factors,
            diagonal,
            ..
        } = self.network;
        let (row, node, weight) = (&elements.starts, &elements.indices, &elements.values);
        let (n, start) = (self.network.nodes(), &factors.starts);
        let Arrays { x, f, a } = arrays;
        kernels::evaluate(n, row, node, to, start, diagonal, weight, source, x, f, a);
        Ok(())
    }

    fn refactor(&self, arrays: &mut Arrays) -> Result<(), NoRoot> {
        let Network {
            factors,
            diagonal,
            updates,
            places: (first, place),
            ..
        } = self.network;
        let (start, col) = (&factors.starts, &factors.indices);
        let (parts, part, of) = (updates.of.len(), &updates.part, &updates.of);
        let a = &mut arrays.a;
        kernels::refactor(parts, start, col, diagonal, part, of, first, place, a)?;
        Ok(())
    }

    fn solve(&self, arrays: &mut Arrays) -> Result<(), NoRoot> {
        let Network {
            factors, diagonal, ..
        } = self.network;
        let (n, start, col) = (self.network.nodes(), &factors.starts, &factors.indices);
        kernels::solve(n, start, col, diagonal, &arrays.a, &mut arrays.f)?;
        Ok(())
    }
}

/// The plans of all kernels for a network.
pub struct Plans<'n> {
    /// Weights of the elements.
    pub weight: &'n [f64],
    /// Plan of the evaluation.
    pub evaluate: kernels::evaluate::Planned<'n>,
    /// Plan of the factorisation.
    pub refactor: kernels::refactor::Planned<'n>,
    /// Plan of both solves.
    pub solve: kernels::solve::Planned<'n>,
}

impl<'n> Plans<'n> {
    /// Plans all kernels for so many processors.
    ///
    /// # Errors
    /// If there are no processors, or too many.
    pub fn new(network: &'n Network, processors: usize) -> Result<Self, NoRoot> {
        Ok(Self {
            weight: &network.elements.values,
            evaluate: network.evaluate().processors(processors).build()?,
            refactor: network.refactor().processors(processors).build()?,
            solve: network.solve().processors(processors).build()?,
        })
    }
}

impl Operations for Plans<'_> {
    fn evaluate(&self, source: &[f64], arrays: &mut Arrays) -> Result<(), NoRoot> {
        let Arrays { x, f, a } = arrays;
        Ok(self.evaluate.run(self.weight, source, x, f, a)?)
    }

    fn refactor(&self, arrays: &mut Arrays) -> Result<(), NoRoot> {
        Ok(self.refactor.run(&mut arrays.a)??)
    }

    fn solve(&self, arrays: &mut Arrays) -> Result<(), NoRoot> {
        Ok(self.solve.run(&arrays.a, &mut arrays.f)??)
    }
}

/// Planners of the kernels.
impl Network {
    /// Begins to plan the evaluation.
    pub fn evaluate(&self) -> kernels::evaluate::Planner<'_> {
        let Network {
            elements,
            to,
            factors,
            diagonal,
            ..
        } = self;
        let (row, node, start) = (&elements.starts, &elements.indices, &factors.starts);
        kernels::evaluate::plan(self.nodes(), row, node, to, start, diagonal)
    }

    /// Begins to plan the factorisation.
    pub fn refactor(&self) -> kernels::refactor::Planner<'_> {
        let Network {
            factors,
            diagonal,
            updates,
            places: (first, place),
            ..
        } = self;
        let (start, col) = (&factors.starts, &factors.indices);
        let (parts, part, of) = (updates.of.len(), &updates.part, &updates.of);
        kernels::refactor::plan(parts, start, col, diagonal, part, of, first, place)
    }

    /// Begins to plan both solves.
    pub fn solve(&self) -> kernels::solve::Planner<'_> {
        let Network {
            factors, diagonal, ..
        } = self;
        kernels::solve::plan(self.nodes(), &factors.starts, &factors.indices, diagonal)
    }
}
