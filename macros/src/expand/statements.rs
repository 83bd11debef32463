//! Statement functions: what each statement computes, in the scope of the kernel's module.
//!
//! `depth` tells how many modules below that one a type or an expression is printed, at least 1.
//! The user's relative paths are rewritten for it (`scope`).

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::Type;
use syn::spanned::Spanned;
use syn::visit_mut::VisitMut;

use super::data::is_data;
use super::{Expansion, scope};
use crate::identity;
use crate::library::Calls;
use crate::lower::{Body, Statement, control_name, operand_name, word_name};

impl Expansion<'_> {
    /// Prints the module of statement functions, two levels below the kernel's module.
    pub(super) fn statements(&self) -> TokenStream {
        let functions = self.lowered.statements.iter().enumerate();
        let functions = functions.map(|(number, statement)| self.function(number, statement));
        quote! {
            /// Functions that compute each statement's value.
            mod statements {
                use super::super::*;
                #(#functions)*
            }
        }
    }

    fn function(&self, number: usize, statement: &Statement) -> TokenStream {
        let name = format_ident!("s{number}");
        let operands = (0..).map(operand_name).zip(&statement.operands);
        let operands = operands.map(|(name, &array)| {
            let ty = self.element(array, 2);
            quote!(#name: #ty)
        });
        let control = (0..).map(control_name).zip(&statement.control);
        let control = control.map(|(name, ty)| quote!(#name: #ty));
        let result = self.result(statement, 2);
        let body = self.statement_body(statement, 2);
        let facade = &self.context.facade;
        let private = quote!(#facade::__private);
        let span = statement.source.span;
        let file = identity::file_of(span).unwrap_or_else(|| self.identity.file.clone());
        let line = span.start().line as u32;
        // Hygiene: the body is the user's, and can't name these.
        let begun = Ident::new("begun", Span::mixed_site());
        let value = Ident::new("value", Span::mixed_site());
        quote! {
            #[inline(always)]
            pub(super) fn #name(#(#operands,)* #(#control),*) -> #result {
                let #begun = #private::Begun::new(&#private::Statement { file: #file, line: #line });
                let #value: #result = { #body };
                #begun.end();
                #value
            }
        }
    }

    /// Prints the inside of a block that computes the value of a statement, from the names of its
    /// operands and control values.
    pub(super) fn statement_body(&self, statement: &Statement, depth: usize) -> TokenStream {
        let facade = &self.context.facade;
        let print = |expression| {
            let moved = scope::expression(expression, depth);
            let mut printed = self.kernel.bindings.restore(moved);
            Calls { facade }.visit_expr_mut(&mut printed);
            printed
        };
        match &statement.body {
            Body::Value(value) => {
                let value = print(value);
                quote!(#value)
            }
            Body::Update { place, op, value } => {
                let word = word_name();
                let first = operand_name(0);
                let ty = self.result(statement, depth);
                let place = print(place);
                let value = print(value);
                let op = op.map_or_else(|| quote!(=), |op| quote!(#op));
                quote! {
                    let mut #word: #ty = #first;
                    #place #op #value;
                    #word
                }
            }
        }
    }

    /// Returns the type of a statement's value: a word of its target, or a guard's verdict.
    pub(super) fn result(&self, statement: &Statement, depth: usize) -> Type {
        match statement.target {
            Some(target) => self.element(target, depth),
            None => {
                let error = self.error(depth);
                syn::parse_quote!(::core::result::Result<(), #error>)
            }
        }
    }

    /// Returns the type of the errors of a kernel's guards. A kernel that can't give up has
    /// `Infallible`, of which there is no value.
    pub(super) fn error(&self, depth: usize) -> Type {
        match &self.kernel.error {
            Some(error) => scope::ty(error, depth),
            None => syn::parse_quote!(::core::convert::Infallible),
        }
    }

    /// Returns the type of an array's words. One that is not primitive is printed as the `Word` of
    /// its `Data`, which is itself. So where it can't be data, only its [check](Self::data) fails.
    pub(super) fn element(&self, array: usize, depth: usize) -> Type {
        let element = &self.lowered.arrays[array].element;
        let ty = scope::ty(element, depth);
        let Some(number) = self.own_types().iter().position(|own| *own == element) else {
            return ty;
        };
        let facade = &self.context.facade;
        let supers = std::iter::repeat_n(quote!(super::), depth - 1);
        let span = element.span();
        let is_data = is_data(number);
        Type::Verbatim(
            quote_spanned!(span=> <#ty as #facade::__private::Data<{ #(#supers)* #is_data }>>::Word),
        )
    }
}
