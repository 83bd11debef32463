//! Uses of arrays and names in statements, by which scatters are found.

use std::collections::BTreeSet;

use proc_macro2::Ident;
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, ExprIndex, Local, Stmt, parse_quote};

use super::names::same;
use crate::places::{identifier, is_compound};
use crate::text::{identifiers, mentions};

/// Returns array, place and value of `array[place] op= value` or `array[place] = value`.
pub(super) fn updated(statement: &Stmt) -> Option<(&Ident, &Expr, &Expr)> {
    let (left, value) = match statement {
        Stmt::Expr(Expr::Assign(assign), _) => (&assign.left, &assign.right),
        Stmt::Expr(Expr::Binary(binary), _) if is_compound(&binary.op) => {
            (&binary.left, &binary.right)
        }
        _ => return None,
    };
    match &**left {
        Expr::Index(index) => Some((identifier(&index.expr)?, &index.index, value)),
        _ => None,
    }
}

/// Returns whether statements bind a name of an expression, but for these variables.
pub(super) fn binds(statements: &[Stmt], expression: &Expr, but: &[&Local]) -> bool {
    struct Bound(BTreeSet<String>);
    impl<'e> Visit<'e> for Bound {
        fn visit_pat_ident(&mut self, name: &'e syn::PatIdent) {
            self.0.insert(name.ident.to_string());
        }
    }
    let mut bound = Bound(BTreeSet::new());
    let is_known = |local: &Local| but.iter().any(|it| std::ptr::eq(*it, local));
    for statement in statements {
        if !matches!(statement, Stmt::Local(local) if is_known(local)) {
            bound.visit_stmt(statement);
        }
    }
    !bound.0.is_disjoint(&identifiers(expression))
}

/// Uses of an array: the places of its words, and how often it is used otherwise.
pub(super) struct Places<'k, 'a> {
    pub array: &'a Ident,
    pub found: Vec<&'k Expr>,
    pub others: usize,
}

impl<'k> Visit<'k> for Places<'k, '_> {
    fn visit_expr_index(&mut self, index: &'k ExprIndex) {
        if identifier(&index.expr) == Some(self.array) {
            self.found.push(&index.index);
            self.visit_expr(&index.index);
        } else {
            visit::visit_expr_index(self, index);
        }
    }

    fn visit_ident(&mut self, name: &'k Ident) {
        self.others += usize::from(name == self.array);
    }

    fn visit_macro(&mut self, call: &'k syn::Macro) {
        self.others += usize::from(mentions(&call.tokens, self.array));
    }
}

/// Puts a place that is known for the target of an update.
pub(super) struct Replace<'k> {
    pub array: &'k Ident,
    pub target: &'k Expr,
    pub place: &'k Ident,
}

impl VisitMut for Replace<'_> {
    fn visit_expr_index_mut(&mut self, index: &mut ExprIndex) {
        if identifier(&index.expr) == Some(self.array) && same(&index.index, self.target) {
            let place = self.place;
            *index.index = parse_quote!(#place);
        } else {
            visit_mut::visit_expr_index_mut(self, index);
        }
    }
}
