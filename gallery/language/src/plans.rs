//! Kernels with programs of the build, and plans of calls beside them.

use steps::kernel;

/// Products of a matrix's rows with a vector, whose iterations take microseconds.
#[kernel]
pub fn rows(n: usize, a: &[f64], x: &[f64], y: &mut [f64]) {
    for i in 0..n {
        let mut sum = 0.0;
        for j in 0..n {
            sum += a[i * n + j] * x[j];
        }
        y[i] = check(sum);
    }
}

/// Sums of words at given places, for slices of a given length.
#[kernel]
pub fn gathered(#[structure] first: &[u32], #[structure] places: &[u32], x: &[f64], y: &mut [f64]) {
    for i in 0..y.len() {
        let mut sum = 0.0;
        for at in first[i] as usize..first[i + 1] as usize {
            sum += check(x[places[at] as usize]);
        }
        y[i] = sum;
    }
}

/// Returns the number, if it is one.
fn check(x: f64) -> f64 {
    assert!(!x.is_nan(), "not a number");
    x
}

/// Sizes for which [`rows`](fn@rows) has programs: one for each test that counts calls, which remember how
/// long those of other tests took.
pub const SIZES: [usize; 3] = [240, 241, 242];

/// Rows that [`gathered`](fn@gathered) has a program for.
pub const ROWS: usize = 300;

/// A pattern of [`ROWS`] rows with many entries each: where they begin, and their places.
pub fn pattern() -> (Vec<u32>, Vec<u32>) {
    let rows = ROWS as u32;
    let first = (0..=rows).map(|i| 200 * i).collect();
    let places = (0..200 * rows).map(|at| at * 7919 % rows).collect();
    (first, places)
}
