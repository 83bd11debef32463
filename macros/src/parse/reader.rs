//! Reader of a kernel's body: the state that the modules of statements, assertions, calls and parts
//! share while they parse it.

use std::fmt::Display;

use quote::ToTokens;
use syn::{ExprCall, Lifetime, PatIdent};

use super::names::Scope;
use crate::calls::Callees;
use crate::kernel::Source;
use crate::text;

/// The reader of a body: what it knows while it reads.
pub(super) struct Reader<'s> {
    pub scope: &'s mut Scope,
    pub callees: &'s Callees,
    /// Set if the signature is refused for what the function returns.
    pub returns: bool,
    /// Set if the kernel returns a `Result`.
    pub can_fail: bool,
    /// Set if a loop around is marked `#[grain]`.
    pub in_grain: bool,
    /// The call, in the kernel itself, whose callee is being read.
    pub call: Option<ExprCall>,
    /// Exit to which `return` leads in that callee.
    pub exit: Option<Exit>,
}

impl Reader<'_> {
    pub(super) fn refuse(&mut self, at: impl ToTokens, message: impl Display) {
        self.scope.errors.refuse(at, message);
    }

    /// Refuses, and reads nothing.
    pub(super) fn refused<T: Default>(&mut self, at: impl ToTokens, message: impl Display) -> T {
        self.refuse(at, message);
        T::default()
    }
}

/// Exit of a callee, to which its `return` leads.
pub(super) struct Exit {
    pub label: Lifetime,
    pub used: bool,
}

/// Returns whether a pattern is a name, which nothing is assigned to.
pub(crate) fn is_plain(name: &PatIdent) -> bool {
    name.by_ref.is_none() && name.subpat.is_none() && name.mutability.is_none()
}

/// Returns the statement without the semicolon at its end.
pub(super) fn source(statement: &impl ToTokens) -> Source {
    let tokens = statement.to_token_stream();
    let span = tokens
        .clone()
        .into_iter()
        .next()
        .map_or_else(proc_macro2::Span::call_site, |t| t.span());
    let text = text::of(&tokens);
    let text = text.strip_suffix(';').unwrap_or(&text).to_owned();
    Source {
        span,
        text,
        cost: None,
    }
}
