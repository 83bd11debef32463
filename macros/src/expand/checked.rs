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
        match expression {
            Expr::Binary(binary) => {
                if let Some(function) = checked(&binary.op) {
                    let private = located(self.private, binary.op.span());
                    let (left, right) = (&binary.left, &binary.right);
                    *expression = Expr::Verbatim(
                        quote_spanned!(binary.op.span()=> #private::arithmetic::#function(#left, #right)),
                    );
                }
            }
            Expr::Unary(unary) if matches!(unary.op, UnOp::Neg(_)) => {
                let number = matches!(&*unary.expr, Expr::Lit(literal)
                    if matches!(literal.lit, Lit::Int(_) | Lit::Float(_)));
                if !number {
                    let private = located(self.private, unary.op.span());
                    let value = &unary.expr;
                    *expression = Expr::Verbatim(
                        quote_spanned!(unary.op.span()=> #private::arithmetic::neg(#value)),
                    );
                }
            }
            _ => {}
        }
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
