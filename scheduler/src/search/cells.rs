//! A table with figures of each row kept.

/// Rows of counts, with sums over the rows: of the largest entries, and of the root mean squares.
pub(crate) struct Cells {
    width: usize,
    cells: Vec<u64>,
    rows: Vec<Row>,
    sum: u64,
    roots: u64,
    rows_in_use: u32,
    /// Rows that have changed since they were settled.
    changed: Vec<u32>,
}

#[derive(Clone, Copy, Default)]
struct Row {
    /// As of the last [`settle`](Cells::settle), but never too small.
    largest: u64,
    /// The sum of the squares of the entries.
    squares: u128,
    /// Their root mean square, in parts of [`PARTS`], as of the last settling: whole numbers add up to the same in any order.
    root: u64,
    is_changed: bool,
    /// Whether the largest entry has become smaller.
    is_stale: bool,
}

/// Fractions of a root mean square that are told apart.
const PARTS: f64 = 16.0;

impl Cells {
    pub(crate) fn new(rows: usize, width: usize) -> Self {
        Self {
            width,
            cells: vec![0; rows * width],
            rows: vec![Row::default(); rows],
            sum: 0,
            roots: 0,
            rows_in_use: 0,
            changed: Vec::new(),
        }
    }

    #[inline]
    pub(crate) fn add(&mut self, row: u32, column: usize, count: u64) {
        let cell = &mut self.cells[row as usize * self.width + column];
        let before = *cell;
        *cell += count;
        let cell = *cell;
        self.change(row).squares += u128::from(before + cell) * u128::from(count);
        if cell > self.rows[row as usize].largest {
            self.set_largest(row, cell);
        }
    }

    #[inline]
    pub(crate) fn subtract(&mut self, row: u32, column: usize, count: u64) {
        let cell = &mut self.cells[row as usize * self.width + column];
        let before = *cell;
        *cell -= count;
        let cell = *cell;
        let row = self.change(row);
        row.squares -= u128::from(before + cell) * u128::from(count);
        row.is_stale |= before == row.largest && count > 0;
    }

    /// A row that changes.
    #[inline]
    fn change(&mut self, row: u32) -> &mut Row {
        let figures = &mut self.rows[row as usize];
        if !figures.is_changed {
            figures.is_changed = true;
            self.changed.push(row);
        }
        figures
    }

    /// Brings the figures up to date.
    #[inline]
    pub(crate) fn settle(&mut self) {
        while let Some(row) = self.changed.pop() {
            let at = row as usize * self.width;
            if self.rows[row as usize].is_stale {
                let largest = self.cells[at..at + self.width].iter().copied().max();
                self.set_largest(row, largest.unwrap_or(0));
            }
            let figures = &mut self.rows[row as usize];
            (figures.is_changed, figures.is_stale) = (false, false);
            let mean = figures.squares as f64 / self.width as f64;
            let root = (PARTS * mean.sqrt()) as u64;
            self.roots = self.roots - figures.root + root;
            figures.root = root;
        }
    }

    fn set_largest(&mut self, row: u32, largest: u64) {
        let before = std::mem::replace(&mut self.rows[row as usize].largest, largest);
        self.sum = self.sum - before + largest;
        self.rows_in_use = self.rows_in_use + u32::from(largest > 0) - u32::from(before > 0);
    }

    /// The first column with the largest entry of `row`.
    pub(crate) fn column_of_largest(&self, row: u32) -> usize {
        let at = row as usize * self.width;
        let cells = &self.cells[at..at + self.width];
        let figures = &self.rows[row as usize];
        let largest = if figures.is_stale {
            cells.iter().copied().max().unwrap_or(0)
        } else {
            figures.largest
        };
        let column = cells.iter().position(|&cell| cell == largest);
        column.expect("it is the largest of them")
    }

    /// The sum of the largest entries, when settled.
    pub(crate) fn sum(&self) -> u64 {
        self.sum
    }

    /// The sum of the root mean squares of the rows, when settled.
    pub(crate) fn roots(&self) -> f64 {
        self.roots as f64 / PARTS
    }

    /// Rows with an entry above 0, when settled.
    pub(crate) fn rows_in_use(&self) -> u32 {
        self.rows_in_use
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::random::Random;

    #[test]
    fn figures_are_those_of_all_entries() {
        let mut random = Random::new(1);
        let mut table = [[0_u64; 3]; 4];
        let mut cells = Cells::new(4, 3);
        for _ in 0..1000 {
            for _ in 0..3 {
                let (row, column) = (random.below(4), random.below(3));
                let entry = &mut table[row][column];
                let other = [0, 1, 7, 1 << 40][random.below(4)];
                if other > *entry {
                    cells.add(row as u32, column, other - *entry);
                } else {
                    cells.subtract(row as u32, column, *entry - other);
                }
                *entry = other;
            }
            cells.settle();
            let largest = table.map(|row| row.into_iter().max().unwrap_or(0));
            assert_eq!(cells.sum(), largest.iter().sum::<u64>());
            let in_use = largest.iter().filter(|&&largest| largest > 0).count();
            assert_eq!(cells.rows_in_use() as usize, in_use);
            let square = |entry: u64| entry as f64 * entry as f64;
            let roots = table.map(|row| (row.map(square).iter().sum::<f64>() / 3.0).sqrt());
            assert!((cells.roots() - roots.iter().sum::<f64>()).abs() <= 4.0 / PARTS);
        }
    }
}
