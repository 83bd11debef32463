//! Arrays that all processors share, with the names of values in them, and who used each word last.

use superstep_plan::Plan;
use superstep_plan::synchronisation::Synchronisation;
use superstep_tracer::INPUT;

use super::error::ReplayError;

/// The arrays that all processors share: none of the words of the others.
pub(super) struct Common {
    /// The task that computed each word, or the input that it is.
    pub(super) names: Vec<Vec<u32>>,
    /// The users of each word; none where there is one processor.
    words: Vec<Vec<Word>>,
    processors: Processors,
    /// Supersteps that others have ended, by what each processor has waited for:
    /// `[processor][peer]`.
    ended: Vec<Vec<u32>>,
}

/// The users of a word of a shared array.
#[derive(Clone, Copy, Default)]
struct Word {
    written: User,
    /// The latest readers since then on different processors, latest first.
    read: [User; 3],
    /// The reader before these, or all processors.
    rest: User,
}

/// A processor, and how many supersteps it has ended when it no longer uses a word: the former in
/// the low bits, as [`Processors`] says. Of nobody, 0.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct User(u32);

/// Number of low bits that the number of a processor takes, and that of all.
#[derive(Clone, Copy)]
struct Processors {
    bits: u32,
}

impl Processors {
    /// Makes users of so many processors. Any processor has the number after the last one.
    fn new(processors: usize, supersteps: usize) -> Self {
        let bits = usize::BITS - processors.leading_zeros();
        assert!(
            supersteps < 1 << (u32::BITS - bits),
            "a plan has fewer than 2^31 lists"
        );
        Self { bits }
    }

    fn user(self, supersteps: u32, processor: u32) -> User {
        User(supersteps << self.bits | processor)
    }

    /// Returns the number that stands for any processor.
    fn all(self) -> u32 {
        (1 << self.bits) - 1
    }

    fn of(self, user: User) -> u32 {
        user.0 & self.all()
    }

    fn supersteps(self, user: User) -> u32 {
        user.0 >> self.bits
    }
}

impl Word {
    /// Notes a reader. Readers are told in the order of supersteps.
    fn read(&mut self, user: User, processors: Processors) {
        let known = self.read.iter().position(|&known| {
            known == User::default() || processors.of(known) == processors.of(user)
        });
        let moved = known.unwrap_or_else(|| {
            self.forget(processors);
            self.read.len() - 1
        });
        self.read[..=moved].rotate_right(1);
        self.read[0] = user;
    }

    /// Moves the last of the readers to the rest.
    fn forget(&mut self, processors: Processors) {
        let [.., last] = self.read;
        let is_one =
            self.rest == User::default() || processors.of(self.rest) == processors.of(last);
        self.rest = match is_one {
            true => last,
            false => processors.user(processors.supersteps(last), processors.all()),
        };
    }
}

impl Common {
    pub(super) fn new(shared: &[bool], extents: &[u32], plan: &Plan) -> Self {
        let (processors, supersteps) = (plan.processors as usize, plan.supersteps as usize);
        let lengths = || {
            let arrays = shared.iter().zip(extents);
            arrays.map(|(&shared, &extent)| if shared { extent } else { 0 })
        };
        let names = |words: u32| (0..words).map(|index| INPUT | index).collect();
        // One processor never has to wait for another.
        let words = |words: u32| match processors {
            1 => Vec::new(),
            _ => vec![Word::default(); words as usize],
        };
        Self {
            names: lengths().map(names).collect(),
            words: lengths().map(words).collect(),
            processors: Processors::new(processors, supersteps),
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
        for awaited in synchronisation.waits(superstep, processor) {
            self.ended[processor][awaited.processor as usize] = awaited.steps;
        }
    }

    /// Returns whether a processor has waited until that user was done, or is the user.
    fn is_over(&self, user: User, processor: usize) -> bool {
        let supersteps = self.processors.supersteps(user);
        let has_ended =
            |peer: usize| peer == processor || self.ended[processor][peer] >= supersteps;
        match self.processors.of(user) {
            _ if user == User::default() => true,
            all if all == self.processors.all() => (0..self.ended.len()).all(has_ended),
            peer => has_ended(peer as usize),
        }
    }

    pub(super) fn is_shared(&self, array: u16) -> bool {
        self.names
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
        let names = &self.names[usize::from(array)];
        let error = ReplayError::Slot {
            processor,
            array,
            slot,
            words: names.len(),
        };
        let index = usize::try_from(slot)
            .ok()
            .filter(|&slot| slot < names.len());
        let index = index.ok_or(error)?;
        let name = names[index];
        if let Some(new) = new {
            self.names[usize::from(array)][index] = new;
        }
        let Some(&word) = self.words[usize::from(array)].get(index) else {
            return Ok(name);
        };
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
        let user = self.processors.user(superstep as u32 + 1, processor as u32);
        let word = &mut self.words[usize::from(array)][index];
        match new {
            Some(_) => {
                *word = Word {
                    written: user,
                    ..Word::default()
                };
            }
            None => word.read(user, self.processors),
        }
        Ok(name)
    }
}
