//! Part of a rank in the runs of a program: the memory of one processor, and its work.
//!
//! A rank is a driver of one processor, as `run/in_turn.rs` is of all: it waits by receiving
//! packets. So programs are those over private memory, where each wait has a message.

use superstep_plan::Strided;

use super::agreement::{able, agree};
use super::error::Refusal;
use super::packets::{receive_packed, send_packed};
use super::{Communicator, RankError, supersteps};
use crate::call::Prepared;
use crate::error::{Failure, RunError, catch};
use crate::kernel::Kernel;
use crate::program::Program;
use crate::tables::Tables;
use crate::team;

/// Part of a rank: its processor's memory, if it has a processor. It is filled with inputs, run,
/// and asked for results.
pub struct Part<'p, K: Kernel> {
    pub(super) tables: &'p Tables<K>,
    pub(super) rank: usize,
    pub(super) memory: Option<K::Memory>,
    /// Packet that is filled, or emptied.
    pub(super) packet: K::Packet,
}

impl<'p, K: Kernel> Part<'p, K> {
    pub(super) fn new(tables: &'p Tables<K>, rank: usize, memory: Option<K::Memory>) -> Self {
        Self {
            tables,
            rank,
            memory,
            packet: K::Packet::default(),
        }
    }

    /// Makes a rank's part of a prepared program (collective), with memory for the words that its
    /// tasks touch. `key` tells the kernel's text and control arguments, as for
    /// [`run`](super::run).
    ///
    /// # Errors
    /// If a rank cannot run the program, or has another one: on all ranks.
    pub fn of(
        prepared: &'p Prepared<K>,
        key: impl FnOnce() -> Vec<u8>,
        ranks: &mut dyn Communicator,
    ) -> Result<Self, RankError> {
        let (kernel, rank) = (K::NAME, ranks.rank());
        let able = able(prepared, ranks.size()).and_then(|program| {
            let tables = program.tables();
            if tables.plan.shared.contains(&true) {
                return Err(Refusal::Shared { kernel });
            }
            let has_processor = rank < tables.processors();
            let memory = has_processor.then(|| blank_of::<K>(tables.plan.lengths(rank)));
            let memory = memory.map(|memory| memory.ok_or(Refusal::Blank { kernel }));
            Ok((program, memory.transpose()?))
        });
        let digest = |program: &Program<K>| prepared.over_ranks.digest(program, key);
        let (program, memory) = agree(able, digest, ranks)?;
        Ok(Self::new(program.tables(), rank, memory))
    }

    /// Fills the inputs of an array that this rank reads; `words` are those of the array.
    pub fn fill<T>(
        &mut self,
        array: u16,
        words: fn(&mut K::Memory) -> &mut [T],
        mut value: impl FnMut(usize) -> T,
    ) {
        if let Some(memory) = &mut self.memory {
            let words = words(memory);
            let inputs = of_array(&self.tables.plan.scatter[self.rank], array);
            inputs.for_each(|(index, slot)| words[slot] = value(index));
        }
    }

    /// Computes, with inputs and results where they are (collective).
    ///
    /// # Errors
    /// If a rank panics, or the engine fails: the communicator is aborted.
    pub fn run(&mut self, ranks: &mut dyn Communicator) -> Result<(), RankError> {
        let ran = self.compute(ranks).and_then(|()| ranks.flush());
        ran.inspect_err(|error| ranks.abort(error))
    }

    /// Iterates over the results of an array that this rank has computed, each with its index;
    /// `words` are those of the array.
    pub fn results<'s, T: Copy>(
        &'s self,
        array: u16,
        words: fn(&'s K::Memory) -> &'s [T],
    ) -> impl Iterator<Item = (usize, T)> {
        let own = self.memory.as_ref().map(|memory| {
            let words = words(memory);
            let results = of_array(&self.tables.plan.gather[self.rank], array);
            results.map(|(slot, index)| (index, words[slot]))
        });
        own.into_iter().flatten()
    }

    /// Runs all supersteps.
    pub(super) fn compute(&mut self, ranks: &mut dyn Communicator) -> Result<(), RankError> {
        let (count, rank) = (self.tables.plan.supersteps as usize, self.rank);
        supersteps::<K>(count, rank, |superstep| self.superstep(superstep, ranks))
    }

    /// Receives, computes and sends.
    fn superstep(
        &mut self,
        superstep: usize,
        ranks: &mut dyn Communicator,
    ) -> Result<(), RankError> {
        let Self { tables, rank, .. } = *self;
        let Some(memory) = &mut self.memory else {
            return Ok(());
        };
        let messages = &tables.plan.messages;
        for link in tables.synchronisation.receives(superstep, rank) {
            let message = &messages[link.message as usize];
            let from = message.from as usize;
            let strided = message.strided.iter().copied();
            receive_packed::<K>(ranks, from, &mut self.packet, memory, strided)?;
        }
        let compute = || {
            let mut view = K::view(memory);
            (tables.execute)(&tables.plan, superstep, rank, &mut view)
        };
        computed::<K, _>(superstep, rank, compute)?;
        for link in tables.synchronisation.sends(superstep, rank) {
            let message = &messages[link.message as usize];
            let strided = message.strided.iter().copied();
            let to = [message.to as usize];
            send_packed::<K>(ranks, &to, &mut self.packet, memory, strided)?;
        }
        Ok(())
    }
}

/// Iterates over both sides of the words of an array.
pub(crate) fn of_array(strided: &[Strided], array: u16) -> impl Iterator<Item = (usize, usize)> {
    let strided = strided.iter().filter(move |strided| strided.array == array);
    strided.flat_map(|strided| strided.words())
}

/// Computes a superstep as a processor of a kernel does.
pub(crate) fn computed<K: Kernel, R>(
    superstep: usize,
    rank: usize,
    compute: impl FnOnce() -> R,
) -> Result<R, RunError> {
    let computed = catch(|| team::as_processor(compute));
    computed.map_err(|payload| Failure::in_step(superstep, rank, payload).into_error(K::NAME))
}

/// Makes memory of so many words of zero bytes; none if these are no words.
pub(crate) fn blank_of<K: Kernel>(lengths: &[u32]) -> Option<K::Memory> {
    let (mut packet, mut are_words) = (K::Packet::default(), true);
    let seen = K::streams(&mut packet, &mut |stream| are_words &= stream.zero());
    (seen.is_ok() && are_words)
        .then(|| K::blank(&packet, lengths))
        .flatten()
}
