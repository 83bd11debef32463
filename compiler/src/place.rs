//! Placement of every value in memories and messages, and the arrays that processors share.

pub mod columns;
pub mod layout;
pub mod moves;
pub(crate) mod numbering;
pub mod placement;
pub(crate) mod ranked;
pub(crate) mod sharing;
pub(crate) mod storage;
pub(crate) mod strided;
pub(crate) mod tasks;
