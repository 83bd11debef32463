//! Costs of graphs: building, levels, contraction, and each file format, on LU factorisation.
//!
//! `cargo run --release -p superstep-graphs --example graph_costs -- 256`

use std::error::Error;
use std::hint::black_box;
use std::time::Instant;

use superstep_dag::{Dag, levels};
use superstep_dag_builder::contract::{ANY, contract};
use superstep_graphs::formats::{dot, hdag, mtx};
use superstep_graphs::{Statistics, generate};

fn main() -> Result<(), Box<dyn Error>> {
    let n = std::env::args()
        .nth(1)
        .and_then(|a| a.parse().ok())
        .unwrap_or(128);
    let trace = generate::lu_trace(n)?;
    println!("{trace}");
    let graph = timed("graph", trace.tasks(), || {
        superstep_dag_builder::from_trace(&trace)
    });
    let (tasks, edges) = (graph.tasks(), graph.edges());
    timed("levels", tasks, || levels(&graph));
    timed("contraction", tasks, || contract(&trace, &graph, ANY));
    let statistics = timed("statistics", tasks, || Statistics::of(&graph));
    let list: Vec<_> = graph.edge_list().collect();
    timed("from edges", edges, || Dag::from_edges(tasks, &list)).map(black_box)?;

    let mut file = Vec::new();
    timed("hdag write", edges, || hdag::write(&graph, &mut file))?;
    timed("hdag read", edges, || hdag::read(&file[..])).map(black_box)?;
    file.clear();
    timed("dot write", edges, || dot::write(&graph, &mut file))?;
    timed("dot read", edges, || dot::read(&file[..])).map(black_box)?;
    file.clear();
    timed("mtx write", edges, || mtx::write(&graph, &mut file))?;
    timed("mtx read", edges, || mtx::read(&file[..])).map(black_box)?;
    println!("{statistics}");
    Ok(())
}

fn timed<T>(what: &str, count: usize, run: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = run();
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "{what:12} {seconds:7.3} s, {:6.1} ns each",
        seconds * 1e9 / count as f64
    );
    result
}
