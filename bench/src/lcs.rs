//! Contest of the longest common subsequence: generated programs beside slices and rayon.

use rayon::prelude::*;
use superstep_example_lcs::{kernels, sequence};

use crate::contest::{Contest, Standing, prepared};

/// Runs the contest for two sequences of `n` symbols.
pub(crate) fn contest(n: usize, rounds: usize, busy: bool) -> Standing {
    let (a, b) = (&sequence(n, 1)[..], &sequence(n, 2)[..]);
    let table = vec![0; (n + 1) * (n + 1)];
    let with = kernels::lcs::with;
    let exactly = [1, 2].map(|processors| with().exactly(processors));
    let at_most = [2, 4].map(|most| with().processors(most));
    let plan = kernels::lcs::plan(n, n).exactly(2).build();
    Contest::new("lcs", n, &table)
        .written(|length| kernels::lcs(n, n, a, b, length))
        .slices(|length| slices(a, b, length))
        .programs(exactly, at_most, |program, length| {
            program.run(n, n, a, b, length)
        })
        .planned(|length| prepared(&plan).run(a, b, length))
        .rayon("blocks of 125", |length| rayon_blocks(125, a, b, length))
        .rayon("blocks of 250", |length| rayon_blocks(250, a, b, length))
        .run(rounds, busy)
}

/// Fills part of one row of the table below `above`, which starts one column earlier; `left` is the
/// word before it.
fn row(symbol: u8, b: &[u8], above: &[u32], mut left: u32, here: &mut [u32]) {
    for ((here, above), other) in here.iter_mut().zip(above.windows(2)).zip(b) {
        left = if symbol == *other {
            above[0] + 1
        } else {
            above[1].max(left)
        };
        *here = left;
    }
}

/// Fills the table row by row.
fn slices(a: &[u8], b: &[u8], length: &mut [u32]) {
    let width = b.len() + 1;
    length[..width].fill(0);
    for (i, &symbol) in a.iter().enumerate() {
        let (above, here) = length[i * width..(i + 2) * width].split_at_mut(width);
        here[0] = 0;
        row(symbol, b, above, 0, &mut here[1..]);
    }
}

/// Block of the table: its part of each row, the symbols of its rows (`a`), and those of its
/// columns (`b`).
struct Block<'a> {
    rows: Vec<&'a mut [u32]>,
    a: &'a [u8],
    b: &'a [u8],
}

impl Block<'_> {
    /// Fills the block. `above` (one column more to the left) and `left` hold its neighbours'
    /// edges, and then its own.
    fn fill(&mut self, above: &mut [u32], left: &mut [u32]) {
        for ((here, &symbol), left) in self.rows.iter_mut().zip(self.a).zip(left) {
            row(symbol, self.b, above, *left, here);
            above[0] = *left;
            above[1..].copy_from_slice(here);
            *left = here[here.len() - 1];
        }
    }
}

/// Runs a wavefront of square blocks of `side` words.
fn rayon_blocks(side: usize, a: &[u8], b: &[u8], length: &mut [u32]) {
    let width = b.len() + 1;
    let (first, rest) = length.split_at_mut(width);
    first.fill(0);
    let (down, across) = (a.len().div_ceil(side), b.len().div_ceil(side));
    let mut diagonals: Vec<Vec<Block<'_>>> = (0..down + across - 1).map(|_| Vec::new()).collect();
    for (i, (rows, a)) in rest
        .chunks_mut(side * width)
        .zip(a.chunks(side))
        .enumerate()
    {
        let mut blocks: Vec<Block<'_>> = b
            .chunks(side)
            .map(|b| Block {
                rows: Vec::with_capacity(side),
                a,
                b,
            })
            .collect();
        for row in rows.chunks_exact_mut(width) {
            row[0] = 0;
            for (block, part) in blocks.iter_mut().zip(row[1..].chunks_mut(side)) {
                block.rows.push(part);
            }
        }
        for (j, block) in blocks.into_iter().enumerate() {
            diagonals[i + j].push(block);
        }
    }
    let mut above: Vec<Vec<u32>> = b.chunks(side).map(|b| vec![0; b.len() + 1]).collect();
    let mut left: Vec<Vec<u32>> = a.chunks(side).map(|a| vec![0; a.len()]).collect();
    for (d, diagonal) in diagonals.iter_mut().enumerate() {
        let top = d.saturating_sub(across - 1);
        let right = (d - top) + 1;
        let edges = above[right - diagonal.len()..right]
            .par_iter_mut()
            .rev()
            .zip(&mut left[top..]);
        diagonal
            .par_iter_mut()
            .zip(edges)
            .for_each(|(block, (above, left))| block.fill(above, left));
    }
}
