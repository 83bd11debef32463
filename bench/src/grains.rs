//! Comparison of the schedulers of builds with those of plans, on graphs of grains.
//!
//! The graphs are those of triangular solves, whose grains are some rows each. A schedule in
//! supersteps becomes a plan by [`plan_of_chunks`]. A processor's tasks of one superstep are a
//! chunk. It waits for the chunks whose words it uses, and for no barrier. So all are predicted by
//! the same prices, and all are proved.

use std::io::Write;
use std::ops::Range;
use std::time::Instant;

use clap::Args;
use superstep_dag::{Dag, Rows};
use superstep_machine::Machine;
use superstep_matrix::Compressed;
use superstep_planner::{
    Accesses, Costs, Fault, Graph, Track, choose, plan_of_chunks, predict, prove,
};
use superstep_schedule::Schedule;
use superstep_scheduler::{Algorithm, ScheduleError, Setting};
use superstep_search::ALL;

use crate::plan::{FULL, Failure, Planned, QUICK, Sizes, matrices};

/// Algorithms that take any graph and need seconds at most. `Cuts` serves up to 64 processors.
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
    #[command(flatten)]
    planned: Planned,
    /// The matrices of `superstep-bench plan`, in place of its small ones
    #[arg(long)]
    full: bool,
}

/// Rows of a lower triangular matrix whose diagonal is last in its row.
struct Lower {
    matrix: Compressed<f64>,
    lengths: [usize; 1],
}

impl Track for Lower {
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
pub(crate) fn run(options: &Options) -> Result<(), Failure> {
    let sizes = if options.full { FULL } else { QUICK };
    compare(&options.planned, &sizes, &mut std::io::stdout())
}

fn compare(planned: &Planned, sizes: &Sizes, out: &mut impl Write) -> Result<(), Failure> {
    let names = ALGORITHMS.map(Algorithm::name);
    writeln!(
        out,
        "| matrix | grains | edges | parallelism | plan | {} |",
        names.join(" | ")
    )?;
    writeln!(out, "|---|---|---|---|---|{}", "---|".repeat(names.len()))?;
    for (name, matrix) in matrices(planned.folder.as_deref(), sizes)? {
        let matrix = matrix()?.lower(1.0);
        let lengths = [matrix.lines()];
        row(
            &name,
            &Lower { matrix, lengths },
            planned.processors.into(),
            out,
        )?;
    }
    Ok(())
}

/// Prints the row of a matrix: predicted times over that in order, and milliseconds of scheduling.
fn row(name: &str, rows: &Lower, processors: u32, out: &mut impl Write) -> Result<(), Failure> {
    let costs = Costs::default();
    let graph = Graph::new(rows, &costs)?;
    let start = Instant::now();
    let (_, report) = choose(&graph, processors, &costs)?;
    let (chosen, taken) = (report.chosen(), milliseconds(start));
    write!(
        out,
        "| {name} | {} | {} | {:.1} | {} {:.2} ({taken:.1} ms)",
        graph.grains(),
        graph.edges(),
        report.parallelism,
        chosen.algorithm,
        chosen.ratio
    )?;
    let (tasks, machine) = (tasks(&graph)?, machine(processors, &costs));
    for algorithm in ALGORITHMS {
        let start = Instant::now();
        let algorithm = algorithm.of(ALL);
        let schedule = match algorithm.schedule(&tasks, &machine, Setting::default()) {
            Err(ScheduleError::Processors { most, .. }) => {
                write!(out, " | at most {most} processors")?;
                continue;
            }
            schedule => schedule?,
        };
        let taken = milliseconds(start);
        if schedule.task_instances() > tasks.tasks() {
            write!(out, " | copies tasks")?;
            continue;
        }
        let plan = plan_of_chunks(&graph, processors, lists(&schedule));
        let time = predict(&plan, &graph, &costs).ok_or("a plan waits forever")?;
        prove(rows, plan)?;
        write!(out, " | {:.2} ({taken:.1} ms)", time / report.nanoseconds)?;
    }
    Ok(writeln!(out, " |")?)
}

fn milliseconds(since: Instant) -> f64 {
    1e3 * since.elapsed().as_secs_f64()
}

/// Returns the graph as schedulers of builds take it: a task for each grain, weighted by its work.
fn tasks(graph: &Graph) -> Result<Dag, superstep_dag::GraphError> {
    let mut all = Rows::with_capacity(graph.grains() as usize, graph.edges());
    for grain in 0..graph.grains() {
        let mut own = graph.predecessors(grain).to_vec();
        own.sort_unstable();
        own.dedup();
        all.items.append(&mut own);
        all.end_row();
    }
    Dag::from_predecessors(all).with_weights(graph.work().to_vec())
}

/// Returns the machine on which grains cost what prices say, in words of work.
fn machine(processors: u32, costs: &Costs) -> Machine {
    Machine {
        gap: costs.crossing / costs.word,
        latency: costs.wait / costs.word,
        ..Machine::new(processors)
    }
}

/// Returns the lists of a schedule that are not empty, superstep by superstep, with their
/// processors.
fn lists(schedule: &Schedule) -> impl Iterator<Item = (u32, &[u32])> {
    let all = schedule.lists().enumerate();
    let processors = schedule.processors();
    all.filter(|(_, list)| !list.is_empty())
        .map(move |(at, list)| ((at % processors) as u32, list))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::tests::TINY;

    #[test]
    fn schedules_of_builds_are_proved_as_plans_of_every_matrix() {
        for processors in [1, 2, 3, 65] {
            let planned = Planned {
                folder: None,
                processors,
            };
            let mut out = Vec::new();
            compare(&planned, &TINY, &mut out).unwrap();
            let table = String::from_utf8(out).unwrap();
            let cells = |line: &str| line.matches(" | ").count();
            assert_eq!(table.lines().count(), 2 + 9);
            assert!(table.lines().skip(2).all(|row| cells(row) == 9), "{table}");
        }
    }
}
