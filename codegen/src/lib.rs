//! From a schedule to a bulk-synchronous program.
pub mod bodies;
pub mod figures;
pub mod fold;
pub mod messages;
pub mod program;
pub mod replay;
pub mod storage;
