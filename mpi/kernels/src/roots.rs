//! Kernel whose tasks may panic: the crate and its build script both compile this file.

use superstep::kernel;

/// Replaces each word by its root and the sum of all before it; panics at a negative one.
#[kernel]
pub fn roots(n: usize, x: &mut [f64]) {
    for i in 0..n {
        x[i] = root(x[i]);
        for j in 0..i {
            x[i] += x[j];
        }
    }
}

/// Returns the root of a word that has one.
fn root(word: f64) -> f64 {
    assert!(word >= 0.0, "{word} has no root");
    word.sqrt()
}
