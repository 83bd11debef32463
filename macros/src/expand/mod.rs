//! From a lowered kernel to the code of one side.

mod arguments;
mod build;
mod checked;
mod entry;
mod program;
mod scope;
mod statements;
mod trace;

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::ext::IdentExt;

use crate::classify::Classes;
use crate::identity::{Context, Identity, Side};
use crate::kernel::Kernel;
use crate::lower::Lowered;
use arguments::Argument;

/// All that an expansion is made of.
pub(crate) struct Expansion<'k> {
    pub context: &'k Context,
    pub identity: Identity,
    pub kernel: &'k Kernel,
    pub classes: &'k Classes,
    pub lowered: &'k Lowered,
    arguments: Vec<Argument>,
}

impl<'k> Expansion<'k> {
    pub(crate) fn new(
        context: &'k Context,
        identity: Identity,
        kernel: &'k Kernel,
        classes: &'k Classes,
        lowered: &'k Lowered,
    ) -> Self {
        Self {
            context,
            identity,
            kernel,
            classes,
            lowered,
            arguments: arguments::of(kernel, classes),
        }
    }

    /// The kernel's function, and the module beside it.
    pub(crate) fn tokens(&self) -> TokenStream {
        let function = &self.kernel.function;
        let name = &self.kernel.name;
        let visibility = &self.kernel.visibility;
        let (lints, module) = match self.context.side {
            Side::Build => (
                quote!(#[allow(dead_code, unreachable_pub)]),
                self.build_side(),
            ),
            Side::Crate => (TokenStream::new(), self.crate_side()),
        };
        let docs = self.module_docs();
        let conditions = &self.kernel.conditions;
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
                clippy::needless_range_loop,
                clippy::ptr_arg,
                clippy::too_many_arguments,
                clippy::type_complexity
            )]
            #lints
            #function

            // A kernel inside a function ends here, with one error that says so.
            #[allow(unused_imports)]
            #(#conditions)*
            use #name as #alias;

            #docs
            #(#conditions)*
            #[allow(
                deprecated, missing_copy_implementations, missing_debug_implementations,
                nonstandard_style, single_use_lifetimes, trivial_casts, trivial_numeric_casts,
                unreachable_pub, unused, unused_qualifications, unused_results,
                clippy::all, clippy::pedantic, clippy::nursery, clippy::restriction
            )]
            #visibility mod #name {
                use super::*;
                use super::#alias as original;
                #module
            }
        }
    }

    /// The function of a refused kernel. In a build script also what the script calls, so that it adds no errors to the refusals.
    pub(crate) fn refused(&self) -> TokenStream {
        let function = &self.kernel.function;
        let name = &self.kernel.name;
        let visibility = &self.kernel.visibility;
        let facade = &self.context.facade;
        let parameters = self.control_parameters();
        let module = (self.context.side == Side::Build).then(|| {
            quote! {
                #[allow(unreachable_pub, unused)]
                #visibility mod #name {
                    use super::*;
                    pub fn instance(#(#parameters),*) -> #facade::build::Instance {
                        ::core::panic!("the kernel is refused")
                    }
                }
            }
        });
        quote! {
            #[allow(dead_code)]
            #function
            #module
        }
    }

    fn module_docs(&self) -> TokenStream {
        let name = &self.kernel.name;
        let docs = &self.kernel.docs;
        let first = match self.context.side {
            Side::Build => format!(
                "The kernel [`{name}`](fn@{name}) for the build script: [`instance`]({name}::instance) asks for a parallel program."
            ),
            Side::Crate => format!("The parallel program of [`{name}`](fn@{name})."),
        };
        quote! {
            #[doc = #first]
            #[doc = ""]
            #(#docs)*
        }
    }
}
