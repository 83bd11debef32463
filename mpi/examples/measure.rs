//! Measures two ranks beside two threads, and sums in fixed order beside `MPI_Allreduce`: prints
//! ratios of medians of forms that are taken in turn.
//!
//! `cargo build -p superstep-mpi -p superstep-mpi-kernels --features
//! superstep-mpi/mpi,superstep-mpi-kernels/large --example measure`, and then `mpirun -n 2
//! --bind-to none target/debug/examples/measure`.

use std::error::Error;
use std::time::{Duration, Instant};

use mpi::collective::SystemOperation;
use mpi::topology::SimpleCommunicator;
use mpi::traits::CommunicatorCollectives as _;
use superstep::ranks::{Communicator, Distributed, Inputs, Over, Results};
use superstep_mpi::Mpi;
use superstep_mpi_kernels::{jacobi, lu};

/// Words of the sums: in caches, and beyond them.
const WORDS: [usize; 2] = [1_000_000, 32_000_000];

/// Words that all rounds of a sum add up together.
const ALL: usize = 200_000_000;

/// Result of a form.
type Done = Result<(), Box<dyn Error>>;

fn main() -> Done {
    let mut ranks = Mpi::world()?;
    let world = SimpleCommunicator::world();
    if ranks.size() != 2 {
        return Err("two ranks are measured".into());
    }
    for words in WORDS {
        sums(words, &mut ranks, &world)?;
    }
    let n = 256;
    let a: Vec<f64> = (0..n * n)
        .map(|e| {
            if e % (n + 1) == 0 {
                999.0
            } else {
                (e % 10) as f64
            }
        })
        .collect();
    let lu = lu::lu::with().exactly(2).private_memory(true).prepare(n)?;
    kernel("LU 256", &mut ranks, &world, &a, |over, a| match over {
        Some(over) => Ok(lu.run_over(over, a)?),
        None => Ok(lu.run(a)?),
    })?;
    let (n, rounds) = (512, 5);
    let u: Vec<f64> = (0..n * n).map(|e| (e % 97) as f64).collect();
    let jacobi = jacobi::jacobi::with().exactly(2).private_memory(true);
    let jacobi = jacobi.prepare(n, rounds)?;
    let mut v = u.clone();
    kernel("Jacobi 512", &mut ranks, &world, &u, |over, u| match over {
        Some(over) => Ok(jacobi.run_over(over, u, &mut v)?),
        None => Ok(jacobi.run(u, &mut v)?),
    })
}

/// Median of times.
fn median(mut times: Vec<Duration>) -> f64 {
    times.sort_unstable();
    times[times.len() / 2].as_secs_f64() * 1e6
}

fn sums(words: usize, ranks: &mut Mpi, world: &SimpleCommunicator) -> Done {
    let half = words / 2;
    let start = half * ranks.rank();
    let own: Vec<f64> = (start..start + half)
        .map(|i| 1.0 / (i + 1) as f64)
        .collect();
    let x = Distributed::new(ranks, own)?;
    let (mut fixed, mut plain) = (Vec::new(), Vec::new());
    let mut sink = 0.0;
    for _ in 0..(ALL / words).max(11) {
        world.barrier();
        let begin = Instant::now();
        sink += x.sum(ranks)?.unwrap_or(0.0);
        fixed.push(begin.elapsed());
        world.barrier();
        let begin = Instant::now();
        let mut lanes = [0.0; 8];
        let (eights, _) = x.own().as_chunks::<8>();
        for eight in eights {
            lanes
                .iter_mut()
                .zip(eight)
                .for_each(|(lane, word)| *lane += word);
        }
        let (local, mut sum): (f64, f64) = (lanes.iter().sum(), 0.0);
        world.all_reduce_into(&local, &mut sum, SystemOperation::sum());
        sink += sum;
        plain.push(begin.elapsed());
    }
    let (fixed, plain) = (median(fixed), median(plain));
    if ranks.rank() == 0 {
        println!(
            "sum of {words}: {fixed:.0} us, in lanes and by MPI_Allreduce {plain:.0} us: {:.2} ({sink})",
            fixed / plain
        );
    }
    Ok(())
}

/// Measures a kernel on ranks, with inputs on the first and on each, and on threads of the first.
fn kernel(
    name: &str,
    ranks: &mut Mpi,
    world: &SimpleCommunicator,
    input: &[f64],
    mut run: impl FnMut(Option<Over<'_>>, &mut [f64]) -> Done,
) -> Done {
    let mut times = [const { Vec::new() }; 3];
    for _ in 0..40 {
        for (form, times) in times.iter_mut().enumerate() {
            let mut words = input.to_vec();
            world.barrier();
            let begin = Instant::now();
            match form {
                0 => run(Some(Over::new(ranks)), &mut words)?,
                1 => {
                    let over = Over::new(ranks).inputs(Inputs::Each).results(Results::Own);
                    run(Some(over), &mut words)?;
                }
                _ if ranks.rank() == 0 => run(None, &mut words)?,
                _ => std::thread::sleep(Duration::from_millis(5)),
            }
            times.push(begin.elapsed());
        }
    }
    let [first, each, threads] = times.map(median);
    if ranks.rank() == 0 {
        println!(
            "{name}: {first:.0} us, {each:.0} us where inputs are; two threads {threads:.0} us: {:.2}, {:.2}",
            first / threads,
            each / threads
        );
    }
    Ok(())
}
