//! Sparsity patterns, graphs and permutations: the crate and its build script both compile this
//! file.

/// Starts a stream of numbers that look random, each below the bound that it is asked with. Equal
/// seeds give equal numbers, so that tests meet the structures of the build.
fn below(seed: u64) -> impl FnMut(usize) -> usize {
    let mut state = seed;
    move |bound| {
        // Knuth's linear congruential generator; its high bits are the good ones.
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % bound
    }
}

/// Row starts and ascending columns of `rows` rows with 0 to `most` entries each.
pub fn rows(rows: usize, columns: usize, most: usize, seed: u64) -> (Vec<usize>, Vec<usize>) {
    let mut below = below(seed);
    let (mut row, mut col) = (vec![0], Vec::new());
    for _ in 0..rows {
        let mut entries: Vec<usize> = (0..below(most + 1)).map(|_| below(columns)).collect();
        entries.sort_unstable();
        entries.dedup();
        col.extend(entries);
        row.push(col.len());
    }
    (row, col)
}

/// Row starts and ascending columns of a square matrix: up to `most` random entries in each row,
/// beside the diagonal and its neighbours.
pub fn square_rows(rows: usize, most: usize, seed: u64) -> (Vec<usize>, Vec<usize>) {
    let mut below = below(seed);
    let (mut row, mut col) = (vec![0], Vec::new());
    for i in 0..rows {
        let mut entries: Vec<usize> = (0..most).map(|_| below(rows)).collect();
        entries.extend([i.saturating_sub(1), i, (i + 1).min(rows - 1)]);
        entries.sort_unstable();
        entries.dedup();
        col.extend(entries);
        row.push(col.len());
    }
    (row, col)
}

/// Row starts and columns of a lower triangle: up to `most` entries left of the diagonal, which
/// comes last in each row.
pub fn lower_triangle(rows: usize, most: usize, seed: u64) -> (Vec<usize>, Vec<usize>) {
    let mut below = below(seed);
    let (mut row, mut col) = (vec![0], Vec::new());
    for i in 0..rows {
        let mut entries: Vec<usize> = (0..most.min(i)).map(|_| below(i)).collect();
        entries.sort_unstable();
        entries.dedup();
        col.extend(entries);
        col.push(i);
        row.push(col.len());
    }
    (row, col)
}

/// Numbers below `n`, each once, shuffled.
pub fn permutation(n: usize, seed: u64) -> Vec<usize> {
    let mut below = below(seed);
    let mut numbers: Vec<usize> = (0..n).collect();
    for i in (1..n).rev() {
        numbers.swap(i, below(i + 1));
    }
    numbers
}

/// Ends of `count` random edges between `nodes` nodes.
pub fn edges(nodes: usize, count: usize, seed: u64) -> (Vec<u32>, Vec<u32>) {
    let mut below = below(seed);
    (0..count)
        .map(|_| (below(nodes) as u32, below(nodes) as u32))
        .unzip()
}

/// Kind (0 to 2), left and right input wire of `gates` gates that follow `inputs` input wires.
pub fn circuit(inputs: usize, gates: usize, seed: u64) -> (Vec<u8>, Vec<usize>, Vec<usize>) {
    let mut below = below(seed);
    let kind = (0..gates).map(|_| below(3) as u8).collect();
    let left = (0..gates).map(|g| below(inputs + g)).collect();
    let right = (0..gates).map(|g| below(inputs + g)).collect();
    (kind, left, right)
}

/// The four neighbours of each cell of a `height` x `width` grid, -1 where there is none.
pub fn neighbours(height: i64, width: i64) -> Vec<i64> {
    let mut neighbours = Vec::new();
    for i in 0..height {
        for j in 0..width {
            for (i, j) in [(i - 1, j), (i, j - 1), (i, j + 1), (i + 1, j)] {
                let inside = (0..height).contains(&i) && (0..width).contains(&j);
                neighbours.push(if inside { i * width + j } else { -1 });
            }
        }
    }
    neighbours
}

/// The parent of each node of a tree: an earlier node, and for the root itself.
pub fn tree(nodes: usize, seed: u64) -> Vec<i32> {
    let mut below = below(seed);
    (0..nodes).map(|node| below(node.max(1)) as i32).collect()
}
