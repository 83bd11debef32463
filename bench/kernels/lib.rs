//! The examples' kernels as their build scripts see them: `lu::lu::instance(256)` can be traced,
//! scheduled and predicted while the bench runs, for any number of processors. Nothing of it is
//! compiled.
//!
//! With the feature `collection` the collection's kernels are there, too.

#[path = "../../examples/cg/src/kernels.rs"]
pub mod cg;
#[cfg(feature = "collection")]
#[path = "../../collection/src/instances.rs"]
pub mod collection;
#[path = "../../examples/fft/src/kernels.rs"]
pub mod fft;
#[path = "../../examples/jacobi/src/kernels.rs"]
pub mod jacobi;
#[path = "../../examples/jacobi_solve/src/kernels.rs"]
pub mod jacobi_solve;
#[path = "../../examples/lcs/src/kernels.rs"]
pub mod lcs;
#[path = "../../examples/lu/src/kernels.rs"]
pub mod lu;
#[path = "../../examples/matmul/src/kernels.rs"]
pub mod matmul;
#[path = "../../examples/sptrsv/src/kernels.rs"]
pub mod sptrsv;
