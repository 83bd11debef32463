//! Loops for the widest vectors that the processor at hand has.
//!
//! A build does not know the machine that will run the program. It makes loops for the least of its
//! family: on x86-64 with vectors of 16 bytes. What is called through [`vectorised`] is compiled
//! again for vectors of 32 bytes (AVX2) and of 64 (AVX-512). The processor that runs it decides
//! which of the three it is. The bits are the same: a compiler neither fuses products and sums nor
//! reorders sums, whatever a processor could do.
//!
//! The `unsafe` blocks are for speed. The table has times of programs for one processor: with
//! vectors of 32 bytes by those without, and with 64 by those with 32.
//!
//! | kernel | 32 bytes | 64 bytes |
//! |---|---|---|
//! | a stencil | 0.70 | 0.90 |
//! | a product | 0.75 | 0.84 |
//! | a factorisation | 0.76 | 0.77 |

use std::sync::atomic::{AtomicUsize, Ordering};

use superstep_plan::loops::FEW;

/// Calls `iterations`, so many of them, compiled for the widest vectors that this processor has, or
/// for the least where they are fewer than 16.
///
/// The closure should be `#[inline(always)]`, and hold its loops: what is not inlined into it is
/// compiled for any processor of the family. Deciding takes a load and three tests.
///
/// ```
/// use superstep_runtime::words::vectors::vectorised;
///
/// let mut x = [1.0, 2.0, 3.0];
/// vectorised(
///     x.len(),
///     #[inline(always)]
///     || x.iter_mut().for_each(|x| *x *= 2.0),
/// );
/// assert_eq!(x, [2.0, 4.0, 6.0]);
/// ```
#[inline(always)]
pub fn vectorised<R>(count: usize, iterations: impl FnOnce() -> R) -> R {
    #[cfg(target_arch = "x86_64")]
    match if count < SHORT { LEAST } else { widest() } {
        // SAFETY: `widest` has found every feature that `with_avx512` asks for, or that one of
        // these implies (F and BW: VBMI2).
        64 => return unsafe { with_avx512(iterations) },
        // SAFETY: the processor has AVX2, and that is all that `with_avx2` asks for.
        32 => return unsafe { with_avx2(iterations) },
        _ => {}
    }
    iterations()
}

/// Number of iterations, of all lines of a run together, that are not worth the call of a function.
///
/// With this bound the collection's programs for one processor take 0.96 of the time without.
/// Extremes are Cholesky, 24 x 24, with 0.60, and Viterbi with 1.22; FFT takes as long. A bound of
/// 48, and one of 16 iterations of each line, make it 0.95, but FFT takes 1.07 with the latter.
const SHORT: usize = 16;

/// Bytes of the vectors that each processor of the family has.
const LEAST: usize = 16;

/// Returns the bytes of the widest vectors of this processor.
#[inline(always)]
fn widest() -> usize {
    // Found once for the whole program: one load and two tests, which are compiled into every
    // function that holds loops.
    static WIDEST: AtomicUsize = AtomicUsize::new(0);
    match WIDEST.load(Ordering::Relaxed) {
        0 => find_widest(&WIDEST),
        widest => widest,
    }
}

#[cold]
#[inline(never)]
fn find_widest(found: &AtomicUsize) -> usize {
    #[cfg(target_arch = "x86_64")]
    let widest = {
        use std::arch::is_x86_feature_detected as has;
        // The first processors with AVX-512 slow down when they use it. They have no VBMI2.
        if has!("avx512vbmi2") && has!("avx512dq") && has!("avx512vl") {
            64
        } else if has!("avx2") {
            32
        } else {
            LEAST
        }
    };
    #[cfg(not(target_arch = "x86_64"))]
    let widest = LEAST;
    found.store(widest, Ordering::Relaxed);
    widest
}

/// Returns how many words of `written` stand before the first one at which an aligned widest vector
/// begins. Such a vector lies in one cache line. A loop that writes all words does these one by
/// one, so that the others are written as such vectors. If the words are few, there are 0.
///
/// What a caller allocates begins where 16 bytes do, most often within a vector. Rows that stand
/// whole vectors apart are all aligned with the one that is written.
///
/// ```
/// use superstep_runtime::words::vectors::unaligned;
///
/// let words = [0.0; 100];
/// let first = unaligned(&words);
/// assert!(first < 8);
/// assert_eq!(unaligned(&words[first..]), 0);
/// ```
#[inline(always)]
pub fn unaligned<T>(written: &[T]) -> usize {
    let widest = widest();
    let words = widest / size_of::<T>().max(1);
    let before = written.as_ptr().align_offset(widest);
    if written.len() < FEW * words || before >= words {
        0
    } else {
        before
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512vbmi2,avx512dq,avx512vl")]
fn with_avx512<R>(iterations: impl FnOnce() -> R) -> R {
    iterations()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn with_avx2<R>(iterations: impl FnOnce() -> R) -> R {
    iterations()
}

#[cfg(test)]
mod tests {
    use super::{SHORT, unaligned, vectorised, widest};

    /// Long enough for whole vectors and a rest, with sums that other orders or fused operations
    /// would round otherwise.
    #[test]
    fn bits_are_those_of_the_loop_by_itself() {
        [103, SHORT, SHORT - 1, 1].into_iter().for_each(bits_of);
    }

    fn bits_of(words: usize) {
        let y: Vec<f64> = (0..words).map(|i| 1.0 + i as f64 / 7.0).collect();
        let update = |x: &mut [f64]| {
            for (x, y) in x.iter_mut().zip(&y) {
                *x = *x * 0.1 + y * 0.3 - *x * y;
            }
            x[0] += y.iter().sum::<f64>();
        };
        let mut expected = y.clone();
        let mut found = y.clone();
        for _ in 0..5 {
            expected.iter_mut().zip(&y).for_each(|(x, y)| {
                *x = std::hint::black_box(*x * 0.1) + std::hint::black_box(y * 0.3)
                    - std::hint::black_box(*x * y)
            });
            expected[0] += y.iter().fold(-0.0, |sum, y| std::hint::black_box(sum + y));
            vectorised(
                found.len(),
                #[inline(always)]
                || update(&mut found),
            );
        }
        let bits = |x: &[f64]| x.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(&found), bits(&expected));
    }

    #[test]
    fn vectors_begin_behind_what_is_unaligned() {
        fn check<T>(words: &[T]) {
            for begin in 0..8 {
                let first = unaligned(&words[begin..]);
                let address = words[begin + first..].as_ptr() as usize;
                assert!(first * size_of::<T>() < widest() && address.is_multiple_of(widest()));
                assert_eq!(unaligned(&words[begin..begin + 5]), 0, "too few to matter");
            }
        }
        check(&[0_u8; 1000]);
        check(&[0.0_f64; 100]);
        // Pairs of words that begin in the middle of sixteen bytes never begin where a vector does.
        let words = [0.0_f64; 201];
        let begin = usize::from(words.as_ptr().addr().is_multiple_of(16));
        let (pairs, _) = words[begin..].as_chunks::<2>();
        assert_eq!(unaligned(pairs), 0);
    }

    #[test]
    fn what_the_closure_returns_is_returned_and_it_is_called_once() {
        for count in [0, SHORT, 100] {
            let mut calls = 0;
            let returned = vectorised(count, || {
                calls += 1;
                "done"
            });
            assert_eq!((returned, calls), ("done", 1));
        }
    }
}
