//! Records the sequential run of a kernel's control: which assignment reads what which other
//! assignment wrote.
//!
//! A kernel is traced by its *trace function*: the kernel's own loops and index arithmetic. Every
//! assignment is replaced by a call that reports which words it reads and which it writes. No value
//! is computed. The `#[kernel]` macro writes that function. It calls a [`Recorder`], which keeps
//! *shadow memory* (for every word, who wrote it last) and so knows at once who computed each
//! operand:
//!
//! ```
//! use superstep_tracer::{DEFAULT_LIMIT, Kernel, Recorder, Role, UNKNOWN, arithmetic::{add, mul}, record};
//!
//! // for k in 0..n { for i in k + 1..n { a[i * n + k] /= a[k * n + k]; } }
//! fn trace(recorder: &mut Recorder, n: usize) {
//!     for k in 0..n {
//!         recorder.iteration(0, 0, k as i64);
//!         for i in add(k, 1)..n {
//!             recorder.iteration(1, 1, i as i64);
//!             recorder.enter(0);
//!             let target = recorder.index(0, [UNKNOWN], [add(mul(i, n), k)]);
//!             let pivot = recorder.index(0, [UNKNOWN], [add(mul(k, n), k)]);
//!             recorder.task(0, 0, target, [(0, target), (0, pivot)]);
//!         }
//!         recorder.leave(1);
//!     }
//!     recorder.leave(0);
//! }
//!
//! let mut kernel = Kernel::new("divide");
//! let a = kernel.add_array("a", Role::InOut, None);
//! kernel.add_statement("a[i * n + k] /= a[k * n + k]", a, &[a, a]);
//! kernel.variables = vec!["k".into(), "i".into()];
//!
//! let trace = record(kernel, DEFAULT_LIMIT, |recorder| trace(recorder, 4))?;
//! assert_eq!(trace.tasks(), 6);
//! # Ok::<(), superstep_tracer::TraceError>(())
//! ```
//!
//! The result is a [`Trace`]: 2 + 4 + 4 per operand bytes for each task, in flat arrays. Only
//! *flow* dependences are in it (a read after the write that it sees). A word that is read before
//! any task wrote it is an input. The last writer of each word of a `&mut` parameter is a result.
//!
//! A sequential run ends with a [`TraceError`] where it leaves an array, overflows in its index
//! arithmetic, panics or grows beyond the limit. The error names kernel, line, statement and
//! iteration.
pub mod arithmetic;
mod element;
mod environment;
mod error;
mod expanded;
mod operations;
mod panics;
mod part;
mod recorder;
mod shadow;
mod statement;
mod trace;

pub use element::{Element, ElementKind};
pub use environment::Observation;
pub use error::{Location, TraceError, overflow};
pub use operations::{Choice, Operations};
pub use part::Part;
pub use recorder::{DEFAULT_LIMIT, MOST_TASKS, Recorder, UNKNOWN, record};
pub use statement::{Array, Form, Kernel, Role, Statement};
pub use trace::{Address, INPUT, Task, Tasks, Trace};
