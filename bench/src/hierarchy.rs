//! What a schedule gains that knows the tree of hosts: its cost on a machine with levels beside that of a schedule for a machine whose
//! processors are all equally far from each other. Costs by the model, in tasks; nothing is run.

use std::time::Instant;

use clap::Args;
use superstep_dag::Dag;
use superstep_machine::{Level, Machine};
use superstep_schedule::{CheckedSchedule, Costs, Schedule};
use superstep_scheduler::{Algorithm, Setting};

use crate::cases::{self, Case};

/// Compare the costs of schedules that know the sites of a machine with those of schedules that do not
#[derive(Args)]
pub(crate) struct Options {
    /// Only this kernel
    #[arg(long, value_name = "NAME")]
    kernel: Option<String>,
    /// Only this algorithm
    #[arg(long, value_name = "NAME")]
    algorithm: Option<Algorithm>,
    /// Sites
    #[arg(long, default_value_t = 2)]
    sites: u32,
    /// Hosts of each site, with a processor each
    #[arg(long, default_value_t = 4)]
    hosts: u32,
    /// Cost of a boundary that crosses between sites, in tasks
    #[arg(long, default_value_t = 10_000.0)]
    latency: f64,
    /// Cost of a word that does
    #[arg(long, default_value_t = 1.0)]
    gap: f64,
    /// Parts of these costs that are due inside a site
    #[arg(long, value_delimiter = ',', default_values_t = [0.3, 0.1, 0.03])]
    inside: Vec<f64>,
}

/// Algorithms that schedule any graph, and those that builds prefer.
const ALGORITHMS: [Algorithm; 5] = [
    Algorithm::GrowLocal,
    Algorithm::Owners,
    Algorithm::Cuts,
    Algorithm::Pipeline,
    Algorithm::Portfolio,
];

/// Prints a line for each kernel, machine and algorithm.
pub(crate) fn run(options: &Options) -> Result<(), Box<dyn std::error::Error>> {
    println!(
        "Costs by the model: schedules that know {} sites of {} hosts, over those that do not.\n\n\
         | kernel | size | inside | algorithm | serial | flat | levels | levels / flat | s |\n\
         |---|---|---|---|---|---|---|---|---|",
        options.sites, options.hosts
    );
    for case in cases::named(options.kernel.as_deref())? {
        let graph = graph(case)?;
        for &inside in &options.inside {
            let machine = machine(options, inside);
            for algorithm in ALGORITHMS {
                if options.algorithm.is_none_or(|only| only == algorithm) {
                    compare(case, &graph, &machine, inside, algorithm)?;
                }
            }
        }
    }
    Ok(())
}

fn graph(case: &Case) -> Result<Dag, Box<dyn std::error::Error>> {
    let trace = (case.instance)().record()?;
    let homes = superstep_dag_builder::homes(&trace);
    Ok(superstep_dag_builder::from_trace(&trace).with_homes(homes)?)
}

fn machine(options: &Options, inside: f64) -> Machine {
    let hosts = 0..options.sites * options.hosts;
    let site = Level {
        groups: hosts.clone().map(|host| host / options.hosts).collect(),
        latency: inside,
        gap: inside,
    };
    Machine {
        gap: options.gap,
        latency: options.latency,
        levels: vec![site],
        ..Machine::new(hosts.end)
    }
}

fn compare(
    case: &Case,
    graph: &Dag,
    machine: &Machine,
    inside: f64,
    algorithm: Algorithm,
) -> Result<(), Box<dyn std::error::Error>> {
    let setting = Setting::default();
    let cost = |schedule: Schedule| -> Result<f64, Box<dyn std::error::Error>> {
        let checked = CheckedSchedule::new(graph, schedule)?;
        Ok(Costs::of(&checked, machine).bsp_cost)
    };
    let flat = cost(algorithm.schedule(graph, &machine.flat(), setting)?)?;
    let start = Instant::now();
    let levels = cost(algorithm.schedule(graph, machine, setting)?)?;
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "| {} | {} | {inside} | {algorithm} | {} | {flat:.0} | {levels:.0} | {:.2} | {seconds:.1} |",
        case.kernel,
        case.size,
        graph.total_work(),
        levels / flat
    );
    Ok(())
}
