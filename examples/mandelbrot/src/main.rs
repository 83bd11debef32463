//! Computes the Mandelbrot set by a farm, by rayon and by a static split, and predicts the time from a sample of the pixels.

use std::process::ExitCode;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use rayon::prelude::*;
use superstep::farm;
use superstep_example_mandelbrot::Picture;

const WORKERS: usize = 2;

fn main() -> ExitCode {
    let picture = Picture { side: 1024 };
    let pixels: Arc<[u32]> = picture.pixels().into();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(WORKERS).build();
    let pool = pool.expect("threads");

    let (sequential, expected) = timed(|| pixels.iter().map(|&pixel| picture.iterations(pixel)).collect());
    println!("{} pixels, one after another: {:.1} ms", pixels.len(), milliseconds(sequential));
    let mut identical = true;
    let mut compare = |name: &str, (time, found): (Duration, Vec<u32>)| {
        let same = found == expected;
        identical &= same;
        println!("{name}: {:.1} ms, identical: {}", milliseconds(time), if same { "yes" } else { "no" });
    };
    compare("static split, 2 threads", timed(|| split(picture, &pixels)));
    compare("rayon, 2 threads", timed(|| {
        pool.install(|| pixels.par_iter().map(|&pixel| picture.iterations(pixel)).collect())
    }));
    let farm = || farm::map(Arc::clone(&pixels), move |&pixel| picture.iterations(pixel)).workers(WORKERS);
    compare("farm, 2 workers", timed(|| farm().run().expect("no pixel panics")));
    if identical { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Gives each thread as many neighbouring rows.
fn split(picture: Picture, pixels: &[u32]) -> Vec<u32> {
    let parts = pixels.chunks(pixels.len().div_ceil(WORKERS));
    thread::scope(|scope| {
        let part = |part: &[u32]| part.iter().map(|&pixel| picture.iterations(pixel)).collect::<Vec<_>>();
        let threads: Vec<_> = parts.map(|pixels| scope.spawn(move || part(pixels))).collect();
        threads.into_iter().flat_map(|thread| thread.join().expect("no pixel panics")).collect()
    })
}

fn timed<R>(run: impl FnOnce() -> R) -> (Duration, R) {
    let start = Instant::now();
    let result = run();
    (start.elapsed(), result)
}

fn milliseconds(time: Duration) -> f64 {
    1e3 * time.as_secs_f64()
}
