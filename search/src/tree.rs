//! Complete binary trees under a uniform delay: the algorithms of chapter 4 of N. Fujimoto's thesis
//! (2000).
//!
//! The words are those of [`superstep_scheduler::tree`]. *Start* is the time at which the root
//! starts, *makespan* one more.
//!
//! | algorithm | processors | |
//! |---|---|---|
//! | [`Py`] | as many as it wants | cut every U levels |
//! | [`Alg1`] | as many as it wants | near the optimum |
//! | [`Alg2`] | as many as it wants, but few | equal layers |
//! | [`Optimum`] | as many as it wants | exact |
//! | [`Alg3`] | a limited number | as published |
//! | [`Alg3Star`](superstep_scheduler::tree::Alg3Star) | a limited number | never slower than ALG3, ALG2 or one processor |
//! | [`FreeTree`] | either | re-associates: another tree than the complete one |
//!
//! [`TreeAlgorithm`] offers them by name, as a [`Scheduler`](superstep_scheduler::Scheduler).
//!
//! ```
//! use superstep_scheduler::tree::complete_tree;
//! use superstep_search::tree::{Alg1, Optimum, Ties, Timetable, bounds};
//!
//! let (height, tau) = (10, 100);
//! let alg1 = Alg1::new(height, tau, Ties::default());
//! assert_eq!(bounds::e_strong(height, tau), 115);
//! assert_eq!((Optimum::new(height, tau).start(height), alg1.start(height)), (151, 154));
//!
//! let timetable = Timetable::of(&alg1.schedule(height));
//! timetable.check(&complete_tree(height), tau)?;
//! assert_eq!(timetable.makespan(&complete_tree(height)), 155);
//! # Ok::<(), superstep_search::tree::TimetableError>(())
//! ```

mod alg1;
mod alg2;
mod alg3;
mod algorithm;
mod arithmetic;
pub mod bounds;
mod free;
mod optimum;
mod py;
mod timetable;

pub use alg1::{Alg1, Ties};
pub use alg2::Alg2;
pub use alg3::Alg3;
pub use algorithm::TreeAlgorithm;
pub use free::FreeTree;
pub use optimum::Optimum;
pub use py::Py;
pub use timetable::{Entry, Timetable, TimetableError};
