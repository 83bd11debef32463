//! Operations of conjugate gradients, preconditioned by IC(0) of each block (block Jacobi), on all
//! blocks in one process. They are by the functions as written, without plans.

use std::sync::Arc;

use superstep::ranks::Ranges;
use superstep::reduce;
use superstep_example_ilu_cg::{Operations, SolveError, kernels};
use superstep_matrix::Compressed;

/// Matrix with the factors of its diagonal blocks: the oracle of as many ranks, bit for bit.
pub struct Blocks<'m> {
    a: &'m Compressed<f64>,
    ranges: Ranges,
    /// Lower triangle of each diagonal block, with the values of the matrix.
    lower: Vec<Compressed<f64>>,
    /// Values of the factor of each block, in the places of `lower`; before `factor`, the matrix's.
    l: Vec<Vec<f64>>,
    sums: reduce::Tree,
}

impl<'m> Blocks<'m> {
    /// Cuts a symmetric matrix into blocks of rows.
    ///
    /// # Panics
    /// If the ranges are for another number of rows.
    pub fn new(a: &'m Compressed<f64>, ranges: Ranges) -> Self {
        assert_eq!(a.lines(), ranges.words(), "each row is in one block");
        let lower = |block: usize| {
            let own = ranges.of(block);
            let line = |row: usize| -> Vec<(usize, f64)> {
                let entries = a.line(row).filter(|(column, _)| own.contains(column));
                entries
                    .map(|(column, value)| (column - own.start, value))
                    .collect()
            };
            Compressed::from_lines(own.len(), own.clone().map(line)).lower(0.0)
        };
        let lower: Vec<Compressed<f64>> = (0..ranges.ranks()).map(lower).collect();
        Self {
            a,
            l: lower.iter().map(|lower| lower.values.clone()).collect(),
            lower,
            sums: reduce::Tree::fixed(a.lines(), 1),
            ranges,
        }
    }
}

impl Operations for Blocks<'_> {
    fn factor(&mut self) -> Result<(), SolveError> {
        for (lower, l) in self.lower.iter().zip(&mut self.l) {
            l.copy_from_slice(&lower.values);
            kernels::factor(lower.lines(), &lower.starts, &lower.indices, l)?;
        }
        Ok(())
    }

    fn precondition(&self, r: &[f64], z: &mut [f64]) -> Result<(), SolveError> {
        for (block, (lower, l)) in self.lower.iter().zip(&self.l).enumerate() {
            let own = self.ranges.of(block);
            let (row, col) = (&lower.starts, &lower.indices);
            kernels::precondition(own.len(), row, col, l, &r[own.clone()], &mut z[own])?;
        }
        Ok(())
    }

    fn product(&self, p: &[f64], q: &mut [f64]) -> Result<(), SolveError> {
        let a = self.a;
        kernels::product(a.lines(), &a.starts, &a.indices, &a.values, p, q);
        Ok(())
    }

    fn dot(&self, x: &Arc<[f64]>, y: &Arc<[f64]>) -> Result<f64, SolveError> {
        Ok(reduce::dot(&self.sums, x, y)?.unwrap_or(0.0))
    }
}
