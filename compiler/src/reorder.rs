//! Order in which the tasks of a list run.

pub(crate) mod chains;
pub(crate) mod depths;
pub(crate) mod estimate;
pub(crate) mod flow;
pub(crate) mod fuse;
pub(crate) mod groups;
pub(crate) mod iterations;
pub(crate) mod jam;
pub(crate) mod near;
pub(crate) mod orders;
