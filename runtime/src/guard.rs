//! Guards: a grain gives up with an error of the kernel's.
//!
//! It leaves its processor's chunk as a panic does, but tells nobody's hook. So the error is that
//! of the first grain that gives up or panics in the sequential run, as the function's would be.

#[cfg(feature = "plan")]
use std::panic::resume_unwind;

use crate::error::RunError;

/// Error of a kernel, on its way out of a grain.
struct GivenUp<E>(E);

/// Leaves a grain with an error.
#[cfg(feature = "plan")]
#[cold]
#[inline(never)]
pub fn give_up<E: Send + 'static>(error: E) -> ! {
    resume_unwind(Box::new(GivenUp(error)))
}

/// Returns the error with which a grain has given up.
///
/// # Errors
/// Any other error of a run.
pub fn given_up<E: Send + 'static>(error: RunError) -> Result<E, RunError> {
    let RunError::Panicked { payload, .. } = &error else {
        return Err(error);
    };
    let Some(given) = payload.take() else {
        return Err(error);
    };
    match given.downcast::<GivenUp<E>>() {
        Ok(given) => Ok(given.0),
        Err(other) => {
            payload.put(other);
            Err(error)
        }
    }
}
