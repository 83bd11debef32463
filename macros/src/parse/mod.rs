//! Parser from the function as written to a [`Kernel`], refusing what is outside the language.

mod assertions;
mod body;
mod calls;
mod names;
mod outside;
mod part;
mod parts;
mod reader;
mod resolve;
mod signature;
mod statements;

use syn::{Item, ItemFn};

use crate::attributes;
use crate::calls::Callees;
use crate::errors::Errors;
use crate::kernel::Kernel;
use crate::text::identifiers;
use names::Scope;
pub(crate) use reader::is_plain;

/// Reads a kernel. `function` still has our attributes. What is refused is left out of the kernel,
/// which then is good for its parameters only; there is none if the signature is refused.
pub(crate) fn kernel(function: &ItemFn, callees: &Callees, errors: &mut Errors) -> Option<Kernel> {
    let callees_functions = callees.kernels().map(|callee| &callee.function);
    let functions = std::iter::once(function).chain(callees_functions);
    let mut scope = Scope::new(functions.flat_map(identifiers).collect());
    signature::check(&function.sig, &mut scope);
    let (parameters, mutable) = signature::parameters(&function.sig, &mut scope);
    let signature = scope.errors.is_empty();
    attributes::check(function, &mut scope.errors);
    outside::check(function, &mut scope.errors);
    let body = body::body(function, &mutable, callees, &mut scope);
    if let Err(refused) = scope.errors.finish() {
        errors.add(refused);
    }
    if !signature {
        return None;
    }

    Some(Kernel {
        name: function.sig.ident.clone(),
        parameters,
        bindings: scope.bindings,
        error: signature::error(&function.sig).cloned(),
        body,
    })
}

/// Makes the error for the attribute on something other than a function.
pub(crate) fn not_a_function(item: &Item) -> syn::Error {
    syn::Error::new_spanned(
        item,
        "`#[kernel]` marks a function: a free function with a body",
    )
}
