//! Types of words that are not primitive: prints the checks at compile time that they can be data.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Expr, Type};

use super::{Expansion, scope};
use crate::kernel::{Binder, Passing};
use crate::places::{self, bare};
use crate::text;
use crate::types::primitive;

impl Expansion<'_> {
    /// Returns the types of words that are not primitive.
    pub(super) fn own_types(&self) -> Vec<&Type> {
        let mut types: Vec<&Type> = Vec::new();
        for array in &self.lowered.arrays {
            if primitive(&array.element).is_none() && !types.contains(&&array.element) {
                types.push(&array.element);
            }
        }
        types
    }

    /// Prints a check for each type of words that is not primitive. It says at the type what data
    /// must be.
    pub(super) fn data(&self) -> TokenStream {
        let private = {
            let facade = &self.context.facade;
            quote!(#facade::__private)
        };
        let checks = self.own_types().into_iter().enumerate();
        let checks = checks.map(|(number, element)| {
            let is_data = is_data(number);
            let ty = scope::ty(element, 1);
            let derive = "write `#[derive(Clone, Copy)]` on a type of your own that owns nothing elsewhere";
            let instead = match self.slice_for(element) {
                Some(slice) => format!("{slice}, or {derive}"),
                None => format!(
                    "{derive}, or pass what the kernel uses of it as parameters, numbers by value and arrays as `&[T]` or `&mut [T]`"
                ),
            };
            let message = format!(
                "a kernel's data must be `Copy`, `Send`, `Sync` and `'static`, and `{}` is not: {instead}",
                text::of(element)
            );
            let check = quote_spanned!(element.span()=> ::core::assert!(#private::IsData::<#ty>::ANSWER, #message));
            quote! {
                const #is_data: bool = {
                    use #private::IsNoData as _;
                    #check;
                    true
                };
            }
        });
        quote!(#(#checks)*)
    }

    /// Tells which slice to pass for a type that the kernel indexes, as in `a[(i, j)]`, or a field
    /// of it.
    fn slice_for(&self, element: &Type) -> Option<String> {
        let bindings = &self.kernel.bindings;
        let mut indices = Vec::new();
        self.kernel.each_expression(&mut |expression| {
            places::each_within(expression, &mut |within| {
                if let Expr::Index(index) = within {
                    indices.push(index);
                }
            });
        });
        let (id, name, index) = indices.into_iter().find_map(|index| {
            let (place, field) = match bare(&index.expr) {
                Expr::Field(field) => (bare(&field.base), Some(text::of(&field.member))),
                place => (place, None),
            };
            let id = places::name(place)?;
            let binding = &bindings[id];
            let is_one = !binding.is_array() && binding.element.as_ref() == Some(element);
            is_one.then(|| (id, field.unwrap_or_else(|| binding.name.to_string()), index))
        })?;
        let lend = match bindings[id].binder {
            Binder::Parameter(Passing::Mutable) => "&mut ",
            _ => "&",
        };
        let flat = match bare(&index.index) {
            Expr::Tuple(pair) if pair.elems.len() == 2 => {
                let [row, column] = [0, 1].map(|at| bindings.text(&pair.elems[at]));
                match bare(&pair.elems[0]) {
                    Expr::Binary(_) | Expr::Cast(_) => format!("({row}) * columns + {column}"),
                    _ => format!("{row} * columns + {column}"),
                }
            }
            other => bindings.text(other),
        };
        let written = bindings.text(&Expr::Index(index.clone()));
        Some(format!(
            "pass its words, `{name}: {lend}[T]`, and write `{name}[{flat}]` for `{written}`"
        ))
    }
}

/// Returns the name of the constant that says that a type is data.
pub(super) fn is_data(number: usize) -> Ident {
    format_ident!("is_data_{number}")
}
