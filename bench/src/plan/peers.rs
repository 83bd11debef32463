//! Other ways to compute what planned kernels compute.

use rayon::ThreadPoolBuilder;
use superstep::plan::Schedule;
use superstep_matrix::Compressed;
use superstep_sparse::{Kernel, Peer, Problem};

use super::{Failure, PARALLEL};
use crate::sptrsv::{ByLevels, WIDE};

/// Names of the peers, in the order of their columns.
pub(super) const NAMES: &[&str] = &[
    GROW_LOCAL,
    LEVELS,
    #[cfg(feature = "faer")]
    FAER,
    #[cfg(feature = "klu")]
    KLU,
    #[cfg(feature = "osp")]
    super::osp::NAMES[0],
    #[cfg(feature = "osp")]
    super::osp::NAMES[1],
    #[cfg(feature = "osp")]
    super::osp::NAMES[2],
];

/// GrowLocal alone, one of the planner's schedulers: it grows supersteps greedily.
const GROW_LOCAL: &str = "grow-local";

/// Rayon over the rows of each level, which are renumbered to lie side by side. Its pool has as
/// many threads as plans have processors. A solve enters it once, and halves each level that is
/// [wide](WIDE), as long as both halves are a thread's share. Matrices that are not [`PARALLEL`] do
/// without.
const LEVELS: &str = "rayon, levels";

/// Triangular solves by faer, sequential and by columns. It solves in place: forward solves first
/// copy the right-hand side, and the copy is timed.
#[cfg(feature = "faer")]
const FAER: &str = "faer";

/// Refactorisation by KLU, of the matrix without this project's ordering and fill-in: KLU orders
/// and blocks it itself. It scales no rows, as the function does not. Its results are not compared
/// with the function's.
#[cfg(feature = "klu")]
const KLU: &str = "KLU";

/// Returns the peers for a problem, which was made of `matrix`.
#[cfg_attr(not(feature = "klu"), expect(unused_variables, reason = "for KLU"))]
pub(super) fn of<'p>(
    problem: &'p Problem,
    matrix: &Compressed<f64>,
    processors: usize,
) -> Result<Vec<Peer<'p>>, Failure> {
    let plan = problem.plan_in(Schedule::GrowLocal, processors)?;
    let mut peers = vec![Peer {
        name: GROW_LOCAL,
        same_order: true,
        run: Box::new(move |x| plan.run(x)),
    }];
    if problem.kernel() == Kernel::Sptrsv {
        let matrix = problem.matrix();
        let levels = ByLevels::new(&matrix.starts, &matrix.indices, &matrix.values);
        let mut renumbered = vec![0.0; matrix.lines()];
        if levels.width() >= PARALLEL {
            let pool = ThreadPoolBuilder::new().num_threads(processors).build()?;
            peers.push(Peer {
                name: LEVELS,
                same_order: true,
                run: Box::new(move |x| {
                    let b = problem.right_hand_side();
                    pool.install(|| levels.solve([WIDE, usize::MAX], b, x, &mut renumbered));
                    Ok(())
                }),
            });
        }
    }
    #[cfg(feature = "faer")]
    peers.extend(super::faer::solve(problem).map(|run| Peer {
        name: FAER,
        same_order: false,
        run,
    }));
    #[cfg(feature = "klu")]
    if problem.kernel() == Kernel::Lu {
        let unfilled = Problem::new(Kernel::Ilu0, matrix, 0)?;
        let mut factors = super::klu::Factors::new(unfilled.matrix())?;
        peers.push(Peer {
            name: KLU,
            same_order: false,
            run: Box::new(move |_| {
                let refactored = factors.refactor();
                refactored.expect("the same values were factored before");
                Ok(())
            }),
        });
    }
    #[cfg(feature = "osp")]
    if problem.kernel() == Kernel::Sptrsv {
        peers.extend(super::osp::peers(problem, processors)?);
    }
    Ok(peers)
}
