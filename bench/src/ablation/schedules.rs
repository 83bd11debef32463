//! Problems whose answers are schedules: graphs and machines for the algorithms that have tuned
//! numbers, by BSP cost.

use superstep_bench_kernels::{
    fft::fft, jacobi::jacobi, jacobi_solve::jacobi_solve, lcs::lcs, lu::lu, matmul::matmul,
};
use superstep_dag::{Dag, Rows};
use superstep_machine::Machine;
use superstep_matrix::Compressed;
use superstep_schedule::{CheckedSchedule, Costs};
use superstep_scheduler::{BspGreedy, GrowLocal, Owners, Pipeline, Scheduler, tree::Reduction};

use super::{Family, Options, Problem, Solved, Take, family};
use crate::cases::{graph, of_grid};
use crate::peers::data::{self, Class};
use crate::plan::{Failure, Sizes, generated, of_folder};

/// Algorithms that have tuned numbers. Making one may read some.
const ALGORITHMS: [fn() -> Box<dyn Scheduler>; 6] = [
    || Box::new(Owners::default()),
    || Box::new(Pipeline::default()),
    || {
        Box::new(Pipeline {
            tapered: true,
            long_slices: true,
            ..Pipeline::default()
        })
    },
    || Box::new(GrowLocal::default()),
    || Box::new(BspGreedy::default()),
    || Box::new(Reduction),
];

/// Processors and latencies of machines for the graphs that are not the peer's.
const MACHINES: [(u32, f64); 4] = [(2, 100.0), (2, 500.0), (8, 100.0), (8, 500.0)];

/// Kernels by what they do. Their graphs are of traces, which know where tasks write.
const KERNELS: [(&str, &[Family]); 4] = [
    (
        "factorisations, products",
        &[
            family("lu", &[12, 16, 24, 32], lu::instance),
            family("matmul", &[8, 12, 16], matmul::instance),
        ],
    ),
    (
        "transforms",
        &[family("fft", &[32, 64, 128, 256, 512], |n| {
            fft::instance(n)
        })],
    ),
    (
        "sweeps",
        &[
            family("jacobi", &[12, 20, 32], |n| jacobi::instance(n, 3)),
            family("jacobi_solve", &[16, 32, 64], jacobi_solve::instance),
        ],
    ),
    (
        "recurrences",
        &[
            family("lcs", &[30, 50, 80], |n| lcs::instance(n, n)),
            family("sptrsv", &[20, 30, 50], of_grid),
        ],
    ),
];

/// Hands on all problems.
pub(super) fn all(options: &Options, sizes: &Sizes, take: &mut Take<'_>) -> Result<(), Failure> {
    of_peer(options, take)?;
    let mut on_all_machines = |class, name: &str, graph: &Dag| -> Result<(), Failure> {
        for (processors, latency) in MACHINES {
            let machine = Machine {
                latency,
                ..Machine::new(processors)
            };
            each(options, class, name, graph, &machine, take)?;
        }
        Ok(())
    };
    for (class, families) in KERNELS {
        for (name, instance) in families.iter().flat_map(Family::instances) {
            on_all_machines(class, &name, &graph(&instance)?)?;
        }
    }
    for (leaves, fan_in) in [
        (300, 2),
        (1000, 2),
        (1000, 3),
        (500, 8),
        (3000, 4),
        (3000, 10),
    ] {
        let name = format!("{leaves} by {fan_in}");
        on_all_machines("reductions", &name, &reduction(leaves, fan_in)?)?;
    }
    let files = of_folder(options.folder.as_deref())?;
    for (class, matrices) in [("matrices", files), ("grids", generated(sizes))] {
        for (name, matrix) in matrices {
            on_all_machines(class, &name, &substitution(&matrix()?.lower(1.0))?)?;
        }
    }
    Ok(())
}

/// Hands on the peer's graphs, on the machines of its table.
fn of_peer(options: &Options, take: &mut Take<'_>) -> Result<(), Failure> {
    for row in data::rows()? {
        let class = match row.class {
            Class::Tiny | Class::Large => "peer's kernels",
            Class::Mtx => "peer's matrices",
            // Kernels at larger sizes than here.
            Class::Gen => continue,
        };
        let graph = data::graph(&row)?;
        each(options, class, &row.graph, &graph, &row.machine, take)?;
    }
    Ok(())
}

/// Hands on the problems of one graph: one for each algorithm.
fn each(
    options: &Options,
    class: &'static str,
    name: &str,
    graph: &Dag,
    machine: &Machine,
    take: &mut Take<'_>,
) -> Result<(), Failure> {
    if graph.tasks() + graph.edges() > options.largest {
        return Ok(());
    }
    for algorithm in ALGORITHMS {
        let solve = || {
            Solved::timed(|| {
                let schedule = match algorithm().schedule(graph, machine) {
                    Err(error) if error.is_about_the_graph() => return Ok(None),
                    schedule => schedule?,
                };
                let checked = CheckedSchedule::new(graph, schedule)?;
                Ok(Some(Costs::of(&checked, machine).bsp_cost))
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

/// Returns the graph of a solve with a lower triangular matrix: a task for each row.
fn substitution(lower: &Compressed<f64>) -> Result<Dag, Failure> {
    let mut values = Rows::with_capacity(lower.lines(), lower.indices.len());
    let mut work = Vec::with_capacity(lower.lines());
    for line in lower.starts.windows(2) {
        let operands = &lower.indices[line[0]..line[1] - 1];
        values
            .items
            .extend(operands.iter().map(|&column| column as u32));
        values.end_row();
        work.push(operands.len() as u32 + 1);
    }
    Ok(Dag::from_predecessors(values).with_weights(work)?)
}

/// Returns a tree that combines `leaves` values of uneven work, `fan_in` at a time.
fn reduction(leaves: u32, fan_in: u32) -> Result<Dag, Failure> {
    let mut edges = Vec::new();
    let (mut first, mut end) = (0, leaves);
    while end - first > 1 {
        let combined = (end - first).div_ceil(fan_in);
        edges.extend((first..end).map(|value| (value, end + (value - first) / fan_in)));
        (first, end) = (end, end + combined);
    }
    let work = (0..end).map(|task| {
        if task < leaves {
            1 + task * task % 97
        } else {
            1
        }
    });
    Ok(Dag::from_edges(end as usize, &edges)?.with_weights(work.collect())?)
}
