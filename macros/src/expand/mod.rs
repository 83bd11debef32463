//! Expansion: prints a lowered kernel as the code of one side.
//!
//! The build side has the kernel's tables and its trace function. The crate side has the parallel
//! interface, and all that programs and plans need of the kernel. Each file prints a part of one.

mod accesses;
mod arguments;
mod assignment;
mod build;
mod checked;
mod data;
mod entry;
mod environment;
mod frame;
mod gathered;
mod held;
mod hoisted;
mod lent;
mod loaded;
mod names;
mod numbers;
mod operations;
mod planned;
mod planner;
mod prepared;
mod printer;
mod program;
mod ranked;
mod recorded;
mod registers;
mod scope;
mod statements;
mod taped;
mod trace;
mod walk;

#[cfg(test)]
pub(crate) use self::scope::is_ours;

use proc_macro2::TokenStream;
use quote::quote;

use crate::classify::Classes;
use crate::environment::Environment;
use crate::errors::Errors;
use crate::gather::Gathered;
use crate::grains::{self, Level};
use crate::identity::{self, Context, Identity, Side};
use crate::kernel::{Binding, Kernel};
use crate::lower::Lowered;
use crate::planning::Planning;
use crate::types::Types;
use arguments::Argument;
pub(crate) use frame::{Contents, frame};

/// Expansion of a kernel: all that the printers of its code read.
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
    /// Set if the kernel's author wants it to be planned.
    insists: bool,
    /// The line that keeps the kernel from being planned, and why; none if its author does.
    unplanned: Option<String>,
    /// The kernel with gathers for scatters, if it has any and is planned.
    gathered: Option<Gathered>,
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
            insists: false,
            unplanned: None,
            gathered: None,
        }
    }

    /// Finds the grains by which the kernel is planned at run time, or notes what is in the way.
    /// The latter is an error if the kernel's author insists on plans.
    pub(crate) fn find_grains(&mut self, planning: Planning, errors: &mut Errors) {
        self.insists = planning == Planning::Insisted;
        if planning == Planning::Excluded {
            return;
        }
        match grains::find(self.kernel, self.lowered) {
            Ok(levels) => self.grains = Some(levels),
            Err(error) if self.insists => errors.add(error),
            Err(error) => self.unplanned = Some(self.in_the_way(error)),
        }
    }

    /// Returns the text of the first of some refusals, with its line.
    fn in_the_way(&self, refused: syn::Error) -> String {
        let first = refused.into_iter().next();
        let (span, why) = match &first {
            Some(first) => (first.span(), first.to_string()),
            None => (self.kernel.name.span(), String::new()),
        };
        let file = identity::file_of(span).unwrap_or_else(|| self.identity.file.clone());
        format!("{file}:{}: {why}", span.start().line)
    }

    /// Returns the name that an array is.
    fn binding(&self, array: usize) -> &Binding {
        &self.kernel.bindings[self.lowered.arrays[array].id]
    }

    /// Returns whether plans can be loaded: where the kernel marks values, or its author wants
    /// plans.
    fn is_loaded(&self) -> bool {
        let parameters = &mut self.kernel.parameters.iter();
        self.insists || parameters.any(|parameter| self.kernel.bindings[parameter.id].marks.values)
    }

    /// Prints what stands in the kernel's module.
    pub(crate) fn tokens(&self) -> TokenStream {
        let data = self.data();
        let side = match self.context.side {
            Side::Build => self.build_side(),
            Side::Crate => self.crate_side(),
        };
        quote!(#data #side)
    }

    /// Prints the module of a refused kernel. In a build script it has what the script calls, so
    /// that it adds no errors to the refusals.
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
