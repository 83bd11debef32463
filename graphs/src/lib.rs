//! Task graphs that do not come from kernels: graph files and generators. Also statistics of any
//! graph.
//!
//! The command line reads [files](read), and tests and benches [`generate`] the graphs of
//! Fujimoto's thesis. Build scripts need neither: their graphs come from traces.
//!
//! ```
//! use superstep_dag::levels;
//! use superstep_graphs::{Statistics, generate};
//!
//! let graph = generate::lu(32)?;
//! assert_eq!(graph.tasks(), 10_912);
//! assert_eq!(levels(&graph)[0], 62); // the first division begins a longest path
//! println!("{}", Statistics::of(&graph));
//! # Ok::<(), superstep_tracer::TraceError>(())
//! ```
pub mod formats;
pub mod generate;
mod statistics;

pub use formats::{FormatError, read, write};
pub use statistics::Statistics;
