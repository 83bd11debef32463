//! Printer of the control arguments of plans: the types and functions that borrow them, copy them,
//! and lend them to processors.

use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::Type;

use super::Expansion;
use super::arguments::Argument;
use super::names::hygienic;
use crate::kernel::Id;

/// Pointee of a control parameter that is a reference.
enum Pointee {
    Slice,
    One,
}

fn pointee(argument: &Argument) -> Option<(Pointee, &Type)> {
    Some(match argument.structure()? {
        Type::Slice(slice) => (Pointee::Slice, &*slice.elem),
        one => (Pointee::One, one),
    })
}

impl Expansion<'_> {
    /// Prints the control arguments as plans hold and lend them.
    pub(super) fn control_of_plans(&self, private: &TokenStream) -> TokenStream {
        let (names, lifetime) = (self.control_names(), self.lifetime());
        let types = self.borrowed_control_types();
        let forms = self.control_arguments().zip(&types);
        let forms = forms.map(|((argument, _), ty)| match pointee(argument) {
            Some((Pointee::Slice, ty)) => (
                quote!(::std::boxed::Box<[#ty]>),
                quote!(#private::LentInput<#ty>),
            ),
            Some((Pointee::One, ty)) => (quote!(#ty), quote!(#private::LentInput<#ty>)),
            None => (ty.clone(), ty.clone()),
        });
        let (owned, lent): (Vec<_>, Vec<_>) = forms.unzip();
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
        let forms = self.control_arguments();
        let forms = forms.map(|(argument, name)| match pointee(argument) {
            Some((Pointee::Slice, _)) => [
                quote!(::std::boxed::Box::from(control.#name)),
                quote!(&copies.#name),
                quote!(#private::LentInput::new(control.#name)),
                quote!(lent.#name.slice(permit)),
            ],
            Some((Pointee::One, _)) => [
                quote!(::core::clone::Clone::clone(control.#name)),
                quote!(&copies.#name),
                quote!(#private::LentInput::new(::core::slice::from_ref(control.#name))),
                quote!(&lent.#name.slice(permit)[0]),
            ],
            None => [
                quote!(control.#name),
                quote!(copies.#name),
                quote!(control.#name),
                quote!(lent.#name),
            ],
        });
        let forms: Vec<_> = forms.collect();
        let [copy, borrow_copies, lend, borrow] =
            [0, 1, 2, 3].map(|form| forms.iter().map(move |forms| &forms[form]));
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
