//! Sparse matrices: Matrix Market files, and compressed rows and columns.
//!
//! [`read`] takes a file, plain or gzip, of any field and symmetry, and gives its [`Matrix`]: the
//! entries as they stand there. [`Matrix::rows`] and [`Matrix::columns`] compress all entries, the
//! mirrored ones too, to what kernels and libraries take as slices.
//!
//! ```
//! use superstep_matrix::{Matrix, market};
//!
//! let file = "%%MatrixMarket matrix coordinate real symmetric\n3 3 3\n1 1 4\n2 1 -1\n3 3 2\n";
//! let matrix = market::read(file.as_bytes())?;
//! let rows = matrix.rows::<f64>()?;
//! assert_eq!(rows.starts, [0, 2, 3, 4]);
//! assert_eq!(rows.indices, [0, 1, 0, 2]);
//! assert_eq!(rows.values, [4.0, -1.0, -1.0, 2.0]);
//!
//! // What a triangular solve takes: each row ends with its diagonal.
//! let lower = rows.lower(1.0);
//! assert_eq!((&lower.indices[..], &lower.values[..]), (&[0, 0, 1, 2][..], &[4.0, -1.0, 1.0, 2.0][..]));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod compressed;
mod lines;
pub mod market;
mod matrix;
mod unpacking;

pub use compressed::Compressed;
pub use market::{ReadError, open as read, open_unpacking as read_unpacking};
pub use matrix::{Matrix, Symmetry, Unfit, Value, Values};
