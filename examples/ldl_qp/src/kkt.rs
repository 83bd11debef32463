//! The matrix of the optimality conditions, and its factors.

use superstep_matrix::Compressed;
use superstep_sparse::{MOST_ENTRIES, MOST_UPDATES, TooLarge, Updates, filled, minimum_degree};

use crate::program::Program;

/// The matrix `P + s I, A'; A, -1/r` of a program, `s` and `r` positive, and the pattern of its
/// factors. It is quasi-definite: in every order it has a factor `L D L'`, and `D` is positive for
/// variables and negative for constraints (Vanderbei, 1995).
pub struct Kkt {
    /// Columns of `L`, the diagonal first.
    pub columns: Compressed<()>,
    /// Rows of `L`, the diagonal last, with the position of each entry in the columns.
    pub rows: Compressed<usize>,
    /// Updates of the factorisation.
    pub updates: Updates,
    /// Sign of each pivot: 1 of variables, -1 of constraints.
    pub sign: Vec<f64>,
    /// Place of each variable and then of each constraint in the order of elimination.
    pub places: Vec<usize>,
    /// The matrix, in the columns of `L`, without the parts that depend on `s` and `r`.
    values: Vec<f64>,
    variables: usize,
}

impl Kkt {
    /// Orders variables and constraints by minimum degree, and finds the fill.
    ///
    /// # Errors
    /// If the factors are too large.
    pub fn new(program: &Program) -> Result<Self, TooLarge> {
        let variables = program.p.lines();
        let lower = (0..variables)
            .map(|row| {
                program
                    .p
                    .line(row)
                    .take_while(|&(at, _)| at <= row)
                    .collect()
            })
            .chain((0..program.a.lines()).map(|row| {
                let own = (variables + row, 0.0);
                program.a.line(row).chain([own]).collect::<Vec<_>>()
            }));
        let lower: Vec<Vec<(usize, f64)>> = lower.collect();
        let matrix = Compressed::from_lines(lower.len(), lower).mirrored();
        let order = minimum_degree(&matrix);
        let matrix = matrix.permuted(&order).lower(0.0).transposed();
        let mut places = vec![0; order.len()];
        let mut sign = vec![1.0; order.len()];
        for (place, &line) in order.iter().enumerate() {
            places[line] = place;
            if line >= variables {
                sign[place] = -1.0;
            }
        }
        let columns = filled(&matrix, MOST_ENTRIES)?.lower(()).transposed();
        let mut position = 0..;
        let positions = columns.clone();
        let rows = positions
            .valued(|_, _| position.next().unwrap_or_default())
            .transposed();
        let mut values = vec![0.0; columns.indices.len()];
        for column in 0..columns.lines() {
            let mut at = columns.starts[column];
            for (row, value) in matrix.line(column) {
                while columns.indices[at] < row {
                    at += 1;
                }
                values[at] = value;
            }
        }
        Ok(Self {
            updates: Updates::ldl(&columns, &rows, MOST_UPDATES)?,
            columns,
            rows,
            sign,
            places,
            values,
            variables,
        })
    }

    /// Returns the places of all variables, and those of all constraints.
    pub fn split(&self) -> (&[usize], &[usize]) {
        self.places.split_at(self.variables)
    }

    /// Writes the values of the matrix for `s`, and for `r` of each constraint.
    pub fn assemble(&self, s: f64, r: &[f64], a: &mut Vec<f64>) {
        a.clone_from(&self.values);
        let (variables, constraints) = self.split();
        for &place in variables {
            a[self.columns.starts[place]] += s;
        }
        for (&place, r) in constraints.iter().zip(r) {
            a[self.columns.starts[place]] = -1.0 / r;
        }
    }
}
