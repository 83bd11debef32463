//! Conditions on control inside an assignment's value, which become control around variants of the assignment.

use syn::visit_mut::{self, VisitMut};
use syn::{BinOp, Block, Expr, Pat, Stmt};

use crate::classify::{Class, Classes};
use crate::kernel::{Bindings, guards};
use crate::places::{self, Place};

/// The outermost, leftmost condition on control that guards a read, and the value in each of its cases.
pub(super) enum Guard {
    If {
        condition: Expr,
        then: Expr,
        otherwise: Expr,
    },
    Match {
        scrutinee: Expr,
        arms: Vec<(Pat, Expr)>,
    },
}

/// Finds a guard in a value.
pub(super) fn find(value: &Expr, bindings: &Bindings, classes: &Classes) -> Option<Guard> {
    let case = |number: usize| {
        let mut take = Take {
            bindings,
            classes,
            number,
            found: None,
        };
        let mut value = value.clone();
        take.visit_expr_mut(&mut value);
        take.found.map(|found| (found, value))
    };
    let (found, first) = case(0)?;
    Some(match found {
        Found::If(condition) => Guard::If {
            condition,
            then: first,
            otherwise: case(1)?.1,
        },
        Found::Match(scrutinee, patterns) => Guard::Match {
            scrutinee,
            arms: patterns
                .into_iter()
                .enumerate()
                .filter_map(|(number, pattern)| Some((pattern, case(number)?.1)))
                .collect(),
        },
    })
}

enum Found {
    If(Expr),
    Match(Expr, Vec<Pat>),
}

/// Replaces the first guard by one of its cases.
struct Take<'c> {
    bindings: &'c Bindings,
    classes: &'c Classes,
    number: usize,
    found: Option<Found>,
}

impl Take<'_> {
    fn is_control(&self, expression: &Expr) -> bool {
        self.classes.is_control(expression, self.bindings)
    }

    fn reads(&self, expression: &Expr) -> bool {
        places::any(expression, self.bindings, &mut |place| match place {
            Place::Element(..) => true,
            Place::Scalar(id) | Place::Reference(id) => self.classes[*id] == Class::Data,
            Place::Whole(_) | Place::Length { .. } => false,
        })
    }

    /// What to put in the place of a guard, and the guard.
    fn case(&self, expression: &Expr) -> Option<(Found, Expr)> {
        match expression {
            Expr::If(branch) => {
                let then = block(&branch.then_branch);
                let (_, otherwise) = branch.else_branch.as_ref()?;
                let control =
                    !matches!(*branch.cond, Expr::Let(_)) && self.is_control(&branch.cond);
                if !control || !(self.reads(&then) || self.reads(otherwise)) {
                    return None;
                }
                let case = match (self.number, &**otherwise) {
                    (0, _) => then,
                    (_, Expr::Block(inner)) => block(&inner.block),
                    (_, other) => other.clone(),
                };
                Some((Found::If((*branch.cond).clone()), grouped(case)))
            }
            Expr::Binary(binary) => {
                let short = match binary.op {
                    BinOp::And(_) => false,
                    BinOp::Or(_) => true,
                    _ => return None,
                };
                if !self.is_control(&binary.left) || !self.reads(&binary.right) {
                    return None;
                }
                // The right side is computed when the left one is not the short cut's value.
                let case = if (self.number == 0) == short {
                    syn::parse_quote!(#short)
                } else {
                    grouped((*binary.right).clone())
                };
                Some((Found::If((*binary.left).clone()), case))
            }
            Expr::Match(choice) => {
                let reads = choice.arms.iter().any(|arm| self.reads(&arm.body));
                let guards = choice.arms.iter().flat_map(|arm| guards(&arm.pat));
                let control = self.is_control(&choice.expr)
                    && guards.into_iter().all(|guard| self.is_control(guard));
                if !reads || !control {
                    return None;
                }
                let patterns = choice.arms.iter().map(|arm| arm.pat.clone());
                let case = match &*choice.arms.get(self.number)?.body {
                    Expr::Block(inner) => block(&inner.block),
                    other => other.clone(),
                };
                let found = Found::Match((*choice.expr).clone(), patterns.collect());
                Some((found, grouped(case)))
            }
            _ => None,
        }
    }
}

impl VisitMut for Take<'_> {
    fn visit_expr_mut(&mut self, expression: &mut Expr) {
        if self.found.is_some() || places::place(expression, self.bindings).is_some() {
            return;
        }
        if let Some((found, case)) = self.case(expression) {
            self.found = Some(found);
            *expression = case;
            return;
        }
        visit_mut::visit_expr_mut(self, expression);
    }

    fn visit_expr_closure_mut(&mut self, _: &mut syn::ExprClosure) {}
}

/// A block that is one expression, without its braces.
fn block(block: &Block) -> Expr {
    match &block.stmts[..] {
        [Stmt::Expr(value, None)] => value.clone(),
        _ => syn::parse_quote!(#block),
    }
}

/// In parentheses, where the surroundings could tear it apart.
fn grouped(value: Expr) -> Expr {
    match value {
        Expr::Lit(_)
        | Expr::Path(_)
        | Expr::Paren(_)
        | Expr::Block(_)
        | Expr::Index(_)
        | Expr::Call(_)
        | Expr::MethodCall(_) => value,
        value => syn::parse_quote!((#value)),
    }
}
