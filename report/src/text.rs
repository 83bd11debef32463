//! Reports for people: a line for each figure.

pub(crate) mod columns;
mod tables;

use std::fmt::{self, Write};

use crate::figures::{Count, Figures, PlanFigures};
use crate::{Breakdown, KernelReport, Kind, Location, Report};

/// Width of the column of names, in characters: `duplication rate`, the longest, and two spaces.
const NAME_WIDTH: usize = 18;

/// A time for people: `0.173 ms`.
pub struct Nanoseconds(pub f64);

impl fmt::Display for Nanoseconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.3} ms", 1e-6 * self.0)
    }
}

impl Report {
    /// Writes all figures, a line each, and the tables of processors, statements and supersteps.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for (name, value) in self.rows() {
            // Writing to a string does not fail.
            let _ = writeln!(text, "{name:<NAME_WIDTH$}{value}");
        }
        if !self.loads.is_empty() {
            text.push_str(&self.processors());
            text.push_str(&self.statements());
            text.push_str(&self.worst_steps());
        }
        text.push_str(&self.answers());
        text.push_str(&self.what_if());
        text
    }

    /// Returns the name and the value of each figure, as the text and the page show them.
    pub fn rows(&self) -> Vec<(&'static str, String)> {
        let mut rows = Vec::new();
        let mut row = |name, value: String| rows.push((name, value));
        if let Some(Location { name, file, line }) = &self.kernel {
            row(
                "kernel",
                match &file[..] {
                    "" => name.clone(),
                    file => format!("{name} ({file}:{line})"),
                },
            );
        }
        if !self.control.is_empty() {
            row("control", self.control.clone());
        }
        self.rows_of_times(&mut row);
        match self.kind {
            Kind::Plan | Kind::Farm => self.rows_of_plan(&mut row),
            Kind::Schedule | Kind::Program => self.rows_of_schedule(&mut row),
        }
        if self.planning_seconds > 0.0 {
            let pays = match self.break_even() {
                Some(calls) => format!("pays after {calls:.0} calls by prediction"),
                None => "does not pay by prediction".into(),
            };
            row(
                "planning",
                format!(
                    "{:.3} s for all programs, which {pays}",
                    self.planning_seconds
                ),
            );
        }
        if let Some(program) = &self.program {
            let Figures {
                tiers, table_bytes, ..
            } = program;
            row("code", format!("{tiers}; {table_bytes} bytes of tables"));
            row("copied", copied(program));
        }
        rows
    }

    /// Adds the predicted and measured times, and where they go.
    fn rows_of_times(&self, row: &mut impl FnMut(&'static str, String)) {
        if let Some(program) = &self.program {
            row(
                "predicted",
                Nanoseconds(program.predicted as f64).to_string(),
            );
        }
        if let Some(plan) = &self.plan {
            let [place, loaded] =
                [plan.predicted_ns, plan.loaded_ns].map(|ns| Nanoseconds(ns as f64));
            row("predicted", format!("{place} in place, {loaded} loaded"));
        }
        if self.function > 0 {
            let function = Nanoseconds(self.function as f64);
            row("function", format!("{function} as written, by prediction"));
        }
        if let Some(times) = &self.times {
            if !times.predicted.is_unknown() {
                row("cost", cost(&times.predicted));
                row("efficiency", efficiency(&times.predicted));
                row("granularity", granularity(&times.predicted));
            }
            if let Some(measured) = &times.measured {
                row("measured", Nanoseconds(measured.run_ns as f64).to_string());
                row("measured cost", cost(measured));
                row("and efficiency", efficiency(measured));
            }
        }
    }

    /// Adds the figures of a plan or, without one, those of a recorded run.
    fn rows_of_plan(&self, row: &mut impl FnMut(&'static str, String)) {
        let Some(plan) = &self.plan else {
            row("chunks", self.tasks.to_string());
            return row("machine", self.machine.clone());
        };
        let PlanFigures {
            level,
            grains,
            chunks,
            waits,
            parallelism,
            ..
        } = plan;
        let inside = match level {
            0 => String::new(),
            level => format!(" of loops in {level} others"),
        };
        row(
            "iterations",
            format!("{}{inside} in {}", self.tasks, Count(*grains, "grain")),
        );
        row(
            "dependences",
            format!("{} between grains of them", self.edges),
        );
        row("critical path", format!("{} grains", self.critical_path));
        row("parallelism", format!("{parallelism:.1}"));
        row("scheduler", self.algorithm.clone());
        row("machine", self.machine.clone());
        row("chunks", format!("{chunks} with {}", Count(*waits, "wait")));
        row(
            "supersteps",
            format!("{}, of a chunk for each processor at most", self.supersteps),
        );
    }

    /// Adds the figures of a schedule of tasks.
    fn rows_of_schedule(&self, row: &mut impl FnMut(&'static str, String)) {
        row("tasks", self.tasks.to_string());
        row("edges", self.edges.to_string());
        row("total work", self.total_work.to_string());
        row("critical path", self.critical_path.to_string());
        row("lower bound", self.lower_bound.to_string());
        if !self.algorithm.is_empty() {
            row("scheduler", self.algorithm.clone());
        }
        if self.private_memory {
            row("memory", "private".into());
        }
        row("machine", self.machine.clone());
        row("supersteps", self.supersteps.to_string());
        row("makespan", with_bound(self.makespan, self.makespan_bound));
        row("BSP cost", with_bound(self.bsp_cost, self.bsp_bound));
        if let Some(run) = &self.run_time {
            let [median, p99] = [run.median, run.p99].map(|seconds| Nanoseconds(1e9 * seconds));
            row("run time", format!("{median} in the median, {p99} at 99 %"));
        }
        row("duplication rate", format!("{:.5}", self.duplication_rate));
        let words = self.mean_message_words;
        row(
            "messages",
            format!("{}, of {words:.1} words on average", self.messages),
        );
        row("processors used", self.processors_used.to_string());
        row("folded size", self.folded_size.to_string());
        row("time", format!("{:.3} s", self.seconds));
    }

    /// Writes the figures of the schedule as comments for the generated file.
    pub fn notes(&self) -> Vec<String> {
        vec![
            format!("{} schedule for {}", self.algorithm, self.machine),
            match self.function {
                0 => format!("predicted to take {}", Nanoseconds(self.predicted())),
                function => format!(
                    "predicted to take {}, and the function as written {}",
                    Nanoseconds(self.predicted()),
                    Nanoseconds(function as f64)
                ),
            },
            format!(
                "{}, {}, critical path {}; no makespan is below {:.0}",
                Count(self.tasks as u64, "task"),
                Count(self.edges as u64, "edge"),
                self.critical_path,
                self.makespan_bound
            ),
            format!(
                "{}, makespan {:.0}, BSP cost {:.0}, duplication rate {:.5}",
                Count(self.supersteps as u64, "superstep"),
                self.makespan,
                self.bsp_cost,
                self.duplication_rate
            ),
        ]
    }
}

impl KernelReport {
    /// Writes the programs, a line each; one alone in full.
    pub fn text(&self) -> String {
        match &self.programs[..] {
            [program] => program.text(),
            _ => self.summary(),
        }
    }

    /// Writes the programs, a line each.
    pub fn summary(&self) -> String {
        let mut text = format!("{} ({}:{})\n", self.kernel, self.file, self.line);
        if let Some(why) = &self.unplanned {
            let _ = writeln!(text, "  no plan can be made at run time: {why}");
        }
        let widths = self
            .programs
            .iter()
            .map(|each| each.control.chars().count());
        let width = widths.max().unwrap_or(0);
        for report in &self.programs {
            let Report {
                control,
                processors,
                supersteps,
                tasks,
                makespan,
                algorithm,
                ..
            } = report;
            let words = report.program.as_ref().map_or(0, |program| program.words);
            let predicted = Nanoseconds(report.predicted());
            let function = match report.function {
                0 => String::new(),
                function => format!(", the function {}", Nanoseconds(function as f64)),
            };
            let memory = if report.private_memory {
                ", private memory"
            } else {
                ""
            };
            let _ = writeln!(
                text,
                "  {control:<width$}  P = {processors:<2}  {algorithm:<10}  supersteps {supersteps:>4}  {tasks:>9} tasks  makespan {makespan:>9.0}  \
                 {words:>8} words sent  predicted {predicted}{function}{memory}"
            );
        }
        text
    }
}

/// Writes a cost to a tenth, and how many times its lower bound it is.
fn with_bound(cost: f64, bound: f64) -> String {
    let ratio = cost / bound;
    let [cost, bound] = [cost, bound].map(|cost| (10.0 * cost).round() / 10.0);
    if bound > 0.0 {
        format!("{cost}  ({ratio:.2} x its lower bound {bound})")
    } else {
        cost.to_string()
    }
}

/// Returns the words that a program copies, as text.
fn copied(program: &Figures) -> String {
    format!(
        "{} scattered, {} in {}, {} gathered",
        Count(program.scattered, "word"),
        program.words,
        Count(program.messages, "message"),
        program.gathered
    )
}

/// Writes where the time of a run goes.
fn cost(times: &Breakdown) -> String {
    let share = |ns: u64| 100.0 * ns as f64 / (times.run_ns as f64).max(1.0);
    format!(
        "{:.1} % work, {:.1} % communication, {:.1} % synchronisation",
        share(times.work_ns),
        share(times.communication_ns),
        share(times.synchronisation_ns)
    )
}

/// Writes the efficiency of a run and its factors.
fn efficiency(times: &Breakdown) -> String {
    let Breakdown {
        load_balance,
        serialisation,
        transfer,
        ..
    } = times;
    format!(
        "{:.3} = {load_balance:.3} load balance x {serialisation:.3} serialisation x {transfer:.3} transfer",
        times.efficiency()
    )
}

/// Writes the granularity: work over communication and synchronisation.
fn granularity(times: &Breakdown) -> String {
    let overhead = times.communication_ns as f64 + times.synchronisation_ns as f64;
    match overhead > 0.0 {
        true => format!("{:.1} times the overhead", times.work_ns as f64 / overhead),
        false => "no overhead".into(),
    }
}
