//! Control of plans: the types that it may have, and their hashes.

use std::fmt;
use std::slice;

use superstep_planner::file::Digest;

/// Type of control: numbers and flags, and arrays of them.
///
/// Their operators are the language's own, so control that is made of them has the same value
/// whenever it is evaluated.
#[diagnostic::on_unimplemented(
    message = "control of a planned kernel is made of numbers and flags, and of arrays of them, not of `{Self}`"
)]
pub trait Control: fmt::Debug {
    /// Hashes the value: alike on machines of either byte order and any width of `usize`.
    fn hash(&self, digest: &mut Digest);

    /// Hashes values, one after the other.
    fn hash_all(values: &[Self], digest: &mut Digest)
    where
        Self: Sized,
    {
        values.iter().for_each(|value| value.hash(digest));
    }
}

macro_rules! control {
    ($($T:ident $bytes:expr;)*) => {$(
        impl Control for $T {
            fn hash(&self, digest: &mut Digest) {
                Self::hash_all(slice::from_ref(self), digest);
            }

            fn hash_all(values: &[Self], digest: &mut Digest) {
                in_blocks(values, digest, $bytes);
            }
        }
    )*};
}
control! {
    bool |flag| [u8::from(flag)];
    char |letter| u32::from(letter).to_le_bytes();
    f32 f32::to_le_bytes;
    f64 f64::to_le_bytes;
    u8 u8::to_le_bytes;
    u16 u16::to_le_bytes;
    u32 u32::to_le_bytes;
    u64 u64::to_le_bytes;
    u128 u128::to_le_bytes;
    usize |size| (size as u64).to_le_bytes();
    i8 i8::to_le_bytes;
    i16 i16::to_le_bytes;
    i32 i32::to_le_bytes;
    i64 i64::to_le_bytes;
    i128 i128::to_le_bytes;
    isize |size| (size as i64).to_le_bytes();
}

impl<T: Control + ?Sized> Control for &T {
    fn hash(&self, digest: &mut Digest) {
        T::hash(self, digest);
    }
}

impl<T: Control> Control for [T] {
    fn hash(&self, digest: &mut Digest) {
        T::hash_all(self, digest);
    }
}

impl<T: Control, const N: usize> Control for [T; N] {
    fn hash(&self, digest: &mut Digest) {
        T::hash_all(self, digest);
    }

    fn hash_all(values: &[Self], digest: &mut Digest) {
        T::hash_all(values.as_flattened(), digest);
    }
}

/// Bytes that are hashed at a time: they stay in the L1 cache, and a call costs little beside them.
const BLOCK: usize = 4096;

/// Hashes the bytes of words. Where these are as in memory the compiler makes a copy of the loop.
fn in_blocks<T: Copy, const N: usize>(
    words: &[T],
    digest: &mut Digest,
    bytes: impl Fn(T) -> [u8; N],
) {
    let mut block = [0; BLOCK];
    for words in words.chunks(BLOCK / N) {
        let block = &mut block[..N * words.len()];
        for (to, &word) in block.chunks_exact_mut(N).zip(words) {
            to.copy_from_slice(&bytes(word));
        }
        digest.bytes(block);
    }
}

/// Checks that a value is of control, and takes nothing else.
pub fn is_control<T: Control + ?Sized>(_: &T) {}

/// Returns a constant from outside the kernel, or a reference to a table: it is control.
#[inline(always)]
pub fn number<T: Control>(value: T) -> T {
    value
}

/// Declares a kind of numbers, whose own methods are called on nothing else. A trait of the user's
/// may give methods of these names to other types.
macro_rules! kind {
    ($Kind:ident, $Control:ident, $take:ident: $methods:literal, $of:literal, $refusal:literal; $($T:ident)*) => {
        #[doc = concat!("Type whose ", $methods, " are its own: ", $of, ".")]
        #[diagnostic::on_unimplemented(message = $refusal)]
        pub trait $Control: Control {}

        $(impl $Control for $T {})*

        #[doc = concat!("Returns a receiver of ", $methods, ": one of ", $of, ".")]
        #[inline(always)]
        pub fn $take<T: $Control>(value: T) -> T {
            value
        }

        #[doc = concat!("Receiver of ", $methods, " in a kernel that is planned if it can be.")]
        #[derive(Debug)]
        pub struct $Kind<T>(pub T);

        impl<T: $Control> $Kind<T> {
            /// Returns the number.
            #[inline(always)]
            pub fn number(self) -> T {
                self.0
            }
        }

        impl<T> NoNumber<T> for $Kind<T> {
            fn number(self) -> T {
                panic!(
                    "{} in control of a planned kernel are those of {}, not of `{}`",
                    $methods,
                    $of,
                    std::any::type_name::<T>()
                )
            }
        }
    };
}
kind! {
    Unsigned, UnsignedControl, unsigned: "`div_ceil`", "unsigned numbers",
    "`div_ceil` in control of a planned kernel is that of unsigned numbers, not of `{Self}`";
    u8 u16 u32 u64 u128 usize
}
kind! {
    Integer, IntegerControl, integer: "methods of integers", "integers",
    "this method in control of a planned kernel is that of integers, not of `{Self}`";
    u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize
}
kind! {
    Scalar, ScalarControl, scalar_number: "`min`, `max` and `clamp`", "numbers and flags",
    "`min`, `max` and `clamp` in control of a planned kernel are those of numbers and flags, not of `{Self}`";
    u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize f32 f64 bool char
}

/// Length of an array that is taken by value, as a trait of the user's could take it. Where one
/// does, the compiler has two methods to choose from, and refuses the kernel.
pub trait OwnLength {
    /// Returns the number of elements.
    fn len(self) -> usize;

    /// Returns whether there are none.
    #[expect(
        clippy::wrong_self_convention,
        reason = "a method that takes the array by reference would not compete with the user's"
    )]
    fn is_empty(self) -> bool;
}

impl<T: Control, const N: usize> OwnLength for [T; N] {
    #[inline(always)]
    fn len(self) -> usize {
        N
    }

    #[inline(always)]
    fn is_empty(self) -> bool {
        N == 0
    }
}

/// Constant or table from outside a kernel that is planned if it can be.
#[derive(Debug)]
pub struct Outside<T>(pub T);

impl<T: Control> Outside<T> {
    /// Returns the value: it is control.
    #[inline(always)]
    pub fn number(self) -> T {
        self.0
    }
}

/// Fallback for `number` of [`Outside`], [`Unsigned`], [`Integer`] and [`Scalar`], for types that
/// have none. The compiler takes the type's own method, if it has one.
pub trait NoNumber<T> {
    /// Ends planning.
    ///
    /// # Panics
    /// Always.
    fn number(self) -> T;
}

impl<T> NoNumber<T> for Outside<T> {
    fn number(self) -> T {
        panic!(
            "control of a planned kernel is made of numbers and flags, and of arrays of them, not of `{}`",
            std::any::type_name::<T>()
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hash(control: &(impl Control + ?Sized)) -> u128 {
        let mut digest = Digest::default();
        control.hash(&mut digest);
        digest.finish()
    }

    #[test]
    fn hashes_are_of_the_words_in_little_endian_order() {
        let words: Vec<u32> = (0..3000).map(|word| word * 7919).collect();
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        assert_eq!(hash(&words[..]), Digest::of(&bytes));
        assert_eq!(hash(&bytes[..]), Digest::of(&bytes));
        assert_eq!(hash(words.as_chunks::<3>().0), Digest::of(&bytes));
        assert_eq!(hash(&[[1u16, 2], [3, 4]]), hash(&[1u16, 2, 3, 4]));
        assert_eq!(hash(&[1usize, 2]), hash(&[1u64, 2]));
        assert_eq!(hash(&-1isize), hash(&-1i64));
        assert_eq!(hash(&[true, false]), hash(&[1u8, 0]));
        assert_ne!(hash(&[0.0]), hash(&[-0.0]));
        assert_eq!(hash(&'a'), hash(&97));
    }

    #[test]
    fn what_is_no_control_has_no_number() {
        #[derive(Clone, Copy)]
        struct Other;
        use super::NoNumber as _;
        static TABLE: [[u8; 2]; 2] = [[1, 2], [3, 4]];
        assert_eq!(Outside(3_i64).number() + 1, 4);
        assert_eq!(Outside(&TABLE).number()[1][0], 3);
        let ended = std::panic::catch_unwind(|| Outside(Other).number());
        assert!(ended.is_err());
    }
}
