//! Refactorisation by KLU, of SuiteSparse (Davis and Palamadai Natarajan, *Algorithm 907: KLU, a
//! direct sparse solver for circuit simulation problems*, 2010).
#![expect(unsafe_code, reason = "KLU is a C library")]

use std::ffi::{c_double, c_int, c_void};
use std::ptr::NonNull;

use superstep_matrix::Compressed;

use super::Failure;

/// Parameters and statistics: `klu_common` of `klu.h`, version 1.3.
#[repr(C)]
#[derive(Default)]
struct Common {
    /// From `tol` to `maxwork`.
    factors: [c_double; 5],
    /// From `btf` to `scale`.
    options: [c_int; 3],
    /// Function that orders, and its data.
    user: [Option<NonNull<c_void>>; 2],
    halt_if_singular: c_int,
    status: c_int,
    /// From `nrealloc` to `noffdiag`.
    counts: [c_int; 5],
    /// From `flops` to `work`.
    figures: [c_double; 5],
    /// `memusage` and `mempeak`.
    bytes: [usize; 2],
}

/// Value of `scale` for rows that are neither scaled nor checked in each refactorisation, as those
/// of the kernel are not.
const NO_SCALES: c_int = -1;

/// Order and blocks: `klu_symbolic`.
#[repr(C)]
struct Symbolic {
    opaque: [u8; 0],
}

/// Values of the factors, and the rows of the pivots: `klu_numeric`.
#[repr(C)]
struct Numeric {
    opaque: [u8; 0],
}

#[link(name = "klu")]
unsafe extern "C" {
    fn klu_defaults(common: *mut Common) -> c_int;
    fn klu_analyze(
        n: c_int,
        starts: *const c_int,
        rows: *const c_int,
        common: *mut Common,
    ) -> *mut Symbolic;
    fn klu_factor(
        starts: *const c_int,
        rows: *const c_int,
        values: *const c_double,
        symbolic: *mut Symbolic,
        common: *mut Common,
    ) -> *mut Numeric;
    fn klu_refactor(
        starts: *const c_int,
        rows: *const c_int,
        values: *const c_double,
        symbolic: *mut Symbolic,
        numeric: *mut Numeric,
        common: *mut Common,
    ) -> c_int;
    #[cfg(test)]
    fn klu_solve(
        symbolic: *mut Symbolic,
        numeric: *mut Numeric,
        stride: c_int,
        right_hand_sides: c_int,
        b: *mut c_double,
        common: *mut Common,
    ) -> c_int;
    fn klu_free_symbolic(symbolic: *mut *mut Symbolic, common: *mut Common) -> c_int;
    fn klu_free_numeric(numeric: *mut *mut Numeric, common: *mut Common) -> c_int;
}

/// Factors of a matrix, with the matrix in columns.
///
/// Order, blocks and pivots are KLU's by default. By default it would scale rows, too, in each
/// refactorisation.
pub(super) struct Factors {
    starts: Vec<c_int>,
    rows: Vec<c_int>,
    values: Vec<c_double>,
    /// Null until the matrix is analysed.
    symbolic: *mut Symbolic,
    /// Null until it is factored.
    numeric: *mut Numeric,
    common: Common,
}

impl Factors {
    /// Orders and factors a square matrix in rows.
    ///
    /// # Errors
    /// If KLU fails: the matrix is singular or empty, or there is no memory. If it has 2^31 rows or
    /// entries, or more.
    ///
    /// # Panics
    /// If the matrix is not square.
    pub(super) fn new(rows: &Compressed<f64>) -> Result<Self, Failure> {
        assert_eq!(rows.lines(), rows.across, "the matrix is square");
        // Its starts ascend to the number of entries, and rows are below that of its columns,
        // whatever the fields of `rows` say.
        let columns = rows.transposed();
        let signed = |values: &[usize]| -> Result<Vec<c_int>, _> {
            values.iter().map(|&value| value.try_into()).collect()
        };
        let mut factors = Self {
            starts: signed(&columns.starts)?,
            rows: signed(&columns.indices)?,
            values: columns.values,
            symbolic: std::ptr::null_mut(),
            numeric: std::ptr::null_mut(),
            common: Common::default(),
        };
        let (starts, rows) = (factors.starts.as_ptr(), factors.rows.as_ptr());
        let n = columns.across.try_into()?;
        // SAFETY: the columns are valid as said above, and KLU only reads them. `Common` is as long
        // as it expects and gets its defaults first.
        unsafe {
            klu_defaults(&mut factors.common);
            factors.common.options[2] = NO_SCALES;
            factors.symbolic = klu_analyze(n, starts, rows, &mut factors.common);
        }
        factors.check(!factors.symbolic.is_null())?;
        // SAFETY: the order is of these columns, which have a value for each entry.
        factors.numeric = unsafe {
            let (values, common) = (factors.values.as_ptr(), &mut factors.common);
            klu_factor(starts, rows, values, factors.symbolic, common)
        };
        factors.check(!factors.numeric.is_null())?;
        Ok(factors)
    }

    /// Factors the matrix anew, in the order and with the pivots of before.
    ///
    /// # Errors
    /// If KLU finds the matrix singular.
    pub(super) fn refactor(&mut self) -> Result<(), Failure> {
        // SAFETY: order and factors are of these columns: fields are private, and `new` gives none
        // without both.
        let done = unsafe {
            klu_refactor(
                self.starts.as_ptr(),
                self.rows.as_ptr(),
                self.values.as_ptr(),
                self.symbolic,
                self.numeric,
                &mut self.common,
            )
        };
        self.check(done != 0)
    }

    /// Returns an error unless all is done and KLU has nothing to say.
    fn check(&self, done: bool) -> Result<(), Failure> {
        match self.common.status {
            0 if done => Ok(()),
            1 => Err("KLU finds the matrix singular".into()),
            status => Err(format!("KLU fails with status {status}").into()),
        }
    }

    /// Solves `A x = b`, in place of `b`.
    #[cfg(test)]
    fn solve(&mut self, x: &mut [f64]) -> Result<(), Failure> {
        assert_eq!(x.len() + 1, self.starts.len(), "one value for each row");
        let n = x.len().try_into()?;
        // SAFETY: the factors are there, and `x` is a column of as many rows as they have.
        let done = unsafe {
            klu_solve(
                self.symbolic,
                self.numeric,
                n,
                1,
                x.as_mut_ptr(),
                &mut self.common,
            )
        };
        self.check(done != 0)
    }
}

impl Drop for Factors {
    fn drop(&mut self) {
        // SAFETY: both are KLU's, or null, which it leaves alone. They are freed once, the factors
        // first.
        unsafe {
            klu_free_numeric(&mut self.numeric, &mut self.common);
            klu_free_symbolic(&mut self.symbolic, &mut self.common);
        }
    }
}

#[cfg(test)]
mod tests {
    use superstep_sparse::{Kernel, Problem, grids};

    use super::*;

    #[test]
    fn refactored_matrices_are_solved() {
        assert_eq!(size_of::<Common>(), 160);
        for matrix in [
            grids::five_point(30),
            grids::band(600, 8, 1),
            grids::random(300, 8, 1),
        ] {
            let problem = Problem::new(Kernel::Ilu0, &matrix, 0).unwrap();
            let (matrix, b) = (problem.matrix(), problem.right_hand_side());
            let mut factors = Factors::new(matrix).unwrap();
            // Only a refactorisation knows of other values.
            factors.values.iter_mut().for_each(|value| *value *= 2.0);
            factors.refactor().unwrap();
            let mut x = b.to_vec();
            factors.solve(&mut x).unwrap();
            for (row, b) in b.iter().enumerate() {
                let product: f64 = matrix
                    .line(row)
                    .map(|(at, value)| 2.0 * value * x[at])
                    .sum();
                assert!((product - b).abs() <= 1e-10);
            }
        }
    }

    #[test]
    fn singular_and_empty_matrices_are_refused() {
        let singular = Compressed::from_lines(2, vec![[(0, 1.0), (1, 1.0)]; 2]);
        let empty = Compressed::from_lines(0, Vec::<Vec<(usize, f64)>>::new());
        for matrix in [singular, empty] {
            assert!(Factors::new(&matrix).is_err());
        }
    }
}
