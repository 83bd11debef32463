//! See ARCHITECTURE.md.
pub mod plan; pub mod kernel;
