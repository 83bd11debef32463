//! The pattern of a sparse triangle.

/// Rows of 1 to 21 random columns, the last of them the diagonal: offsets and columns.
pub fn random_triangle(n: usize) -> (Vec<usize>, Vec<usize>) {
    let mut state = 1_u64;
    let mut random = |below: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    let (mut row, mut col) = (vec![0], Vec::new());
    for i in 0..n {
        let mut columns: Vec<usize> = match i {
            0 => Vec::new(),
            _ => (0..random(21)).map(|_| random(i)).collect(),
        };
        columns.sort_unstable();
        columns.dedup();
        col.extend(columns);
        col.push(i);
        row.push(col.len());
    }
    (row, col)
}
