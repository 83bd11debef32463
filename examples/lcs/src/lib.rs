//! The longest common subsequence of two sequences of 2000 symbols.

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

pub mod kernels;

/// Draws `n` letters of a four-letter alphabet with `seed`.
pub fn sequence(n: usize, seed: u64) -> Vec<u8> {
    let mut random = Pcg64Mcg::seed_from_u64(seed);
    (0..n).map(|_| b"acgt"[random.random_range(0..4)]).collect()
}

#[cfg(test)]
mod tests {
    use super::kernels;

    #[test]
    fn finds_a_known_length() {
        let (a, b) = (b"ABCBDAB", b"BDCABA");
        let mut length = vec![0; 8 * 7];
        kernels::lcs(7, 6, a, b, &mut length);
        assert_eq!(length[8 * 7 - 1], 4);
    }
}
