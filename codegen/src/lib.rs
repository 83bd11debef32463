//! From a schedule to a bulk-synchronous program.
pub mod bodies;
pub mod figures;
pub mod fold;
mod generate;
pub mod messages;
mod order;
pub mod print;
pub mod program;
pub mod replay;
pub mod storage;

pub use generate::{GenerateError, Generator};
pub use print::{File, Options};
pub use program::{CheckedProgram, Program};
