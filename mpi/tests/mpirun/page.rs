//! The program that `docs/RANKS.md` shows, which has to compile and run.

use superstep::ranks::{Communicator, Distributed, Over};
use superstep_mpi::Mpi;
use superstep_mpi_kernels::lu::lu;

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    let mut ranks = Mpi::world()?; // initialises MPI, unless you have done so
    let n = 40;

    // A kernel: rank r runs processor r of the program for as many processors as there are ranks.
    let program = lu::with()
        .exactly(ranks.size())
        .private_memory(true)
        .prepare(n)?;
    let mut a = Vec::new(); // the first rank has the matrix, and gets the factors
    if ranks.rank() == 0 {
        a = (0..n * n)
            .map(|e| {
                if e % (n + 1) == 0 {
                    99.0
                } else {
                    (e % 10) as f64
                }
            })
            .collect();
    }
    let mut sequential = a.clone();
    program.run_over(Over::new(&mut ranks), &mut a)?;

    // The same without a whole matrix on any rank: each makes the words that its tasks read.
    let mut part = program.part(&mut ranks)?;
    part.fill_a(|e| {
        if e % (n + 1) == 0 {
            99.0
        } else {
            (e % 10) as f64
        }
    });
    part.run(&mut ranks)?;
    let diagonal = part.results_a().filter(|(e, _)| e % (n + 1) == 0);
    let largest = diagonal.fold(0.0, |most: f64, (_, word)| most.max(word));

    // A sum: each rank has some words, and all get the norm of all.
    let own = vec![0.1; 1000 * ranks.rank() + 1];
    let norm = Distributed::new(&mut ranks, own)?.norm(&mut ranks)?;

    if ranks.rank() == 0 {
        lu(n, &mut sequential);
        assert_eq!(sequential, a); // bit for bit
        println!("norm {norm}, largest pivot of rank 0: {largest}");
    }
    Ok(())
}
