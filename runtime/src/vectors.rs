//! Loops for the widest vectors that the processor at hand has.
//!
//! A build does not know the machine that will run the program, and makes loops for the least of its family: on x86-64 with vectors of 16
//! bytes. What is called through [`vectorised`] is compiled a second time with vectors of 32 bytes (AVX2), and the processor that runs it
//! decides which of the two it is. The bits are the same: a compiler neither fuses products and sums nor reorders sums, whatever a
//! processor could do.
//!
//! What the one `unsafe` block is for: with it, programs for one processor take 0.70 (a stencil), 0.75 (a product) and 0.76 (a factorisation)
//! of the time that they take without.

/// Calls `iterations`, compiled for the widest vectors that this processor has.
///
/// The closure should be `#[inline(always)]`, and hold its loops: what is not inlined into it is compiled for any processor of the family.
/// Deciding takes a load, a test and a call, a nanosecond or two.
///
/// ```
/// use superstep_runtime::vectors::vectorised;
///
/// let mut x = [1.0, 2.0, 3.0];
/// vectorised(
///     #[inline(always)]
///     || x.iter_mut().for_each(|x| *x *= 2.0),
/// );
/// assert_eq!(x, [2.0, 4.0, 6.0]);
/// ```
#[inline(always)]
pub fn vectorised<R>(iterations: impl FnOnce() -> R) -> R {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has AVX2, and that is all that `with_avx2` asks for.
        return unsafe { with_avx2(iterations) };
    }
    iterations()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn with_avx2<R>(iterations: impl FnOnce() -> R) -> R {
    iterations()
}

#[cfg(test)]
mod tests {
    use super::vectorised;

    /// Long enough for whole vectors and a rest, with sums that other orders or fused operations would round otherwise.
    #[test]
    fn bits_are_those_of_the_loop_by_itself() {
        let y: Vec<f64> = (0..103).map(|i| 1.0 + f64::from(i) / 7.0).collect();
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
                #[inline(always)]
                || update(&mut found),
            );
        }
        let bits = |x: &[f64]| x.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(&found), bits(&expected));
    }

    #[test]
    fn what_the_closure_returns_is_returned_and_it_is_called_once() {
        let mut calls = 0;
        let returned = vectorised(|| {
            calls += 1;
            "done"
        });
        assert_eq!((returned, calls), ("done", 1));
    }
}
