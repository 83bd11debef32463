//! Quadratic programs by the alternating direction method of multipliers, in the manner of OSQP
//! (Stellato, Banjac, Goulart, Bemporad and Boyd, 2020).
//!
//! Each iteration solves with one symmetric matrix, that of the optimality conditions ([`Kkt`]).
//! Its pattern is that of the program. Its values change with the step size, so that it is factored
//! anew every few iterations. The factors are `L D L'` in a fixed order, without pivoting, as the
//! signs of `D` are known beforehand (in OSQP by QDLDL). [`kernels`] are refactorisation and solve,
//! each planned once.
//! [`minimise`] iterates, by [`Functions`] or by [`Plans`], with the same bits.

mod admm;
pub mod kernels;
mod kkt;
mod operations;
mod program;

pub use admm::{NoMinimum, Outcome, first, minimise};
pub use kkt::Kkt;
pub use operations::{Functions, Operations, Plans};
pub use program::{Program, Unsuitable};
