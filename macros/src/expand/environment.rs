//! Digests of what control reads beside its arguments: constants, and functions of integers.
//!
//! They are printed on both sides of an expansion, so that a program can tell whether it reads what
//! its build has read. On the build side calls of such functions are noted, too.

use proc_macro2::{Literal, TokenStream};
use quote::quote;
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, ExprCall, Type};

use super::names::hygienic;
use super::{Expansion, scope};
use crate::environment::{Read, Value};

impl Expansion<'_> {
    /// Prints the function that digests the value of each number, a constant's or a function's
    /// result.
    pub(super) fn observed(&self) -> TokenStream {
        let facade = &self.context.facade;
        let environment = quote!(#facade::__private::environment);
        let reads = self.environment.reads().iter();
        let arms = (0_u16..).zip(reads).map(|(number, Read { value, .. })| {
            let number = Literal::u16_unsuffixed(number);
            let value = value_of(value);
            quote!(#number => (&&&#environment::Value(&(#value))).digest(),)
        });
        quote! {
            /// Digests a value that control reads beside its arguments.
            fn observed(number: u16, arguments: &[i64]) -> u64 {
                use #environment::{Floats as _, Hashed as _, Opaque as _};
                match number {
                    #(#arms)*
                    _ => 0,
                }
            }
        }
    }

    /// Prints the function that names the value that differs from what the build observed.
    pub(super) fn differs(&self, private: &TokenStream) -> TokenStream {
        let names = self.environment.reads().iter().map(|read| &read.name);
        quote! {
            fn differs() -> ::core::option::Option<&'static str> {
                static HERE: #private::environment::Environment = #private::environment::Environment::new();
                HERE.differs(&generated::OBSERVATIONS, &[#(#names),*], observed)
            }
        }
    }

    /// Prints the observations of the constants.
    pub(super) fn constants(&self, private: &TokenStream) -> TokenStream {
        let reads = (0_u16..).zip(self.environment.reads());
        let constants = reads.filter(|(_, read)| matches!(read.value, Value::Constant(_)));
        let constants = constants.map(|(number, _)| {
            quote! {
                #private::Observation {
                    number: #number,
                    arguments: ::std::vec![],
                    digest: self::observed(#number, &[]),
                }
            }
        });
        quote!(::std::vec![#(#constants),*])
    }
}

fn value_of(value: &Value) -> TokenStream {
    match value {
        Value::Constant(constant) => {
            let constant = scope::expression(constant, 1);
            quote!(#constant)
        }
        Value::Function(path, types) => {
            let function = scope::path(path, 1);
            let arguments = types.iter().enumerate().map(|(at, ty)| {
                let at = Literal::usize_unsuffixed(at);
                match ty {
                    Type::Path(path) if path.path.is_ident("bool") => quote!(arguments[#at] != 0),
                    _ => quote!(arguments[#at] as #ty),
                }
            });
            quote!(#function(#(#arguments),*))
        }
    }
}

/// Replaces calls of functions that control can make again elsewhere by calls that the recorder
/// notes.
pub(super) struct Noted<'e> {
    pub expansion: &'e Expansion<'e>,
}

impl Noted<'_> {
    /// Returns the number of the function that is called, and the types of its arguments.
    fn function(&self, call: &ExprCall) -> Option<(usize, Vec<Type>)> {
        let Expansion { kernel, types, .. } = self.expansion;
        self.expansion.environment.function(call, kernel, types)
    }

    fn noted(&self, call: &ExprCall, number: usize, types: &[Type]) -> Expr {
        let number = number as u16;
        let facade = &self.expansion.context.facade;
        let [recorder, arguments, result] = ["recorder", "arguments", "result"].map(hygienic);
        let function = &call.func;
        let values = call.args.iter();
        let fields = (0..types.len()).map(Literal::usize_unsuffixed);
        let fields: Vec<TokenStream> = fields.map(|at| quote!(#arguments.#at)).collect();
        // In parentheses: after `0..` a block would be a loop's body.
        syn::parse_quote!(({
            let #arguments: (#(#types,)*) = (#(#values,)*);
            let #result = #function(#(#fields),*);
            #recorder.observe(#number, &[#(#fields as i64),*], || {
                use #facade::__private::environment::{Floats as _, Hashed as _, Opaque as _};
                (&&&#facade::__private::environment::Value(&#result)).digest()
            });
            #result
        }))
    }
}

impl VisitMut for Noted<'_> {
    fn visit_expr_mut(&mut self, expression: &mut Expr) {
        let function = match expression {
            Expr::Call(call) => self.function(call),
            _ => None,
        };
        visit_mut::visit_expr_mut(self, expression);
        if let (Some((number, types)), Expr::Call(call)) = (function, &*expression) {
            *expression = self.noted(call, number, &types);
        }
    }

    /// Leaves closures alone: a recorder cannot be had there.
    fn visit_expr_closure_mut(&mut self, _: &mut syn::ExprClosure) {}
}
