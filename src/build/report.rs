//! What a build tells about its instances: the file that `cargo superstep inspect` reads.

use serde::{Deserialize, Serialize};

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
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct InstanceReport {
    /// The control arguments: `n = 128`.
    pub control: String,
    /// Number of processors.
    pub processors: usize,
    /// Name of the scheduler.
    pub algorithm: String,
    /// Tasks of the trace, and of the graph that was scheduled (scalar chains contracted).
    pub tasks: usize,
    /// Tasks of the scheduled graph.
    pub scheduled_tasks: usize,
    /// Edges of the scheduled graph.
    pub edges: usize,
    /// Longest path, in work.
    pub critical_path: u64,
    /// No schedule has a smaller makespan.
    pub lower_bound: u64,
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
    /// Bytes of the tables in the program.
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

/// A statement whose values cross between processors.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Talk {
    /// Line in the source, from 1.
    pub line: u32,
    /// The assignment as written.
    pub statement: String,
    /// Words sent of values that it computed.
    pub words: u64,
}
