//! Prints the figures of some programs: `cargo run --release -p superstep-codegen --example figures [small]`.
#[path = "../tests/support/mod.rs"]
mod support;

use std::time::Instant;

use superstep_compiler::Arguments;
use superstep_compiler::place::messages::Placement;
use superstep_compiler::program::Program;
use superstep_dag::Dag;
use superstep_machine::{Machine, Times};
use superstep_schedule::{CheckedSchedule, Schedule};
use superstep_scheduler::{Bcsh, Levels, Scheduler, Serial};
use superstep_tracer::Trace;
use support::Hashing;

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    let run = |name: &str| wanted.is_empty() || wanted.iter().any(|w| name.contains(w.as_str()));
    let cases: [Case; 8] = [
        ("lu64", || support::lu(64)),
        ("lu128", || support::lu(128)),
        ("lu256", || support::lu(256)),
        ("fft8192", || support::fft(8192)),
        ("jacobi512", || support::jacobi(512, 5)),
        ("jacobi_solve512", || support::jacobi_solve(512)),
        ("sptrsv300", || support::sptrsv(300)),
        ("lcs2000", || support::lcs(2000, 2000)),
    ];
    for (name, trace) in cases {
        if run(name) {
            measure(name, &trace());
        }
    }
}

type Case = (&'static str, fn() -> Trace);

fn measure(name: &str, trace: &Trace) {
    let started = Instant::now();
    let graph = superstep_dag_builder::from_trace(trace);
    println!(
        "{name}: {} tasks, graph {:.2} s",
        trace.tasks(),
        started.elapsed().as_secs_f64()
    );
    let machine = |p: u32| Machine {
        tau: Some([0.0, 100.0, 120.0, 200.0, 250.0, 300.0, 350.0, 400.0, 500.0][p.min(8) as usize]),
        ..Machine::new(p)
    };
    let serial = Serial.schedule(&graph, &machine(1)).expect("one processor");
    program(trace, &graph, "serial", serial);
    for p in [2, 3, 8] {
        for scheduler in [&Levels as &dyn Scheduler, &Bcsh::default()] {
            let started = Instant::now();
            let schedule = scheduler
                .schedule(&graph, &machine(p))
                .expect("few processors");
            let seconds = started.elapsed().as_secs_f64();
            program(
                trace,
                &graph,
                &format!("{} ({seconds:.2} s)", scheduler.name()),
                schedule,
            );
        }
    }
}

fn program(trace: &Trace, graph: &Dag, algorithm: &str, schedule: Schedule) {
    let schedule = CheckedSchedule::new(graph, schedule).expect("valid");
    let seconds = |at: Instant| at.elapsed().as_secs_f64();
    let instances = schedule.schedule().instances() as f64;
    let started = Instant::now();
    let placement = Placement::new(trace, &schedule).expect("valid");
    let placed = seconds(started);
    let started = Instant::now();
    let program = Program::new(trace, placement, Arguments::Private, &Times::default());
    let built = seconds(started);
    let started = Instant::now();
    let program = program
        .check(trace)
        .unwrap_or_else(|error| panic!("{error}"));
    let replayed = seconds(started);
    let figures = program.figures();
    println!("  {algorithm} {figures}");
    println!(
        "    {:.3} bytes/task, {:.2} % alone, mean run {:.1}; ns/task: place {:.0}, store and fold {:.0}, replay {:.0}",
        figures.bytes_per_task(),
        100.0 * figures.single_share(),
        instances / figures.runs as f64,
        placed * 1e9 / instances,
        built * 1e9 / instances,
        replayed * 1e9 / instances,
    );
    if trace.tasks() < 2_000_000 {
        let oracle = Hashing(trace);
        assert!(
            oracle.interpreted(&program) == oracle.sequential(),
            "wrong result"
        );
    }
}
