//! Where every value lives, who sends which value to whom, and which arrays processors share.

pub mod columns;
pub(crate) mod copies;
pub mod layout;
pub mod messages;
pub mod moves;
pub(crate) mod sharing;
pub(crate) mod storage;
pub(crate) mod tasks;
