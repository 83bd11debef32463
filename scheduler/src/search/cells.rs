//! A table with the largest entry of each row kept.

/// Rows of counts; the largest of each row, and the sum of those.
pub(crate) struct Cells {
    width: usize,
    cells: Vec<u64>,
    /// The largest of each row, as of the last [`settle`](Self::settle), but never too small.
    largest: Vec<u64>,
    sum: u64,
    rows_in_use: u32,
    /// Rows whose largest entry has become smaller.
    stale: Vec<u32>,
    is_stale: Vec<bool>,
}

impl Cells {
    pub(crate) fn new(rows: usize, width: usize) -> Self {
        Self {
            width,
            cells: vec![0; rows * width],
            largest: vec![0; rows],
            sum: 0,
            rows_in_use: 0,
            stale: Vec::new(),
            is_stale: vec![false; rows],
        }
    }

    #[inline]
    pub(crate) fn add(&mut self, row: u32, column: usize, count: u64) {
        let cell = &mut self.cells[row as usize * self.width + column];
        *cell += count;
        let cell = *cell;
        if cell > self.largest[row as usize] {
            self.set_largest(row, cell);
        }
    }

    #[inline]
    pub(crate) fn subtract(&mut self, row: u32, column: usize, count: u64) {
        let cell = &mut self.cells[row as usize * self.width + column];
        let was_largest = *cell == self.largest[row as usize];
        *cell -= count;
        if was_largest && count > 0 && !self.is_stale[row as usize] {
            self.is_stale[row as usize] = true;
            self.stale.push(row);
        }
    }

    /// Brings the figures up to date.
    #[inline]
    pub(crate) fn settle(&mut self) {
        while let Some(row) = self.stale.pop() {
            self.is_stale[row as usize] = false;
            let at = row as usize * self.width;
            let largest = self.cells[at..at + self.width].iter().copied().max();
            self.set_largest(row, largest.unwrap_or(0));
        }
    }

    fn set_largest(&mut self, row: u32, largest: u64) {
        let before = std::mem::replace(&mut self.largest[row as usize], largest);
        self.sum = self.sum - before + largest;
        self.rows_in_use = self.rows_in_use + u32::from(largest > 0) - u32::from(before > 0);
    }

    /// The first column with the largest entry of `row`.
    pub(crate) fn column_of_largest(&self, row: u32) -> usize {
        let at = row as usize * self.width;
        let cells = &self.cells[at..at + self.width];
        let largest = if self.is_stale[row as usize] {
            cells.iter().copied().max().unwrap_or(0)
        } else {
            self.largest[row as usize]
        };
        let column = cells.iter().position(|&cell| cell == largest);
        column.expect("it is the largest of them")
    }

    /// The sum of the largest entries, when settled.
    pub(crate) fn sum(&self) -> u64 {
        self.sum
    }

    /// Rows with an entry above 0, when settled.
    pub(crate) fn rows_in_use(&self) -> u32 {
        self.rows_in_use
    }
}
