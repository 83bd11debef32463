//! Table of BSP costs that the peer, OneStopParallel, reaches, and the graphs behind it.
//!
//! The table is compiled in (`bench/data/peer_bsp_costs.csv`); its graphs are generated, or read
//! from `bench/data/dags`.

use std::{error::Error, path::Path};

use clap::ValueEnum;
use superstep_dag::Dag;
use superstep_graphs::generate;
use superstep_machine::Machine;

/// Classes of graphs, by their origin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub(crate) enum Class {
    /// Small kernels.
    Tiny,
    /// Triangular matrices.
    Mtx,
    /// Kernels of some thousand tasks.
    Large,
    /// Generated.
    Gen,
}

/// Row of the table: the peer's BSP costs of one graph on one machine.
pub(crate) struct Row {
    pub(crate) class: Class,
    pub(crate) graph: String,
    pub(crate) machine: Machine,
    /// Edges of the peer's graph, by which [`graph`] tells that ours is the same.
    edges: usize,
    /// Least cost of the peer's greedy schedulers.
    pub(crate) greedy: f64,
    /// Least cost of its schedules that copy no task.
    pub(crate) without_duplication: f64,
    /// Least cost of all, local search and recomputation included.
    pub(crate) best: f64,
    /// Cost of a schedule written by hand (blocks, cyclic, tiles), where there is one.
    pub(crate) textbook: Option<f64>,
}

/// Returns all rows of the peer's table.
pub(crate) fn rows() -> Result<Vec<Row>, Box<dyn Error>> {
    let table = include_str!("../../data/peer_bsp_costs.csv");
    superstep_csv::rows(table)
        .skip(1)
        .map(|line| row(&line))
        .collect()
}

fn row(line: &superstep_csv::Row) -> Result<Row, Box<dyn Error>> {
    let fields: Vec<&str> = line.cells().collect();
    let field = |at: usize| fields.get(at).copied().ok_or("a row is cut short");
    let number = |at| -> Result<f64, Box<dyn Error>> { Ok(field(at)?.parse()?) };
    Ok(Row {
        class: Class::from_str(field(0)?, false)?,
        graph: field(1)?.to_owned(),
        machine: Machine {
            gap: number(3)?,
            latency: number(4)?,
            ..Machine::new(field(2)?.parse()?)
        },
        edges: field(6)?.parse()?,
        greedy: number(9)?,
        without_duplication: number(11)?,
        best: number(13)?,
        textbook: match field(15)? {
            "" => None,
            text => Some(text.parse()?),
        },
    })
}

/// Returns the graph of `row`.
///
/// # Errors
/// If its file cannot be read, or it has other than the table's number of edges.
pub(crate) fn graph(row: &Row) -> Result<Dag, Box<dyn Error>> {
    let graph = match row.graph.as_str() {
        "lu64" => generate::lu(64)?,
        "lu128" => generate::lu(128)?,
        "fft8192" => generate::fft(8192)?,
        "sptrsv300" => generate::grid_substitution(300)?,
        "sptrsv300row" => generate::grid_substitution_by_row(300)?,
        name => read(name)?,
    };
    if graph.edges() == row.edges {
        Ok(graph)
    } else {
        Err(format!("{} is another graph than the peer's", row.graph).into())
    }
}

fn read(name: &str) -> Result<Dag, Box<dyn Error>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/dags");
    let file = match name.split_once('/') {
        Some(("mtx", name)) => format!("{name}.mtx"),
        Some((_, name)) => format!("instance_{name}.hdag"),
        None => return Err(format!("there is no graph {name}").into()),
    };
    Ok(superstep_graphs::read(folder.join(file))?)
}
