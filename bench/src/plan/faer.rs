//! Triangular solves by faer.

use faer::sparse::linalg::triangular_solve::{
    solve_lower_triangular_in_place, solve_lower_triangular_transpose_in_place,
};
use faer::sparse::{SparseColMat, SymbolicSparseColMat};
use faer::{ColMut, Conj, Par};
use superstep_matrix::Compressed;
use superstep_sparse::{Kernel, Problem, Run};

/// Returns the run of a peer that solves a problem; none if its kernel is no triangular solve.
///
/// The columns that faer takes are made of the rows once.
pub(super) fn solve(problem: &Problem) -> Option<Box<Run<'_>>> {
    let lower = || columns(problem.matrix());
    match problem.kernel() {
        Kernel::Sptrsv => {
            let lower = lower();
            Some(Box::new(move |x| {
                x.copy_from_slice(problem.right_hand_side());
                let x = ColMut::from_slice_mut(x).as_mat_mut();
                solve_lower_triangular_in_place(lower.as_ref(), Conj::No, x, Par::Seq);
                Ok(())
            }))
        }
        Kernel::Backward => {
            let lower = lower();
            Some(Box::new(move |x| {
                let x = ColMut::from_slice_mut(x).as_mat_mut();
                solve_lower_triangular_transpose_in_place(lower.as_ref(), Conj::No, x, Par::Seq);
                Ok(())
            }))
        }
        Kernel::Sptrsm | Kernel::Ilu0 | Kernel::Ic0 | Kernel::Symgs | Kernel::Lu => None,
    }
}

/// Turns the rows of a matrix into columns: those of a lower triangle begin with the diagonal, as
/// faer needs it.
fn columns(rows: &Compressed<f64>) -> SparseColMat<usize, f64> {
    let columns = rows.transposed();
    let (lines, across) = (columns.lines(), columns.across);
    let pattern =
        SymbolicSparseColMat::new_checked(across, lines, columns.starts, None, columns.indices);
    SparseColMat::new(pattern, columns.values)
}

#[cfg(test)]
mod tests {
    use superstep_sparse::grids;

    use super::*;

    #[test]
    fn solutions_are_those_of_the_functions() {
        for matrix in [
            grids::five_point(30),
            grids::band(600, 8, 1),
            grids::random(300, 8, 1),
        ] {
            for kernel in [Kernel::Sptrsv, Kernel::Backward] {
                let problem = Problem::new(kernel, &matrix, 0).unwrap();
                let [mut expected, mut found] = [(); 2].map(|()| problem.start().to_vec());
                problem.written(&mut expected);
                solve(&problem).unwrap()(&mut found).unwrap();
                let most = expected.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
                for (found, expected) in found.iter().zip(&expected) {
                    assert!((found - expected).abs() <= 1e-10 * most);
                }
            }
        }
    }
}
