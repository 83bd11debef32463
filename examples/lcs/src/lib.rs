//! The longest common subsequence of two sequences of 2000 symbols.

pub mod kernels;

/// `n` letters of a four-letter alphabet, drawn with `seed`.
pub fn sequence(n: usize, seed: u64) -> Vec<u8> {
    let mut state = seed;
    let mut letter = || {
        // A linear congruential generator with Knuth's multiplier; its high bits are the good ones.
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        b"acgt"[(state >> 62) as usize]
    };
    (0..n).map(|_| letter()).collect()
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
