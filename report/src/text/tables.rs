//! Tables of a report: processors, statements, supersteps, answers, other numbers of processors.

use super::columns::{Cell, table};
use crate::{Kind, Nanoseconds, Report, Statement, WhatIf};

/// Supersteps that a text lists, those in which most time is lost.
const SHOWN_STEPS: usize = 5;

/// A gain over half as many processors below which more do not pay.
const PAYS: f64 = 0.9;

/// Writes a table with a title.
fn titled(title: &str, headings: &[&str], rows: Vec<Vec<String>>) -> String {
    let cells = |row: Vec<String>| row.into_iter().map(Cell::from).collect();
    let rows: Vec<Vec<Cell>> = rows.into_iter().map(cells).collect();
    format!("\n{title}\n{}", table(headings, &rows))
}

impl Report {
    /// Writes a time; of schedules of graphs a number of units of work.
    fn time(&self, ns: u64) -> String {
        match self.kind {
            Kind::Schedule => ns.to_string(),
            _ if ns >= 1_000_000 => format!("{:.3} ms", 1e-6 * ns as f64),
            _ => format!("{:.1} us", 1e-3 * ns as f64),
        }
    }

    /// Returns whether times are known: of a plan file they are not.
    fn has_times(&self) -> bool {
        let has = |load: &crate::Load| load.work_ns.max(load.wait_ns).max(load.idle_ns) > 0;
        !matches!(self.kind, Kind::Plan | Kind::Farm) || self.loads.iter().any(has)
    }

    /// Writes the share of each processor.
    pub(super) fn processors(&self) -> String {
        let all: f64 = self.loads.iter().map(|load| load.tasks as f64).sum();
        let (has_times, has_words) = (self.has_times(), self.has_words());
        let row = |(processor, load): (usize, &crate::Load)| {
            let share = 100.0 * load.tasks as f64 / all.max(1.0);
            let times = [load.work_ns, load.copy_ns, load.wait_ns, load.idle_ns];
            let mut row = vec![
                processor.to_string(),
                load.tasks.to_string(),
                format!("{share:.1} %"),
            ];
            if has_times {
                row.extend(times.map(|ns| self.time(ns)));
            }
            if has_words {
                row.extend([load.words_sent, load.words_received].map(|words| words.to_string()));
            }
            row
        };
        let counted = self.statements.iter().find_map(|each| each.counts.as_ref());
        let counted = counted.map_or_else(|| "tasks".into(), |counted| format!("{counted}s"));
        let (title, one) = match self.kind {
            Kind::Farm => ("threads", "thread"),
            _ => ("processors", "processor"),
        };
        let mut headings = vec![one, &counted, "share"];
        if has_times {
            headings.extend(["works", "copies", "waits", "idle at the end"]);
        }
        if has_words {
            headings.extend(["words sent", "received"]);
        }
        let rows: Vec<Vec<String>> = self.loads.iter().enumerate().map(row).collect();
        titled(title, &headings, rows)
    }

    /// Writes each statement's share, that of most work first.
    pub(super) fn statements(&self) -> String {
        let is_told = |each: &Statement| each.work_ns > 0 || each.counts.is_none();
        let is_schedule = self.kind == Kind::Schedule;
        if self.statements.is_empty() || !is_schedule && !self.statements.iter().any(is_told) {
            return String::new();
        }
        let is_measured = self
            .statements
            .iter()
            .any(|each| each.measured_ns.is_some());
        let mut all: Vec<&Statement> = self.statements.iter().collect();
        all.sort_by_key(|each| std::cmp::Reverse(each.work_ns));
        let own = self.kernel.as_ref().map_or("", |kernel| &kernel.file);
        let row = |each: &&Statement| {
            let mut row = vec![each.tasks.to_string(), self.time(each.work_ns)];
            if is_measured {
                row.push(each.measured_ns.map_or(String::new(), |ns| self.time(ns)));
            }
            let words = [each.words_sent, each.words_received, each.extra_words];
            row.extend(words.map(|words| words.to_string()));
            let place = match each.line {
                0 => String::new(),
                line => format!("{}:{line}", each.file.as_deref().unwrap_or(own)),
            };
            row.extend([each.code.clone(), place, each.text.clone()]);
            row
        };
        let mut headings = vec!["tasks", "predicted"];
        if is_measured {
            headings.push("measured");
        }
        headings.extend([
            "words sent",
            "received",
            "extra",
            "code ",
            "line ",
            "statement ",
        ]);
        let rows: Vec<Vec<String>> = all.iter().map(row).collect();
        titled("statements", &headings, rows)
    }

    /// Writes the supersteps in which most time is lost.
    pub(super) fn worst_steps(&self) -> String {
        if !self.has_times() || self.steps.rows.is_empty() {
            return String::new();
        }
        let row = |row: &crate::StepLoad| {
            let mut cells = vec![row.step.to_string(), row.tasks.to_string()];
            cells.extend([row.longest_ns, row.mean_ns, row.wait_ns].map(|ns| self.time(ns)));
            cells.push(row.words.to_string());
            cells
        };
        let rows: Vec<Vec<String>> = self.steps.rows.iter().take(SHOWN_STEPS).map(row).collect();
        let headings = [
            "superstep",
            "tasks",
            "longest work",
            "mean",
            "waits",
            "words that cross",
        ];
        titled("supersteps in which most time is lost", &headings, rows)
    }

    /// Writes what would make the program faster.
    pub(super) fn answers(&self) -> String {
        let row = |answer: &crate::Answer| {
            let gain = match answer.gain > 0.0 {
                true => format!("{:.0} %", 100.0 * answer.gain),
                false => String::new(),
            };
            vec![gain, format!("{}: {}", answer.title, answer.body)]
        };
        let rows: Vec<Vec<String>> = self.answers.iter().map(row).collect();
        match rows.is_empty() {
            true => String::new(),
            false => titled("what would make it faster", &["gain", "change "], rows),
        }
    }

    /// Writes the predictions for other numbers of processors, and where more stop paying.
    pub fn what_if(&self) -> String {
        let Some(one) = self.what_if.first() else {
            return String::new();
        };
        let mut best = one;
        let mut rows = Vec::new();
        for row in &self.what_if {
            let WhatIf {
                processors,
                predicted_ns,
                algorithm,
            } = row;
            let time = Nanoseconds(*predicted_ns as f64).to_string();
            let speedup = one.predicted_ns as f64 / (*predicted_ns as f64).max(1.0);
            rows.push(vec![
                processors.to_string(),
                time,
                format!("{speedup:.2}"),
                algorithm.clone(),
            ]);
            if (*predicted_ns as f64) < PAYS * best.predicted_ns as f64 {
                best = row;
            }
        }
        let headings = ["processors", "predicted", "speed-up", "scheduler "];
        let title = "predictions for other numbers of processors";
        titled(title, &headings, rows) + &format!("  more than {} do not pay\n", best.processors)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_processors_pay_while_they_gain_a_tenth() {
        let row = |processors, predicted_ns| WhatIf {
            processors,
            predicted_ns,
            ..WhatIf::default()
        };
        let report = Report {
            what_if: vec![row(1, 1000), row(2, 600), row(4, 560), row(8, 550)],
            ..Report::default()
        };
        assert!(report.what_if().ends_with("more than 2 do not pay\n"));
        assert_eq!(Report::default().what_if(), "");
    }
}
