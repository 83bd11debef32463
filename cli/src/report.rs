//! What a command says of a schedule.

mod text;

use std::io::{self, Write};

use serde::Serialize;
use superstep_machine::Machine;
use superstep_schedule::{CheckedSchedule, Costs, bounds, folded_size};

use crate::failure::Failure;

/// The figures of a graph and of a schedule of it; the names are those of the JSON form.
#[derive(Serialize)]
pub(crate) struct Report {
    tasks: usize,
    edges: usize,
    total_work: u64,
    critical_path: u64,
    lower_bound: u64,
    makespan_bound: f64,
    bsp_bound: f64,
    processors: usize,
    supersteps: usize,
    makespan: f64,
    bsp_cost: f64,
    duplication_rate: f64,
    messages: u64,
    mean_message_words: f64,
    processors_used: usize,
    folded_size: u64,
    /// Time that the command itself took: to schedule, or to check. Files and costs are not in it.
    seconds: f64,
}

impl Report {
    pub(crate) fn new(schedule: &CheckedSchedule<'_>, machine: &Machine, seconds: f64) -> Self {
        let graph = schedule.graph();
        let costs = Costs::of(schedule, machine);
        let critical_path = bounds::critical_path(graph);
        Self {
            tasks: graph.tasks(),
            edges: graph.edges(),
            total_work: graph.total_work(),
            critical_path,
            lower_bound: critical_path.max(bounds::work_bound(graph, machine.processors)),
            makespan_bound: bounds::makespan_bound(graph, machine),
            bsp_bound: bounds::bsp_bound(graph, machine),
            processors: schedule.schedule().processors(),
            supersteps: costs.supersteps,
            makespan: costs.makespan,
            bsp_cost: costs.bsp_cost,
            duplication_rate: costs.duplication_rate,
            messages: costs.messages,
            mean_message_words: costs.mean_message_words,
            processors_used: costs.processors_used,
            folded_size: folded_size(schedule.schedule()),
            seconds,
        }
    }
}

/// Prints a report to the standard output.
pub(crate) fn print(report: &Report, machine: &Machine, as_json: bool) -> Result<(), Failure> {
    let text = if as_json {
        json(report)
    } else {
        text::render(report, machine)
    };
    write(&text)
}

/// One JSON object, for programs.
pub(crate) fn json(figures: &impl Serialize) -> String {
    let mut text = serde_json::to_string_pretty(figures)
        .expect("figures serialise: their keys are strings and their numbers finite");
    text.push('\n');
    text
}

/// Writes to the standard output.
pub(crate) fn write(text: &str) -> Result<(), Failure> {
    let mut output = io::stdout().lock();
    output
        .write_all(text.as_bytes())
        .and_then(|()| output.flush())
        .map_err(Failure::Output)
}
