//! Pipelines: contiguous blocks of the sequential run on fixed owners, in slices of equal work.
//!
//! Substitution, recurrences and sweeps leave no cut between levels that many processors can cross
//! at once. A pipeline works. Each processor owns a block of the sequential run and works through
//! it in an order that first frees what others wait for. It hands on as much at a time as balances
//! the latency of an exchange against the time until the last processor has work.
//!
//! * Owners: blocks of the [order](Ranking) of tasks, of equal work. The sequence of each owner is
//!   by the least depth among the tasks that it leads to, in the block, whose values others read.
//!   So the values that are waited for first come first (`sequences.rs`). For a grid in blocks of
//!   rows that is column by column.
//! * Supersteps: in each, every owner goes on in its sequence up to a budget of work (`slices.rs`).
//!   It goes on as long as the values that it needs had been computed before. No sequence can wait
//!   for itself. Along a sequence, and from a task to its reader on another owner, the depth that
//!   orders them rises.
//! * While the pipeline fills and drains most processors wait. It takes less time with several
//!   blocks for each processor, small ones at both ends of the sequential run. So it does with
//!   slices of each block that are small at both ends (`Tent` in `blocks.rs`).
//! * A block of fewer rows is worked through in longer slices for the same budget. Blocks that are
//!   dealt in rounds cost hardly more, and their slices are longer loops.
//! * The search: the number of owners, where their blocks end, and the budget (`search.rs`,
//!   `blocks.rs`). Only the tasks that wait for another owner or are waited for are looked at, so
//!   that a try takes microseconds.
//!
//! There are no copies. Messages are taken to be sent right after the superstep that computes them;
//! with those the result is never dearer than serial.

mod blocks;
mod search;
mod sequences;
mod slices;

use self::search::Search;
pub use self::{
    blocks::{Borders, MOST, Shape, Tent},
    search::lists,
    sequences::Sequences,
    slices::Pace,
};
use crate::{Before, Lists, Ranking};

/// Prices of a superstep: its largest load, and what follows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prices {
    /// Number of processors.
    pub processors: u32,
    /// Time for a word that a processor sends or receives, in units of work.
    pub gap: f64,
    /// Time that a superstep takes beyond its largest load where values are sent, in units of work.
    pub latency: f64,
}

/// Extent of the search for a pipeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// Steps that the search may take, of one to three nanoseconds each, about. Sequences of one
    /// shape take 20 for each task.
    pub steps: u64,
    /// Set if several blocks for each processor are tried, too, and blocks and slices that are
    /// small at both ends. They are cheaper, but more lists that are no interval of the sequential
    /// run.
    pub tapered: bool,
    /// Set if each processor gets as many blocks as cost hardly more: their slices are longer.
    /// Tapered ones replace them where they are cheaper.
    pub long_slices: bool,
}

/// Searches for the cheapest pipeline. Returns whether there is one cheaper than all work on one
/// processor: otherwise there are no lists.
///
/// Cost: as many [steps](Effort::steps) as the effort says, and one shape more. Memory: 20 bytes
/// for each task, 36 where their work differs, and up to 56 for each edge between blocks.
///
/// # Panics
/// If there is no processor.
pub fn pipeline(
    before: Before<'_>,
    ranks: &impl Ranking,
    prices: Prices,
    effort: Effort,
    out: &mut impl Lists,
) -> bool {
    assert!(prices.processors > 0, "nobody to take tasks");
    let depths = before.depths();
    let mut search = Search::new(prices, before.all_work() as f64, effort.steps);
    let mut sequences = |shape| Sequences::new(before, ranks, &depths, shape);
    search.run(&mut sequences);
    if effort.long_slices {
        search.run_rounds(&mut sequences);
    }
    if effort.tapered && prices.processors > 1 {
        search.run_tents(&mut sequences);
    }
    search.into_lists(out)
}
