//! Coverage of the intervals, on cost fields that the estimator was not made for.

mod mandelbrot;

use rand_pcg::{Pcg64, rand_core::Rng};
use superstep_farm::{Invalid, LogGp, MasterSlave, Sampling, Target};

struct Field {
    name: &'static str,
    shape: Vec<usize>,
    costs: Vec<f64>,
}

fn unit(random: &mut Pcg64) -> f64 {
    (random.next_u64() >> 11) as f64 / (1u64 << 53) as f64
}

fn normal(random: &mut Pcg64) -> f64 {
    let radius = (-2.0 * (1.0 - unit(random)).ln()).sqrt();
    radius * (std::f64::consts::TAU * unit(random)).cos()
}

/// A square field from coordinates in [0, 1) and random numbers.
fn square(name: &'static str, cost: impl Fn(f64, f64, &mut Pcg64) -> f64) -> Field {
    const SIDE: usize = 512;
    let mut random = Pcg64::new(7, 0);
    let at = |index: usize| index as f64 / SIDE as f64;
    Field {
        name,
        shape: vec![SIDE; 2],
        costs: (0..SIDE * SIDE)
            .map(|item| cost(at(item / SIDE), at(item % SIDE), &mut random))
            .collect(),
    }
}

fn sweep(name: &'static str, items: usize, cost: impl Fn(f64, &mut Pcg64) -> f64) -> Field {
    let mut random = Pcg64::new(8, 0);
    let costs = (0..items).map(|item| cost(item as f64 / items as f64, &mut random));
    Field {
        name,
        shape: vec![items],
        costs: costs.collect(),
    }
}

fn fields() -> Vec<Field> {
    let window = |name, window| Field {
        name,
        shape: vec![512; 2],
        costs: mandelbrot::costs(window, 512),
    };
    let heavy = |x: f64, random: &mut Pcg64| if unit(random) < x { 1.0 / x } else { 1.0 };
    vec![
        window("Mandelbrot", mandelbrot::WHOLE),
        window("Mandelbrot -2.5..0.5", [-2.5, 0.5, -1.5, 1.5]),
        window("sea horses", [-0.8, -0.7, 0.05, 0.15]),
        window("beside the set", [0.3, 0.5, 0.3, 0.5]),
        window("needle", [-1.8, -1.7, -0.05, 0.05]),
        square("uniform", |_, _, _| 1.0),
        square("ramp", |x, _, _| 1.0 + 9.0 * x),
        square("bump", |x, y, _| {
            1.0 + 20.0 * (-((x - 0.3f64).powi(2) + (y - 0.6f64).powi(2)) / 0.02).exp()
        }),
        square("lognormal 0.5", |_, _, random| (0.5 * normal(random)).exp()),
        square("lognormal 1.5", |_, _, random| (1.5 * normal(random)).exp()),
        square("ramp, lognormal 0.5", |x, _, random| {
            (1.0 + 9.0 * x) * (0.5 * normal(random)).exp()
        }),
        square("5 % heavy", |_, _, random| heavy(0.05, random)),
        square("0.5 % heavy", |_, _, random| heavy(0.005, random)),
        square(
            "oblique step",
            |x, y, _| if x + 0.3 * y < 0.63 { 1.0 } else { 20.0 },
        ),
        sweep(
            "sweep, step",
            100_000,
            |x, _| if x < 0.637 { 1.0 } else { 20.0 },
        ),
        sweep("sweep, short", 1000, |x, random| {
            1.0 + x * x + 0.2 * unit(random)
        }),
        sweep("sweep, lognormal 1", 20_000, |x, random| {
            (1.0 + x) * normal(random).exp()
        }),
        Field {
            name: "cube",
            shape: vec![50, 40, 30],
            costs: (0..60_000)
                .map(|item| {
                    let [x, y, z] = [item / 1200, item / 30 % 40, item % 30].map(|at| at as f64);
                    1.0 + (x * 0.1).sin().powi(2) * y + z * z * 0.01
                })
                .collect(),
        },
    ]
}

/// How good predictions of a field are, over many seeds.
#[derive(Default)]
struct Found {
    covered: u32,
    makespans: u32,
    error: f64,
    width: f64,
    items: f64,
    item_error: f64,
}

const SEEDS: u32 = 200;

fn found(
    field: &Field,
    mut sample: impl FnMut(u64) -> (Sampling, Vec<f64>),
    workers: usize,
) -> Found {
    let total: f64 = field.costs.iter().sum();
    let master = MasterSlave::new(LogGp::default(), workers);
    let makespan = |costs: &[f64]| master.simulate(costs).map(|dealt| dealt.makespan);
    let truth = makespan(&field.costs).unwrap();
    let mut found = Found::default();
    for seed in 0..SEEDS {
        let (sampling, costs) = sample(u64::from(seed));
        let prediction = sampling.predict(&costs).unwrap();
        let within = |low: f64, truth: f64, high: f64| {
            u32::from(low <= truth * (1.0 + 1e-9) && truth <= high * (1.0 + 1e-9))
        };
        found.covered += within(prediction.total.low, total, prediction.total.high);
        if workers > 1 && seed < 40 {
            let predicted = prediction.makespan(makespan).unwrap();
            found.makespans += within(predicted.low, truth, predicted.high);
        }
        found.error += (prediction.total.value / total - 1.0).powi(2);
        found.width += prediction.total.relative_error();
        found.items += costs.len() as f64;
        let squares = prediction.costs.iter().zip(&field.costs);
        let squares: f64 = squares.map(|(a, b)| (a - b).powi(2)).sum();
        found.item_error +=
            (squares / field.costs.len() as f64).sqrt() / total * field.costs.len() as f64;
    }
    let seeds = f64::from(SEEDS);
    found.error = (found.error / seeds).sqrt();
    for sum in [&mut found.width, &mut found.items, &mut found.item_error] {
        *sum /= seeds;
    }
    found
}

fn run(field: &Field, sampling: Sampling) -> (Sampling, Vec<f64>) {
    let costs = sampling
        .items()
        .iter()
        .map(|&item| field.costs[item])
        .collect();
    (sampling, costs)
}

#[test]
fn table() {
    for field in fields() {
        for samples in [64, 256, 1024, 4096] {
            if samples * 8 > field.costs.len() {
                continue;
            }
            let fixed = |seed| run(&field, Sampling::new(&field.shape, samples, seed).unwrap());
            let found = found(&field, fixed, 64);
            println!(
                "{:22} {samples:5} rms {:6.3} % width {:6.3} % covered {:5.1} makespan {:5.1} item {:.3}",
                field.name,
                100.0 * found.error,
                100.0 * found.width,
                f64::from(found.covered) * 100.0 / f64::from(SEEDS),
                f64::from(found.makespans) * 100.0 / 40.0,
                found.item_error
            );
        }
        for error in [0.2, 0.1, 0.05, 0.02] {
            let target = Target {
                error,
                share: 1.0 / 16.0,
            };
            let stopped = |seed| {
                let sampled = target.sample(&field.shape, seed, |items| {
                    Ok::<_, Invalid>(items.iter().map(|&item| field.costs[item]).collect())
                });
                let sampled = sampled.unwrap();
                (sampled.sampling, sampled.costs)
            };
            let found = found(&field, stopped, 1);
            println!(
                "{:22} to {error} {:7.0} items rms {:6.3} % covered {:5.1}",
                field.name,
                found.items,
                100.0 * found.error,
                f64::from(found.covered) * 100.0 / f64::from(SEEDS)
            );
        }
    }
}
