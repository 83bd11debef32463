//! What a parallel machine costs.
mod machine;

pub use machine::Machine;
