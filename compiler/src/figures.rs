//! What there is to say about a program in numbers.

use std::collections::BTreeSet;
use std::fmt;

use serde::{Deserialize, Serialize};
use superstep_plan::{Body, Code, Copies, Plan, Term};

use crate::program::{Program, is_printed, tables};

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
    pub instances: u64,
    /// Task instances of each processor.
    pub loads: Vec<u64>,
    /// Sum over supersteps of the largest number of task instances of a processor.
    pub longest: u64,
    /// Task instances that stand alone: records of one task outside all loops.
    pub single: u64,
    /// The same for each statement of the kernel, up to the last that has some.
    pub single_by_statement: Vec<u64>,
    /// Runs executed.
    pub runs: u64,
    /// Runs and loops in the tables.
    pub terms: u64,
    /// Run functions.
    pub functions: usize,
    /// Whether the loops are printed as Rust, and not in tables.
    pub printed: bool,
    /// How the task instances are executed.
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
    pub(crate) fn new(program: &Program) -> Self {
        let plan = &program.plan;
        let processors = plan.processors as usize;
        let printed = is_printed(plan);
        let mut figures = Self {
            predicted: plan.predicted,
            printed,
            processors,
            supersteps: plan.supersteps as usize,
            loads: vec![0; processors],
            functions: program.signatures.iter().collect::<BTreeSet<_>>().len(),
            table_bytes: tables(plan, printed).len(),
            messages: plan.messages.len() as u64,
            words: plan.messages.iter().map(|m| m.words()).sum(),
            scattered: words(plan.scatter.iter().flatten()),
            gathered: words(plan.gather.iter().flatten()),
            overflowing: program.overflowing,
            ..Self::default()
        };
        for superstep in 0..figures.supersteps {
            let mut longest = 0;
            for processor in 0..processors {
                let tasks = program.placement.tasks(superstep, processor).len() as u64;
                figures.loads[processor] += tasks;
                longest = longest.max(tasks);
                let code = plan.code(superstep, processor);
                figures.terms += code.terms.len() as u64;
                count_singles(plan, code, &mut figures.single_by_statement);
                code.walk(&plan.bodies, &mut |_, _| figures.runs += 1);
            }
            figures.longest += longest;
        }
        figures.single = figures.single_by_statement.iter().sum();
        figures.instances = figures.loads.iter().sum();
        figures.tiers = Tiers::new(printed, figures.single_share());
        figures
    }

    /// Share of the task instances that stand alone, 0 to 1.
    pub fn single_share(&self) -> f64 {
        self.single as f64 / (self.instances as f64).max(1.0)
    }

    /// Bytes of the encoded plan per task instance.
    pub fn bytes_per_task(&self) -> f64 {
        self.table_bytes as f64 / (self.instances as f64).max(1.0)
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
            Count(self.instances, "task instance"),
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
    fn new(printed: bool, single: f64) -> Self {
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

/// A number of things that the text names in the singular; it is displayed as `1 superstep` or `3 supersteps`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Count<'a>(pub u64, pub &'a str);

impl fmt::Display for Count<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(number, thing) = self;
        let ending = if *number == 1 { "" } else { "s" };
        write!(f, "{number} {thing}{ending}")
    }
}

fn words<'a>(copies: impl Iterator<Item = &'a Copies>) -> u64 {
    copies.map(|c| u64::from(c.count)).sum()
}

/// Counts, by statement, the top-level runs of one iteration of one statement.
fn count_singles(plan: &Plan, code: &Code, singles: &mut Vec<u64>) {
    let mut count = |body: &Body, alone: u64| {
        if let [statement] = *body.statements() {
            let statement = usize::from(statement);
            if singles.len() <= statement {
                singles.resize(statement + 1, 0);
            }
            singles[statement] += alone;
        }
    };
    let (mut at, mut value) = (0, 0);
    while at < code.terms.len() {
        match code.terms[at] {
            Term::Run { body } => {
                let body = &plan.bodies[usize::from(body)];
                count(body, u64::from(code.values[value] == 1));
                value += body.width();
                at += 1;
            }
            Term::List { body, runs } => {
                let body = &plan.bodies[usize::from(body)];
                count(body, runs.into());
                at += 1;
            }
            Term::Loop { terms, width } => {
                value += 1 + 2 * width as usize;
                at += 1 + terms as usize;
            }
        }
    }
}
