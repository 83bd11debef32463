//! Kernels whose grains are iterations of loops over ranges of every form, and words of nested arrays.

use superstep::kernel;

/// Mixes words by loops without loops inside, over ranges of every form.
#[kernel(plan)]
pub fn ranges(n: usize, steps: u8, #[structure] from: &[u32], x: &mut [u64]) {
    assert!(n > 0);
    for step in 0..=steps {
        for i in 0..n {
            x[i] = x[i].wrapping_mul(3) ^ x[from[i] as usize];
        }
        for i in (1..=n).rev() {
            x[i - 1] = x[i - 1].wrapping_add(x[from[i - 1] as usize] >> 1);
        }
        for i in (0..n).step_by(3) {
            x[i] ^= x[(i + step as usize) % n] << 1;
        }
        for i in (0..n).rev().step_by(2) {
            x[i] = x[i].wrapping_add(x[(i + 1) % n]);
        }
        for i in (0..n as i16).step_by(2).rev() {
            x[i as usize] ^= 0x5bd1 + i as u64;
        }
        for k in 250..=255_u8 {
            x[k as usize % n] = x[k as usize % n].wrapping_mul(5) ^ k as u64;
        }
    }
}

/// Rows and columns of a tile, any number: lengths may be constants of the module.
pub const SIDE: usize = 4;

/// Transforms tiles, each from another's rows, and sums their words: lengths are constants.
#[kernel(plan)]
pub fn tiles(
    n: usize,
    #[structure] from: &[u16],
    table: &[[f32; SIDE]; SIDE],
    x: &mut [[[f32; SIDE]; SIDE]],
    sums: &mut [f32; 2 * SIDE],
) {
    for b in 0..n {
        let mut t = [[0.0f32; SIDE]; SIDE];
        for i in 0..SIDE {
            for j in 0..SIDE {
                for k in 0..SIDE {
                    t[i][j] += table[j][k] * x[from[b] as usize][i][k];
                }
            }
        }
        for i in 0..SIDE {
            for j in 0..SIDE {
                x[b][j][i] = 0.25 * t[i][j];
            }
        }
    }
    for k in 0..2 * SIDE {
        for b in 0..n {
            sums[k] += x[b][k % SIDE][k / SIDE];
        }
    }
}

/// Folds words into two that stay the same in a loop. One of them may be a word that is folded, and
/// neighbouring rows have the other one in common. Rows without entries leave both alone.
#[kernel(plan)]
pub fn folds(
    #[structure] first: &[u32],
    #[structure] from: &[u32],
    #[values] a: &[u64],
    x: &mut [u64],
    y: &mut [u64],
) {
    for i in 0..first.len() - 1 {
        for e in first[i] as usize..first[i + 1] as usize {
            let at = from[e] as usize;
            x[i] = x[i].rotate_left(5).wrapping_add(a[e].wrapping_mul(x[at]));
            if at & 1 == 0 {
                x[i] ^= y[at / 4];
            }
            y[i / 4] = y[i / 4].wrapping_mul(3) ^ x[at] ^ y[at / 4];
        }
        x[i] = x[i].wrapping_add(1);
    }
}

/// Reads structure where nothing is tracked: as numbers, and as places in an array of the grain's
/// own.
#[kernel(plan)]
pub fn untracked(n: usize, #[structure] scale: &[u32], #[structure] at: &[u8], x: &mut [f64]) {
    for i in 0..n {
        let mut own = [0.5; 4];
        own[at[i] as usize] = 2.0;
        x[i] = x[i] * scale[i] as f64 + own[1];
    }
}

/// Chooses by structure where nothing is tracked: a place in an array of the grain's own, and a
/// number.
#[kernel(plan)]
pub fn chosen(n: usize, #[structure] flag: &[u8], x: &mut [f64]) {
    for i in 0..n {
        let mut own = [0.5; 2];
        own[if flag[i] == 1 { 1 } else { 0 }] = 2.0;
        x[i] = x[i] * f64::from(if flag[i] == 1 { 2_u8 } else { 4 }) + own[1];
    }
}

/// Runs statements now and then in loops whose conditions are structure's. One merges two rows, one
/// skips and ends, one has a name that is used behind it, and one is counted by nobody.
#[kernel(plan)]
pub fn merged(
    #[structure] first: &[u32],
    #[structure] key: &[u32],
    #[values] a: &[u64],
    x: &mut [u64],
    y: &mut [u64],
) {
    for i in 0..first.len() - 1 {
        let row = first[i] as usize;
        let end = first[i + 1] as usize;
        let other = first[i / 2 + 1] as usize;
        let mut at = first[i / 2] as usize;
        for e in row..end {
            while at < other && key[at] < key[e] {
                at += 1;
            }
            if at < other && key[at] == key[e] {
                x[e] = x[e].wrapping_add(a[at].wrapping_mul(x[at]));
                let turned = key[e] % 64;
                y[i] ^= x[e].rotate_left(turned);
            }
        }
        let mut seen = 0;
        for e in row..end {
            if key[e] % 3 < 1 {
                continue;
            }
            if key[e] > 40 {
                break;
            }
            seen += 1;
            y[i] = y[i].wrapping_mul(3) ^ (e as u64 + seen);
        }
        let mut last = row;
        for e in row..end {
            if key[e] & 1 == 0 {
                last = e;
                y[i] ^= a[e];
            }
        }
        y[i] = y[i].wrapping_add(last as u64 ^ y[i / 2]);
        let mut e = row;
        while e < end && key[e] < 20 {
            x[e] ^= y[i / 3];
            e += 1;
        }
    }
}

/// Updates rows of `m` columns by loops over columns, in which structure and values stay the same.
/// They do in whole and in part, behind a condition or a jump, in loops of loops, and beside a word
/// that stays, too. Without columns there need be nothing in `far` and `b`.
#[kernel(plan)]
pub fn columns(
    m: usize,
    #[structure] first: &[u32],
    #[structure] from: &[u32],
    #[structure] far: &[u32],
    #[values] a: &[u64],
    #[values] b: &[u64],
    x: &mut [u64],
    y: &mut [[u64; 3]],
) {
    for i in 0..first.len() - 1 {
        for e in first[i] as usize..first[i + 1] as usize {
            for k in 0..m {
                let place = far[e] as usize * m + k;
                x[i * m + k] = x[i * m + k]
                    .rotate_left(3)
                    .wrapping_add(b[e].wrapping_mul(x[place]))
                    ^ x[from[e] as usize * m + k].wrapping_sub(b[far[e] as usize]);
            }
            for k in (0..3).rev() {
                y[i][k] ^= y[from[e] as usize][k].wrapping_mul(a[e] ^ a[from[e] as usize + k]);
            }
            for k in 0..3 {
                for l in 0..3 {
                    y[i][k] = y[i][k].wrapping_add(a[3 * i + l] ^ y[from[e] as usize / 2][l]);
                }
            }
            for l in 0..3 {
                y[i][0] = y[i][0].wrapping_mul(5) ^ y[from[e] as usize][l].wrapping_add(a[e + l]);
            }
            for k in 0..m {
                if k > 0 && far[e] & 1 == 0 {
                    continue;
                }
                x[i * m + k] ^= b[e];
            }
            for k in 0..m {
                let own = far[e] as usize % (far[k] as usize + 1);
                x[i * m + k] = x[i * m + k].wrapping_sub(x[own] >> from[e]);
                if k & 1 == 0 {
                    x[i * m + k] ^= b[far[e] as usize];
                }
            }
        }
    }
}

/// Takes places out of packed structure, whose words are wider than what they are read for.
#[kernel(plan)]
pub fn packed(m: usize, #[structure] s: &[u64], x: &mut [u64], y: &[u64]) {
    for i in 0..s.len() {
        for k in 0..m {
            let turn: u32 = (1 << (s[i] % 4)) ^ k as u32;
            x[i * m + k] ^= y[(1 << (s[i] % 4)) + k].rotate_left(turn);
            x[i * m + k] ^= y[(s[i] >> (4 * k) & 15) as usize];
        }
    }
}
