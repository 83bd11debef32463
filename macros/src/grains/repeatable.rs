//! Control that has one value whenever it is evaluated.

use proc_macro2::Span;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Expr, ExprMethodCall};

use crate::kernel::Bindings;
use crate::places;

/// Methods that numbers, slices and ranges have themselves. The printer sees to it that receivers
/// are such: a trait of the user's may give methods of these names to other types.
const METHODS: [&str; 31] = [
    "len",
    "is_empty",
    "rev",
    "step_by",
    "min",
    "max",
    "clamp",
    "pow",
    "isqrt",
    "abs_diff",
    "div_ceil",
    "div_euclid",
    "rem_euclid",
    "ilog2",
    "ilog10",
    "count_ones",
    "count_zeros",
    "leading_ones",
    "leading_zeros",
    "reverse_bits",
    "trailing_ones",
    "trailing_zeros",
    "rotate_left",
    "rotate_right",
    "swap_bytes",
    "wrapping_add",
    "wrapping_sub",
    "wrapping_mul",
    "saturating_add",
    "saturating_sub",
    "saturating_mul",
];

/// Finds expressions in control that need not have the same value each time. It passes operators
/// and [`METHODS`], on the kernel's names, on literals, and on constants and tables of them.
///
/// A plan's proof allows processors to use words at the same time, for the places that were
/// tracked. So nothing that safe code can write may lead to other places. The printer sees to it
/// that names from outside are numbers or arrays of them (`planned::number`).
pub(super) struct Repeatable<'b> {
    pub(super) bindings: &'b Bindings,
    pub(super) refused: Vec<(Span, String)>,
}

impl Repeatable<'_> {
    fn refuse(&mut self, expression: &Expr, what: &str) {
        let what = format!("{what}, `{}`,", self.bindings.text(expression));
        self.refused.push((expression.span(), what));
    }
}

impl<'e> Visit<'e> for Repeatable<'_> {
    fn visit_stmt_macro(&mut self, call: &'e syn::StmtMacro) {
        let what = format!("a macro, `{}`,", crate::text::of(&call.mac));
        self.refused.push((call.span(), what));
    }

    fn visit_expr(&mut self, expression: &'e Expr) {
        match expression {
            Expr::Index(index) if !has_a_name(&index.expr) => {
                self.refuse(expression, "a table without a name");
            }
            Expr::MethodCall(call) if !METHODS.iter().any(|name| call.method == name) => {
                self.refuse(expression, "a call of this method");
            }
            Expr::MethodCall(call) if !is_called_on_its_own(call) => {
                self.refuse(expression, "this method of something else");
            }
            Expr::Array(_)
            | Expr::Binary(_)
            | Expr::Block(_)
            | Expr::Cast(_)
            | Expr::Group(_)
            | Expr::If(_)
            | Expr::Index(_)
            | Expr::Let(_)
            | Expr::Lit(_)
            | Expr::Match(_)
            | Expr::MethodCall(_)
            | Expr::Paren(_)
            | Expr::Path(_)
            | Expr::Range(_)
            | Expr::Repeat(_)
            | Expr::Tuple(_)
            | Expr::Unary(_) => visit::visit_expr(self, expression),
            Expr::Call(_) => self.refuse(expression, "a call of a function"),
            _ => self.refuse(expression, "an expression of this kind"),
        }
    }
}

/// Tells whether methods of ranges are called on ranges, and lengths asked of what has a name.
fn is_called_on_its_own(call: &ExprMethodCall) -> bool {
    let receiver = places::bare(&call.receiver);
    match call.method.to_string().as_str() {
        "rev" | "step_by" => match receiver {
            Expr::Range(_) => true,
            Expr::MethodCall(inner) => {
                ["rev", "step_by"].iter().any(|name| inner.method == name)
                    && is_called_on_its_own(inner)
            }
            _ => false,
        },
        "len" | "is_empty" => match receiver {
            Expr::Index(_) => has_a_name(receiver),
            _ => matches!(receiver, Expr::Path(_)),
        },
        _ => true,
    }
}

/// Tells whether what is indexed is an array of the kernel's, or a table from outside.
fn has_a_name(array: &Expr) -> bool {
    match places::bare(array) {
        Expr::Index(index) => has_a_name(&index.expr),
        other => matches!(other, Expr::Path(_)),
    }
}
