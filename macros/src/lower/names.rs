//! Names and values that lowering puts into the bodies of statements.

use proc_macro2::{Ident, Span};
use quote::format_ident;
use syn::Expr;

/// Returns the name of an operand in a statement's body.
pub(crate) fn operand_name(number: usize) -> Ident {
    format_ident!("o{number}", span = Span::mixed_site())
}

/// Returns the operand of that name.
pub(super) fn operand_number(name: &Ident) -> Option<u16> {
    name.to_string().strip_prefix('o')?.parse().ok()
}

/// Returns the name of a control operand in a statement's body.
pub(crate) fn control_name(number: usize) -> Ident {
    format_ident!("c{number}", span = Span::mixed_site())
}

/// Returns the name of the word that is updated in a statement's body.
pub(crate) fn word_name() -> Ident {
    Ident::new("t", Span::mixed_site())
}

/// Returns the value of a guard that does not give up.
pub(super) fn nothing_wrong() -> Expr {
    syn::parse_quote!(::core::result::Result::Ok(()))
}
