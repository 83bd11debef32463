//! A sparse matrix as a file lists it.

use std::ops::AddAssign;

use num_complex::Complex64;

use crate::Compressed;

/// Entries of a matrix as a file lists them.
#[derive(Clone, Debug, PartialEq)]
pub struct Matrix {
    /// Number of rows.
    pub height: u32,
    /// Number of columns.
    pub width: u32,
    /// Entries that are not listed, but follow from those that are.
    pub symmetry: Symmetry,
    /// Row and column of each listed entry, from 0, in the order of the file.
    pub places: Vec<[u32; 2]>,
    /// Values of the listed entries.
    pub values: Values,
}

/// Symmetry of a matrix. For all but general matrices the lower triangle is listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Symmetry {
    /// All entries are listed.
    General,
    /// `A[j][i] = A[i][j]`.
    Symmetric,
    /// `A[j][i] = -A[i][j]`; the diagonal is zero, and not listed.
    Skew,
    /// `A[j][i]` is the conjugate of `A[i][j]`; the diagonal is real.
    Hermitian,
}

/// Values of one field.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// None: the matrix is a pattern.
    Pattern,
    /// Real numbers.
    Real(Vec<f64>),
    /// Whole numbers.
    Integer(Vec<i64>),
    /// Complex numbers.
    Complex(Vec<Complex64>),
}

/// Error of asking for values that a matrix cannot give.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the matrix is complex: take its values as `Complex64`")]
pub struct Unfit;

/// A type in which values can be taken: `f64` and [`Complex64`]. Patterns have ones; integers are
/// rounded beyond 2^53.
pub trait Value: Copy + AddAssign + private::Sealed {
    /// Returns the value of the entry at that position of a list.
    ///
    /// # Errors
    /// If the type is real and the values are complex.
    fn at(values: &Values, position: usize) -> Result<Self, Unfit>;

    /// Returns the mirrored value.
    #[must_use]
    fn mirrored(self, symmetry: Symmetry) -> Self;
}

mod private {
    pub trait Sealed {}
    impl Sealed for f64 {}
    impl Sealed for num_complex::Complex64 {}
}

impl Value for f64 {
    fn at(values: &Values, position: usize) -> Result<Self, Unfit> {
        match values {
            Values::Pattern => Ok(1.0),
            Values::Real(values) => Ok(values[position]),
            Values::Integer(values) => Ok(values[position] as Self),
            Values::Complex(_) => Err(Unfit),
        }
    }

    fn mirrored(self, symmetry: Symmetry) -> Self {
        match symmetry {
            Symmetry::Skew => -self,
            _ => self,
        }
    }
}

impl Value for Complex64 {
    fn at(values: &Values, position: usize) -> Result<Self, Unfit> {
        match values {
            Values::Complex(values) => Ok(values[position]),
            real => f64::at(real, position).map(Self::from),
        }
    }

    fn mirrored(self, symmetry: Symmetry) -> Self {
        match symmetry {
            Symmetry::Skew => -self,
            Symmetry::Hermitian => self.conj(),
            _ => self,
        }
    }
}

impl Matrix {
    /// Compresses all entries by rows (CSR), columns ascending.
    ///
    /// An entry that stands several times has the sum of its values, as scipy and MATLAB have it;
    /// in a pattern it counts once.
    ///
    /// # Errors
    /// If real values are asked for and the matrix is complex.
    pub fn rows<V: Value>(&self) -> Result<Compressed<V>, Unfit> {
        Ok(self.columns()?.transposed())
    }

    /// Compresses all entries by columns (CSC), rows ascending. Of repeated entries see
    /// [`rows`](Self::rows).
    ///
    /// # Errors
    /// If real values are asked for and the matrix is complex.
    pub fn columns<V: Value>(&self) -> Result<Compressed<V>, Unfit> {
        let mirrors = self.symmetry != Symmetry::General;
        let mut entries = Vec::with_capacity(self.places.len() << u32::from(mirrors));
        for (position, &[row, column]) in self.places.iter().enumerate() {
            let value = V::at(&self.values, position)?;
            entries.push(([row, column], value));
            if mirrors && row != column {
                entries.push(([column, row], value.mirrored(self.symmetry)));
            }
        }
        let (height, width) = (self.height as usize, self.width as usize);
        let adds = self.values != Values::Pattern;
        // Rows first, then columns: each pass keeps the order of the one before.
        let by_rows = Compressed::of(height, width, &entries);
        Ok(by_rows.transposed().joined(adds))
    }

    /// Returns the number of listed entries.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Returns whether no entry is listed.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }
}
