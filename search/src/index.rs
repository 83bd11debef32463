//! Maps from keys that are hashes already.

use std::{
    collections::HashMap,
    hash::{BuildHasherDefault, Hasher},
};

/// Returns a hash of a group or class (splitmix64); different for different numbers.
pub(crate) fn hash(number: u32) -> u64 {
    let mut z = (u64::from(number) + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Map from keys that are hashes already.
pub(crate) type Index<V> = HashMap<u64, V, BuildHasherDefault<Identity>>;

#[derive(Default)]
pub(crate) struct Identity(u64);

impl Hasher for Identity {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(byte);
        }
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }
}
