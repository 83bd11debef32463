//! Places where an expression touches the kernel's names: scalars, elements of arrays, lengths.

use std::collections::BTreeSet;

use quote::ToTokens;
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};
use syn::{BinOp, Expr, ExprPath, Ident, UnOp};

use crate::kernel::{Bindings, Dimension, Id, Kernel, marked_id};

/// One use of a kernel's name in a resolved expression.
#[derive(Clone, Debug)]
pub(crate) enum Place<'e> {
    /// A scalar: a by-value parameter, local, loop variable, or a name bound inside the expression.
    Scalar(Id),
    /// A word of an array, with as many indices as the array has dimensions; `*s` of a reference
    /// parameter, without indices.
    Element(Id, Vec<&'e Expr>),
    /// A reference parameter without `*`: the reference itself.
    Reference(Id),
    /// `a.len()`, or `a[i].len()` with depth 1; or `is_empty()`.
    Length { id: Id, depth: usize, empty: bool },
    /// An array without (all of) its indices.
    Whole(Id),
}

impl Place<'_> {
    /// Returns the name that the place is in, but for lengths.
    pub(crate) fn name(&self) -> Option<Id> {
        match *self {
            Place::Scalar(id) | Place::Element(id, _) | Place::Reference(id) | Place::Whole(id) => {
                Some(id)
            }
            Place::Length { .. } => None,
        }
    }
}

/// Returns the place that this very expression is, if it is one.
pub(crate) fn place<'e>(expression: &'e Expr, bindings: &Bindings) -> Option<Place<'e>> {
    match expression {
        Expr::Path(_) => {
            let id = name(expression)?;
            Some(if bindings[id].is_array() {
                Place::Whole(id)
            } else if bindings[id].is_reference() {
                Place::Reference(id)
            } else {
                Place::Scalar(id)
            })
        }
        Expr::Unary(unary) if matches!(unary.op, UnOp::Deref(_)) => {
            let id = name(bare(&unary.expr))?;
            bindings[id]
                .is_reference()
                .then(|| Place::Element(id, Vec::new()))
        }
        Expr::Index(_) => {
            let (id, indices) = chain(expression)?;
            let dimensions = bindings[id].dimensions.len();
            if dimensions == 0 || indices.len() > dimensions {
                return None;
            }
            let sliced = indices
                .iter()
                .any(|index| matches!(bare(index), Expr::Range(_)));
            Some(if indices.len() < dimensions || sliced {
                Place::Whole(id)
            } else {
                Place::Element(id, indices)
            })
        }
        Expr::MethodCall(call) if call.args.is_empty() => {
            let empty = match call.method.to_string().as_str() {
                "len" => false,
                "is_empty" => true,
                _ => return None,
            };
            let (id, indices) = chain(&call.receiver)?;
            let depth = indices.len();
            (depth < bindings[id].dimensions.len()).then_some(Place::Length { id, depth, empty })
        }
        _ => None,
    }
}

/// Returns the kernel's name that a path is.
pub(crate) fn name(expression: &Expr) -> Option<Id> {
    match expression {
        Expr::Path(path) if path.qself.is_none() => marked_id(path.path.get_ident()?),
        _ => None,
    }
}

/// Returns the identifier that an expression is.
pub(crate) fn identifier(expression: &Expr) -> Option<&Ident> {
    match expression {
        Expr::Path(path) => path.path.get_ident(),
        _ => None,
    }
}

/// Returns the path of a table from outside the kernel, if an indexed expression is one.
pub(crate) fn table(indexed: &Expr) -> Option<&ExprPath> {
    match bare(indexed) {
        path @ Expr::Path(table) if name(path).is_none() => Some(table),
        _ => None,
    }
}

/// Returns an expression without parentheses.
pub(crate) fn bare(expression: &Expr) -> &Expr {
    match expression {
        Expr::Paren(paren) => bare(&paren.expr),
        Expr::Group(group) => bare(&group.expr),
        other => other,
    }
}

/// Returns an operator's text, that of `+` for `+=`.
pub(crate) fn operator(op: &BinOp) -> String {
    let text = op.to_token_stream().to_string();
    match is_compound(op) {
        true => text.trim_end_matches('=').to_owned(),
        false => text,
    }
}

/// Returns whether an operator is a compound assignment.
pub(crate) fn is_compound(op: &BinOp) -> bool {
    matches!(
        op,
        BinOp::AddAssign(_)
            | BinOp::SubAssign(_)
            | BinOp::MulAssign(_)
            | BinOp::DivAssign(_)
            | BinOp::RemAssign(_)
            | BinOp::BitXorAssign(_)
            | BinOp::BitAndAssign(_)
            | BinOp::BitOrAssign(_)
            | BinOp::ShlAssign(_)
            | BinOp::ShrAssign(_)
    )
}

/// Returns the name that a place is in, or a part of one: `p` of `p[i].x`.
pub(crate) fn target(place: &Expr, bindings: &Bindings) -> Option<Id> {
    let mut found = None;
    each(place, bindings, &mut |_, place| {
        found = found.or(place.name())
    });
    found
}

/// Returns the name and the indices of `a[i][j]`, `*a` or `a`; `None` for other expressions.
pub(crate) fn word(place: &Expr) -> Option<(&Ident, Vec<&Expr>)> {
    match bare(place) {
        Expr::Unary(unary) if matches!(unary.op, UnOp::Deref(_)) => word(&unary.expr),
        Expr::Index(index) => {
            let (name, mut indices) = word(&index.expr)?;
            indices.push(&index.index);
            Some((name, indices))
        }
        other => Some((identifier(other)?, Vec::new())),
    }
}

/// Returns the name at the bottom of `a[i][j]` and the indices from the outermost dimension.
fn chain(expression: &Expr) -> Option<(Id, Vec<&Expr>)> {
    let (name, indices) = word(expression)?;
    Some((marked_id(name)?, indices))
}

/// Calls `f` for an expression and each within, from the outside inwards.
pub(crate) fn each_within<'e>(expression: &'e Expr, f: &mut dyn FnMut(&'e Expr)) {
    struct Walk<'w, 'e>(&'w mut dyn FnMut(&'e Expr));
    impl<'e> Visit<'e> for Walk<'_, 'e> {
        fn visit_expr(&mut self, expression: &'e Expr) {
            (self.0)(expression);
            visit::visit_expr(self, expression);
        }
    }
    Walk(f).visit_expr(expression);
}

/// Returns the kernel's names in an expression.
pub(crate) fn names_in(expression: &Expr) -> BTreeSet<Id> {
    let mut names = BTreeSet::new();
    each_within(expression, &mut |within| names.extend(name(within)));
    names
}

/// Calls `f` for each outermost place of an expression, in source order. Indices are the caller's
/// to look into.
pub(crate) fn each<'e>(
    expression: &'e Expr,
    bindings: &Bindings,
    f: &mut dyn FnMut(&'e Expr, Place<'e>),
) {
    struct Walk<'w, 'e> {
        bindings: &'w Bindings,
        f: &'w mut dyn FnMut(&'e Expr, Place<'e>),
    }
    impl<'e> Visit<'e> for Walk<'_, 'e> {
        fn visit_expr(&mut self, expression: &'e Expr) {
            match place(expression, self.bindings) {
                Some(place) => (self.f)(expression, place),
                None => visit::visit_expr(self, expression),
            }
        }
    }
    Walk { bindings, f }.visit_expr(expression);
}

/// Calls `f` as [`each`] does, with the places in indices (and theirs) as well, indices first.
pub(crate) fn each_deep<'e>(
    expression: &'e Expr,
    bindings: &Bindings,
    f: &mut dyn FnMut(&'e Expr, Place<'e>),
) {
    each(expression, bindings, &mut |whole, place| {
        if let Place::Element(_, indices) = &place {
            for index in indices {
                each_deep(index, bindings, f);
            }
        }
        f(whole, place);
    });
}

/// Returns whether any place of the expression, indices included, satisfies the predicate.
pub(crate) fn any(
    expression: &Expr,
    bindings: &Bindings,
    predicate: &mut dyn FnMut(&Place<'_>) -> bool,
) -> bool {
    let mut found = false;
    each_deep(expression, bindings, &mut |_, place| {
        found |= predicate(&place);
    });
    found
}

/// Replaces each outermost place for which `f` gives something else.
pub(crate) fn replace(
    expression: &mut Expr,
    bindings: &Bindings,
    f: &mut dyn FnMut(&Expr, Place<'_>) -> Option<Expr>,
) {
    struct Replace<'w> {
        bindings: &'w Bindings,
        f: &'w mut dyn FnMut(&Expr, Place<'_>) -> Option<Expr>,
    }
    impl VisitMut for Replace<'_> {
        fn visit_expr_mut(&mut self, expression: &mut Expr) {
            match place(expression, self.bindings) {
                Some(place) => {
                    if let Some(other) = (self.f)(expression, place) {
                        *expression = other;
                    }
                }
                None => visit_mut::visit_expr_mut(self, expression),
            }
        }
    }
    Replace { bindings, f }.visit_expr_mut(expression);
}

/// Finds the slices whose length the kernel uses: parameters that are not `#[structure]`.
pub(crate) fn measured(kernel: &Kernel) -> BTreeSet<Id> {
    let bindings = &kernel.bindings;
    let mut measured = BTreeSet::new();
    kernel.each_expression(&mut |expression| {
        each_deep(expression, bindings, &mut |_, place| {
            if let Place::Length { id, depth: 0, .. } = place
                && !bindings[id].marks.structure
                && matches!(bindings[id].dimensions[..], [Dimension::Slice, ..])
            {
                measured.insert(id);
            }
        });
    });
    measured
}
