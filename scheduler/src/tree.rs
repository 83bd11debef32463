//! Reductions: complete binary trees under a uniform delay (chapter 4 of N. Fujimoto's thesis,
//! 2000), and trees of any shape.
//!
//! A complete binary tree of h levels has 2^h - 1 unit tasks and reduces 2^h operands. The unit of
//! time is one task, and a value reaches other processors tau later. Tasks have heap ids: 1 is the
//! root, and `i` reads `2 i` and `2 i + 1`.
//!
//! [`Alg3Star`] schedules complete trees, and [`CompleteTrees`] offers it as a
//! [`Scheduler`](crate::Scheduler); [`Reduction`] schedules trees of any shape and weights. The
//! thesis's own algorithms are in the crate `superstep-search`.
//!
//! Makespans alone are computed in microseconds. A schedule ([`TreeSchedule`]) takes time linear in
//! the tasks: with 2^20 leaves, every time and processor is known within 0.3 s (one common core,
//! 2026).
//!
//! ```
//! use superstep_scheduler::tree::{Alg3Star, complete_tree};
//!
//! let star = Alg3Star::new(10, 100, 64);
//! assert_eq!(star.makespan(10), 162);
//! assert_eq!(star.schedule(10).executions().count(), complete_tree(10).tasks());
//! ```

mod alg3_star;
mod algorithm;
mod complete;
mod decisions;
mod reduction;
mod schedule;

pub use alg3_star::Alg3Star;
pub use algorithm::{CompleteTrees, Timing, TreeScheduler, on_complete_tree};
pub use complete::{CompleteTree, complete_tree};
pub use decisions::{Decision, Decisions};
pub use reduction::Reduction;
pub use schedule::{At, TreeSchedule, sequential};
