//! Quadratic programs by the alternating direction method of multipliers, in the manner of OSQP
//! (Stellato, Banjac, Goulart, Bemporad and Boyd, 2020).
//!
//! Each iteration solves with one symmetric matrix, that of the optimality conditions ([`Kkt`]). Its
//! pattern is that of the program. Its values change with the step size, so that it is factored anew
//! every few iterations: `L D L'` in a fixed order, without pivoting, as the signs of `D` are known
//! beforehand (in OSQP by QDLDL). [`kernels`] are refactorisation and solve, planned once
//! ([`Plans`]); [`minimise`] iterates.

mod admm;
pub mod kernels;
mod kkt;
mod program;

pub use admm::{NoMinimum, Outcome, minimise};
pub use kkt::{Kkt, Plans};
pub use program::{Program, Unsuitable};
