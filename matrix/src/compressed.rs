//! Compressed rows or columns.

use std::ops::AddAssign;

/// Matrix in compressed rows (CSR), or in compressed columns (CSC). Its lines are rows there, and
/// columns here.
#[derive(Clone, Debug, PartialEq)]
pub struct Compressed<V> {
    /// Length of a line: the number of columns of a matrix in rows.
    pub across: usize,
    /// Position of the first entry of each line, and the number of entries.
    pub starts: Vec<usize>,
    /// Place of each entry in its line, from 0, ascending within a line.
    pub indices: Vec<usize>,
    /// Values of the entries.
    pub values: Vec<V>,
}

impl<V: Copy> Compressed<V> {
    /// Sorts entries into lines; `places` are line and place in the line.
    pub(crate) fn of(lines: usize, across: usize, entries: &[([u32; 2], V)]) -> Self {
        let of = |([line, index], value): ([u32; 2], V)| (line as usize, index as usize, value);
        Self::sorted(lines, across, || entries.iter().copied().map(of))
    }

    /// Sorts entries into lines, which keep their order.
    fn sorted<I: Iterator<Item = (usize, usize, V)>>(
        lines: usize,
        across: usize,
        entries: impl Fn() -> I,
    ) -> Self {
        let mut starts = vec![0; lines + 1];
        for (line, ..) in entries() {
            starts[line + 1] += 1;
        }
        for line in 0..lines {
            starts[line + 1] += starts[line];
        }
        let count = starts[lines];
        let mut next = starts.clone();
        let mut order = vec![0; count];
        let mut listed = Vec::with_capacity(count);
        for (position, (line, index, value)) in entries().enumerate() {
            order[next[line]] = position;
            next[line] += 1;
            listed.push((index, value));
        }
        Self {
            across,
            starts,
            indices: order.iter().map(|&at| listed[at].0).collect(),
            values: order.iter().map(|&at| listed[at].1).collect(),
        }
    }

    /// Builds a matrix from its lines: places, which ascend, and values of the entries of each.
    ///
    /// # Panics
    /// If the places of a line do not ascend, or one is not below `across`.
    ///
    /// ```
    /// use superstep_matrix::Compressed;
    ///
    /// let matrix = Compressed::from_lines(3, [vec![(0, 2.0)], vec![(0, -1.0), (2, 2.0)]]);
    /// assert_eq!(matrix.starts, [0, 1, 3]);
    /// assert_eq!(matrix.indices, [0, 0, 2]);
    /// ```
    pub fn from_lines(
        across: usize,
        lines: impl IntoIterator<Item = impl IntoIterator<Item = (usize, V)>>,
    ) -> Self {
        let mut matrix = Self {
            across,
            starts: vec![0],
            indices: Vec::new(),
            values: Vec::new(),
        };
        for line in lines {
            let start = matrix.indices.len();
            for (index, value) in line {
                matrix.indices.push(index);
                matrix.values.push(value);
            }
            let places = &matrix.indices[start..];
            assert!(places.is_sorted_by(|a, b| a < b), "places ascend");
            assert!(places.last().is_none_or(|&last| last < across), "in a line");
            matrix.starts.push(matrix.indices.len());
        }
        matrix
    }

    /// Returns the number of lines: of rows in a matrix in rows.
    pub fn lines(&self) -> usize {
        self.starts.len() - 1
    }

    /// Returns places and values of a line.
    ///
    /// # Panics
    /// If there is no such line.
    pub fn line(&self, line: usize) -> impl Iterator<Item = (usize, V)> + Clone {
        let entries = self.starts[line]..self.starts[line + 1];
        let indices = self.indices[entries.clone()].iter().copied();
        indices.zip(self.values[entries].iter().copied())
    }

    /// Returns the matrix in columns if it is in rows, and the other way round: the arrays of the
    /// transposed matrix.
    #[must_use]
    pub fn transposed(&self) -> Self {
        Self::sorted(self.across, self.lines(), || {
            let lines = 0..self.lines();
            lines.flat_map(|line| self.line(line).map(move |(at, value)| (at, line, value)))
        })
    }

    /// Returns the lower triangle of a matrix in rows: each line has the entries up to its
    /// diagonal, and ends with this. Where it lacks, it has the value `diagonal`.
    #[must_use]
    pub fn lower(&self, diagonal: V) -> Self {
        let lines = (0..self.lines()).map(|line| {
            let entries = self.line(line).take_while(move |&(at, _)| at <= line);
            let (below, at) = (entries.clone(), entries.last());
            let last = at.filter(|&(at, _)| at == line);
            let below = below.take_while(move |&(at, _)| at < line);
            below.chain([last.unwrap_or((line, diagonal))])
        });
        Self::from_lines(self.across.max(self.lines()), lines)
    }

    /// Returns the symmetric matrix of which this is the lower triangle, the diagonal last in each
    /// line.
    #[must_use]
    pub fn mirrored(&self) -> Self {
        let upper = self.transposed();
        let line = |line| self.line(line).chain(upper.line(line).skip(1));
        Self::from_lines(self.across, (0..self.lines()).map(line))
    }

    /// Returns the matrix with the entry `value` on the diagonal wherever it lacks.
    #[must_use]
    pub fn with_diagonal(&self, value: V) -> Self {
        let lines = (0..self.lines()).map(|line| {
            let before = self.line(line).take_while(move |&(at, _)| at < line);
            let rest = self.line(line).skip_while(move |&(at, _)| at < line);
            let lacks = rest.clone().next().is_none_or(|(at, _)| at != line);
            before.chain(lacks.then_some((line, value))).chain(rest)
        });
        Self::from_lines(self.across.max(self.lines()), lines)
    }

    /// Returns the position of the diagonal in each line; `None` if one lacks it.
    pub fn diagonal(&self) -> Option<Vec<usize>> {
        let position = |line: usize| {
            let start = self.starts[line];
            let found = self.indices[start..self.starts[line + 1]].binary_search(&line);
            found.ok().map(|at| start + at)
        };
        (0..self.lines()).map(position).collect()
    }

    /// Renumbers rows and columns of a square matrix: line `order[i]` becomes line `i`.
    ///
    /// # Panics
    /// If the matrix is not square, or `order` is no permutation of its lines.
    #[must_use]
    pub fn permuted(&self, order: &[usize]) -> Self {
        let lines = self.lines();
        assert!(lines == self.across && lines == order.len(), "square");
        let mut renumbered = vec![usize::MAX; lines];
        for (new, &old) in order.iter().enumerate() {
            assert!(renumbered[old] == usize::MAX, "line {old} comes twice");
            renumbered[old] = new;
        }
        let line = |&old: &usize| {
            let line = self.line(old);
            let mut line: Vec<(usize, V)> =
                line.map(|(at, value)| (renumbered[at], value)).collect();
            line.sort_unstable_by_key(|&(at, _)| at);
            line.into_iter()
        };
        Self::from_lines(self.across, order.iter().map(line))
    }

    /// Gives the entries other values: each is computed from line and place.
    #[must_use]
    pub fn valued<W>(self, mut value: impl FnMut(usize, usize) -> W) -> Compressed<W> {
        let mut values = Vec::with_capacity(self.indices.len());
        for line in 0..self.lines() {
            let entries = &self.indices[self.starts[line]..self.starts[line + 1]];
            values.extend(entries.iter().map(|&at| value(line, at)));
        }
        Compressed {
            across: self.across,
            starts: self.starts,
            indices: self.indices,
            values,
        }
    }
}

impl<V: Copy + AddAssign> Compressed<V> {
    /// Joins entries of one place, which stand side by side, to their sum or to the first of them.
    pub(crate) fn joined(mut self, adds: bool) -> Self {
        let (mut read, mut written) = (0, 0);
        for line in 0..self.lines() {
            let first = written;
            while read < self.starts[line + 1] {
                let (index, value) = (self.indices[read], self.values[read]);
                if written > first && self.indices[written - 1] == index {
                    if adds {
                        self.values[written - 1] += value;
                    }
                } else {
                    self.indices[written] = index;
                    self.values[written] = value;
                    written += 1;
                }
                read += 1;
            }
            self.starts[line] = first;
        }
        let lines = self.lines();
        self.starts[lines] = written;
        self.indices.truncate(written);
        self.values.truncate(written);
        self
    }
}
