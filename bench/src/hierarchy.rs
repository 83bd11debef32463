//! Gain of a schedule that knows the tree of hosts. Its cost on a machine with levels stands beside
//! that of a schedule for a machine whose processors are all equally far from each other. Costs by
//! the model, in tasks; nothing is run.

use std::time::Instant;

use clap::Args;
use superstep_dag::Dag;
use superstep_machine::{Level, Machine};
use superstep_schedule::{CheckedSchedule, Costs, Schedule};
use superstep_scheduler::{Algorithm, Setting};
use superstep_search::ALL;

use crate::cases::{self, Case};
use crate::predict::algorithm;

/// Compare the costs of schedules that know the sites of a machine with those of schedules that do
/// not
#[derive(Args)]
pub(crate) struct Options {
    /// Only this kernel
    #[arg(long, value_name = "NAME")]
    kernel: Option<String>,
    /// Only this algorithm
    #[arg(long, value_name = "NAME", value_parser = algorithm)]
    algorithm: Option<Algorithm>,
    /// Sites
    #[arg(long, default_value_t = 2)]
    sites: u32,
    /// Hosts of each site, with a processor each
    #[arg(long, default_value_t = 4)]
    hosts: u32,
    /// Costs of a boundary that crosses between sites, in tasks
    #[arg(long, value_delimiter = ',', default_values_t = [1e4, 1e5, 1e6])]
    latency: Vec<f64>,
    /// Cost of a word that does
    #[arg(long, default_value_t = 1.0)]
    gap: f64,
    /// Part of these costs that is due inside a site
    #[arg(long, default_value_t = 0.1)]
    inside: f64,
}

/// Algorithms that builds consider for any kernel.
const ALGORITHMS: [Algorithm; 5] = [
    Algorithm::Levels,
    Algorithm::GrowLocal,
    Algorithm::Owners,
    Algorithm::Pipeline,
    Algorithm::Cuts,
];

/// Prints a line for each kernel, machine and algorithm, and one for the best of each.
pub(crate) fn run(options: &Options) -> Result<(), Box<dyn std::error::Error>> {
    println!(
        "Costs by the model, in tasks, on {} sites of {} hosts, inside of which everything costs {} of what it does between them.\n\n\
         | kernel | size | L | algorithm | serial | knows nothing | knows the sites | ratio | s |\n\
         |---|---|---|---|---|---|---|---|---|",
        options.sites, options.hosts, options.inside
    );
    for case in cases::named(cases::CASES, options.kernel.as_deref())? {
        let graph = cases::graph(&(case.instance)())?;
        for &latency in &options.latency {
            let machine = machine(options, latency);
            let wanted = |&&each: &&Algorithm| options.algorithm.is_none_or(|only| only == each);
            let mut best = Row {
                flat: f64::INFINITY,
                levels: f64::INFINITY,
                seconds: 0.0,
            };
            for &algorithm in ALGORITHMS.iter().filter(wanted) {
                let row = Row::of(&graph, &machine, algorithm)?;
                row.print(case, &graph, latency, algorithm.name());
                best.flat = best.flat.min(row.flat);
                best.levels = best.levels.min(row.levels);
                best.seconds += row.seconds;
            }
            best.print(case, &graph, latency, "**best**");
        }
    }
    Ok(())
}

fn machine(options: &Options, latency: f64) -> Machine {
    let hosts = 0..options.sites * options.hosts;
    let site = Level {
        groups: hosts.clone().map(|host| host / options.hosts).collect(),
        latency: options.inside,
        gap: options.inside,
    };
    Machine {
        gap: options.gap,
        latency,
        levels: vec![site],
        ..Machine::new(hosts.end)
    }
}

/// Costs of two schedules on the machine as it is.
struct Row {
    /// Cost of the one for a machine without sites.
    flat: f64,
    levels: f64,
    /// Time that scheduling with levels took.
    seconds: f64,
}

impl Row {
    fn of(
        graph: &Dag,
        machine: &Machine,
        algorithm: Algorithm,
    ) -> Result<Self, Box<dyn std::error::Error>> {
        let setting = Setting::default();
        let cost = |schedule: Schedule| -> Result<f64, Box<dyn std::error::Error>> {
            let checked = CheckedSchedule::new(graph, schedule)?;
            Ok(Costs::of(&checked, machine).bsp_cost)
        };
        let flat = cost(
            algorithm
                .of(ALL)
                .schedule(graph, &machine.flat(), setting)?,
        )?;
        let start = Instant::now();
        let schedule = algorithm.of(ALL).schedule(graph, machine, setting)?;
        let seconds = start.elapsed().as_secs_f64();
        Ok(Self {
            flat,
            levels: cost(schedule)?,
            seconds,
        })
    }

    fn print(&self, case: &Case, graph: &Dag, latency: f64, name: &str) {
        let Self {
            flat,
            levels,
            seconds,
        } = self;
        println!(
            "| {} | {} | {latency} | {name} | {} | {flat:.0} | {levels:.0} | {:.2} | {seconds:.1} |",
            case.kernel,
            case.size,
            graph.total_work(),
            levels / flat
        );
    }
}
