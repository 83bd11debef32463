//! The table of an ablation: a row for each number and setting, a column for each class.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;

use superstep_tuning::{Setting, Switch};

use super::{Problem, Solved};
use crate::plan::Failure;

/// Least number of graphs of a class by which a number is judged: five, as `docs/experiments` asks.
const GRAPHS: usize = 5;

/// Least ratio of costs (at another setting, over as it is) with which a number earns its place.
const GAINS: f64 = 1.01;

/// Ratios of costs: with one number at another setting, over those with it as it is.
#[derive(Default)]
pub(super) struct Table {
    /// Classes in the order of the problems.
    classes: Vec<&'static str>,
    pub(super) rows: BTreeMap<(&'static str, Setting), Row>,
}

/// One number at one setting.
#[derive(Default)]
pub(super) struct Row {
    /// The number as it is, and at this setting.
    as_is: String,
    value: String,
    classes: BTreeMap<&'static str, Cell>,
    /// Seconds of solving all problems with the number as it is, and at this setting.
    seconds: [f64; 2],
}

/// Geometric mean of the ratios of a class of problems.
#[derive(Default)]
struct Cell {
    graphs: BTreeSet<String>,
    problems: u32,
    /// Sum of the logarithms of the ratios.
    logarithms: f64,
}

impl Cell {
    fn mean(&self) -> f64 {
        (self.logarithms / f64::from(self.problems)).exp()
    }

    /// Writes the mean; in brackets, where there are too few graphs to judge by.
    fn text(&self) -> String {
        match self.graphs.len() < GRAPHS {
            true => format!("({:.3})", self.mean()),
            false => format!("{:.3}", self.mean()),
        }
    }
}

impl Row {
    /// Returns the class with the largest mean, and that mean: of classes with enough graphs alone.
    pub(super) fn worst(&self) -> Option<(&'static str, f64)> {
        let judged = self.classes.iter();
        let judged = judged.filter(|(_, cell)| cell.graphs.len() >= GRAPHS);
        let means = judged.map(|(&class, cell)| (class, cell.mean()));
        means.max_by(|a, b| a.1.total_cmp(&b.1))
    }
}

impl Table {
    /// Enters a problem that was solved with a number as it is, and at a setting.
    pub(super) fn add(
        &mut self,
        number: &dyn Switch,
        setting: Setting,
        problem: &Problem<'_>,
        [as_is, other]: [&Solved; 2],
    ) {
        if !self.classes.contains(&problem.class) {
            self.classes.push(problem.class);
        }
        let value = |setting| number.value(setting).unwrap_or_default();
        let row = self.rows.entry((number.name(), setting)).or_insert(Row {
            as_is: value(Setting::AsIs),
            value: value(setting),
            ..Row::default()
        });
        row.seconds[0] += as_is.seconds;
        row.seconds[1] += other.seconds;
        let cell = row.classes.entry(problem.class).or_default();
        if !cell.graphs.contains(problem.graph) {
            cell.graphs.insert(problem.graph.to_owned());
        }
        cell.problems += 1;
        cell.logarithms += (other.cost / as_is.cost).ln();
    }

    /// Prints the table. A cell is empty where no problem of the class reads the number.
    pub(super) fn print(&self, out: &mut impl Write) -> Result<(), Failure> {
        let classes = self.classes.join(" | ");
        writeln!(out, "| number | is | set to | {classes} | time | gains |")?;
        writeln!(out, "|{}", "---|".repeat(self.classes.len() + 5))?;
        for ((name, _), row) in &self.rows {
            let name = name.trim_start_matches("superstep_");
            write!(out, "| `{name}` | {} | {} |", row.as_is, row.value)?;
            for class in &self.classes {
                let cell = row.classes.get(class).map(Cell::text);
                write!(out, " {} |", cell.unwrap_or_default())?;
            }
            let gains = row.worst().filter(|&(_, mean)| mean >= GAINS);
            let gains =
                gains.map(|(class, mean)| format!("{:.1} %: {class}", 100.0 * (mean - 1.0)));
            let time = row.seconds[1] / row.seconds[0];
            writeln!(out, " {time:.2} | {} |", gains.unwrap_or_default())?;
        }
        Ok(out.flush()?)
    }
}
