//! Operations of an iteration: by the functions, and by their plans.

use crate::kkt::Kkt;
use crate::{NoMinimum, kernels};

/// Operations on the matrix of the optimality conditions.
pub trait Operations {
    /// Factors the matrix in place.
    ///
    /// # Errors
    /// If a pivot has the wrong sign, or a plan cannot be run.
    fn refactor(&self, a: &mut [f64]) -> Result<(), NoMinimum>;

    /// Solves in place of the right-hand side.
    ///
    /// # Errors
    /// If a pivot is zero, or a plan cannot be run.
    fn solve(&self, a: &[f64], x: &mut [f64]) -> Result<(), NoMinimum>;
}

/// The functions as they are written.
#[derive(Clone, Copy)]
pub struct Functions<'k> {
    kkt: &'k Kkt,
}

impl<'k> Functions<'k> {
    /// Prepares for a matrix.
    pub fn new(kkt: &'k Kkt) -> Self {
        Self { kkt }
    }
}

impl Operations for Functions<'_> {
    fn refactor(&self, a: &mut [f64]) -> Result<(), NoMinimum> {
        let Kkt {
            columns,
            rows,
            updates,
            sign,
            ..
        } = self.kkt;
        let (column, row, col, at) = (&columns.starts, &rows.starts, &rows.indices, &rows.values);
        let (parts, part, of) = (updates.of.len(), &updates.part, &updates.of);
        let (first, run) = (&updates.first, &updates.run);
        kernels::refactor(parts, column, row, col, at, part, of, first, run, sign, a)?;
        Ok(())
    }

    fn solve(&self, a: &[f64], x: &mut [f64]) -> Result<(), NoMinimum> {
        let Kkt { columns, rows, .. } = self.kkt;
        let (column, below) = (&columns.starts, &columns.indices);
        let (row, col, at) = (&rows.starts, &rows.indices, &rows.values);
        kernels::solve(columns.lines(), column, row, col, at, below, a, x)?;
        Ok(())
    }
}

/// The plans of both kernels for the pattern of a matrix.
pub struct Plans<'k> {
    /// Sign of each pivot.
    pub sign: &'k [f64],
    /// Plan of the factorisation.
    pub refactor: kernels::refactor::Planned<'k>,
    /// Plan of the solves.
    pub solve: kernels::solve::Planned<'k>,
}

impl<'k> Plans<'k> {
    /// Plans both kernels for so many processors.
    ///
    /// # Errors
    /// If there are no processors, or too many.
    pub fn new(kkt: &'k Kkt, processors: usize) -> Result<Self, NoMinimum> {
        Ok(Self {
            sign: &kkt.sign,
            refactor: kkt.refactor().processors(processors).build()?,
            solve: kkt.solve().processors(processors).build()?,
        })
    }
}

impl Operations for Plans<'_> {
    fn refactor(&self, a: &mut [f64]) -> Result<(), NoMinimum> {
        Ok(self.refactor.run(self.sign, a)??)
    }

    fn solve(&self, a: &[f64], x: &mut [f64]) -> Result<(), NoMinimum> {
        Ok(self.solve.run(a, x)??)
    }
}

/// Planners of the kernels.
impl Kkt {
    /// Begins to plan the factorisation.
    pub fn refactor(&self) -> kernels::refactor::Planner<'_> {
        let Self {
            columns,
            rows,
            updates,
            ..
        } = self;
        let (column, row, col, at) = (&columns.starts, &rows.starts, &rows.indices, &rows.values);
        let (parts, part, of) = (updates.of.len(), &updates.part, &updates.of);
        let (first, run) = (&updates.first, &updates.run);
        kernels::refactor::plan(parts, column, row, col, at, part, of, first, run)
    }

    /// Begins to plan the solves.
    pub fn solve(&self) -> kernels::solve::Planner<'_> {
        let Self { columns, rows, .. } = self;
        let (column, below) = (&columns.starts, &columns.indices);
        let (row, col, at) = (&rows.starts, &rows.indices, &rows.values);
        kernels::solve::plan(columns.lines(), column, row, col, at, below)
    }
}
