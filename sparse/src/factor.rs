//! Patterns of factors: orders of elimination, and the fill that they leave.

use superstep_matrix::Compressed;

/// Error of asking for factors that have too many entries or take too many updates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the factors have more than {most} {of}")]
pub struct TooLarge {
    /// The most that was allowed.
    pub most: usize,
    /// Name of the things that were counted: entries or updates.
    pub of: &'static str,
}

/// Orders the rows of a square matrix so that few entries fill in: approximate minimum degree on
/// the pattern of `A + A'` (Amestoy, Davis and Duff, 1996).
pub fn minimum_degree<V: Copy>(matrix: &Compressed<V>) -> Vec<usize> {
    // The crate takes for granted that the diagonal is there.
    let matrix = matrix.clone().valued(|_, _| ()).with_diagonal(());
    let signed = |values: &[usize]| -> Vec<i64> { values.iter().map(|&v| v as i64).collect() };
    let (starts, indices) = (signed(&matrix.starts), signed(&matrix.indices));
    let lines = matrix.lines();
    let ordered = amd::order(lines as i64, &starts, &indices, &amd::Control::default());
    match ordered {
        Ok((order, ..)) => order.into_iter().map(|line| line as usize).collect(),
        // It refuses the matrix without rows alone.
        Err(_) => (0..lines).collect(),
    }
}

/// Returns the pattern of both triangular factors of a matrix whose pattern is taken as that of
/// `A + A'`, pivots on the diagonal: rows and columns are alike.
///
/// Row by row, along the elimination tree (Liu, *The role of elimination trees in sparse
/// factorization*, 1990).
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

/// Returns which entry each update of a left-looking factorisation changes, and the first update
/// of each column, for columns with the pattern of [`filled`].
///
/// # Errors
/// If there are more than `most` updates.
pub(crate) fn updates(
    columns: &Compressed<()>,
    diagonal: &[usize],
    most: usize,
) -> Result<(Vec<usize>, Vec<u32>), TooLarge> {
    let mut first = vec![0];
    let mut place = Vec::new();
    for j in 0..columns.lines() {
        let entries = columns.starts[j]..columns.starts[j + 1];
        for e in columns.starts[j]..diagonal[j] {
            let k = columns.indices[e];
            let mut own = entries.clone();
            for f in diagonal[k] + 1..columns.starts[k + 1] {
                let row = columns.indices[f];
                place.extend(
                    own.find(|&at| columns.indices[at] == row)
                        .map(|at| at as u32),
                );
            }
        }
        if place.len() > most {
            return Err(TooLarge {
                most,
                of: "updates",
            });
        }
        first.push(place.len());
    }
    Ok((first, place))
}
