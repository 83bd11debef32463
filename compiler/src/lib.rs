//! The road from a trace to a checked program.
//!
//! [`compile`] takes a trace, [requests](Request) for programs, and [`Options`]; it gives checked
//! programs, each with a [`Report`](superstep_report::Report). It knows neither cargo nor files nor
//! Rust source: `superstep-codegen` prints what comes out. There is never a line of code or a table
//! entry for each task of a regular kernel: LU of 256 rows, 5.6 million tasks, is one loop nest.
//!
//! Every pass is a call in [`road`], in this order; those in [`Pass`] can be left out.
//!
//! | pass | room | what it decides |
//! |---|---|---|
//! | expand | `superstep-tracer` | whether values of locals have words of their own |
//! | graph, contract | `superstep-dag-builder` | which tasks are one for schedulers |
//! | schedule | `superstep-scheduler` | which processor runs what, in which superstep |
//! | moves | [`place::moves`] | whether words that are only moved are moved by one processor |
//! | check | `superstep-schedule` | nothing: only a valid schedule goes on |
//! | bound | [`road`] | which candidates are left out, by a sample of their lists |
//! | placement | [`place::placement`] | [`Placement`](place::placement::Placement): which values are computed where, which are sent, scattered, gathered |
//! | columns | [`place::columns`] | which arrays are kept by columns |
//! | place | [`place`] | which arrays are shared, and the slot of each value |
//! | fold | [`fold`] | nested loops over runs, by recognition of constant steps |
//! | chains, jam, fuse, depths, near | `reorder` | the order of the tasks in each list: trace order, or by chain where words stay in registers, or a few runs side by side where each waits for itself, or phases fused where few of their iterations are connected, or by depth where that makes longer runs; and what no loop can tell by cache line |
//! | pattern | [`pattern`] | what is known about the runs of each sequence of statements before run time |
//! | assemble | [`program`] | [`Program`], all of this as a [`Plan`](superstep_plan::Plan) |
//! | loose | [`pattern`] | which runs stand in tables without loops around them |
//! | predict | [`predict`] | what a call of the program takes, by which candidates are compared |
//! | replay | [`replay`] | nothing: a symbolic replay in which every read must see the value that the trace names makes a [`CheckedProgram`] |
//!
//! # Tiers
//!
//! Every task runs in a *run function*: an inner loop for one sequence of statements and one
//! pattern of steps, which the compiler can vectorise. Runs of equal length that follow each other
//! are the *lines* of a *block*, one call of that function. Where they load the same words, or each
//! waits for its own sum, it executes a few of them side by side. What calls it is one of three:
//!
//! 1. *Printed nests*, for programs of few loops.
//! 2. *Tables* of loops and runs, which the runtime walks, some nanoseconds for each run.
//! 3. *Single records*: runs of one task outside all loops, in the same tables.
//!    [`Figures::single`](superstep_report::Figures::single) counts them.
//!
//! # Example
//! ```
//! use superstep_compiler::{Passes, lower};
//! use superstep_dag_builder::from_trace;
//! use superstep_machine::{Memory, Times};
//! use superstep_schedule::{CheckedSchedule, Schedule};
//! use superstep_tracer::{DEFAULT_LIMIT, Kernel, Role, record};
//!
//! // for i in 1..9 { x[i] += x[i - 1]; }
//! let mut kernel = Kernel::new("sums");
//! let x = kernel.add_array("x", Role::InOut, None);
//! kernel.add_statement("x[i] += x[i - 1]", x, &[x, x]);
//! let trace = record(kernel, DEFAULT_LIMIT, |recorder| {
//!     for i in 1..9 {
//!         recorder.push(0, i, &[i, i - 1]);
//!     }
//! })?;
//!
//! // Two processors, half of the tasks each, one after the other: a schedule of our own.
//! let schedule = Schedule::from_lists(2, [[vec![0, 1, 2, 3], vec![]], [vec![], vec![4, 5, 6, 7]]]);
//! let graph = from_trace(&trace);
//! let schedule = CheckedSchedule::new(&graph, schedule)?;
//! let program = lower(&trace, &schedule, Memory::Private, &Times::default(), Passes::ALL)?.check(&trace)?;
//! assert_eq!((program.figures().runs, program.figures().words), (2, 1));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
mod bound;
mod candidate;
mod checked;
mod choice;
mod error;
mod figures;
pub mod fold;
mod options;
mod passes;
pub mod pattern;
pub mod place;
pub mod predict;
pub mod program;
mod reorder;
pub mod replay;
pub mod report;
mod request;
pub mod road;

pub use checked::CheckedProgram;
pub use error::CompileError;
pub use options::Options;
pub use passes::{Pass, Passes, UnknownPass};
pub use predict::supersteps::Data;
pub use program::Program;
pub use request::Request;
pub use road::{Compilation, Compiled, Road, compile, lower};
