//! The program of `docs/RANKS.md`.

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

    // A sum: each rank has some words, and all get the norm of all.
    let own = vec![0.1; 1000 * ranks.rank() + 1];
    let norm = Distributed::new(&mut ranks, own)?.norm(&mut ranks)?;

    if ranks.rank() == 0 {
        lu(n, &mut sequential);
        assert_eq!(sequential, a); // bit for bit
        println!("norm {norm}");
    }
    Ok(())
}
