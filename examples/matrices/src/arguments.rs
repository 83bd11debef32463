//! Arguments of an example: grids and files.

use std::fmt::Display;
use std::path::Path;
use std::process::ExitCode;

use superstep_matrix::{Matrix, ReadError, Unfit, Values};

use crate::System;

/// Points a side of a grid, at most: 8 million equations, whose matrix takes 1 GB.
const MOST_SIDE: usize = 200;

/// Errors of an example's arguments.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ArgumentError {
    /// An option: there are none.
    #[error(
        "{option}: arguments are SIDE, the points a side of a grid, or FILE.mtx[.gz], a matrix; any number of each"
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

impl System {
    /// Returns the systems that are named by arguments: a number is the side of a grid, all else a
    /// file. Without arguments there are a grid of `side` points a side and [`System::circuit`].
    ///
    /// # Errors
    /// If an argument is no side of a grid, or a file cannot be read or has no square matrix.
    ///
    /// ```
    /// use superstep_example_matrices::System;
    ///
    /// let named = |arguments: &[&str]| System::list(arguments.iter().map(|&a| a.into()), 20);
    /// assert_eq!(named(&["10", "12"])?[1].a.lines(), 1728);
    /// assert_eq!(named(&[])?.len(), 2);
    /// assert_eq!(
    ///     named(&["1"]).unwrap_err().to_string(),
    ///     "1: a grid has from 2 to 200 points a side"
    /// );
    /// # Ok::<(), superstep_example_matrices::ArgumentError>(())
    /// ```
    pub fn list(
        arguments: impl Iterator<Item = String>,
        side: usize,
    ) -> Result<Vec<Self>, ArgumentError> {
        let named: Result<Vec<Self>, _> = arguments.map(Self::named).collect();
        let named = named?;
        if named.is_empty() {
            return Ok(vec![Self::poisson(side), Self::circuit()?]);
        }
        Ok(named)
    }

    /// Calls a function for each system that the program's arguments name, as
    /// [`list`](Self::list) has it. It tells whether all is as it should be.
    ///
    /// Errors are printed. They and a function that tells no are the failure of the program.
    pub fn each<E: Display>(
        side: usize,
        mut compare: impl FnMut(Self) -> Result<bool, E>,
    ) -> ExitCode {
        let systems = match Self::list(std::env::args().skip(1), side) {
            Ok(systems) => systems,
            Err(error) => {
                eprintln!("{error}");
                return ExitCode::FAILURE;
            }
        };
        let mut holds = true;
        for system in systems {
            let name = system.name.clone();
            holds &= compare(system).unwrap_or_else(|error| {
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

    fn named(argument: String) -> Result<Self, ArgumentError> {
        if argument.starts_with('-') {
            return Err(ArgumentError::Option { option: argument });
        }
        if argument.bytes().all(|byte| byte.is_ascii_digit()) {
            let side = argument.parse().ok();
            let side = side.filter(|side| (2..=MOST_SIDE).contains(side));
            return side
                .map(Self::poisson)
                .ok_or(ArgumentError::Side { side: argument });
        }
        let path = Path::new(&argument);
        let name = path.file_name().unwrap_or(path.as_os_str());
        Self::of_file(&name.to_string_lossy(), superstep_matrix::read(path)?)
    }

    /// Makes a system with the pattern of a matrix.
    pub(crate) fn of_file(name: &str, matrix: Matrix) -> Result<Self, ArgumentError> {
        let values = Values::Pattern;
        let pattern = Matrix { values, ..matrix }.rows::<f64>()?;
        let (rows, columns, entries) = (pattern.lines(), pattern.across, pattern.indices.len());
        if rows != columns || entries == 0 {
            return Err(ArgumentError::Oblong {
                name: name.into(),
                rows,
                columns,
                entries,
            });
        }
        Ok(Self::drawn(name, &pattern))
    }
}
