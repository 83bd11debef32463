//! Reports: everything that there is to say about a parallel program, and the forms in which it is
//! said.
//!
//! A [`Report`] is plain data: figures of a schedule and of its program, processors, statements and
//! supersteps, and where time goes. Whoever makes programs fills it. It is printed as
//! [text](Report::text), and as JSON (its fields are the schema, [version](SCHEMA) 1). The feature
//! `page` prints it as a web page of one file.
//!
//! * [`Report`]: one schedule, program or plan; [`KernelReport`]: all programs of a kernel.
//! * [`Breakdown`]: where the time goes that a [timeline](superstep_order::Timeline) tells.
//! * [`Details`]: what each processor runs in each superstep, in a file of its own.
//! * `Comparison`: schedules, programs or runs side by side, with the feature `page`.
//! * `page`: the page, its viewer included.
//!
//! ```
//! use superstep_report::Report;
//!
//! let report = Report {
//!     control: "n = 128".into(),
//!     processors: 2,
//!     supersteps: 9,
//!     ..Report::default()
//! };
//! assert!(report.text().starts_with("control           n = 128\n"));
//! ```

mod breakdown;
#[cfg(feature = "page")]
mod comparison;
mod dependences;
mod details;
#[cfg(feature = "page")]
mod dot;
mod figures;
mod fill;
mod kernel;
#[cfg(feature = "page")]
mod made;
mod measured;
#[cfg(feature = "page")]
pub mod page;
#[cfg(feature = "page")]
mod recorded;
mod report;
mod source;
mod supersteps;
mod text;
#[cfg(feature = "page")]
mod trace;

pub use breakdown::Breakdown;
#[cfg(feature = "page")]
pub use comparison::{
    Change, Compared, Comparison, LeftOut, Measure, Moved, Pair, ProgramRow, ScheduleRow,
    StatementChange, StepChange, StepChanges, StepSum,
};
pub use dependences::Dependences;
pub use details::{Details, DetailsError, Traffic};
#[cfg(feature = "page")]
pub use dot::dot;
pub use figures::{Count, Figures, PlanFigures, Tiers};
pub use kernel::{InstanceReport, KernelReport};
pub use measured::StatementCost;
#[cfg(feature = "page")]
pub use recorded::RecordedError;
pub use report::{
    Answer, Array, Kind, Load, Location, Made, Report, Role, RunTime, SCHEMA, Statement, StepLoad,
    Steps, Times, WhatIf,
};
pub use source::{source, text_hash};
pub use supersteps::Supersteps;
pub use text::Nanoseconds;
#[cfg(feature = "page")]
pub use trace::{Trace, trace};
