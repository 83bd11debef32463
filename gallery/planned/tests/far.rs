//! Indices far behind the others, as of padding: planning takes memory for the words that are used.

#[path = "../../../fuzz/spoil.rs"]
#[allow(dead_code)]
mod spoil;

use spoil::{Counting, peak};
use superstep::kernel;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[kernel(plan)]
pub(crate) fn solve(n: usize, #[structure] row: &[usize], #[structure] col: &[u32], x: &mut [f64]) {
    for i in 0..n {
        for e in row[i]..row[i + 1] {
            x[i] -= x[col[e] as usize];
        }
    }
}

/// Each iteration marks words of its own.
#[kernel(plan)]
pub(crate) fn mark(
    n: usize,
    #[structure] at: &[usize],
    #[scratch] marks: &mut [u32],
    x: &mut [u32],
) {
    for i in 0..n {
        marks[at[i]] = 1;
        marks[i] = 2;
        x[i] = marks[at[i]] + marks[i];
    }
}

/// Bytes that planning takes at most, for a few words.
const MOST: usize = 1 << 20;

#[test]
fn a_column_far_behind_the_others_takes_no_memory() {
    for column in [1_000_000, 400_000_000, u32::MAX - 1, u32::MAX] {
        let (plan, most) = peak(|| {
            let (row, col) = ([0, 0, 1], [column]);
            let plan = solve::plan(2, &row, &col).processors(2).build();
            plan.map(|plan| plan.report().to_string())
        });
        assert!(plan.is_ok(), "{plan:?}");
        assert!(most < MOST, "{most} bytes for column {column}");
    }
}

#[test]
fn scratch_far_behind_takes_no_memory() {
    for word in [1_000_000, 400_000_000, u32::MAX as usize - 1] {
        let (plan, most) = peak(|| mark::plan(2, &[7, word]).processors(2).build().map(drop));
        assert!(plan.is_ok(), "{plan:?}");
        assert!(most < MOST, "{most} bytes for word {word}");
    }
    let (plan, most) = peak(|| mark::plan(2, &[7, u32::MAX as usize]).build().map(drop));
    let text = "mark: no memory for tracking arrays of so many words: [4294967296]";
    assert_eq!(plan.unwrap_err().to_string(), text);
    assert!(most < MOST, "{most} bytes");
}

/// Each word that is used stands alone.
#[test]
fn words_that_stand_alone_take_memory_in_proportion() {
    let n = 20_000;
    let row: Vec<usize> = (0..=n).collect();
    for apart in [20, 63, 64, 200_000] {
        let col: Vec<u32> = (1..=n as u32).map(|i| i * apart).collect();
        let plan = || solve::plan(n, &row, &col).processors(2).build().map(drop);
        let (plan, most) = peak(plan);
        assert!(plan.is_ok(), "{plan:?}");
        // Reads of two words, and a write.
        let uses = 3 * n;
        let bound = 400 * uses + (1 << 20);
        assert!(most <= bound, "{most} bytes for {uses} uses, {apart} apart");
    }
}

/// Many words in blocks far apart, and the bits of the function.
#[test]
fn words_in_blocks_far_apart_have_the_bits_of_the_function() {
    let n = 5000;
    let (mut row, mut col) = (vec![0], Vec::<u32>::new());
    for i in 0..n as u32 {
        col.extend([
            i.saturating_sub(1),
            i.saturating_sub(70),
            30_000_000 + i % 900,
        ]);
        row.push(col.len());
    }
    let mut expected: Vec<f64> = (0..30_001_000)
        .map(|i| 1.0 + f64::from(i % 17) / 8.0)
        .collect();
    let mut x = expected.clone();
    solve(n, &row, &col, &mut expected);
    let (plan, most) = peak(|| solve::plan(n, &row, &col).exactly(3).build().unwrap());
    assert!(most < 8 * MOST, "{most} bytes");
    plan.run(&mut x).unwrap();
    assert!(
        x.iter()
            .zip(&expected)
            .all(|(a, b)| a.to_bits() == b.to_bits())
    );
}
