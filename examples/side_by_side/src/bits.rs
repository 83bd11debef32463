//! Identity of results, bit by bit.

use num_complex::Complex;

/// Equality of results: equal bits, any NaN equal to any NaN, compound values by their parts.
///
/// It differs from `==` in both directions: `0.0` and `-0.0` are not the same, and two NaNs are.
/// NaNs are not told apart by payload because plain Rust does not promise one. The vector and the
/// scalar part of one loop may differ in it.
pub trait SameBits {
    /// Returns whether `self` and `other` are identical.
    fn same_bits(&self, other: &Self) -> bool;
}

macro_rules! equal_values {
    ($($integer:ty),*) => {$(
        impl SameBits for $integer {
            fn same_bits(&self, other: &Self) -> bool {
                self == other
            }
        }
    )*};
}

equal_values!(bool, u8, u16, u32, u64, usize, i8, i16, i32, i64, isize);

macro_rules! equal_bits {
    ($($float:ty),*) => {$(
        impl SameBits for $float {
            fn same_bits(&self, other: &Self) -> bool {
                self.to_bits() == other.to_bits() || self.is_nan() && other.is_nan()
            }
        }
    )*};
}

equal_bits!(f32, f64);

impl<T: SameBits> SameBits for Complex<T> {
    fn same_bits(&self, other: &Self) -> bool {
        self.re.same_bits(&other.re) && self.im.same_bits(&other.im)
    }
}

impl<T: SameBits> SameBits for [T] {
    fn same_bits(&self, other: &Self) -> bool {
        self.len() == other.len() && self.iter().zip(other).all(|(a, b)| a.same_bits(b))
    }
}

impl<T: SameBits, const N: usize> SameBits for [T; N] {
    fn same_bits(&self, other: &Self) -> bool {
        self[..].same_bits(&other[..])
    }
}

impl<T: SameBits> SameBits for Vec<T> {
    fn same_bits(&self, other: &Self) -> bool {
        self[..].same_bits(&other[..])
    }
}

macro_rules! same_parts {
    ($($part:ident $index:tt),*) => {
        impl<$($part: SameBits),*> SameBits for ($($part,)*) {
            fn same_bits(&self, other: &Self) -> bool {
                $(self.$index.same_bits(&other.$index))&&*
            }
        }
    };
}

same_parts!(A 0);
same_parts!(A 0, B 1);
same_parts!(A 0, B 1, C 2);
same_parts!(A 0, B 1, C 2, D 3);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_bit_is_a_difference() {
        assert!(vec![1.0, 2.0].same_bits(&vec![1.0, 2.0]));
        assert!(!vec![1.0, 2.0].same_bits(&vec![1.0, 2.0_f64.next_up()]));
        assert!(!vec![1.0].same_bits(&vec![1.0, 2.0]));
        assert!(!Complex::new(1.0, 0.0).same_bits(&Complex::new(1.0, -0.0)));
        assert!(!([1_u8], true).same_bits(&([1], false)));
    }

    #[test]
    fn any_nan_is_any_nan() {
        assert!(f64::NAN.same_bits(&f64::from_bits(f64::NAN.to_bits() ^ 1)));
        assert!(!f32::NAN.same_bits(&1.0));
    }
}
