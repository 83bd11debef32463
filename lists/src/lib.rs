//! Schedules of any graph that says what must come before what. They are for the tasks of a build,
//! and for the grains of a plan made at run time.
//!
//! An algorithm asks a [`Before`] and hands lists of tasks to [`Lists`], superstep by superstep. It
//! knows neither what a task is nor what becomes of its lists: a schedule, or chunks that each wait
//! for a few others.
//!
//! * [`grow_local`]: supersteps grown greedily, each processor with what only it can run.
//! * [`levels`]: a superstep for each level.
//! * [`pipeline`](mod@pipeline): contiguous blocks of the sequential run on fixed owners, in slices
//!   of equal work.
//!
//! ```
//! use superstep_lists::{Before, Gathered, levels};
//! use superstep_order::Rows;
//!
//! // Task 2 comes after 0 and 1, task 3 after 2.
//! let predecessors = Rows::sorted(4, [(2, 0), (2, 1), (3, 2)].into_iter());
//! let successors = predecessors.turned();
//! let before = Before {
//!     predecessors: &predecessors,
//!     successors: &successors,
//!     work: None,
//!     words: None,
//!     topological: None,
//! };
//! let mut lists = Gathered::default();
//! levels(before, 2, &mut lists);
//! assert_eq!(lists.supersteps[0], [[0], [1]]);
//! assert_eq!(lists.supersteps[2].concat(), [3]);
//! ```

mod before;
mod grow_local;
mod levels;
mod lists;
pub mod pipeline;

pub use before::{Before, Topological};
pub use grow_local::{ByNumber, Growth, Ranking, grow_local};
pub use levels::levels;
pub use lists::{Gathered, Lists};
