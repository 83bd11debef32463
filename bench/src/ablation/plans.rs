//! Problems of the ablation that are plans made at run time. Each is solved by choosing a plan,
//! whose predicted time is its cost; nothing is run.

use std::ops::Range;

use superstep_bench_kernels::{jacobi::jacobi, lcs::lcs, lu::lu, matmul::matmul};
use superstep_matrix::Compressed;
use superstep_planner::{Accesses, Costs, Fault, Graph, Track, choose};
use superstep_tracer::Trace;

use super::{Family, Options, Problem, Solved, Take, family};
use crate::plan::{Failure, Sizes, generated, of_folder};

/// Processors of plans.
const PROCESSORS: [u32; 3] = [2, 4, 8];

/// Rows of a matrix: each computes its word from those of its other columns.
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
        for row in rows.start as usize..rows.end as usize {
            x.begin();
            for (column, _) in self.matrix.line(row).filter(|&(column, _)| column != row) {
                x.read(0, column..column + 1);
            }
            x.update(0, row..row + 1);
        }
        Ok(())
    }
}

/// Assignments of a traced kernel, each an iteration.
struct Traced {
    trace: Trace,
    lengths: Vec<usize>,
}

impl Track for Traced {
    fn iterations(&self) -> u32 {
        self.trace.tasks() as u32
    }

    fn lengths(&self) -> &[usize] {
        &self.lengths
    }

    fn track(&self, tasks: Range<u32>, words: &mut Accesses<'_>) -> Result<(), Fault> {
        for id in tasks {
            words.begin();
            let task = self.trace.task(id);
            for operand in 0..task.operands.len() {
                let from = self.trace.read(&task, operand);
                let at = from.index as usize;
                words.read(from.array, at..at + 1);
            }
            let to = self.trace.written(id);
            words.write(to.array, to.index as usize..to.index as usize + 1);
        }
        Ok(())
    }
}

/// Kernels without variables of their own, which would make one chain of all assignments.
const KERNELS: [Family; 4] = [
    family("lu", &[24, 32, 40], lu::instance),
    family("matmul", &[16, 24, 32], matmul::instance),
    family("jacobi", &[32, 48, 64], |n| jacobi::instance(n, 4)),
    family("lcs", &[60, 100, 150], |n| lcs::instance(n, n)),
];

/// Hands on all problems: traced kernels, then solves and sweeps of the matrices of a folder and of
/// generated grids. Those larger than the options say are left out.
pub(super) fn all(options: &Options, sizes: &Sizes, take: &mut Take<'_>) -> Result<(), Failure> {
    for family in &KERNELS {
        for (name, instance) in family.instances() {
            let trace = instance.record()?;
            if trace.tasks() + trace.operands().len() <= options.largest {
                let lengths = trace.extents().iter().map(|&words| words as usize);
                let lengths = lengths.collect();
                each("kernels", &name, &Traced { trace, lengths }, take)?;
            }
        }
    }
    let files = of_folder(options.folder.as_deref())?;
    let classes = [
        (["solves: matrices", "sweeps: matrices"], files),
        (["solves: grids", "sweeps: grids"], generated(sizes)),
    ];
    for ([solves, sweeps], matrices) in classes {
        for (name, matrix) in matrices {
            let matrix = matrix()?;
            let lengths = [matrix.across.max(matrix.lines())];
            // Planning takes a thousandth of the time of a search.
            if matrix.lines() + matrix.indices.len() <= 5 * options.largest {
                let lower = matrix.lower(1.0);
                for (class, matrix) in [(solves, lower), (sweeps, matrix)] {
                    each(class, &name, &Rows { matrix, lengths }, take)?;
                }
            }
        }
    }
    Ok(())
}

/// Hands on the problems of one kernel: one for each number of processors.
fn each(
    class: &'static str,
    name: &str,
    kernel: &dyn Track,
    take: &mut Take<'_>,
) -> Result<(), Failure> {
    let costs = Costs::default();
    for processors in PROCESSORS {
        let solve = || {
            Solved::timed(|| {
                let graph = Graph::new(kernel, &costs)?;
                let (_, report) = choose(&graph, processors, &costs)?;
                Ok(Some(report.predicted()))
            })
        };
        take(Problem {
            class,
            graph: name,
            solve: &solve,
        })?;
    }
    Ok(())
}
