//! Published papers and theses, repeated: each of their tables and figures, beside what they state.
//!
//! Nothing here is needed to build or run a program; `cargo superstep paper` prints it.
//!
//! * [`SOURCES`]: the five sources, each an ordered list of [items](Item), with what can be done
//!   about them.
//! * [`Findings`]: what an item gives: [rows](Row) with a [verdict](Verdict), and
//!   [drawings](Drawing).
//!
//! ```
//! use superstep_papers::{Effort, Kind, Source};
//!
//! let thesis = Source::named("thesis").expect("it is one of five");
//! let Kind::Repeated(experiment) = thesis.item("table 4.2").expect("it has one").kind else {
//!     panic!("it is computed");
//! };
//! let findings = experiment(Effort::Quick)?;
//! assert!(findings.text().ends_with(": equal\n"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod catalogue;
mod drawing;
mod findings;
mod latency;
mod prediction;
mod rounds;
mod schedules;
mod source;
mod topology;
mod trees;

pub use catalogue::SOURCES;
pub use drawing::{Curve, Drawing, Scale};
pub use findings::{Findings, Row, Verdict};
pub use latency::published_latencies;
pub use schedules::jacobi;
pub use source::{Effort, Experiment, Item, Kind, Source};
