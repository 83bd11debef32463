//! Comparisons: schedules of a graph, programs of a kernel, or two runs, side by side.

mod pair;
mod programs;
mod schedules;
mod steps;
mod tasks;
mod text;

use serde::{Deserialize, Serialize};

pub use pair::{Change, Compared, Pair, StatementChange};
pub use programs::ProgramRow;
pub use schedules::{LeftOut, Measure, ScheduleRow};
pub use steps::{StepChange, StepChanges, StepSum};
pub use tasks::Moved;

/// Schedules of one graph, programs of one kernel instance, or two of these in detail. The names of
/// the fields are those of the JSON form.
///
/// ```
/// use superstep_report::{Comparison, Report};
///
/// let report = |algorithm, makespan| Report {
///     processors: 2,
///     makespan,
///     makespan_bound: 8.0,
///     ..Report::default()
/// }
/// .by(algorithm);
/// let reports = [report("serial", 12.0), report("levels", 10.0)];
/// let compared = Comparison::of_schedules("g.hdag", &reports);
/// assert_eq!(compared.schedules[0].makespan.over_best, Some(1.2));
/// assert_eq!(compared.schedules[1].makespan.over_bound, Some(1.25));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Comparison {
    /// Version of the JSON form, [`SCHEMA`](crate::SCHEMA).
    pub schema: u32,
    /// Subject: `lu (src/kernels.rs:5), n = 256`, or a graph and its size.
    pub of: String,
    /// Schedules of the graph.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub schedules: Vec<ScheduleRow>,
    /// Algorithms that do not serve the graph or a machine.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<LeftOut>,
    /// Programs of the kernel instance.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub programs: Vec<ProgramRow>,
    /// The two in detail, if there are just two programs or runs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pair: Option<Pair>,
}
