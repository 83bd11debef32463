//! Values that advance by constant steps.

/// Sums up values, beginning with a `first` one. The marks of equally many that advance by constant
/// steps do so, too, so that one comparison tells nearly all others.
pub(super) fn mark(first: i64, values: &[i64]) -> i64 {
    /// Factor by which a value weighs more than the next one: 2^64 by the golden ratio. It is odd,
    /// so that no value is lost, and the steps of kernels have nothing to do with it.
    const WEIGHT: i64 = 0x9e37_79b9_7f4a_7c15_u64.cast_signed();
    let mut sum = first;
    for value in values {
        sum = sum.wrapping_mul(WEIGHT).wrapping_add(*value);
    }
    sum
}

/// Returns whether `c` goes on from `a` and `b`.
#[inline(always)]
pub(super) fn advance(a: i64, b: i64, c: i64) -> bool {
    c.wrapping_sub(b) == b.wrapping_sub(a)
}

/// Returns whether each of `c` goes on from those of `a` and `b`, which are as many.
pub(super) fn all_advance(a: &[i64], b: &[i64], c: &[i64]) -> bool {
    let (b, c) = (&b[..a.len()], &c[..a.len()]);
    let mut at = 0;
    while at < a.len() && advance(a[at], b[at], c[at]) {
        at += 1;
    }
    at == a.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_compared_where_marks_are_alike() {
        let (still, moved) = ([0, 0], [1, mark(0, &[-1, 0])]);
        let marks = [still, still, moved].map(|values| mark(3, &values));
        assert!(advance(marks[0], marks[1], marks[2]));
        assert!(!all_advance(&still, &still, &moved));
        assert!(all_advance(&[1, 7], &[3, 7], &[5, 7]));
        assert!(!all_advance(&[1, 7], &[3, 7], &[5, 8]));
    }
}
