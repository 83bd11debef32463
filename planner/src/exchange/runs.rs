//! Arithmetic progressions: words of an array in equal steps.

/// The longest step: lists of copies have signed ones.
const MOST_STEP: u32 = i32::MAX as u32;

/// Words of an array in equal steps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progression {
    /// Number of the array.
    pub array: u16,
    /// First word.
    pub first: u32,
    /// Number of words, at least one.
    pub count: u32,
    /// Words from each to the next; 1 if there is one.
    pub step: u32,
}

impl Progression {
    /// Returns the words.
    pub fn words(self) -> impl Iterator<Item = usize> {
        (0..self.count as usize).map(move |at| self.first as usize + at * self.step as usize)
    }

    /// Returns the last word.
    pub fn last(self) -> usize {
        self.first as usize + (self.count as usize).saturating_sub(1) * self.step as usize
    }
}

/// Appends a word that is behind all others of its array, to the last run if it can. Those before
/// position `begun` stay as they are.
pub(super) fn append(runs: &mut Vec<Progression>, begun: usize, array: u16, word: u32) {
    if let Some(last) = runs[begun..].last_mut()
        && last.array == array
    {
        let step = word - last.last() as u32;
        if step <= MOST_STEP && (last.count == 1 || step == last.step) {
            last.step = step;
            last.count += 1;
            return;
        }
    }
    runs.push(Progression {
        array,
        first: word,
        count: 1,
        step: 1,
    });
}
