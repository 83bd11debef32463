//! Boundaries between supersteps, and how far the messages of each may go.
//!
//! On a machine whose processors form groups, a boundary that only carries messages within groups
//! costs less than one that joins all. A search that let any message go far would make all of its
//! boundaries dear. So each boundary keeps the *reach* that it has in the schedule to begin with:
//! the level of its farthest message. A value that goes farther takes the last boundary before its
//! use that reaches as far. The tables here answer which one that is. On a machine without levels
//! every boundary carries everything, and they are not asked.

use super::NOWHERE;

/// Mark of no such boundary.
const NONE: u32 = u32::MAX;

/// Boundaries after which messages of a level may be sent. Boundary s is that after superstep s.
pub(super) struct Boundaries {
    supersteps: usize,
    /// Last such boundary up to each one, level by level.
    last: Vec<u32>,
    /// First such boundary from each one on, level by level.
    next: Vec<u32>,
}

impl Boundaries {
    /// Returns the boundaries of a machine with so many levels, of which each may carry messages up
    /// to a level.
    pub(super) fn new(levels: usize, reach: &[usize]) -> Self {
        let supersteps = reach.len();
        let (mut last, mut next) = (Vec::new(), vec![NONE; supersteps * (levels + 1)]);
        for level in 0..=levels {
            let mut before = NONE;
            for (boundary, &reach) in (0..).zip(reach) {
                before = if reach >= level { boundary } else { before };
                last.push(before);
            }
            let mut after = NONE;
            for (boundary, &reach) in reach.iter().enumerate().rev() {
                after = if reach >= level {
                    boundary as u32
                } else {
                    after
                };
                next[level * supersteps + boundary] = after;
            }
        }
        Self {
            supersteps,
            last,
            next,
        }
    }

    /// Returns the last boundary before superstep `first_use` that carries messages of that level.
    #[inline]
    pub(super) fn last_before(&self, level: usize, first_use: u32) -> Option<u32> {
        let at = first_use.checked_sub(1)?;
        let last = self.last[level * self.supersteps + at as usize];
        (last != NONE).then_some(last)
    }

    /// Returns the first superstep in which a value of `superstep` can be used at that level;
    /// [`NOWHERE`]: none.
    #[inline]
    pub(super) fn arrival(&self, level: usize, superstep: u32) -> u32 {
        match self.next[level * self.supersteps + superstep as usize] {
            NONE => NOWHERE,
            boundary => boundary + 1,
        }
    }
}
