//! Tuned numbers: constants whose values experiments have given.
//!
//! [`tuned!`] declares them, and [`Tuned::get`] reads one. They are constants, and cost nothing.
//! With the feature `switched` each can be set to other values while the program runs: what becomes
//! worse says what the number gains. `superstep-bench ablation` does that.
//!
//! ```
//! superstep_tuning::tuned! {
//!     /// Part of the best score at which a superstep is not grown further.
//!     const PATIENCE: f64 = 0.8, off 0.0;
//!     /// Largest number of tasks of a bundle.
//!     const MOST: u32 = 16;
//! }
//! assert!(PATIENCE.get() < 1.0);
//! assert_eq!(MOST.get(), 16);
//! ```
//!
//! Behind `off` stands the value without effect, if there is one: a part of 0, a factor of 1.

#[cfg(not(feature = "switched"))]
mod fixed;
#[cfg(feature = "switched")]
mod switched;

#[cfg(not(feature = "switched"))]
pub use fixed::Tuned;
#[cfg(feature = "switched")]
pub use switched::{Number, Setting, Switch, Tuned, read};
