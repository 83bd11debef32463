//! Quadratic programs: minimise `x' P x / 2 + q' x` where `l <= A x <= u`.

use rand::{Rng, RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use superstep_matrix::Compressed;

/// Seed of all values.
const SEED: u64 = 1;

/// A quadratic program.
#[derive(Clone, Debug)]
pub struct Program {
    /// Rows of the quadratic cost, both triangles, with all of the diagonal.
    pub p: Compressed<f64>,
    /// Linear cost.
    pub q: Vec<f64>,
    /// Rows of the constraints.
    pub a: Compressed<f64>,
    /// Least value of each constraint.
    pub l: Vec<f64>,
    /// Greatest value of each constraint.
    pub u: Vec<f64>,
}

/// Errors of a matrix whose pattern is not that of the optimality conditions of a program.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Unsuitable {
    /// The matrix is not square.
    #[error("a square matrix is needed, this one has {rows} rows and {columns} columns")]
    Oblong {
        /// Its rows.
        rows: usize,
        /// Its columns.
        columns: usize,
    },
    /// The pattern is not symmetric.
    #[error("a symmetric pattern is needed, this one has row {row}, column {column} alone")]
    Lopsided {
        /// Row of an entry that lacks its mirror image, from 1.
        row: usize,
        /// Its column, from 1.
        column: usize,
    },
}

impl Program {
    /// Draws the values of a program whose optimality conditions have this pattern: variables
    /// first, then constraints, among which only the diagonal has entries.
    ///
    /// There are as many constraints as can be. A quarter of those with several variables are
    /// equations.
    ///
    /// # Errors
    /// If the pattern is not square or not symmetric.
    pub fn on<V: Copy>(pattern: &Compressed<V>) -> Result<Self, Unsuitable> {
        let (rows, columns) = (pattern.lines(), pattern.across);
        if rows != columns {
            return Err(Unsuitable::Oblong { rows, columns });
        }
        let transposed = pattern.transposed();
        let mut variables = 0;
        for row in 0..rows {
            let [own, mirrored] =
                [pattern, &transposed].map(|m| &m.indices[m.starts[row]..m.starts[row + 1]]);
            let alone = own.iter().find(|&at| mirrored.binary_search(at).is_err());
            if let Some(&column) = alone {
                let (row, column) = (row + 1, column + 1);
                return Err(Unsuitable::Lopsided { row, column });
            }
            let next = own.iter().filter(|&&at| at > row);
            variables = variables.max(next.map(|_| row + 1).max().unwrap_or_default());
        }
        if variables == 0 {
            variables = rows;
        }
        let part = |rows: std::ops::Range<usize>| {
            let line = |row| pattern.line(row).take_while(move |&(at, _)| at < variables);
            Compressed::from_lines(variables, rows.map(line)).valued(|_, _| ())
        };
        let mut random = Pcg64Mcg::seed_from_u64(SEED);
        let cost = part(0..variables).lower(());
        let degree = cost.mirrored().starts;
        let cost = cost.valued(|i, j| match i == j {
            true => random.random_range(0.5..1.5) + 0.5 * (degree[i + 1] - degree[i]) as f64,
            false => random.random_range(-0.5..0.5),
        });
        let constraints = part(variables..rows);
        let count = constraints.starts.clone();
        let is_bound = |row: usize| count[row + 1] - count[row] == 1;
        let a = constraints.valued(|row, _| match is_bound(row) {
            true => 1.0,
            false => random.random_range(0.5..1.5) * if random.random() { 1.0 } else { -1.0 },
        });
        let is_equation: Vec<bool> = (0..a.lines())
            .map(|row| !is_bound(row) && random.random_bool(0.25))
            .collect();
        Ok(Self::around(cost.mirrored(), a, &is_equation, &mut random))
    }

    /// Draws a minimum-cost flow on a square grid of `side` nodes a side. Variables are the flows
    /// from node to node, to the right and down. What flows into each node and out of it is given,
    /// and each flow has a capacity. Costs are quadratic.
    pub fn flow(side: usize) -> Self {
        let mut random = Pcg64Mcg::seed_from_u64(SEED);
        let mut nodes: Vec<Vec<(usize, f64)>> = vec![Vec::new(); side * side];
        let mut flows = 0;
        for node in 0..side * side {
            let right = (node % side + 1 < side).then_some(node + 1);
            let down = (node / side + 1 < side).then_some(node + side);
            for to in right.into_iter().chain(down) {
                nodes[node].push((flows, -1.0));
                nodes[to].push((flows, 1.0));
                flows += 1;
            }
        }
        let capacities = (0..flows).map(|flow| vec![(flow, 1.0)]);
        let is_equation: Vec<bool> = (0..nodes.len() + flows)
            .map(|at| at < nodes.len())
            .collect();
        let a = Compressed::from_lines(flows, nodes.into_iter().chain(capacities));
        let cost = (0..flows).map(|flow| [(flow, random.random_range(0.5..5.0))]);
        let cost = Compressed::from_lines(flows, cost);
        Self::around(cost, a, &is_equation, &mut random)
    }

    /// Draws a linear cost, and constraints that a point fulfils.
    fn around(
        p: Compressed<f64>,
        a: Compressed<f64>,
        is_equation: &[bool],
        random: &mut impl Rng,
    ) -> Self {
        let mut draw = |count: usize, most: f64| -> Vec<f64> {
            (0..count)
                .map(|_| random.random_range(-most..most))
                .collect()
        };
        let (point, q) = (draw(p.lines(), 1.0), draw(p.lines(), 5.0));
        let values = product(&a, &point);
        let [below, above] = [(); 2].map(|()| draw(a.lines(), 1.0));
        let bound = |room: &[f64], sign: f64| -> Vec<f64> {
            let values = values.iter().zip(room).zip(is_equation);
            let bound = values.map(|((value, room), &is_equation)| match is_equation {
                true => *value,
                false => value + sign * room.abs(),
            });
            bound.collect()
        };
        Self {
            l: bound(&below, -1.0),
            u: bound(&above, 1.0),
            p,
            q,
            a,
        }
    }

    /// Returns the cost of a point.
    pub fn cost(&self, x: &[f64]) -> f64 {
        let values = product(&self.p, x);
        let costs = x.iter().zip(values.iter().zip(&self.q));
        costs.map(|(x, (p, q))| x * (0.5 * p + q)).sum()
    }
}

/// Returns the product of a matrix in rows with a vector.
pub(crate) fn product(matrix: &Compressed<f64>, x: &[f64]) -> Vec<f64> {
    let row = |row| matrix.line(row).map(|(at, value)| value * x[at]).sum();
    (0..matrix.lines()).map(row).collect()
}
