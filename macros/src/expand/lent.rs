//! Printer of the control arguments of plans: the types and functions that borrow them, copy them,
//! and lend them to processors.

use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::Type;

use super::Expansion;
use super::arguments::{Argument, Kind};
use super::names::hygienic;
use crate::kernel::Id;

/// Pointee of a control parameter that is a reference.
enum Pointee {
    Slice,
    One,
}

fn pointee(argument: &Argument) -> Option<(Pointee, &Type)> {
    match (&argument.kind, &argument.ty) {
        (Kind::Structure { .. }, Type::Reference(reference)) => Some(match &*reference.elem {
            Type::Slice(slice) => (Pointee::Slice, &*slice.elem),
            one => (Pointee::One, one),
        }),
        _ => None,
    }
}

impl Expansion<'_> {
    /// Prints the control arguments as plans hold and lend them.
    pub(super) fn control_of_plans(&self, private: &TokenStream) -> TokenStream {
        let (names, lifetime) = (self.control_names(), self.lifetime());
        let types = self.borrowed_control_types(&quote!(<'s>));
        let control = self.arguments.iter().filter(|a| a.control_name().is_some());
        let given = control.clone().zip(&types);
        let lent = given.map(|(argument, ty)| match pointee(argument) {
            Some((_, pointed)) => quote!(#private::LentInput<#pointed>),
            None => ty.clone(),
        });
        let owned = control
            .zip(&types)
            .map(|(argument, ty)| match pointee(argument) {
                Some((Pointee::Slice, ty)) => quote!(::std::boxed::Box<[#ty]>),
                Some((Pointee::One, ty)) => quote!(#ty),
                None => quote!(#ty),
            });
        let owned: Vec<TokenStream> = owned.collect();
        quote! {
            /// Copies of the control arguments.
            pub struct OwnedControl {
                #(#names: #owned,)*
            }

            /// The control arguments of a plan.
            #[derive(Clone, Copy)]
            pub struct Control<'s> {
                #(#names: #types,)*
                #lifetime: ::core::marker::PhantomData<&'s ()>,
            }

            /// The control arguments while they are lent to all processors.
            #[derive(Clone, Copy)]
            pub struct LentControl {
                #(#names: #lent,)*
            }
        }
    }

    /// Prints how the runtime's `Grains` copies and lends control arguments, and has them back.
    pub(super) fn lent_control(&self, private: &TokenStream) -> TokenStream {
        let (names, lifetime) = (self.control_names(), self.lifetime());
        let control = self.arguments.iter().filter(|a| a.control_name().is_some());
        let lend = control.clone().map(|argument| {
            let name = argument.control_name();
            match pointee(argument) {
                Some((Pointee::Slice, _)) => quote!(#private::LentInput::new(control.#name)),
                Some((Pointee::One, _)) => {
                    quote!(#private::LentInput::new(::core::slice::from_ref(control.#name)))
                }
                None => quote!(control.#name),
            }
        });
        let copy = control.clone().map(|argument| {
            let name = argument.control_name();
            match pointee(argument) {
                Some((Pointee::Slice, _)) => quote!(::std::boxed::Box::from(control.#name)),
                Some((Pointee::One, _)) => quote!(::core::clone::Clone::clone(control.#name)),
                None => quote!(control.#name),
            }
        });
        let borrow_copies = control.clone().map(|argument| {
            let name = argument.control_name();
            match pointee(argument) {
                Some(_) => quote!(&copies.#name),
                None => quote!(copies.#name),
            }
        });
        let borrow = control.map(|argument| {
            let name = argument.control_name();
            match pointee(argument) {
                Some((Pointee::Slice, _)) => quote!(lent.#name.slice(permit)),
                Some((Pointee::One, _)) => quote!(&lent.#name.slice(permit)[0]),
                None => quote!(lent.#name),
            }
        });
        quote! {
            #[inline]
            fn copy_control(control: Control<'_>) -> OwnedControl {
                OwnedControl { #(#names: #copy,)* }
            }

            #[inline]
            fn borrow_control(copies: &OwnedControl) -> Control<'_> {
                Control {
                    #(#names: #borrow_copies,)*
                    #lifetime: ::core::marker::PhantomData,
                }
            }

            #[inline]
            fn lend_control(control: Control<'_>) -> LentControl {
                LentControl { #(#names: #lend,)* }
            }

            #[inline]
            fn control<'v>(lent: &LentControl, permit: #private::Permit<'v>) -> Control<'v> {
                Control {
                    #(#names: #borrow,)*
                    #lifetime: ::core::marker::PhantomData,
                }
            }
        }
    }

    /// Prints the control arguments as values of their names.
    pub(super) fn unpacked_control(&self) -> TokenStream {
        let (control, names) = (hygienic("control"), self.control_names());
        quote!(let Control { #(#names,)* .. } = #control;)
    }

    /// Returns the slices of structure: which they are, their names and their elements.
    pub(super) fn structure(&self) -> impl Iterator<Item = (Id, &Ident, &Type)> {
        self.arguments.iter().filter_map(|argument| {
            let (Pointee::Slice, element) = pointee(argument)? else {
                return None;
            };
            let parameters = self.kernel.parameters.iter();
            let is_its = |id: &Id| self.kernel.bindings[*id].unique == argument.name;
            let id = parameters.map(|parameter| parameter.id).find(is_its)?;
            Some((id, &argument.name, element))
        })
    }
}
