//! Sums and dot products in fixed order beside rayon's, whose bits depend on the run.

use std::hint::black_box;
use std::sync::Arc;

use clap::Args;
use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder, prelude::*};
use serde::Serialize;
use superstep::RunError;
use superstep::reduce::{self, Tree};

use superstep_timing::{Rounds, timed};

/// Numbers of processors, ours and rayon's. The last is more than this project's usual machine has
/// cores.
const PROCESSORS: [usize; 2] = [2, 4];

/// Times of one reduction on one number of processors.
#[derive(Debug, Serialize)]
struct Standing {
    /// Name of the reduction.
    reduction: String,
    /// Number of processors, and of threads of rayon's.
    processors: usize,
    /// Number of processors that the tree uses.
    active: usize,
    /// Median time of `iter().sum()`, in seconds.
    sequential_seconds: f64,
    /// Median time of `par_iter().sum()`, in seconds.
    rayon_seconds: f64,
    /// Median time of the sum of the sums of `par_chunks`, in seconds.
    rayon_chunks_seconds: f64,
    /// Median over the rounds of the time in fixed order divided by rayon's in the same round. Of
    /// rayon's forms it is the one with the smaller median.
    fixed_to_rayon: f64,
    /// Median ratio in free order.
    free_to_rayon: f64,
    /// Median ratio in fixed order where a function gives each operand by its index.
    indexed_to_rayon: f64,
}

/// Compare reductions in fixed and in free order with rayon's
#[derive(Args)]
pub(crate) struct Options {
    /// Rounds for each reduction
    #[arg(long, default_value_t = 101, value_parser = clap::value_parser!(u16).range(1..))]
    rounds: u16,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Runs all reductions and prints the table.
pub(crate) fn run(options: &Options) -> Result<(), Box<dyn std::error::Error>> {
    let standings = standings(options.rounds.into())?;
    if options.json {
        println!("{}", serde_json::to_string_pretty(&standings)?);
    } else {
        print(&standings, options.rounds);
    }
    Ok(())
}

/// Measures all reductions on each number of processors.
fn standings(rounds: usize) -> Result<Vec<Standing>, ThreadPoolBuildError> {
    let mut standings = Vec::new();
    for processors in PROCESSORS {
        let pool = ThreadPoolBuilder::new().num_threads(processors).build()?;
        for (kind, n) in [
            (Kind::Sum, 1_000_000),
            (Kind::Dot, 1_000_000),
            (Kind::Dot, 4096),
        ] {
            let name = format!("reduce: {} of {n} doubles", kind.name());
            let contest = Contest::new(kind, n, processors);
            standings.push(pool.install(|| contest.run(name, &pool, rounds)));
        }
    }
    Ok(standings)
}

fn print(standings: &[Standing], rounds: u16) {
    println!(
        "Reductions: medians of {rounds} interleaved rounds; the fixed order has the same bits for 1 to 16 processors, which rayon's has not.\n"
    );
    println!(
        "| reduction | P (used) | sequential, us | rayon, us: par_iter, par_chunks | fixed order / faster rayon | free order / rayon | fixed order, by index / rayon |"
    );
    println!("|---|---|---|---|---|---|---|");
    for standing in standings {
        println!(
            "| {} | {} ({}) | {:.1} | {:.1}, {:.1} | {:.2} | {:.2} | {:.2} |",
            standing.reduction,
            standing.processors,
            standing.active,
            1e6 * standing.sequential_seconds,
            1e6 * standing.rayon_seconds,
            1e6 * standing.rayon_chunks_seconds,
            standing.fixed_to_rayon,
            standing.free_to_rayon,
            standing.indexed_to_rayon,
        );
    }
}

#[derive(Clone, Copy)]
enum Kind {
    Sum,
    Dot,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Self::Sum => "sum",
            Self::Dot => "dot product",
        }
    }
}

struct Contest {
    kind: Kind,
    x: Arc<[f64]>,
    y: Arc<[f64]>,
    fixed: Tree,
    free: Tree,
}

impl Contest {
    fn new(kind: Kind, n: usize, processors: usize) -> Self {
        let values = |seed: usize| (0..n).map(move |i| ((i * 7919 + seed) % 10_007) as f64 / 97.0);
        Self {
            kind,
            x: values(1).collect(),
            y: values(2).collect(),
            fixed: Tree::fixed(n, processors),
            free: Tree::free(n, processors),
        }
    }

    fn sequential(&self) -> f64 {
        match self.kind {
            Kind::Sum => self.x.iter().sum(),
            Kind::Dot => self.x.iter().zip(&*self.y).map(|(x, y)| x * y).sum(),
        }
    }

    fn rayon(&self) -> f64 {
        match self.kind {
            Kind::Sum => self.x.par_iter().sum(),
            Kind::Dot => self.x.par_iter().zip(&*self.y).map(|(x, y)| x * y).sum(),
        }
    }

    /// Reduces eight chunks for each thread, each sequentially, and adds up their results.
    fn rayon_chunks(&self) -> f64 {
        let length = self.x.len().div_ceil(8 * rayon::current_num_threads());
        let x = self.x.par_chunks(length);
        match self.kind {
            Kind::Sum => x.map(|x| x.iter().sum::<f64>()).sum(),
            Kind::Dot => {
                let dot =
                    |(x, y): (&[f64], &[f64])| x.iter().zip(y).map(|(x, y)| x * y).sum::<f64>();
                x.zip(self.y.par_chunks(length)).map(dot).sum()
            }
        }
    }

    fn ours(&self, tree: &Tree) -> f64 {
        value(match self.kind {
            Kind::Sum => reduce::sum(tree, &self.x),
            Kind::Dot => reduce::dot(tree, &self.x, &self.y),
        })
    }

    fn indexed(&self, tree: &Tree) -> f64 {
        let x = Arc::clone(&self.x);
        value(match self.kind {
            Kind::Sum => reduce::reduce(tree, move |i| x[i], |a, b| a + b),
            Kind::Dot => {
                let y = Arc::clone(&self.y);
                reduce::reduce(tree, move |i| x[i] * y[i], |a, b| a + b)
            }
        })
    }

    /// Times all forms, one after the other in each round, and checks their results.
    ///
    /// # Panics
    /// If the fixed order has other bits on another number of processors, or a result is wrong.
    fn run(&self, reduction: String, pool: &ThreadPool, rounds: usize) -> Standing {
        let wanted = self.ours(&self.fixed);
        for processors in 1..=16 {
            let found = self.ours(&Tree::fixed(self.x.len(), processors));
            assert_eq!(
                found.to_bits(),
                wanted.to_bits(),
                "{reduction}, P = {processors}"
            );
        }
        let forms: [&dyn Fn() -> f64; 6] = [
            &|| self.sequential(),
            &|| self.rayon(),
            &|| self.rayon_chunks(),
            &|| self.ours(&self.fixed),
            &|| self.ours(&self.free),
            &|| self.indexed(&self.fixed),
        ];
        let mut seconds = Rounds::new(forms.len());
        for _ in 0..rounds {
            for (at, form) in forms.into_iter().enumerate() {
                // The other forms' threads have gone to sleep when this one has run once.
                let first = black_box(form());
                let (time, result) = timed(|| black_box(form()));
                seconds.push(at, time.as_secs_f64());
                let right = |result: f64| (result / wanted - 1.0).abs() < 1e-9;
                assert!(right(first) && right(result), "{reduction}: {result}");
            }
        }
        let [sequential, iter, chunks, fixed, free, indexed] = [0, 1, 2, 3, 4, 5];
        let is_iter = seconds.median(iter) <= seconds.median(chunks);
        let rayon = if is_iter { iter } else { chunks };
        Standing {
            reduction,
            processors: pool.current_num_threads(),
            active: self.fixed.active(),
            fixed_to_rayon: seconds.ratio(fixed, rayon),
            free_to_rayon: seconds.ratio(free, rayon),
            indexed_to_rayon: seconds.ratio(indexed, rayon),
            sequential_seconds: seconds.median(sequential),
            rayon_seconds: seconds.median(iter),
            rayon_chunks_seconds: seconds.median(chunks),
        }
    }
}

fn value(result: Result<Option<f64>, RunError>) -> f64 {
    let result = result.expect("a sum does not panic");
    result.expect("there are operands")
}
