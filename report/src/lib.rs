//! Reports: everything that there is to say about a parallel program, and the forms in which it is
//! said.
//!
//! A [`Report`] is plain data: figures of a schedule and of the program made of it, its processors,
//! statements and supersteps, and where its time goes. Whoever makes programs fills it. It is
//! printed as [text](Report::text), as JSON (its fields are the schema, [version](SCHEMA) 1), and
//! with the feature `page` as a web page of one file.
//!
//! * [`Report`]: one schedule, program or plan; [`KernelReport`]: all programs of a kernel.
//! * [`Timeline`]: when each processor waits, copies and works; [`Breakdown`]: what that costs.
//! * [`Details`]: what each processor runs in each superstep, in a file of its own.
//! * `page`: the page, its viewer included.
//!
//! ```
//! use superstep_report::{Report, Step, Timeline};
//!
//! let report = Report { control: "n = 128".into(), processors: 2, supersteps: 9, ..Report::default() };
//! assert!(report.text().starts_with("control           n = 128\n"));
//!
//! // One superstep of two processors: 80 and 100 ns.
//! let step = |work| Step { work, ..Step::default() };
//! let timeline = Timeline::new(2, vec![step(80), step(100)]);
//! assert_eq!(timeline.end(), 100);
//! ```

mod details;
mod figures;
mod kernel;
#[cfg(feature = "page")]
pub mod page;
mod report;
mod source;
mod text;
mod timeline;

pub use details::{Details, DetailsError, Traffic};
pub use figures::{Count, Figures, Tiers};
pub use kernel::{InstanceReport, KernelReport};
pub use report::{
    Array, Kind, Load, Made, Place, Report, Role, RunTime, SCHEMA, Statement, StepLoad, Steps,
    Times,
};
pub use source::{source, text_hash};
pub use text::Nanoseconds;
pub use timeline::{Breakdown, Step, Timeline};
