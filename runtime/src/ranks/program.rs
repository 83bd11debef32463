//! Program of a kernel over ranks: each runs one processor.
//!
//! Arguments are whole arrays here; a [`Part`] has words of its own.

use std::sync::OnceLock;

use superstep_plan::{Strided, digest};

use super::agreement::{able, agree};
use super::error::Refusal;
use super::packets::{at_source, at_target, packed, receive_packed, send_packed, unpacked};
use super::part::Part;
use super::{Communicator, RankError, broadcast};
use crate::call::Prepared;
use crate::error::catch;
use crate::kernel::Kernel;
use crate::options::{Options, TransportKind};
use crate::pool::Pool;
use crate::program::Program;
use crate::tables::Tables;
use crate::team;

/// Rank that has inputs and gets results, unless a run says otherwise.
pub(crate) const FIRST: usize = 0;

/// Choice of who has the inputs of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Inputs {
    /// Rank 0, which sends each rank the words that its tasks read. The others' arguments may be
    /// empty slices; of words that are no numbers they have one each.
    #[default]
    First,
    /// Each rank has them: at least the words that its tasks read, where they stand in the whole
    /// array. Nothing is sent.
    Each,
}

/// Choice of who gets the results of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Results {
    /// Rank 0 gets all.
    #[default]
    First,
    /// Each rank gets all.
    Each,
    /// Each rank gets those that it has computed. Nothing is sent.
    Own,
}

/// Ranks over which a program runs, and who has its inputs and results.
pub struct Over<'r> {
    pub(crate) ranks: &'r mut dyn Communicator,
    inputs: Inputs,
    results: Results,
}

impl<'r> Over<'r> {
    /// Makes a run over ranks, of which rank 0 has the inputs and gets the results.
    pub fn new(ranks: &'r mut dyn Communicator) -> Self {
        Self {
            ranks,
            inputs: Inputs::default(),
            results: Results::default(),
        }
    }

    /// Sets who has the inputs.
    #[must_use]
    pub fn inputs(self, inputs: Inputs) -> Self {
        Self { inputs, ..self }
    }

    /// Sets who gets the results.
    #[must_use]
    pub fn results(self, results: Results) -> Self {
        Self { results, ..self }
    }

    pub(super) fn rank(&self) -> usize {
        self.ranks.rank()
    }

    /// Returns whether a rank's arguments are used as arrays.
    pub(crate) fn uses_arguments(&self) -> bool {
        self.rank() == FIRST || self.inputs == Inputs::Each || self.results != Results::First
    }

    /// Returns whether a rank gets the results of others.
    pub(crate) fn gathers(&self, rank: usize) -> bool {
        match self.results {
            Results::First => rank == FIRST,
            Results::Each => true,
            Results::Own => false,
        }
    }

    /// Returns whether results stay on the ranks that have computed them.
    pub(crate) fn is_left(&self) -> bool {
        self.results == Results::Own
    }

    /// Returns whether rank 0 sends the inputs.
    pub(crate) fn is_scattered(&self) -> bool {
        self.inputs == Inputs::First
    }
}

/// Runs a prepared program over ranks (collective). Rank r is processor r, and ranks beyond the
/// processors have nothing to compute.
///
/// `key` tells the kernel's text and control arguments, always those of what was prepared: it is
/// asked once. `is_long` says that the lengths of slices are those that control goes by.
///
/// # Errors
/// If a rank cannot run the program, or has another one: on all ranks, and nothing has run. If a
/// rank panics or the engine fails: the communicator is aborted.
pub fn run<K: Kernel>(
    prepared: &Prepared<K>,
    key: impl FnOnce() -> Vec<u8>,
    is_long: bool,
    mut over: Over<'_>,
    mut arguments: K::Arguments<'_>,
) -> Result<(), RankError> {
    let able = able(prepared, over.ranks.size()).and_then(|program| {
        let kernel = K::NAME;
        if over.uses_arguments() && !(is_long && program.fits(&arguments)) {
            return Err(Refusal::Short { kernel });
        }
        let (tables, rank) = (program.tables(), over.rank());
        let is_part = tables.processors() > 1 && rank < tables.processors();
        let memory = || catch(|| prepared.over_ranks.part(tables, rank, &arguments));
        let memory = is_part.then(memory).transpose();
        Ok((program, memory.map_err(|_| Refusal::Empty { kernel })?))
    });
    let digest = |program: &Program<K>| prepared.over_ranks.digest(program, key);
    let (program, memory) = agree(able, digest, &mut *over.ranks)?;
    let kept = &prepared.over_ranks;
    let ran = match program.tables().processors() {
        1 => alone(program, &mut over, &mut arguments),
        _ => Part::new(program.tables(), over.rank(), memory).run_over(
            kept,
            &mut over,
            &mut arguments,
        ),
    };
    let ran = ran.and_then(|()| over.ranks.flush());
    ran.inspect_err(|error| over.ranks.abort(error))
}

/// Memory of the runs of a prepared program over ranks, kept from one to the next.
pub(crate) struct Kept<K: Kernel> {
    /// Digest by which ranks compare their programs.
    digest: OnceLock<u64>,
    /// Memories of processors, each with the number of its.
    parts: Pool<(usize, K::Memory)>,
    /// Memories for words of any other processor, on their way from or to the arguments.
    passages: Pool<K::Memory>,
    /// Packets that are filled, or emptied.
    packets: Pool<K::Packet>,
}

impl<K: Kernel> Default for Kept<K> {
    fn default() -> Self {
        Self {
            digest: OnceLock::new(),
            parts: Pool::default(),
            passages: Pool::default(),
            packets: Pool::default(),
        }
    }
}

impl<K: Kernel> Kept<K> {
    /// Returns the digest by which ranks compare their programs.
    pub(super) fn digest(&self, program: &Program<K>, key: impl FnOnce() -> Vec<u8>) -> u64 {
        let digest = || digest(&key(), &program.plan().encode());
        *self.digest.get_or_init(digest)
    }

    /// Returns memory of a processor.
    pub(super) fn part(
        &self,
        tables: &Tables<K>,
        processor: usize,
        arguments: &K::Arguments<'_>,
    ) -> K::Memory {
        let kept = self.parts.take().filter(|(of, _)| *of == processor);
        let new = || K::memory(arguments, tables.plan.lengths(processor));
        kept.map_or_else(new, |(_, memory)| memory)
    }

    /// Returns memory with as many words as that of any processor.
    fn passage(&self, tables: &Tables<K>, arguments: &K::Arguments<'_>) -> K::Memory {
        let longest = || {
            let mut longest = vec![0; tables.plan.extents.len()];
            for processor in 0..tables.processors() {
                let lengths = tables.plan.lengths(processor);
                longest
                    .iter_mut()
                    .zip(lengths)
                    .for_each(|(most, &it)| *most = it.max(*most));
            }
            K::memory(arguments, &longest)
        };
        self.passages.take().unwrap_or_else(longest)
    }
}

/// Runs a program for one processor on the first rank, where the arguments are.
fn alone<K: Kernel>(
    program: &Program<K>,
    over: &mut Over<'_>,
    arguments: &mut K::Arguments<'_>,
) -> Result<(), RankError> {
    let rank = over.rank();
    if rank == FIRST {
        let options = Options::new().transport(TransportKind::InTurn);
        team::as_processor(|| program.run(&options, arguments))?;
    }
    if over.results != Results::Each {
        return Ok(());
    }
    // Arrays in whole: those that a program uses in place are in no list of results.
    let extents = &program.plan().extents;
    let whole = extents.iter().zip(0..).map(|(&count, array)| Strided {
        array,
        count,
        from: 0,
        from_step: 1,
        to: 0,
        to_step: 1,
    });
    let whole: Vec<Strided> = whole.collect();
    let mut memory = K::memory(arguments, extents);
    let mut bytes = Vec::new();
    if rank == FIRST {
        whole
            .iter()
            .for_each(|strided| K::scatter(arguments, &mut memory, strided));
        let strided = whole.iter().copied();
        bytes = packed::<K>(bytes, &mut K::Packet::default(), &memory, strided);
    }
    let bytes = broadcast(&mut *over.ranks, bytes)?;
    if rank != FIRST {
        let packet = &mut K::Packet::default();
        unpacked::<K>(FIRST, &bytes, packet, &mut memory, whole.iter().copied())?;
        whole
            .iter()
            .for_each(|strided| K::gather(arguments, &memory, strided));
    }
    Ok(())
}

impl<K: Kernel> Part<'_, K> {
    /// Runs with the arguments of a call.
    fn run_over(
        mut self,
        kept: &Kept<K>,
        over: &mut Over<'_>,
        arguments: &mut K::Arguments<'_>,
    ) -> Result<(), RankError> {
        self.packet = kept.packets.take().unwrap_or_default();
        self.scatter(kept, over, arguments)?;
        self.compute(&mut *over.ranks)?;
        self.gather(kept, over, arguments)?;
        kept.packets.put(self.packet);
        if let Some(memory) = self.memory {
            kept.parts.put((self.rank, memory));
        }
        Ok(())
    }

    /// Copies the inputs into the memories of all processors.
    fn scatter(
        &mut self,
        kept: &Kept<K>,
        over: &mut Over<'_>,
        arguments: &K::Arguments<'_>,
    ) -> Result<(), RankError> {
        let Self { tables, rank, .. } = *self;
        if let Some(memory) = &mut self.memory {
            if rank == FIRST || !over.is_scattered() {
                tables.scatter(rank, arguments, memory);
            } else {
                let strided = tables.plan.scatter[rank].iter().copied();
                receive_packed::<K>(over.ranks, FIRST, &mut self.packet, memory, strided)?;
            }
        }
        if rank == FIRST && over.is_scattered() {
            let mut memory = kept.passage(tables, arguments);
            for to in 1..tables.processors() {
                tables.scatter(to, arguments, &mut memory);
                let strided = tables.plan.scatter[to].iter().map(at_target);
                send_packed::<K>(over.ranks, &[to], &mut self.packet, &memory, strided)?;
            }
            kept.passages.put(memory);
        }
        Ok(())
    }

    /// Copies the results into the arguments of those who get them.
    fn gather(
        &mut self,
        kept: &Kept<K>,
        over: &mut Over<'_>,
        arguments: &mut K::Arguments<'_>,
    ) -> Result<(), RankError> {
        let Self { tables, rank, .. } = *self;
        let gather = &tables.plan.gather;
        if let Some(memory) = &self.memory {
            if over.gathers(rank) || over.is_left() {
                tables.gather(rank, arguments, memory);
            }
            let others = (0..over.ranks.size()).filter(|&to| to != rank);
            let to: Vec<usize> = others.filter(|&to| over.gathers(to)).collect();
            let strided = gather[rank].iter().copied();
            send_packed::<K>(over.ranks, &to, &mut self.packet, memory, strided)?;
        }
        if over.gathers(rank) {
            let mut memory = kept.passage(tables, arguments);
            for from in (0..tables.processors()).filter(|&from| from != rank) {
                let strided = gather[from].iter().map(at_source);
                receive_packed::<K>(over.ranks, from, &mut self.packet, &mut memory, strided)?;
                tables.gather(from, arguments, &memory);
            }
            kept.passages.put(memory);
        }
        Ok(())
    }
}
