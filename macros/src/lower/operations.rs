//! Operations of an expression: how many it has of each kind.

use std::collections::BTreeSet;

/// Operations of an expression: as `tracer::Operations`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Operations {
    pub additions: u32,
    pub multiplications: u32,
    pub extremes: u32,
    pub bits: u32,
    pub divisions: u32,
    pub roots: u32,
    pub casts: u32,
    pub calls: Vec<String>,
    pub choices: Vec<Choice>,
    pub cost: Option<u32>,
}

/// A choice of a value: as `tracer::Choice`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Choice {
    pub operands: BTreeSet<u16>,
    pub condition: Operations,
    pub ways: Vec<Operations>,
}

/// Calls that a function makes at most to count by its body. Fifty steps of an iteration that call
/// three functions each are within it; each call is a name in the build script.
const MOST_CALLS: usize = 256;

/// Operations of a kind in a function, at most: some milliseconds. Whoever adds numbers of several
/// kinds and functions goes beyond 32 bits with none.
const MOST_OPERATIONS: u32 = 1 << 24;

impl Operations {
    /// Adds others as often as a loop runs, without choices; nothing and false if those are too
    /// many calls.
    pub(super) fn add(&mut self, other: Self, times: u32) -> bool {
        let calls = other.calls.len().saturating_mul(times as usize);
        if calls > 0 && self.calls.len() + calls > MOST_CALLS {
            return false;
        }
        for _ in 0..times.min(calls as u32) {
            self.calls.extend_from_slice(&other.calls);
        }
        let numbers = [
            (&mut self.additions, other.additions),
            (&mut self.multiplications, other.multiplications),
            (&mut self.extremes, other.extremes),
            (&mut self.bits, other.bits),
            (&mut self.divisions, other.divisions),
            (&mut self.roots, other.roots),
            (&mut self.casts, other.casts),
        ];
        for (number, more) in numbers {
            let more = more.saturating_mul(times);
            *number = number.saturating_add(more).min(MOST_OPERATIONS);
        }
        true
    }

    /// Returns the number of operations and calls, to compare ways.
    pub(super) fn size(&self) -> u64 {
        let numbers = self.numbers().into_iter();
        numbers.map(|(_, number)| u64::from(number)).sum::<u64>() + self.calls.len() as u64
    }

    /// Returns the numbers of operations, each with its name.
    pub(crate) fn numbers(&self) -> [(&'static str, u32); 7] {
        [
            ("additions", self.additions),
            ("multiplications", self.multiplications),
            ("extremes", self.extremes),
            ("bits", self.bits),
            ("divisions", self.divisions),
            ("roots", self.roots),
            ("casts", self.casts),
        ]
    }
}
