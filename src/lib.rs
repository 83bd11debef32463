//! superstep: the facade.

pub use superstep_macros::kernel;
