//! Environment of control: constants, functions and the width of `usize`, read beside its
//! arguments.
//!
//! A program belongs to the control that the build script ran. The crate compiles the same text
//! once more, and names may mean other values there: another feature, another `cfg`, another
//! target. So a build keeps its [`Observation`]s, as digests, and the first call in a process
//! compares. Where something differs, no program fits, and the function runs.
//!
//! ```
//! use superstep_runtime::environment::{Environment, Observation};
//!
//! static OBSERVATIONS: [Observation; 2] = [Observation::new(0, &[], 64), Observation::new(1, &[3], 7)];
//! const NAMES: [&str; 2] = ["the width of `usize`", "`width`"];
//! let width = |k: u64| 2 * k + 1;
//!
//! static HERE: Environment = Environment::new();
//! let here = HERE.differs(&OBSERVATIONS, &NAMES, |number, arguments| match number {
//!     0 => 64,
//!     _ => width(arguments[0] as u64),
//! });
//! assert_eq!(here, None);
//!
//! static ELSEWHERE: Environment = Environment::new();
//! let elsewhere = ELSEWHERE.differs(&OBSERVATIONS, &NAMES, |_, _| 64);
//! assert_eq!(elsewhere, Some("`width`"));
//! ```

use std::hash::{Hash, Hasher};
use std::sync::OnceLock;

use crate::error::catch;
use crate::fork::PerProcess;

/// Value that control read in a build.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Observation {
    number: u16,
    arguments: &'static [i64],
    digest: u64,
}

impl Observation {
    /// Makes the digest of the kernel's value of that number: of a constant, or of a function's
    /// result for these arguments.
    pub const fn new(number: u16, arguments: &'static [i64], digest: u64) -> Self {
        Self {
            number,
            arguments,
            digest,
        }
    }
}

/// Outcome of a kernel's comparison, which each process makes once.
#[derive(Default)]
pub struct Environment(PerProcess<OnceLock<Option<&'static str>>>);

impl Environment {
    /// Makes an environment that was not compared yet.
    pub const fn new() -> Self {
        Self(PerProcess::new())
    }

    /// Finds the first value that differs from what the build observed, and returns its name.
    /// `value` gives digests; one that panics differs.
    ///
    /// Cost: once a few nanoseconds for each byte of a constant and each call of a function, then
    /// a load.
    pub fn differs(
        &self,
        observed: &[Observation],
        names: &'static [&'static str],
        value: impl Fn(u16, &[i64]) -> u64,
    ) -> Option<&'static str> {
        *self.0.get().get_or_init(|| {
            let differs = |each: &&Observation| {
                let value = || value(each.number, each.arguments);
                catch(value).ok() != Some(each.digest)
            };
            let first = observed.iter().find(differs)?;
            let name = names.get(usize::from(first.number)).copied();
            Some(name.unwrap_or("a value that control reads"))
        })
    }
}

/// Value to be digested. The method of [`Hashed`] is called behind three references where there is
/// one, else that of [`Floats`], else that of [`Opaque`].
#[derive(Clone, Copy, Debug)]
pub struct Value<'v, T: ?Sized>(pub &'v T);

/// Digests of what implements [`Hash`].
pub trait Hashed {
    /// Hashes all of the value.
    fn digest(&self) -> u64;
}

impl<T: Hash + ?Sized> Hashed for &&Value<'_, T> {
    fn digest(&self) -> u64 {
        let mut hasher = Fnv::default();
        self.0.hash(&mut hasher);
        hasher.finish()
    }
}

/// Digests of floats, and arrays of them.
pub trait Floats {
    /// Hashes all bits.
    fn digest(&self) -> u64;
}

impl<T: Bits + ?Sized> Floats for &Value<'_, T> {
    fn digest(&self) -> u64 {
        let mut hasher = Fnv::default();
        self.0.feed(&mut hasher);
        hasher.finish()
    }
}

/// Digests that say nothing, of all other types: their values are not compared.
pub trait Opaque {
    /// Returns zero.
    fn digest(&self) -> u64;
}

impl<T: ?Sized> Opaque for Value<'_, T> {
    fn digest(&self) -> u64 {
        0
    }
}

/// Values made of floats.
pub trait Bits {
    /// Gives all bits to a hasher.
    fn feed(&self, hasher: &mut Fnv);
}

impl Bits for f32 {
    fn feed(&self, hasher: &mut Fnv) {
        hasher.write_u32(self.to_bits());
    }
}

impl Bits for f64 {
    fn feed(&self, hasher: &mut Fnv) {
        hasher.write_u64(self.to_bits());
    }
}

impl<T: Bits> Bits for [T] {
    fn feed(&self, hasher: &mut Fnv) {
        hasher.write_usize(self.len());
        self.iter().for_each(|each| each.feed(hasher));
    }
}

impl<T: Bits, const N: usize> Bits for [T; N] {
    fn feed(&self, hasher: &mut Fnv) {
        self.as_slice().feed(hasher);
    }
}

impl<T: Bits + ?Sized> Bits for &T {
    fn feed(&self, hasher: &mut Fnv) {
        (**self).feed(hasher);
    }
}

/// Hash in 64 bits, FNV-1a: equal in all compilers, unlike the standard library's. Lengths are
/// hashed as 64 bits, whatever the width of `usize`.
#[derive(Debug)]
pub struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Hasher for Fnv {
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }

    fn write_usize(&mut self, value: usize) {
        self.write_u64(value as u64);
    }

    fn write_isize(&mut self, value: isize) {
        self.write_i64(value as i64);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    macro_rules! digest {
        ($value:expr) => {
            (&&&Value(&$value)).digest()
        };
    }

    #[test]
    fn equal_values_have_equal_digests_and_others_do_not() {
        #[derive(Hash)]
        struct Grid {
            rows: usize,
            periodic: bool,
        }
        let grid = |rows, periodic| Grid { rows, periodic };
        let all = [
            digest!(3_usize),
            digest!(4_usize),
            digest!(true),
            digest!('x'),
            digest!("rows"),
            digest!([1_u8, 2]),
            digest!([1_u8, 3]),
            digest!(0.5_f32),
            digest!(0.5_f64),
            digest!(-0.0_f64),
            digest!([[0.5_f64, 1.0], [2.0, 3.0]]),
            digest!([[0.5_f64, 1.0], [2.0, 4.0]]),
            digest!(&[0.25_f32, 0.5][..]),
            digest!(grid(3, true)),
            digest!(grid(3, false)),
        ];
        for (number, digest) in all.iter().enumerate() {
            assert!(!all[..number].contains(digest), "{number}");
            assert_ne!(*digest, 0);
        }
        assert_eq!(digest!([1_u8, 2]), all[5]);
        assert_eq!(digest!(grid(3, true)), all[13]);
    }

    #[test]
    fn other_types_are_not_compared() {
        struct Opaque;
        assert_eq!(digest!(Opaque), 0);
        assert_eq!(digest!(digest_of_a_function), 0);
        fn digest_of_a_function() {}
    }

    #[test]
    fn what_panics_differs() {
        static OBSERVATIONS: [Observation; 1] = [Observation::new(0, &[], 0)];
        let differs = Environment::new().differs(&OBSERVATIONS, &["N"], |_, _| panic!("not here"));
        assert_eq!(differs, Some("N"));
    }
}
