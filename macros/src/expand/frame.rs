//! Frame of an expansion: the kernel's function, and the module beside it.

use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote};
use syn::ext::IdentExt;
use syn::visit_mut::VisitMut;
use syn::{Attribute, ItemFn};

use crate::errors::Errors;
use crate::identity::{Context, Identity, Side};
use crate::library::Calls;
use crate::{attributes, calls, reduce};

/// Contents of a kernel's module.
pub(crate) enum Contents {
    /// All of it, or what asks for it.
    Complete(TokenStream),
    /// All of it, and the module of the kernel with gathers for scatters.
    WithGathers(TokenStream, TokenStream),
    /// Contents for a refused kernel, so that there are no errors but the refusals.
    Refused(TokenStream),
    /// The signature is refused: no module.
    None,
}

impl ToTokens for Contents {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        match self {
            Contents::Complete(contents)
            | Contents::WithGathers(contents, _)
            | Contents::Refused(contents) => {
                contents.to_tokens(tokens);
            }
            Contents::None => {}
        }
    }
}

/// Prints the function that a kernel keeps, without our attributes, with trees for marked loops and
/// with [`Calls`] of the library, and its module. `function` is as written.
pub(crate) fn frame(context: &Context, function: &ItemFn, contents: &Contents) -> TokenStream {
    let Context { side, facade, .. } = context;
    let name = &function.sig.ident;
    let visibility = &function.vis;
    let mut original = reduce::rewrite(function, &mut Errors::default());
    attributes::strip(&mut original);
    Calls { facade }.visit_block_mut(&mut original.block);
    let id = Identity::new(&context.file, function).id;
    if let Contents::Refused(_) | Contents::None = contents {
        let module = matches!(contents, Contents::Refused(_)).then(|| {
            let source = calls::source(facade, &id, None);
            quote! {
                #[allow(unreachable_pub, unused)]
                #visibility mod #name {
                    use super::*;
                    #source
                    #contents
                }
            }
        });
        return quote! {
            #[allow(dead_code)]
            #original
            #module
        };
    }
    let lints = (*side == Side::Build).then(|| quote!(#[allow(dead_code, unreachable_pub)]));
    let conditions = attributes_named(function, "cfg");
    let silent = quote! {
        #[allow(
            deprecated, missing_copy_implementations, missing_debug_implementations,
            nonstandard_style, single_use_lifetimes, trivial_casts, trivial_numeric_casts,
            unreachable_pub, unused, unused_qualifications, unused_results,
            clippy::all, clippy::pedantic, clippy::nursery, clippy::restriction
        )]
    };
    let docs = docs(*side, function);
    let source = calls::source(facade, &id, Some(function));
    let gathered = match contents {
        Contents::WithGathers(_, gathered) => quote! {
            #(#conditions)*
            #silent
            #gathered
        },
        _ => TokenStream::new(),
    };
    let alias = format_ident!(
        "{}_is_a_kernel_and_cannot_stand_inside_a_function",
        name.unraw(),
        span = name.span()
    );
    quote! {
        #[allow(
            clippy::assign_op_pattern,
            clippy::explicit_counter_loop,
            clippy::manual_memcpy,
            clippy::manual_swap,
            clippy::needless_borrow,
            clippy::needless_range_loop,
            clippy::ptr_arg,
            clippy::too_many_arguments,
            clippy::type_complexity
        )]
        #lints
        #original

        // A kernel inside a function ends here, with one error that says so.
        #[allow(unused_imports)]
        #(#conditions)*
        use #name as #alias;

        #docs
        #(#conditions)*
        #silent
        #visibility mod #name {
            use super::*;
            use super::#alias as original;
            #source
            #contents
        }

        #gathered
    }
}

fn attributes_named<'f>(function: &'f ItemFn, name: &str) -> Vec<&'f Attribute> {
    let attributes = function.attrs.iter();
    attributes.filter(|a| a.path().is_ident(name)).collect()
}

fn docs(side: Side, function: &ItemFn) -> TokenStream {
    let name = &function.sig.ident;
    let docs = attributes_named(function, "doc");
    let first = match side {
        Side::Build => format!(
            "The kernel [`{name}`](fn@{name}) for the build script: [`instance`]({name}::instance) asks for a parallel program."
        ),
        Side::Crate => {
            format!("Parallel runs of [`{name}`](fn@{name}): programs of the build, and plans.")
        }
    };
    quote! {
        #[doc = #first]
        #[doc = ""]
        #(#docs)*
    }
}
