//! The report of one schedule, program or plan.

use serde::{Deserialize, Serialize};

use crate::Breakdown;
use crate::figures::{Figures, PlanFigures};

/// Version of the JSON form: it changes where a field is removed, or means something else.
pub const SCHEMA: u32 = 1;

/// A graph, a schedule of it and, if one was made, the program. The names of the fields are those
/// of the JSON form. Times are nanoseconds where the name says so, `_ns`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Report {
    /// Version of this form, [`SCHEMA`]; 0 of reports that an older version wrote.
    pub schema: u32,
    /// Subject of the report.
    pub kind: Kind,
    /// The kernel; none of task graphs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kernel: Option<Location>,
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
    /// Lower bound of the makespan of any schedule, counting work and the longest path alone.
    pub lower_bound: u64,
    /// Lower bound of the makespan of any schedule, counting what tau costs too.
    pub makespan_bound: f64,
    /// Lower bound of the BSP cost of any schedule.
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
    /// Intervals of task ids that carry no loop on.
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
    /// Seconds that tracing, scheduling and printing took for this choice of control arguments, all
    /// its programs together; 0 if it is not known.
    #[serde(skip_serializing_if = "is_nothing")]
    pub planning_seconds: f64,
    /// The program, where one was made.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub program: Option<Figures>,
    /// The plan made at run time, as its planner tells it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plan: Option<PlanFigures>,
    /// Breakdown of the time, as far as times are known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub times: Option<Times>,
    /// Arrays of the kernel.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub arrays: Vec<Array>,
    /// Statements of the kernel.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub statements: Vec<Statement>,
    /// Share of each processor.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub loads: Vec<Load>,
    /// The supersteps in which most time is lost.
    #[serde(skip_serializing_if = "Steps::is_empty")]
    pub steps: Steps,
    /// Changes that would make it faster, where that was asked for: the best first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub answers: Vec<Answer>,
    /// Predictions for other numbers of processors, where they were asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub what_if: Vec<WhatIf>,
    /// Origin of the report: how, where and when it was made; none of those that a build keeps.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub made: Option<Made>,
}

/// Subject of a report.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A schedule of a task graph.
    #[default]
    Schedule,
    /// A program that a build generated.
    Program,
    /// A plan made at run time.
    Plan,
    /// A recorded run of a farm.
    Farm,
}

/// Location of a kernel in its source.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Location {
    /// Name of the kernel.
    pub name: String,
    /// Source file.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
}

/// Predicted time of a run on a machine whose latencies are distributions. What is computed and
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

/// Breakdown of the time of a run, predicted and recorded.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Times {
    /// Breakdown by prediction, as far as there is one.
    #[serde(default, skip_serializing_if = "Breakdown::is_unknown")]
    pub predicted: Breakdown,
    /// Breakdown as it was recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub measured: Option<Breakdown>,
}

/// An array of a kernel.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Array {
    /// Name in the source.
    pub name: String,
    /// Rust type of a word.
    #[serde(rename = "type")]
    pub element: String,
    /// Number of words.
    pub words: u32,
    /// Role that it has for the caller.
    pub role: Role,
    /// Set if all processors use it where it is.
    pub shared: bool,
    /// Line of its declaration, from 1.
    pub line: u32,
}

/// Role of an array for the caller of its kernel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Is read only.
    Input,
    /// Is read and written.
    #[default]
    Argument,
    /// Lives inside the kernel.
    Local,
}

/// A statement of a kernel: its share of the program.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Statement {
    /// Source file, where it is another than the kernel's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Line in the source, from 1.
    pub line: u32,
    /// Column in the source, from 1.
    pub column: u32,
    /// The assignment as written.
    pub text: String,
    /// The array that it writes; none of iterations, and of tasks of a graph.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub writes: Option<u16>,
    /// The array of each operand.
    pub reads: Vec<u16>,
    /// Rust types of the control values that it reads.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub control: Vec<String>,
    /// Thing that is counted where it writes no array: `iteration`, `task`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counts: Option<String>,
    /// Task instances.
    pub tasks: u64,
    /// Predicted work of all of them.
    pub work_ns: u64,
    /// Work of all of them in a recorded run, where one is known: each step's is shared by the
    /// predicted work of its tasks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub measured_ns: Option<u64>,
    /// Correction that the build has predicted by: thousandths of the work as written, as an
    /// earlier run was measured to take.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub correction: Option<u32>,
    /// Words that cross to another processor, of those that it computed.
    pub words_sent: u64,
    /// Words that it is the first to use on a processor that did not compute them.
    pub words_received: u64,
    /// Values that have no place in its array, as another is still needed there.
    pub extra_words: u64,
    /// Task instances that stand alone, outside all loops.
    pub single: u64,
    /// Task instances in loops of which the processor executes several iterations at once.
    pub vectorised: u64,
    /// Code that executes most of its task instances: `vector`, `loop` or `single`.
    pub code: String,
}

/// The share of one processor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Load {
    /// Task instances.
    pub tasks: u64,
    /// Predicted time that it works; where nothing is predicted, the recorded one.
    pub work_ns: u64,
    /// Predicted time that it copies words.
    pub copy_ns: u64,
    /// Predicted time that it waits.
    pub wait_ns: u64,
    /// Predicted time from its last step to the end of the run.
    pub idle_ns: u64,
    /// Words that it computes and others use.
    pub words_sent: u64,
    /// Words that it uses and others compute.
    pub words_received: u64,
}

/// Supersteps, as rows of a table.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Steps {
    /// Number of all supersteps.
    pub total: usize,
    /// Supersteps in which most time is lost, that of most first: 20,000 at most.
    pub rows: Vec<StepLoad>,
}

impl Steps {
    fn is_empty(&self) -> bool {
        self.total == 0
    }
}

/// The load of one superstep.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct StepLoad {
    /// The superstep, from 0.
    pub step: usize,
    /// Task instances.
    pub tasks: u64,
    /// Longest work of a processor.
    pub longest_ns: u64,
    /// Mean work of processors.
    pub mean_ns: u64,
    /// Time that all processors wait before it.
    pub wait_ns: u64,
    /// Words computed in it that cross to other processors.
    pub words: u64,
    /// Pairs of processors between which they cross.
    pub messages: u64,
}

/// A change of the kernel, or of its build, that was planned again.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Answer {
    /// The change, in a line.
    pub title: String,
    /// Reason for which it gains, and the predictions without it and with it.
    pub body: String,
    /// Text to write instead.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub help: String,
    /// Part of the time of the whole program that it gains, by prediction: 0 where nothing gains.
    pub gain: f64,
    /// Source file that it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Line in it, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// Column in it, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<u32>,
    /// Number of the statement that it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub statement: Option<u16>,
    /// Superstep that it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step: Option<u32>,
}

/// The prediction for a number of processors.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct WhatIf {
    /// The number.
    pub processors: usize,
    /// Nanoseconds that a call takes.
    pub predicted_ns: u64,
    /// Name of the scheduler.
    pub algorithm: String,
}

/// Origin of a report: how, where and when it was made.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Made {
    /// The command, without paths to folders.
    pub command: String,
    /// Commit of the sources; empty where there is none.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub commit: String,
    /// The machine: its processor and number of cores.
    pub machine: String,
    /// Date and time, in Coordinated Universal Time.
    pub date: String,
    /// A note of whoever made it.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub memo: String,
    /// Version of superstep.
    pub version: String,
}

impl Answer {
    /// Part of the time below which a gain is not told. A choice, not a measurement: smaller gains
    /// are within what the host's speed drifts by (`superstep-bench explained`).
    pub const LEAST_GAIN: f64 = 0.05;

    /// Number of answers that are told, at most. A choice: more are a list that nobody reads.
    pub const MOST: usize = 5;

    /// Returns the answers that are told: those that gain at least a part of the time, that of most
    /// gain first.
    pub fn best(mut answers: Vec<Self>, least: f64) -> Vec<Self> {
        answers.retain(|answer| answer.gain >= least);
        answers.sort_by(|a, b| b.gain.total_cmp(&a.gain));
        answers.truncate(Self::MOST);
        answers
    }
}

impl Report {
    /// Names the scheduler.
    #[must_use]
    pub fn by(self, algorithm: &str) -> Self {
        Self {
            algorithm: algorithm.to_owned(),
            ..self
        }
    }

    /// Names the file of each statement, also where it is the kernel's: a build leaves that out, as
    /// kernels move.
    pub fn name_files(&mut self) {
        let own = self.kernel.as_ref().map(|kernel| &kernel.file);
        for statement in &mut self.statements {
            statement.file = statement.file.take().or_else(|| own.cloned());
        }
    }

    /// Returns the name of what is reported with its control arguments, `lu (n = 256)`.
    pub fn instance(&self) -> String {
        match &self.control[..] {
            "" => self.name().to_owned(),
            control => format!("{} ({control})", self.name()),
        }
    }

    /// Returns the name of what is reported: of its kernel, if it has one.
    pub fn name(&self) -> &str {
        match (&self.kernel, self.kind) {
            (Some(kernel), _) => &kernel.name,
            (None, Kind::Plan) => "plan",
            (None, Kind::Farm) => "farm",
            (None, Kind::Schedule | Kind::Program) => "schedule",
        }
    }

    /// Returns whether words that cross are known: not of a plan or a farm without its kernel.
    pub(crate) fn has_words(&self) -> bool {
        let is_predicted = |times: &Times| !times.predicted.is_unknown();
        !matches!(self.kind, Kind::Plan | Kind::Farm)
            || self.times.as_ref().is_some_and(is_predicted)
            || self.loads.iter().any(|load| load.words_sent > 0)
    }

    /// Returns the time that a call of the program, or of the plan in place, is predicted to take,
    /// in nanoseconds; 0 without one.
    pub fn predicted(&self) -> f64 {
        let program = self.program.as_ref().map(|figures| figures.predicted);
        let plan = self.plan.as_ref().map(|figures| figures.predicted_ns);
        program.or(plan).unwrap_or(0) as f64
    }

    /// Returns the calls after which planning has paid: those whose gain over the function, by
    /// prediction, is the time that planning took. None if there is no gain, or it is not known.
    pub fn break_even(&self) -> Option<f64> {
        let gain = self.function as f64 - self.predicted();
        (gain > 0.0 && self.predicted() > 0.0 && self.planning_seconds > 0.0)
            .then(|| (1e9 * self.planning_seconds / gain).ceil())
    }
}

// Their signatures are serde's.
#[allow(clippy::trivially_copy_pass_by_ref)]
fn is_zero(number: &u64) -> bool {
    *number == 0
}

#[allow(clippy::trivially_copy_pass_by_ref)]
fn is_nothing(number: &f64) -> bool {
    *number == 0.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn planning_pays_after_as_many_calls_as_gain_its_time() {
        let report = |function, predicted| Report {
            function,
            planning_seconds: 0.1,
            program: Some(Figures {
                predicted,
                ..Figures::default()
            }),
            ..Report::default()
        };
        assert_eq!(report(1_000_000, 500_000).break_even(), Some(200.0));
        assert_eq!(report(500_000, 500_000).break_even(), None);
    }
}
