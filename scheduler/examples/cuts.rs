//! Prints what [`Cuts`] reaches on generated graphs, and how long it takes:
//! `cargo run --release --example cuts -- [effort] [graph] [processors]`, where a graph is one of `lu64`, `lu128`, `fft8192`, `sptrsv300`,
//! `sptrsvrow300`, or the like with another size.

use std::{env, time::Instant};

use superstep_dag_builder::{TaskGraph, generate};
use superstep_machine::Machine;
use superstep_scheduler::{CheckedSchedule, Costs, Cuts, Scheduler, bounds::lower_bound};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = env::args().skip(1);
    let effort = arguments
        .next()
        .map_or(Ok(Cuts::BALANCED.effort), |text| text.parse())?;
    let all = ["lu64", "lu128", "fft8192", "sptrsv300", "sptrsvrow300"];
    let graphs = arguments
        .next()
        .map_or_else(|| all.map(str::to_owned).to_vec(), |name| vec![name]);
    let processors = arguments.next().map(|text| text.parse()).transpose()?;
    let processors = processors.map_or_else(|| vec![2, 4, 8, 16, 32], |count| vec![count]);
    println!("graph P L cost (cost / lower bound) supersteps copies time");
    for name in graphs {
        let graph = graph(&name)?;
        for &processors in &processors {
            for latency in [100.0, 500.0, 2000.0] {
                let machine = Machine {
                    latency,
                    ..Machine::new(processors)
                };
                let start = Instant::now();
                let schedule = Cuts { effort }.schedule(&graph, &machine)?;
                let time = start.elapsed().as_secs_f64();
                let checked = CheckedSchedule::new(&graph, schedule)?;
                let costs = Costs::of(&checked, &machine);
                println!(
                    "{name} {processors} {latency} {} ({:.2}) {} {:.2} {time:.2} s",
                    costs.bsp_cost,
                    costs.bsp_cost / lower_bound(&graph, processors) as f64,
                    costs.supersteps,
                    costs.duplication_rate
                );
            }
        }
    }
    Ok(())
}

fn graph(name: &str) -> Result<TaskGraph, Box<dyn std::error::Error>> {
    let digits = name.trim_start_matches(char::is_alphabetic);
    let n: u32 = digits.parse()?;
    match &name[..name.len() - digits.len()] {
        "lu" => Ok(generate::lu(n as usize)?),
        "fft" => Ok(generate::fft(n as usize)?),
        "sptrsv" => substitution(n),
        "sptrsvrow" => substitution_by_row(n),
        _ => Err(format!("no graph is called {name}").into()),
    }
}

/// The off-diagonal entries of a row of the lower factor of the 5-point Laplacian on an `n` x `n` grid.
fn entries(n: u32, row: u32) -> impl Iterator<Item = u32> {
    let above = (row >= n).then(|| row - n);
    let left = (!row.is_multiple_of(n)).then(|| row - 1);
    above.into_iter().chain(left)
}

/// Forward substitution: a task for each entry.
fn substitution(n: u32) -> Result<TaskGraph, Box<dyn std::error::Error>> {
    let (mut solved, mut edges, mut tasks) = (Vec::new(), Vec::new(), 0u32);
    for row in 0..n * n {
        let first = tasks;
        for column in entries(n, row) {
            edges.push((solved[column as usize], tasks));
            edges.extend((tasks > first).then(|| (tasks - 1, tasks)));
            tasks += 1;
        }
        edges.extend((tasks > first).then(|| (tasks - 1, tasks)));
        solved.push(tasks);
        tasks += 1;
    }
    Ok(TaskGraph::from_edges(tasks as usize, &edges)?)
}

/// Forward substitution: a task for each row.
fn substitution_by_row(n: u32) -> Result<TaskGraph, Box<dyn std::error::Error>> {
    let rows = 0..n * n;
    let edges: Vec<_> = rows
        .clone()
        .flat_map(|row| entries(n, row).map(move |column| (column, row)))
        .collect();
    let weights = rows.map(|row| 1 + entries(n, row).count() as u32).collect();
    Ok(TaskGraph::from_edges((n * n) as usize, &edges)?.with_weights(weights)?)
}
