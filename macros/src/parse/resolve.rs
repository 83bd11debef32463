//! Resolution: replaces each of the kernel's names in an expression by the binding that it means.

use std::collections::BTreeMap;

use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::visit_mut::{self, VisitMut};
use syn::{
    Block, Expr, ExprClosure, ExprForLoop, ExprIf, ExprMatch, ExprPath, ExprWhile, FieldPat,
    FieldValue, Local, Member, Pat, Token,
};

use super::names::Scope;
use crate::attributes;
use crate::kernel::{Binder, Id, marked, marked_id};
use crate::places::{bare, identifier, is_compound};

impl Scope {
    /// Resolves an expression.
    pub(super) fn resolve(&mut self, expression: &Expr) -> Expr {
        let mut expression = expression.clone();
        Resolve::new(self).visit_expr_mut(&mut expression);
        self.place_parts(&mut expression);
        expression
    }

    /// Binds the names of a pattern and resolves its guards.
    pub(super) fn bind_pattern(&mut self, mut pattern: Pat, binder: Binder) -> Pat {
        Resolve::new(self).pattern(&mut pattern, binder);
        self.place_parts_in(&mut pattern);
        pattern
    }
}

struct Resolve<'s> {
    scope: &'s mut Scope,
    /// Loops of the expression itself around the current place.
    loops: usize,
    /// Closures around it.
    closures: usize,
}

impl<'s> Resolve<'s> {
    fn new(scope: &'s mut Scope) -> Self {
        Self {
            scope,
            loops: 0,
            closures: 0,
        }
    }
}

impl Resolve<'_> {
    /// Binds the names of a pattern; the same name in two alternatives is one.
    fn pattern(&mut self, pattern: &mut Pat, binder: Binder) {
        struct Bind<'r, 's> {
            resolve: &'r mut Resolve<'s>,
            binder: Binder,
            seen: BTreeMap<String, Id>,
        }
        impl VisitMut for Bind<'_, '_> {
            fn visit_pat_ident_mut(&mut self, pattern: &mut syn::PatIdent) {
                // What begins with a capital is a constant or a variant.
                let name = pattern.ident.clone();
                if name.unraw().to_string().starts_with(char::is_uppercase) {
                    return;
                }
                let scope = &mut *self.resolve.scope;
                let id = *self
                    .seen
                    .entry(name.to_string())
                    .or_insert_with(|| scope.bind(&name, self.binder));
                pattern.ident = marked(id, name.span());
                visit_mut::visit_pat_ident_mut(self, pattern);
            }
            fn visit_field_pat_mut(&mut self, field: &mut FieldPat) {
                field.colon_token.get_or_insert_default();
                visit_mut::visit_field_pat_mut(self, field);
            }
            fn visit_expr_mut(&mut self, expression: &mut Expr) {
                self.resolve.visit_expr_mut(expression);
            }
        }
        Bind {
            resolve: self,
            binder,
            seen: BTreeMap::new(),
        }
        .visit_pat_mut(pattern);
    }

    /// Refuses a macro that will read names of ours, which we cannot.
    fn macro_call(&mut self, call: &syn::Macro) {
        let Some((at, name)) = self.scope.named(&call.tokens) else {
            return;
        };
        let what = call.path.segments.last().map(|last| last.ident.to_string());
        let message = match what.as_deref() {
            Some("vec") => {
                "a kernel allocates nothing: pass an array that it may use as it likes, `scratch: &mut [f64]`, or write one of fixed length, `[0.0; 16]`".into()
            }
            Some(what @ ("panic" | "unreachable" | "todo" | "unimplemented")) => format!(
                "the text of `{what}!` cannot name `{name}` in a kernel: write a plain text, `{what}!(\"...\")`"
            ),
            _ => format!(
                "a macro cannot name `{name}`: what it reads is hidden in its tokens. Write the expression out, or call a function with `{name}` as an argument"
            ),
        };
        self.scope.errors.refuse(at, message);
    }

    fn escapes(&mut self, at: &dyn ToTokens, what: &str) {
        self.scope.errors.refuse(
            at,
            format!("`{what}` cannot stand inside an expression: a task has no way out but its value. Make it a statement under a condition on control"),
        );
    }
}

impl VisitMut for Resolve<'_> {
    fn visit_expr_mut(&mut self, expression: &mut Expr) {
        if let Expr::Macro(call) = expression
            && call.mac.path.is_ident("matches")
            && let Ok(choice) = call.mac.parse_body_with(matches)
        {
            *expression = choice;
        }
        if let Some(mark) = attributes::grain(expression) {
            self.scope.errors.refuse(
                mark,
                "this loop is within an expression, and so part of a task already: `#[grain]` marks a loop that is a statement of the kernel",
            );
        }
        match expression {
            Expr::Path(path) => return self.path(path),
            Expr::If(branch) => return self.branch(branch),
            Expr::Let(binding) => {
                self.visit_expr_mut(&mut binding.expr);
                return self.pattern(&mut binding.pat, Binder::Inner);
            }
            Expr::Match(choice) => return self.choice(choice),
            Expr::While(each) => return self.while_loop(each),
            Expr::Loop(each) => return self.loop_body(&mut each.body),
            Expr::ForLoop(each) => return self.for_loop(each),
            Expr::Return(_) => self.escapes(expression, "return"),
            Expr::Break(_) if self.loops == 0 => self.escapes(expression, "break"),
            Expr::Continue(_) if self.loops == 0 => self.escapes(expression, "continue"),
            Expr::Assign(assignment) => {
                self.change(&assignment.left, &assignment.left, ASSIGNMENT);
            }
            Expr::Binary(binary) if is_compound(&binary.op) => {
                self.change(&binary.left, &binary.left, ASSIGNMENT);
            }
            Expr::Reference(reference) if reference.mutability.is_some() => self.change(
                &reference.expr,
                reference,
                "a kernel cannot lend its data as `&mut`: let the function return the new value, and assign it, `x = f(x)`",
            ),
            Expr::Macro(call) => self.macro_call(&call.mac),
            _ => {}
        }
        visit_mut::visit_expr_mut(self, expression);
    }

    fn visit_expr_closure_mut(&mut self, closure: &mut ExprClosure) {
        let mark = self.scope.mark();
        for input in &mut closure.inputs {
            self.pattern(input, Binder::Inner);
        }
        let loops = std::mem::take(&mut self.loops);
        self.closures += 1;
        self.visit_expr_mut(&mut closure.body);
        self.closures -= 1;
        self.loops = loops;
        self.scope.leave(mark);
    }

    fn visit_block_mut(&mut self, block: &mut Block) {
        let mark = self.scope.mark();
        visit_mut::visit_block_mut(self, block);
        self.scope.leave(mark);
    }

    fn visit_local_mut(&mut self, local: &mut Local) {
        if let Some(init) = &mut local.init {
            self.visit_expr_mut(&mut init.expr);
            if let Some((_, diverge)) = &mut init.diverge {
                self.visit_expr_mut(diverge);
            }
        }
        self.pattern(&mut local.pat, Binder::Inner);
    }

    fn visit_field_value_mut(&mut self, field: &mut FieldValue) {
        // `Complex { re, im }` reads the variable `re`: write it out, since the variable's name
        // changes.
        if matches!(field.member, Member::Named(_)) {
            field.colon_token.get_or_insert_default();
        }
        visit_mut::visit_field_value_mut(self, field);
    }

    fn visit_stmt_mut(&mut self, statement: &mut syn::Stmt) {
        if let Some(mark) = attributes::cost(statement) {
            self.scope.errors.refuse(
                mark,
                "this statement is within an expression, and so part of a task already: `#[cost]` marks the assignment or the `let` around it",
            );
        }
        if let syn::Stmt::Macro(call) = statement {
            self.macro_call(&call.mac);
        }
        visit_mut::visit_stmt_mut(self, statement);
    }

    fn visit_type_mut(&mut self, _: &mut syn::Type) {}
}

impl Resolve<'_> {
    fn path(&mut self, path: &mut ExprPath) {
        if path.qself.is_none()
            && let Some(name) = path.path.get_ident()
            && let Some(id) = self.scope.lookup(&name.to_string())
        {
            let ident = marked(id, name.span());
            path.path = ident.into();
        }
    }

    fn branch(&mut self, branch: &mut ExprIf) {
        let mark = self.scope.mark();
        self.visit_expr_mut(&mut branch.cond);
        self.visit_block_mut(&mut branch.then_branch);
        self.scope.leave(mark);
        if let Some((_, otherwise)) = &mut branch.else_branch {
            self.visit_expr_mut(otherwise);
        }
    }

    fn choice(&mut self, choice: &mut ExprMatch) {
        self.visit_expr_mut(&mut choice.expr);
        for arm in &mut choice.arms {
            let mark = self.scope.mark();
            // A closure's `match` stays in the closure.
            let binder = if self.closures > 0 {
                Binder::Inner
            } else {
                Binder::Arm
            };
            self.pattern(&mut arm.pat, binder);
            self.visit_expr_mut(&mut arm.body);
            self.scope.leave(mark);
        }
    }

    fn while_loop(&mut self, each: &mut ExprWhile) {
        let mark = self.scope.mark();
        self.visit_expr_mut(&mut each.cond);
        self.loop_body(&mut each.body);
        self.scope.leave(mark);
    }

    fn for_loop(&mut self, each: &mut ExprForLoop) {
        self.visit_expr_mut(&mut each.expr);
        let mark = self.scope.mark();
        self.pattern(&mut each.pat, Binder::Inner);
        self.loop_body(&mut each.body);
        self.scope.leave(mark);
    }

    fn loop_body(&mut self, body: &mut Block) {
        self.loops += 1;
        self.visit_block_mut(body);
        self.loops -= 1;
    }

    /// Returns whether what a place is in, or a part of, is bound outside the expression.
    fn is_of_kernel(&self, place: &Expr) -> bool {
        let root = root(place);
        let resolved = identifier(root).and_then(marked_id);
        let id = resolved.or_else(|| self.scope.id_of(root));
        id.is_some_and(|id| self.scope.bindings[id].binder != Binder::Inner)
    }

    /// Refuses to change what is not bound inside the expression: by an assignment, or by lending
    /// it as `&mut`.
    fn change(&mut self, place: &Expr, at: &impl ToTokens, message: &str) {
        if self.is_of_kernel(place) {
            self.scope.errors.refuse(at, message);
        }
    }
}

const ASSIGNMENT: &str = "an assignment cannot stand inside an expression: give it a statement of its own, under conditions on control only";

/// Parses `matches!(value, pattern if guard)` as the `match` that it is.
fn matches(input: ParseStream<'_>) -> syn::Result<Expr> {
    let value: Expr = input.parse()?;
    input.parse::<Token![,]>()?;
    let pattern = Pat::parse_multi_with_leading_vert(input)?;
    let guard = match input.parse::<Option<Token![if]>>()? {
        Some(_) => Some(input.parse::<Expr>()?),
        None => None,
    };
    input.parse::<Option<Token![,]>>()?;
    let guard = guard.map(|guard| quote!(if #guard));
    syn::parse2(quote!(match #value { #pattern #guard => true, _ => false }))
}

/// Returns the name at the bottom of a place.
fn root(place: &Expr) -> &Expr {
    match bare(place) {
        Expr::Index(index) => root(&index.expr),
        Expr::Field(field) => root(&field.base),
        Expr::Unary(unary) => root(&unary.expr),
        other => other,
    }
}
