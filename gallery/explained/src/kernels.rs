//! Kernels with one trouble each, and the same as one would write them who was told: modules
//! `before` and `after` have them under equal names.

/// As they are written first.
pub mod before {
    use superstep::kernel;

    /// Adds up `x`.
    #[kernel]
    pub fn total(n: usize, x: &[f64], sum: &mut f64) {
        for i in 0..n {
            *sum += x[i];
        }
    }

    /// Scales the rows of a matrix, column by column.
    #[kernel]
    pub fn scaled(n: usize, by: &[f64], a: &mut [f64]) {
        for j in 0..n {
            for i in 0..n {
                a[i * n + j] *= by[i];
            }
        }
    }

    /// Smooths three strips.
    #[kernel]
    pub fn strips(n: usize, x: &[f64], y: &mut [f64]) {
        #[grain]
        for strip in 0..3 {
            for i in 0..n {
                y[strip * n + i] = 0.5 * (x[strip * n + i] + x[strip * n + i + 1]);
            }
        }
    }

    /// Sets a few words, one after the other.
    #[kernel]
    pub fn few(n: usize, x: &mut [f64]) {
        for i in 1..n {
            x[i] += x[i - 1];
        }
    }

    /// Factors a matrix.
    #[kernel]
    pub fn lu(n: usize, a: &mut [f64]) {
        for k in 0..n {
            for i in k + 1..n {
                a[i * n + k] /= a[k * n + k];
                for j in k + 1..n {
                    a[i * n + j] -= a[i * n + k] * a[k * n + j];
                }
            }
        }
    }

    /// Adds up words that stand far apart.
    #[kernel]
    pub fn gathered(n: usize, #[structure] col: &[u32], x: &[f64], y: &mut [f64]) {
        for i in 0..n {
            y[i] += x[col[2 * i] as usize] * x[col[2 * i + 1] as usize];
        }
    }

    /// Filters two channels, the samples of which stand side by side.
    #[kernel]
    pub fn filtered(n: usize, a: f64, x: &mut [f64]) {
        for i in 1..n {
            for c in 0..2 {
                x[2 * i + c] += a * x[2 * i + c - 2];
            }
        }
    }

    /// Smooths in place.
    #[kernel]
    pub fn shifted(n: usize, x: &mut [f64]) {
        for i in 0..n {
            x[i] = 0.5 * (x[i + 1] + x[i + 2]);
        }
    }

    /// Smooths in place, again and again.
    #[kernel]
    pub fn swept(n: usize, steps: usize, x: &mut [f64]) {
        for _ in 0..steps {
            for i in 0..n {
                x[i] = 0.5 * (x[i + 1] + x[i + 2]);
            }
        }
    }

    /// Multiplies a sparse matrix by `x`.
    #[kernel]
    pub fn rows(
        n: usize,
        #[structure] row: &[usize],
        #[structure] col: &[u32],
        a: &[f64],
        x: &[f64],
        y: &mut [f64],
    ) {
        for i in 0..n {
            for e in row[i]..row[i + 1] {
                y[i] += a[e] * x[col[e] as usize];
            }
        }
    }
}

/// As they are written by those who were told.
pub mod after {
    use superstep::kernel;

    /// Adds up `x`, along a tree.
    #[kernel]
    pub fn total(n: usize, x: &[f64], sum: &mut f64) {
        #[reduce]
        for i in 0..n {
            *sum += x[i];
        }
    }

    /// Scales the rows of a matrix, row by row.
    #[kernel]
    pub fn scaled(n: usize, by: &[f64], a: &mut [f64]) {
        for i in 0..n {
            for j in 0..n {
                a[i * n + j] *= by[i];
            }
        }
    }

    /// Scales the rows of a matrix that is kept by columns, column by column.
    #[kernel]
    pub fn transposed(n: usize, by: &[f64], a: &mut [f64]) {
        for j in 0..n {
            for i in 0..n {
                a[j * n + i] *= by[i];
            }
        }
    }

    /// Smooths three strips.
    #[kernel]
    pub fn strips(n: usize, x: &[f64], y: &mut [f64]) {
        for strip in 0..3 {
            for i in 0..n {
                y[strip * n + i] = 0.5 * (x[strip * n + i] + x[strip * n + i + 1]);
            }
        }
    }

    /// Filters two channels, one after the other.
    #[kernel]
    pub fn filtered(n: usize, a: f64, x: &mut [f64]) {
        for i in 1..n {
            for c in 0..2 {
                x[c * n + i] += a * x[c * n + i - 1];
            }
        }
    }

    /// Smooths.
    #[kernel]
    pub fn shifted(n: usize, x: &[f64], y: &mut [f64]) {
        for i in 0..n {
            y[i] = 0.5 * (x[i + 1] + x[i + 2]);
        }
    }

    /// Multiplies a sparse matrix by `x`, whose rows are sorted by length: `order` says which is
    /// which.
    #[kernel]
    pub fn rows(
        n: usize,
        #[structure] order: &[u32],
        #[structure] row: &[usize],
        #[structure] col: &[u32],
        a: &[f64],
        x: &[f64],
        y: &mut [f64],
    ) {
        for k in 0..n {
            for e in row[k]..row[k + 1] {
                y[order[k] as usize] += a[e] * x[col[e] as usize];
            }
        }
    }
}

/// Rows of 1 to 9 entries beside the diagonal, in some order, and their columns.
pub fn rows(n: usize) -> (Vec<usize>, Vec<u32>) {
    let (mut row, mut col) = (vec![0], Vec::new());
    for i in 0..n {
        let length = 1 + mixed(i as u64) as usize % 9;
        col.extend((i as u32..).take(length));
        row.push(col.len());
    }
    (row, col)
}

/// Words of 200,003 in no order.
pub fn gathers(n: usize) -> Vec<u32> {
    let word = |e: u64| mixed(e) as u32 % 2_000_003;
    (0..2 * n as u64).map(word).collect()
}

/// Mixes the bits of a number (the finaliser of SplitMix64).
fn mixed(number: u64) -> u64 {
    let number = (number ^ number >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let number = (number ^ number >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    (number ^ number >> 31) >> 20
}

/// Numbers words by their first use.
pub fn renumbered(col: &[u32]) -> Vec<u32> {
    let mut numbers = std::collections::HashMap::new();
    let number = |word: &u32| {
        let next = numbers.len() as u32;
        *numbers.entry(*word).or_insert(next)
    };
    col.iter().map(number).collect()
}

/// Sorts rows by length; returns also which row each is.
pub fn sorted(row: &[usize], col: &[u32]) -> (Vec<usize>, Vec<u32>, Vec<u32>) {
    let mut order: Vec<u32> = (0..row.len() as u32 - 1).collect();
    let entries = |i: u32| row[i as usize]..row[i as usize + 1];
    order.sort_by_key(|&i| entries(i).len());
    let (mut sorted, mut columns) = (vec![0], Vec::new());
    for &i in &order {
        columns.extend_from_slice(&col[entries(i)]);
        sorted.push(columns.len());
    }
    (sorted, columns, order)
}
