//! Local search on the true BSP cost.
//!
//! * the cost, kept up to date, and the energy that is made small: `cost.rs`, over tables with row
//!   maxima (`cost/cells.rs`) and the levels of a machine (`cost/levels.rs`);
//! * simulated annealing of any state with that cost: `anneal.rs`;
//! * one such state, tasks on processors in supersteps: `assignment.rs`. One step of it is in
//!   `assignment/change.rs`; where a copy may go is in `assignment/uses.rs`. A lower bound on the
//!   rise by a move is in `assignment/outlook.rs`;
//! * the moves of tasks: `moves.rs`.

pub(crate) mod anneal;
pub(crate) mod assignment;
pub(crate) mod cost;
pub(crate) mod moves;

/// Mark of no superstep; supersteps take two bytes each.
pub(crate) const NOWHERE: u32 = u16::MAX as u32;
