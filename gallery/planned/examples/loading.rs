//! Prints what plan files of triangular solves take:
//! `cargo run --release -p superstep-planned --example loading`.
//!
//! Times are the least of several, in solves of the function on one thread. The time of `open` has
//! the hash of the pattern and the proof in it.

use std::error::Error;
use std::fs;
use std::hint::black_box;
use std::time::{Duration, Instant};

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use superstep_planned::kernels::forward;

/// A lower triangular pattern in compressed rows; the diagonal is last in its row.
#[derive(Default)]
struct Lower {
    row: Vec<usize>,
    col: Vec<u32>,
}

impl Lower {
    fn new(n: usize, mut below: impl FnMut(usize, &mut Vec<u32>)) -> Self {
        let mut lower = Self::default();
        for i in 0..n {
            lower.row.push(lower.col.len());
            below(i, &mut lower.col);
            lower.col.push(i as u32);
        }
        lower.row.push(lower.col.len());
        lower
    }

    fn grid(sides: &[usize]) -> Self {
        let n = sides.iter().product();
        Self::new(n, |i, col| {
            let mut stride = n;
            for &side in sides {
                stride /= side;
                col.extend((i / stride % side > 0).then(|| (i - stride) as u32));
            }
        })
    }

    fn random(n: usize, entries: usize) -> Self {
        let mut random = Pcg64Mcg::seed_from_u64(1);
        Self::new(n, |i, col| {
            let first = col.len();
            for _ in 0..entries {
                let j = random.random_range(0..n);
                col.extend((j < i).then_some(j as u32));
            }
            col[first..].sort_unstable();
        })
    }
}

fn least(times: u32, mut run: impl FnMut()) -> Duration {
    let time = |_| {
        let start = Instant::now();
        run();
        start.elapsed()
    };
    (0..times).map(time).min().unwrap_or_default()
}

fn print(name: &str, lower: &Lower) -> Result<(), Box<dyn Error>> {
    let (n, row, col) = (lower.row.len() - 1, &lower.row, &lower.col);
    let values = vec![1.5; col.len()];
    let mut x = vec![1.0; n];
    let solve = least(9, || forward(n, row, col, &values, black_box(&mut x)));
    let planner = forward::plan(n, row, col).processors(2);
    let mut build = Duration::MAX;
    let mut plan = planner.build()?;
    for _ in 0..4 {
        let start = Instant::now();
        plan = planner.build()?;
        build = build.min(start.elapsed());
    }
    let path = std::env::temp_dir().join("superstep-loading.plan");
    let save = least(5, || drop(plan.save(&path)));
    let bytes = fs::metadata(&path)?.len();
    let open = least(5, || drop(black_box(planner.open(&path))));
    let solves = |time: Duration| time.as_secs_f64() / solve.as_secs_f64();
    println!(
        "{name:<16} {n:>8} {:>9} {:>8} {:>6.2} {:>12.3?} {:>6.1} {:>6.1} {:>6.1}  {}",
        col.len(),
        plan.report().grains,
        bytes as f64 / f64::from(plan.report().grains),
        solve,
        solves(build),
        solves(save),
        solves(open),
        plan.report().chosen().algorithm,
    );
    Ok(fs::remove_file(&path)?)
}

fn main() -> Result<(), Box<dyn Error>> {
    println!(
        "pattern              rows   entries   grains bytes/grain    solve  build   save   open  chosen"
    );
    print("grid 1000^2", &Lower::grid(&[1000, 1000]))?;
    print("grid 100^3", &Lower::grid(&[100, 100, 100]))?;
    print("random 10^5, 8", &Lower::random(100_000, 8))?;
    let half_full = |half: usize| {
        Lower::new(1_000_000, move |i, col| {
            let band = i.saturating_sub(half)..i;
            col.extend(
                band.filter(|j| (i * 7919 + j * 104_729) % 5 < 2)
                    .map(|j| j as u32),
            );
        })
    };
    print("band 10^6, 8", &half_full(8))?;
    print("band 10^6, 32", &half_full(32))
}
