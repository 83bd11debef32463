//! Complete binary trees under a uniform delay: reductions (chapter 4 of N. Fujimoto's thesis, 2000).
//!
//! A complete binary tree of h levels has 2^h - 1 unit tasks and reduces 2^h operands. The unit of time is one task; a value is needed tau
//! later on another processor. *Start* is when the root starts, *makespan* one more. Tasks have heap ids: 1 is the root, `2 i` and `2 i + 1` are
//! read by `i`.
//!
//! | algorithm | processors | |
//! |---|---|---|
//! | `Py` | as many as it wants | cut every U levels |
//! | `Alg1` | as many as it wants | near the optimum |
//! | `Alg2` | as many as it wants, but few | equal layers |
//! | `Optimum` | as many as it wants | exact |
//! | `Alg3` | a limited number | as published |
//! | [`Alg3Star`] | a limited number | never slower than ALG3, ALG2 or one processor |
//! | `FreeTree` | either | re-associates: another tree than the complete one |
//! | [`Reduction`] | a limited number | for trees of any shape and weights |
//!
//! All but [`Alg3Star`] and [`Reduction`] are there with the feature `classics` only. Makespans take microseconds; a schedule ([`TreeSchedule`]) is linear in the tasks: with 2^20 leaves, every time and processor is known within
//! 0.3 s (one common core, 2026). [`TreeAlgorithm`] offers them by name, as a
//! [`Scheduler`](crate::Scheduler) for graphs that [are complete binary trees](CompleteTree::of).
//!
//! ```
//! use superstep_scheduler::tree::{Alg1, Optimum, Ties, bounds, complete_tree};
//!
//! let (height, tau) = (10, 100);
//! let alg1 = Alg1::new(height, tau, Ties::default());
//! assert_eq!(bounds::e_strong(height, tau), 115);
//! assert_eq!((Optimum::new(height, tau).start(height), alg1.start(height)), (151, 154));
//!
//! let timetable = alg1.schedule(height).timetable();
//! timetable.check(&complete_tree(height), tau)?;
//! assert_eq!(timetable.makespan(&complete_tree(height)), 155);
//! # Ok::<(), superstep_scheduler::tree::TimetableError>(())
//! ```

#[cfg(feature = "classics")]
mod alg1;
#[cfg(feature = "classics")]
mod alg2;
#[cfg(feature = "classics")]
mod alg3;
mod alg3_star;
mod algorithm;
mod arithmetic;
#[cfg(feature = "classics")]
pub mod bounds;
mod complete;
#[cfg(feature = "classics")]
mod free;
#[cfg(feature = "classics")]
mod optimum;
mod plans;
#[cfg(feature = "classics")]
mod py;
mod reduction;
mod schedule;
#[cfg(feature = "classics")]
mod timetable;

#[cfg(feature = "classics")]
pub use alg1::{Alg1, Ties};
#[cfg(feature = "classics")]
pub use alg2::Alg2;
#[cfg(feature = "classics")]
pub use alg3::Alg3;
pub use alg3_star::Alg3Star;
pub use algorithm::{Figures, TreeAlgorithm};
pub use complete::{CompleteTree, complete_tree};
#[cfg(feature = "classics")]
pub use free::FreeTree;
#[cfg(feature = "classics")]
pub use optimum::Optimum;
#[cfg(feature = "classics")]
pub use py::Py;
pub use reduction::Reduction;
pub use schedule::TreeSchedule;
#[cfg(feature = "classics")]
pub use timetable::{Entry, Timetable, TimetableError};
