//! The arrays that all processors share, with the names of values in them, and who used each word last.

use superstep_plan::synchronisation::Synchronisation;
use superstep_tracer::INPUT;

use super::ReplayError;

/// The arrays that all processors share: none of the words of the others.
pub(super) struct Common {
    pub(super) arrays: Vec<Vec<Word>>,
    /// Supersteps that others have ended, by what each processor has waited for: `[processor][peer]`.
    ended: Vec<Vec<u32>>,
}

/// A word of a shared array.
#[derive(Clone, Copy)]
pub(super) struct Word {
    pub(super) name: u32,
    written: User,
    /// The latest readers since then on different processors, latest first.
    read: [User; 3],
    /// The reader before these, or all processors.
    rest: User,
}

/// A processor, and how many supersteps it has ended when it no longer uses a word; of nobody, 0.
#[derive(Clone, Copy, Default)]
struct User {
    supersteps: u32,
    processor: u32,
}

/// Any processor.
const ALL: u32 = u32::MAX;

impl Word {
    /// Notes a reader. Readers are told in the order of supersteps.
    fn read(&mut self, user: User) {
        let known = self
            .read
            .iter()
            .position(|known| known.supersteps == 0 || known.processor == user.processor);
        let moved = known.unwrap_or_else(|| {
            self.forget();
            self.read.len() - 1
        });
        self.read[..=moved].rotate_right(1);
        self.read[0] = user;
    }

    /// Moves the last of the readers to the rest.
    fn forget(&mut self) {
        let [.., last] = self.read;
        let is_one = self.rest.supersteps == 0 || self.rest.processor == last.processor;
        self.rest = User {
            supersteps: last.supersteps,
            processor: if is_one { last.processor } else { ALL },
        };
    }
}

impl Common {
    pub(super) fn new(shared: &[bool], extents: &[u32], processors: usize) -> Self {
        let word = |name| Word {
            name,
            written: User::default(),
            read: [User::default(); 3],
            rest: User::default(),
        };
        let array = |(&shared, &extent): (&bool, &u32)| {
            let words = if shared { 0..extent } else { 0..0 };
            words.map(|index| word(INPUT | index)).collect()
        };
        Self {
            arrays: shared.iter().zip(extents).map(array).collect(),
            ended: vec![vec![0; processors]; processors],
        }
    }

    /// Lets a processor wait for all for which it waits before a superstep.
    pub(super) fn wait(
        &mut self,
        synchronisation: &Synchronisation,
        superstep: usize,
        processor: usize,
    ) {
        for awaited in synchronisation.awaited(superstep, processor) {
            self.ended[processor][awaited.peer as usize] = awaited.supersteps;
        }
    }

    /// Whether a processor has waited until that user was done, or is the user.
    fn is_over(&self, user: User, processor: usize) -> bool {
        let has_ended =
            |peer: usize| peer == processor || self.ended[processor][peer] >= user.supersteps;
        match user.processor {
            _ if user.supersteps == 0 => true,
            ALL => (0..self.ended.len()).all(has_ended),
            peer => has_ended(peer as usize),
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
        let words = &self.arrays[usize::from(array)];
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
        let word = words[index];
        let is_read = new.is_none()
            || word
                .read
                .iter()
                .chain([&word.rest])
                .all(|&user| self.is_over(user, processor));
        if !is_read || !self.is_over(word.written, processor) {
            return Err(ReplayError::Race {
                processor,
                superstep,
                array,
                index,
            });
        }
        let user = User {
            supersteps: superstep as u32 + 1,
            processor: processor as u32,
        };
        let word = &mut self.arrays[usize::from(array)][index];
        let name = word.name;
        match new {
            Some(new) => {
                *word = Word {
                    name: new,
                    written: user,
                    read: [User::default(); 3],
                    rest: User::default(),
                };
            }
            None => word.read(user),
        }
        Ok(name)
    }
}
