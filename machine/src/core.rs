//! The description of a core.

use serde::{Deserialize, Serialize};

use crate::InvalidValue;

/// One core of a machine: its caches, its registers, and how far it looks ahead.
///
/// The defaults are those of a core of a server of 2025. In files its keys stand among those of
/// [`Times`](crate::Times).
///
/// ```
/// use superstep_machine::Core;
///
/// let core = Core::default();
/// assert_eq!(core.line_bytes * core.sets * core.ways, 32 << 10);
/// assert_eq!(core.words_of_line(), 8.0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Core {
    /// Bytes of a cache line, at least 1. Nearly all cores have 64.
    pub line_bytes: usize,
    /// Sets of L1 (the first cache), at least 1: 64 with 8 ways of 64 bytes are 32 KiB.
    pub sets: usize,
    /// Cache lines in each set of L1, at least 1.
    pub ways: usize,
    /// Bytes of a core's own caches that a program can count on. It is three quarters of an L2 of 1
    /// MiB, as the rest goes to what else a core needs.
    pub cache: f64,
    /// Vectors that a core has at hand at once: 32 with AVX-512's encodings or on ARM, else 16.
    pub registers: f64,
    /// Bytes of the vectors with which loops end, at least 1. Iterations that fill none are left,
    /// and go one by one. It is 32 with AVX2, and with AVX-512, whose loops for 64 bytes end with
    /// one for 32.
    pub vector_bytes: usize,
    /// Registers that a loop has for the integers that it keeps, and for where its words lie: 11 of
    /// the 16 of x86-64. The others spill: they are stored and loaded again.
    pub integer_registers: usize,
    /// Instructions of later iterations and runs that a core has under way (out-of-order window). A
    /// fitted value, and less than a large core's buffer holds.
    pub window: f64,
    /// Cache lines that a core prefetches (loads ahead) for a loop that goes up through an array:
    /// it does not know where the loop ends. Another core loses them. With that, LU of 128 rows is
    /// predicted to go by blocks of 16 rows rather than 8, and takes 0.93 of the time.
    pub lines_ahead: usize,
    /// Rows that a core prefetches for a loop that goes down a column, one cache line of each.
    pub rows_ahead: usize,
    /// Cache lines or rows after which a core knows where a loop goes, and prefetches others.
    pub known_after: usize,
}

impl Default for Core {
    fn default() -> Self {
        Self {
            line_bytes: 64,
            sets: 64,
            ways: 8,
            cache: 786_432.0,
            registers: 32.0,
            vector_bytes: 32,
            integer_registers: 11,
            window: 136.0,
            lines_ahead: 6,
            rows_ahead: 4,
            known_after: 3,
        }
    }
}

/// Most that a count of a core may be: more is taken as garbage.
const MOST: usize = 1 << 16;

/// Most cache lines of L1, 64 MiB: more are taken as garbage. Predictions have a table of them.
const LINES: usize = 1 << 20;

impl Core {
    /// Returns the number of words of eight bytes in a cache line:
    /// [`Times::gap`](crate::Times::gap) is the time of such a word.
    pub fn words_of_line(&self) -> f64 {
        self.line_bytes as f64 / 8.0
    }

    /// Checks that every value is in its range.
    ///
    /// # Errors
    /// The first key whose value no core has: counts come first, then the cache lines of L1, then
    /// `cache`, `registers` and `window`.
    pub fn validate(&self) -> Result<(), InvalidValue> {
        let refuse = |key, value: usize, wanted| Err(InvalidValue::new(key, value as f64, wanted));
        for (key, count, least) in [
            ("line_bytes", self.line_bytes, 1),
            ("sets", self.sets, 1),
            ("ways", self.ways, 1),
            ("vector_bytes", self.vector_bytes, 1),
            ("integer_registers", self.integer_registers, 0),
            ("lines_ahead", self.lines_ahead, 0),
            ("rows_ahead", self.rows_ahead, 0),
            ("known_after", self.known_after, 0),
        ] {
            if count < least {
                return refuse(key, count, "at least 1");
            }
            if count > MOST {
                return refuse(key, count, "at most 65536");
            }
        }
        if self.sets.saturating_mul(self.ways) > LINES {
            return refuse("sets", self.sets, "at most 2^20 divided by `ways`");
        }
        let amounts = [
            ("cache", self.cache),
            ("registers", self.registers),
            ("window", self.window),
        ];
        InvalidValue::first(&amounts)
    }
}
