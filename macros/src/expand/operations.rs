//! Operations of statements and types of words, printed as values of the tracer's types.

use proc_macro2::{Literal, TokenStream};
use quote::{format_ident, quote};
use syn::Type;

use super::scope;
use crate::lower::{Choice, Form, Operations};
use crate::types::{is_integer, last_segment, primitive};

/// Writes the type of an array's words.
pub(super) fn element(ty: &Type, private: &TokenStream) -> TokenStream {
    let text = crate::text::of(ty);
    let kind = match primitive(ty).as_deref() {
        Some("f32" | "f64") => quote!(Float),
        Some("bool") => quote!(Bool),
        Some(name) if is_integer(name) => quote!(Integer),
        None if is_complex(ty) => quote!(Complex),
        _ => quote!(Other),
    };
    let ty = scope::ty(ty, 1);
    quote! {
        #private::Element {
            text: ::std::string::String::from(#text),
            kind: #private::ElementKind::#kind,
            bytes: ::core::mem::size_of::<#ty>(),
        }
    }
}

/// Tells a complex number by its type's name, whoever has written the type.
fn is_complex(ty: &Type) -> bool {
    let names = ["Complex", "Complex32", "Complex64"];
    last_segment(ty).is_some_and(|last| names.iter().any(|name| last.ident == name))
}

/// Writes the form of a statement.
pub(super) fn form(form: Form, private: &TokenStream) -> TokenStream {
    let form = match form {
        Form::Move => quote!(Move),
        Form::Value => quote!(Value),
        Form::Compound => quote!(Compound),
    };
    quote!(#private::Form::#form)
}

/// Writes the operations of an expression; numbers that are zero are left to the default.
pub(super) fn operations(operations: &Operations, private: &TokenStream) -> TokenStream {
    let numbers = operations.numbers().into_iter();
    let fields = numbers
        .filter(|(_, number)| *number > 0)
        .map(|(name, number)| {
            let (name, number) = (format_ident!("{name}"), Literal::u32_unsuffixed(number));
            quote!(#name: #number)
        });
    let mut fields: Vec<TokenStream> = fields.collect();
    if !operations.calls.is_empty() {
        let calls = &operations.calls;
        fields.push(quote!(calls: ::std::vec![#(::std::string::String::from(#calls)),*]));
    }
    if !operations.choices.is_empty() {
        let choices = operations.choices.iter();
        let choices = choices.map(|each| choice(each, private));
        fields.push(quote!(choices: ::std::vec![#(#choices),*]));
    }
    if let Some(nanoseconds) = operations.cost {
        let nanoseconds = Literal::u32_unsuffixed(nanoseconds);
        fields.push(quote!(cost: ::core::option::Option::Some(#nanoseconds)));
    }
    if fields.is_empty() {
        return quote!(::core::default::Default::default());
    }
    quote! {
        #private::Operations {
            #(#fields,)*
            ..::core::default::Default::default()
        }
    }
}

fn choice(choice: &Choice, private: &TokenStream) -> TokenStream {
    let operands = choice.operands.iter();
    let operands = operands.map(|&operand| Literal::u16_unsuffixed(operand));
    let condition = operations(&choice.condition, private);
    let ways = choice.ways.iter().map(|way| operations(way, private));
    quote! {
        #private::Choice {
            operands: ::std::vec![#(#operands),*],
            condition: #condition,
            ways: ::std::vec![#(#ways),*],
        }
    }
}
