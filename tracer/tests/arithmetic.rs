//! Control arithmetic is the primitive types' own, and stops where that has no result.

use superstep_tracer::arithmetic::{Integer, Signed, add, div, mul, neg, rem, shl, shr, sub};
use superstep_tracer::{DEFAULT_LIMIT, Kernel, TraceError, record};

/// Returns the result of an operation under a trace; `None` when it fails the trace with an
/// overflow.
fn attempt<T>(run: impl FnOnce() -> T) -> Option<T> {
    let mut result = None;
    match record(Kernel::new("attempt"), DEFAULT_LIMIT, |_| {
        result = Some(run())
    }) {
        Ok(_) => result,
        Err(TraceError::Overflow { .. }) => None,
        Err(other) => panic!("{other}"),
    }
}

fn all_pairs<T: Integer + PartialEq + std::fmt::Debug>(
    values: impl Iterator<Item = T> + Clone,
    checked: [fn(T, T) -> Option<T>; 5],
) {
    for a in values.clone() {
        for b in values.clone() {
            assert_eq!(attempt(|| add(a, b)), checked[0](a, b));
            assert_eq!(attempt(|| sub(a, b)), checked[1](a, b));
            assert_eq!(attempt(|| mul(a, b)), checked[2](a, b));
            assert_eq!(attempt(|| div(a, b)), checked[3](a, b));
            assert_eq!(attempt(|| rem(a, b)), checked[4](a, b));
        }
    }
}

#[test]
fn bytes_behave_as_checked_arithmetic_says() {
    all_pairs(
        (0..=u8::MAX).step_by(3),
        [
            u8::checked_add,
            u8::checked_sub,
            u8::checked_mul,
            u8::checked_div,
            u8::checked_rem,
        ],
    );
    all_pairs(
        (i8::MIN..=i8::MAX).step_by(3).chain([-1, 0, 1, i8::MAX]),
        [
            i8::checked_add,
            i8::checked_sub,
            i8::checked_mul,
            i8::checked_div,
            i8::checked_rem,
        ],
    );
}

#[test]
fn shifts_reach_up_to_the_number_of_bits() {
    for by in -3..12 {
        let distance = u32::try_from(by).ok();
        assert_eq!(
            attempt(|| shl(0xA5_u8, by)),
            distance.and_then(|d| 0xA5_u8.checked_shl(d))
        );
        assert_eq!(
            attempt(|| shr(-91_i8, by)),
            distance.and_then(|d| (-91_i8).checked_shr(d))
        );
    }
}

#[test]
fn negation_fails_where_there_is_no_opposite() {
    fn opposite<T: Signed>(value: T) -> Option<T> {
        attempt(|| neg(value))
    }
    assert_eq!(opposite(5_i32), Some(-5));
    assert_eq!(opposite(i32::MIN), None);
    assert_eq!(opposite(0.5_f32), Some(-0.5));
}

#[test]
fn literals_take_the_type_of_the_other_operand() {
    let n: usize = 10;
    let mut x: u32 = 3;
    x = add(x, 1);
    x = mul(2, x);
    assert_eq!((sub(n, 1), x, shl(1_u64, n), rem(n, 4)), (9, 8, 1024, 2));
    assert_eq!(div(1.0, 4.0_f64), 0.25);
}
