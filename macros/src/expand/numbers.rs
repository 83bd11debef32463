//! Names from outside the kernel, printed as numbers or tables of numbers.

use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote};
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, Ident, Type};

use crate::places;

/// Returns the kind of numbers whose own method this is: the function that takes such a number, and
/// the type that does. Other receivers may have a method of that name by a trait of the user's.
fn kind(method: &Ident) -> Option<[&'static str; 2]> {
    match method.to_string().as_str() {
        "div_ceil" => Some(["unsigned", "Unsigned"]),
        "min" | "max" | "clamp" => Some(["scalar_number", "Scalar"]),
        // Ranges have the first two, slices and arrays the others.
        "rev" | "step_by" | "len" | "is_empty" => None,
        _ => Some(["integer", "Integer"]),
    }
}

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

    /// Prints a receiver whose method only numbers of a kind have themselves.
    fn receiver(&self, receiver: &Expr, [take, kind]: [&str; 2]) -> Expr {
        let private = self.private;
        let [take, kind] = [take, kind].map(|name| format_ident!("{name}"));
        match self.insists {
            true => syn::parse_quote!(#private::#take(#receiver)),
            false => syn::parse_quote!(#private::#kind(#receiver).number()),
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
            && let Some(kind) = kind(&call.method)
        {
            *call.receiver = self.receiver(&call.receiver, kind);
        }
    }

    /// Leaves the length of an array literal alone, which has to stay a constant.
    fn visit_expr_repeat_mut(&mut self, repeat: &mut syn::ExprRepeat) {
        self.visit_expr_mut(&mut repeat.expr);
    }

    fn visit_type_mut(&mut self, _: &mut Type) {}

    fn visit_pat_mut(&mut self, _: &mut syn::Pat) {}
}
