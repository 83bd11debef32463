//! Prints what an algorithm reaches on generated graphs, and how long it takes: `cargo run
//! --release --example costs -- ALGORITHM [EFFORT] [GRAPH] [PROCESSORS]`. The algorithm is `cuts`
//! or `pipeline`. A graph is one of `lu64`, `lu128`, `fft8192`, `sptrsv300`, `sptrsvrow300`, or the
//! like with another size.

use std::{env, time::Instant};

use superstep_dag::Dag;
use superstep_graphs::generate;
use superstep_machine::Machine;
use superstep_schedule::{
    CheckedSchedule, Communication, Costs, Sending, bounds::lower_bound, cost,
};
use superstep_scheduler::{Pipeline, Scheduler};
use superstep_search::Cuts;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = env::args().skip(1);
    let name = arguments.next().unwrap_or_else(|| "cuts".to_owned());
    let effort = arguments.next().map(|text| text.parse()).transpose()?;
    let algorithm = algorithm(&name, effort)?;
    let all = ["lu64", "lu128", "fft8192", "sptrsv300", "sptrsvrow300"];
    let graphs = arguments
        .next()
        .map_or_else(|| all.map(str::to_owned).to_vec(), |name| vec![name]);
    let processors = arguments.next().map(|text| text.parse()).transpose()?;
    let processors = processors.map_or_else(|| vec![2, 4, 8, 16, 32], |count| vec![count]);
    println!("graph P L cost (cost / lower bound) load words supersteps copies processors time");
    for name in graphs {
        let graph = graph(&name)?;
        for &processors in &processors {
            for latency in [100.0, 500.0, 2000.0] {
                let machine = Machine {
                    latency,
                    ..Machine::new(processors)
                };
                let start = Instant::now();
                let schedule = algorithm.schedule(&graph, &machine)?;
                let time = start.elapsed().as_secs_f64();
                let checked = CheckedSchedule::new(&graph, schedule)?;
                let costs = Costs::of(&checked, &machine);
                let load: u64 = cost::superstep_loads(&graph, checked.schedule())
                    .iter()
                    .sum();
                let messages = Communication::new(&checked, Sending::ImprovedLazy);
                let words = Machine {
                    gap: 1.0,
                    latency: 0.0,
                    ..machine
                };
                let exchanges = cost::exchanges(&checked, &messages, &words);
                let words: f64 = exchanges.map(|exchange| exchange.cost).sum();
                println!(
                    "{name} {processors} {latency} {} ({:.2}) {load} {words} {} {:.2} {} {time:.2} s",
                    costs.bsp_cost,
                    costs.bsp_cost / lower_bound(&graph, processors) as f64,
                    costs.supersteps,
                    costs.duplication_rate,
                    costs.processors_used,
                );
            }
        }
    }
    Ok(())
}

fn algorithm(name: &str, effort: Option<u32>) -> Result<Box<dyn Scheduler>, String> {
    match name {
        "cuts" => Ok(Box::new(effort.map_or_else(Cuts::default, |effort| Cuts {
            effort,
            annealing: 0,
        }))),
        "pipeline" => {
            let pipeline = Pipeline::default();
            let effort = effort.unwrap_or(pipeline.effort);
            Ok(Box::new(Pipeline { effort, ..pipeline }))
        }
        _ => Err(format!("no algorithm here is called {name}")),
    }
}

fn graph(name: &str) -> Result<Dag, Box<dyn std::error::Error>> {
    let digits = name.trim_start_matches(char::is_alphabetic);
    let n = digits.parse()?;
    match &name[..name.len() - digits.len()] {
        "lu" => Ok(generate::lu(n)?),
        "fft" => Ok(generate::fft(n)?),
        "sptrsv" => Ok(generate::grid_substitution(n)?),
        "sptrsvrow" => Ok(generate::grid_substitution_by_row(n)?),
        _ => Err(format!("no graph is called {name}").into()),
    }
}
