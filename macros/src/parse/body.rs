//! Statements: the body as a tree of steps.

use quote::ToTokens;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{
    Block, Expr, ExprIf, ExprMatch, ItemFn, Local, Macro, Pat, RangeLimits, ReturnType, Stmt,
    Token, Type,
};

use super::names::Scope;
use super::{is_compound, signature};
use crate::kernel::{Dimension, Home, Id, Source, Step};
use crate::places::bare;
use crate::text;

/// Reads a function's body. `mutable`: scalars passed by value as `mut`, which become locals that start as the parameter.
pub(super) fn body(function: &ItemFn, mutable: &[Id], scope: &mut Scope) -> Vec<Step> {
    let mut block = (*function.block).clone();
    if matches!(function.sig.output, ReturnType::Type(..)) {
        // The signature is refused for it.
        block
            .stmts
            .pop_if(|last| matches!(last, Stmt::Expr(_, None)));
    }
    let mut steps = Vec::new();
    for &parameter in mutable {
        if scope.bindings[parameter].is_array() {
            continue;
        }
        let name = scope.bindings[parameter].name.clone();
        let init = syn::parse_quote!(#name);
        let init = scope.resolve(init);
        let id = scope.bind(&name, Home::Local);
        scope.bindings[id].element = scope.bindings[parameter].element.clone();
        steps.push(Step::Let {
            id,
            init: Some(init),
            source: Source {
                span: name.span(),
                text: format!("let mut {name} = {name}"),
            },
        });
    }
    let mut reader = Reader { scope };
    steps.extend(reader.block(&block));
    steps
}

struct Reader<'s> {
    scope: &'s mut Scope,
}

impl Reader<'_> {
    fn refuse(&mut self, at: impl ToTokens, message: impl std::fmt::Display) {
        self.scope.errors.refuse(at, message);
    }

    fn block(&mut self, block: &Block) -> Vec<Step> {
        let mark = self.scope.mark();
        let mut steps = Vec::new();
        for statement in &block.stmts {
            match statement {
                Stmt::Local(local) => steps.extend(self.local(local)),
                Stmt::Expr(expression, _) => steps.extend(self.expression(expression)),
                Stmt::Macro(call) => steps.extend(self.macro_call(&call.mac, call)),
                Stmt::Item(_) => {}
            }
        }
        self.scope.leave(mark);
        steps
    }

    fn local(&mut self, local: &Local) -> Vec<Step> {
        let (pattern, ty) = match &local.pat {
            Pat::Type(typed) => (&*typed.pat, Some(&*typed.ty)),
            other => (other, None),
        };
        if let Some(init) = &local.init
            && init.diverge.is_some()
        {
            self.refuse(
                local,
                "`let ... else` cannot stand in a kernel: use an `if` on control",
            );
            return Vec::new();
        }
        let init = local.init.as_ref().map(|init| &*init.expr);
        match (pattern, init) {
            (Pat::Ident(name), _) if name.by_ref.is_none() && name.subpat.is_none() => {
                vec![self.name(&name.ident, ty, init, local)]
            }
            (Pat::Tuple(names), Some(Expr::Tuple(values)))
                if ty.is_none() && names.elems.len() == values.elems.len() =>
            {
                self.tuple(names, values, local)
            }
            (Pat::Wild(_), _) => {
                self.refuse(
                    local,
                    "`let _` assigns nothing in a kernel: take the statement away",
                );
                Vec::new()
            }
            _ => {
                self.refuse(
                    &local.pat,
                    "a kernel's `let` binds one name: write `let pair: (f64, f64) = ...;` and use `pair.0`, or one `let` for each name",
                );
                Vec::new()
            }
        }
    }

    /// `let (a, b) = (x, y);` as one `let` for each name; the values see none of the names.
    fn tuple(
        &mut self,
        names: &syn::PatTuple,
        values: &syn::ExprTuple,
        local: &Local,
    ) -> Vec<Step> {
        let mut steps = Vec::new();
        let mut bound = Vec::new();
        for (pattern, value) in names.elems.iter().zip(&values.elems) {
            match pattern {
                Pat::Ident(name) if name.by_ref.is_none() && name.subpat.is_none() => {
                    let init = self.scope.resolve(value.clone());
                    let id = self.scope.create(&name.ident, Home::Local);
                    bound.push(id);
                    steps.push(Step::Let {
                        id,
                        init: Some(init),
                        source: source(local),
                    });
                }
                other => self.refuse(other, "a kernel's `let` binds names: write one for each"),
            }
        }
        bound.into_iter().for_each(|id| self.scope.show(id));
        steps
    }

    fn name(
        &mut self,
        name: &syn::Ident,
        ty: Option<&Type>,
        init: Option<&Expr>,
        local: &Local,
    ) -> Step {
        if let Some(Expr::Reference(reference)) = init.map(bare) {
            self.refuse(
                reference,
                "a kernel's local cannot borrow: copy the value, `let x = a[i];`, or name the index, `let k = i * n + j;`",
            );
        }
        if matches!(ty, Some(Type::Reference(_))) {
            self.refuse(ty, "a kernel's local cannot be a reference: copy the value");
        }
        let resolved = init.map(|init| self.scope.resolve(init.clone()));
        let (dimensions, element) = match (ty, &resolved) {
            (Some(ty), _) => {
                let (dimensions, element) = signature::shape(ty);
                (dimensions, concrete(element))
            }
            (None, Some(init)) => (literal_shape(init), None),
            (None, None) => (Vec::new(), None),
        };
        let id = self.scope.bind(name, Home::Local);
        let binding = &mut self.scope.bindings[id];
        binding.dimensions = dimensions;
        binding.element = element;
        Step::Let {
            id,
            init: resolved,
            source: source(local),
        }
    }

    fn expression(&mut self, expression: &Expr) -> Vec<Step> {
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
            Expr::ForLoop(each) => return self.for_loop(each),
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
                    body: self.block(&each.body),
                }
            }
            Expr::Loop(each) => Step::Loop {
                label: each.label.clone(),
                body: self.block(&each.body),
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
                Step::Return(exit.span())
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
            Expr::Call(call) => {
                self.refuse(
                    call,
                    "a call is no assignment: what a function does must come back as a value, `x[i] = f(...)`. Calls to other kernels are not built yet: write the other kernel's loops here",
                );
                return Vec::new();
            }
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

    fn for_loop(&mut self, each: &syn::ExprForLoop) -> Vec<Step> {
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
        let body = self.block(&each.body);
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

    fn macro_call(&mut self, call: &Macro, whole: &impl ToTokens) -> Vec<Step> {
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

/// A type that leaves nothing to infer.
fn concrete(ty: &Type) -> Option<Type> {
    (!matches!(ty, Type::Infer(_))).then(|| ty.clone())
}

/// The dimensions of an array literal.
fn literal_shape(init: &Expr) -> Vec<Dimension> {
    let (length, inner) = match bare(init) {
        Expr::Repeat(repeat) => ((*repeat.len).clone(), Some(&*repeat.expr)),
        Expr::Array(array) => {
            let count = proc_macro2::Literal::usize_unsuffixed(array.elems.len());
            (syn::parse_quote!(#count), array.elems.first())
        }
        _ => return Vec::new(),
    };
    let mut dimensions = vec![Dimension::Fixed(length)];
    dimensions.extend(inner.map(literal_shape).unwrap_or_default());
    dimensions
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

/// The statement without the semicolon at its end.
fn source(statement: &impl ToTokens) -> Source {
    let tokens = statement.to_token_stream();
    let span = tokens
        .clone()
        .into_iter()
        .next()
        .map_or_else(proc_macro2::Span::call_site, |t| t.span());
    let text = text::of(&tokens);
    let text = text.strip_suffix(';').unwrap_or(&text).to_owned();
    Source { span, text }
}
