//! Crate side of a kernel with scatters, loops that update words of later iterations.
//!
//! [`gather`](crate::gather) writes it anew with gathers: each iteration first makes all updates of
//! its own word. The kernel with gathers is planned as any other. It stands in a module of its own,
//! beside the kernel's, and users cannot call it. The runtime records the updates when a plan is
//! made. If each word is updated only before its own iteration, the kernel with gathers is planned
//! and run in place of the one as written.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use syn::ext::IdentExt;

use super::{Expansion, scope};
use crate::gather::{Gather, Gathered, recorders};
use crate::identity::Side;

impl Expansion<'_> {
    /// Expands the kernel with gathers, which this is; none if it cannot be planned. The parameters
    /// of the gathers are the last ones of its control, and the others those of the kernel.
    pub(crate) fn gathered_side(&self, gather: Gather) -> Option<Gathered> {
        self.grains.as_ref()?;
        let facade = &self.context.facade;
        let private = quote!(#facade::__private);
        let planned = quote!(#private::planned);
        let control = self.control(&private);
        let program = self.program(&private);
        let statements = self.statements();
        let control_of_plans = self.control_of_plans(&planned);
        let tape = self.tape(&planned);
        let grains = self.grains(&planned);
        let made = self.made_of_parts();
        let own = gather.parameters.iter().flatten().count();
        let mut names = self.control_names();
        names.truncate(names.len().checked_sub(own)?);
        Some(Gathered {
            module: format_ident!("superstep_gathered_{}", self.kernel.name.unraw()),
            contents: quote! {
                #private::if_planned! {
                    {
                        #control
                        fn differs() -> ::core::option::Option<&'static str> {
                            ::core::option::Option::None
                        }
                        #program
                        #statements
                        #control_of_plans
                        #tape
                        #grains
                        #made
                    }
                    {}
                }
            },
            recording: gather.recording,
            loops: gather.parameters.len(),
            control: names.into_iter().cloned().collect(),
            arguments: self.words_of_arguments().0,
            values: self.words_of_values().0,
        })
    }

    /// Prints functions that make `Control`, `Arguments` and `Values` of their fields, for the
    /// kernel's own module.
    fn made_of_parts(&self) -> TokenStream {
        let lifetime = self.lifetime();
        let (control, types) = (self.control_names(), self.borrowed_control_types());
        let (arguments, argument_types) = self.words_of_arguments();
        let (values, value_types) = self.words_of_values();
        quote! {
            pub fn made_control<'s>(#(#control: #types),*) -> Control<'s> {
                Control {
                    #(#control,)*
                    #lifetime: ::core::marker::PhantomData,
                }
            }

            pub fn made_arguments<'a>(#(#arguments: #argument_types),*) -> Arguments<'a> {
                Arguments { #(#arguments),* }
            }

            pub fn made_values<'a>(#(#values: #value_types),*) -> Values<'a> {
                Values {
                    #(#values,)*
                    #lifetime: ::core::marker::PhantomData,
                }
            }
        }
    }

    /// Prints the implementation of the runtime's `Scatters`, if the kernel has any. It says how
    /// updates are recorded, and what the kernel with gathers is called with.
    pub(super) fn scatters(&self, private: &TokenStream) -> Option<TokenStream> {
        let gathered = self.gathered.as_ref()?;
        let Gathered {
            module,
            loops,
            control: names,
            arguments,
            values,
            ..
        } = gathered;
        let unpack = self.unpacked_control();
        let control = super::names::hygienic("control");
        let recorders = recorders();
        let renamed = self.arguments.iter().zip(&self.kernel.parameters);
        let renamed = renamed.filter_map(|(argument, parameter)| {
            let name = &self.kernel.bindings[parameter.id].name;
            let unique = argument.control_name()?;
            (unique == &argument.name && name != unique).then(|| quote!(let #name = #unique;))
        });
        let recording = gathered.recording.iter();
        let recording = recording.map(|statement| scope::statement(statement, 1));
        let numbers = 0..*loops;
        let orders = numbers.map(|number| {
            quote! {
                &gatherings[#number].iterations, &gatherings[#number].starts,
                &gatherings[#number].sources, &gatherings[#number].entries
            }
        });
        Some(quote! {
            impl #private::gather::Scatters for Types {
                type Gathered = super::#module::Types;

                const LOOPS: usize = #loops;

                fn record_updates(
                    #control: Control<'_>,
                    #recorders: &mut [#private::gather::Recorder],
                ) {
                    #unpack
                    #(#renamed)*
                    #(#recording)*
                }

                fn gathered_control<'c: 's, 's>(
                    control: Control<'c>,
                    gatherings: &'s [#private::gather::Gathering],
                ) -> <Self::Gathered as #private::Grains>::Control<'s> {
                    super::#module::made_control(#(control.#names,)* #(#orders),*)
                }

                fn gathered_arguments(
                    arguments: <Self as #private::Kernel>::Arguments<'_>,
                ) -> <Self::Gathered as #private::Kernel>::Arguments<'_> {
                    super::#module::made_arguments(#(arguments.#arguments),*)
                }

                fn gathered_values(
                    values: <Self as #private::Grains>::Values<'_>,
                ) -> <Self::Gathered as #private::Grains>::Values<'_> {
                    super::#module::made_values(#(values.#values),*)
                }
            }
        })
    }

    /// Returns whether the kernel's plans may have gathers for scatters: in the crate, where plans
    /// are made and loaded.
    pub(crate) fn may_gather(&self) -> bool {
        self.context.side == Side::Crate && self.grains.is_some() && self.is_loaded()
    }

    /// Takes the kernel with gathers, if its parameters are among those of this one.
    pub(crate) fn with_gathers(&mut self, gathered: Gathered) {
        let control = self.control_names();
        let (arguments, _) = self.words_of_arguments();
        let (values, _) = self.words_of_values();
        let are_in = |all: &[Ident], names: &[Ident]| names.iter().all(|it| all.contains(it));
        let has = gathered.control.iter().all(|name| control.contains(&name))
            && are_in(&arguments, &gathered.arguments)
            && are_in(&values, &gathered.values);
        self.gathered = has.then_some(gathered);
    }

    /// Returns the runtime's type of plans of this name, `Planned` or `Loaded`. Where there are
    /// scatters it is the one for plans of either kernel.
    pub(super) fn type_of_plans(&self, private: &TokenStream, name: &str) -> TokenStream {
        let name = format_ident!("{name}");
        match self.gathered {
            Some(_) => quote!(#private::gather::#name),
            None => quote!(#private::#name),
        }
    }
}
