//! Statements other than `let`: assignments, and control around them.

use quote::ToTokens;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{Expr, ExprIf, ExprMatch, Macro, Pat, RangeLimits, Token};

use super::body::{Reader, source};
use super::is_compound;
use crate::kernel::{Home, Step};
use crate::places::bare;
use crate::text;

impl Reader<'_> {
    pub(super) fn expression(&mut self, expression: &Expr) -> Vec<Step> {
        let source = source(expression);
        let step = match expression {
            Expr::Assign(assignment) => match bare(&assignment.left) {
                Expr::Tuple(_) => {
                    self.refuse(
                        expression,
                        "a kernel assigns one place at a time: write `let t = a[i]; a[i] = a[j]; a[j] = t;`",
                    );
                    return Vec::new();
                }
                Expr::Infer(_) => {
                    self.refuse(
                        expression,
                        "`_ = ...` assigns nothing in a kernel: take the statement away",
                    );
                    return Vec::new();
                }
                _ => Step::Assign {
                    place: self.scope.resolve((*assignment.left).clone()),
                    op: None,
                    value: self.scope.resolve((*assignment.right).clone()),
                    source,
                },
            },
            Expr::Binary(binary) if is_compound(&binary.op) => Step::Assign {
                place: self.scope.resolve((*binary.left).clone()),
                op: Some(binary.op),
                value: self.scope.resolve((*binary.right).clone()),
                source,
            },
            Expr::ForLoop(each) => return self.for_loop(expression, each),
            Expr::While(each) => {
                if contains_let(&each.cond) {
                    self.refuse(
                        &each.cond,
                        "`while let` cannot stand in a kernel: write `loop` and a `match` on control",
                    );
                    return Vec::new();
                }
                Step::While {
                    label: each.label.clone(),
                    condition: self.scope.resolve((*each.cond).clone()),
                    body: self.loop_body(expression, &each.body),
                }
            }
            Expr::Loop(each) => Step::Loop {
                label: each.label.clone(),
                body: self.loop_body(expression, &each.body),
            },
            Expr::If(branch) => return self.branch(branch).into_iter().collect(),
            Expr::Match(choice) => self.choice(choice),
            Expr::Block(block) => Step::Block {
                label: block.label.clone(),
                body: self.block(&block.block),
            },
            Expr::Break(exit) => {
                if let Some(value) = &exit.expr {
                    self.refuse(
                        value,
                        "`break` cannot carry a value in a kernel: assign it to a local before",
                    );
                }
                Step::Break(exit.span(), exit.label.clone())
            }
            Expr::Continue(next) => Step::Continue(next.span(), next.label.clone()),
            Expr::Return(exit) => {
                if let Some(value) = &exit.expr {
                    self.refuse(value, "a kernel returns nothing: write the value through a `&mut` parameter, and `return;`");
                }
                match &mut self.exit {
                    None => Step::Return(exit.span()),
                    Some(callee) => {
                        callee.used = true;
                        Step::Break(exit.span(), Some(callee.label.clone()))
                    }
                }
            }
            Expr::Macro(call) => return self.macro_call(&call.mac, call),
            Expr::Paren(inner) => return self.expression(&inner.expr),
            Expr::Group(inner) => return self.expression(&inner.expr),
            Expr::Verbatim(tokens) if tokens.is_empty() => return Vec::new(),
            Expr::Tuple(tuple) if tuple.elems.is_empty() => return Vec::new(),
            // These have their own message wherever they stand.
            Expr::Unsafe(_)
            | Expr::Async(_)
            | Expr::Await(_)
            | Expr::Try(_)
            | Expr::TryBlock(_)
            | Expr::Yield(_) => {
                return Vec::new();
            }
            Expr::MethodCall(call) => {
                self.method(call);
                return Vec::new();
            }
            Expr::Call(call) => return self.call(call),
            other => {
                self.refuse(
                    other,
                    "this statement assigns nothing: a kernel consists of assignments, and of control around them",
                );
                return Vec::new();
            }
        };
        vec![step]
    }

    fn method(&mut self, call: &syn::ExprMethodCall) {
        let receiver = text::of(&call.receiver);
        let message = match call.method.to_string().as_str() {
            "swap" => format!(
                "a kernel assigns one place at a time: write `let t = {receiver}[i]; {receiver}[i] = {receiver}[j]; {receiver}[j] = t;`"
            ),
            "fill" => format!(
                "a kernel assigns one place at a time: write `for i in 0..{receiver}.len() {{ {receiver}[i] = value; }}`"
            ),
            "copy_from_slice" | "clone_from_slice" => format!(
                "a kernel assigns one place at a time: write `for i in 0..{receiver}.len() {{ {receiver}[i] = source[i]; }}`"
            ),
            "for_each" => "a closure cannot assign in a kernel: write a `for` loop over a range".into(),
            _ => "a call is no assignment: what a method does must come back as a value, `x[i] = y[i].method(...)`".into(),
        };
        self.refuse(call, message);
    }

    /// `whole` is `each` as an expression.
    fn for_loop(&mut self, whole: &Expr, each: &syn::ExprForLoop) -> Vec<Step> {
        if let Err(message) = range(&each.expr) {
            self.refuse(&each.expr, message);
            return Vec::new();
        }
        let range = self.scope.resolve((*each.expr).clone());
        let mark = self.scope.mark();
        let variable = match &*each.pat {
            Pat::Wild(_) => None,
            Pat::Ident(name)
                if name.by_ref.is_none() && name.subpat.is_none() && name.mutability.is_none() =>
            {
                Some(self.scope.bind(&name.ident, Home::Loop))
            }
            other => {
                self.refuse(
                    other,
                    "a kernel's `for` has a plain variable: write `for i in ...`, and `let mut k = i;` for one that changes",
                );
                return Vec::new();
            }
        };
        let body = self.loop_body(whole, &each.body);
        self.scope.leave(mark);
        vec![Step::For {
            label: each.label.clone(),
            variable,
            range,
            body,
        }]
    }

    fn branch(&mut self, branch: &ExprIf) -> Option<Step> {
        if contains_let(&branch.cond) {
            self.refuse(
                &branch.cond,
                "`if let` cannot decide which statements run in a kernel: write a `match` on control",
            );
            return None;
        }
        let condition = self.scope.resolve((*branch.cond).clone());
        let then = self.block(&branch.then_branch);
        let otherwise = branch
            .else_branch
            .as_ref()
            .map(|(_, otherwise)| match &**otherwise {
                Expr::If(next) => self.branch(next).into_iter().collect(),
                Expr::Block(block) => self.block(&block.block),
                _ => Vec::new(),
            });
        Some(Step::If {
            condition,
            then,
            otherwise,
        })
    }

    fn choice(&mut self, choice: &ExprMatch) -> Step {
        let scrutinee = self.scope.resolve((*choice.expr).clone());
        let mut arms = Vec::new();
        for arm in &choice.arms {
            let mark = self.scope.mark();
            let pattern = self.scope.bind_pattern(arm.pat.clone(), Home::Arm);
            let body = self.expression(&arm.body);
            self.scope.leave(mark);
            arms.push((pattern, body));
        }
        Step::Match { scrutinee, arms }
    }

    pub(super) fn macro_call(&mut self, call: &Macro, whole: &impl ToTokens) -> Vec<Step> {
        let name = call.path.segments.last().map(|s| s.ident.to_string());
        let debug = match name.as_deref() {
            Some("assert") => false,
            Some("debug_assert") => true,
            Some("assert_eq" | "assert_ne" | "debug_assert_eq" | "debug_assert_ne") => {
                return self.assert_two(call, name.unwrap_or_default().as_str(), whole);
            }
            _ => {
                self.refuse(
                    whole,
                    "a macro cannot be a statement of a kernel, apart from `assert!` and its kin: what it does is hidden in its tokens. Write it out, or do it outside",
                );
                return Vec::new();
            }
        };
        match arguments(call) {
            Ok(arguments) if !arguments.is_empty() => vec![Step::Assert {
                debug,
                condition: self.scope.resolve(arguments[0].clone()),
                source: source(whole),
            }],
            _ => {
                self.refuse(whole, "an assertion needs a condition");
                Vec::new()
            }
        }
    }

    fn assert_two(&mut self, call: &Macro, name: &str, whole: &impl ToTokens) -> Vec<Step> {
        match arguments(call) {
            Ok(arguments) if arguments.len() >= 2 => {
                let (left, right) = (&arguments[0], &arguments[1]);
                let condition = if name.ends_with("_eq") {
                    syn::parse_quote!((#left) == (#right))
                } else {
                    syn::parse_quote!((#left) != (#right))
                };
                vec![Step::Assert {
                    debug: name.starts_with("debug"),
                    condition: self.scope.resolve(condition),
                    source: source(whole),
                }]
            }
            _ => {
                self.refuse(whole, "an assertion needs two values to compare");
                Vec::new()
            }
        }
    }
}

fn arguments(call: &Macro) -> syn::Result<Vec<Expr>> {
    let parsed = call.parse_body_with(Punctuated::<Expr, Token![,]>::parse_terminated)?;
    Ok(parsed.into_iter().collect())
}
/// Whether a `for` can run over it: integer ranges, reversed, with steps.
fn range(expression: &Expr) -> Result<(), String> {
    match bare(expression) {
        Expr::Range(range) => match (&range.start, &range.end, &range.limits) {
            (Some(_), Some(_), _) => Ok(()),
            (None, _, _) => Err("a kernel's `for` needs the start of its range: write `0..n`".into()),
            (Some(_), None, RangeLimits::HalfOpen(_) | RangeLimits::Closed(_)) => {
                Err("a kernel's `for` needs the end of its range: write `i..n`, or `loop` with a `break` on control".into())
            }
        },
        Expr::MethodCall(call) => {
            let receiver = text::of(&call.receiver);
            match call.method.to_string().as_str() {
                "rev" | "step_by" => range(&call.receiver),
                "iter" | "iter_mut" | "into_iter" | "enumerate" | "zip" | "chunks" | "windows" | "chunks_exact" => Err(format!(
                    "a kernel's `for` runs over a range of integers, so that every place has an index: write `for i in 0..{receiver}.len()` and `{receiver}[i]`"
                )),
                method => Err(format!(
                    "a kernel's `for` runs over a range of integers, with `.rev()` and `.step_by()`: `{method}` is not known here"
                )),
            }
        }
        Expr::Reference(_) | Expr::Path(_) | Expr::Index(_) => Err(
            "a kernel's `for` runs over a range of integers, so that every place has an index: write `for k in 0..list.len()` and `list[k]`".into(),
        ),
        _ => Err("a kernel's `for` runs over a range of integers: `a..b` or `a..=b`, with `.rev()` and `.step_by()`".into()),
    }
}

fn contains_let(condition: &Expr) -> bool {
    match bare(condition) {
        Expr::Let(_) => true,
        Expr::Binary(binary) => contains_let(&binary.left) || contains_let(&binary.right),
        _ => false,
    }
}
