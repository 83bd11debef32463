//! What the schedulers of builds make of graphs of grains, beside those of plans at run time.
//!
//! The graphs are those of triangular solves, whose grains are some rows each. A schedule in
//! supersteps becomes a plan by [`plan_of_chunks`]: a list is a chunk, which waits for the chunks
//! whose words it uses and for no barrier. So all are predicted by the same prices, and all are
//! proved.

use std::ops::Range;
use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use superstep_dag::Dag;
use superstep_machine::Machine;
use superstep_matrix::Compressed;
use superstep_planner::{
    Accesses, Costs, Fault, Graph, Track, choose, plan_of_chunks, predict, prove,
};
use superstep_schedule::Schedule;
use superstep_scheduler::{Algorithm, Setting};

use crate::plan::{FULL, QUICK, matrices};

/// Algorithms that take any graph and need seconds at most.
const ALGORITHMS: [Algorithm; 5] = [
    Algorithm::Levels,
    Algorithm::GrowLocal,
    Algorithm::BspGreedy,
    Algorithm::Pipeline,
    Algorithm::Cuts,
];

/// Compare schedulers of builds with those of plans on graphs of grains: predicted times, and what
/// scheduling takes
#[derive(Args)]
pub(crate) struct Options {
    /// A folder, of which each .mtx and .mtx.gz file is a matrix more
    #[arg(long, value_name = "DIR")]
    folder: Option<PathBuf>,
    /// Processors of the plans
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..))]
    processors: u16,
    /// The matrices of `superstep-bench plan`, in place of its small ones
    #[arg(long)]
    full: bool,
}

/// Rows of a lower triangular matrix whose diagonal is last in its row.
struct Rows {
    matrix: Compressed<f64>,
    lengths: [usize; 1],
}

impl Track for Rows {
    fn iterations(&self) -> u32 {
        self.matrix.lines() as u32
    }

    fn lengths(&self) -> &[usize] {
        &self.lengths
    }

    fn track(&self, rows: Range<u32>, x: &mut Accesses<'_>) -> Result<(), Fault> {
        let Compressed {
            starts, indices, ..
        } = &self.matrix;
        for i in rows.start as usize..rows.end as usize {
            x.begin();
            for &j in &indices[starts[i]..starts[i + 1] - 1] {
                x.read(0, j..j + 1);
            }
            x.write(0, i..i + 1);
        }
        Ok(())
    }
}

/// Prints the table.
pub(crate) fn run(options: &Options) -> Result<(), Box<dyn std::error::Error>> {
    let processors = u32::from(options.processors);
    let sizes = if options.full { FULL } else { QUICK };
    let names: Vec<&str> = ALGORITHMS
        .iter()
        .map(|algorithm| algorithm.name())
        .collect();
    println!(
        "| matrix | grains | edges | parallelism | plan | {} |",
        names.join(" | ")
    );
    println!("|---|---|---|---|---|{}", "---|".repeat(names.len()));
    for (name, matrix) in matrices(options.folder.as_deref(), &sizes)? {
        let matrix = matrix()?.lower(1.0);
        let lengths = [matrix.lines()];
        let rows = Rows { matrix, lengths };
        let costs = Costs::default();
        let graph = Graph::new(&rows, &costs)?;
        let start = Instant::now();
        let (_, report) = choose(&graph, processors, &costs)?;
        let chosen = report.chosen();
        let milliseconds = 1e3 * start.elapsed().as_secs_f64();
        print!(
            "| {name} | {} | {} | {:.1} | {} {:.2} ({milliseconds:.1} ms)",
            graph.grains(),
            graph.edges(),
            report.parallelism,
            chosen.algorithm,
            chosen.ratio
        );
        let tasks = tasks(&graph)?;
        for algorithm in ALGORITHMS {
            let start = Instant::now();
            let machine = machine(processors, &costs);
            let schedule = algorithm.schedule(&tasks, &machine, Setting::default())?;
            let milliseconds = 1e3 * start.elapsed().as_secs_f64();
            if schedule.instances() > tasks.tasks() {
                print!(" | copies tasks");
                continue;
            }
            let plan = plan_of_chunks(&graph, processors, lists(&schedule));
            let time = predict(&plan, &graph, &costs).ok_or("a plan waits forever")?;
            prove(&rows, plan)?;
            print!(" | {:.2} ({milliseconds:.1} ms)", time / report.nanoseconds);
        }
        println!(" |");
    }
    Ok(())
}

/// The graph as schedulers of builds take it: a task for each grain, weighted by its work.
fn tasks(graph: &Graph) -> Result<Dag, superstep_dag::GraphError> {
    let (mut offsets, mut all) = (vec![0], Vec::with_capacity(graph.edges()));
    for grain in 0..graph.grains() {
        let mut own = graph.predecessors(grain).to_vec();
        own.sort_unstable();
        own.dedup();
        all.append(&mut own);
        offsets.push(all.len() as u32);
    }
    Dag::from_predecessors(offsets, all).with_weights(graph.work().to_vec())
}

/// The machine on which grains cost what prices say, in words of work.
fn machine(processors: u32, costs: &Costs) -> Machine {
    Machine {
        gap: costs.crossing / costs.word,
        latency: costs.wait / costs.word,
        ..Machine::new(processors)
    }
}

/// The lists of a schedule that are not empty, superstep by superstep, with their processors.
fn lists(schedule: &Schedule) -> impl Iterator<Item = (u32, &[u32])> {
    let all = schedule.lists().enumerate();
    let processors = schedule.processors();
    all.filter(|(_, list)| !list.is_empty())
        .map(move |(at, list)| ((at % processors) as u32, list))
}
