//! Dynamic programming.

use superstep::kernel;

/// Aligns two sequences of `n` and `m` letters globally, with affine gaps (Gotoh). It gives the
/// best scores of prefixes that end in a match, in a gap in `b`, and in a gap in `a`.
#[kernel]
pub fn alignment(
    n: usize,
    m: usize,
    a: &[u8],
    b: &[u8],
    best: &mut [i32],
    gap_b: &mut [i32],
    gap_a: &mut [i32],
) {
    let width = m + 1;
    best[0] = 0;
    gap_b[0] = -1_000_000;
    gap_a[0] = -1_000_000;
    for i in 1..=n {
        best[i * width] = -10 - i as i32;
        gap_b[i * width] = best[i * width];
        gap_a[i * width] = -1_000_000;
    }
    for j in 1..=m {
        best[j] = -10 - j as i32;
        gap_a[j] = best[j];
        gap_b[j] = -1_000_000;
    }
    for i in 1..=n {
        for j in 1..=m {
            let at = i * width + j;
            gap_b[at] = (gap_b[at - width] - 1).max(best[at - width] - 11);
            gap_a[at] = (gap_a[at - 1] - 1).max(best[at - 1] - 11);
            let score = if a[i - 1] == b[j - 1] { 5 } else { -4 };
            best[at] = (best[at - width - 1] + score).max(gap_a[at]).max(gap_b[at]);
        }
    }
}

/// Aligns parts of two sequences (Smith and Waterman), and keeps the best score.
#[kernel]
pub fn smith_waterman(n: usize, m: usize, a: &[u8], b: &[u8], table: &mut [i16], best: &mut i16) {
    for i in 1..=n {
        for j in 1..=m {
            let at = i * (m + 1) + j;
            let diagonal = table[at - m - 2] + if a[i - 1] == b[j - 1] { 3 } else { -2 };
            table[at] = 0i16
                .max(diagonal)
                .max(table[at - 1] - 4)
                .max(table[at - m - 1] - 4);
            *best = (*best).max(table[at]);
        }
    }
}

/// The greatest value of things that fit into each room up to `room` (knapsack, each once).
#[kernel]
pub fn knapsack(room: usize, #[structure] weight: &[usize], value: &[u32], best: &mut [u32]) {
    for i in 0..weight.len() {
        for w in (weight[i]..=room).rev() {
            best[w] = best[w].max(best[w - weight[i]] + value[i]);
        }
    }
}

/// Parses `n` words by a grammar in normal form (Cocke, Younger and Kasami): `parses` is true where
/// the words `start..start + length` are a `symbol`. Rules are `[symbol, left, right]`.
#[kernel]
pub fn cyk(n: usize, symbols: usize, #[structure] rules: &[[usize; 3]], parses: &mut [bool]) {
    for length in 2..=n {
        for start in 0..=n - length {
            for split in 1..length {
                for r in 0..rules.len() {
                    let whole = (length * n + start) * symbols + rules[r][0];
                    let left = (split * n + start) * symbols + rules[r][1];
                    let right = ((length - split) * n + start + split) * symbols + rules[r][2];
                    parses[whole] |= parses[left] && parses[right];
                }
            }
        }
    }
}

/// The least multiplications for each product of a chain of `n` matrices, of `size[i]` rows and
/// `size[i + 1]` columns.
#[kernel]
pub fn chain(n: usize, size: &[u64], cost: &mut [u64]) {
    for i in 0..n {
        cost[i * n + i] = 0;
    }
    for length in 2..=n {
        for i in 0..=n - length {
            let j = i + length - 1;
            cost[i * n + j] = u64::MAX;
            for k in i..j {
                let both = cost[i * n + k] + cost[(k + 1) * n + j];
                cost[i * n + j] = cost[i * n + j].min(both + size[i] * size[k + 1] * size[j + 1]);
            }
        }
    }
}

/// The shortest tours through `n` cities (Held and Karp): `best[set * n + j]` is that of the ways
/// from city 0 through all of `set`, of which `j` is the last.
#[kernel]
pub fn held_karp(n: usize, distance: &[u32], best: &mut [u32]) {
    for j in 0..n {
        best[n + j] = if j == 0 { 0 } else { 1 << 30 };
    }
    for set in (3usize..1 << n).step_by(2) {
        for j in 1..n {
            if set >> j & 1 == 1 {
                let before = set ^ 1 << j;
                best[set * n + j] = 1 << 30;
                for i in 0..n {
                    if before >> i & 1 == 1 {
                        best[set * n + j] =
                            best[set * n + j].min(best[before * n + i] + distance[i * n + j]);
                    }
                }
            }
        }
        best[set * n] = 1 << 30;
    }
}

/// The distance of two signals whose times may be warped: `n` and `m` samples.
#[kernel]
pub fn warping(n: usize, m: usize, a: &[f32], b: &[f32], cost: &mut [f32]) {
    for i in 0..n {
        for j in 0..m {
            let way = if i == 0 && j == 0 {
                0.0
            } else if i == 0 {
                cost[j - 1]
            } else if j == 0 {
                cost[(i - 1) * m]
            } else {
                cost[(i - 1) * m + j]
                    .min(cost[i * m + j - 1])
                    .min(cost[(i - 1) * m + j - 1])
            };
            cost[i * m + j] = (a[i] - b[j]).abs() + way;
        }
    }
}

/// Prices an American put by a binomial tree of `n` steps: `price` holds the share's prices at the
/// end, and `value[0]` becomes that of the option.
#[kernel]
pub fn options(
    n: usize,
    strike: f64,
    up: f64,
    discount: f64,
    chance: f64,
    price: &mut [f64],
    value: &mut [f64],
) {
    for i in 0..=n {
        value[i] = (strike - price[i]).max(0.0);
    }
    for step in (0..n).rev() {
        for i in 0..=step {
            price[i] *= up;
            let held = discount * (chance * value[i + 1] + (1.0 - chance) * value[i]);
            value[i] = held.max(strike - price[i]);
        }
    }
}
