//! Control arguments as they are held by what is made for them: plans at run time, and prepared
//! programs.

use proc_macro2::TokenStream;
use quote::quote;

use super::Expansion;
use super::arguments::Argument;

impl Expansion<'_> {
    /// Prints the type `Held`.
    pub(super) fn held(&self, private: &TokenStream) -> TokenStream {
        let (names, lifetime) = (self.control_names(), self.lifetime());
        let types = self.held_types(private, &quote!('s));
        quote! {
            /// The control arguments as a plan holds them.
            #[derive(Clone, Debug)]
            struct Held<'s> {
                #(#names: #types,)*
                #lifetime: ::core::marker::PhantomData<&'s ()>,
            }
        }
    }

    fn held_types(&self, private: &TokenStream, lifetime: &TokenStream) -> Vec<TokenStream> {
        let types = self.control_arguments();
        let types = types.map(|(argument, _)| match argument.structure() {
            Some(ty) => quote!(#private::Structure<#lifetime, #ty>),
            None => argument.control_type(),
        });
        types.collect()
    }

    /// Prints how the control parameters are held, borrowed or owned.
    pub(super) fn hold(&self) -> TokenStream {
        let lifetime = self.lifetime();
        let control = self.control_arguments();
        let control = control.map(|(argument, name)| match argument.structure() {
            Some(_) => quote!(#name: ::core::convert::Into::into(#name)),
            None => quote!(#name),
        });
        quote!(Held {
            #(#control,)*
            #lifetime: ::core::marker::PhantomData,
        })
    }

    /// Prints code that gives the control arguments their names, of what holds them.
    pub(super) fn lend_held(&self, held: &TokenStream) -> TokenStream {
        let names = self.control_names();
        let lent = self.control_arguments();
        let lent = lent.map(|(argument, name)| match argument.structure() {
            Some(_) => quote!(let #name = #name.get();),
            None => quote!(let #name = *#name;),
        });
        quote!(let Held { #(#names,)* .. } = #held; #(#lent)*)
    }

    /// Prints the control parameters of a function that owns `#[structure]` arguments; none if the
    /// kernel has no such arguments.
    pub(super) fn owned_parameters(&self, private: &TokenStream) -> Option<Vec<TokenStream>> {
        self.arguments.iter().find_map(Argument::structure)?;
        let types = self.held_types(private, &quote!('static));
        let control = self.control_arguments().zip(types);
        let parameters = control.map(|((argument, name), ty)| match argument.structure() {
            Some(_) => quote!(#name: impl ::core::convert::Into<#ty>),
            None => quote!(#name: #ty),
        });
        Some(parameters.collect())
    }
}
