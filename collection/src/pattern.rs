//! Patterns of sparse matrices, graphs and codes: what is control, in the build script and in
//! calls.

use std::collections::BTreeSet;

/// Numbers that look random, and are the same in every run.
#[derive(Debug)]
pub struct Random(u64);

impl Random {
    /// Starts a sequence.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Draws a number that is less than `bound`.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }

    /// Draws up to `most` different numbers that are less than `bound`, in ascending order.
    fn some_below(&mut self, most: usize, bound: usize) -> BTreeSet<usize> {
        (0..self.below(most + 1))
            .map(|_| self.below(bound))
            .collect()
    }
}

/// Compressed rows: offsets, and the columns of all rows.
pub type Rows = (Vec<usize>, Vec<usize>);

/// Compresses rows.
fn compressed(rows: impl IntoIterator<Item = impl IntoIterator<Item = usize>>) -> Rows {
    let (mut offsets, mut columns) = (vec![0], Vec::new());
    for row in rows {
        columns.extend(row);
        offsets.push(columns.len());
    }
    (offsets, columns)
}

/// `n` rows of up to 20 random columns.
pub fn rows(n: usize) -> Rows {
    let mut random = Random::new(2);
    compressed((0..n).map(|_| random.some_below(20, n)))
}

/// A lower triangle: `n` rows of up to 20 random columns and the diagonal.
pub fn triangle(n: usize) -> Rows {
    let mut random = Random::new(1);
    compressed((0..n).map(|i| {
        let left = random.some_below(if i > 0 { 20 } else { 0 }, i.max(1));
        left.into_iter().chain([i])
    }))
}

/// A web of `n` pages: the pages that link to each, few to most and many to some.
pub fn web(n: usize) -> Rows {
    let mut random = Random::new(3);
    compressed((0..n).map(|i| random.some_below(if i % 16 == 0 { 100 } else { 10 }, n)))
}

/// A random graph of `n` nodes with five edges from each: their ends.
pub fn edges(n: usize) -> (Vec<u32>, Vec<u32>) {
    let mut random = Random::new(4);
    (0..5 * n)
        .map(|e| ((e % n) as u32, random.below(n) as u32))
        .unzip()
}

/// A code of `n` bits, an even number, and half as many checks, with three for each bit: offsets of
/// the checks, and their bits.
pub fn parity(n: usize) -> Rows {
    let mut random = Random::new(5);
    let mut checks = vec![Vec::new(); n / 2];
    for round in 0..3 {
        let mut bits: Vec<usize> = (0..n).collect();
        for i in (1..n).rev().filter(|_| round > 0) {
            bits.swap(i, random.below(i + 1));
        }
        for (at, bit) in bits.into_iter().enumerate() {
            checks[at / 2].push(bit);
        }
    }
    compressed(checks)
}

/// A grammar in normal form: `count` rules over `symbols` symbols.
pub fn grammar(symbols: usize, count: usize) -> Vec<[usize; 3]> {
    let mut random = Random::new(6);
    (0..count)
        .map(|_| [0; 3].map(|_| random.below(symbols)))
        .collect()
}

/// The weights of `n` things.
pub fn weights(n: usize) -> Vec<usize> {
    let mut random = Random::new(7);
    (0..n).map(|_| 1 + random.below(30)).collect()
}

/// The bits that `n` gates are for.
pub fn targets(n: usize, bits: usize) -> Vec<usize> {
    let mut random = Random::new(8);
    (0..n).map(|_| random.below(bits)).collect()
}

/// A symmetric matrix and its factor L, as the kernel `ldl` takes them.
#[derive(Debug)]
pub struct Factor {
    /// Offsets of the columns of the upper triangle.
    pub a_col: Vec<usize>,
    /// Rows of its words.
    pub a_row: Vec<usize>,
    /// Offsets of the rows of L.
    pub l_row: Vec<usize>,
    /// Columns of its words.
    pub l_col: Vec<usize>,
    /// Places of these words in its columns.
    pub place: Vec<usize>,
    /// Offsets of the columns of L.
    pub first: Vec<usize>,
    /// Rows of its words.
    pub below: Vec<usize>,
}

impl Factor {
    /// The Laplacian of a grid of `side` x `side` points, and its factor.
    pub fn of_grid(side: usize) -> Self {
        let n = side * side;
        let (a_col, a_row) = compressed((0..n).map(|k| {
            let above = (k >= side).then(|| k - side);
            let left = (k % side > 0).then(|| k - 1);
            [above, left, Some(k)].into_iter().flatten()
        }));
        // A row of L has what the row of A has, and the parents of all that in the elimination
        // tree.
        let mut parent = vec![n; n];
        let mut rows = Vec::with_capacity(n);
        for k in 0..n {
            let mut row = BTreeSet::new();
            for &start in &a_row[a_col[k]..a_col[k + 1]] {
                let mut i = start;
                while i < k && row.insert(i) {
                    if parent[i] == n {
                        parent[i] = k;
                    }
                    i = parent[i];
                }
            }
            rows.push(row);
        }
        let mut columns = vec![Vec::new(); n];
        for (k, row) in rows.iter().enumerate() {
            for &i in row {
                columns[i].push(k);
            }
        }
        let (first, below) = compressed(columns);
        let mut next = first.clone();
        let (l_row, l_col) = compressed(rows);
        let place = l_col.iter().map(|&i| {
            next[i] += 1;
            next[i] - 1
        });
        Self {
            place: place.collect(),
            a_col,
            a_row,
            l_row,
            l_col,
            first,
            below,
        }
    }
}
