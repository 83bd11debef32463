//! The arrays that all processors share, with the names of values in them, and who used each word since the last barrier.

use superstep_tracer::INPUT;

use super::ReplayError;

/// The arrays that all processors share: none of the words of the others.
pub(super) struct Common {
    /// Barriers passed so far, and one more.
    pub(super) phase: u32,
    pub(super) arrays: Vec<Vec<Word>>,
}

/// A word of a shared array.
#[derive(Clone, Copy)]
pub(super) struct Word {
    pub(super) name: u32,
    /// The (phase, processor) that last wrote it, and that last read it, or several that did; 0 is nobody.
    written: User,
    read: User,
}

/// A time between two barriers, and a processor: `MANY` of them.
type User = (u32, u32);

const MANY: u32 = u32::MAX;

impl Common {
    pub(super) fn new(shared: &[bool], extents: &[u32]) -> Self {
        let word = |name| Word {
            name,
            written: (0, 0),
            read: (0, 0),
        };
        let array = |(&shared, &extent): (&bool, &u32)| {
            let words = if shared { 0..extent } else { 0..0 };
            words.map(|index| word(INPUT | index)).collect()
        };
        Self {
            phase: 1,
            arrays: shared.iter().zip(extents).map(array).collect(),
        }
    }

    pub(super) fn is_shared(&self, array: u16) -> bool {
        self.arrays
            .get(usize::from(array))
            .is_some_and(|words| !words.is_empty())
    }

    /// Uses a word in a superstep on a processor; returns its name before. A new name is written.
    pub(super) fn touch(
        &mut self,
        (superstep, processor): (usize, usize),
        array: u16,
        slot: i64,
        new: Option<u32>,
    ) -> Result<u32, ReplayError> {
        let words = &mut self.arrays[usize::from(array)];
        let error = ReplayError::Slot {
            processor,
            array,
            slot,
            words: words.len(),
        };
        let index = usize::try_from(slot)
            .ok()
            .filter(|&slot| slot < words.len());
        let index = index.ok_or(error)?;
        let word = &mut words[index];
        let user = (self.phase, processor as u32);
        let other = |used: User| used.0 == user.0 && used.1 != user.1;
        if other(word.written) || new.is_some() && other(word.read) {
            return Err(ReplayError::Race {
                processor,
                superstep,
                array,
                index,
            });
        }
        let name = word.name;
        match new {
            Some(new) => {
                word.name = new;
                word.written = user;
            }
            None if other(word.read) => word.read.1 = MANY,
            None => word.read = user,
        }
        Ok(name)
    }
}
