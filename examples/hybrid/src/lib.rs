//! Conjugate gradients on ranks, each with a team of threads: the method of `ilu_cg`, whose matrix
//! is dealt to ranks by rows.
//!
//! Each rank has a block of rows. It factors the part of the matrix among its own unknowns, IC(0),
//! and solves with it alone (block Jacobi): so more ranks take more steps. All that it does is by
//! plans of its own, on as many threads as it likes. Ranks meet in two places: before a product
//! each sends the unknowns that others' rows need ([`Halo`]), and dot products are
//! [`Distributed`](superstep::ranks::Distributed), in fixed order.
//!
//! So the bits depend on the number of blocks, and on nothing else: [`Blocks`] has those of as many
//! ranks in one process, by the functions as written.

#![forbid(unsafe_code)]

mod block;
mod blocks;
mod halo;

pub use block::Block;
pub use blocks::Blocks;
pub use halo::Halo;
use superstep::ranks::RankError;
use superstep_example_ilu_cg::SolveError;

/// Makes an error of the method from one of ranks.
fn failed(error: RankError) -> SolveError {
    SolveError::Other(Box::new(error))
}
