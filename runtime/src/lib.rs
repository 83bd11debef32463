//! What a generated program links: a team of processors, a barrier, packed exchange.
pub mod kernel;
pub mod plan;
