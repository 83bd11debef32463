//! From a lowered kernel to the code of one side.

mod accesses;
mod arguments;
mod build;
mod checked;
mod data;
mod entry;
mod environment;
mod frame;
mod held;
mod loaded;
mod names;
mod numbers;
mod operations;
mod planned;
mod planner;
mod printer;
mod program;
mod scope;
mod statements;
mod taped;
mod trace;
mod walk;

use proc_macro2::TokenStream;
use quote::quote;

use crate::classify::Classes;
use crate::environment::Environment;
use crate::errors::Errors;
use crate::grains::{self, Level};
use crate::identity::{Context, Identity, Side};
use crate::kernel::Kernel;
use crate::lower::Lowered;
use crate::types::Types;
use arguments::Argument;
pub(crate) use frame::{Contents, frame};

/// All that an expansion is made of.
pub(crate) struct Expansion<'k> {
    pub context: &'k Context,
    pub identity: Identity,
    pub kernel: &'k Kernel,
    pub classes: &'k Classes,
    pub lowered: &'k Lowered,
    types: &'k Types,
    environment: Environment,
    arguments: Vec<Argument>,
    /// The grains at each level, if the kernel is planned at run time too.
    grains: Option<Vec<Level<'k>>>,
}

impl<'k> Expansion<'k> {
    pub(crate) fn new(
        context: &'k Context,
        identity: Identity,
        kernel: &'k Kernel,
        types: &'k Types,
        classes: &'k Classes,
        lowered: &'k Lowered,
    ) -> Self {
        Self {
            context,
            identity,
            kernel,
            classes,
            lowered,
            types,
            environment: Environment::of(kernel, types, lowered),
            arguments: arguments::of(kernel, classes),
            grains: None,
        }
    }

    /// Finds the grains of a kernel that is planned at run time, or refuses it.
    pub(crate) fn find_grains(&mut self, errors: &mut Errors) {
        self.grains = Some(grains::find(self.kernel, self.lowered, errors));
    }

    /// What stands in the kernel's module.
    pub(crate) fn tokens(&self) -> TokenStream {
        let data = self.data();
        let side = match self.context.side {
            Side::Build => self.build_side(),
            Side::Crate => self.crate_side(),
        };
        quote!(#data #side)
    }

    /// What stands in the module of a refused kernel: in a build script what the script calls, so that it adds no errors to the refusals.
    pub(crate) fn refused(&self) -> TokenStream {
        if self.context.side == Side::Crate {
            return TokenStream::new();
        }
        let facade = &self.context.facade;
        let parameters = self.control_parameters();
        quote! {
            pub fn instance(#(#parameters),*) -> #facade::build::Instance {
                ::core::panic!("the kernel is refused")
            }
        }
    }
}
