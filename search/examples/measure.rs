//! Times BCSH on LU and prints the peak memory of the process: `cargo run --release --example
//! measure -- 128 8 [tau]`. BCSH is the bulk-communication scheduling heuristic of Fujimoto's
//! thesis. Arguments: the side of the matrix, the processors, and tau, the cost of a superstep
//! boundary.
//!
//! The peak is Linux's (`VmHWM`); elsewhere it is left out. One run per process, so that the peak
//! is that run's.

use std::{env, fs, time::Instant};

use superstep_graphs::generate;
use superstep_machine::Machine;
use superstep_schedule::{CheckedSchedule, Communication, Sending};
use superstep_scheduler::Scheduler;
use superstep_search::Bcsh;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = env::args().skip(1);
    let n = arguments.next().map_or(Ok(128), |text| text.parse())?;
    let processors = arguments.next().map_or(Ok(8), |text| text.parse())?;
    let tau = arguments.next().map(|text| text.parse()).transpose()?;
    // The thesis's tau for LU 128.
    let tau = tau.unwrap_or(match processors {
        2 => 120.0,
        4 => 250.0,
        8 => 500.0,
        16 => 1070.0,
        _ => 2270.0,
    });
    let start = Instant::now();
    let graph = generate::lu(n)?;
    println!(
        "LU {n}: {} tasks in {:.3} s, peak {}",
        graph.tasks(),
        start.elapsed().as_secs_f64(),
        peak()
    );

    let start = Instant::now();
    let machine = Machine {
        tau: Some(tau),
        ..Machine::new(processors)
    };
    let schedule = Bcsh::default().schedule(&graph, &machine)?;
    println!(
        "bcsh, tau {tau}: {schedule}; {:.3} s, peak {}",
        start.elapsed().as_secs_f64(),
        peak()
    );

    let start = Instant::now();
    let checked = CheckedSchedule::new(&graph, schedule)?;
    println!(
        "check: {:.3} s, peak {}",
        start.elapsed().as_secs_f64(),
        peak()
    );

    let start = Instant::now();
    let communication = Communication::new(&checked, Sending::ImprovedLazy);
    let transfers = communication.transfers().len();
    println!(
        "communication: {transfers} transfers; {:.3} s, peak {}",
        start.elapsed().as_secs_f64(),
        peak()
    );
    Ok(())
}

fn peak() -> String {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.map_or_else(|| "unknown".to_owned(), |line| line.trim().to_owned())
}
