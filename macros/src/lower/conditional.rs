//! Conditions on control inside an assignment's value, which become control around variants of the
//! assignment.

use syn::visit_mut::{self, VisitMut};
use syn::{BinOp, Block, Expr, ExprMatch, Pat, Stmt, UnOp};

use crate::classify::{Class, Classes};
use crate::kernel::{Bindings, guards, names_in};
use crate::places::{self, Place, bare};

/// Outermost, leftmost condition on control behind which a value reads.
pub(super) enum Condition {
    If(Expr),
    Match(Expr, Vec<Pat>),
}

/// Finds one in a value, and returns it with the value in each of its cases.
pub(super) fn find(
    value: &Expr,
    bindings: &Bindings,
    classes: &Classes,
) -> Option<(Condition, Vec<Expr>)> {
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
    let count = match &found {
        Condition::If(_) => 2,
        Condition::Match(_, patterns) => patterns.len(),
    };
    let others = (1..count).filter_map(|number| Some(case(number)?.1));
    Some((found, std::iter::once(first).chain(others).collect()))
}

/// Replaces the first conditional by one of its cases.
struct Take<'c> {
    bindings: &'c Bindings,
    classes: &'c Classes,
    number: usize,
    found: Option<Condition>,
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

    /// Returns the first part of a condition that is control: the condition itself, or a part that
    /// `&&`, `||` and `!` combine.
    fn term(&self, condition: &Expr) -> Option<Expr> {
        if self.is_control(condition) && !matches!(condition, Expr::Let(_)) {
            return Some(condition.clone());
        }
        match bare(condition) {
            Expr::Binary(binary) if matches!(binary.op, BinOp::And(_) | BinOp::Or(_)) => {
                self.term(&binary.left).or_else(|| self.term(&binary.right))
            }
            Expr::Unary(unary) if matches!(unary.op, UnOp::Not(_)) => self.term(&unary.expr),
            _ => None,
        }
    }

    /// Returns the first control among the parts of a condition that has a read behind it.
    fn conjunct(&self, condition: &Expr) -> Option<Expr> {
        let mut parts = Vec::new();
        parts_of(condition, &mut parts);
        let (number, term) = parts
            .iter()
            .enumerate()
            .find(|(_, part)| !matches!(part, Expr::Let(_)) && self.is_control(part))?;
        let reads = parts[number + 1..].iter().any(|part| self.reads(part));
        reads.then(|| (*term).clone())
    }

    /// Returns a `match` in one of the two cases of a part of its guards.
    fn without_guard(&self, choice: &ExprMatch, term: &Expr) -> ExprMatch {
        let mut rest = choice.clone();
        rest.arms.retain_mut(|arm| {
            let Pat::Guard(guarded) = &mut arm.pat else {
                return true;
            };
            match decided(&guarded.guard, term, self.number == 0) {
                Decided::Always => {
                    arm.pat = (*guarded.pat).clone();
                    true
                }
                Decided::Never => false,
                Decided::If(condition) => {
                    *guarded.guard = condition;
                    true
                }
            }
        });
        rest
    }

    /// Returns the conditional that an expression is, and what to put in its place.
    fn case(&self, expression: &Expr) -> Option<(Condition, Expr)> {
        match expression {
            Expr::If(branch) => {
                let (_, otherwise) = branch.else_branch.as_ref()?;
                let then = block(&branch.then_branch);
                let reads = self.reads(&then) || self.reads(otherwise);
                let term = if reads {
                    self.term(&branch.cond)?
                } else {
                    self.conjunct(&branch.cond)?
                };
                let case = match decided(&branch.cond, &term, self.number == 0) {
                    Decided::Always => then,
                    Decided::Never => match &**otherwise {
                        Expr::Block(inner) => block(&inner.block),
                        other => other.clone(),
                    },
                    Decided::If(condition) => {
                        let mut rest = branch.clone();
                        *rest.cond = condition;
                        Expr::If(rest)
                    }
                };
                Some((Condition::If(term), grouped(case)))
            }
            Expr::Binary(binary) if matches!(binary.op, BinOp::And(_) | BinOp::Or(_)) => {
                let term = self.conjunct(expression)?;
                let case = match decided(expression, &term, self.number == 0) {
                    Decided::Always => syn::parse_quote!(true),
                    Decided::Never => syn::parse_quote!(false),
                    Decided::If(rest) => rest,
                };
                Some((Condition::If(term), grouped(case)))
            }
            Expr::Match(choice) => {
                // What a pattern binds is control, and must be in scope where the operands are
                // read.
                let reads = choice
                    .arms
                    .iter()
                    .any(|arm| self.reads(&arm.body) || binds(&arm.pat));
                if !reads {
                    return None;
                }
                let mut guards = choice.arms.iter().flat_map(|arm| guards(&arm.pat));
                if !self.is_control(&choice.expr)
                    || !guards.clone().all(|guard| self.is_control(guard))
                {
                    let term = guards.find_map(|guard| self.term(guard))?;
                    let rest = self.without_guard(choice, &term);
                    return Some((Condition::If(term), grouped(Expr::Match(rest))));
                }
                let patterns = choice.arms.iter().map(|arm| arm.pat.clone());
                let case = match &*choice.arms.get(self.number)?.body {
                    Expr::Block(inner) => block(&inner.block),
                    other => other.clone(),
                };
                let found = Condition::Match((*choice.expr).clone(), patterns.collect());
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

/// Collects the parts of a condition that `&&`, `||` and `!` combine, in order.
fn parts_of<'e>(condition: &'e Expr, parts: &mut Vec<&'e Expr>) {
    match bare(condition) {
        Expr::Binary(binary) if matches!(binary.op, BinOp::And(_) | BinOp::Or(_)) => {
            parts_of(&binary.left, parts);
            parts_of(&binary.right, parts);
        }
        Expr::Unary(unary) if matches!(unary.op, UnOp::Not(_)) => parts_of(&unary.expr, parts),
        part => parts.push(part),
    }
}

/// A condition of which a part is known.
enum Decided {
    Always,
    Never,
    If(Expr),
}

/// Returns what is left of a condition when `term` in it has that value.
fn decided(condition: &Expr, term: &Expr, value: bool) -> Decided {
    if bare(condition) == bare(term) {
        return if value {
            Decided::Always
        } else {
            Decided::Never
        };
    }
    match bare(condition) {
        Expr::Binary(binary) if matches!(binary.op, BinOp::And(_) | BinOp::Or(_)) => {
            let and = matches!(binary.op, BinOp::And(_));
            let left = decided(&binary.left, term, value);
            let right = decided(&binary.right, term, value);
            match (left, right) {
                (Decided::Always, other) | (other, Decided::Always) if and => other,
                (Decided::Never, other) | (other, Decided::Never) if !and => other,
                (Decided::If(left), Decided::If(right)) => {
                    let mut both = binary.clone();
                    *both.left = grouped(left);
                    *both.right = grouped(right);
                    Decided::If(Expr::Binary(both))
                }
                _ if and => Decided::Never,
                _ => Decided::Always,
            }
        }
        Expr::Unary(unary) if matches!(unary.op, UnOp::Not(_)) => {
            match decided(&unary.expr, term, value) {
                Decided::Always => Decided::Never,
                Decided::Never => Decided::Always,
                Decided::If(rest) => {
                    let mut negated = unary.clone();
                    *negated.expr = grouped(rest);
                    Decided::If(Expr::Unary(negated))
                }
            }
        }
        _ => Decided::If(condition.clone()),
    }
}

/// Returns whether a pattern binds a name.
fn binds(pattern: &Pat) -> bool {
    names_in(pattern).next().is_some()
}

/// Returns a block that is one expression, without its braces.
fn block(block: &Block) -> Expr {
    match &block.stmts[..] {
        [Stmt::Expr(value, None)] => value.clone(),
        _ => syn::parse_quote!(#block),
    }
}

/// Returns a value in parentheses, where the surroundings could tear it apart.
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
