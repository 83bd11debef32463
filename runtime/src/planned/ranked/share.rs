//! Shares of ranks: rank 0 has the plan, and gives each rank what it needs of it.

use std::fmt::Display;

use superstep_order::Rows;
use superstep_plan::digest;
use superstep_planner::exchange::{Exchange, Part, Progression, decode, decode_runs, encode_runs};

use super::Ranked;
use crate::planned::extents::{Array, Kind};
use crate::planned::file::identity;
use crate::planned::program::Program;
use crate::planned::tracked::{Loops, Tracked};
use crate::planned::{Grains, Planned, PlanningError, Settings};
use crate::ranks::{Communicator, FIRST, RankError, Refusal, agree_on, receive_words, send_words};

/// Share of a rank in a plan.
#[derive(Default)]
pub(super) struct Share {
    /// Level of the iterations.
    pub(super) level: usize,
    /// Hash of the plan and its control arguments.
    pub(super) key: u64,
    /// Words that are needed of each array that is tracked.
    pub(super) extents: Vec<usize>,
    pub(super) part: Part,
    /// Words that each rank reads first, for rank 0.
    pub(super) inputs: Rows<Progression>,
    /// Words that each rank writes last.
    pub(super) results: Rows<Progression>,
}

/// Shares of all ranks: the own one, and the parts of the others as bytes.
struct Shares {
    own: Share,
    others: Vec<Vec<u8>>,
}

impl<K: Grains> Ranked<K> {
    /// Makes a plan for as many processors as there are ranks, by `plan` on rank 0, and gives each
    /// rank its part (collective).
    ///
    /// # Errors
    /// On all ranks, if rank 0 has no plan, a rank has other control arguments, or words are not
    /// known as bytes. If the engine fails.
    pub fn share<E: Display>(
        control: K::Control<'_>,
        settings: Settings,
        ranks: &mut dyn Communicator,
        plan: impl FnOnce(Settings) -> Result<Planned<K>, E>,
    ) -> Result<Self, RankError> {
        let (rank, size) = (ranks.rank(), ranks.size());
        let own = identity::<K>(control).digest() as u64;
        let able = able::<K, E>(control, own, [rank, size], settings, plan);
        let others = Refusal::OtherControl { kernel: K::NAME };
        let shares = agree_on(able, |_| own, &others, ranks)?;
        let share = match shares {
            Some(shares) => give(shares, ranks),
            None => receive(rank, size, ranks),
        };
        let ranked = share.and_then(|share| {
            ranks.flush()?;
            let ranked = Self::new(control, [rank, size], share);
            let malformed = RankError::Malformed { from: FIRST };
            ranked.ok().flatten().ok_or(malformed)
        });
        ranked.inspect_err(|error| ranks.abort(error))
    }
}

/// Returns the shares of all ranks, on rank 0, if this rank can run one.
fn able<K: Grains, E: Display>(
    control: K::Control<'_>,
    identity: u64,
    [rank, size]: [usize; 2],
    settings: Settings,
    plan: impl FnOnce(Settings) -> Result<Planned<K>, E>,
) -> Result<Option<Shares>, Refusal> {
    let kernel = K::NAME;
    let mut packet = K::Packet::default();
    K::streams(&mut packet, &mut |_| {}).map_err(|element| Refusal::Element { kernel, element })?;
    if let Some(processors) = settings.processors.filter(|&processors| processors != size) {
        return Err(Refusal::Processors {
            kernel,
            processors,
            ranks: size,
        });
    }
    if rank != FIRST {
        return Ok(None);
    }
    let unplanned = |message: String| Refusal::Unplanned { message };
    let planned = plan(settings.exactly(size).single());
    let planned = planned.map_err(|error| unplanned(error.to_string()))?;
    let program = planned.runner.program();
    let shares = Loops::of::<K, _>(control, |loops| shares(loops, program, size));
    let mut shares = shares.map_err(|error| unplanned(error.to_string()))?;
    let program = program.identity(kernel).to_le_bytes();
    shares.own.key = digest(&identity.to_le_bytes(), &program);
    Ok(Some(shares))
}

/// Makes the shares of so many ranks in a program.
fn shares(loops: &Loops<'_>, program: &Program, ranks: usize) -> Result<Shares, PlanningError> {
    let tracked = Tracked::new(loops, &program.space)?;
    let fault = |source: superstep_planner::TrackError| PlanningError::Plan {
        kernel: loops.kernel,
        source: source.into(),
    };
    let exchange = Exchange::new(&tracked, &program.proved, ranks).map_err(fault)?;
    let needed = program.needed.iter();
    let mut own = Share {
        level: program.space.level(),
        extents: needed.map(|needed| needed.words).collect(),
        ..Share::default()
    };
    let mut others = Vec::with_capacity(ranks);
    for rank in 0..ranks {
        let mut part = match rank < exchange.processors() {
            true => exchange.part(rank).map_err(fault)?,
            false => Part::default(),
        };
        // Nobody has words of the kernel's own arrays before a run, or wants them after it.
        let is_argument = |run: &Progression| is_argument(loops.arrays, run.array);
        part.inputs.retain(is_argument);
        part.results.retain(is_argument);
        own.inputs.items.extend_from_slice(&part.inputs);
        own.inputs.end_row();
        own.results.items.extend_from_slice(&part.results);
        own.results.end_row();
        match rank {
            FIRST => own.part = part,
            _ => others.push(part.encode()),
        }
    }
    Ok(Shares { own, others })
}

/// Returns whether an array of a part is an argument.
fn is_argument(arrays: &[Array], array: u16) -> bool {
    let mut in_part = arrays.iter().filter(|array| array.kind != Kind::Scratch);
    let array = in_part.nth(array.into());
    array.is_some_and(|array| array.kind != Kind::Common)
}

/// Sends all other ranks their shares; returns the own one.
fn give(shares: Shares, ranks: &mut dyn Communicator) -> Result<Share, RankError> {
    let Shares { own, others } = shares;
    let mut head = vec![own.level as u64, own.key];
    head.extend(own.extents.iter().map(|&words| words as u64));
    let results = encode_runs(&own.results);
    for (rank, part) in (FIRST + 1..).zip(others) {
        send_words(ranks, rank, &head)?;
        ranks.send(rank, results.clone())?;
        ranks.send(rank, part)?;
    }
    Ok(own)
}

/// Receives the own share of rank 0.
fn receive(rank: usize, size: usize, ranks: &mut dyn Communicator) -> Result<Share, RankError> {
    let malformed = || RankError::Malformed { from: FIRST };
    let head: Vec<u64> = receive_words(ranks, FIRST)?;
    let results = decode_runs(&ranks.receive(FIRST)?).map_err(|_| malformed())?;
    let part = decode(&ranks.receive(FIRST)?, size).map_err(|_| malformed())?;
    let [level, key, ref extents @ ..] = head[..] else {
        return Err(malformed());
    };
    let sizes = |&number: &u64| usize::try_from(number).ok();
    let extents: Option<Vec<usize>> = extents.iter().map(sizes).collect();
    let is_own = results.len() == size && results.row(rank) == part.results;
    match (sizes(&level), extents) {
        (Some(level), Some(extents)) if is_own => Ok(Share {
            level,
            key,
            extents,
            part,
            inputs: Rows::default(),
            results,
        }),
        _ => Err(malformed()),
    }
}
