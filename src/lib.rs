//! superstep: the facade.

pub use superstep_macros::kernel;
#[doc(inline)]
pub use superstep_runtime::{
    call::{Ran, last_run},
    error::{PrepareError, RunError},
    team::shut_down,
    transport::TransportKind as Transport,
};

#[cfg(feature = "build")]
pub mod build;

/// What the expansion of [`kernel`](macro@kernel) and generated files name.
#[doc(hidden)]
pub use superstep_runtime::expansion as __private;
