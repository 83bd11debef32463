//! Table of counts: rows are supersteps, columns processors.
//!
//! BSP costs ask for the largest entry of each row, summed over the rows. It is kept with each row:
//! a larger entry takes its place at once. Where the largest becomes smaller, the row is looked
//! through when the sum is next asked for.

/// Cells: rows of counts, with sums over the rows: of the largest entries, and of the root mean
/// squares.
pub(super) struct Cells {
    width: usize,
    cells: Vec<u64>,
    sums: Vec<Sums>,
    /// Sum of the largest entries, when settled.
    pub(super) sum: u64,
    roots: u64,
    /// Number of rows with an entry above 0, when settled.
    pub(super) rows_in_use: u32,
    /// Rows that have changed since they were settled.
    changed: Vec<u32>,
}

/// Sums of a row.
#[derive(Clone, Copy, Default)]
struct Sums {
    /// Largest entry as of the last [`settle`](Cells::settle), but never too small.
    largest: u64,
    /// Sum of the squares of the entries.
    squares: u128,
    /// Root mean square of the entries, in parts of [`PARTS`], as of the last settling: whole
    /// numbers add up to the same in any order.
    root: u64,
    is_changed: bool,
    /// Set if the largest entry has become smaller.
    is_stale: bool,
}

/// Fractions of a root mean square that are told apart.
const PARTS: f64 = 16.0;

impl Cells {
    pub(super) fn new(rows: usize, width: usize) -> Self {
        Self {
            width,
            cells: vec![0; rows * width],
            sums: vec![Sums::default(); rows],
            sum: 0,
            roots: 0,
            rows_in_use: 0,
            changed: Vec::new(),
        }
    }

    #[inline]
    pub(super) fn add(&mut self, row: u32, column: usize, count: u64) {
        let cell = &mut self.cells[row as usize * self.width + column];
        let before = *cell;
        *cell += count;
        let cell = *cell;
        self.change(row).squares += u128::from(before + cell) * u128::from(count);
        if cell > self.sums[row as usize].largest {
            self.set_largest(row, cell);
        }
    }

    #[inline]
    pub(super) fn subtract(&mut self, row: u32, column: usize, count: u64) {
        let cell = &mut self.cells[row as usize * self.width + column];
        let before = *cell;
        *cell -= count;
        let cell = *cell;
        let sums = self.change(row);
        sums.squares -= u128::from(before + cell) * u128::from(count);
        sums.is_stale |= before == sums.largest && count > 0;
    }

    /// Returns the sums of a row to change, and notes that it has changed.
    #[inline]
    fn change(&mut self, row: u32) -> &mut Sums {
        let sums = &mut self.sums[row as usize];
        if !sums.is_changed {
            sums.is_changed = true;
            self.changed.push(row);
        }
        sums
    }

    /// Brings the sums up to date.
    #[inline]
    pub(super) fn settle(&mut self) {
        while let Some(row) = self.changed.pop() {
            let at = row as usize * self.width;
            if self.sums[row as usize].is_stale {
                let largest = self.cells[at..at + self.width].iter().copied().max();
                self.set_largest(row, largest.unwrap_or(0));
            }
            let root = self.root(self.sums[row as usize].squares);
            let sums = &mut self.sums[row as usize];
            (sums.is_changed, sums.is_stale) = (false, false);
            self.roots = self.roots - sums.root + root;
            sums.root = root;
        }
    }

    /// Returns the root mean square of a row with that sum of squares, in parts.
    #[inline]
    fn root(&self, squares: u128) -> u64 {
        // Most fit into half as many bits, whose conversion is an instruction.
        let squares =
            u64::try_from(squares).map_or_else(|_| squares as f64, |squares| squares as f64);
        (PARTS * (squares / self.width as f64).sqrt()) as u64
    }

    /// Returns the rises of both sums, of the largest entries and of the root mean squares, if
    /// `count` went from one entry to another. An entry is a row and a column. Settles the table.
    pub(super) fn rise_if_moved(
        &mut self,
        count: u64,
        from: (u32, usize),
        to: (u32, usize),
    ) -> (f64, f64) {
        self.settle();
        if from.0 == to.0 {
            return self.rise_of_row(from.0, count, Some(from.1), Some(to.1));
        }
        let (less, more) = (
            self.rise_of_row(from.0, count, Some(from.1), None),
            self.rise_of_row(to.0, count, None, Some(to.1)),
        );
        (less.0 + more.0, less.1 + more.1)
    }

    /// Returns the rises by one row, which loses `count` in one column and gains it in another.
    fn rise_of_row(
        &self,
        row: u32,
        count: u64,
        loses: Option<usize>,
        gains: Option<usize>,
    ) -> (f64, f64) {
        let at = row as usize * self.width;
        let cells = &self.cells[at..at + self.width];
        let before = &self.sums[row as usize];
        let (mut largest, mut squares) = (before.largest, before.squares);
        if let Some(column) = loses {
            let cell = cells[column];
            squares -= u128::from(2 * cell - count) * u128::from(count);
            if cell == largest && count > 0 {
                let others = cells
                    .iter()
                    .enumerate()
                    .filter(|&(other, _)| other != column);
                largest = others.fold(cell - count, |most, (_, &cell)| most.max(cell));
            }
        }
        if let Some(column) = gains {
            let cell = cells[column] - if loses == gains { count } else { 0 };
            squares += u128::from(2 * cell + count) * u128::from(count);
            largest = largest.max(cell + count);
        }
        let roots = self.root(squares) as f64 - before.root as f64;
        (largest as f64 - before.largest as f64, roots / PARTS)
    }

    /// Returns the largest entry of a row, or more if that has become smaller since the table was
    /// settled.
    pub(super) fn largest(&self, row: u32) -> u64 {
        self.sums[row as usize].largest
    }

    fn set_largest(&mut self, row: u32, largest: u64) {
        let before = std::mem::replace(&mut self.sums[row as usize].largest, largest);
        self.sum = self.sum - before + largest;
        self.rows_in_use = self.rows_in_use + u32::from(largest > 0) - u32::from(before > 0);
    }

    /// Returns the first column with the largest entry of `row`.
    pub(super) fn column_of_largest(&self, row: u32) -> usize {
        let at = row as usize * self.width;
        let cells = &self.cells[at..at + self.width];
        let sums = &self.sums[row as usize];
        let largest = if sums.is_stale {
            cells.iter().copied().max().unwrap_or(0)
        } else {
            sums.largest
        };
        let column = cells.iter().position(|&cell| cell == largest);
        column.expect("it is the largest of them")
    }

    /// Returns the sum of the root mean squares of the rows, when settled.
    pub(super) fn roots(&self) -> f64 {
        self.roots as f64 / PARTS
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use superstep_random::SplitMix64;

    #[test]
    fn sums_are_those_of_all_entries() {
        let mut random = SplitMix64::new(1);
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
            assert_eq!(cells.sum, largest.iter().sum::<u64>());
            let in_use = largest.iter().filter(|&&largest| largest > 0).count();
            assert_eq!(cells.rows_in_use as usize, in_use);
            let square = |entry: u64| entry as f64 * entry as f64;
            let roots = table.map(|row| (row.map(square).iter().sum::<f64>() / 3.0).sqrt());
            assert!((cells.roots() - roots.iter().sum::<f64>()).abs() <= 4.0 / PARTS);
            let [from, to] = [(); 2].map(|()| (random.below(4), random.below(3)));
            let count = random.below(9).min(table[from.0][from.1] as usize) as u64;
            let before = (cells.sum as f64, cells.roots());
            let [from, to] = [from, to].map(|(row, column)| (row as u32, column));
            let rise = cells.rise_if_moved(count, from, to);
            cells.subtract(from.0, from.1, count);
            cells.add(to.0, to.1, count);
            cells.settle();
            let after = (cells.sum as f64, cells.roots());
            assert_eq!(rise, (after.0 - before.0, after.1 - before.1));
            table[from.0 as usize][from.1] -= count;
            table[to.0 as usize][to.1] += count;
        }
    }
}
