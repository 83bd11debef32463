//! Size and shape of a program in numbers.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Size and shape of a program.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Figures {
    /// Nanoseconds that a call is predicted to take; 0 if that was not asked for.
    pub predicted: u64,
    /// Number of processors, idle ones included.
    pub processors: usize,
    /// Number of supersteps.
    pub supersteps: usize,
    /// Task instances, copies included.
    #[serde(rename = "instances")]
    pub task_instances: u64,
    /// Task instances of each processor.
    pub loads: Vec<u64>,
    /// Sum over supersteps of the largest number of task instances of a processor.
    pub longest: u64,
    /// Task instances that stand alone: records of one task outside all loops.
    pub single: u64,
    /// Task instances that stand alone, for each statement up to the last that has some.
    pub single_by_statement: Vec<u64>,
    /// Runs executed.
    pub runs: u64,
    /// Runs and loops in the tables.
    pub terms: u64,
    /// Run functions.
    pub functions: usize,
    /// Set if the loops are printed as Rust, and not in tables.
    pub printed: bool,
    /// Tiers by which the task instances are executed.
    pub tiers: Tiers,
    /// Bytes of the encoded plan.
    pub table_bytes: usize,
    /// Non-empty messages.
    pub messages: u64,
    /// Words in messages.
    pub words: u64,
    /// Words scattered before the first superstep.
    pub scattered: u64,
    /// Words gathered after the last superstep.
    pub gathered: u64,
    /// Values in overflow slots.
    pub overflowing: usize,
}

impl Figures {
    /// Returns the share of the task instances that stand alone, 0 to 1.
    pub fn single_share(&self) -> f64 {
        self.single as f64 / (self.task_instances as f64).max(1.0)
    }
}

/// `P = 2: 1144 tasks (9 alone) in 24 supersteps, 31 runs of 12 functions; ...`.
impl fmt::Display for Figures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "P = {}: {} ({} alone) in {} and {}, {} as {} over {}, {} of tables; \
             {} in {}, {} scattered, {} gathered; {} in overflow slots",
            self.processors,
            Count(self.task_instances, "task instance"),
            self.single,
            Count(self.supersteps as u64, "superstep"),
            Count(self.runs, "run"),
            if self.printed { "printed" } else { "tabled" },
            Count(self.terms, "term"),
            Count(self.functions as u64, "function"),
            Count(self.table_bytes as u64, "byte"),
            Count(self.words, "word"),
            Count(self.messages, "message"),
            self.scattered,
            self.gathered,
            Count(self.overflowing as u64, "value")
        )
    }
}

/// Size and predicted times of a plan made at run time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct PlanFigures {
    /// Level of the loops whose iterations are planned: 0 for the outermost.
    pub level: u32,
    /// Grains, ranges of iterations that run as one.
    pub grains: u64,
    /// Chunks, lists of grains that a processor runs without a wait between.
    pub chunks: u64,
    /// Waits of chunks for others.
    pub waits: u64,
    /// All work over that of the critical path.
    pub parallelism: f64,
    /// Nanoseconds that a call in place is predicted to take.
    pub predicted_ns: u64,
    /// Nanoseconds that a call is predicted to take where the plan is loaded.
    pub loaded_ns: u64,
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

impl Tiers {
    /// Returns the shares of a program whose loops are printed or not, given that of tasks that
    /// stand alone.
    pub fn new(printed: bool, single: f64) -> Self {
        let (nests, tables) = if printed {
            (1.0 - single, 0.0)
        } else {
            (0.0, 1.0 - single)
        };
        Self {
            nests,
            tables,
            single,
        }
    }
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

/// A number of things that the text names in the singular; it is displayed as `1 superstep` or `3
/// supersteps`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Count<'a>(pub u64, pub &'a str);

impl fmt::Display for Count<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(number, thing) = self;
        let ending = if *number == 1 { "" } else { "s" };
        write!(f, "{number} {thing}{ending}")
    }
}
