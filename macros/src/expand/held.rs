//! Control arguments as they are held by what is made for them: plans at run time, and prepared
//! programs.

use proc_macro2::TokenStream;
use quote::quote;
use syn::Type;

use super::Expansion;
use super::arguments::{Argument, Kind};

/// Returns what a `#[structure]` parameter refers to, if it is a reference.
fn referent(argument: &Argument) -> Option<&Type> {
    match (&argument.kind, &argument.ty) {
        (Kind::Structure { .. }, Type::Reference(reference)) => Some(&reference.elem),
        _ => None,
    }
}

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
        let control = self.arguments.iter().filter(|a| a.control_name().is_some());
        let types = control.map(|argument| match (referent(argument), &argument.kind) {
            (Some(ty), _) => quote!(#private::Structure<#lifetime, #ty>),
            (None, Kind::Data { .. }) => quote!(usize),
            (None, _) => {
                let ty = &argument.ty;
                quote!(#ty)
            }
        });
        types.collect()
    }

    /// Prints how the control parameters are held, borrowed or owned.
    pub(super) fn hold(&self) -> TokenStream {
        let lifetime = self.lifetime();
        let control = self.arguments.iter().filter_map(|argument| {
            let name = argument.control_name()?;
            Some(match referent(argument) {
                Some(_) => quote!(#name: ::core::convert::Into::into(#name)),
                None => quote!(#name),
            })
        });
        quote!(Held {
            #(#control,)*
            #lifetime: ::core::marker::PhantomData,
        })
    }

    /// Prints code that gives the control arguments their names, of what holds them.
    pub(super) fn lend_held(&self, held: &TokenStream) -> TokenStream {
        let names = self.control_names();
        let lent = self.arguments.iter().filter_map(|argument| {
            let name = argument.control_name()?;
            Some(match referent(argument) {
                Some(_) => quote!(let #name = #name.get();),
                None => quote!(let #name = *#name;),
            })
        });
        quote!(let Held { #(#names,)* .. } = #held; #(#lent)*)
    }

    /// Prints the control parameters of a function that owns `#[structure]` arguments; none if the
    /// kernel has no such arguments.
    pub(super) fn owned_parameters(&self, private: &TokenStream) -> Option<Vec<TokenStream>> {
        self.arguments.iter().find_map(referent)?;
        let types = self.held_types(private, &quote!('static));
        let control = self.arguments.iter().filter(|a| a.control_name().is_some());
        let parameters = control.zip(types).map(|(argument, ty)| {
            let name = argument.control_name();
            match referent(argument) {
                Some(_) => quote!(#name: impl ::core::convert::Into<#ty>),
                None => quote!(#name: #ty),
            }
        });
        Some(parameters.collect())
    }
}
