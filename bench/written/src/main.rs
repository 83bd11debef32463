//! Prints what calls of kernels take beside the functions as written.
//!
//! `cargo run --release -p superstep-bench-written`, on an idle machine. For each kernel:
//!
//! * the time of the function, and of the programs for one and two processors, in their fastest block
//!   of calls;
//! * the mean time of `parallel` over calls 1,000 to 11,000 of a process, as a ratio to the function's
//!   mean, and what it is beyond 1.03 of that; for machines that are not idle also the median of the
//!   ratios of blocks of 100 calls;
//! * how many of the 11,000 calls ran the function and each program.
//!
//! Blocks of functions and of calls alternate, so that a machine that gets slower does so for both.

// The build script shares them.
#[allow(unreachable_pub)]
mod kernels;
#[allow(unreachable_pub)]
mod pattern;

use std::hint::black_box;
use std::time::{Duration, Instant};

use superstep::{RunError, last_run};

/// Calls before `parallel` is measured, and calls of which it is: what it promises is the average over
/// calls 1,000 to 11,000.
const BEFORE: usize = 1_000;
const MEASURED: usize = 10_000;

/// Calls of one form at a time: forms alternate often enough that a change of the machine's load meets
/// all of them.
const BLOCK: usize = 100;

/// How a kernel is called.
#[derive(Clone, Copy)]
enum By {
    Function,
    Exactly(usize),
    Parallel,
}

fn main() {
    println!(
        "kernel          function       P = 1       P = 2   parallel / function, beyond 1.03, median   calls of each"
    );
    let mut data: Vec<f64> = (0..48 * 48)
        .map(|i| 1.0 + f64::from(i * 7919 % 1000))
        .collect();
    kernel!("floyd", floyd(48, &mut data));

    let (row, col) = pattern::random_triangle(2000);
    let values: Vec<f64> = col.iter().map(|&c| 2.0 + c as f64 / 4000.0).collect();
    let mut x = vec![1.0; 2000];
    kernel!(
        "substitution",
        substitution(2000, &row, &col, &values, &mut x)
    );

    let f: Vec<f64> = (0..144)
        .map(|i| if i % 13 == 0 { 0.5 } else { 0.03 })
        .collect();
    let q = f.clone();
    let (mut p, mut t) = (f.clone(), vec![0.0; 144]);
    kernel!("covariance", covariance(20, &f, &q, &mut p, &mut t));

    let mut a: Vec<f64> = (0..32 * 32).map(|i| 1.0 + f64::from(i * 31 % 17)).collect();
    kernel!("givens", givens(32, &mut a));

    let mut line: Vec<kernels::Body> = (0..200)
        .map(|i| kernels::Body {
            place: [f64::from(i), 0.0, 0.0],
            mass: 1.0,
            ..Default::default()
        })
        .collect();
    kernel!("bodies", bodies(200, 50, &mut line));

    let mut word: Vec<u32> = (0..256).collect();
    kernel!("mixing", mixing(256, 20, &mut word));

    let mut samples: Vec<i32> = (0..16_384).map(|i| i * 37 % 256).collect();
    kernel!("wavelet", wavelet(16_384, &mut samples));

    let change: Vec<f64> = (0..64).map(|i| f64::from(i % 5)).collect();
    let seen: Vec<f64> = (0..3200).map(|i| f64::from(i % 7)).collect();
    let mut best = vec![0.0; 3200];
    kernel!("viterbi", viterbi(400, &change, &seen, &mut best));

    let mut u = vec![1.0; 64 * 64];
    kernel!("seidel", seidel(64, 10, &mut u));

    let mut x = vec![1.0; 16];
    kernel!("small", small(16, &mut x));
}

/// Measures a kernel.
#[macro_export]
macro_rules! kernel {
    ($name:literal, $kernel:ident($($argument:expr),*)) => {
        print($name, |by| {
            match by {
                // Sizes that the compiler knows would make another function.
                By::Function => kernels::$kernel($(black_box($argument)),*),
                By::Exactly(processors) => kernels::$kernel::with().exactly(processors).run($($argument),*)?,
                By::Parallel => kernels::$kernel::parallel($($argument),*),
            }
            Ok(())
        })
    };
}

/// Prints the row of a kernel.
fn print(name: &str, call: impl FnMut(By) -> Result<(), RunError>) {
    match row(call) {
        Ok(row) => println!("{name:12} {row}"),
        Err(error) => println!("{name:12} {error}"),
    }
}

fn row(mut call: impl FnMut(By) -> Result<(), RunError>) -> Result<String, RunError> {
    let mut forms = [0; 3];
    let mut time = |by, calls| -> Result<Duration, RunError> {
        let start = Instant::now();
        for _ in 0..calls {
            call(by)?;
            if let By::Parallel = by {
                forms[last_run().map_or(0, |ran| ran.processors)] += 1;
            }
        }
        Ok(start.elapsed())
    };
    time(By::Parallel, BEFORE)?;
    let mut blocks = [const { Vec::new() }; 2];
    for _ in 0..MEASURED / BLOCK {
        // The data comes back into the cache before the clock runs.
        time(By::Function, 2)?;
        blocks[0].push(micros(time(By::Function, BLOCK)?, BLOCK));
        blocks[1].push(micros(time(By::Parallel, BLOCK)?, BLOCK));
    }
    let mut exactly = |processors| {
        time(By::Exactly(processors), 20)?;
        let mut least = Duration::MAX;
        for _ in 0..10 {
            least = least.min(time(By::Exactly(processors), 100)?);
        }
        Ok::<_, RunError>(micros(least, 100))
    };
    let programs = [exactly(1)?, exactly(2)?];
    let mean = |blocks: &[f64]| blocks.iter().sum::<f64>() / blocks.len() as f64;
    let [function, parallel] = [mean(&blocks[0]), mean(&blocks[1])];
    let beyond = 1e3 * (parallel - 1.03 * function);
    let mut ratios: Vec<f64> = blocks[1]
        .iter()
        .zip(&blocks[0])
        .map(|(a, b)| a / b)
        .collect();
    ratios.sort_unstable_by(f64::total_cmp);
    Ok(format!(
        "{:8.2} us {:8.2} us {:8.2} us {:8.3} {beyond:+8.0} ns {:8.3}   {forms:?}",
        blocks[0].iter().copied().fold(f64::INFINITY, f64::min),
        programs[0],
        programs[1],
        parallel / function,
        ratios[ratios.len() / 2],
    ))
}

fn micros(time: Duration, calls: usize) -> f64 {
    time.as_secs_f64() * 1e6 / calls as f64
}

#[cfg(test)]
mod tests {
    use superstep::{Reason, last_reason};

    use super::*;

    /// The fourth call measures the function, whatever the first three took.
    #[test]
    fn calls_in_every_form_give_the_same_bits_and_say_what_ran() -> Result<(), RunError> {
        let start: Vec<i32> = (0..16_384).map(|i| i * 37 % 256).collect();
        let mut wanted = start.clone();
        kernels::wavelet(16_384, &mut wanted);
        let plan = kernels::wavelet::prepare(16_384).expect("it was built");
        type Run<'r> = &'r dyn Fn(&mut [i32]) -> Result<(), RunError>;
        let called: Run<'_> = &|x| kernels::wavelet::try_parallel(16_384, x);
        let prepared: Run<'_> = &|x| plan.run(x);
        for run in [called, prepared] {
            let mut reasons = Vec::new();
            for _ in 0..20 {
                let mut x = start.clone();
                run(&mut x)?;
                assert_eq!(x, wanted);
                assert_eq!(
                    last_run().is_none(),
                    last_reason() == Some(Reason::AsWritten)
                );
                reasons.push(last_reason());
            }
            assert_eq!(reasons[..4], [None, None, None, Some(Reason::AsWritten)]);
        }
        Ok(())
    }
}
