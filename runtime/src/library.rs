//! Float functions of the standard library, called by kernel and program alike: never folded by the
//! compiler.
//!
//! A compiler that knows an operand folds `x.tanh()` to a constant that it computes itself, with
//! other last bits than the library has. It knows operands in one place and not in another: from a
//! constant, in an unrolled loop, from the caller of an inlined function. So `#[kernel]` makes such
//! calls through [`Float::call`]. The compiler learns nothing of the operands, but may still hoist
//! the call out of a loop, or do without it.
//!
//! Powers with integer exponents are multiplied out here instead ([`Float::powi`]). Products are
//! rounded as IEEE 754 says, by the compiler as by the processor, so that folding does no harm. And
//! such loops are vectorised.
//!
//! ```
//! use superstep_runtime::library::{Float as _, Other as _, Value};
//!
//! assert_eq!((&Value(&0.5_f32)).call(|x| x.tanh()), 0.5_f32.tanh());
//! assert_eq!((&Value(&3.0_f64)).powi(-2, |x, n| x.powi(n)), 1.0 / 9.0);
//! // Any other type that has a method of that name computes by its own.
//! assert_eq!((&Value(&5_u32)).powi(2, |x, n| x.pow(n)), 25);
//! ```

use std::hint::black_box;

/// Receiver of a call, behind one reference or, as methods allow it, two. Methods of [`Float`] come
/// first where a reference to it is called; those of [`Other`] serve all types that are no floats.
#[derive(Clone, Copy, Debug)]
pub struct Value<'v, T>(pub &'v T);

/// Calls of float functions.
pub trait Float {
    /// Type of the number: `f32` or `f64`.
    type Number;

    /// Calls a function of one number that the compiler does not know.
    fn call<R>(&self, function: impl FnOnce(Self::Number) -> R) -> R;

    /// Calls a function of two numbers that the compiler does not know.
    fn call_with<R>(
        &self,
        other: Self::Number,
        function: impl FnOnce(Self::Number, Self::Number) -> R,
    ) -> R;

    /// Raises to a power by squaring, with the products of the library's function in its order.
    /// `function` is for [`Other::powi`].
    fn powi(
        &self,
        exponent: i32,
        function: impl FnOnce(Self::Number, i32) -> Self::Number,
    ) -> Self::Number;
}

/// Calls of functions of types that are no floats, and have methods with the names of theirs.
pub trait Other {
    /// Type of the value.
    type Number;

    /// Calls a function of one value that the compiler does not know.
    fn call<R>(&self, function: impl FnOnce(&Self::Number) -> R) -> R;

    /// Calls a function of two values of which the compiler does not know the first.
    fn call_with<A, R>(&self, other: A, function: impl FnOnce(&Self::Number, A) -> R) -> R;

    /// Calls a function of a value that the compiler does not know, and an exponent.
    fn powi<N, R>(&self, exponent: N, function: impl FnOnce(&Self::Number, N) -> R) -> R;
}

impl<T> Other for &Value<'_, T> {
    type Number = T;

    #[inline(always)]
    fn call<R>(&self, function: impl FnOnce(&T) -> R) -> R {
        function(black_box(self.0))
    }

    #[inline(always)]
    fn call_with<A, R>(&self, other: A, function: impl FnOnce(&T, A) -> R) -> R {
        function(black_box(self.0), other)
    }

    #[inline(always)]
    fn powi<N, R>(&self, exponent: N, function: impl FnOnce(&T, N) -> R) -> R {
        function(black_box(self.0), exponent)
    }
}

macro_rules! float {
    ($float:ident, $receiver:ty, $($read:tt)+) => {
        impl Float for Value<'_, $receiver> {
            type Number = $float;

            #[inline(always)]
            fn call<R>(&self, function: impl FnOnce($float) -> R) -> R {
                function(opaque::$float($($read)+ self.0))
            }

            #[inline(always)]
            fn call_with<R>(&self, other: $float, function: impl FnOnce($float, $float) -> R) -> R {
                function(opaque::$float($($read)+ self.0), opaque::$float(other))
            }

            #[inline(always)]
            fn powi(&self, exponent: i32, _: impl FnOnce($float, i32) -> $float) -> $float {
                let (mut power, mut square) = (1.0, $($read)+ self.0);
                let mut rest = exponent.unsigned_abs();
                while rest > 0 {
                    if rest % 2 == 1 {
                        power *= square;
                    }
                    rest /= 2;
                    square *= square;
                }
                if exponent < 0 { 1.0 / power } else { power }
            }
        }
    };
}

float!(f32, f32, *);
float!(f32, &f32, **);
float!(f32, &mut f32, **);
float!(f64, f64, *);
float!(f64, &f64, **);
float!(f64, &mut f64, **);

/// Values that the compiler takes for unknown.
///
/// [`black_box`] goes through memory, and keeps a call in its loop. A pure piece of assembly that
/// does nothing to a register costs nothing, and may be moved.
#[cfg(all(
    not(miri),
    any(
        all(target_arch = "x86_64", target_feature = "sse2"),
        all(target_arch = "aarch64", target_feature = "neon")
    )
))]
mod opaque {
    #![expect(unsafe_code, reason = "assembly without an instruction")]

    use std::arch::asm;

    macro_rules! opaque {
        ($float:ident) => {
            #[inline(always)]
            pub(super) fn $float(value: $float) -> $float {
                let same;
                // SAFETY: there is no instruction: the register keeps its value, and nothing else
                // is touched.
                #[cfg(target_arch = "x86_64")]
                unsafe {
                    asm!("/* {0} */", inlateout(xmm_reg) value => same,
                        options(pure, nomem, nostack, preserves_flags));
                }
                // SAFETY: as above.
                #[cfg(target_arch = "aarch64")]
                unsafe {
                    asm!("/* {0:v} */", inlateout(vreg) value => same,
                        options(pure, nomem, nostack, preserves_flags));
                }
                same
            }
        };
    }

    opaque!(f32);
    opaque!(f64);
}

#[cfg(not(all(
    not(miri),
    any(
        all(target_arch = "x86_64", target_feature = "sse2"),
        all(target_arch = "aarch64", target_feature = "neon")
    )
)))]
mod opaque {
    use super::black_box;

    #[inline(always)]
    pub(super) fn f32(value: f32) -> f32 {
        black_box(value)
    }

    #[inline(always)]
    pub(super) fn f64(value: f64) -> f64 {
        black_box(value)
    }
}

#[cfg(test)]
#[expect(
    clippy::needless_borrow,
    reason = "calls as the macro writes them, for any type"
)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Against the library's function, whose operands the compiler does not know.
        #[test]
        fn powers_have_the_bits_of_the_library(x in any::<f64>(), y in any::<f32>(), n in -70..70_i32) {
            let (x, y, n) = black_box((x, y, n));
            let double = (&Value(&x)).powi(n, |x, n| x.powi(n));
            prop_assert!(double.to_bits() == x.powi(n).to_bits() || x.is_nan());
            let single = (&Value(&y)).powi(n, |y, n| y.powi(n));
            prop_assert!(single.to_bits() == y.powi(n).to_bits() || y.is_nan());
        }
    }

    #[test]
    fn powers_of_all_exponents_end() {
        for n in [i32::MIN, i32::MAX, 0, -1] {
            let power = (&Value(&1.0_f64)).powi(n, |x, n| x.powi(n));
            assert_eq!(power, 1.0);
        }
    }

    /// An unrolled loop over known operands, which compilers fold where they may, against a loop
    /// over unknown ones.
    #[test]
    fn known_operands_are_not_folded() {
        let known: [f32; 6] =
            std::array::from_fn(|k| (&Value(&(k as f32 * 0.1371 + 0.0933))).call(|x| x.tanh()));
        let unknown = (0..black_box(6)).map(|k| black_box(k as f32 * 0.1371 + 0.0933).tanh());
        assert!(unknown.eq(known));
        let known = (&Value(&0.3_f32)).call_with(1.7, |x, y| x.powf(y));
        assert_eq!(known, black_box(0.3_f32).powf(black_box(1.7)));
    }

    #[test]
    fn receivers_may_be_references_as_those_of_methods() {
        let mut x = 0.7_f64;
        let expected = black_box(x).exp();
        assert_eq!((&Value(&x)).call(|x| x.exp()), expected);
        assert_eq!((&Value(&&x)).call(|x| x.exp()), expected);
        assert_eq!((&Value(&&mut x)).call(|x| x.exp()), expected);
    }

    #[test]
    fn other_types_compute_by_their_own_functions() {
        #[derive(Clone, Copy)]
        struct Modulo7(u32);
        impl Modulo7 {
            fn powi(self, n: i64) -> u32 {
                (0..n).fold(1, |power, _| power * self.0 % 7)
            }
            fn exp(&self) -> u32 {
                3
            }
        }
        assert_eq!((&Value(&Modulo7(3))).powi(4, |x, n| x.powi(n)), 4);
        assert_eq!((&Value(&Modulo7(3))).call(|x| x.exp()), 3);
    }
}
