//! Prices a barrier option by farms of several numbers of workers, by a static split and by rayon.
//!
//! Compares every bit of the farms' prices and the split's, and fails if one differs. Rayon's sum
//! has an order of its own, so that its price is only printed.

use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

use rayon::prelude::*;
use superstep::farm;
use superstep::reduce::{self, Tree};
use superstep_example_monte_carlo::Call;

/// Number of paths: a third of a second on one worker.
const PATHS: u32 = 200_000;

fn main() -> ExitCode {
    let call = Call::of_a_year();
    let paths: Arc<[u32]> = (0..PATHS).collect();
    let mean = |sum: f64| sum / f64::from(PATHS);

    let mut prices = Vec::new();
    for workers in [1, 2, 3, 4, 8] {
        let start = Instant::now();
        let farm = farm::map(Arc::clone(&paths), move |&path| call.payoff(path)).workers(workers);
        let sum = farm.reduce(|a, b| a + b).expect("no path panics");
        let price = mean(sum.unwrap_or(0.0));
        println!(
            "farm, {workers} workers: {price:.6} in {:.1} ms",
            1e3 * start.elapsed().as_secs_f64()
        );
        prices.push(price);
    }
    // A static split, whose sum is in the same fixed order.
    let start = Instant::now();
    let sum = reduce::reduce(
        &Tree::fixed(paths.len(), 2),
        move |path| call.payoff(path as u32),
        |a, b| a + b,
    );
    let split = mean(sum.expect("no path panics").unwrap_or(0.0));
    println!(
        "reduce, 2 processors: {split:.6} in {:.1} ms",
        1e3 * start.elapsed().as_secs_f64()
    );
    prices.push(split);
    // Rayon's sum depends on who has how many paths.
    let start = Instant::now();
    let sum: f64 = paths.par_iter().map(|&path| call.payoff(path)).sum();
    println!(
        "rayon: {:.6} in {:.1} ms, in an order of its own",
        mean(sum),
        1e3 * start.elapsed().as_secs_f64()
    );

    let identical = prices
        .iter()
        .all(|price| price.to_bits() == prices[0].to_bits());
    println!("identical: {}", if identical { "yes" } else { "no" });
    if identical {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
