//! Measured costs of statements, by which a build corrects its predictions.

use serde::{Deserialize, Serialize};

use crate::{Report, Statement};

/// Least mean time of a task, in nanoseconds, predicted or measured, that is corrected. Below it
/// vectors and caches decide, which the prediction models already. A choice.
const LEAST_NS: f64 = 2.0;

/// Ratio of measured and predicted time, either way, from which a correction is written. Half of
/// the collection's 134 rows are predicted within a fifth (`superstep-collection --json`).
const OFF_RATIO: f64 = 1.5;

/// Measured cost of a statement's tasks beside the predicted one: an entry of a file that
/// `cargo superstep report --costs` writes, and `Builder::measured` reads. Statements are known by
/// kernel and text, so that the file serves wherever the kernel moves.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StatementCost {
    /// Name of the kernel.
    pub kernel: String,
    /// The assignment as written.
    pub statement: String,
    /// Mean time of a task in a recorded run, in nanoseconds.
    pub measured: f64,
    /// Mean time of a task, in nanoseconds, that a build without measured costs predicts.
    pub predicted: f64,
}

impl StatementCost {
    /// Returns the correction: measured over predicted time in thousandths, at least 1. None if a
    /// time is not positive.
    pub fn correction(&self) -> Option<u32> {
        let part = 1e3 * self.measured / self.predicted;
        (part > 0.0 && part.is_finite()).then(|| part.round().max(1.0) as u32)
    }
}

impl Report {
    /// Returns the measured costs of statements that are off by a factor above 1.5 either way, or
    /// were corrected already. A statement without a [correction](StatementCost::correction), as a
    /// time is 0, is left out.
    ///
    /// Only work is scaled: waits, and which loops are vectorised, stay as predicted.
    ///
    /// ```
    /// use superstep_report::{Location, Report, Statement};
    ///
    /// let report = Report {
    ///     kernel: Some(Location { name: "orbits".into(), ..Location::default() }),
    ///     statements: vec![Statement {
    ///         text: "x[i] = anomaly(m[i])".into(),
    ///         tasks: 100,
    ///         work_ns: 2_000,
    ///         measured_ns: Some(15_000),
    ///         ..Statement::default()
    ///     }],
    ///     ..Report::default()
    /// };
    /// let cost = &report.measured_costs()[0];
    /// assert_eq!((cost.measured, cost.predicted, cost.correction()), (150.0, 20.0, Some(7500)));
    /// ```
    pub fn measured_costs(&self) -> Vec<StatementCost> {
        let Some(kernel) = &self.kernel else {
            return Vec::new();
        };
        let cost = |statement: &Statement| {
            let per = |ns: u64| ns as f64 / statement.tasks.max(1) as f64;
            let (predicted, measured) = (per(statement.work_ns), per(statement.measured_ns?));
            let is_off = measured > OFF_RATIO * predicted || predicted > OFF_RATIO * measured;
            let is_written = measured.max(predicted) >= LEAST_NS && is_off;
            let part = 1e-3 * f64::from(statement.correction.unwrap_or(1000));
            let cost = StatementCost {
                kernel: kernel.name.clone(),
                statement: statement.text.clone(),
                measured: thousandths(measured),
                predicted: thousandths(predicted / part),
            };
            let is_written = is_written || statement.correction.is_some();
            (is_written && cost.correction().is_some()).then_some(cost)
        };
        self.statements.iter().filter_map(cost).collect()
    }
}

/// Rounds to what a person can read.
fn thousandths(nanoseconds: f64) -> f64 {
    (1e3 * nanoseconds).round() / 1e3
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Location;

    #[test]
    fn costs_that_are_predicted_well_or_are_short_stay_as_they_are() {
        let statement = |work_ns, measured_ns| Statement {
            tasks: 100,
            work_ns,
            measured_ns,
            ..Statement::default()
        };
        let report = Report {
            kernel: Some(Location::default()),
            statements: vec![
                statement(1000, Some(1400)),
                statement(10, Some(150)),
                statement(1000, None),
                statement(1000, Some(400)),
                statement(1000, Some(30)),
                // Predicted well, as an earlier run has corrected it.
                Statement {
                    correction: Some(200),
                    ..statement(1000, Some(900))
                },
            ],
            ..Report::default()
        };
        let found = report.measured_costs();
        let found = found.iter().map(|cost| (cost.measured, cost.predicted));
        assert!(found.eq([(4.0, 10.0), (0.3, 10.0), (9.0, 50.0)]));
    }

    /// A build fails on a file with a cost that is no correction.
    #[test]
    fn costs_without_a_correction_are_not_written() {
        let statement = |work_ns, measured_ns, correction| Statement {
            tasks: 10_000,
            work_ns,
            measured_ns: Some(measured_ns),
            correction,
            ..Statement::default()
        };
        let report = Report {
            kernel: Some(Location::default()),
            statements: vec![
                // Without predicted work a statement has a weight of its own.
                statement(0, 1_000_000, None),
                statement(1_000_000, 0, None),
                statement(1_000_000, 0, Some(2000)),
                statement(0, 1_000_000, Some(2000)),
                statement(1_000_000, 4, Some(2000)),
                statement(1_000_000, 10, Some(2000)),
            ],
            ..Report::default()
        };
        let found = report.measured_costs();
        let times = found.iter().map(|cost| (cost.measured, cost.predicted));
        assert!(times.eq([(0.001, 50.0)]), "{found:?}");
    }

    #[test]
    fn only_positive_times_have_a_correction() {
        let part = |measured, predicted| {
            let cost = StatementCost {
                measured,
                predicted,
                ..StatementCost::default()
            };
            cost.correction()
        };
        assert_eq!([part(3.0, 2.0), part(1e-9, 2.0)], [Some(1500), Some(1)]);
        let wrong = [part(0.0, 2.0), part(1.0, 0.0), part(-1.0, 2.0)];
        assert_eq!(wrong, [None; 3]);
        assert_eq!(part(f64::NAN, 1.0), None);
    }
}
