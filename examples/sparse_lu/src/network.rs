//! Nonlinear equations on a pattern, and the factors' pattern.

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use superstep_matrix::Compressed;
use superstep_side_by_side::SameBits;
use superstep_sparse::{MOST_ENTRIES, MOST_UPDATES, Unsuitable, Updates, filled, minimum_degree};

/// Seed of elements and sources.
const SEED: u64 = 1;

/// A network of nonlinear elements between nodes, driven by sources, and all that depends on its
/// pattern alone. Nodes are numbered in the order of elimination.
pub struct Network {
    /// Weights of the elements: row `i` has those at node `i`, that to the ground on the diagonal.
    pub elements: Compressed<f64>,
    /// Position in the factors of each element.
    pub to: Vec<usize>,
    /// Rows of both factors, in one.
    pub factors: Compressed<()>,
    /// Position of each row's pivot.
    pub diagonal: Vec<usize>,
    /// Updates of the factorisation.
    pub updates: Updates,
    /// First update of each part, and the position that each update changes.
    pub places: (Vec<usize>, Vec<u32>),
    /// Amplitude and phase of each node's source.
    sources: Vec<[f64; 2]>,
}

/// Arrays that a step of Newton's method writes.
#[derive(Clone, Debug)]
pub struct Arrays {
    /// The iterate.
    pub x: Vec<f64>,
    /// Flow into each node less that out of it, then the correction of `x`.
    pub f: Vec<f64>,
    /// The Jacobian, then its factors.
    pub a: Vec<f64>,
}

impl SameBits for Arrays {
    fn same_bits(&self, other: &Self) -> bool {
        let all = |of: &Self| [of.x.clone(), of.f.clone(), of.a.clone()];
        all(self).same_bits(&all(other))
    }
}

impl Network {
    /// Draws elements on the pattern of a matrix and finds the pattern of their factors: an order
    /// by minimum degree, and its fill.
    ///
    /// The Jacobian's diagonal outweighs its row, so that pivots can stay there.
    ///
    /// # Errors
    /// If the matrix is not square, or its factors are too large.
    pub fn new<V: Copy>(pattern: &Compressed<V>) -> Result<Self, Unsuitable> {
        let (rows, columns) = (pattern.lines(), pattern.across);
        if rows != columns {
            return Err(Unsuitable::Oblong { rows, columns });
        }
        let pattern = pattern.clone().valued(|_, _| ()).with_diagonal(());
        let pattern = pattern.permuted(&minimum_degree(&pattern));
        let factors = filled(&pattern, MOST_ENTRIES)?;
        let position = |row: usize, column: usize| {
            let start = factors.starts[row];
            let row = &factors.indices[start..factors.starts[row + 1]];
            start + row.partition_point(|&at| at < column)
        };
        let updates = Updates::lu(&factors, MOST_UPDATES)?;
        let mut random = Pcg64Mcg::seed_from_u64(SEED);
        Ok(Self {
            to: pattern.clone().valued(position).values,
            elements: pattern.valued(|_, _| random.random_range(0.5..1.5)),
            diagonal: (0..rows).map(|row| position(row, row)).collect(),
            places: updates.places(),
            updates,
            factors,
            sources: (0..rows)
                .map(|_| [random.random_range(0.0..4.0), random.random_range(0.0..6.3)])
                .collect(),
        })
    }

    /// Returns the number of nodes.
    pub fn nodes(&self) -> usize {
        self.diagonal.len()
    }

    /// Returns arrays of zeros.
    pub fn arrays(&self) -> Arrays {
        Arrays {
            x: vec![0.0; self.nodes()],
            f: vec![0.0; self.nodes()],
            a: vec![0.0; self.factors.indices.len()],
        }
    }

    /// Returns what the sources of all nodes give at a time.
    pub fn sources(&self, time: f64) -> Vec<f64> {
        let source = |&[amplitude, phase]: &[f64; 2]| amplitude * (time + phase).sin();
        self.sources.iter().map(source).collect()
    }
}
