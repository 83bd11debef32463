//! Sums in fixed order, beside one in eight lanes whose parts `MPI_Allreduce` adds.

use std::hint::black_box;

use mpi::collective::SystemOperation;
use mpi::traits::CommunicatorCollectives as _;
use superstep::ranks::Distributed;
use superstep_timing::Rounds;

use super::{Done, Ranks};

/// Measures sums of so many words, of which each rank has an equal part.
pub(crate) fn measure(words: usize, rounds: usize, ranks: &Ranks) -> Done {
    let part = words / ranks.size();
    let start = part * ranks.rank();
    let own = (start..start + part).map(|i| 1.0 / (i + 1) as f64);
    let x = Distributed::new(&mut *ranks.ranks.borrow_mut(), own.collect::<Vec<f64>>())?;
    let mut times = Rounds::new(2);
    for _ in 0..rounds {
        let fixed = ranks.together(|| {
            black_box(x.sum(&mut *ranks.ranks.borrow_mut())?);
            Ok(())
        })?;
        let plain = ranks.together(|| {
            black_box(by_hand(x.own(), ranks));
            Ok(())
        })?;
        times.push(0, fixed.as_secs_f64());
        times.push(1, plain.as_secs_f64());
    }
    if ranks.is_first() {
        println!(
            "sum of {words}: {:.1} us, in lanes and by MPI_Allreduce {:.1} us: {:.2}",
            1e6 * times.median(0),
            1e6 * times.median(1),
            times.ratio(0, 1)
        );
    }
    Ok(())
}

fn by_hand(own: &[f64], ranks: &Ranks) -> f64 {
    let mut lanes = [0.0; 8];
    let (eights, rest) = own.as_chunks::<8>();
    for eight in eights {
        let pairs = lanes.iter_mut().zip(eight);
        pairs.for_each(|(lane, word)| *lane += word);
    }
    let (local, mut sum) = (lanes.iter().chain(rest).sum::<f64>(), 0.0);
    let world = &ranks.world;
    world.all_reduce_into(&local, &mut sum, SystemOperation::sum());
    sum
}
