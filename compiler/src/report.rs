//! The report of a schedule, and of the program made of it: text and JSON are printed from it.

mod text;

use std::fmt;

use serde::{Deserialize, Serialize};
use superstep_machine::{Machine, Memory};
use superstep_schedule::{CheckedSchedule, Costs, Transfer, bounds, communication, folded_size};
use superstep_tracer::Trace;

use crate::checked::CheckedProgram;
use crate::figures::Figures;

/// The programs of one kernel: the file that a build writes beside the generated one, as `<kernel id>.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct KernelReport {
    /// Name of the kernel.
    pub kernel: String,
    /// Source file.
    pub file: String,
    /// Line of the kernel, from 1.
    pub line: u32,
    /// One for each choice of control arguments, in the order of the build script.
    #[serde(default)]
    pub instances: Vec<InstanceReport>,
    /// One report for each choice of control arguments and number of processors.
    pub programs: Vec<Report>,
    /// Time that printing all programs took, in seconds.
    #[serde(default)]
    pub print_seconds: f64,
    /// The line that keeps calls from planning the kernel, and why; none if they can, or its author
    /// wants no plans.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unplanned: Option<String>,
}

/// The making of one kernel's programs for one choice of control arguments.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct InstanceReport {
    /// The control arguments, `n = 128`.
    pub control: String,
    /// Tasks of the trace.
    pub tasks: usize,
    /// Time that tracing took, in seconds.
    pub trace_seconds: f64,
    /// Time that scheduling and lowering took, all candidates included, in seconds.
    pub compile_seconds: f64,
}

impl KernelReport {
    /// Returns the time that building the programs of each instance took, in seconds: tracing,
    /// compiling, and a share of the printing in proportion to its tasks.
    pub fn build_seconds(&self) -> impl Iterator<Item = f64> {
        let tasks: usize = self.instances.iter().map(|instance| instance.tasks).sum();
        let print = self.print_seconds / tasks.max(1) as f64;
        self.instances.iter().map(move |instance| {
            instance.trace_seconds + instance.compile_seconds + print * instance.tasks as f64
        })
    }
}

/// A graph, a schedule of it and, if one was made, the program. The names of the fields are those of the JSON form.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Report {
    /// The control arguments, `n = 128`; empty where there is no kernel.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub control: String,
    /// Name of the scheduler; empty where it is not known.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub algorithm: String,
    /// The machine, in words.
    pub machine: String,
    /// Tasks of the graph.
    pub tasks: usize,
    /// Flow dependences between different tasks.
    pub edges: usize,
    /// Work of all tasks.
    pub total_work: u64,
    /// Longest path, in work.
    pub critical_path: u64,
    /// No schedule has a smaller makespan, counting work and the longest path alone.
    pub lower_bound: u64,
    /// No schedule has a smaller makespan, counting what tau costs too.
    pub makespan_bound: f64,
    /// No schedule has a lower BSP cost.
    pub bsp_bound: f64,
    /// Number of processors, idle ones included.
    pub processors: usize,
    /// Set if the program's processors have memories of their own.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub private_memory: bool,
    /// Number of supersteps.
    pub supersteps: usize,
    /// The thesis's objective at the machine's tau.
    pub makespan: f64,
    /// The BSP cost at the machine's g and L.
    pub bsp_cost: f64,
    /// Task instances over tasks.
    pub duplication_rate: f64,
    /// Non-empty messages between supersteps, where all memory is private.
    pub messages: u64,
    /// Words of such a message on average.
    pub mean_message_words: f64,
    /// Processors that run a task.
    pub processors_used: usize,
    /// Intervals of task ids that carry no loop on: see [`folded_size()`].
    pub folded_size: u64,
    /// Time that scheduling took, or checking a schedule that was there.
    pub seconds: f64,
    /// Predicted time of a run, on a machine that was measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run_time: Option<RunTime>,
    /// Nanoseconds that a call of the function as written is predicted to take; 0 without a
    /// program.
    #[serde(skip_serializing_if = "is_zero")]
    pub function: u64,
    /// The program, where one was made.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub program: Option<Figures>,
    /// The statements whose values cross between processors, most words first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub talkative: Vec<Talk>,
}

/// Predicted time of a run on a machine whose latencies are distributions: what is computed and
/// sent takes what it takes, and boundaries wait for the slowest path, one independently of the
/// other.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunTime {
    /// Seconds that half of all runs stay below.
    pub median: f64,
    /// Seconds that 99 of 100 runs stay below.
    pub p99: f64,
    /// Boundaries of each level of the machine at which something is sent, the innermost first.
    pub boundaries: Vec<u32>,
}

/// A statement whose values cross between processors.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Talk {
    /// Source file, where it is another than the kernel's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Line in the source, from 1.
    pub line: u32,
    /// The assignment as written.
    pub statement: String,
    /// Words sent of values that it computed.
    pub words: u64,
}

impl Report {
    /// Counts what a schedule costs, and what no schedule of its graph beats.
    pub fn of_schedule(schedule: &CheckedSchedule<'_>, machine: &Machine, seconds: f64) -> Self {
        let graph = schedule.graph();
        let costs = Costs::of(schedule, machine);
        let critical_path = bounds::critical_path(graph);
        Self {
            machine: machine.to_string(),
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
            ..Self::default()
        }
    }

    /// Names the scheduler.
    #[must_use]
    pub fn by(self, algorithm: &str) -> Self {
        Self {
            algorithm: algorithm.to_owned(),
            ..self
        }
    }

    /// Says where the program's processors have their data.
    #[must_use]
    pub fn over(self, memory: Memory) -> Self {
        Self {
            private_memory: memory == Memory::Private,
            ..self
        }
    }

    /// Names the control arguments.
    #[must_use]
    pub fn of_instance(self, control: &str) -> Self {
        Self {
            control: control.to_owned(),
            ..self
        }
    }

    /// Adds what the program tells that was made of `schedule`.
    #[must_use]
    pub fn with_program(
        self,
        trace: &Trace,
        schedule: &CheckedSchedule<'_>,
        program: &CheckedProgram,
    ) -> Self {
        Self {
            program: Some(program.figures().clone()),
            talkative: talkative(trace, communication(schedule).transfers()),
            ..self
        }
    }

    /// Returns the time that a call of the program is predicted to take, in nanoseconds; 0 without
    /// a program.
    pub fn predicted(&self) -> f64 {
        let program = self.program.as_ref();
        program.map_or(0.0, |figures| figures.predicted as f64)
    }
}

// Its signature is serde's.
#[allow(clippy::trivially_copy_pass_by_ref)]
fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// Words sent per statement that computed them, most first.
fn talkative(trace: &Trace, transfers: &[Transfer]) -> Vec<Talk> {
    let mut words = vec![0_u64; trace.kernel().statements.len()];
    for transfer in transfers {
        words[usize::from(trace.statements()[transfer.task as usize])] += 1;
    }
    let mut talks: Vec<Talk> = trace
        .kernel()
        .statements
        .iter()
        .zip(words)
        .filter(|&(_, words)| words > 0)
        .map(|(statement, words)| Talk {
            file: statement.file.clone(),
            line: statement.line,
            statement: statement.text.clone(),
            words,
        })
        .collect();
    talks.sort_by_key(|talk| std::cmp::Reverse(talk.words));
    talks
}

/// A time for people: `0.173 ms`.
pub(crate) struct Nanoseconds(pub(crate) f64);

impl fmt::Display for Nanoseconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.3} ms", 1e-6 * self.0)
    }
}
