//! State of lowering, which the files of this folder share.

use std::collections::BTreeSet;

use syn::Expr;

use super::lowered::Lowered;
use crate::classify::Classes;
use crate::errors::Errors;
use crate::kernel::{Id, Kernel};
use crate::types::Types;

/// A kernel that is being lowered.
pub(super) struct Lower<'k> {
    pub(super) kernel: &'k Kernel,
    pub(super) types: &'k Types,
    pub(super) classes: &'k Classes,
    pub(super) errors: &'k mut Errors,
    /// Per name: its index in `lowered.arrays`.
    pub(super) array_of: Vec<Option<usize>>,
    /// Names of data whose type is not evident.
    pub(super) untyped: Vec<Id>,
    /// Names of which a value is refused.
    pub(super) refused: BTreeSet<Id>,
    pub(super) lowered: Lowered,
}

/// The place that an assignment writes.
#[derive(Clone)]
pub(super) struct Target {
    pub(super) id: Id,
    pub(super) indices: Vec<Expr>,
    /// The whole left side, where it is a part of the word (`p[i].x`).
    pub(super) part: Option<Expr>,
}
