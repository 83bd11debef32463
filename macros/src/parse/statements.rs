//! Statements other than `let`: assignments, and control around them.

use syn::spanned::Spanned;
use syn::{
    Attribute, Block, Expr, ExprAssign, ExprIf, ExprMatch, ExprReturn, ExprWhile, Pat, Stmt,
};

use super::reader::{Reader, is_plain, source};
use crate::attributes;
use crate::instead;
use crate::kernel::{Binder, Step};
use crate::places::{bare, is_compound};
use crate::text::{self, identifiers};

impl Reader<'_> {
    pub(super) fn expression(&mut self, expression: &Expr) -> Vec<Step> {
        let expression = bare(expression);
        match expression {
            Expr::ForLoop(each) => self.for_loop(expression, each),
            Expr::Macro(call) => self.macro_call(&call.mac, call),
            Expr::Call(call) => self.call(call),
            _ => self.step(expression).into_iter().collect(),
        }
    }

    /// Reads a statement that is one step; none if it is refused, or empty.
    fn step(&mut self, expression: &Expr) -> Option<Step> {
        Some(match expression {
            Expr::Assign(assignment) => return self.assignment(expression, assignment),
            Expr::Binary(binary) if is_compound(&binary.op) => Step::Assign {
                place: self.scope.resolve(&binary.left),
                op: Some(binary.op),
                value: self.scope.resolve(&binary.right),
                source: source(expression),
            },
            Expr::While(each) => return self.while_loop(expression, each),
            Expr::Loop(each) => Step::Loop {
                label: each.label.clone(),
                body: self.loop_body(expression, &each.body),
            },
            Expr::If(branch) => {
                return match attributes::guard(branch) {
                    Some(mark) => self.guard(mark, branch),
                    None => self.branch(branch),
                };
            }
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
            Expr::Return(exit) => self.early_return(exit),
            Expr::Verbatim(tokens) if tokens.is_empty() => return None,
            Expr::Tuple(tuple) if tuple.elems.is_empty() => return None,
            // These have their own message wherever they stand.
            Expr::Unsafe(_)
            | Expr::Async(_)
            | Expr::Await(_)
            | Expr::Try(_)
            | Expr::TryBlock(_)
            | Expr::Yield(_) => return None,
            Expr::MethodCall(call) => return self.refused(call, of_method(call)),
            other => return self.refused(
                other,
                "this statement assigns nothing: a kernel consists of assignments, and of control around them",
            ),
        })
    }

    /// Reads `place = value`. `whole` is `assignment` as an expression.
    fn assignment(&mut self, whole: &Expr, assignment: &ExprAssign) -> Option<Step> {
        match bare(&assignment.left) {
            Expr::Tuple(places) => {
                let places: Vec<&Expr> = places.elems.iter().collect();
                let message = match places[..] {
                    [one, other] if is_swap(assignment) => self.swap(one, other),
                    _ => "a kernel assigns one place at a time: write `let t = ...;` for each value, then `a[i] = t;` for each place".into(),
                };
                self.refused(whole, message)
            }
            Expr::Infer(_) => self.refused(
                whole,
                "`_ = ...` assigns nothing in a kernel: take the statement away",
            ),
            _ => Some(Step::Assign {
                place: self.scope.resolve(&assignment.left),
                op: None,
                value: self.scope.resolve(&assignment.right),
                source: source(whole),
            }),
        }
    }

    /// Reads a `while` loop. `whole` is `each` as an expression.
    fn while_loop(&mut self, whole: &Expr, each: &ExprWhile) -> Option<Step> {
        if contains_let(&each.cond) {
            return self.refused(
                &each.cond,
                "`while let` cannot stand in a kernel: write `loop` and a `match` on control",
            );
        }
        Some(Step::While {
            label: each.label.clone(),
            condition: self.scope.resolve(&each.cond),
            body: self.loop_body(whole, &each.body),
        })
    }

    /// Reads a `return`: in a called kernel it leaves the block of the call.
    fn early_return(&mut self, exit: &ExprReturn) -> Step {
        if let Some(value) = &exit.expr {
            self.returned(value);
        }
        match &mut self.exit {
            None => Step::Return(exit.span()),
            Some(callee) => {
                callee.used = true;
                Step::Break(exit.span(), Some(callee.label.clone()))
            }
        }
    }

    /// Checks the value of a `return` that is no guard's.
    fn returned(&mut self, value: &Expr) {
        if self.can_fail && self.exit.is_none() {
            if !is_ok(value) {
                self.refuse(value, GIVE_UP);
            }
        } else if !self.returns {
            self.refuse(value, "a kernel returns nothing: write the value through a `&mut` parameter, and `return;`");
        }
    }

    /// Checks the value in which the body of a kernel that can fail ends.
    pub(super) fn end(&mut self, block: &Block) {
        if let Some(Stmt::Expr(value, None)) = block.stmts.last()
            && !is_ok(value)
            && !matches!(value, Expr::Return(_))
        {
            self.refuse(
                value,
                "a kernel that can give up ends with `Ok(())`, and gives up where an `if` is marked `#[guard]`",
            );
        }
    }

    /// Reads `#[guard] if condition { return Err(error); }`.
    fn guard(&mut self, mark: &Attribute, branch: &ExprIf) -> Option<Step> {
        if !self.can_fail || self.exit.is_some() {
            return self.refused(
                mark,
                "`#[guard]` stands in a kernel that can give up, and that no other kernel calls: let it return `Result<(), E>`",
            );
        }
        let error = match &branch.then_branch.stmts[..] {
            [Stmt::Expr(Expr::Return(exit), _)] => exit.expr.as_deref().and_then(error_of),
            _ => None,
        };
        let (Some(error), None) = (error, &branch.else_branch) else {
            return self.refused(branch, GIVE_UP);
        };
        if contains_let(&branch.cond) {
            return self.refused(
                &branch.cond,
                "`if let` cannot be a guard: write a condition, as `x.is_nan()` or `matches!(..)`",
            );
        }
        Some(Step::Guard {
            condition: self.scope.resolve(&branch.cond),
            error: self.scope.resolve(error),
            source: source(branch),
        })
    }

    /// Reads a `for` loop. `whole` is `each` as an expression.
    fn for_loop(&mut self, whole: &Expr, each: &syn::ExprForLoop) -> Vec<Step> {
        if !is_range(&each.expr) {
            let is_taken = |name: &str| self.scope.lookup(name).is_some();
            let message = instead::of_iteration(&each.pat, &each.expr, &is_taken);
            return self.refused(&each.expr, message);
        }
        if let Some(message) = lacks(&each.expr) {
            return self.refused(&each.expr, message);
        }
        let range = self.scope.resolve(&each.expr);
        let mark = self.scope.mark();
        let variable = match &*each.pat {
            Pat::Wild(_) => None,
            Pat::Ident(name) if is_plain(name) => Some(self.scope.bind(&name.ident, Binder::Loop)),
            other => return self.refused(
                other,
                "a kernel's `for` has a plain variable: write `for i in ...`, and `let mut k = i;` for one that changes",
            ),
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
            let message = match chosen(branch) {
                Some(instead) => format!("`if let` cannot decide which statements run in a kernel: write `{instead}`"),
                None => "`if let` cannot decide which statements run in a kernel: write a `match` on control, or `x = if let ... { a } else { x }` on data".into(),
            };
            return self.refused(&branch.cond, message);
        }
        let condition = self.scope.resolve(&branch.cond);
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
        let scrutinee = self.scope.resolve(&choice.expr);
        let mut arms = Vec::new();
        for arm in &choice.arms {
            let mark = self.scope.mark();
            let pattern = self.scope.bind_pattern(arm.pat.clone(), Binder::Arm);
            let body = self.expression(&arm.body);
            self.scope.leave(mark);
            arms.push((pattern, body));
        }
        Step::Match { scrutinee, arms }
    }
}

const GIVE_UP: &str = "a kernel gives up with `#[guard] if condition { return Err(error); }`: the mark, no `else`, and nothing else inside";

/// Returns the text of the refusal of a method call that is a statement.
fn of_method(call: &syn::ExprMethodCall) -> String {
    let (array, first, end) = elements(&call.receiver);
    let range = format!("{}..{end}", first.as_deref().unwrap_or("0"));
    let argument = call.args.first().map(text::of).unwrap_or_default();
    match call.method.to_string().as_str() {
            "swap" => {
                let second = call.args.get(1).map(text::of).unwrap_or_default();
                format!(
                    "a kernel assigns one place at a time: write `let t = {array}[{argument}]; {array}[{argument}] = {array}[{second}]; {array}[{second}] = t;`"
                )
            }
            "fill" => format!(
                "a kernel assigns one place at a time: write `for i in {range} {{ {array}[i] = {argument}; }}`"
            ),
            "copy_from_slice" | "clone_from_slice" => {
                let source = call.args.first().map(|source| match bare(source) {
                    Expr::Reference(reference) => bare(&reference.expr),
                    other => other,
                });
                let (source, start) = match source {
                    Some(source @ (Expr::Path(_) | Expr::Index(_))) => {
                        let (source, start, _) = elements(source);
                        (source, start)
                    }
                    _ => ("source".into(), None),
                };
                let at = match (first, start) {
                    (None, None) => "i".to_owned(),
                    (one, other) if one == other => "i".to_owned(),
                    (None, Some(start)) => format!("{start} + i"),
                    (Some(first), None) => format!("i - {first}"),
                    (Some(first), Some(start)) => format!("{start} + i - {first}"),
                };
                format!(
                    "a kernel assigns one place at a time: write `for i in {range} {{ {array}[i] = {source}[{at}]; }}`"
                )
            }
            "for_each" => "a closure cannot assign in a kernel: write a `for` loop over a range".into(),
            "push" | "push_back" | "insert" | "extend" | "resize" | "extend_from_slice" => format!(
                "no array of a kernel grows: pass `{array}` as a parameter, `{array}: &mut [f64]`, or write one of fixed length, \
                 `let mut {array} = [0.0; 16];`, and assign its elements, `{array}[i] = value;`"
            ),
            "reverse" | "rotate_left" | "rotate_right" | "copy_within" | "swap_with_slice" => format!(
                "a kernel assigns one place at a time: write what `{}` does as a loop over indices",
                call.method
            ),
            name if name.starts_with("sort") => format!(
                "what `{name}` does depends on data: sort before or after the kernel runs"
            ),
            _ => "a call is no assignment: what a method does must come back as a value, `x[i] = y[i].method(...)`".into(),
        }
}

/// Returns the error of `Err(error)`.
fn error_of(value: &Expr) -> Option<&Expr> {
    argument_of(value, "Err")
}

fn is_ok(value: &Expr) -> bool {
    matches!(argument_of(value, "Ok"), Some(Expr::Tuple(unit)) if unit.elems.is_empty())
}

/// Returns the argument of a call of the function of that name, which has one.
fn argument_of<'e>(value: &'e Expr, name: &str) -> Option<&'e Expr> {
    let Expr::Call(call) = bare(value) else {
        return None;
    };
    let Expr::Path(path) = bare(&call.func) else {
        return None;
    };
    let is_named = path.path.segments.last()?.ident == name;
    call.args
        .first()
        .filter(|_| is_named && call.args.len() == 1)
}

/// Returns an `if` around one assignment, as an assignment of an `if`.
fn chosen(branch: &ExprIf) -> Option<String> {
    let [Stmt::Expr(Expr::Assign(assignment), _)] = &branch.then_branch.stmts[..] else {
        return None;
    };
    let Expr::Let(binding) = bare(&branch.cond) else {
        return None;
    };
    let (bound, used) = (identifiers(&binding.pat), identifiers(&assignment.left));
    if branch.else_branch.is_some() || !bound.is_disjoint(&used) {
        return None;
    }
    let (place, value) = (text::of(&assignment.left), text::of(&assignment.right));
    let condition = text::of(&branch.cond);
    Some(format!(
        "{place} = if {condition} {{ {value} }} else {{ {place} }};"
    ))
}

/// Returns whether a `for` can run over it: ranges of integers, reversed, with steps.
fn is_range(expression: &Expr) -> bool {
    match bare(expression) {
        Expr::Range(_) => true,
        Expr::MethodCall(call) if call.method == "rev" || call.method == "step_by" => {
            is_range(&call.receiver)
        }
        _ => false,
    }
}

/// Returns the array that an expression is all of or a range of, with the range's start, if that is
/// not 0, and its end.
fn elements(array: &Expr) -> (String, Option<String>, String) {
    if let Expr::Index(index) = bare(array)
        && let Expr::Range(range) = bare(&index.index)
    {
        let array = text::of(&index.expr);
        let end = match &range.end {
            Some(end) => text::of(end),
            None => format!("{array}.len()"),
        };
        return (array, range.start.as_ref().map(text::of), end);
    }
    let array = text::of(array);
    let end = format!("{array}.len()");
    (array, None, end)
}

/// Names the end that a range lacks.
fn lacks(expression: &Expr) -> Option<&'static str> {
    match bare(expression) {
        Expr::Range(range) if range.start.is_none() => {
            Some("a kernel's `for` needs the start of its range: write `0..n`")
        }
        Expr::Range(range) if range.end.is_none() => Some(
            "a kernel's `for` needs the end of its range: write `i..n`, or `loop` with a `break` on control",
        ),
        Expr::MethodCall(call) => lacks(&call.receiver),
        _ => None,
    }
}

/// Returns whether it is `(a, b) = (b, a)`.
fn is_swap(assignment: &ExprAssign) -> bool {
    let (Expr::Tuple(places), Expr::Tuple(values)) =
        (bare(&assignment.left), bare(&assignment.right))
    else {
        return false;
    };
    places.elems.iter().rev().eq(values.elems.iter())
}

fn contains_let(condition: &Expr) -> bool {
    match bare(condition) {
        Expr::Let(_) => true,
        Expr::Binary(binary) => contains_let(&binary.left) || contains_let(&binary.right),
        _ => false,
    }
}
