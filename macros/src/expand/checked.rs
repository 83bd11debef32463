//! Control arithmetic that fails the trace where it overflows: operators become calls of checked
//! functions.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote_spanned;
use syn::spanned::Spanned;
use syn::visit_mut::{self, VisitMut};
use syn::{BinOp, Expr, Lit, UnOp};

use crate::places::operator;

/// Replaces operators by functions that fail the trace instead of overflowing.
pub(super) struct Checked<'p> {
    pub private: &'p TokenStream,
}

impl VisitMut for Checked<'_> {
    fn visit_expr_mut(&mut self, expression: &mut Expr) {
        visit_mut::visit_expr_mut(self, expression);
        let (span, function, operands) = match &*expression {
            Expr::Binary(binary) => match checked(&binary.op) {
                Some(function) => (
                    binary.op.span(),
                    function,
                    vec![&binary.left, &binary.right],
                ),
                None => return,
            },
            Expr::Unary(unary) if matches!(unary.op, UnOp::Neg(_)) && !is_number(&unary.expr) => {
                let span = unary.op.span();
                (span, Ident::new("neg", span), vec![&unary.expr])
            }
            _ => return,
        };
        let private = located(self.private, span);
        let call = quote_spanned!(span=> #private::arithmetic::#function(#(#operands),*));
        *expression = Expr::Verbatim(call);
    }

    /// Leaves the length of an array literal alone, which has to stay a constant.
    fn visit_expr_repeat_mut(&mut self, repeat: &mut syn::ExprRepeat) {
        self.visit_expr_mut(&mut repeat.expr);
    }

    fn visit_type_mut(&mut self, _: &mut syn::Type) {}

    fn visit_pat_mut(&mut self, _: &mut syn::Pat) {}

    /// Leaves closures alone: their parameters may be references.
    fn visit_expr_closure_mut(&mut self, _: &mut syn::ExprClosure) {}
}

fn is_number(value: &Expr) -> bool {
    matches!(value, Expr::Lit(literal) if matches!(literal.lit, Lit::Int(_) | Lit::Float(_)))
}

/// Gives a path the place of an operator, of which overflows tell the line.
pub(super) fn located(path: &TokenStream, place: Span) -> TokenStream {
    let tokens = path.clone().into_iter();
    let located = tokens.map(|mut token| {
        token.set_span(place);
        token
    });
    located.collect()
}

/// Returns the checked function for an operator or its compound assignment.
pub(super) fn checked(op: &BinOp) -> Option<Ident> {
    let name = match operator(op).as_str() {
        "+" => "add",
        "-" => "sub",
        "*" => "mul",
        "/" => "div",
        "%" => "rem",
        "<<" => "shl",
        ">>" => "shr",
        _ => return None,
    };
    Some(Ident::new(name, op.span()))
}
