//! Farms beside rayon and a static split, what an item costs, how well a sample predicts, and how
//! long simulations take.

use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use clap::Args;
use rayon::prelude::*;
use superstep::farm::{self, Target};
use superstep_example_mandelbrot::Picture;
use superstep_example_monte_carlo::Call;
use superstep_farm::{Items, Key, Platform, Policy, Technique, simulate};
use superstep_timing::{Rounds, timed};

/// Time farms beside rayon and a static split, and simulate them
#[derive(Args)]
pub(crate) struct Options {
    /// Rounds, of which the shortest time of each form counts.
    #[arg(long, default_value_t = 9, value_parser = clap::value_parser!(u16).range(1..))]
    rounds: u16,
    /// Workers, and threads of the others.
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..))]
    workers: u16,
}

/// Prints the tables.
pub(crate) fn run(options: &Options) -> Result<(), Box<dyn std::error::Error>> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(options.workers.into());
    let pool = pool.build()?;
    println!("| items | one after another, ms | static split | rayon | farm | farm over rayon |");
    println!("|---|---|---|---|---|---|");
    let picture = Picture { side: 1024 };
    let pixels: Arc<[u32]> = picture.pixels().into();
    compare(
        "Mandelbrot 1024^2",
        options,
        &pool,
        &pixels,
        move |&pixel| picture.iterations(pixel),
    );
    let call = Call::of_a_year();
    let paths: Arc<[u32]> = (0..200_000).collect();
    compare("200,000 paths", options, &pool, &paths, move |&path| {
        call.payoff(path).to_bits()
    });
    for (name, count, steps) in [
        ("10^6 of 1 us", 1_000_000, 350),
        ("10^7 of 10 ns", 10_000_000, 4),
    ] {
        let items: Arc<[u32]> = vec![steps; count].into();
        compare(name, options, &pool, &items, |&steps| spin(steps).to_bits());
    }
    overhead(options);
    predictions(options)?;
    simulations()
}

/// Computes a chain of so many additions and products, 2.7 ns each.
fn spin(steps: u32) -> f64 {
    (0..steps).fold(1.0, |x, _| x * 1.000_000_1 + 0.1)
}

/// Prints the shortest times of all forms, taken in turn.
fn compare<R, F>(name: &str, options: &Options, pool: &rayon::ThreadPool, items: &Arc<[u32]>, f: F)
where
    R: Copy + Default + Send + PartialEq + 'static,
    F: Fn(&u32) -> R + Copy + Send + Sync + 'static,
{
    let mut rounds = Rounds::new(4);
    for _ in 0..options.rounds {
        let results: [(Duration, Vec<R>); 4] = [
            timed(|| items.iter().map(f).collect()),
            timed(|| split(items, options.workers.into(), f)),
            timed(|| pool.install(|| items.par_iter().map(f).collect())),
            timed(|| {
                let farm = farm::map(Arc::clone(items), f).workers(options.workers.into());
                farm.run().expect("no item panics")
            }),
        ];
        for (form, (time, result)) in results.iter().enumerate() {
            assert!(*result == results[0].1, "{name}: other results");
            rounds.push(form, time.as_secs_f64());
        }
    }
    let [one, split, rayon, farm] = [0, 1, 2, 3].map(|form| 1e3 * rounds.fastest(form));
    println!(
        "| {name} | {one:.1} | {split:.1} | {rayon:.1} | {farm:.1} | {:.3} |",
        farm / rayon
    );
}

/// Splits items statically: each of so many threads gets one range of neighbouring items. All
/// ranges but the last have one length.
fn split<R: Copy + Default + Send>(
    items: &[u32],
    workers: usize,
    f: impl Fn(&u32) -> R + Copy + Send + Sync,
) -> Vec<R> {
    let mut results = vec![R::default(); items.len()];
    let each = items.len().div_ceil(workers);
    thread::scope(|scope| {
        for (items, results) in items.chunks(each).zip(results.chunks_mut(each)) {
            scope.spawn(move || {
                for (item, result) in items.iter().zip(results) {
                    *result = f(item);
                }
            });
        }
    });
    results
}

/// Prints the overhead of an item of 1 us on one worker: its time in a farm less that in a loop.
fn overhead(options: &Options) {
    let items: Arc<[u32]> = vec![350; 1_000_000].into();
    let mut rounds = Rounds::new(2);
    for _ in 0..options.rounds {
        let (plain, _) = timed(|| items.iter().map(|&steps| spin(steps)).collect::<Vec<f64>>());
        rounds.push(0, plain.as_secs_f64());
        let farm = farm::map(Arc::clone(&items), |&steps| spin(steps)).workers(1);
        let (farmed, results) = timed(|| farm.run());
        results.expect("no item panics");
        rounds.push(1, farmed.as_secs_f64());
    }
    println!(
        "\noverhead of an item of 1 us, one worker: {:.1} ns (20 asked)\n",
        1e3 * (rounds.fastest(1) - rounds.fastest(0))
    );
}

/// Prints how long the Mandelbrot set is predicted to take, and how long it takes.
fn predictions(options: &Options) -> Result<(), Box<dyn std::error::Error>> {
    let picture = Picture { side: 1024 };
    let pixels: Arc<[u32]> = picture.pixels().into();
    println!(
        "| Mandelbrot 1024^2, predicted from | s | interval | took, s | predicted over taken |"
    );
    println!("|---|---|---|---|---|");
    for _ in 0..options.rounds {
        let farm = farm::map(Arc::clone(&pixels), move |&pixel| picture.iterations(pixel));
        let mut farm = farm
            .workers(options.workers.into())
            .shape(&picture.shape())
            .sample(Target::default());
        let start = Instant::now();
        let plan = farm.plan()?;
        let (sampled, time) = (plan.sampled, plan.time.ok_or("a sample predicts the time")?);
        farm.run()?;
        let taken = start.elapsed().as_secs_f64();
        println!(
            "| {sampled} items | {:.3} | {:.3} to {:.3} | {taken:.3} | {:.3} |",
            time.value,
            time.low,
            time.high,
            time.value / taken
        );
    }
    println!();
    Ok(())
}

/// Prints how long simulations of a million items take.
fn simulations() -> Result<(), Box<dyn std::error::Error>> {
    println!("| 10^6 items on 1024 workers, simulated | s (0.5 asked) |");
    println!("|---|---|");
    let costs: Vec<f64> = (0..1_000_000)
        .map(|at| 1.0 + f64::from(at % 97) / 50.0)
        .collect();
    let items = Items::new(&costs)?;
    let platform = Platform {
        workers: 1024,
        ..Platform::threads(1024)
    };
    for technique in [
        Technique::SelfScheduling(1),
        Technique::Factoring,
        Technique::Static,
    ] {
        let policy = Policy::new(technique, Key::Cost);
        let deal = policy.deal(&platform, &items)?;
        let (time, outcome) = timed(|| simulate(&platform, &items, &deal));
        println!(
            "| {}, {} messages | {:.3} |",
            policy.name(),
            outcome?.messages,
            time.as_secs_f64()
        );
    }
    Ok(())
}
