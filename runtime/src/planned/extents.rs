//! Extents: how many words of each array a kernel uses, and who uses the last of them.

use std::ops::Range;
use std::panic::resume_unwind;

use superstep_planner::{Accesses, Receiver};

use super::tracked::Loops;
use super::{Grains, Space};
use crate::error::{LengthError, catch};

/// Numbers of words of each array that is tracked, as far as they are used.
///
/// Tracking itself enters only those of arrays that are only read here: nobody plans by them.
#[derive(Debug)]
pub struct Extents {
    ends: Vec<usize>,
    /// Words of arrays that are only read, if they are asked for one by one, and not how far they
    /// reach.
    reached: Option<Vec<(u16, Range<usize>)>>,
}

/// Payload with which tracking unwinds where a word is outside of an array of known length.
#[derive(Clone, Copy, Debug)]
pub(super) struct Outside {
    pub(super) array: u16,
    pub(super) word: usize,
}

impl Outside {
    /// Leaves the tracking of a kernel.
    #[cold]
    #[inline(never)]
    pub(super) fn unwind(array: u16, word: usize) -> ! {
        resume_unwind(Box::new(Self { array, word }))
    }
}

impl Extents {
    /// Begins with no words of so many arrays.
    pub(super) fn new(arrays: usize) -> Self {
        Self {
            ends: vec![0; arrays],
            reached: None,
        }
    }

    /// Begins to list the words of arrays that are only read.
    #[cfg(feature = "ranks")]
    pub(super) fn listing() -> Self {
        Self {
            ends: Vec::new(),
            reached: Some(Vec::new()),
        }
    }

    /// Returns the words that were listed.
    #[cfg(feature = "ranks")]
    pub(super) fn into_reached(self) -> Vec<(u16, Range<usize>)> {
        self.reached.unwrap_or_default()
    }

    /// Returns how many words of each array from a number on are needed.
    pub(super) fn from(&self, first: usize) -> &[usize] {
        self.ends.get(first..).unwrap_or_default()
    }

    #[inline]
    pub(super) fn reach(&mut self, array: u16, words: Range<usize>) {
        if let Some(extent) = self.ends.get_mut(usize::from(array)) {
            *extent = words.end.max(*extent);
        } else if let Some(reached) = &mut self.reached {
            reached.push((array, words));
        }
    }
}

impl Receiver for Extents {
    fn read(&mut self, array: u16, words: Range<usize>) {
        self.reach(array, words);
    }

    fn write(&mut self, array: u16, words: Range<usize>) {
        self.reach(array, words);
    }
}

/// Array that is tracked.
#[derive(Clone, Copy, Debug)]
pub(super) struct Array {
    /// Number among all arrays of the kernel.
    pub(super) number: u16,
    pub(super) name: &'static str,
    pub(super) kind: Kind,
}

/// Kind of an array, for the grains of a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Argument that they write.
    Shared,
    /// Array of the kernel's own, in common.
    Common,
    Scratch,
    /// Argument that they only read.
    Input,
    /// Argument that is on tapes where the plan is loaded.
    Values,
}

impl Array {
    /// Lists the arrays of a kernel in the order in which they are tracked.
    pub(super) fn all<K: Grains>() -> Vec<Self> {
        let lists = [
            (K::SHARED, Kind::Shared),
            (K::SCRATCH, Kind::Scratch),
            (K::INPUTS, Kind::Input),
            (K::VALUES, Kind::Values),
        ];
        let mut all = Vec::new();
        for (list, kind) in lists {
            all.extend(list.iter().map(|&(number, name)| Self {
                number,
                name,
                kind: match K::COMMON.contains(&number) {
                    true => Kind::Common,
                    false => kind,
                },
            }));
        }
        all
    }
}

/// Array with the number of words that a plan needs of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Needed {
    pub(super) array: Array,
    pub(super) words: usize,
    /// Words that it must have, where control depends on that.
    pub(super) known: Option<usize>,
}

impl Loops<'_> {
    /// Returns the error of an array that has no such word; `at` is its number among those tracked.
    /// The error names the first iteration that comes as far.
    #[cold]
    pub(super) fn too_short(
        &self,
        space: &Space,
        at: usize,
        words: usize,
        word: usize,
    ) -> LengthError {
        // Control may end in a panic behind the word.
        let comes_to_it = |end: u32| {
            let reached = catch(|| self.extents(space, 0..end));
            reached.map_or(true, |reached| reached.from(at).first() > Some(&word))
        };
        let (mut least, mut most) = (0, space.iterations());
        while least < most {
            let middle = least + (most - least) / 2;
            match comes_to_it(middle) {
                true => most = middle,
                false => least = middle + 1,
            }
        }
        LengthError::Short {
            kernel: self.kernel,
            array: self.arrays[at].name,
            words,
            word,
            iteration: least.saturating_sub(1),
        }
    }

    /// Tracks iterations for how many words they use of each array.
    fn extents(&self, space: &Space, iterations: Range<u32>) -> Extents {
        let mut extents = Extents::new(self.arrays.len());
        let mut others = Extents::new(self.arrays.len());
        let mut accesses = Accesses::new(&mut others);
        space.each(iterations, |site| {
            (self.track)(site, &mut accesses, &mut extents);
        });
        accesses.end();
        for (at, &end) in (0..).zip(&others.ends) {
            extents.reach(at, 0..end);
        }
        extents
    }
}
