//! Runs of a plan over ranks: each rank receives, computes and sends, step by step.

use std::collections::HashMap;

use superstep_planner::exchange::Progression;

use super::strided::{back, in_a_row};
use super::{Ranked, numbers};
use crate::error::catch;
use crate::planned::Grains;
use crate::planned::extents::{Array, Kind, Needed};
use crate::planned::list::Place;
use crate::planned::slots::Slots;
use crate::ranks::{
    Communicator, FIRST, Over, RankError, Refusal, agree_on, at_target, computed, receive_packed,
    send_packed, supersteps, unpacked,
};

/// Runs a plan over ranks (collective): each runs its part.
///
/// # Errors
/// If a rank has another plan, or too short arguments: on all ranks, and nothing has run. If a rank
/// panics or the engine fails: the communicator is aborted.
pub fn run_over<K: Grains>(
    ranked: &Ranked<K>,
    control: K::Control<'_>,
    mut over: Over<'_>,
    mut arguments: K::Arguments<'_>,
) -> Result<(), RankError> {
    let able = ranked.able(&over, &arguments);
    let another = Refusal::AnotherPlan { kernel: K::NAME };
    let mut memory = agree_on(able, |_| ranked.key, &another, &mut *over.ranks)?;
    let mut run = Running::new(ranked, &mut memory);
    let ran = run
        .scatter(&mut over, &arguments)
        .and_then(|()| run.steps(control, &mut *over.ranks))
        .and_then(|()| run.gather(&mut over, &mut arguments))
        .and_then(|()| over.ranks.flush());
    ran.inspect_err(|error| over.ranks.abort(error))?;
    ranked.memories.put(memory);
    Ok(())
}

impl<K: Grains> Ranked<K> {
    /// Returns memory for a run, if this rank can run its part.
    fn able(&self, over: &Over<'_>, arguments: &K::Arguments<'_>) -> Result<K::Memory, Refusal> {
        let kernel = K::NAME;
        let ranks = [over.ranks.rank(), over.ranks.size()];
        if ranks != [self.rank, self.size] {
            return Err(Refusal::Elsewhere { kernel });
        }
        let is_long = |needed: &Needed| {
            let found = K::argument_words(arguments, needed.array.number);
            let is_argument = !matches!(needed.array.kind, Kind::Common | Kind::Scratch);
            let fits = needed.known.is_none_or(|known| known == found);
            !is_argument || found >= needed.words && fits
        };
        if over.uses_arguments() && !self.needed.iter().all(is_long) {
            return Err(Refusal::Short { kernel });
        }
        let new = || catch(|| K::memory(arguments, &self.lengths)).ok();
        let memory = self.memories.take().or_else(new);
        memory.ok_or(Refusal::Empty { kernel })
    }
}

/// Part of a rank in a run.
pub(super) struct Running<'r, K: Grains> {
    ranked: &'r Ranked<K>,
    memory: &'r mut K::Memory,
    /// Packet that is filled, or emptied.
    packet: K::Packet,
    /// Numbers of arrays.
    numbers: Vec<u16>,
    /// Next message of each peer.
    next: Vec<usize>,
    /// Messages that have come before their step.
    early: HashMap<usize, Vec<u8>>,
    /// Number of messages that were sent.
    sent: usize,
}

impl<'r, K: Grains> Running<'r, K> {
    pub(super) fn new(ranked: &'r Ranked<K>, memory: &'r mut K::Memory) -> Self {
        let ends = &ranked.comings.receives.ends;
        let first = |peer: usize| ends.partition_point(|end| (end.peer as usize) < peer);
        Self {
            ranked,
            memory,
            packet: K::Packet::default(),
            numbers: numbers(&Array::all::<K>()),
            next: (0..ranked.size).map(first).collect(),
            early: HashMap::new(),
            sent: 0,
        }
    }

    /// Copies the inputs into the memories of all ranks.
    fn scatter(
        &mut self,
        over: &mut Over<'_>,
        arguments: &K::Arguments<'_>,
    ) -> Result<(), RankError> {
        let Ranked { rank, comings, .. } = self.ranked;
        if !over.is_scattered() || *rank == FIRST {
            for strided in &comings.inputs {
                K::scatter(arguments, self.memory, strided);
            }
        } else {
            let strided = comings.inputs.iter().copied();
            receive_packed::<K>(over.ranks, FIRST, &mut self.packet, self.memory, strided)?;
        }
        if over.is_scattered() && *rank == FIRST {
            for to in 1..self.ranked.size {
                let (lengths, strided) = self.in_a_row(FIRST, self.ranked.inputs.row(to))?;
                let mut memory = K::memory(arguments, &lengths);
                strided
                    .iter()
                    .for_each(|strided| K::scatter(arguments, &mut memory, strided));
                let strided = strided.iter().map(at_target);
                send_packed::<K>(over.ranks, &[to], &mut self.packet, &memory, strided)?;
            }
        }
        Ok(())
    }

    /// Runs the steps of this rank.
    pub(super) fn steps(
        &mut self,
        control: K::Control<'_>,
        ranks: &mut dyn Communicator,
    ) -> Result<(), RankError> {
        let (count, rank) = (self.ranked.lists.chunks(), self.ranked.rank);
        supersteps::<K>(count, rank, |step| {
            self.receive(step, ranks)?;
            self.compute(control, step)?;
            self.send(step, ranks)
        })
    }

    /// Takes in the messages of a step. Those that were sent before them are kept.
    fn receive(&mut self, step: usize, ranks: &mut dyn Communicator) -> Result<(), RankError> {
        let comings = &self.ranked.comings;
        for &message in comings.due.row(step) {
            let message = message as usize;
            let from = comings.receives.ends[message].peer as usize;
            let bytes = loop {
                if let Some(bytes) = self.early.remove(&message) {
                    break bytes;
                }
                self.early.insert(self.next[from], ranks.receive(from)?);
                self.next[from] += 1;
            };
            let strided = comings.receives.runs.row(message).iter().copied();
            unpacked::<K>(from, &bytes, &mut self.packet, self.memory, strided)?;
            ranks.reuse(bytes);
        }
        Ok(())
    }

    /// Runs the iterations of a step.
    fn compute(&mut self, control: K::Control<'_>, step: usize) -> Result<(), RankError> {
        let Ranked {
            rank,
            space,
            lists,
            held,
            ..
        } = self.ranked;
        let memory = &mut *self.memory;
        let compute = || {
            let (slots, place) = (Slots::new(held, *rank), Place::default());
            let mut view = K::view(memory);
            let chunk = step as u32;
            let mut from = lists.range(chunk..chunk + 1).start;
            for (visit, end) in lists.visits(chunk, from) {
                let intervals = lists.intervals(from..end);
                let site = space.site(visit, intervals, &place);
                K::compute_held(control, &site, slots, &mut view);
                from = end;
            }
        };
        computed::<K, _>(step, *rank, compute)?;
        Ok(())
    }

    /// Sends the messages behind a step.
    fn send(&mut self, step: usize, ranks: &mut dyn Communicator) -> Result<(), RankError> {
        let sends = &self.ranked.comings.sends;
        while let Some(end) = sends.ends.get(self.sent)
            && end.step as usize == step
        {
            let strided = sends.runs.row(self.sent).iter().map(at_target);
            let to = [end.peer as usize];
            send_packed::<K>(ranks, &to, &mut self.packet, self.memory, strided)?;
            self.sent += 1;
        }
        Ok(())
    }

    /// Copies the results into the arguments of those who get them.
    fn gather(
        &mut self,
        over: &mut Over<'_>,
        arguments: &mut K::Arguments<'_>,
    ) -> Result<(), RankError> {
        let ranked = self.ranked;
        let results = &ranked.comings.results;
        if over.gathers(ranked.rank) || over.is_left() {
            for strided in results {
                K::gather(arguments, self.memory, &back(strided));
            }
        }
        let others = (0..ranked.size).filter(|&to| to != ranked.rank);
        let to: Vec<usize> = others.filter(|&to| over.gathers(to)).collect();
        let strided = results.iter().map(at_target);
        send_packed::<K>(over.ranks, &to, &mut self.packet, self.memory, strided)?;
        if !over.gathers(ranked.rank) {
            return Ok(());
        }
        for from in (0..ranked.size).filter(|&from| from != ranked.rank) {
            let (lengths, strided) = self.in_a_row(from, ranked.results.row(from))?;
            let mut memory = K::memory(arguments, &lengths);
            let all = strided.iter().copied();
            receive_packed::<K>(over.ranks, from, &mut self.packet, &mut memory, all)?;
            for strided in &strided {
                K::gather(arguments, &memory, &back(strided));
            }
        }
        Ok(())
    }

    /// Returns the words of runs one after the other, as they cross from or to a rank.
    fn in_a_row(
        &self,
        from: usize,
        runs: &[Progression],
    ) -> Result<(Vec<u32>, Vec<superstep_plan::Strided>), RankError> {
        in_a_row(runs, &self.numbers, K::ARRAYS).ok_or(RankError::Malformed { from })
    }
}
