//! Systems of equations that the examples solve: grids, and patterns read from Matrix Market files.
//!
//! [`Input`] reads the arguments of an example, and a [`System`] has the equations that are made of
//! one. All matrices are symmetric and positive definite. No diagonal entry is less than the sum
//! of magnitudes of the rest of its row, and some are more. Of a file the pattern counts, as most
//! public ones are patterns. Its values are drawn, and so are all right-hand sides.
//! [`program`] runs the examples' programs for their tests.

mod input;
pub mod program;

pub use input::{Input, InputError};

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use superstep_matrix::Compressed;
use superstep_sparse::grids;

/// Seed of all values.
const SEED: u64 = 1;

/// Weight of the diagonal over that of the rest of its row, for drawn values. The 1 % more leaves
/// `ilu_cg` and `symgs` some dozens of iterations on `rajat01`, as on their grids.
const DOMINANCE: f64 = 1.01;

/// System of equations `A x = b`.
#[derive(Clone, Debug)]
pub struct System {
    /// Name for a heading.
    pub name: String,
    /// `A` in compressed rows, columns ascending: symmetric and positive definite.
    pub a: Compressed<f64>,
    /// Right-hand side.
    pub b: Vec<f64>,
}

impl System {
    /// Returns the Poisson equation on a grid, or drawn values on a pattern.
    ///
    /// ```
    /// use superstep_example_matrices::{Input, System};
    ///
    /// assert_eq!(System::new(Input::named("12")?).a.lines(), 1728);
    /// assert_eq!(System::new(Input::named("rajat01")?).a.lines(), 6833);
    /// # Ok::<(), superstep_example_matrices::InputError>(())
    /// ```
    pub fn new(input: Input) -> Self {
        match input {
            Input::Grid(side) => Self::poisson(side),
            Input::Pattern { name, pattern } => Self::drawn(name, &pattern),
        }
    }

    /// Returns the 7-point Poisson equation on a cube of `side` points a side.
    pub fn poisson(side: usize) -> Self {
        let a = grids::seven_point(side);
        let a = a.valued(|row, column| if row == column { 6.0 } else { -1.0 });
        Self::with_matrix(format!("7-point grid {side}^3"), a)
    }

    /// Returns a system with drawn values on the pattern of `A + A'` and the diagonal. Values
    /// of `A` do not count.
    ///
    /// # Panics
    /// If the matrix is not square.
    pub fn drawn(name: impl Into<String>, pattern: &Compressed<f64>) -> Self {
        let rows = pattern.lines();
        assert!(rows == pattern.across, "square");
        let transposed = pattern.transposed();
        let mut random = Pcg64Mcg::seed_from_u64(SEED);
        let lower = (0..rows).map(|row| {
            let both = pattern.line(row).chain(transposed.line(row));
            let mut below: Vec<usize> = both.map(|(at, _)| at).filter(|&at| at < row).collect();
            below.sort_unstable();
            below.dedup();
            let value = |at| (at, -random.random_range(0.5..1.5));
            let mut line: Vec<(usize, f64)> = below.into_iter().map(value).collect();
            line.push((row, 0.0));
            line
        });
        let mut a = Compressed::from_lines(rows, lower).mirrored();
        for (row, at) in a.diagonal().unwrap_or_default().into_iter().enumerate() {
            let others: f64 = a.line(row).map(|(_, value)| value.abs()).sum();
            a.values[at] = if others > 0.0 {
                DOMINANCE * others
            } else {
                1.0
            };
        }
        Self::with_matrix(name.into(), a)
    }

    fn with_matrix(name: String, a: Compressed<f64>) -> Self {
        let mut random = Pcg64Mcg::seed_from_u64(SEED);
        let b = (0..a.lines()).map(|_| random.random_range(-1.0..1.0));
        Self {
            name,
            b: b.collect(),
            a,
        }
    }
}
