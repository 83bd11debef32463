//! Measures time and peak memory of tracing and scheduling LU of growing size, to 10^8 edges.

use std::{fs, time::Instant};

use clap::Args;
use superstep_dag::Contraction;
use superstep_graphs::generate;
use superstep_machine::Machine;
use superstep_schedule::{CheckedSchedule, Costs, Schedule};
use superstep_scheduler::Scheduler;
use superstep_search::Portfolio;

/// Time tracing and scheduling on LU of growing size
#[derive(Args)]
pub(crate) struct Options {
    /// The largest matrix: 512 takes half a minute and 3 GB.
    #[arg(long, default_value_t = 256)]
    largest: usize,
    /// The smallest matrix. The peak is of the whole process: for one size give this as largest.
    #[arg(long, default_value_t = 32, value_parser = clap::value_parser!(u32).range(2..))]
    smallest: u32,
    /// Schedule whole updates of rows as tasks, as `#[grain]` on the loop over rows would.
    #[arg(long)]
    grain: bool,
    /// Number of processors.
    #[arg(long, short, default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=i64::from(Schedule::MOST_PROCESSORS)))]
    processors: u32,
}

/// Prints a row for each size, doubled from the smallest to the largest.
pub(crate) fn run(options: &Options) -> Result<(), Box<dyn std::error::Error>> {
    if options.smallest as usize > options.largest {
        return Err("no size: --smallest is above --largest".into());
    }
    let machine = Machine {
        latency: 500.0,
        ..Machine::new(options.processors)
    };
    println!(
        "| LU | tasks | edges | trace, s | schedule, s | ns per edge | cost | cost / work per processor | peak, MB |"
    );
    println!("|---|---|---|---|---|---|---|---|---|");
    let sizes = (0..).map(|doubled| (options.smallest as usize) << doubled);
    for n in sizes.take_while(|&n| n <= options.largest) {
        let start = Instant::now();
        let graph = generate::lu(n)?;
        let traced = start.elapsed().as_secs_f64();
        let start = Instant::now();
        let schedule = if options.grain {
            let rows = Contraction::of_intervals(&graph, &generate::lu_rows(n as u32));
            Portfolio::default()
                .schedule(rows.graph(), &machine)?
                .expand(&rows)
        } else {
            Portfolio::default().schedule(&graph, &machine)?
        };
        let scheduled = start.elapsed().as_secs_f64();
        let peak = peak().map_or(String::new(), |peak| peak.to_string());
        let checked = CheckedSchedule::new(&graph, schedule)?;
        let cost = Costs::of(&checked, &machine).bsp_cost;
        println!(
            "| {n} | {} | {} | {traced:.2} | {scheduled:.2} | {:.0} | {cost} | {:.3} | {peak} |",
            graph.tasks(),
            graph.edges(),
            1e9 * scheduled / graph.edges() as f64,
            cost * f64::from(options.processors) / graph.total_work() as f64,
        );
    }
    Ok(())
}

/// Returns the peak of memory of this process in megabytes, where Linux says it.
fn peak() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.trim().trim_end_matches(" kB").parse().ok()?;
    // Linux says kB for 1024 bytes.
    Some(kilobytes * 1024 / 1_000_000)
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[test]
    fn sizes_that_are_none_are_refused() {
        let read = |smallest| {
            crate::Options::try_parse_from(["superstep-bench", "scale", "--smallest", smallest])
        };
        assert!(read("1").is_err());
        let Ok(crate::Options {
            command: crate::Command::Scale(options),
        }) = read("257")
        else {
            panic!("it is a size");
        };
        let refused = run(&options).unwrap_err().to_string();
        assert_eq!(refused, "no size: --smallest is above --largest");
    }
}
