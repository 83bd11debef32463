//! Pages: where a processor has the words that it uses, and how long.
//!
//! A page is 64 neighbouring words of an array. A processor has slots for those that it uses,
//! next to each other, from its first step that uses one to the last. Then others
//! have these slots. Words that are inputs are there from the beginning, results to the end. So
//! received words live as long as they are read, but for neighbours of words that live longer.

use std::ops::Range;

use super::Progression;
use crate::{Receiver, Track};

/// Words of a page.
pub const PAGE: usize = 64;
/// The step in which nothing is used any more.
const END: u32 = u32::MAX;

/// Places of the words of an array.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pages {
    /// Pages of the array, as far as any word is used.
    pub pages: Vec<Page>,
    /// Number of slots.
    pub slots: u32,
}

/// Places of the words of a page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Page {
    /// Flag of each word that has a slot.
    pub mask: u64,
    /// First slot.
    pub base: u32,
}

impl Page {
    /// Returns the slot of a word of the page, if it has one.
    #[inline(always)]
    pub fn slot(self, word: usize) -> Option<usize> {
        let base = self.base as usize;
        if self.mask == u64::MAX {
            return Some(base + word);
        }
        let flag = 1 << word;
        let before = (self.mask & (flag - 1)).count_ones() as usize;
        (self.mask & flag != 0).then_some(base + before)
    }
}

impl Pages {
    /// Returns the slot of a word, if it has one.
    #[inline(always)]
    pub fn slot(&self, word: usize) -> Option<usize> {
        self.pages.get(word / PAGE)?.slot(word % PAGE)
    }

    /// Returns the words that have slots, ascending.
    pub fn words(&self) -> impl Iterator<Item = usize> {
        let pages = self.pages.iter().zip((0..).step_by(PAGE));
        pages.flat_map(|(page, first)| {
            let has = |&word: &usize| page.mask >> word & 1 == 1;
            (0..PAGE).filter(has).map(move |word| first + word)
        })
    }

    /// Returns slots for so many words, each at its own number.
    pub fn whole(words: usize) -> Self {
        let pages = (0..words).step_by(PAGE);
        Self {
            pages: pages
                .map(|base| Page {
                    mask: u64::MAX >> (PAGE - (words - base).min(PAGE)),
                    base: base as u32,
                })
                .collect(),
            slots: words as u32,
        }
    }
}

/// Use of a page by a processor.
#[derive(Clone, Copy)]
struct Use {
    mask: u64,
    first: u32,
    last: u32,
}

/// Not used.
const UNUSED: Use = Use {
    mask: 0,
    first: END,
    last: 0,
};

/// Uses of the pages of all arrays by one processor.
pub(super) struct Uses {
    arrays: Vec<Vec<Use>>,
    /// Number of arrays that are tracked.
    tracked: usize,
    /// The first of the arrays of which accesses are told, and the steps that have their words.
    first: usize,
    steps: [u32; 2],
}

impl Uses {
    pub(super) fn new(track: &dyn Track) -> Self {
        let tracked = track.lengths().len();
        Self {
            arrays: vec![Vec::new(); tracked + track.inputs()],
            tracked,
            first: 0,
            steps: [0; 2],
        }
    }

    /// Receives words of a step.
    pub(super) fn of_step(&mut self, step: u32) -> &mut Self {
        (self.first, self.steps) = (0, [step; 2]);
        self
    }

    /// Receives words that are only read: they are there from the beginning to the end.
    pub(super) fn of_inputs(&mut self) -> &mut Self {
        (self.first, self.steps) = (self.tracked, [0, END]);
        self
    }

    fn add(&mut self, array: usize, words: Range<usize>, [first, last]: [u32; 2]) {
        let Some(uses) = self.arrays.get_mut(array) else {
            return;
        };
        if words.is_empty() {
            return;
        }
        let pages = words.start / PAGE..words.end.div_ceil(PAGE);
        if uses.len() < pages.end {
            uses.resize(pages.end, UNUSED);
        }
        for page in pages {
            let within = |word: usize| word.saturating_sub(page * PAGE).min(PAGE);
            let (start, end) = (within(words.start), within(words.end));
            let it = &mut uses[page];
            it.mask |= (u64::MAX >> (PAGE - (end - start))) << start;
            it.first = it.first.min(first);
            it.last = it.last.max(last);
        }
    }

    /// Gives all words slots. Inputs are there from the beginning, results to the end.
    pub(super) fn place(mut self, inputs: &[Progression], results: &[Progression]) -> Vec<Pages> {
        for (runs, step) in [(inputs, 0), (results, END)] {
            for run in runs {
                run.words()
                    .for_each(|word| self.add(run.array.into(), word..word + 1, [step; 2]));
            }
        }
        self.arrays.iter().map(|uses| slots_of(uses)).collect()
    }
}

impl Receiver for Uses {
    fn read(&mut self, array: u16, words: Range<usize>) {
        self.add(self.first + usize::from(array), words, self.steps);
    }

    fn write(&mut self, array: u16, words: Range<usize>) {
        self.read(array, words);
    }

    fn update(&mut self, array: u16, words: Range<usize>) {
        self.read(array, words);
    }
}

/// Gives the pages of an array slots: if they can be, those of others that are used no more. They
/// may be up to twice as many.
fn slots_of(uses: &[Use]) -> Pages {
    let used = || (0..uses.len()).filter(|&page| uses[page].mask != 0);
    let (mut by_first, mut by_last): (Vec<_>, Vec<_>) = (used().collect(), used().collect());
    by_first.sort_by_key(|&page| uses[page].first);
    by_last.sort_by_key(|&page| uses[page].last);
    let mut ended = by_last.into_iter().peekable();
    // First slots of those that are free, by how many there are; and how many each page has.
    let mut free: [Vec<u32>; PAGE + 1] = std::array::from_fn(|_| Vec::new());
    let mut counts = vec![0; uses.len()];
    let mut pages = Pages {
        pages: vec![Page::default(); uses.len()],
        slots: 0,
    };
    for page in by_first {
        let Use { mask, first, .. } = uses[page];
        while let Some(ended) = ended.next_if(|&before| uses[before].last < first) {
            free[counts[ended]].push(pages.pages[ended].base);
        }
        let count = mask.count_ones() as usize;
        let mut fitting = count..=PAGE.min(2 * count);
        let found = fitting.find_map(|count| free[count].pop().map(|base| (base, count)));
        let (base, count) = found.unwrap_or_else(|| {
            pages.slots += count as u32;
            (pages.slots - count as u32, count)
        });
        counts[page] = count;
        pages.pages[page] = Page { mask, base };
    }
    pages
}
