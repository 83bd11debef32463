//! Triangular solves of OneStopParallel, by its GrowLocal (Böhnlein, Papp, Steiner, Matzoros and
//! Yzelman, *Efficient parallel scheduling for sparse triangular solvers*, 2025).
#![expect(unsafe_code, reason = "the library is one of C++")]

use std::ffi::{c_double, c_int, c_uint};
use std::ptr::NonNull;

use superstep_matrix::Compressed;
use superstep_sparse::{Peer, Problem};

use super::Failure;

/// Solve and its schedule: `Osp` of `osp.cpp`.
#[repr(C)]
struct Osp {
    opaque: [u8; 0],
}

unsafe extern "C" {
    fn osp_new(
        n: c_int,
        starts: *const c_int,
        columns: *const c_int,
        values: *const c_double,
        processors: c_uint,
    ) -> Option<NonNull<Osp>>;
    fn osp_permutation(osp: NonNull<Osp>, numbers: *mut usize);
    fn osp_serial(osp: NonNull<Osp>, b: *const c_double, x: *mut c_double);
    fn osp_in_place(osp: NonNull<Osp>, b: *const c_double, x: *mut c_double);
    fn osp_permuted(osp: NonNull<Osp>, b: *const c_double, x: *mut c_double);
    fn osp_free(osp: NonNull<Osp>);
}

/// Forms of a solve.
#[derive(Clone, Copy)]
enum Form {
    /// On one thread, in the order of the rows.
    Serial,
    /// By supersteps, of the caller's rows and vectors.
    InPlace,
    /// By supersteps, of rows and vectors that are in the order of the schedule. No time is taken
    /// for permuting vectors.
    Permuted,
}

/// Names of the forms, in the order of their columns.
pub(super) const NAMES: [&str; 3] = ["OSP, serial", "OSP", "OSP, permuted"];

/// A solve with a right-hand side.
struct Solve {
    osp: NonNull<Osp>,
    form: Form,
    b: Vec<f64>,
    /// Number of each row where vectors are permuted.
    #[cfg(test)]
    numbers: Vec<usize>,
}

impl Solve {
    /// Schedules a solve for the rows of a lower triangle, each with its diagonal last.
    ///
    /// # Errors
    /// If the matrix has 2^31 rows or entries, or more, or the library's schedule is not valid.
    fn new(
        form: Form,
        lower: &Compressed<f64>,
        b: &[f64],
        processors: usize,
    ) -> Result<Self, Failure> {
        let signed = |values: &[usize]| -> Result<Vec<c_int>, _> {
            values.iter().map(|&value| value.try_into()).collect()
        };
        let (starts, columns) = (signed(&lower.starts)?, signed(&lower.indices)?);
        let (n, processors) = (lower.lines(), processors.try_into()?);
        assert_eq!(b.len(), n, "one right-hand side for each row");
        // SAFETY: the rows are those of a lower triangle, which is copied.
        let osp = unsafe {
            osp_new(
                n.try_into()?,
                starts.as_ptr(),
                columns.as_ptr(),
                lower.values.as_ptr(),
                processors,
            )
        };
        let osp = osp.ok_or("OneStopParallel's schedule is not valid")?;
        let mut solve = Self {
            osp,
            form,
            b: b.to_vec(),
            #[cfg(test)]
            numbers: Vec::new(),
        };
        if let Form::Permuted = form {
            let mut numbers = vec![0; n];
            // SAFETY: it is a permutation of `n` rows.
            unsafe { osp_permutation(osp, numbers.as_mut_ptr()) };
            for (&number, &word) in numbers.iter().zip(b) {
                solve.b[number] = word;
            }
            #[cfg(test)]
            {
                solve.numbers = numbers;
            }
        }
        Ok(solve)
    }

    fn run(&mut self, x: &mut [f64]) {
        assert_eq!(x.len(), self.b.len(), "one unknown for each row");
        let (osp, b, x) = (self.osp, self.b.as_ptr(), x.as_mut_ptr());
        // SAFETY: `b` and `x` have a word for each row, and do not overlap. The matrix is the
        // library's, and nobody else solves with it.
        unsafe {
            match self.form {
                Form::Serial => osp_serial(osp, b, x),
                Form::InPlace => osp_in_place(osp, b, x),
                Form::Permuted => osp_permuted(osp, b, x),
            }
        }
    }
}

impl Drop for Solve {
    fn drop(&mut self) {
        // SAFETY: it was made by `osp_new`, and is freed once.
        unsafe { osp_free(self.osp) }
    }
}

/// Returns the peers that solve a problem.
///
/// Threads of OpenMP spin after each solve. So that they sleep when plans are timed, set
/// `GOMP_SPINCOUNT` to some 20,000 looks: 50 us.
pub(super) fn peers<'p>(problem: &'p Problem, processors: usize) -> Result<Vec<Peer<'p>>, Failure> {
    let forms = [Form::Serial, Form::InPlace, Form::Permuted];
    let peer = |(form, name)| {
        let (lower, b) = (problem.matrix(), problem.right_hand_side());
        let mut solve = Solve::new(form, lower, b, processors)?;
        Ok(Peer {
            name,
            same_order: false,
            run: Box::new(move |x| {
                solve.run(x);
                Ok(())
            }),
        })
    };
    forms.into_iter().zip(NAMES).map(peer).collect()
}

#[cfg(test)]
mod tests {
    use superstep_sparse::{Kernel, grids};

    use super::*;

    #[test]
    fn solutions_are_those_of_the_function() {
        for matrix in [
            grids::five_point(30),
            grids::band(600, 8, 1),
            grids::random(300, 8, 1),
        ] {
            let problem = Problem::new(Kernel::Sptrsv, &matrix, 0).unwrap();
            let mut expected = problem.start().to_vec();
            problem.written(&mut expected);
            for form in [Form::Serial, Form::InPlace, Form::Permuted] {
                let (lower, b) = (problem.matrix(), problem.right_hand_side());
                let mut solve = Solve::new(form, lower, b, 2).unwrap();
                let mut found = problem.start().to_vec();
                solve.run(&mut found);
                for (row, expected) in expected.iter().enumerate() {
                    let at = solve.numbers.get(row).copied().unwrap_or(row);
                    assert!((found[at] - expected).abs() <= 1e-10);
                }
            }
        }
    }
}
