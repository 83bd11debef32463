//! Parts of arrays, which a kernel passes on to the kernels that it calls.

use std::panic::Location;

use crate::UNKNOWN;
use crate::error::Failure;

/// The part `start..end` of an array: which element of the array each of its own is.
///
/// ```
/// use superstep_tracer::Part;
///
/// let part = Part::new("x", 4, 8, 100); // x: &a[4..8], where a.len() is 100
/// assert_eq!(part.len(), 4);
/// assert_eq!(part.at(3), 7); // x[3] is a[7]
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Part {
    name: &'static str,
    start: usize,
    end: usize,
}

impl Part {
    /// Makes the part `start..end` of an array of length `outer`; `end` and `outer` may be
    /// [`UNKNOWN`]. A part that is not within the array fails the trace.
    #[inline]
    #[track_caller]
    pub fn new(name: &'static str, start: usize, end: usize, outer: usize) -> Self {
        if start > end || (end > outer && end != UNKNOWN) {
            outside(name, start, end, outer, Location::caller());
        }
        Self { name, start, end }
    }

    /// Returns the index in the array of the element `index`. One that is not in the part fails the
    /// trace.
    #[inline(always)]
    #[must_use]
    pub fn at(&self, index: usize) -> usize {
        // The length stays the same in a loop, and what lies in the part is no overflow.
        if index >= self.len() {
            out_of_range(self.name, index, self.len());
        }
        self.start.wrapping_add(index)
    }

    /// Returns start and end in the array.
    #[inline(always)]
    #[must_use]
    pub fn bounds(&self) -> [usize; 2] {
        [self.start, self.end]
    }

    /// Returns the number of elements; with an unknown end, more than any index.
    #[inline(always)]
    #[must_use]
    pub fn len(&self) -> usize {
        self.end - self.start
    }

    /// Tells whether there are no elements.
    #[inline(always)]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.start == self.end
    }
}

#[cold]
#[inline(never)]
fn outside(
    name: &str,
    start: usize,
    end: usize,
    outer: usize,
    at: &'static Location<'static>,
) -> ! {
    let length = if outer == UNKNOWN {
        String::new()
    } else {
        format!(" of length {outer}")
    };
    Failure::Overflow {
        operation: format!("`{name}` would be elements {start}..{end} of an array{length}"),
        at,
    }
    .raise()
}

#[cold]
#[inline(never)]
fn out_of_range(name: &'static str, index: usize, length: usize) -> ! {
    Failure::Part {
        name,
        index,
        length,
    }
    .raise()
}
