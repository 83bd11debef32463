//! Operations of the method on a rank's block of rows.

use std::cell::RefCell;
use std::sync::Arc;

use superstep::ranks::{Communicator, Distributed, Ranges};
use superstep_example_ilu_cg::{Operations, SolveError, kernels};
use superstep_matrix::Compressed;

use crate::{Halo, failed};

/// Block of rows that a rank has, with its plans.
///
/// All operations are collective. A rank that fails ends all.
pub struct Block<'r> {
    ranks: RefCell<&'r mut dyn Communicator>,
    ranges: Arc<Ranges>,
    halo: Halo,
    /// Own unknowns, and those of others behind them.
    unknowns: RefCell<Vec<f64>>,
    /// Values of the lower triangle among own unknowns, and of its factor.
    lower: Vec<f64>,
    l: Vec<f64>,
    factor: kernels::factor::Planned<'static>,
    precondition: kernels::precondition::Loaded<'static>,
    product: kernels::product::Loaded<'static>,
    threads: usize,
}

impl<'r> Block<'r> {
    /// Plans the operations on a rank's rows, whose columns are those of the whole matrix, for so
    /// many threads (collective).
    ///
    /// # Errors
    /// If there are no threads, or too many, or a rank or the engine fails.
    pub fn new(
        ranks: &'r mut dyn Communicator,
        rows: &Compressed<f64>,
        threads: usize,
    ) -> Result<Self, SolveError> {
        let ranges = Ranges::gathered(ranks, rows.lines()).map_err(failed)?;
        let halo = Halo::new(ranks, &ranges, rows).map_err(failed)?;
        let n = rows.lines();
        let lower = inner(rows, &ranges, ranks.rank()).lower(0.0);
        let (row, col) = (Arc::new(lower.starts), Arc::new(lower.indices));
        let factor = kernels::factor::plan_owned(n, Arc::clone(&row), Arc::clone(&col));
        let precondition = kernels::precondition::plan_owned(n, row, col);
        // The order of a row's entries stays, so its sum has the bits of the whole matrix.
        let places = rows.indices.iter().map(|&column| halo.place(column));
        let places: Vec<usize> = places.collect();
        let product = kernels::product::plan_owned(n, rows.starts.clone(), places);
        Ok(Self {
            factor: factor.processors(threads).build()?,
            precondition: precondition
                .processors(threads)
                .build()?
                .load(&lower.values)?,
            product: product.processors(threads).build()?.load(&rows.values)?,
            ranks: RefCell::new(ranks),
            ranges: Arc::new(ranges),
            unknowns: RefCell::default(),
            halo,
            l: lower.values.clone(),
            lower: lower.values,
            threads,
        })
    }

    /// Returns the halo.
    pub fn halo(&self) -> &Halo {
        &self.halo
    }
}

/// Returns the part of a rank's rows among its own unknowns.
fn inner(rows: &Compressed<f64>, ranges: &Ranges, rank: usize) -> Compressed<f64> {
    let own = ranges.of(rank);
    let line = |row: usize| -> Vec<(usize, f64)> {
        let entries = rows.line(row).filter(|(column, _)| own.contains(column));
        entries
            .map(|(column, value)| (column - own.start, value))
            .collect()
    };
    Compressed::from_lines(own.len(), (0..own.len()).map(line))
}

impl Operations for Block<'_> {
    fn factor(&mut self) -> Result<(), SolveError> {
        self.l.copy_from_slice(&self.lower);
        self.factor.run(&mut self.l)??;
        Ok(self.precondition.update(&self.l)?)
    }

    fn precondition(&self, r: &[f64], z: &mut [f64]) -> Result<(), SolveError> {
        Ok(self.precondition.run(r, z)??)
    }

    fn product(&self, p: &[f64], q: &mut [f64]) -> Result<(), SolveError> {
        let (ranks, unknowns) = (
            &mut **self.ranks.borrow_mut(),
            &mut *self.unknowns.borrow_mut(),
        );
        unknowns.clear();
        unknowns.extend_from_slice(p);
        self.halo.exchange(ranks, unknowns).map_err(failed)?;
        Ok(self.product.run(unknowns, q)?)
    }

    fn dot(&self, x: &Arc<[f64]>, y: &Arc<[f64]>) -> Result<f64, SolveError> {
        let ranks = &mut **self.ranks.borrow_mut();
        let of = |own: &Arc<[f64]>| {
            let all = Distributed::with_ranges(ranks, Arc::clone(&self.ranges), Arc::clone(own));
            all.map(|all| all.threads(self.threads)).map_err(failed)
        };
        let (x, y) = (of(x)?, of(y)?);
        let dot = x.dot(&y, ranks).map_err(failed)?;
        Ok(dot.unwrap_or(0.0))
    }
}
