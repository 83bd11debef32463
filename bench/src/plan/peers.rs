//! Other ways to compute what planned kernels compute.

use superstep::plan::{PlanningError, Schedule};
use superstep_sparse::{Kernel, Peer, Problem};

use super::PARALLEL;
use crate::sptrsv::ByLevels;

/// Supersteps grown greedily, which the planner has among others.
pub(super) const GROW_LOCAL: &str = "grow-local";

/// Rayon over the rows of each level, which are renumbered to lie side by side; its threads are as
/// many as there are cores. Levels are halved no further than into one part for each of them.
/// Matrices that are not [`PARALLEL`] do without: they would fork and join for every row or two,
/// which takes minutes.
pub(super) const LEVELS: &str = "levels";

/// Returns the peers for a problem.
pub(super) fn of(problem: &Problem, processors: usize) -> Result<Vec<Peer<'_>>, PlanningError> {
    let plan = problem.plan_in(Schedule::GrowLocal, processors)?;
    let mut peers = vec![Peer {
        name: GROW_LOCAL,
        run: Box::new(move |x| plan.run(x)),
    }];
    if problem.kernel() == Kernel::Sptrsv {
        let matrix = problem.matrix();
        let levels = ByLevels::new(&matrix.starts, &matrix.indices, &matrix.values);
        let mut renumbered = vec![0.0; matrix.lines()];
        if levels.width() >= PARALLEL {
            peers.push(Peer {
                name: LEVELS,
                run: Box::new(move |x| {
                    levels.solve(usize::MAX, problem.right_hand_side(), x, &mut renumbered);
                    Ok(())
                }),
            });
        }
    }
    Ok(peers)
}
