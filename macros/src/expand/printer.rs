//! Printer of control: what it knows, and the forms in which it emits data.

use std::collections::BTreeSet;

use proc_macro2::{Ident, TokenStream};
use syn::Expr;

use super::Expansion;
use crate::kernel::Id;
use crate::lower::{Node, Task};

/// Printer of control, and of what stands in place of assignments.
pub(super) struct Printer<'e> {
    pub expansion: &'e Expansion<'e>,
    pub private: &'e TokenStream,
    pub emitted: Emitted,
    /// The kernel's own arrays that grains have in common, where these are printed.
    pub common: &'e BTreeSet<usize>,
    /// Words that are in variables where these are printed.
    pub registers: &'e [Register<'e>],
    /// Values on the tape that were read before a loop, where its body is printed.
    pub hoisted: &'e [Hoisted],
    /// All nodes of the grain.
    pub grain: &'e [&'e Node],
    /// The loop whose control is recorded, where it is printed.
    pub recorded: Option<&'e Recorded<'e>>,
}

impl<'e> Printer<'e> {
    /// Returns one for code outside of grains.
    pub(super) fn new(
        expansion: &'e Expansion<'e>,
        private: &'e TokenStream,
        emitted: Emitted,
    ) -> Self {
        Self {
            expansion,
            private,
            emitted,
            common: NONE,
            registers: &[],
            hoisted: &[],
            grain: &[],
            recorded: None,
        }
    }
}

/// A word that has a variable while a loop runs.
pub(super) struct Register<'e> {
    pub array: usize,
    pub at: &'e [Expr],
    /// Printed indices, by which the word is known.
    pub text: String,
}

/// A value on the tape that is read before a loop.
#[derive(Clone)]
pub(super) struct Hoisted {
    /// The array of values whose word it is; none of control.
    pub array: Option<usize>,
    /// Indices of the word, or the control.
    pub at: Vec<Expr>,
    /// Printed indices or control, by which the value is known.
    pub text: String,
    pub name: Ident,
}

/// A loop whose control is recorded.
pub(super) struct Recorded<'e> {
    /// Tasks that it runs again and again, all of them each time.
    pub tasks: Vec<&'e Task>,
    /// The nodes from the first task to the last one.
    pub nodes: &'e [Node],
    /// Names that have other values each time.
    pub changing: BTreeSet<Id>,
}

impl Recorded<'_> {
    /// Returns the number of a task among all.
    pub(super) fn number(&self, task: &Task) -> usize {
        let is_it = |other: &&Task| std::ptr::eq(*other, task);
        self.tasks.iter().position(is_it).unwrap_or_default()
    }
}

/// No arrays in common.
const NONE: &BTreeSet<usize> = &BTreeSet::new();

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
    /// As recorded, inside a loop whose control is evaluated and recorded.
    Executed,
    /// Code that never runs, and gives recorded control its types.
    Typed,
}

impl Emitted {
    /// Returns whether arithmetic is checked: where control is evaluated for the first time.
    pub(super) fn is_checked(self) -> bool {
        matches!(self, Self::Task | Self::Accesses)
    }

    /// Returns whether structure and values go through a tape.
    pub(super) fn is_taped(self) -> bool {
        matches!(self, Self::Recorded | Self::Replayed)
    }

    /// Returns whether data is computed.
    pub(super) fn computes(self) -> bool {
        matches!(self, Self::Assignment | Self::Replayed)
    }
}
