//! BCSH gives the figures of an independent reference implementation, digit for digit:
//! `golden/bcsh.json`.

#[expect(unreachable_pub, dead_code, reason = "they are public in their crate")]
#[path = "../../papers/src/schedules/jacobi.rs"]
mod jacobi;

use serde::Deserialize;
use superstep_dag::Dag;
use superstep_graphs::generate;
use superstep_machine::Machine;
use superstep_schedule::{
    CheckedSchedule, Communication, Schedule, Sending,
    cost::{self, Messages},
};
use superstep_scheduler::Scheduler;
use superstep_search::Bcsh;
use superstep_search::bcsh::Layer;

#[derive(Deserialize)]
struct Golden {
    cases: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    case: String,
    tasks: usize,
    edges: usize,
    levels: u32,
    p: u32,
    tau: f64,
    processor_saving: bool,
    layers: usize,
    instances: u64,
    instances_dedup_per_proc: usize,
    dup_rate: f64,
    mean_msg_words: f64,
    messages: u64,
    words: u64,
    makespan: f64,
    #[serde(rename = "S_M")]
    speedup: f64,
    level_ranges_output_first: Vec<(u32, u32)>,
    layer_loads_output_first: Vec<u64>,
    procs_used_output_first: Vec<u32>,
    mean_msg_per_boundary_output_first: Vec<f64>,
}

/// Checks all cases of that name.
fn check(name: &str, graph: &Dag, count: usize) {
    let golden: Golden = serde_json::from_str(include_str!("golden/bcsh.json")).unwrap();
    let cases: Vec<&Case> = golden
        .cases
        .iter()
        .filter(|case| case.case == name)
        .collect();
    assert_eq!(cases.len(), count);
    for case in cases {
        assert_eq!((graph.tasks(), graph.edges()), (case.tasks, case.edges));
        let machine = Machine {
            tau: Some(case.tau),
            ..Machine::new(case.p)
        };
        let bcsh = Bcsh {
            processor_saving: case.processor_saving,
        };
        let (schedule, layers) = bcsh.layers(graph, &machine).unwrap();
        check_layers(case, graph, &layers);
        check_schedule(case, graph, schedule, &layers);
    }
}

/// Checks the layers that the algorithm reports.
fn check_layers(case: &Case, graph: &Dag, layers: &[Layer]) {
    let at = format!(
        "{} p = {} saving = {}",
        case.case, case.p, case.processor_saving
    );
    let ranges: Vec<_> = layers
        .iter()
        .map(|layer| (*layer.levels.start(), *layer.levels.end()))
        .collect();
    assert_eq!(ranges, case.level_ranges_output_first, "{at}");
    assert_eq!(layers.len(), case.layers, "{at}");
    assert_eq!(*layers.last().unwrap().levels.end(), case.levels, "{at}");
    let loads: Vec<u64> = layers.iter().map(|layer| layer.load).collect();
    assert_eq!(loads, case.layer_loads_output_first, "{at}");
    let used: Vec<u32> = layers.iter().map(|layer| layer.processors).collect();
    assert_eq!(used, case.procs_used_output_first, "{at}");
    let weight: u64 = layers.iter().map(|layer| layer.weight).sum();
    assert_eq!(weight, case.instances, "{at}");
    assert_rounded(weight as f64 / graph.tasks() as f64, case.dup_rate, 6, &at);
    let makespan = loads.iter().sum::<u64>() as f64 + case.tau * (layers.len() - 1) as f64;
    assert_eq!(makespan, case.makespan, "{at}");
    assert_rounded(graph.tasks() as f64 / makespan, case.speedup, 4, &at);
}

/// Checks the figures that the schedule shows.
fn check_schedule(case: &Case, graph: &Dag, schedule: Schedule, layers: &[Layer]) {
    let at = format!(
        "{} p = {} saving = {}",
        case.case, case.p, case.processor_saving
    );
    assert_eq!(schedule.supersteps(), case.layers, "{at}");
    assert_eq!(
        schedule.task_instances(),
        case.instances_dedup_per_proc,
        "{at}"
    );
    assert!(
        cost::makespan(graph, &schedule, case.tau) <= case.makespan,
        "{at}"
    );
    for (superstep, layer) in (0..case.layers).rev().zip(layers) {
        let used = schedule
            .superstep(superstep)
            .filter(|tasks| !tasks.is_empty())
            .count();
        assert_eq!(used, layer.processors as usize, "{at}");
        assert!(
            schedule
                .superstep(superstep)
                .all(|tasks| tasks.is_sorted_by(|a, b| a < b)),
            "{at}"
        );
    }
    let checked = CheckedSchedule::new(graph, schedule).unwrap();
    let communication = Communication::new(&checked, Sending::Eager);
    let messages = Messages::of(graph, &communication);
    assert_eq!(
        (messages.messages, messages.words),
        (case.messages, case.words),
        "{at}"
    );
    assert_rounded(messages.mean_words(), case.mean_msg_words, 3, &at);
    for (boundary, &mean) in (0..case.layers - 1)
        .rev()
        .zip(&case.mean_msg_per_boundary_output_first)
    {
        let lengths: Vec<usize> = communication
            .messages()
            .filter(|message| message[0].superstep as usize == boundary)
            .map(<[_]>::len)
            .collect();
        assert_rounded(
            lengths.iter().sum::<usize>() as f64 / lengths.len() as f64,
            mean,
            1,
            &at,
        );
    }
}

/// Asserts equality with a golden figure, which is rounded to so many digits after the point.
fn assert_rounded(value: f64, golden: f64, digits: i32, at: &str) {
    assert!(
        (value - golden).abs() <= 0.500_001 * 0.1f64.powi(digits),
        "{at}: {value} for {golden}"
    );
}

#[test]
fn lu_32() {
    check("lu32", &generate::lu(32).unwrap(), 8);
}

#[test]
fn lu_128() {
    check("lu128", &generate::lu(128).unwrap(), 10);
}

#[test]
fn fft_8192() {
    check("fft8192", &generate::fft(8192).unwrap(), 10);
}

#[test]
fn jacobi_128() {
    check("jacobi128", &jacobi::thesis(128), 10);
}

#[test]
fn jacobi_512() {
    check("jacobi512", &jacobi::thesis(512), 12);
}

#[test]
fn simple_jacobi_128() {
    check("jacobi128_simple", &jacobi::simple(128), 10);
}

#[test]
fn simple_jacobi_512() {
    check("jacobi512_simple", &jacobi::simple(512), 12);
}

/// BSP costs of BCSH on LU 128 with lazy messages and g = 1, as an independent judge found them:
/// processors, tau, latency, cost.
const LU_128_BSP_COSTS: [(u32, f64, f64, f64); 4] = [
    (2, 500.0, 500.0, 379_609.0),
    (8, 500.0, 500.0, 152_966.0),
    (8, 1500.0, 2000.0, 186_114.0),
    (32, 2000.0, 2000.0, 167_084.0),
];

#[test]
fn lu_128_bsp_costs() {
    let graph = generate::lu(128).unwrap();
    for (processors, tau, latency, cost) in LU_128_BSP_COSTS {
        let machine = Machine {
            tau: Some(tau),
            ..Machine::new(processors)
        };
        let schedule = Bcsh::default().schedule(&graph, &machine).unwrap();
        let checked = CheckedSchedule::new(&graph, schedule).unwrap();
        let communication = Communication::new(&checked, Sending::Lazy);
        let machine = Machine { latency, ..machine };
        assert_eq!(
            cost::bsp_cost(&checked, &communication, &machine),
            cost,
            "p = {processors}, L = {latency}"
        );
    }
}
