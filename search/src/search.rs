//! Local search on the true BSP cost.
//!
//! * the assignment that is searched, with its cost kept up to date: `assignment.rs`, over tables
//!   with row maxima (`cells.rs`); one step of it (`assignment/change.rs`), where a copy may go
//!   (`assignment/uses.rs`), and a lower bound on the rise of a move (`assignment/outlook.rs`);
//! * the energy, which is made small: `energy.rs`; moves and simulated annealing: `moves.rs`,
//!   `anneal.rs`.

pub(crate) mod anneal;
pub(crate) mod assignment;
pub(crate) mod cells;
pub(crate) mod energy;
mod moves;

/// Mark of no superstep; supersteps take two bytes each.
pub(crate) const NOWHERE: u32 = u16::MAX as u32;
