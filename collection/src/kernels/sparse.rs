//! Sparse linear algebra. Rows are compressed: those of row `i` are entries `row[i]..row[i + 1]`.

use superstep::kernel;

/// Multiplies a sparse matrix by a vector: `y = A x`.
#[kernel]
pub fn product(
    n: usize,
    #[structure] row: &[usize],
    #[structure] col: &[usize],
    values: &[f64],
    x: &[f64],
    y: &mut [f64],
) {
    for i in 0..n {
        let mut sum = 0.0;
        for e in row[i]..row[i + 1] {
            sum += values[e] * x[col[e]];
        }
        y[i] = sum;
    }
}

/// Solves a sparse lower triangle in place, whose diagonal is last in each row.
#[kernel]
pub fn substitution(
    n: usize,
    #[structure] row: &[usize],
    #[structure] col: &[usize],
    values: &[f64],
    x: &mut [f64],
) {
    for i in 0..n {
        for e in row[i]..row[i + 1] - 1 {
            x[i] -= values[e] * x[col[e]];
        }
        x[i] /= values[row[i + 1] - 1];
    }
}

/// Factors a sparse symmetric matrix into L D L', row by row (up-looking, as Davis's LDL).
///
/// Columns of the upper triangle of A are `a_col`, `a_row`. Row `k` of L has its columns in
/// `l_row[k]..l_row[k + 1]` of `l_col`, in the order in which they are eliminated. The places of
/// its words are in `place`. Column `i` of L is at `first[i]..first[i + 1]`, with rows `below`. `y`
/// has `n` zeros of scratch.
#[kernel]
pub fn ldl(
    n: usize,
    #[structure] a_col: &[usize],
    #[structure] a_row: &[usize],
    #[structure] l_row: &[usize],
    #[structure] l_col: &[usize],
    #[structure] place: &[usize],
    #[structure] first: &[usize],
    #[structure] below: &[usize],
    a: &[f64],
    l: &mut [f64],
    d: &mut [f64],
    y: &mut [f64],
) {
    for k in 0..n {
        for e in a_col[k]..a_col[k + 1] {
            y[a_row[e]] += a[e];
        }
        d[k] = y[k];
        y[k] = 0.0;
        for e in l_row[k]..l_row[k + 1] {
            let i = l_col[e];
            let word = y[i];
            y[i] = 0.0;
            for p in first[i]..place[e] {
                y[below[p]] -= l[p] * word;
            }
            l[place[e]] = word / d[i];
            d[k] -= l[place[e]] * word;
        }
    }
}

/// Ranks the `n` pages of a web whose links into page `i` come from the pages `from` (PageRank), in
/// `steps` steps; `share` is one over the links out of a page, and `next` scratch.
#[kernel]
pub fn pagerank(
    n: usize,
    steps: usize,
    #[structure] into: &[usize],
    #[structure] from: &[usize],
    share: &[f64],
    rank: &mut [f64],
    next: &mut [f64],
) {
    for _ in 0..steps {
        for i in 0..n {
            next[i] = 0.15 / n as f64;
            for e in into[i]..into[i + 1] {
                next[i] += 0.85 * rank[from[e]] * share[from[e]];
            }
        }
        for i in 0..n {
            rank[i] = next[i];
        }
    }
}
