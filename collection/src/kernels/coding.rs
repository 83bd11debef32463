//! Codes that correct errors.

use superstep::kernel;

/// The probabilities of the best paths through 8 states, `steps` steps long (Viterbi).
#[kernel]
pub fn viterbi(steps: usize, change: &[f64], seen: &[f64], best: &mut [f64]) {
    for t in 1..steps {
        for j in 0..8 {
            best[t * 8 + j] = best[(t - 1) * 8] + change[j];
            for i in 1..8 {
                best[t * 8 + j] = best[t * 8 + j].max(best[(t - 1) * 8 + i] + change[i * 8 + j]);
            }
            best[t * 8 + j] += seen[t * 8 + j];
        }
    }
}

/// Decodes a low-density parity-check code in `rounds` rounds (min-sum): check `c` has the edges
/// `check[c]..check[c + 1]`, each to the bit `bit[e]`.
///
/// `belief` has the channel's log-likelihoods and becomes the decoder's, `message` belongs to
/// edges.
#[kernel]
pub fn ldpc(
    rounds: usize,
    #[structure] check: &[usize],
    #[structure] bit: &[usize],
    belief: &mut [f32],
    message: &mut [f32],
) {
    for _ in 0..rounds {
        for c in 0..check.len() - 1 {
            let mut least = f32::INFINITY;
            let mut second = f32::INFINITY;
            let mut sign = 1.0f32;
            for e in check[c]..check[c + 1] {
                belief[bit[e]] -= message[e];
                message[e] = belief[bit[e]];
                let size = message[e].abs();
                second = second.min(size.max(least));
                least = least.min(size);
                sign *= message[e].signum();
            }
            for e in check[c]..check[c + 1] {
                let size = if message[e].abs() == least {
                    second
                } else {
                    least
                };
                message[e] = 0.75 * sign * message[e].signum() * size;
                belief[bit[e]] += message[e];
            }
        }
    }
}

/// Multiplies bytes in the field of 256 elements.
fn multiply(mut a: u8, mut b: u8) -> u8 {
    let mut product = 0;
    while b != 0 {
        if b & 1 == 1 {
            product ^= a;
        }
        a = a << 1 ^ if a & 0x80 != 0 { 0x1d } else { 0 };
        b >>= 1;
    }
    product
}

/// Computes the 16 check bytes of each of `words` words of `n` bytes by the `generator` (Reed and
/// Solomon).
#[kernel]
pub fn reed_solomon(
    words: usize,
    n: usize,
    generator: &[u8; 16],
    data: &[u8],
    check: &mut [[u8; 16]],
) {
    for w in 0..words {
        for i in 0..n {
            let feedback = data[w * n + i] ^ check[w][0];
            for j in 0..15 {
                check[w][j] = check[w][j + 1] ^ multiply(feedback, generator[j]);
            }
            check[w][15] = multiply(feedback, generator[15]);
        }
    }
}
