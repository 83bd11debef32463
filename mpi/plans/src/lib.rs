//! Kernels whose plans are made at run time, for the tests of ranks. They are those of the gallery,
//! whose files are included, and factorisations of sparse matrices.

use superstep::kernel;
use superstep::plan::{Costs, Schedule};
use superstep::ranks::{Communicator, Over};

/// Kernels with arrays of their own.
#[path = "../../../gallery/planned/src/common.rs"]
pub mod common;
/// Kernels over patterns.
#[path = "../../../gallery/planned/src/kernels.rs"]
pub mod kernels;

/// Factors a matrix in place into `L` and `U` on its own pattern: ILU(0). Columns of each row
/// ascend, and `diagonal[i]` is the place of row `i`'s diagonal.
#[kernel(plan)]
pub fn ilu0(
    n: usize,
    #[structure] row: &[usize],
    #[structure] col: &[u32],
    #[structure] diagonal: &[usize],
    a: &mut [f64],
) {
    for i in 0..n {
        for e in row[i]..diagonal[i] {
            let k = col[e] as usize;
            a[e] /= a[diagonal[k]];
            let mut at = e + 1;
            for f in diagonal[k] + 1..row[k + 1] {
                while at < row[i + 1] && col[at] < col[f] {
                    at += 1;
                }
                if at < row[i + 1] && col[at] == col[f] {
                    a[at] -= a[e] * a[f];
                }
            }
        }
    }
}

/// Factors a symmetric matrix, given by its lower triangle, in place into `L` on its own pattern:
/// IC(0). Each row ends with its diagonal.
#[kernel(plan)]
pub fn ic0(n: usize, #[structure] row: &[usize], #[structure] col: &[u32], a: &mut [f64]) {
    for i in 0..n {
        let last = row[i + 1] - 1;
        for e in row[i]..last {
            let end = row[col[e] as usize + 1] - 1;
            let mut sum = a[e];
            let mut at = row[i];
            for f in row[col[e] as usize]..end {
                while col[at] < col[f] {
                    at += 1;
                }
                if col[at] == col[f] {
                    sum -= a[at] * a[f];
                }
            }
            a[e] = sum / a[end];
        }
        let mut sum = a[last];
        for e in row[i]..last {
            sum -= a[e] * a[e];
        }
        a[last] = sum.abs().sqrt();
    }
}

/// Swaps each pair of neighbours in `x` through one of three words of scratch, which all iterations
/// share.
#[kernel(plan)]
pub fn swapped(n: usize, #[scratch] kept: &mut [f64], x: &mut [f64]) {
    for i in 0..n {
        kept[i % 3] = x[2 * i];
        x[2 * i] = x[2 * i + 1];
        x[2 * i + 1] = kept[i % 3];
    }
}

/// Error of a check: of planning, of a run, or of its bits.
pub type CheckError = Box<dyn std::error::Error + Send + Sync>;

/// Lower triangle of a grid's matrix, by rows with the diagonal last: starts of rows, columns, and
/// values.
pub fn grid(side: usize) -> (Vec<usize>, Vec<u32>, Vec<f64>) {
    let (mut row, mut col) = (vec![0], Vec::new());
    for i in 0..side * side {
        col.extend(i.checked_sub(side).map(|above| above as u32));
        col.extend((i % side > 0).then(|| i as u32 - 1));
        col.push(i as u32);
        row.push(col.len());
    }
    let value = |at: usize| 2.5 + ((at * 7919) % 97) as f64 / 300.0;
    let values = (0..col.len()).map(value).collect();
    (row, col, values)
}

/// Returns a word of an `n` x `n` matrix that LU can factor without pivots: its diagonal dominates.
pub fn dominant(n: usize, word: usize) -> f64 {
    let is_diagonal = word.is_multiple_of(n + 1);
    (word % 13) as f64 + if is_diagonal { 13.0 * n as f64 } else { 0.0 }
}

/// Solves by a grid's triangle and factors a matrix, over ranks (collective): inputs on rank 0, and
/// in parts.
///
/// # Errors
/// If a plan or a run fails, or bits are others than those of the functions.
pub fn check(ranks: &mut dyn Communicator) -> Result<(), CheckError> {
    let (row, col, values) = grid(20);
    let n = row.len() - 1;
    let start = |i: usize| 1.0 + (i % 17) as f64;
    let mut expected: Vec<f64> = (0..n).map(start).collect();
    kernels::forward(n, &row, &col, &values, &mut expected);
    let planner = kernels::forward::plan(n, &row, &col).schedule(Schedule::Levels);
    let plan = planner.build_over(ranks)?;
    let (mut own, mut x) = (Vec::new(), Vec::new());
    if ranks.rank() == 0 {
        (own, x) = (values.clone(), (0..n).map(start).collect());
    }
    plan.run_over(Over::new(ranks), &own, &mut x)?;
    if ranks.rank() == 0 && bits(&x) != bits(&expected) {
        return Err("forward: other bits".into());
    }
    let mut part = plan.part(ranks)?;
    part.fill_values(|entry| values[entry]);
    part.fill_x(start);
    part.run(ranks)?;
    compare("forward", part.results_x(), &expected, ranks)?;
    let n = 60;
    let mut expected: Vec<f64> = (0..n * n).map(|word| dominant(n, word)).collect();
    kernels::lu(n, &mut expected);
    let planner = kernels::lu::plan(n).costs(fine());
    let plan = planner.schedule(Schedule::Owners(8)).build_over(ranks)?;
    let mut part = plan.part(ranks)?;
    part.fill_a(|word| dominant(n, word));
    part.run(ranks)?;
    compare("lu", part.results_a(), &expected, ranks)
}

/// Costs by which each iteration is a grain.
pub fn fine() -> Costs {
    Costs {
        least: 1.0,
        wait: 1.0,
        ..Costs::default()
    }
}

fn bits(words: &[f64]) -> Vec<u64> {
    words.iter().map(|word| word.to_bits()).collect()
}

/// Compares the results of a part with those of the function. Rank 0 has some.
fn compare(
    kernel: &str,
    results: impl Iterator<Item = (usize, f64)>,
    expected: &[f64],
    ranks: &dyn Communicator,
) -> Result<(), CheckError> {
    let mut own = 0;
    for (index, word) in results {
        own += 1;
        if word.to_bits() != expected[index].to_bits() {
            return Err(format!("{kernel}: other bits of a part, word {index}").into());
        }
    }
    if own == 0 && ranks.rank() == 0 {
        return Err(format!("{kernel}: a part without results").into());
    }
    Ok(())
}
