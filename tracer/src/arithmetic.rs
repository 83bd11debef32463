//! Arithmetic on control values (sizes, indices) that fails the trace instead of wrapping or
//! panicking.
//!
//! A trace function computes `i * n + j` as `add(mul(i, n), j)`. Integers are checked, floats are
//! as ever. Literals take the type of the other operand (`add(i, 1)`), and a compound assignment
//! `x += 1` is `x = add(x, 1)`. A negative literal stays a literal: `neg(128)` has no `i8` to
//! negate.

use std::fmt::Display;
use std::panic::Location;

use crate::error::Failure;

/// A primitive number: what control can be computed with.
pub trait Number: Copy + Display {
    /// Name of the type.
    const NAME: &'static str;
    /// Returns `self + other`, if there is such a value.
    fn plus(self, other: Self) -> Option<Self>;
    /// Returns `self - other`, if there is such a value.
    fn minus(self, other: Self) -> Option<Self>;
    /// Returns `self * other`, if there is such a value.
    fn times(self, other: Self) -> Option<Self>;
    /// Returns `self / other`, if there is such a value.
    fn over(self, other: Self) -> Option<Self>;
    /// Returns `self % other`, if there is such a value.
    fn modulo(self, other: Self) -> Option<Self>;
}

/// A primitive number that has a sign.
pub trait Signed: Number {
    /// Returns `-self`, if there is such a value.
    fn negated(self) -> Option<Self>;
}

/// A primitive integer: what bits can be shifted in.
pub trait Integer: Number {
    /// Returns `self << by`, if `by` is less than the number of bits.
    fn shifted_left(self, by: u32) -> Option<Self>;
    /// Returns `self >> by`, if `by` is less than the number of bits.
    fn shifted_right(self, by: u32) -> Option<Self>;
    /// Returns the value as a distance to shift by.
    fn distance(self) -> Option<u32>;
}

macro_rules! integers {
    ($($T:ident)*) => {$(
        impl Number for $T {
            const NAME: &'static str = stringify!($T);
            #[inline(always)]
            fn plus(self, other: Self) -> Option<Self> { self.checked_add(other) }
            #[inline(always)]
            fn minus(self, other: Self) -> Option<Self> { self.checked_sub(other) }
            #[inline(always)]
            fn times(self, other: Self) -> Option<Self> { self.checked_mul(other) }
            #[inline(always)]
            fn over(self, other: Self) -> Option<Self> { self.checked_div(other) }
            #[inline(always)]
            fn modulo(self, other: Self) -> Option<Self> { self.checked_rem(other) }
        }
        impl Integer for $T {
            #[inline(always)]
            fn shifted_left(self, by: u32) -> Option<Self> { self.checked_shl(by) }
            #[inline(always)]
            fn shifted_right(self, by: u32) -> Option<Self> { self.checked_shr(by) }
            #[inline(always)]
            fn distance(self) -> Option<u32> { u32::try_from(self).ok() }
        }
    )*};
}
integers!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize);

macro_rules! floats {
    ($($T:ident)*) => {$(
        impl Number for $T {
            const NAME: &'static str = stringify!($T);
            #[inline(always)]
            fn plus(self, other: Self) -> Option<Self> { Some(self + other) }
            #[inline(always)]
            fn minus(self, other: Self) -> Option<Self> { Some(self - other) }
            #[inline(always)]
            fn times(self, other: Self) -> Option<Self> { Some(self * other) }
            #[inline(always)]
            fn over(self, other: Self) -> Option<Self> { Some(self / other) }
            #[inline(always)]
            fn modulo(self, other: Self) -> Option<Self> { Some(self % other) }
        }
        impl Signed for $T {
            #[inline(always)]
            fn negated(self) -> Option<Self> { Some(-self) }
        }
    )*};
}
floats!(f32 f64);

macro_rules! signed {
    ($($T:ident)*) => {$(
        impl Signed for $T {
            #[inline(always)]
            fn negated(self) -> Option<Self> { self.checked_neg() }
        }
    )*};
}
signed!(i8 i16 i32 i64 i128 isize);

macro_rules! binary {
    ($($(#[$doc:meta])* $name:ident, $method:ident, $sign:literal;)*) => {$(
        $(#[$doc])*
        #[inline(always)]
        #[track_caller]
        pub fn $name<T: Number>(left: T, right: T) -> T {
            match left.$method(right) {
                Some(value) => value,
                None => no_result(T::NAME, &left, $sign, &right, Location::caller()),
            }
        }
    )*};
}
binary! {
    /// `left + right`; an overflow fails the trace.
    add, plus, "+";
    /// `left - right`; an overflow fails the trace.
    sub, minus, "-";
    /// `left * right`; an overflow fails the trace.
    mul, times, "*";
    /// `left / right`; division by zero and overflow fail the trace.
    div, over, "/";
    /// `left % right`; division by zero and overflow fail the trace.
    rem, modulo, "%";
}

/// Computes `-value`; an overflow fails the trace.
#[inline(always)]
#[track_caller]
pub fn neg<T: Signed>(value: T) -> T {
    match value.negated() {
        Some(value) => value,
        None => negated(T::NAME, &value, Location::caller()),
    }
}

/// Computes `value << by`; a distance that is negative or not less than the number of bits fails
/// the trace.
#[inline(always)]
#[track_caller]
pub fn shl<T: Integer, D: Integer>(value: T, by: D) -> T {
    match by.distance().and_then(|d| value.shifted_left(d)) {
        Some(value) => value,
        None => no_result(T::NAME, &value, "<<", &by, Location::caller()),
    }
}

/// Computes `value >> by`; a distance that is negative or not less than the number of bits fails
/// the trace.
#[inline(always)]
#[track_caller]
pub fn shr<T: Integer, D: Integer>(value: T, by: D) -> T {
    match by.distance().and_then(|d| value.shifted_right(d)) {
        Some(value) => value,
        None => no_result(T::NAME, &value, ">>", &by, Location::caller()),
    }
}

#[cold]
#[inline(never)]
fn no_result(
    name: &str,
    left: &dyn Display,
    sign: &str,
    right: &dyn Display,
    at: &'static Location<'static>,
) -> ! {
    let right = right.to_string();
    let operation = if right == "0" && matches!(sign, "/" | "%") {
        format!("{left} {sign} {right} divides by zero")
    } else {
        format!("{left} {sign} {right} overflows `{name}`")
    };
    Failure::Overflow { operation, at }.raise()
}

#[cold]
#[inline(never)]
fn negated(name: &str, value: &dyn Display, at: &'static Location<'static>) -> ! {
    Failure::Overflow {
        operation: format!("-({value}) overflows `{name}`"),
        at,
    }
    .raise()
}
