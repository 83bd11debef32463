//! Statement functions: what each statement computes, in the scope of the kernel's module.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::Type;
use syn::visit_mut::VisitMut;

use super::{Expansion, scope};
use crate::library::Calls;
use crate::lower::{Body, Statement, control_name, operand_name, word_name};

impl Expansion<'_> {
    /// The module of statement functions, two levels below the kernel's module.
    pub(super) fn statements(&self) -> TokenStream {
        let functions = self.lowered.statements.iter().enumerate();
        let functions = functions.map(|(number, statement)| self.function(number, statement));
        quote! {
            /// What each statement computes.
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
        let result = self.element(statement.target, 2);
        let body = self.statement_body(statement, 2);
        quote! {
            #[inline(always)]
            pub(super) fn #name(#(#operands,)* #(#control),*) -> #result {
                #body
            }
        }
    }

    /// The value of a statement, from its operands' names.
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
                let ty = self.element(statement.target, depth);
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

    /// Type of an array's words.
    pub(super) fn element(&self, array: usize, depth: usize) -> Type {
        scope::ty(&self.lowered.arrays[array].element, depth)
    }
}
