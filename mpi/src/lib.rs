//! Ranks of MPI for superstep: programs of kernels over private memory, and sums in fixed order,
//! on one machine or many.
//!
//! `Mpi` is a [`Communicator`](superstep::ranks::Communicator): it carries the bytes, and the
//! module [`superstep::ranks`] does all else. It is behind the feature `mpi`, which needs an MPI
//! library with its compiler wrapper `mpicc` (Open MPI and MPICH are tested) and libclang. Without
//! the feature this crate compiles to nothing.
//!
//! ```ignore
//! use superstep::ranks::{Distributed, Over};
//! use superstep_mpi::Mpi;
//!
//! // mpirun -n 4 target/release/program
//! fn main() -> Result<(), Box<dyn std::error::Error>> {
//!     let mut ranks = Mpi::world()?;
//!     let lu = kernels::lu::with().exactly(4).private_memory(true).prepare(512)?;
//!     let mut a = if ranks.rank() == 0 { matrix(512) } else { Vec::new() };
//!     lu.run_over(Over::new(&mut ranks), &mut a)?;
//!
//!     let x = Distributed::new(&mut ranks, own_words)?;
//!     let norm = x.norm(&mut ranks)?;
//!     Ok(())
//! }
//! ```
//!
//! # Failures
//! An `Mpi` looks at every code that MPI returns. A run may fail on one rank: its tasks panic, or
//! it waits past a deadline (`Mpi::deadline`). Then the `Mpi` of that rank prints why and ends all
//! ranks by `MPI_Abort`. So does a panic that unwinds through the owner of an `Mpi`.

#[cfg(feature = "mpi")]
#[expect(unsafe_code, reason = "calls of the C library")]
mod calls;
#[cfg(feature = "mpi")]
mod engine;

#[cfg(feature = "mpi")]
pub use engine::Mpi;
