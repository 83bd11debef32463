//! Maps from keys that are hashes already.

use std::{
    collections::HashMap,
    hash::{BuildHasherDefault, Hasher},
};

use superstep_random::SplitMix64;

/// Returns a hash of a group or class; different for different numbers.
pub(crate) fn hash(number: u32) -> u64 {
    SplitMix64::new(number.into()).bits()
}

/// Map from keys that are hashes already.
pub(crate) type Index<V> = HashMap<u64, V, BuildHasherDefault<Identity>>;

#[derive(Default)]
pub(crate) struct Identity(u64);

impl Hasher for Identity {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, _: &[u8]) {
        unreachable!("keys are numbers");
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }
}
