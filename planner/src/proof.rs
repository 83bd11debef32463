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
//! 3. **Each dependence is kept**. Of two grains that use a word which one of them writes, the
//!    earlier of the sequential run comes before the later. Two comparisons are enough. Each access
//!    is compared with the word's last writer before it (flow and output dependences). In a pass
//!    backwards, each read is compared with the word's next writer (anti-dependences). All others
//!    follow over the writers between.
//!
//! One grain **comes before** another if it stands earlier on the same processor, or in a chunk
//! whose end the other's processor knows of. It knows because of a wait before the other's chunk,
//! or before an earlier one of its processor. Or it knows at second hand (transitively): whoever
//! was waited for knew of it then.
//!
//! The dry run records that as a vector clock for each chunk (F. Mattern, *Virtual time and global
//! states of distributed systems*, 1988). For threads it holds if the counter of ended chunks is
//! stored with release and loaded with acquire order.
//!
//! Cost: one pass over the accesses, with one random read for each word. Where the other grain is
//! on another processor, that is found by binary search. There is a second pass where a word is
//! written by several grains, or after several have read it. The dry run takes waits and chunks
//! that wait, times processors. Where one processor runs all grains in order there is nothing to
//! compare.
//!
//! Memory: 8 bytes for each grain, 4 for each tracked word and each chunk, 4 for each processor and
//! chunk that waits ([`memory`]).

mod error;
mod known;
mod passes;

use crate::{Plan, Track, Wait, track::Words};
use std::sync::Arc;

pub use error::{Dependence, Position, ProofError};
use known::Known;
pub use known::memory;

/// A plan that is proved for a kernel.
///
/// There is no other way to make one than [`prove`], and [`in_order`](Self::in_order) of one, so
/// whoever takes a `Proved` need not doubt it. It holds for the accesses that the kernel told
/// then.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proved {
    plan: Plan,
}

impl Proved {
    /// Returns the plan.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Returns the plan that runs the same iterations in order, on one processor: it keeps all
    /// dependences.
    #[must_use]
    pub fn in_order(&self) -> Self {
        let iterations = self.plan.boundaries.last().copied().unwrap_or(0);
        Self {
            plan: Plan::sequential(Arc::from([0, iterations])),
        }
    }
}

/// Proves a plan for a kernel.
///
/// # Errors
/// The first reason for which the plan is refused. Reasons are of its numbers, its grains, its
/// waits, then the accesses and dependences in the order of the run. Last come anti-dependences
/// that the pass backwards finds, from the end of the run. Never panics, whatever the plan holds.
///
/// ```
/// use std::ops::Range;
/// use std::sync::Arc;
/// use superstep_planner::{Accesses, Fault, Order, Plan, Rows, Track, Wait, prove};
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
///     fn track(&self, iterations: Range<u32>, x: &mut Accesses<'_>) -> Result<(), Fault> {
///         for i in iterations.start as usize..iterations.end as usize {
///             x.begin();
///             x.read(0, 0..i);
///             x.write(0, i..i + 1);
///         }
///         Ok(())
///     }
/// }
///
/// let plan = |steps| Plan {
///     boundaries: [0, 1, 2].into(),
///     order: Arc::new(Order {
///         processors: vec![0, 1, 2],
///         waits: Rows::sorted(2, [(1, Wait { processor: 0, steps })].into_iter()),
///     }),
///     grains: Rows::sorted(2, [(0, 0), (1, 1)].into_iter()),
/// };
/// assert!(prove(&Two, plan(1)).is_ok());
/// assert_eq!(
///     prove(&Two, plan(0)).unwrap_err().to_string(),
///     "array 0, word 0: grain 1 (iteration 1; processor 1, chunk 0, position 0) \
///      reads it, and does not come after \
///      grain 0 (iteration 0; processor 0, chunk 0, position 0), \
///      which writes it before in the sequential run"
/// );
/// ```
pub fn prove(track: &dyn Track, plan: Plan) -> Result<Proved, ProofError> {
    prove_after(false, track, plan)
}

/// Checks that a plan has each of so many iterations once, in order within grains, and waits that
/// end. That is all that can be known of it without its kernel.
///
/// Memory: 8 bytes for each grain, 4 for each chunk.
///
/// # Errors
/// The first reason for which [`prove`] would refuse it for any kernel.
pub fn consistent(iterations: u32, plan: &Plan) -> Result<(), ProofError> {
    check_numbers(iterations, plan)?;
    positions(plan)?;
    known::waits_end(plan)
}

/// Proves as [`prove`] does. A [graph](crate::Graph) of the kernel may have `checked` that its
/// accesses stay in their arrays: in order nothing else can be wrong.
pub(crate) fn prove_after(
    checked: bool,
    track: &dyn Track,
    plan: Plan,
) -> Result<Proved, ProofError> {
    let words = Words::new(track)?;
    check_numbers(track.iterations(), &plan)?;
    let positions = positions(&plan)?;
    // All dependences are kept in the order of the sequential run.
    if plan.order.processors() == 1 && plan.grains.items.is_sorted() {
        if !checked {
            words.check(track, 0..track.iterations())?;
        }
        return Ok(Proved { plan });
    }
    let facts = Facts {
        plan: &plan,
        words: &words,
        positions,
        known: Known::new(&plan)?,
        firsts: plan
            .order
            .processors
            .iter()
            .map(|&chunk| plan.grains.offsets[chunk as usize])
            .collect(),
    };
    let (table, is_done) = facts.forwards(track)?;
    if !is_done {
        facts.backwards(track, table)?;
    }
    Ok(Proved { plan })
}

/// Checks that the arrays of a plan fit each other, so that the rest may index them.
fn check_numbers(iterations: u32, plan: &Plan) -> Result<(), ProofError> {
    let ascends = |offsets: &[u32], end: usize| {
        offsets.first() == Some(&0)
            && offsets.last().is_some_and(|&last| last as usize == end)
            && offsets.is_sorted()
    };
    let chunks = plan.grains.len();
    let processors = plan.order.processors();
    let malformed = |what| Err(ProofError::Malformed { what });
    if processors == 0 || processors > Plan::MOST_PROCESSORS as usize {
        return malformed("no processor, or too many");
    }
    if !ascends(&plan.boundaries, iterations as usize)
        || !plan.boundaries.is_sorted_by(|a, b| a < b)
    {
        return malformed("grains that are not all iterations in order");
    }
    if !ascends(&plan.order.processors, chunks) {
        return malformed("processors that do not divide its chunks");
    }
    if !plan.grains.are_consistent() {
        return malformed("chunks that do not divide its grains");
    }
    let waits = &plan.order.waits;
    if waits.len() != chunks || !waits.are_consistent() {
        return malformed("chunks that do not divide its waits");
    }
    for processor in 0..processors as u32 {
        let first = plan.order.steps_of(processor).start;
        for chunk in plan.order.steps_of(processor) {
            let cannot_end = |wait: &&Wait| {
                wait.processor == processor
                    || wait.processor as usize >= processors
                    || wait.steps as usize > plan.order.steps_of(wait.processor).len()
            };
            if let Some(&wait) = plan.order.waits_of(chunk).iter().find(cannot_end) {
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

/// Mark in place of a chunk: the grain has not been met.
const NOWHERE: u32 = u32::MAX;

/// Returns the chunk of each grain, counted through the plan, and its position in the list of all
/// grains.
fn positions(plan: &Plan) -> Result<Vec<(u32, u32)>, ProofError> {
    let mut positions = vec![(NOWHERE, 0); plan.boundaries.len() - 1];
    for chunk in 0..plan.order.processors.last().copied().unwrap_or(0) {
        let first = plan.grains.offsets[chunk as usize];
        for (&grain, position) in plan.grains_of(chunk).iter().zip(first..) {
            match positions.get_mut(grain as usize) {
                None => return Err(ProofError::Unknown { grain, position }),
                Some(met) if met.0 == NOWHERE => *met = (chunk, position),
                Some(&mut (_, before)) => {
                    return Err(ProofError::Repeated {
                        first: position_of(plan, before),
                        second: position_of(plan, position),
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

/// Returns the position of a grain, of that number in the list of all grains.
fn position_of(plan: &Plan, at: u32) -> Position {
    let chunk = plan.grains.offsets.partition_point(|&first| first <= at) - 1;
    let processor = plan
        .order
        .processors
        .partition_point(|&first| first as usize <= chunk)
        - 1;
    let grain = plan.grains.items[at as usize];
    Position {
        grain,
        iterations: plan.iterations_of(grain),
        processor: processor as u32,
        chunk: chunk as u32 - plan.order.processors[processor],
        position: at - plan.grains.offsets[chunk],
    }
}

/// A plan with what the passes must know of it.
struct Facts<'a> {
    plan: &'a Plan,
    words: &'a Words,
    /// Chunk and position of each grain.
    positions: Vec<(u32, u32)>,
    known: Known,
    /// The first position of each processor, and the end of all.
    firsts: Vec<u32>,
}
