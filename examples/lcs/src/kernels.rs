//! The kernel: the crate and its build script both compile this file.

use superstep::kernel;

/// Fills the table of longest common subsequences of `a` (`n` symbols) and `b` (`m` symbols).
///
/// `length[i * (m + 1) + j]` becomes the length for the first `i` symbols of `a` and the first `j` of `b`. The last word is the
/// answer. The sequences are data: one program serves all of them.
#[kernel]
pub fn lcs(n: usize, m: usize, a: &[u8], b: &[u8], length: &mut [u32]) {
    let width = m + 1;
    for j in 0..=m {
        length[j] = 0;
    }
    for i in 1..=n {
        length[i * width] = 0;
        for j in 1..=m {
            length[i * width + j] = if a[i - 1] == b[j - 1] {
                length[(i - 1) * width + j - 1] + 1
            } else {
                length[(i - 1) * width + j].max(length[i * width + j - 1])
            };
        }
    }
}
