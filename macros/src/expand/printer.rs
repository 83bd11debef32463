//! The printer of control, and what it emits for data.

use std::collections::BTreeSet;

use proc_macro2::TokenStream;
use syn::Expr;

use super::Expansion;

/// Prints control and what stands in place of assignments.
pub(super) struct Printer<'e> {
    pub expansion: &'e Expansion<'e>,
    pub private: &'e TokenStream,
    pub emitted: Emitted,
    /// The kernel's own arrays that grains have in common, where these are printed.
    pub common: &'e BTreeSet<usize>,
    /// Words that are in variables where these are printed.
    pub registers: &'e [Register<'e>],
}

/// A word that has a variable while a loop runs.
pub(super) struct Register<'e> {
    pub array: usize,
    pub at: &'e [Expr],
    /// Printed indices, by which the word is known.
    pub text: String,
}

/// No arrays in common.
pub(super) const NONE: &BTreeSet<usize> = &BTreeSet::new();

/// Emitted code of an assignment of data.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Emitted {
    /// A task for the recorder.
    Task,
    /// The words that it reads and writes of the arrays that grains share.
    Accesses,
    /// The assignment itself.
    Assignment,
    /// The words that it reads of structure and of values, which a tape records.
    Recorded,
    /// The assignment, with structure and values read from a tape.
    Replayed,
}

impl Emitted {
    /// Arithmetic is checked where control is evaluated for the first time.
    pub(super) fn is_checked(self) -> bool {
        matches!(self, Self::Task | Self::Accesses)
    }

    /// Structure and values go through a tape.
    pub(super) fn is_taped(self) -> bool {
        matches!(self, Self::Recorded | Self::Replayed)
    }

    /// Data is computed.
    pub(super) fn computes(self) -> bool {
        matches!(self, Self::Assignment | Self::Replayed)
    }
}
