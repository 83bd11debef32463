//! Two builds side by side, row by row: this one, and another, by measured costs for example.

use std::env;
use std::path::Path;

use super::elsewhere;
use super::row::Row;

/// Processes of each build for each row, of which the median counts: one that the system slows down
/// is left out.
const ROUNDS: usize = 3;

/// Times of a row in this build and in the other.
struct Pair {
    name: String,
    /// Calls on two processors over the function.
    calls: [f64; 2],
    /// The program for two processors over the function, where there is one.
    programs: [Option<f64>; 2],
    /// Its predicted over its measured time.
    errors: [Option<f64>; 2],
}

/// Measures the rows of these numbers in both builds, and prints.
pub(super) fn run(rows: &[usize], other: &Path) -> Result<(), Box<dyn std::error::Error>> {
    let own = env::current_exe()?;
    println!(
        "Times over that of the function as written, of this build and of {}.\n\n\
         | row | predicted / measured | program, P = 2 | calls, P = 2 | gain of calls |\n\
         |---|---|---|---|---|",
        other.display()
    );
    let mut pairs = Vec::new();
    for &number in rows {
        let mut both = [Vec::new(), Vec::new()];
        for _ in 0..ROUNDS {
            for (rows, binary) in both.iter_mut().zip([&own, other]) {
                rows.push(elsewhere(binary, number)?);
            }
        }
        let pair = Pair::of(&both);
        pair.print();
        pairs.push(pair);
    }
    let of = |ratios: Vec<f64>| {
        let logarithms: f64 = ratios.iter().map(|ratio| ratio.ln()).sum();
        (logarithms / ratios.len().max(1) as f64).exp()
    };
    let program = |pair: &Pair| Some(pair.programs[1]? / pair.programs[0]?);
    println!(
        "\nThe other build takes {:.3} of this one's calls in the geometric mean, and {:.3} of its programs. Losses of calls:",
        of(pairs
            .iter()
            .map(|pair| pair.calls[1] / pair.calls[0])
            .collect()),
        of(pairs.iter().filter_map(program).collect()),
    );
    for pair in pairs.iter().filter(|pair| pair.calls[1] > pair.calls[0]) {
        println!(
            "* {}: {:.2}",
            pair.name,
            1.0 - pair.calls[1] / pair.calls[0]
        );
    }
    Ok(())
}

impl Pair {
    fn of(both: &[Vec<Row>; 2]) -> Self {
        let medians = |figure: &dyn Fn(&Row) -> Option<f64>| {
            both.each_ref().map(|rows| {
                let mut all: Vec<f64> = rows.iter().filter_map(figure).collect();
                all.sort_by(f64::total_cmp);
                all.get(all.len() / 2).copied()
            })
        };
        Self {
            name: both[0][0].name(),
            calls: medians(&|row| Some(row.p2_median)).map(Option::unwrap_or_default),
            programs: medians(&|row| row.programs_vs_function[1]),
            errors: medians(&|row| row.predicted_error[1]),
        }
    }

    fn print(&self) {
        let both = |figures: [Option<f64>; 2]| {
            let figures = figures.map(|each| each.map_or("-".into(), |each| format!("{each:.2}")));
            figures.join(", ")
        };
        println!(
            "| {} | {} | {} | {} | {:.2} |",
            self.name,
            both(self.errors),
            both(self.programs),
            both(self.calls.map(Some)),
            1.0 - self.calls[1] / self.calls[0]
        );
    }
}
