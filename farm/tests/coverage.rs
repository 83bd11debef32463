//! Coverage of the intervals, on cost fields that the estimator was not made for.

mod mandelbrot;

use rand_pcg::{Pcg64, rand_core::Rng};
use superstep_farm::{Interval, Invalid, LogGp, MasterSlave, Prediction, Sampling, Target};

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

/// Items along each side of a square field.
const SIDE: usize = 256;

/// Makes a square field from coordinates in [0, 1) and random numbers.
fn square(name: &'static str, cost: impl Fn(f64, f64, &mut Pcg64) -> f64) -> Field {
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
        shape: vec![SIDE; 2],
        costs: mandelbrot::costs(window, SIDE),
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

/// Errors of predictions of a field, over many seeds.
struct Found {
    /// Root mean square error of the total, relative to it.
    error: f64,
    /// Mean error, relative to it.
    bias: f64,
    /// Root mean square error of plain strata: the mean of the samples, by the number of items.
    plain: f64,
    /// Mean relative error at the upper end of the interval.
    width: f64,
    /// Per cent of the intervals of the total that hold it.
    totals: f64,
    /// Per cent of the intervals of the makespan that hold it.
    makespans: f64,
    /// Mean number of samples.
    samples: f64,
}

fn share(truth: f64, intervals: &[Interval]) -> f64 {
    let holds = |interval: &&Interval| {
        interval.low <= truth * (1.0 + 1e-9) && truth <= interval.high * (1.0 + 1e-9)
    };
    100.0 * intervals.iter().filter(holds).count() as f64 / intervals.len() as f64
}

/// Predicts a field once for each seed, and the makespan on 16 workers for the first of them.
fn found(
    field: &Field,
    seeds: u64,
    makespans: u64,
    predict: impl Fn(u64) -> (Prediction, usize),
) -> Found {
    let total: f64 = field.costs.iter().sum();
    let master = MasterSlave::new(LogGp::default(), 16);
    let makespan = |costs: &[f64]| master.simulate(costs).map(|dealt| dealt.makespan);
    let [mut squares, mut bias, mut plain, mut width] = [0.0; 4];
    let mut samples = 0;
    let [mut of_total, mut of_makespan] = [Vec::new(), Vec::new()];
    for seed in 0..seeds {
        let (prediction, count) = predict(seed);
        let error = prediction.total.value / total - 1.0;
        squares += error * error;
        bias += error;
        let mean = prediction.measured / count as f64;
        plain += (mean * field.costs.len() as f64 / total - 1.0).powi(2);
        width += prediction.total.relative_error();
        samples += count;
        of_total.push(prediction.total);
        if seed < makespans {
            of_makespan.push(prediction.makespan(makespan).unwrap());
        }
    }
    let mean = |sum: f64| sum / seeds as f64;
    Found {
        error: mean(squares).sqrt(),
        bias: mean(bias),
        plain: mean(plain).sqrt(),
        width: mean(width),
        totals: share(total, &of_total),
        makespans: share(makespan(&field.costs).unwrap(), &of_makespan),
        samples: mean(samples as f64),
    }
}

fn fixed(field: &Field, samples: usize, seed: u64) -> (Prediction, usize) {
    let sampling = Sampling::new(&field.shape, samples, seed).unwrap();
    let costs: Vec<f64> = sampling
        .items()
        .iter()
        .map(|&item| field.costs[item])
        .collect();
    (sampling.predict(&costs).unwrap(), costs.len())
}

fn stopped(field: &Field, error: f64, seed: u64) -> (Prediction, usize) {
    let target = Target {
        error,
        share: 1.0 / 8.0,
    };
    let run =
        |items: &[usize]| Ok::<_, Invalid>(items.iter().map(|&item| field.costs[item]).collect());
    let sampled = target.sample(&field.shape, seed, run).unwrap();
    (sampled.prediction, sampled.costs.len())
}

/// Intervals of 90 % that hold the truth less often than this are dishonest.
const LEAST: f64 = 85.0;

#[test]
fn totals_are_unbiased_and_their_intervals_honest() {
    for field in fields() {
        let samples = 1024.min(field.costs.len() / 8);
        let found = found(&field, 100, 1, |seed| fixed(&field, samples, seed));
        let name = field.name;
        assert!(found.totals >= LEAST, "{name}: {} %", found.totals);
        // They are not honest by being wide, but for smooth fields, of which half a per cent is
        // known.
        let widest = 3.5 * found.error + 0.005;
        assert!(
            found.width <= widest,
            "{name}: {} for {}",
            found.width,
            found.error
        );
        // Of 100 seeds, the mean deviates by a tenth.
        assert!(
            found.bias.abs() <= 0.4 * found.error + 1e-12,
            "{name}: {}",
            found.bias
        );
        // Slopes gain much where costs are smooth, and lose nothing to speak of elsewhere.
        let most = if ["ramp", "bump"].contains(&name) {
            0.4
        } else {
            1.05
        };
        assert!(
            found.error <= most * found.plain + 1e-12,
            "{name}: {} for {}",
            found.error,
            found.plain
        );
    }
}

/// The table of all fields, for any number of samples and with the stop rule.
#[test]
#[ignore = "a minute in a release build"]
fn intervals_hold_totals_and_makespans() {
    if std::env::var_os("SUPERSTEP_SWEEPS").is_none() {
        eprintln!("skipped: a sweep of a minute, with SUPERSTEP_SWEEPS=1");
        return;
    }
    println!("field                   samples   error   width  totals  makespans");
    let mut least: f64 = 100.0;
    for field in fields() {
        let fits = |samples: &usize| samples * 8 <= field.costs.len();
        let fixed_sizes = [64, 256, 1024, 4096]
            .into_iter()
            .filter(fits)
            .map(|samples| found(&field, 100, 20, |seed| fixed(&field, samples, seed)));
        let stopped_errors = [0.2, 0.1, 0.05, 0.02]
            .into_iter()
            .map(|error| found(&field, 100, 20, |seed| stopped(&field, error, seed)));
        for (stopped, found) in fixed_sizes
            .map(|found| (false, found))
            .chain(stopped_errors.map(|found| (true, found)))
        {
            println!(
                "{:22}{:9.0}{:7.2}%{:7.2}%{:7.1}%{:10.1}%",
                field.name,
                found.samples,
                100.0 * found.error,
                100.0 * found.width,
                found.totals,
                found.makespans
            );
            // Few samples mostly meet no heavy item of 200, know of none, and stop.
            let unknown = field.name == "0.5 % heavy" && (stopped || found.samples < 1024.0);
            if !unknown {
                least = least.min(found.totals);
            }
        }
    }
    assert!(least >= 80.0, "{least} %");
}
