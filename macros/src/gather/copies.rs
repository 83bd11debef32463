//! Copies of an iteration's own word, which its updates read in place of the word.

use proc_macro2::Ident;
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, ExprForLoop, Stmt};

use super::names::constant;
use crate::places::identifier;
use crate::text::mentions;

/// Returns a loop whose inner loops use the iteration's own word in place of a copy of it.
///
/// The last statement before them which uses the array has both, as `let copy = x[i];` or
/// `x[i] = copy;`.
pub(super) fn without_copies(each: &ExprForLoop) -> ExprForLoop {
    let mut each = each.clone();
    let statements = &mut each.body.stmts;
    for at in 0..statements.len() {
        let (before, behind) = statements.split_at_mut(at);
        let Stmt::Expr(Expr::ForLoop(inner), _) = &mut behind[0] else {
            continue;
        };
        for position in (0..at).rev() {
            let Some((name, word, array)) = copied(&before[position]) else {
                continue;
            };
            let is_last = !before[position + 1..].iter().any(|it| mentions(it, array));
            let mut bound = before[..position].iter().chain(&before[position + 1..]);
            let is_one = match &before[position] {
                Stmt::Local(_) => true,
                _ => bound
                    .any(|it| matches!(it, Stmt::Local(local) if constant(local) == Some(name))),
            };
            if is_last && is_one {
                let (name, word) = (name.clone(), word.clone());
                VisitMut::visit_block_mut(&mut Original { name, word }, &mut inner.body);
                break;
            }
        }
    }
    each
}

/// Returns the copy of a word that a statement makes or stores: its name, the word, and its array.
fn copied(statement: &Stmt) -> Option<(&Ident, &Expr, &Ident)> {
    let (name, word) = match statement {
        Stmt::Local(local) => (constant(local)?, &*local.init.as_ref()?.expr),
        Stmt::Expr(Expr::Assign(assign), _) => (identifier(&assign.right)?, &*assign.left),
        _ => return None,
    };
    match word {
        Expr::Index(index) => Some((name, word, identifier(&index.expr)?)),
        _ => None,
    }
}

/// Puts a word for the name of its copy.
struct Original {
    name: Ident,
    word: Expr,
}

impl VisitMut for Original {
    fn visit_expr_mut(&mut self, expression: &mut Expr) {
        match identifier(expression) {
            Some(name) if *name == self.name => *expression = self.word.clone(),
            _ => visit_mut::visit_expr_mut(self, expression),
        }
    }
}
