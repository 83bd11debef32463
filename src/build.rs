//! Builder of a crate's programs, for build scripts: traces its kernels, schedules and generates.
//!
//! ```no_run
//! # mod kernels { pub mod lu { pub fn instance(_: usize) -> superstep::build::Instance { loop {} } } }
//! // build.rs, beside `#[path = "src/kernels.rs"] mod kernels;`
//! fn main() -> std::process::ExitCode {
//!     superstep::build::Builder::new()
//!         .kernel(kernels::lu::instance(128).processors([1, 2, 4, 8]))
//!         .run()
//! }
//! ```
//!
//! # Speed of the build
//!
//! Cargo compiles build scripts without optimisation, also under `--release`. Tracing then takes
//! about 100 ns for each task instead of 15, and scheduling is five to eight times slower. Up to a
//! few million tasks that costs less than compiling superstep with optimisation would; beyond, put
//! this into the `Cargo.toml` of the workspace:
//!
//! ```toml
//! [profile.dev.build-override]
//! opt-level = 1
//!
//! [profile.release.build-override]
//! opt-level = 1
//!
//! [profile.dev.package.superstep-macros] # compiles in a third of the time
//! opt-level = 0
//!
//! [profile.release.package.superstep-macros]
//! opt-level = 0
//! ```
//!
//! A build script that traces many tasks slowly prints these lines as a warning.
//!
//! # Programs over private memory
//!
//! Processors that share no memory gain from copies of tasks in place of messages. The algorithms
//! that make them are compiled with the feature `search`. Without it
//! [`private_memory`](Instance::private_memory), and their names in
//! [`algorithm`](Builder::algorithm), are errors:
//!
//! ```toml
//! [build-dependencies]
//! superstep = { version = "0.1", default-features = false, features = ["search"] }
//! ```
//!
//! # What is kept
//!
//! Programs are kept in the target folder, in `superstep-cache`. A build script that runs again, in
//! whichever profile, traces all kernels, and schedules those anew whose traces, processors or
//! options have changed.
//!
//! Where no program will run, none is needed: with the environment variable `SUPERSTEP_SKIP=1` a
//! build script traces and generates nothing, and kernels run as written. Let editors and lints
//! set it, in a target folder of their own.

mod builder;
mod cache;
mod error;
mod files;
mod generate;
mod instance;
mod made;
mod measured;
mod memory;
mod progress;
mod sources;
mod traces;

pub use builder::Builder;
pub use error::{BuildError, MOST_PROCESSORS};
pub use instance::Instance;
pub use memory::{BYTES_PER_TASK, TaskLimit};
pub use superstep_compiler::{CompileError, Pass};
pub use superstep_report::{InstanceReport, KernelReport, Report, RunTime};
pub use superstep_scheduler::{Algorithm, Effort};
pub use superstep_tracer::Recorder;
pub use traces::{InstanceTrace, Script, TracesError};

/// Names that the expansion of [`kernel`](macro@crate::kernel) in a build script uses.
#[doc(hidden)]
pub mod __private {
    pub use superstep_runtime::control::{ControlSink, ControlWriter};
    pub use superstep_tracer::{
        Array, Choice, Element, ElementKind, Form, Kernel, Observation, Operations, Part, Recorder,
        Role, Statement, UNKNOWN, arithmetic,
    };
}
