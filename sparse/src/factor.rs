//! Patterns of factors: orders of elimination, and the fill that they leave.

use std::ops::Range;

use superstep_matrix::Compressed;

/// Entries of factors that there is room for, if nobody says better: 2^24 take some 400 MB while
/// they are found.
pub const MOST_ENTRIES: usize = 1 << 24;

/// Updates of a factorisation that there is room for, if nobody says better: 2^28 take 1 GB as
/// [places](Updates::places), 4 bytes each. As [`Updates`] they take 8 bytes for each run.
pub const MOST_UPDATES: usize = 1 << 28;

/// Error of asking for factors that have too many entries or take too many updates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the factors have more than {most} {of}")]
pub struct TooLarge {
    /// The most that was allowed.
    pub most: usize,
    /// Name of the things that were counted: entries or updates.
    pub of: &'static str,
}

/// Orders the rows of a square matrix so that few entries fill in: row `order[i]` is to become row
/// `i`. The order is of approximate minimum degree on the pattern of `A + A'` (Amestoy, Davis and
/// Duff, 1996).
pub fn minimum_degree<V: Copy>(matrix: &Compressed<V>) -> Vec<usize> {
    // The crate takes for granted that the diagonal is there.
    let matrix = matrix.clone().valued(|_, _| ()).with_diagonal(());
    let signed = |values: &[usize]| -> Vec<i64> { values.iter().map(|&v| v as i64).collect() };
    let (starts, indices) = (signed(&matrix.starts), signed(&matrix.indices));
    let lines = matrix.lines();
    let ordered = amd::order(lines as i64, &starts, &indices, &amd::Control::default());
    match ordered {
        Ok((order, ..)) => order.into_iter().map(|line| line as usize).collect(),
        // It refuses only a matrix without rows.
        Err(_) => (0..lines).collect(),
    }
}

/// Returns the pattern of both triangular factors of a matrix whose pattern is taken as that of
/// `A + A'`. Pivots are on the diagonal: rows and columns are alike.
///
/// The pattern is found row by row, along the elimination tree (Liu, *The role of elimination trees
/// in sparse factorization*, 1990).
///
/// # Errors
/// If the factors have more than `most` entries.
pub fn filled<V: Copy>(matrix: &Compressed<V>, most: usize) -> Result<Compressed<()>, TooLarge> {
    const ROOT: usize = usize::MAX;
    let lines = matrix.lines();
    let transposed = matrix.transposed();
    let mut parent = vec![ROOT; lines];
    let mut seen = vec![ROOT; lines];
    let mut below: Vec<Vec<usize>> = Vec::with_capacity(lines);
    let mut entries = lines;
    for i in 0..lines {
        seen[i] = i;
        let mut row = Vec::new();
        let both = matrix.line(i).chain(transposed.line(i));
        for (start, _) in both.filter(|&(at, _)| at < i) {
            let mut at = start;
            while seen[at] != i {
                seen[at] = i;
                row.push(at);
                if parent[at] == ROOT {
                    parent[at] = i;
                }
                at = parent[at];
            }
        }
        entries += 2 * row.len();
        if entries > most {
            return Err(TooLarge {
                most,
                of: "entries",
            });
        }
        row.sort_unstable();
        row.push(i);
        below.push(row);
    }
    let unvalued = |row: Vec<usize>| row.into_iter().map(|at| (at, ()));
    Ok(Compressed::from_lines(lines, below.into_iter().map(unvalued)).mirrored())
}

/// Number of updates after which a part ends: they take 0.5 to 1 microseconds, and a wait 0.15.
///
/// Plans of LU for two processors were predicted to take these parts of the time in order:
///
/// | matrix | 64 | 1024 | 4096 | any number |
/// |---|---|---|---|---|
/// | rajat01 | 0.59 | 0.55 | 0.62 | 0.69 |
/// | pegase9241 | 0.55 | 0.53 | 0.63 | 0.65 |
/// | memplus | 0.62 | 0.65 | 0.75 | 1 |
/// | aug2dc | 0.67 | 0.61 | 0.64 | 0.97 |
///
/// 64 take up to three times as many iterations as there are columns, 1024 at most 1.2 times as
/// many.
const PART: usize = 1024;

/// Updates of a left-looking factorisation: each line, a column say, is updated by the lines before
/// it in which it has entries.
///
/// They are cut into parts of bounded work, one for most lines. Where a line takes many updates,
/// the first need not wait until the last line before it is done.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Updates {
    /// First entry of each part, and the number of entries.
    pub part: Vec<usize>,
    /// Line that each part belongs to.
    pub of: Vec<u32>,
    /// First run of each part.
    pub first: Vec<usize>,
    /// Runs of neighbouring entries that are updated by neighbours: position of the first, and
    /// their number. A run does not go on from one updating line to the next.
    pub run: Vec<[u32; 2]>,
}

impl Updates {
    /// Lists the updates of an LU factorisation. Entry `e` before the diagonal of its line, at
    /// place `k`, has all entries of line `k` behind its diagonal update its line. `lines` are
    /// those of [`filled`].
    ///
    /// # Errors
    /// If there are more than `most` updates, or more than 2^32 entries.
    ///
    /// # Panics
    /// If an update meets no entry: the pattern lacks fill, or a diagonal.
    ///
    /// ```
    /// use superstep_matrix::Compressed;
    /// use superstep_sparse::Updates;
    ///
    /// // Full: the second line has two updates, the third two of the first and one of the second.
    /// let full = Compressed::from_lines(3, vec![[(0, ()), (1, ()), (2, ())]; 3]);
    /// let updates = Updates::lu(&full, 1000)?;
    /// assert_eq!(updates.run, [[4, 2], [7, 2], [8, 1]]);
    /// assert_eq!(updates.first, [0, 0, 1]);
    /// assert_eq!(updates.places(), (vec![0, 0, 2], vec![4, 5, 7, 8, 8]));
    /// # Ok::<(), superstep_sparse::TooLarge>(())
    /// ```
    pub fn lu(lines: &Compressed<()>, most: usize) -> Result<Self, TooLarge> {
        let diagonal = lines.diagonal().expect(FILL);
        let mut list = List::new(lines, most);
        for (line, &middle) in diagonal.iter().enumerate() {
            let own = lines.starts[line]..lines.starts[line + 1];
            list.line(line, own.clone(), own, |entry| {
                let by = lines.indices[entry];
                (entry < middle).then(|| diagonal[by] + 1..lines.starts[by + 1])
            })?;
        }
        list.updates.part.push(lines.indices.len());
        Ok(list.updates)
    }

    /// Lists the updates of an L D L' factorisation. Entry `e` of a row of `L` stands before its
    /// diagonal, in column `k`. It has the entries of that column from there on update the column
    /// of the row's number. Parts are of `rows`.
    ///
    /// `columns` is `L`, the diagonal first in each column; `rows` is its transposed with the
    /// position in `columns` of each entry.
    ///
    /// # Errors
    /// If there are more than `most` updates, or more than 2^32 entries.
    ///
    /// # Panics
    /// If an update meets no entry: the pattern lacks fill, or a diagonal.
    pub fn ldl(
        columns: &Compressed<()>,
        rows: &Compressed<usize>,
        most: usize,
    ) -> Result<Self, TooLarge> {
        let mut list = List::new(columns, most);
        for line in 0..columns.lines() {
            let [entries, own] = [&rows.starts, &columns.starts].map(|s| s[line]..s[line + 1]);
            list.line(line, entries, own, |entry| {
                let by = rows.indices[entry];
                (by < line).then(|| rows.values[entry]..columns.starts[by + 1])
            })?;
        }
        list.updates.part.push(rows.indices.len());
        Ok(list.updates)
    }

    /// Returns the first update of each part and the position that each update changes, without
    /// runs.
    ///
    /// Where runs are short, a kernel is faster so. Of two entries on average it took half the time
    /// (`refactor` of the example `sparse_lu` on rajat01), of nine twice as long (aug2dc).
    pub fn places(&self) -> (Vec<usize>, Vec<u32>) {
        let mut first = Vec::with_capacity(self.first.len());
        let mut place = Vec::new();
        for (part, &from) in self.first.iter().enumerate() {
            first.push(place.len());
            let end = self
                .first
                .get(part + 1)
                .unwrap_or(&self.run.len())
                .to_owned();
            let runs = self.run[from..end].iter();
            place.extend(runs.flat_map(|&[to, length]| to..to + length));
        }
        (first, place)
    }
}

/// Updates as they are listed.
struct List<'p> {
    pattern: &'p Compressed<()>,
    most: usize,
    count: usize,
    updates: Updates,
}

impl<'p> List<'p> {
    fn new(pattern: &'p Compressed<()>, most: usize) -> Self {
        Self {
            pattern,
            most,
            count: 0,
            updates: Updates::default(),
        }
    }

    /// Adds the parts of a line: its entries, each with the range of entries by which it has `own`
    /// updated.
    fn line(
        &mut self,
        line: usize,
        entries: Range<usize>,
        own: Range<usize>,
        updating: impl Fn(usize) -> Option<Range<usize>>,
    ) -> Result<(), TooLarge> {
        let number = |at: usize| {
            let (most, of) = (u32::MAX as usize, "entries");
            u32::try_from(at).map_err(|_| TooLarge { most, of })
        };
        let (updates, indices) = (&mut self.updates, &self.pattern.indices);
        let mut begun = None;
        for entry in entries {
            if begun.is_none_or(|count| self.count - count >= PART) {
                begun = Some(self.count);
                updates.part.push(entry);
                updates.of.push(number(line)?);
                updates.first.push(updates.run.len());
            }
            let mut own = own.clone();
            let mut next = None;
            for by in updating(entry).into_iter().flatten() {
                let place = own.find(|&at| indices[at] == indices[by]).expect(FILL);
                match updates.run.last_mut() {
                    Some([_, length]) if next == Some(place) => *length += 1,
                    _ => updates.run.push([number(place)?, 1]),
                }
                next = Some(place + 1);
                self.count += 1;
            }
            if self.count > self.most {
                let (most, of) = (self.most, "updates");
                return Err(TooLarge { most, of });
            }
        }
        Ok(())
    }
}

/// Fault of a pattern that is not that of [`filled`].
const FILL: &str = "the pattern has all fill, and its diagonal";
