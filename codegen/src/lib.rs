//! Prints checked programs as Rust: the generated file of one kernel, and the tables that it
//! includes.
//!
//! A [`CheckedProgram`](superstep_compiler::CheckedProgram) is a plan whose loops have
//! *signatures*. Each signature becomes a *run function*, an inner loop that LLVM can vectorise. A
//! program of few loops becomes loop nests that call these, any other is tables that the runtime
//! walks.
//!
//! | file | what it prints |
//! |---|---|
//! | `file` | the module: programs, imports, the table of programs |
//! | `functions` | run functions, blocks of lines, pieces of packed words |
//! | `nests` | loop nests |
//!
//! ```
//! use superstep_codegen::{KeyedProgram, print};
//! use superstep_compiler::{Options, Request, compile};
//! use superstep_graphs::generate;
//!
//! let trace = generate::lu_trace(8)?;
//! let programs = compile(&trace, &[Request::new(1)], &Options::default())?.programs.into_iter();
//! let programs = programs.map(|each| KeyedProgram {
//!     control: vec![],
//!     label: "n = 8".into(),
//!     notes: each.report.notes(),
//!     private_memory: false,
//!     program: each.program,
//! });
//! let files = print(trace.kernel(), &programs.collect::<Vec<_>>(), &[], "::superstep::__private")?;
//! assert_eq!(files[0].name, "lu.rs");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
mod file;
mod functions;
mod nests;

pub use file::{File, KeyedProgram, PrintError, print};

/// Names the version of all crates that lead from a trace to generated files: two of one name give
/// the same files.
pub const SOURCES: &str = concat!(env!("CARGO_PKG_VERSION"), " ", env!("SUPERSTEP_SOURCES"));
