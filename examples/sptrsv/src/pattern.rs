//! The sparsity pattern: the crate and its build script both compile this file.

/// Rows and columns of the lower factor of the five-point Laplacian on a `side` x `side` grid,
/// without fill.
///
/// The unknown at (i, j) follows its neighbours at (i - 1, j) and (i, j - 1). Returns the row
/// starts (one more than there are rows) and the column of each entry, ascending in each row, the
/// diagonal last.
pub fn lower_laplacian(side: usize) -> (Vec<usize>, Vec<usize>) {
    let mut row = vec![0];
    let mut col = Vec::new();
    for unknown in 0..side * side {
        let (i, j) = (unknown / side, unknown % side);
        if i > 0 {
            col.push(unknown - side);
        }
        if j > 0 {
            col.push(unknown - 1);
        }
        col.push(unknown);
        row.push(col.len());
    }
    (row, col)
}
