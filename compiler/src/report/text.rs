//! Reports for people: a line for each figure.

use std::fmt::Write;

use super::{KernelReport, Nanoseconds, Report};
use crate::figures::{Count, Figures};

/// Width of the name of a figure, in characters: the longest is `duplication rate`, and two spaces
/// follow.
const NAME: usize = 18;

impl Report {
    /// Writes all figures, a line each.
    pub fn text(&self) -> String {
        let mut text = String::new();
        let mut line = |name: &str, value: String| {
            // Writing to a string does not fail.
            let _ = writeln!(text, "{name:<NAME$}{value}");
        };
        if !self.control.is_empty() {
            line("control", self.control.clone());
        }
        if let Some(program) = &self.program {
            line(
                "predicted",
                Nanoseconds(program.predicted as f64).to_string(),
            );
        }
        if self.function > 0 {
            let function = Nanoseconds(self.function as f64);
            line("function", format!("{function} as written, by prediction"));
        }
        line("tasks", self.tasks.to_string());
        line("edges", self.edges.to_string());
        line("total work", self.total_work.to_string());
        line("critical path", self.critical_path.to_string());
        line("lower bound", self.lower_bound.to_string());
        if !self.algorithm.is_empty() {
            line("scheduler", self.algorithm.clone());
        }
        if self.private_memory {
            line("memory", "private".into());
        }
        line("machine", self.machine.clone());
        line("supersteps", self.supersteps.to_string());
        line("makespan", beside(self.makespan, self.makespan_bound));
        line("BSP cost", beside(self.bsp_cost, self.bsp_bound));
        if let Some(run) = &self.run_time {
            let [median, p99] = [run.median, run.p99].map(|seconds| Nanoseconds(1e9 * seconds));
            line("run time", format!("{median} in the median, {p99} at 99 %"));
        }
        line("duplication rate", format!("{:.5}", self.duplication_rate));
        let words = self.mean_message_words;
        line(
            "messages",
            format!("{}, of {words:.1} words on average", self.messages),
        );
        line("processors used", self.processors_used.to_string());
        line("folded size", self.folded_size.to_string());
        line("time", format!("{:.3} s", self.seconds));
        if let Some(program) = &self.program {
            line(
                "code",
                format!("{}; {} bytes of tables", program.tiers, program.table_bytes),
            );
            line("copied", copied(program));
            text.push_str(&loads(program));
        }
        text
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
            [program] => self.in_full(program),
            _ => self.list(),
        }
    }

    /// Writes the programs, a line each.
    pub fn list(&self) -> String {
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

    fn in_full(&self, report: &Report) -> String {
        let place = format!("{} ({}:{})", self.kernel, self.file, self.line);
        let mut text = format!("{:<NAME$}{place}\n{}", "kernel", report.text());
        if !report.talkative.is_empty() {
            text.push_str("\nwords sent between processors, by the statement that computed them\n");
        }
        for talk in &report.talkative {
            let file = talk.file.as_ref().unwrap_or(&self.file);
            let _ = writeln!(
                text,
                "  {:>10}  {file}:{}  {}",
                talk.words, talk.line, talk.statement
            );
        }
        text
    }
}

/// Writes a cost to a tenth, and how many times its lower bound it is.
fn beside(cost: f64, bound: f64) -> String {
    let ratio = cost / bound;
    let [cost, bound] = [cost, bound].map(|cost| (10.0 * cost).round() / 10.0);
    if bound > 0.0 {
        format!("{cost}  ({ratio:.2} x its lower bound {bound})")
    } else {
        cost.to_string()
    }
}

/// The words that a program copies.
fn copied(program: &Figures) -> String {
    format!(
        "{} scattered, {} in {}, {} gathered",
        Count(program.scattered, "word"),
        program.words,
        Count(program.messages, "message"),
        program.gathered
    )
}

/// The load of each processor.
fn loads(program: &Figures) -> String {
    let mut text = String::from("\nload of each processor, in task instances\n");
    for (processor, &load) in program.loads.iter().enumerate() {
        let share = 100.0 * load as f64 / program.instances.max(1) as f64;
        let _ = writeln!(text, "  {processor:>2}  {load:>10}  {share:>5.1} %");
    }
    text
}
