//! Computes the Mandelbrot set by a farm, by rayon and by a static split, and predicts the time
//! from a sample of the pixels.

use std::process::ExitCode;
use std::sync::Arc;
use std::thread;
use std::time::Instant;

use rayon::prelude::*;
use superstep::farm::{self, Target};
use superstep_example_mandelbrot::Picture;

/// Workers of the farm, and threads of the others.
const WORKERS: usize = 2;

/// Runs of which the shortest counts.
const RUNS: usize = 3;

fn main() -> ExitCode {
    let picture = Picture { side: 1024 };
    let pixels: Arc<[u32]> = picture.pixels().into();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(WORKERS);
    let pool = pool.build().expect("the system has threads");
    let farm = || {
        let iterations = move |&pixel: &u32| picture.iterations(pixel);
        farm::map(Arc::clone(&pixels), iterations).workers(WORKERS)
    };

    let mut sampled = farm().shape(&picture.shape()).sample(Target::default());
    let start = Instant::now();
    println!("{}", sampled.plan().expect("there is a worker"));
    let mut all = vec![sampled.run().expect("no pixel panics")];
    println!(
        "the farm with its sample: {:.3} s",
        start.elapsed().as_secs_f64()
    );

    all.push(time("one after another", || {
        pixels
            .iter()
            .map(|&pixel| picture.iterations(pixel))
            .collect()
    }));
    all.push(time("static split", || split(picture, &pixels)));
    all.push(time("rayon", || {
        let all = pixels.par_iter().map(|&pixel| picture.iterations(pixel));
        pool.install(|| all.collect())
    }));
    all.push(time("farm", || farm().run().expect("no pixel panics")));

    let identical = all.iter().all(|each| *each == all[0]);
    println!("identical: {}", if identical { "yes" } else { "no" });
    if identical {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// Gives each thread as many neighbouring rows.
fn split(picture: Picture, pixels: &[u32]) -> Vec<u32> {
    let mut iterations = vec![0; pixels.len()];
    let each = pixels.len().div_ceil(WORKERS);
    thread::scope(|scope| {
        for (pixels, iterations) in pixels.chunks(each).zip(iterations.chunks_mut(each)) {
            scope.spawn(move || {
                for (&pixel, found) in pixels.iter().zip(iterations) {
                    *found = picture.iterations(pixel);
                }
            });
        }
    });
    iterations
}

/// Prints the shortest time of several runs.
fn time(name: &str, mut run: impl FnMut() -> Vec<u32>) -> Vec<u32> {
    let mut shortest = f64::INFINITY;
    let mut result = Vec::new();
    for _ in 0..RUNS {
        let start = Instant::now();
        result = run();
        shortest = shortest.min(start.elapsed().as_secs_f64());
    }
    println!("{name}: {shortest:.3} s");
    result
}
