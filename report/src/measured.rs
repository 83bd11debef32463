//! Measured costs of statements, which a build takes in place of its own prices.

use serde::{Deserialize, Serialize};

use crate::{Report, Statement};

/// Least mean time of a task, in nanoseconds, that a build takes: costs are whole nanoseconds, and
/// of shorter tasks vectors and caches decide, which predictions know.
const LEAST: f64 = 2.0;

/// Factor by which a prediction is off before the measured cost replaces it. Half of the
/// collection's 134 rows are predicted within a fifth (`superstep-collection --json`).
const OFF: f64 = 1.5;

/// The measured cost of a statement's tasks: an entry of a file that `cargo superstep report
/// --costs` writes, and `Builder::measured` reads. Statements are known by kernel and text, so that
/// the file serves wherever the kernel moves.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StatementCost {
    /// Name of the kernel.
    pub kernel: String,
    /// The assignment as written.
    pub statement: String,
    /// Mean time of a task.
    pub nanoseconds: u32,
}

impl Report {
    /// Returns the measured cost of each statement whose prediction is off by more than half, of a
    /// report with a recorded run.
    ///
    /// ```
    /// use superstep_report::{Place, Report, Statement};
    ///
    /// let report = Report {
    ///     kernel: Some(Place { name: "orbits".into(), ..Place::default() }),
    ///     statements: vec![Statement {
    ///         text: "x[i] = anomaly(m[i])".into(),
    ///         tasks: 100,
    ///         work_ns: 2_000,
    ///         measured_ns: Some(15_000),
    ///         ..Statement::default()
    ///     }],
    ///     ..Report::default()
    /// };
    /// assert_eq!(report.measured_costs()[0].nanoseconds, 150);
    /// ```
    pub fn measured_costs(&self) -> Vec<StatementCost> {
        let Some(kernel) = &self.kernel else {
            return Vec::new();
        };
        let cost = |statement: &Statement| {
            let per = |ns: u64| ns as f64 / statement.tasks.max(1) as f64;
            let (predicted, measured) = (per(statement.work_ns), per(statement.measured_ns?));
            let is_off = measured > OFF * predicted || predicted > OFF * measured;
            (measured >= LEAST && is_off).then(|| StatementCost {
                kernel: kernel.name.clone(),
                statement: statement.text.clone(),
                nanoseconds: measured.round() as u32,
            })
        };
        self.statements.iter().filter_map(cost).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Place;

    #[test]
    fn costs_that_are_predicted_well_or_are_short_stay_as_they_are() {
        let statement = |work_ns, measured_ns| Statement {
            tasks: 100,
            work_ns,
            measured_ns,
            ..Statement::default()
        };
        let report = Report {
            kernel: Some(Place::default()),
            statements: vec![
                statement(1000, Some(1400)),
                statement(10, Some(150)),
                statement(1000, None),
                statement(1000, Some(400)),
            ],
            ..Report::default()
        };
        let found = report.measured_costs();
        assert_eq!(
            found
                .iter()
                .map(|cost| cost.nanoseconds)
                .collect::<Vec<_>>(),
            [4]
        );
    }
}
