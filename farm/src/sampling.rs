//! Choice of the items to run first: one, drawn at random, in each cell of nested strata.

use std::ops::Range;

use rand_pcg::{Pcg64, rand_core::Rng};

use crate::{
    Invalid,
    error::{check, check_items},
    shape,
};

/// Stratified random sample of the items of a shape.
///
/// The shape is cut into cells, each of consecutive indices along each axis, and one random item of
/// each cell is drawn (jittered strata). A refinement halves every cell across its longest side and
/// draws an item of each half that has none. So the items that were run keep their results. The
/// sample is one that could have been drawn at the finer strata to begin with.
///
/// The number of items is a power of two. The same shape, budget and seed give the same items.
///
/// ```
/// use superstep_farm::Sampling;
///
/// let mut sampling = Sampling::new(&[100, 80], 9, 1)?;
/// assert_eq!((sampling.items().len(), sampling.cells()), (8, &[4, 2][..]));
/// let first = sampling.items().to_vec();
/// assert!(sampling.refine());
/// assert_eq!((sampling.items().len(), sampling.cells()), (16, &[4, 4][..]));
/// assert_eq!(sampling.items()[..8], first);
/// # Ok::<(), superstep_farm::Invalid>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Sampling {
    shape: Vec<usize>,
    cells: Vec<usize>,
    seed: u64,
    items: Vec<usize>,
    /// Part of an item that is measured.
    part: f64,
}

impl Sampling {
    /// Draws a sample of at most `budget` items.
    ///
    /// # Errors
    ///
    /// [`Invalid`] if the shape has no items or more than 2^28, or the budget is 0.
    pub fn new(shape: &[usize], budget: usize, seed: u64) -> Result<Self, Invalid> {
        shape::items(shape)?;
        check("budget", budget as f64, budget > 0, "at least one item")?;
        let whole: Vec<Range<usize>> = shape.iter().map(|&length| 0..length).collect();
        let mut sampling = Self {
            shape: shape.to_vec(),
            cells: vec![1; shape.len()],
            seed,
            items: vec![draw(shape, &whole, &mut random(seed, 0))],
            part: 1.0,
        };
        while sampling.items.len() * 2 <= budget && sampling.refine() {}
        Ok(sampling)
    }

    /// Takes a sample that was drawn before, in any order. The seed is for refinements.
    ///
    /// # Errors
    ///
    /// [`Invalid`] if an item is not of the shape, or the items are not one in each cell.
    pub fn from_items(shape: &[usize], items: Vec<usize>, seed: u64) -> Result<Self, Invalid> {
        let count = shape::items(shape)?;
        check_items(&items, count)?;
        let mut cells = vec![1; shape.len()];
        while cells.iter().product::<usize>() < items.len() {
            match longest(shape, &cells) {
                Some(axis) => cells[axis] *= 2,
                None => break,
            }
        }
        let sampling = Self {
            shape: shape.to_vec(),
            cells,
            seed,
            items,
            part: 1.0,
        };
        sampling.check_strata()?;
        Ok(sampling)
    }

    fn check_strata(&self) -> Result<(), Invalid> {
        let mut found = vec![0; self.cells.iter().product()];
        for &item in &self.items {
            found[shape::item(&self.cells, self.cell(item))] += 1;
        }
        let Some(cell) = found.iter().position(|&found| found != 1) else {
            return Ok(());
        };
        let ranges = self.ranges(&shape::indices(&self.cells, cell));
        Err(Invalid::Stratum {
            samples: self.items.len(),
            found: found[cell],
            first: ranges.iter().map(|range| range.start).collect(),
            last: ranges.iter().map(|range| range.end - 1).collect(),
        })
    }

    /// Draws as many items again, one in each half of a cell that has none. Returns whether there
    /// are any: `false` where cells are too short to be halved.
    pub fn refine(&mut self) -> bool {
        let Some(axis) = longest(&self.shape, &self.cells) else {
            return false;
        };
        self.cells[axis] *= 2;
        let mut random = random(self.seed, self.items.len());
        for position in 0..self.items.len() {
            let mut cell = self.cell(self.items[position]);
            cell[axis] ^= 1;
            let drawn = draw(&self.shape, &self.ranges(&cell), &mut random);
            self.items.push(drawn);
        }
        true
    }

    /// Sets the part of each item that is measured, above 0 and at most 1. For a block of eight, of
    /// which two are run, it is a quarter. Of a block that is measured whole nothing is uncertain.
    pub(crate) fn of_parts(self, part: f64) -> Self {
        Self { part, ..self }
    }

    pub(crate) fn part(&self) -> f64 {
        self.part
    }

    /// Returns the items, in the order in which they were drawn.
    #[must_use]
    pub fn items(&self) -> &[usize] {
        &self.items
    }

    /// Returns the number of items along each axis.
    #[must_use]
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// Returns the number of cells along each axis.
    #[must_use]
    pub fn cells(&self) -> &[usize] {
        &self.cells
    }

    /// Returns the cell of an item, by its index along each axis.
    pub(crate) fn cell(&self, item: usize) -> Vec<usize> {
        let mut cell = shape::indices(&self.shape, item);
        for (at, (&length, &cells)) in cell.iter_mut().zip(self.shape.iter().zip(&self.cells)) {
            *at = ((*at + 1) * cells - 1) / length;
        }
        cell
    }

    /// Returns the indices of a cell's items along each axis.
    pub(crate) fn ranges(&self, cell: &[usize]) -> Vec<Range<usize>> {
        let sides = self.shape.iter().zip(&self.cells);
        let range = |(&at, (length, cells)): (&usize, (&usize, &usize))| {
            at * length / cells..(at + 1) * length / cells
        };
        cell.iter().zip(sides).map(range).collect()
    }
}

/// Returns the axis along which cells have the longest sides, if these can be halved.
fn longest(shape: &[usize], cells: &[usize]) -> Option<usize> {
    let side = |axis: usize| shape[axis] as f64 / cells[axis] as f64;
    let axes = (0..shape.len()).rev();
    let axis = axes.max_by(|&a, &b| side(a).total_cmp(&side(b)))?;
    (side(axis) >= 2.0).then_some(axis)
}

/// Returns the random numbers of one refinement, a stream of its own.
fn random(seed: u64, items: usize) -> Pcg64 {
    Pcg64::new(seed.into(), items as u128)
}

/// Draws one item of a cell.
fn draw(shape: &[usize], ranges: &[Range<usize>], random: &mut Pcg64) -> usize {
    let indices = ranges.iter().map(|range| {
        let product = u128::from(random.next_u64()) * range.len() as u128;
        range.start + (product >> 64) as usize
    });
    shape::item(shape, indices)
}
