//! Measures ranks beside threads, beside programs over MPI by hand, and sums in fixed order beside
//! `MPI_Allreduce`: `superstep-bench mpi` starts it.
//!
//! Prints medians and ratios of forms that are taken in turn, and what was predicted. With
//! `--small` it takes the sizes of tests.

mod measured;

use measured::{Done, Sizes};

fn main() -> Done {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let sizes = match &arguments[..] {
        [] => Sizes::LARGE,
        [only] if only == "--small" => Sizes::SMALL,
        _ => return Err("the only argument is `--small`".into()),
    };
    measured::run(&sizes)
}
