//! Names that expansions make, which meet no name of the user's (hygiene).

use proc_macro2::{Ident, Span};
use syn::ext::IdentExt;

/// Returns a name of ours.
pub(super) fn hygienic(name: &str) -> Ident {
    Ident::new(name, Span::mixed_site())
}

/// Names an array that grains have in common where they run.
pub(super) fn common_name(array: &Ident) -> Ident {
    hygienic(&format!("common_{}", array.unraw()))
}

/// Names the recorder of a trace function.
pub(super) fn recorder() -> Ident {
    hygienic("recorder")
}
