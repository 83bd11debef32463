//! Figures of an independent reference implementation, and of the paper's tables.

mod mandelbrot;

use std::sync::LazyLock;

use serde_json::Value;
use superstep_farm::{Axis, Grid, Invalid, LogGp, MasterSlave, Sampling, Start};

static GOLDEN: LazyLock<Value> = LazyLock::new(|| {
    serde_json::from_str(include_str!("golden/prediction.json")).expect("the file is JSON")
});

/// Seconds that all points of the Mandelbrot set take in the paper.
const TOTAL: f64 = 1820.0;

static MANDELBROT: LazyLock<Vec<f64>> =
    LazyLock::new(|| mandelbrot::costs(mandelbrot::WHOLE, 1024));

fn number(value: &Value) -> f64 {
    value.as_f64().expect("a number")
}

fn numbers(value: &Value) -> Vec<f64> {
    value
        .as_array()
        .expect("a list")
        .iter()
        .map(number)
        .collect()
}

#[track_caller]
fn close(found: f64, expected: f64) {
    assert!(
        (found - expected).abs() <= 1e-9 * expected.abs(),
        "{found} in place of {expected}"
    );
}

fn axes(value: &Value) -> Vec<Axis> {
    let axes = value.as_array().expect("axes").iter();
    axes.map(|axis| Axis::new(numbers(axis)).expect("it ascends"))
        .collect()
}

#[test]
fn interpolation_is_that_of_the_reference() {
    let one = &GOLDEN["interp"]["1d"];
    let grid = Grid::new(
        vec![Axis::new(numbers(&one["axis"])).unwrap()],
        numbers(&one["t"]),
    );
    let grid = grid.unwrap();
    for (at, expected) in numbers(&one["T"]).into_iter().enumerate() {
        close(grid.at(&[at as f64 + 1.0]).unwrap(), expected);
    }

    let two = &GOLDEN["interp"]["2d"];
    let values = two["t"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(numbers)
        .collect();
    let two_axes = Grid::new(axes(&two["axes"]), values).unwrap();

    let three = &GOLDEN["interp"]["3d"];
    let all = axes(&three["axes"]);
    let mut values = Vec::new();
    for a in all[0].nodes() {
        for b in all[1].nodes() {
            for c in all[2].nodes() {
                values.push(a + 10.0 * b + 100.0 * c + a * b * c);
            }
        }
    }
    let three_axes = Grid::new(all, values).unwrap();
    for (grid, case) in [(two_axes, two), (three_axes, three)] {
        for row in case["at"].as_array().unwrap() {
            let row = numbers(row);
            let (expected, point) = row.split_last().unwrap();
            close(grid.at(point).unwrap(), *expected);
        }
    }
}

#[test]
fn axes_are_spread_as_in_the_paper() {
    let axes = &GOLDEN["interp"]["grid(1024,n)"];
    let spread = |points| {
        let axis = Axis::spread(1024, points).unwrap();
        axis.nodes()
            .iter()
            .map(|node| node + 1.0)
            .collect::<Vec<_>>()
    };
    assert_eq!(spread(4), numbers(&axes["4"]));
    assert_eq!(spread(32)[..5], numbers(&axes["32_first5"]));
    assert_eq!(spread(256)[..6], numbers(&axes["256_first6"]));
    assert_eq!(spread(256)[253..], numbers(&axes["256_last3"]));
}

fn master_slave(case: &Value) -> MasterSlave {
    let processors = number(&case["P"]);
    let optional = |name: &str| case.get(name).map_or(0.0, number);
    let overhead = match &case["o"] {
        Value::Array(linear) => number(&linear[0]) + number(&linear[1]) * processors,
        fixed => number(fixed),
    };
    let network = LogGp {
        latency: number(&case["L"]),
        overhead,
        gap: optional("g"),
        byte_gap: number(&case["G"]),
    };
    let mut master = MasterSlave {
        input: number(&case["ki"]),
        output: number(&case["ko"]),
        ..MasterSlave::new(network, processors as usize - 1)
    };
    if let Some(slowness) = case.get("rs") {
        master.slowness = numbers(slowness);
    }
    if case.get("init").is_some_and(|start| start == "request") {
        master.start = Start::Requested;
    }
    master
}

#[test]
fn master_and_slaves_do_as_in_the_reference() {
    for case in GOLDEN["mss"].as_array().unwrap() {
        let mut log = Vec::new();
        let dealt = master_slave(case)
            .simulate_each(&numbers(&case["times"]), |assignment| log.push(assignment))
            .unwrap();
        close(dealt.makespan, number(&case["T"]));
        let items: Vec<f64> = dealt.items.iter().map(|&items| items as f64).collect();
        assert_eq!(items, numbers(&case["tasks_per_slave"]), "{}", case["name"]);
        let rows = &case["assign_log[task,slave,master_clock_after_send,result_arrival]"];
        let rows = rows.as_array().unwrap();
        assert!(rows.len() <= log.len());
        for (row, found) in rows.iter().zip(&log) {
            let row = numbers(row);
            assert_eq!((found.item as f64, found.slave as f64), (row[0], row[1]));
            close(found.sent, row[2]);
            close(found.back, row[3]);
        }
    }
}

/// Costs of all points, in seconds of the paper's total, from `points` by `points` of them.
fn sampled(points: usize) -> Result<Vec<f64>, Invalid> {
    let axis = Axis::spread(1024, points)?;
    let at = |x: &f64, y: &f64| MANDELBROT[*x as usize * 1024 + *y as usize];
    let nodes = axis.nodes();
    let values = nodes
        .iter()
        .flat_map(|x| nodes.iter().map(move |y| at(x, y)));
    Grid::new(vec![axis.clone(); 2], values.collect())?.everywhere(&[1024; 2])
}

#[test]
fn the_mandelbrot_set_has_the_totals_of_the_reference() {
    let golden = &GOLDEN["mandelbrot"];
    assert_eq!(MANDELBROT.iter().sum::<f64>(), number(&golden["sum"]));
    let full = MANDELBROT.iter().filter(|&&cost| cost == 1000.0).count();
    assert_eq!(full as f64, number(&golden["count_at_max"]));
    let row = &MANDELBROT[512 * 1024..][..1024];
    assert_eq!(row.iter().sum::<f64>(), number(&golden["row512_sum"]));
    let found: Vec<f64> = [1024, 256, 32, 4]
        .map(|points| sampled(points).unwrap().iter().sum())
        .into();
    for (set, total) in ["S1", "S2", "S3"].into_iter().zip(&found[1..]) {
        close(*total, number(&golden["interp_total"][set]));
        close(TOTAL * total / found[0], number(&golden["scaled_A"][set]));
    }
}

fn check_makespans(asked: impl Fn(u32) -> bool) {
    let sum = number(&GOLDEN["mandelbrot"]["sum"]);
    for (set, points) in [("S0", 1024), ("S1", 256), ("S2", 32), ("S3", 4)] {
        let mut costs = sampled(points).unwrap();
        costs.iter_mut().for_each(|cost| *cost *= TOTAL / sum);
        for (key, expected) in GOLDEN["mandelbrot"]["E"].as_object().unwrap() {
            let (network, processors) = key.split_once('/').unwrap();
            let processors: u32 = processors.parse().unwrap();
            if asked(processors) {
                let network = network_of_the_reference(network, processors);
                let master = MasterSlave {
                    input: 16.0,
                    output: 8.0,
                    ..MasterSlave::new(network, processors as usize - 1)
                };
                let makespan = master.simulate(&costs).unwrap().makespan;
                close(makespan, number(&expected[set]));
            }
        }
    }
}

#[test]
fn makespans_of_the_mandelbrot_set_are_those_of_the_reference() {
    check_makespans(|processors| [8, 128].contains(&processors));
}

#[test]
#[ignore = "64 simulations of a million items"]
fn all_makespans_of_the_mandelbrot_set_are_those_of_the_reference() {
    check_makespans(|_| true);
}

fn network_of_the_reference(name: &str, processors: u32) -> LogGp {
    let processors = f64::from(processors);
    match name {
        "myr" => LogGp {
            latency: 10e-6,
            overhead: 1e-6 + 0.0005e-6 * processors,
            gap: 0.0,
            byte_gap: 4e-9,
        },
        _ => LogGp {
            latency: 60e-6,
            overhead: 0.15e-6 + 0.28e-6 * processors,
            gap: 0.0,
            byte_gap: 80e-9,
        },
    }
}

/// Runs the paper's event queue: a list in the order of times, of which each insertion shifts the
/// tail. Returns makespan and shifts.
fn list(costs: &[f64], processors: u32) -> (f64, u64) {
    let LogGp {
        latency,
        overhead,
        byte_gap,
        ..
    } = network_of_the_reference("myr", processors);
    let mut costs = costs.iter();
    let mut clock = 0.0;
    let mut assign = |clock: &mut f64| {
        let cost = costs.next()?;
        *clock += overhead + 16.0 * byte_gap;
        Some(*clock + 2.0 * latency + cost + 2.0 * overhead + 8.0 * byte_gap)
    };
    let mut queue = std::collections::VecDeque::new();
    let mut shifts = 0;
    let mut insert = |queue: &mut std::collections::VecDeque<f64>, time: f64| {
        let at = queue.partition_point(|&other| other <= time);
        shifts += (queue.len() - at) as u64;
        queue.insert(at, time);
    };
    for _ in 1..processors {
        if let Some(time) = assign(&mut clock) {
            insert(&mut queue, time);
        }
    }
    while let Some(time) = queue.pop_front() {
        clock = time.max(clock) + overhead;
        if let Some(time) = assign(&mut clock) {
            insert(&mut queue, time);
        }
    }
    (clock, shifts)
}

#[test]
fn the_papers_list_shifts_as_often_and_ends_when_the_heap_does() {
    let sum = number(&GOLDEN["mandelbrot"]["sum"]);
    for (set, points) in [("S0", 1024), ("S3", 4)] {
        let mut costs = sampled(points).unwrap();
        costs.iter_mut().for_each(|cost| *cost *= TOTAL / sum);
        for processors in [64, 256, 1024] {
            let (makespan, shifts) = list(&costs, processors);
            let key = format!("shift/{processors}/{set}");
            let expected = number(&GOLDEN["mandelbrot"]["shift_list"][&key][0]);
            close(shifts as f64, expected);
            let master = MasterSlave {
                input: 16.0,
                output: 8.0,
                ..MasterSlave::new(
                    network_of_the_reference("myr", processors),
                    processors as usize - 1,
                )
            };
            close(master.simulate(&costs).unwrap().makespan, makespan);
        }
    }
}

#[test]
fn tables_of_the_paper_agree_with_each_other() {
    let golden = &GOLDEN["paper_tables"];
    for (set, error) in golden["eq3_X"].as_object().unwrap() {
        let difference = TOTAL - number(&golden["A"][set]);
        close(difference / 18.2, number(error));
        for processors in [8, 32, 128] {
            let key = format!("{set}/P{processors}");
            close(
                difference / f64::from(processors - 1),
                number(&golden["D"][&key]),
            );
        }
    }
}

#[test]
fn the_mandelbrot_set_is_predicted_from_a_64th_of_its_work() {
    let total: f64 = MANDELBROT.iter().sum();
    let mut honest = 0;
    for seed in 0..100 {
        let sampling = Sampling::new(&[1024; 2], 1 << 13, seed).unwrap();
        let costs: Vec<f64> = sampling
            .items()
            .iter()
            .map(|&item| MANDELBROT[item])
            .collect();
        let prediction = sampling.predict(&costs).unwrap();
        assert!(prediction.measured < total / 64.0, "seed {seed}");
        let error = prediction.total.value / total - 1.0;
        assert!(error.abs() < 0.05, "seed {seed}: {error}");
        honest += u32::from(prediction.total.low <= total && total <= prediction.total.high);
    }
    assert!(honest >= 85, "{honest} of 100 intervals hold the total");
}
