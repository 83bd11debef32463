//! From a checked schedule to a bulk-synchronous program, and from that to Rust.
//!
//! A schedule says which processor computes which task in which superstep. This crate decides the rest: where every value lives in each
//! processor's memory, who sends which value to whom, in which order tasks run, which loops they become; and prints the result. There is
//! never a line of code or a table entry for each task of a regular kernel: LU of 256 rows, 5.6 million tasks, is one loop nest.
//!
//! | step | module | what it decides |
//! |---|---|---|
//! | 0 | [`moves`] | whether words that are only moved are moved by one processor |
//! | 1 | [`messages`] | [`Placement`](messages::Placement): which values are computed where, which are sent, scattered, gathered |
//! | 2 | `orders`: `depths`, `chains`, `jam`, `fuse`, `near` | the order of the tasks in each list: trace order, or by depth where that makes longer runs, or by chain where words stay in registers, or a few loops side by side where each waits for itself, or phases fused where few of their iterations are connected; and what no loop can tell by cache line |
//! | 3 | `sharing`, [`layout`], `storage` | which arrays all processors use where the caller has them; elsewhere the slot of each value on each processor: its original index, its place in the columns, or an overflow slot |
//! | 4 | [`fold`] | nested loops over runs, by recognition of constant steps (`folded`: for all lists) |
//! | 5 | [`bodies`] | what is known about the runs of each sequence of statements before run time |
//! | 6 | [`program`], `copies` | [`Program`], all of this as tables; [`CheckedProgram`] once step 7 has passed it |
//! | | [`prediction`] | what a call of the program takes |
//! | 7 | [`replay`] | the symbolic check: every read sees the value that the trace names |
//! | 8 | [`print`](mod@print) | the generated file: run functions, loop nests where they are few, else tables |
//!
//! # Tiers
//! Every task runs in a *run function*, an inner loop made for one sequence of statements and one pattern of steps, which the compiler can
//! vectorise. Runs of equal length that follow each other are the *lines* of a *block*, one call of that function. Where they load the same
//! words, or each waits for its own sum, it executes a few of them side by side. What calls it is one of three:
//!
//! 1. *Printed nests*, for programs of few loops.
//! 2. *Tables* of loops and runs, which the runtime walks, some nanoseconds for each run.
//! 3. *Single records*: runs of one task outside all loops, in the same tables. [`Figures::single`](figures::Figures::single) counts them.
//!
//! # Example
//! ```
//! use superstep_codegen::messages::Placement;
//! use superstep_codegen::print::{Instance, Options, print};
//! use superstep_codegen::{Arguments, Program};
//! use superstep_dag::Dag;
//! use superstep_machine::Times;
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
//! // Two processors, half of the tasks each, one after the other.
//! let schedule = Schedule::from_lists(2, [[vec![0, 1, 2, 3], vec![]], [vec![], vec![4, 5, 6, 7]]]);
//! let graph = superstep_dag_builder::from_trace(&trace);
//! let placement = Placement::new(&trace, &CheckedSchedule::new(&graph, schedule)?)?;
//! let program = Program::new(&trace, placement, Arguments::Private, &Times::default()).check(&trace)?;
//! assert_eq!((program.figures().runs, program.figures().words), (2, 1));
//!
//! let instance = Instance { control: vec![], label: "n = 9".into(), notes: vec![], program };
//! let files = print(trace.kernel(), &[instance], &Options::default())?;
//! let text = String::from_utf8_lossy(&files[0].contents);
//! assert!(text.contains("run_0(memory, Run::new(4, &[1], &[0, 0, -1]));"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
mod error;
pub mod figures;
pub mod fold;
pub mod pattern;
pub mod place;
pub mod predict;
pub mod program;
mod reorder;
pub mod verify;

pub use error::CompileError;
pub use program::{Arguments, CheckedProgram, Program};
