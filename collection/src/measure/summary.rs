//! The summary of all rows: means, the worst row, rows that break the promise.

use serde::Serialize;

use super::row::{BESIDE, MOST, Row};

/// Predicted over measured time, between which a prediction holds: what users need to choose a
/// size.
const PREDICTED: [f64; 2] = [0.7, 1.4];

/// All rows and their summary.
#[derive(Serialize)]
pub(super) struct Summary {
    pub(super) rows: Vec<Row>,
    /// Geometric mean of what calls on two processors take of the function's time.
    p2_geometric_mean: f64,
    /// Geometric mean of the medians of the same ratio.
    p2_geometric_mean_of_medians: f64,
    /// The row with the largest ratio.
    worst: String,
    worst_ratio: f64,
    /// Rows whose calls take longer than they may.
    too_slow: Vec<String>,
    /// Share of the rows that stay sequential.
    sequential_share: f64,
    /// Share of the programs whose predictions hold.
    predicted_share: f64,
}

impl Summary {
    /// Sums up.
    pub(super) fn new(rows: Vec<Row>) -> Self {
        let mean = |ratio: fn(&Row) -> f64| {
            let logarithms = rows.iter().map(|row| ratio(row).ln());
            (logarithms.sum::<f64>() / rows.len() as f64).exp()
        };
        let share = |count: usize, of: usize| count as f64 / of.max(1) as f64;
        let worst = rows
            .iter()
            .max_by(|a, b| a.p2_vs_function.total_cmp(&b.p2_vs_function));
        let errors: Vec<f64> = rows
            .iter()
            .flat_map(|row| row.predicted_error)
            .flatten()
            .collect();
        let holds = |error: &&f64| (PREDICTED[0]..=PREDICTED[1]).contains(*error);
        let sequential = rows.iter().filter(|row| row.is_sequential()).count();
        let too_slow = rows.iter().filter(|row| row.is_too_slow());
        Self {
            p2_geometric_mean: mean(|row| row.p2_vs_function),
            p2_geometric_mean_of_medians: mean(|row| row.p2_median),
            worst: worst.map_or(String::new(), Row::name),
            worst_ratio: worst.map_or(0.0, |row| row.p2_vs_function),
            too_slow: too_slow.map(Row::name).collect(),
            sequential_share: share(sequential, rows.len()),
            predicted_share: share(errors.iter().filter(holds).count(), errors.len()),
            rows,
        }
    }

    /// Prints it as text.
    pub(super) fn print(&self) {
        println!(
            "\nGeometric mean at P = 2: {:.2} (of medians: {:.2}). The worst: {}, {:.2}. Stay sequential: {:.0} %. Predicted between {} and {} of what \
             was measured: {:.0} %.\nLonger than {MOST} of the function and {BESIDE} ns: {}.",
            self.p2_geometric_mean,
            self.p2_geometric_mean_of_medians,
            self.worst,
            self.worst_ratio,
            100.0 * self.sequential_share,
            PREDICTED[0],
            PREDICTED[1],
            100.0 * self.predicted_share,
            match self.too_slow.is_empty() {
                true => "none".into(),
                false => self.too_slow.join("; "),
            }
        );
    }
}
