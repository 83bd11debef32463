//! Inputs of an example: grids and patterns, as its arguments name them.

use std::fmt::Display;
use std::path::Path;
use std::process::ExitCode;

use superstep_matrix::{Compressed, Matrix, ReadError, Unfit, Values, market};

/// Points a side of a grid, at most: 8 million equations, whose matrix takes 1 GB.
const MOST_SIDE: usize = 200;

/// Errors of an example's arguments.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum InputError {
    /// An option: there are none.
    #[error(
        "{option}: arguments are SIDE, the points a side of a grid, rajat01 or pegase9241, or FILE.mtx[.gz], a matrix; any number of each"
    )]
    Option {
        /// The argument.
        option: String,
    },
    /// A grid is too small or too large.
    #[error("{side}: a grid has from 2 to {MOST_SIDE} points a side")]
    Side {
        /// The argument.
        side: String,
    },
    /// A file cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// A matrix has no system of equations.
    #[error(
        "{name}: a square matrix with entries is needed, this one has {rows} rows, {columns} columns and {entries} entries"
    )]
    Oblong {
        /// The file.
        name: String,
        /// Rows of the matrix.
        rows: usize,
        /// Columns of the matrix.
        columns: usize,
        /// Entries of the matrix.
        entries: usize,
    },
    /// Values are of another kind.
    #[error(transparent)]
    Unfit(#[from] Unfit),
}

/// An input of an example.
#[derive(Clone, Debug)]
pub enum Input {
    /// A grid of so many points a side.
    Grid(usize),
    /// The pattern of a square matrix.
    Pattern {
        /// Its file.
        name: String,
        /// The pattern, in rows; all values are 1.
        pattern: Compressed<f64>,
    },
}

impl Input {
    /// Reads what an argument names: a number is the side of a grid, `rajat01` and `pegase9241`
    /// are in this crate, all else is a file.
    ///
    /// `rajat01` is a circuit of 6833 nodes, of the SuiteSparse Matrix Collection; `pegase9241` the
    /// Jacobian of the power flow of the European grid, of MATPOWER (both CC BY 4.0).
    ///
    /// # Errors
    /// If an argument is no side of a grid, or a file cannot be read or has no square matrix.
    ///
    /// ```
    /// use superstep_example_matrices::Input;
    ///
    /// assert!(matches!(Input::named("10")?, Input::Grid(10)));
    /// assert!(matches!(Input::named("rajat01")?, Input::Pattern { .. }));
    /// let error = Input::named("1").unwrap_err();
    /// assert_eq!(error.to_string(), "1: a grid has from 2 to 200 points a side");
    /// # Ok::<(), superstep_example_matrices::InputError>(())
    /// ```
    pub fn named(argument: &str) -> Result<Self, InputError> {
        if argument.starts_with('-') {
            return Err(InputError::Option {
                option: argument.into(),
            });
        }
        if argument.bytes().all(|byte| byte.is_ascii_digit()) {
            let side = argument.parse().ok();
            let side = side.filter(|side| (2..=MOST_SIDE).contains(side));
            return side.map(Self::Grid).ok_or(InputError::Side {
                side: argument.into(),
            });
        }
        let included: &[u8] = match argument {
            "rajat01" => include_bytes!("../data/rajat01.mtx.gz"),
            "pegase9241" => include_bytes!("../data/pegase9241.mtx.gz"),
            file => {
                let path = Path::new(file);
                let name = path.file_name().unwrap_or(path.as_os_str());
                return Self::of_matrix(&name.to_string_lossy(), superstep_matrix::read(path)?);
            }
        };
        Self::of_matrix(argument, market::read(included)?)
    }

    /// Takes the pattern of a matrix.
    fn of_matrix(name: &str, matrix: Matrix) -> Result<Self, InputError> {
        let values = Values::Pattern;
        let pattern = Matrix { values, ..matrix }.rows::<f64>()?;
        let (rows, columns, entries) = (pattern.lines(), pattern.across, pattern.indices.len());
        let name = name.into();
        if rows != columns || entries == 0 {
            return Err(InputError::Oblong {
                name,
                rows,
                columns,
                entries,
            });
        }
        Ok(Self::Pattern { name, pattern })
    }

    /// Calls a function for each input that the program's arguments name, or for each of `usual`
    /// where there are none. It tells whether all is as it should be.
    ///
    /// Errors are printed. They and a function that tells no are the failure of the program.
    pub fn each<E: Display>(
        usual: &[&str],
        mut compare: impl FnMut(Self) -> Result<bool, E>,
    ) -> ExitCode {
        let mut arguments: Vec<String> = std::env::args().skip(1).collect();
        if arguments.is_empty() {
            arguments = usual.iter().map(|&name| name.into()).collect();
        }
        let inputs: Result<Vec<Self>, _> = arguments.iter().map(|name| Self::named(name)).collect();
        let inputs = match inputs {
            Ok(inputs) => inputs,
            Err(error) => {
                eprintln!("{error}");
                return ExitCode::FAILURE;
            }
        };
        let mut holds = true;
        for (input, name) in inputs.into_iter().zip(arguments) {
            holds &= compare(input).unwrap_or_else(|error| {
                eprintln!("{name}: {error}");
                false
            });
        }
        if holds {
            ExitCode::SUCCESS
        } else {
            ExitCode::FAILURE
        }
    }
}
