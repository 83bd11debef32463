//! Sparse solves and factorisations, planned at run time and timed beside themselves.
//!
//! [`kernels`] are sequential functions, marked `#[kernel(plan)]`. A [`Problem`] has the arrays of
//! one of them for a matrix, and [`contest`] tells what planning costs and gains there: `cargo
//! superstep plan` and `superstep-bench plan` print it.
//!
//! ```
//! use superstep_sparse::{Kernel, Problem, grids};
//!
//! let grid = grids::five_point(30);
//! let problem = Problem::new(Kernel::Ilu0, &grid, 1 << 20)?;
//! let (mut one, mut other) = (problem.start().to_vec(), problem.start().to_vec());
//! problem.written(&mut one);
//! problem.plan(2)?.run(&mut other)?;
//! assert_eq!(one, other);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod contest;
mod factor;
pub mod grids;
pub mod kernels;
mod problem;

pub use contest::{
    ContestError, Effort, LoadedStanding, Peer, PeerStanding, Run, Standing, beside, contest,
};
pub use factor::{MOST_ENTRIES, MOST_UPDATES, TooLarge, Updates, filled, minimum_degree};
pub use problem::{Kernel, Loaded, NoKernel, Planned, Problem, Unsuitable};
