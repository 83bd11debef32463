//! Problems of the ablation that are run: plans on two threads, timed beside those that are made
//! with all numbers as they are.

use std::cell::OnceCell;
use std::time::Instant;

use superstep_sparse::{Effort, Kernel, Planned, Problem as Pattern, beside};

use super::{Options, Problem, Solved, Take};
use crate::plan::{Failure, Sizes, generated, of_folder};

/// Processors of plans: as many as have cores of their own wherever this is run. Not tuned.
const PROCESSORS: usize = 2;

/// Kernels, with the names of their classes: of matrices, and of grids.
const KERNELS: [(Kernel, [&str; 2]); 3] = [
    (Kernel::Sptrsv, ["solves: matrices", "solves: grids"]),
    (Kernel::Symgs, ["sweeps: matrices", "sweeps: grids"]),
    (Kernel::Ilu0, ["factors: matrices", "factors: grids"]),
];

/// Times of a pair of plans: each form runs for so many seconds in all, and in five rounds at
/// least. Not tuned: some thousand pairs take minutes so.
const EFFORT: Effort = Effort {
    seconds: 0.1,
    rounds: 5,
};

/// Hands on all problems: the kernels on matrices of a folder, and on generated ones. Those larger
/// than the options say are left out.
pub(super) fn all(options: &Options, sizes: &Sizes, take: &mut Take<'_>) -> Result<(), Failure> {
    let folder = of_folder(options.folder.as_deref())?;
    for (kind, matrices) in [folder, generated(sizes)].into_iter().enumerate() {
        for (name, matrix) in matrices {
            let matrix = matrix()?;
            // Planning takes a thousandth of the time of a search.
            if matrix.lines() + matrix.indices.len() > 5 * options.largest {
                continue;
            }
            for (kernel, classes) in KERNELS {
                // No factors are filled. Oblong matrices have no such kernel.
                if let Ok(pattern) = Pattern::new(kernel, &matrix, 0) {
                    each(classes[kind], &name, &pattern, take)?;
                }
            }
        }
    }
    Ok(())
}

/// Hands on one problem, whose cost is a ratio: the geometric mean of those in place and loaded, to
/// the first plan that is made. A plan whose report is equal is not run, and has 1.
fn each(
    class: &'static str,
    name: &str,
    pattern: &Pattern,
    take: &mut Take<'_>,
) -> Result<(), Failure> {
    let first: OnceCell<Planned<'_>> = OnceCell::new();
    let solve = || -> Result<Option<Solved>, Failure> {
        let start = Instant::now();
        let plan = pattern.plan(PROCESSORS)?;
        let seconds = start.elapsed().as_secs_f64();
        let cost = match first.get() {
            Some(first) if first.report() != plan.report() => {
                let [in_place, loaded] = beside(pattern, [first, &plan], EFFORT)?;
                (in_place * loaded).sqrt()
            }
            _ => 1.0,
        };
        first.get_or_init(|| plan);
        Ok(Some(Solved { cost, seconds }))
    };
    take(Problem {
        class,
        graph: name,
        solve: &solve,
    })
}
