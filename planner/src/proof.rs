//! The proof: every run of a plan gives the bits of the sequential run, however its processors
//! interleave.
//!
//! It trusts the plan in nothing, and the kernel's [`Track`] alone; it shares no code with the
//! schedulers. What it shows:
//!
//! 1. **Each grain once**: the grains are all iterations, and each stands at one position of one
//!    chunk.
//! 2. **The waits end**: a dry run of all processors comes to its end. As waits count ended chunks
//!    and nothing else holds a processor up, one order in which they end is enough.
//! 3. **Each dependence is kept**: of two grains that use a word which one of them writes, the
//!    earlier of the sequential run comes before the later. For that it is enough to look at each
//!    access beside the word's last writer before it (flow and output dependences) and, in a pass
//!    backwards, each read beside the word's next writer (anti-dependences): others follow over the
//!    writers between.
//!
//! One grain **comes before** another if it stands earlier on the same processor, or in a chunk
//! whose end the other's processor knows of: because of a wait before the other's chunk or an
//! earlier one of its processor, or because whoever was waited for knew of it then. The dry run
//! records that as a vector clock for each chunk (F. Mattern, *Virtual time and global states of
//! distributed systems*, 1988). For threads it holds if the counter of ended chunks is stored with
//! release and loaded with acquire order.
//!
//! Cost: one pass over the accesses, with one random read for each word, and one of a grain's place
//! where the writer is another grain; a second pass where a word is written that several grains
//! have read; chunks times processors. Memory: 8 bytes for each grain, 4 for each tracked word, 4
//! for each chunk and processor.

use std::{fmt, ops::Range};

use crate::{
    Accesses, Fault, Plan, Track, TrackError, Wait,
    track::{MOST_ITERATIONS, Words},
};

/// A plan that is proved for a kernel.
///
/// There is no other way to make one than [`prove`], so whoever takes a `Proved` need not doubt it.
/// It holds for the accesses that the kernel told then.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proved {
    plan: Plan,
}

impl Proved {
    /// Returns the plan.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Returns the plan, no longer known to be proved.
    pub fn into_plan(self) -> Plan {
        self.plan
    }
}

/// Proves a plan for a kernel.
///
/// # Errors
/// The first reason for which the plan is refused: of its numbers, its grains, its waits, then the
/// dependences in the order of the run. Never panics, whatever the plan holds.
///
/// ```
/// use superstep_planner::{Accesses, Fault, Plan, Track, Wait, prove};
///
/// /// `x[1] = x[0]`, after `x[0] = 1`.
/// struct Two;
///
/// impl Track for Two {
///     fn iterations(&self) -> u32 {
///         2
///     }
///     fn lengths(&self) -> &[usize] {
///         &[2]
///     }
///     fn track(&self, iteration: u32, x: &mut impl Accesses) -> Result<(), Fault> {
///         let i = iteration as usize;
///         x.read(0, 0..i);
///         x.write(0, i..i + 1);
///         Ok(())
///     }
/// }
///
/// let mut plan = Plan {
///     boundaries: [0, 1, 2].into(),
///     processors: vec![0, 1, 2],
///     chunks: vec![0, 1, 2],
///     grains: vec![0, 1],
///     first_waits: vec![0, 0, 1],
///     waits: vec![Wait { processor: 0, chunks: 1 }],
/// };
/// assert!(prove(&Two, plan.clone()).is_ok());
/// plan.waits[0].chunks = 0;
/// assert_eq!(
///     prove(&Two, plan).unwrap_err().to_string(),
///     "array 0, word 0: grain 1 (iteration 1; processor 1, chunk 0, position 0) reads it, and does not come after \
///      grain 0 (iteration 0; processor 0, chunk 0, position 0), which writes it before in the sequential run"
/// );
/// ```
pub fn prove(track: &impl Track, plan: Plan) -> Result<Proved, ProofError> {
    let words = Words::new(track)?;
    check_numbers(track.iterations(), &plan)?;
    let positions = positions(&plan)?;
    let facts = Facts {
        plan: &plan,
        words: &words,
        positions,
        known: Known::new(&plan)?,
        firsts: plan
            .processors
            .iter()
            .map(|&chunk| plan.chunks[chunk as usize])
            .collect(),
    };
    let (table, is_done) = facts.forwards(track)?;
    if !is_done {
        facts.backwards(track, table)?;
    }
    Ok(Proved { plan })
}

/// Errors of proving a plan.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProofError {
    /// The kernel can't be tracked.
    #[error(transparent)]
    Track(#[from] TrackError),
    /// Numbers of the plan contradict each other.
    #[error("the plan has {what}")]
    Malformed {
        /// How they do.
        what: &'static str,
    },
    /// A wait for what the plan has not.
    #[error("processor {processor}, chunk {chunk} waits for {} chunks of processor {}", wait.chunks, wait.processor)]
    Unfulfillable {
        /// The processor that waits.
        processor: u32,
        /// Which of its chunks.
        chunk: u32,
        /// The wait.
        wait: Wait,
    },
    /// A grain that the plan has not.
    #[error("there is no grain {grain}, but it stands at position {position}")]
    Unknown {
        /// Its number.
        grain: u32,
        /// Where it stands in the list of all grains.
        position: u32,
    },
    /// A grain that runs nowhere.
    #[error("grain {grain} runs nowhere")]
    Missing {
        /// The grain.
        grain: u32,
    },
    /// A grain that runs twice.
    #[error("{first} stands at processor {}, chunk {}, position {} too", second.processor, second.chunk, second.position)]
    Repeated {
        /// Where it stands first.
        first: Place,
        /// Where it stands again.
        second: Place,
    },
    /// Waits that never end, as each is for another.
    #[error(
        "processor {processor}, chunk {chunk} waits forever for {} chunks of processor {}",
        wait.chunks, wait.processor
    )]
    Deadlock {
        /// The first processor that does not come to its end.
        processor: u32,
        /// Which of its chunks.
        chunk: u32,
        /// What it waits for.
        wait: Wait,
    },
    /// Two grains that use a word are not ordered as in the sequential run.
    #[error(
        "array {array}, word {word}: {second} {}, and does not come after {first}, which {} it before in the sequential run",
        dependence.second(), dependence.first()
    )]
    Unordered {
        /// How they use the word.
        dependence: Dependence,
        /// The array.
        array: u16,
        /// The word.
        word: usize,
        /// The grain that must come before.
        first: Place,
        /// The grain that must come after.
        second: Place,
    },
}

/// How two grains that must be ordered use a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dependence {
    /// The first writes what the second reads.
    Flow,
    /// The first reads what the second overwrites.
    Anti,
    /// Both write.
    Output,
}

impl Dependence {
    fn first(self) -> &'static str {
        match self {
            Self::Flow | Self::Output => "writes",
            Self::Anti => "reads",
        }
    }

    fn second(self) -> &'static str {
        match self {
            Self::Flow => "reads it",
            Self::Anti | Self::Output => "writes it",
        }
    }
}

/// Where a grain stands in a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The grain.
    pub grain: u32,
    /// Its iterations.
    pub iterations: Range<u32>,
    /// The processor that runs it.
    pub processor: u32,
    /// The chunk, counted among those of the processor.
    pub chunk: u32,
    /// Its position in the chunk.
    pub position: u32,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (first, last) = (self.iterations.start, self.iterations.end - 1);
        write!(f, "grain {} (iteration {first}", self.grain)?;
        if last > first {
            write!(f, " to {last}")?;
        }
        write!(
            f,
            "; processor {}, chunk {}, position {})",
            self.processor, self.chunk, self.position
        )
    }
}

/// Checks that the arrays of a plan fit each other, so that the rest may index them.
fn check_numbers(iterations: u32, plan: &Plan) -> Result<(), ProofError> {
    let ascends = |offsets: &[u32], end: usize| {
        offsets.first() == Some(&0)
            && offsets.last().is_some_and(|&last| last as usize == end)
            && offsets.is_sorted()
    };
    let chunks = plan.chunks.len().saturating_sub(1);
    let processors = plan.processors.len().saturating_sub(1);
    let malformed = |what| Err(ProofError::Malformed { what });
    if processors == 0 || processors > Plan::MOST_PROCESSORS as usize {
        return malformed("no processor, or too many");
    }
    if !ascends(&plan.boundaries, iterations as usize)
        || !plan.boundaries.is_sorted_by(|a, b| a < b)
    {
        return malformed("grains that are not all iterations in order");
    }
    if !ascends(&plan.processors, chunks) {
        return malformed("processors that do not divide its chunks");
    }
    if !ascends(&plan.chunks, plan.grains.len()) {
        return malformed("chunks that do not divide its grains");
    }
    if plan.first_waits.len() != plan.chunks.len() || !ascends(&plan.first_waits, plan.waits.len())
    {
        return malformed("chunks that do not divide its waits");
    }
    for processor in 0..processors as u32 {
        let first = plan.chunks_of(processor).start;
        for chunk in plan.chunks_of(processor) {
            let cannot_end = |wait: &&Wait| {
                wait.processor == processor
                    || wait.processor as usize >= processors
                    || wait.chunks as usize > plan.chunks_of(wait.processor).len()
            };
            if let Some(&wait) = plan.waits_of(chunk).iter().find(cannot_end) {
                let chunk = chunk - first;
                return Err(ProofError::Unfulfillable {
                    processor,
                    chunk,
                    wait,
                });
            }
        }
    }
    Ok(())
}

/// In place of a chunk: the grain has not been met.
const NOWHERE: u32 = u32::MAX;

/// Chunk of each grain, counted through the plan, and its position in the list of all grains.
fn positions(plan: &Plan) -> Result<Vec<(u32, u32)>, ProofError> {
    let mut positions = vec![(NOWHERE, 0); plan.boundaries.len() - 1];
    for chunk in 0..plan.chunks.len() as u32 - 1 {
        let first = plan.chunks[chunk as usize];
        for (&grain, position) in plan.grains_of(chunk).iter().zip(first..) {
            match positions.get_mut(grain as usize) {
                None => return Err(ProofError::Unknown { grain, position }),
                Some(met) if met.0 == NOWHERE => *met = (chunk, position),
                Some(&mut (_, before)) => {
                    return Err(ProofError::Repeated {
                        first: place(plan, before),
                        second: place(plan, position),
                    });
                }
            }
        }
    }
    match positions.iter().position(|met| met.0 == NOWHERE) {
        Some(grain) => Err(ProofError::Missing {
            grain: grain as u32,
        }),
        None => Ok(positions),
    }
}

/// The place that is at a position in the list of all grains.
fn place(plan: &Plan, position: u32) -> Place {
    let chunk = plan.chunks.partition_point(|&first| first <= position) - 1;
    let processor = plan
        .processors
        .partition_point(|&first| first as usize <= chunk)
        - 1;
    let grain = plan.grains[position as usize];
    Place {
        grain,
        iterations: plan.iterations_of(grain),
        processor: processor as u32,
        chunk: chunk as u32 - plan.processors[processor],
        position: position - plan.chunks[chunk],
    }
}

/// For each chunk and processor, how far that processor is known to have come when the chunk
/// begins.
struct Known {
    processors: usize,
    /// The first position in the list of all grains that is not known to be past.
    until: Vec<u32>,
}

impl Known {
    /// Runs the waits dry.
    fn new(plan: &Plan) -> Result<Self, ProofError> {
        let processors = plan.processors.len() - 1;
        let mut known = Self {
            processors,
            until: vec![0; (plan.chunks.len() - 1) * processors],
        };
        let mut next = plan.processors[..processors].to_vec();
        let mut runnable: Vec<usize> = (0..processors).rev().collect();
        // The processors that are waiting for each processor.
        let mut waiters = vec![Vec::new(); processors];
        while let Some(processor) = runnable.pop() {
            if next[processor] == plan.processors[processor + 1] {
                continue;
            }
            let chunk = next[processor];
            if let Some(wait) = unfulfilled(plan, chunk, &next) {
                waiters[wait.processor as usize].push(processor);
                continue;
            }
            known.begin(plan, processor, chunk);
            next[processor] += 1;
            runnable.push(processor);
            runnable.append(&mut waiters[processor]);
        }
        match (0..processors).find(|&each| next[each] < plan.processors[each + 1]) {
            None => Ok(known),
            Some(processor) => {
                let chunk = next[processor];
                Err(ProofError::Deadlock {
                    processor: processor as u32,
                    chunk: chunk - plan.processors[processor],
                    wait: unfulfilled(plan, chunk, &next).unwrap_or_default(),
                })
            }
        }
    }

    /// Notes what a processor knows when it begins a chunk, all of whose waits are fulfilled.
    fn begin(&mut self, plan: &Plan, processor: usize, chunk: u32) {
        let (before, row) = self.until.split_at_mut(chunk as usize * self.processors);
        let row = &mut row[..self.processors];
        if chunk == plan.processors[processor] {
            for (until, &first) in row.iter_mut().zip(&plan.processors) {
                *until = plan.chunks[first as usize];
            }
        } else {
            row.copy_from_slice(&before[before.len() - self.processors..]);
        }
        for wait in plan.waits_of(chunk) {
            if wait.chunks == 0 {
                continue;
            }
            let last = plan.processors[wait.processor as usize] + wait.chunks - 1;
            for peer in 0..self.processors {
                let theirs = self.until[last as usize * self.processors + peer];
                let own = &mut self.until[chunk as usize * self.processors + peer];
                *own = theirs.max(*own);
            }
            let own = &mut self.until[chunk as usize * self.processors + wait.processor as usize];
            *own = plan.chunks[last as usize + 1].max(*own);
        }
        self.until[chunk as usize * self.processors + processor] = plan.chunks[chunk as usize];
    }

    /// How far each processor is known to have come when a chunk begins.
    fn row(&self, chunk: u32) -> &[u32] {
        &self.until[chunk as usize * self.processors..][..self.processors]
    }
}

/// The first wait of a chunk that is not fulfilled, where each processor has come to its next
/// chunk.
fn unfulfilled(plan: &Plan, chunk: u32, next: &[u32]) -> Option<Wait> {
    let is_open = |wait: &&Wait| {
        let peer = wait.processor as usize;
        next[peer] - plan.processors[peer] < wait.chunks
    };
    plan.waits_of(chunk).iter().find(is_open).copied()
}

/// No position: a word that nobody has used so far.
const NONE: u32 = u32::MAX;
/// A word that several grains have read before any has written it.
const MANY: u32 = u32::MAX - 1;
/// Marks the position of the one grain that has read a word, before any has written it.
const READER: u32 = 1 << 31;

struct Facts<'a> {
    plan: &'a Plan,
    words: &'a Words,
    /// Chunk and position of each grain.
    positions: Vec<(u32, u32)>,
    known: Known,
    /// The first position of each processor, and the end of all.
    firsts: Vec<u32>,
}

impl Facts<'_> {
    /// Compares all accesses with the last writers before them; true if that is all there is to
    /// compare.
    fn forwards(&self, track: &impl Track) -> Result<(Vec<u32>, bool), ProofError> {
        let mut last = Last {
            walk: Walk::new(self),
            table: self.words.table(track, NONE)?,
            is_done: true,
        };
        for grain in 0..self.positions.len() as u32 {
            last.walk.begin(grain);
            for iteration in self.plan.iterations_of(grain) {
                let told = track.track(iteration, &mut last);
                refuse(iteration, last.walk.refused.take(), told)?;
            }
        }
        Ok((last.table, last.is_done))
    }

    /// Compares all reads with the next writers after them.
    fn backwards(&self, track: &impl Track, mut table: Vec<u32>) -> Result<(), ProofError> {
        table.fill(NONE);
        let mut next = Next {
            walk: Walk::new(self),
            table,
        };
        for grain in (0..self.positions.len() as u32).rev() {
            next.walk.begin(grain);
            for iteration in self.plan.iterations_of(grain).rev() {
                let told = track.track(iteration, &mut next);
                refuse(iteration, next.walk.refused.take(), told)?;
            }
        }
        Ok(())
    }
}

/// Why an iteration ends the proof.
enum Refused {
    Fault(Fault),
    Unordered(Box<ProofError>),
}

/// The first reason, of the receiver's, which comes before the one with which the iteration ended.
fn refuse(
    iteration: u32,
    kept: Option<Refused>,
    told: Result<(), Fault>,
) -> Result<(), ProofError> {
    let fault = match (kept, told) {
        (None, Ok(())) => return Ok(()),
        (Some(Refused::Unordered(error)), _) => return Err(*error),
        (Some(Refused::Fault(fault)), _) | (None, Err(fault)) => fault,
    };
    Err(TrackError::Fault { iteration, fault }.into())
}

/// The grain that a pass has come to.
struct Walk<'a> {
    facts: &'a Facts<'a>,
    position: u32,
    /// How far each processor is known to have come.
    known: &'a [u32],
    /// The first position of its chunk.
    chunk: u32,
    /// The position that was compared last, in order.
    compared: u32,
    refused: Option<Refused>,
}

impl<'a> Walk<'a> {
    fn new(facts: &'a Facts<'a>) -> Self {
        Self {
            facts,
            position: 0,
            known: &[],
            chunk: 0,
            compared: NONE,
            refused: None,
        }
    }

    #[inline]
    fn begin(&mut self, grain: u32) {
        let (chunk, position) = self.facts.positions[grain as usize];
        self.position = position;
        self.known = self.facts.known.row(chunk);
        self.chunk = self.facts.plan.chunks[chunk as usize];
        self.compared = NONE;
    }

    #[inline]
    fn entries(&mut self, array: u16, words: &Range<usize>) -> Range<usize> {
        match self.facts.words.entries(array, words) {
            Ok(entries) => entries,
            Err(fault) => {
                self.refused.get_or_insert(Refused::Fault(fault));
                0..0
            }
        }
    }

    /// Refuses the plan unless the grain at another position comes before this one.
    #[inline]
    fn compare_earlier(&mut self, dependence: Dependence, entry: usize, earlier: u32) {
        if earlier == self.compared {
            return;
        }
        let is_before = (self.chunk..self.position).contains(&earlier)
            || self.facts.is_past(earlier, self.known);
        if is_before {
            self.compared = earlier;
        } else {
            self.refuse(dependence, entry, earlier, self.position);
        }
    }

    /// Refuses the plan unless the grain at another position comes after this one.
    #[inline]
    fn compare_later(&mut self, dependence: Dependence, entry: usize, later: u32) {
        if later == self.compared {
            return;
        }
        let grain = self.facts.plan.grains[later as usize];
        let chunk = self.facts.positions[grain as usize].0;
        let first = self.facts.plan.chunks[chunk as usize];
        let is_before = (first..later).contains(&self.position)
            || self
                .facts
                .is_past(self.position, self.facts.known.row(chunk));
        if is_before {
            self.compared = later;
        } else {
            self.refuse(dependence, entry, self.position, later);
        }
    }

    #[cold]
    fn refuse(&mut self, dependence: Dependence, entry: usize, first: u32, second: u32) {
        let (array, word) = self.facts.words.word(entry);
        let error = ProofError::Unordered {
            dependence,
            array,
            word,
            first: place(self.facts.plan, first),
            second: place(self.facts.plan, second),
        };
        self.refused
            .get_or_insert(Refused::Unordered(Box::new(error)));
    }
}

impl Facts<'_> {
    /// Whether a position is past, where each processor is known to have come so far.
    #[inline]
    fn is_past(&self, position: u32, known: &[u32]) -> bool {
        // Processors without grains begin where the next one does: the last of them has the
        // position.
        let processor = self.firsts.partition_point(|&first| first <= position) - 1;
        position < known[processor]
    }
}

/// The pass forwards.
struct Last<'a> {
    walk: Walk<'a>,
    /// For each word the position of its last writer; before there is one, of the only grain that
    /// has read it, marked.
    table: Vec<u32>,
    is_done: bool,
}

impl Accesses for Last<'_> {
    #[inline]
    fn read(&mut self, array: u16, words: Range<usize>) {
        let own = self.walk.position;
        for entry in self.walk.entries(array, &words) {
            let before = self.table[entry];
            if before == own {
                continue;
            }
            if before <= MOST_ITERATIONS {
                self.walk.compare_earlier(Dependence::Flow, entry, before);
            } else if before == NONE {
                self.table[entry] = own | READER;
            } else if before != own | READER {
                self.table[entry] = MANY;
            }
        }
    }

    #[inline]
    fn write(&mut self, array: u16, words: Range<usize>) {
        let own = self.walk.position;
        for entry in self.walk.entries(array, &words) {
            let before = std::mem::replace(&mut self.table[entry], own);
            if before == NONE || before == own || before == own | READER {
                continue;
            }
            if before == MANY {
                self.is_done = false;
            } else if before <= MOST_ITERATIONS {
                // Readers between the two writers are not known here.
                self.is_done = false;
                self.walk.compare_earlier(Dependence::Output, entry, before);
            } else {
                let before = before & !READER;
                self.walk.compare_earlier(Dependence::Anti, entry, before);
            }
        }
    }
}

/// The pass backwards.
struct Next<'a> {
    walk: Walk<'a>,
    /// For each word the position of its next writer.
    table: Vec<u32>,
}

impl Accesses for Next<'_> {
    #[inline]
    fn read(&mut self, array: u16, words: Range<usize>) {
        for entry in self.walk.entries(array, &words) {
            let later = self.table[entry];
            // A grain that writes the word itself comes before the next writer as its last writer.
            if later != NONE && later != self.walk.position {
                self.walk.compare_later(Dependence::Anti, entry, later);
            }
        }
    }

    #[inline]
    fn write(&mut self, array: u16, words: Range<usize>) {
        let entries = self.walk.entries(array, &words);
        self.table[entries].fill(self.walk.position);
    }
}
