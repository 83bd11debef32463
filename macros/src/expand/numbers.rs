//! Names from outside the kernel, printed as numbers or tables of numbers.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, Type};

use crate::places;

/// Methods of unsigned numbers that a trait of the user's may give signed ones. Plans' control may
/// call them.
const UNSIGNED: [&str; 1] = ["div_ceil"];

/// Replacement of names from outside the kernel by numbers or tables of them. No operator or method
/// of the user's can stand in for those of numbers.
pub(super) struct Numbers<'p> {
    pub private: &'p TokenStream,
    /// Set if names of anything else are errors, as the author insists on plans. Otherwise no plan
    /// is made.
    pub insists: bool,
}

impl Numbers<'_> {
    fn number(&self, outside: &TokenStream) -> Expr {
        let private = self.private;
        match self.insists {
            true => syn::parse_quote!(#private::number(#outside)),
            false => syn::parse_quote!(#private::Outside(#outside).number()),
        }
    }

    /// Prints a receiver whose method only unsigned numbers have themselves.
    fn unsigned(&self, receiver: &Expr) -> Expr {
        let private = self.private;
        match self.insists {
            true => syn::parse_quote!(#private::unsigned(#receiver)),
            false => syn::parse_quote!(#private::Unsigned(#receiver).number()),
        }
    }
}

impl VisitMut for Numbers<'_> {
    fn visit_expr_mut(&mut self, expression: &mut Expr) {
        if places::name(expression).is_some() {
            return;
        }
        if let Expr::Path(path) = expression {
            *expression = self.number(&path.to_token_stream());
            return;
        }
        if let Expr::Index(index) = expression
            && let Some(table) = places::table(&index.expr)
        {
            // By reference: a table is as long as it likes.
            *index.expr = self.number(&quote!(&#table));
            self.visit_expr_mut(&mut index.index);
            return;
        }
        visit_mut::visit_expr_mut(self, expression);
        if let Expr::MethodCall(call) = expression
            && UNSIGNED.iter().any(|name| call.method == name)
        {
            *call.receiver = self.unsigned(&call.receiver);
        }
    }

    /// Leaves the length of an array literal alone, which has to stay a constant.
    fn visit_expr_repeat_mut(&mut self, repeat: &mut syn::ExprRepeat) {
        self.visit_expr_mut(&mut repeat.expr);
    }

    fn visit_type_mut(&mut self, _: &mut Type) {}

    fn visit_pat_mut(&mut self, _: &mut syn::Pat) {}
}
