//! What a build tells about its instances: the file that `cargo superstep inspect` reads.

use std::fmt;

use serde::{Deserialize, Serialize};
use superstep_codegen::figures::{Count, Figures};
use superstep_machine::Machine;
use superstep_schedule::{CheckedSchedule, Costs, Transfer, bounds, communication};
use superstep_tracer::{Kernel, Trace};

/// The instances of one kernel. Stands beside the generated file, as `<kernel id>.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct KernelReport {
    /// Name of the kernel.
    pub kernel: String,
    /// Source file.
    pub file: String,
    /// Line of the kernel, from 1.
    pub line: u32,
    /// One per choice of control arguments and number of processors.
    pub instances: Vec<InstanceReport>,
}

/// One generated program.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct InstanceReport {
    /// The control arguments: `n = 128`.
    pub control: String,
    /// Number of processors.
    pub processors: usize,
    /// What a call is predicted to take, in nanoseconds.
    pub predicted: f64,
    /// Name of the scheduler.
    pub algorithm: String,
    /// The machine, in words.
    pub machine: String,
    /// Tasks of the trace.
    pub tasks: usize,
    /// Flow dependences between different tasks.
    pub edges: usize,
    /// Longest path, in tasks.
    pub critical_path: u64,
    /// No schedule has a smaller makespan, counting work and the longest path alone.
    pub lower_bound: u64,
    /// No schedule has a smaller makespan, counting what tau costs too.
    pub makespan_bound: f64,
    /// No schedule has a lower BSP cost.
    pub bsp_bound: f64,
    /// Number of supersteps.
    pub supersteps: usize,
    /// The thesis's objective at the machine's tau.
    pub makespan: f64,
    /// The BSP cost at the machine's g and L.
    pub bsp_cost: f64,
    /// Task instances over tasks.
    pub duplication_rate: f64,
    /// Task instances of each processor.
    pub loads: Vec<u64>,
    /// Non-empty messages.
    pub messages: u64,
    /// Words in messages.
    pub words: u64,
    /// Words scattered to the processors before the first superstep.
    pub scattered: u64,
    /// Words gathered after the last superstep.
    pub gathered: u64,
    /// How the task instances are executed.
    pub tiers: Tiers,
    /// Bytes of the program's tables.
    pub table_bytes: usize,
    /// The statements whose values cross between processors, most words first.
    pub talkative: Vec<Talk>,
}

/// Share of the task instances in each tier of the generated code; the sum is 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Tiers {
    /// Printed loop nests.
    pub nests: f64,
    /// Tables of runs and blocks.
    pub tables: f64,
    /// Records of single tasks.
    pub single: f64,
}

/// `0.0 % in printed nests, 99.9 % in tables, 0.1 % as single records`.
impl fmt::Display for Tiers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [nests, tables, single] = [self.nests, self.tables, self.single].map(|x| 100.0 * x);
        write!(
            f,
            "{nests:.1} % in printed nests, {tables:.1} % in tables, {single:.1} % as single records"
        )
    }
}

/// A time for people: `0.173 ms`.
pub(super) struct Nanoseconds(pub(super) f64);

impl fmt::Display for Nanoseconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.3} ms", 1e-6 * self.0)
    }
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

impl KernelReport {
    pub(super) fn new(kernel: &Kernel, instances: Vec<InstanceReport>) -> Self {
        Self {
            kernel: kernel.name.clone(),
            file: kernel.file.clone(),
            line: kernel.line,
            instances,
        }
    }
}

impl InstanceReport {
    /// What the schedule alone tells.
    pub(super) fn new(
        trace: &Trace,
        schedule: &CheckedSchedule<'_>,
        machine: &Machine,
        algorithm: &str,
    ) -> Self {
        let graph = schedule.graph();
        let costs = Costs::of(schedule, machine);
        Self {
            processors: schedule.schedule().processors(),
            algorithm: algorithm.to_owned(),
            machine: machine.to_string(),
            tasks: graph.tasks(),
            edges: graph.edges(),
            critical_path: bounds::critical_path(graph),
            lower_bound: bounds::lower_bound(graph, machine.processors),
            makespan_bound: bounds::makespan_bound(graph, machine),
            bsp_bound: bounds::bsp_bound(graph, machine),
            supersteps: costs.supersteps,
            makespan: costs.makespan,
            bsp_cost: costs.bsp_cost,
            duplication_rate: costs.duplication_rate,
            talkative: talkative(trace, communication(schedule).transfers()),
            ..Self::default()
        }
    }

    /// Adds what the program tells.
    pub(super) fn complete(&mut self, control: &str, figures: &Figures) {
        self.control = control.to_owned();
        self.loads.clone_from(&figures.loads);
        self.messages = figures.messages;
        self.words = figures.words;
        self.scattered = figures.scattered;
        self.gathered = figures.gathered;
        self.table_bytes = figures.table_bytes;
        let single = figures.single_share();
        self.tiers = Tiers {
            nests: if figures.printed { 1.0 - single } else { 0.0 },
            tables: if figures.printed { 0.0 } else { 1.0 - single },
            single,
        };
    }

    /// The figures of the schedule, as lines for the generated file.
    pub(super) fn notes(&self) -> Vec<String> {
        vec![
            format!("{} schedule for {}", self.algorithm, self.machine),
            format!("predicted to take {}", Nanoseconds(self.predicted)),
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
