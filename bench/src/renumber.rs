//! Cost of the numbers of tasks: schedules of one graph under random numbers.

use std::collections::BTreeSet;

use clap::Args;
use superstep_dag::{Dag, GraphError};
use superstep_machine::Machine;
use superstep_schedule::{CheckedSchedule, Costs, Schedule};
use superstep_scheduler::{Effort, Scheduler};
use superstep_search::Portfolio;

use crate::peers::data;

/// Compare the costs of schedules of randomly renumbered graphs with those of the graphs as they
/// are
#[derive(Args)]
pub(crate) struct Options {
    /// Only this class of graphs.
    #[arg(long)]
    class: Option<data::Class>,
    /// Only graphs whose name contains this.
    #[arg(long, default_value = "")]
    graph: String,
    /// How much to try.
    #[arg(long, default_value = "balanced")]
    effort: Effort,
    /// Number of processors.
    #[arg(long, short, default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=i64::from(Schedule::MOST_PROCESSORS)))]
    processors: u32,
    /// Cost of a superstep that sends anything.
    #[arg(long, default_value_t = 500.0)]
    latency: f64,
    /// How many numberings.
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u64).range(1..))]
    rounds: u64,
}

/// Prints a line for each graph.
pub(crate) fn run(options: &Options) -> Result<(), Box<dyn std::error::Error>> {
    let machine = Machine {
        latency: options.latency,
        ..Machine::new(options.processors)
    };
    let effort = options.effort;
    println!("| graph | cost | renumbered, least | most | furthest, % |");
    println!("|---|---|---|---|---|");
    let mut seen = BTreeSet::new();
    for row in data::rows()? {
        let is_wanted = options.class.is_none_or(|class| class == row.class)
            && row.graph.contains(&options.graph);
        if !is_wanted || !seen.insert(row.graph.clone()) {
            continue;
        }
        let graph = data::graph(&row)?;
        let own = cost(&graph, &machine, effort)?;
        let mut costs = Vec::new();
        for round in 1..=options.rounds {
            costs.push(cost(&renumbered(&graph, round)?, &machine, effort)?);
        }
        let least = costs.iter().copied().fold(f64::INFINITY, f64::min);
        let most = costs.iter().copied().fold(0.0, f64::max);
        let furthest = (most / own - 1.0).max(1.0 - least / own);
        println!(
            "| {} | {own} | {least} | {most} | {:.1} |",
            row.graph,
            100.0 * furthest
        );
    }
    Ok(())
}

fn cost(graph: &Dag, machine: &Machine, effort: Effort) -> Result<f64, Box<dyn std::error::Error>> {
    let schedule = Portfolio { effort }.schedule(graph, machine)?;
    let checked = CheckedSchedule::new(graph, schedule)?;
    Ok(Costs::of(&checked, machine).bsp_cost)
}

/// Renumbers the tasks of a graph at random.
fn renumbered(graph: &Dag, seed: u64) -> Result<Dag, GraphError> {
    let tasks = graph.tasks() as u32;
    let mut numbers: Vec<u32> = (0..tasks).collect();
    // Shuffled as by Fisher and Yates, with a linear congruential generator.
    let mut state = 2 * seed + 1;
    for left in (1..numbers.len()).rev() {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        numbers.swap(left, ((state >> 33) % (left as u64 + 1)) as usize);
    }
    graph.renumbered(&numbers)
}
