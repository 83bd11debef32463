//! Refusal of kernels that stand in an `impl` or a `trait`, which an attribute cannot see.
//!
//! An attribute sees its function alone. In an `impl` or a `trait` the module beside the function
//! could not stand, and the compiler's errors would be about that module. So the source file is
//! read, where the function is indented.

use std::fs;

use quote::ToTokens;
use syn::visit::{self, Visit};
use syn::{Block, ImplItemFn, ItemFn, Signature, TraitItemFn};

/// Refuses a function that stands in an `impl` or a `trait`.
pub(crate) fn check(function: &ItemFn) -> syn::Result<()> {
    let name = &function.sig.ident;
    let span = name.span();
    let first = function.to_token_stream().into_iter().next();
    let indented = first.is_some_and(|token| token.span().start().column > 0);
    let text = indented.then(|| fs::read_to_string(span.local_file()?).ok());
    match text.flatten().and_then(|text| of(function, &text)) {
        None => Ok(()),
        Some(item) => Err(syn::Error::new(
            span,
            format!(
                "a kernel cannot stand in {item}, since the module of its name could not stand beside it: write a free function before, \
                 which takes what it needs as parameters"
            ),
        )),
    }
}

/// Returns the kind of item in which such a function stands in a source file. `None` as well if one
/// like it stands outside of them.
fn of(function: &ItemFn, text: &str) -> Option<&'static str> {
    let mut places = Places {
        function: words(&function.sig, &function.block),
        free: false,
        within: None,
    };
    places.visit_file(&syn::parse_file(text).ok()?);
    places.within.filter(|_| !places.free)
}

struct Places {
    function: String,
    free: bool,
    within: Option<&'static str>,
}

impl<'f> Visit<'f> for Places {
    fn visit_item_fn(&mut self, function: &'f ItemFn) {
        self.free |= words(&function.sig, &function.block) == self.function;
        visit::visit_item_fn(self, function);
    }

    fn visit_impl_item_fn(&mut self, function: &'f ImplItemFn) {
        if words(&function.sig, &function.block) == self.function {
            self.within = Some("an `impl`");
        }
        visit::visit_impl_item_fn(self, function);
    }

    fn visit_trait_item_fn(&mut self, function: &'f TraitItemFn) {
        if let Some(block) = &function.default
            && words(&function.sig, block) == self.function
        {
            self.within = Some("a `trait`");
        }
        visit::visit_trait_item_fn(self, function);
    }
}

/// Returns the tokens of a function without the space between them.
fn words(signature: &Signature, block: &Block) -> String {
    let tokens = signature.to_token_stream().to_string() + &block.to_token_stream().to_string();
    tokens.split_whitespace().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Option<&'static str> {
        let function = syn::parse_str("fn k(x: &mut [f64]) { x[0] = 1.0; }").unwrap();
        of(&function, text)
    }

    #[test]
    fn the_function_is_found_where_it_stands() {
        let function = "#[kernel]\n    pub fn k(x: &mut [f64])  { x[0]=1.0; }";
        assert_eq!(
            found(&format!("impl A {{ {function} }}")),
            Some("an `impl`")
        );
        assert_eq!(
            found(&format!("mod m {{ impl T for A {{ {function} }} }}")),
            Some("an `impl`")
        );
        assert_eq!(found(&format!("mod m {{ {function} }}")), None);
        let default = function.replace("pub ", "");
        assert_eq!(
            found(&format!("trait T {{ {default} }}")),
            Some("a `trait`")
        );
    }

    #[test]
    fn where_one_stands_outside_nothing_is_said() {
        let function = "fn k(x: &mut [f64]) { x[0] = 1.0; }";
        assert_eq!(found(&format!("impl A {{ {function} }} {function}")), None);
        assert_eq!(
            found("impl A { fn k(x: &mut [f64]) { x[0] = 2.0; } }"),
            None
        );
        assert_eq!(found("no Rust"), None);
    }
}
