//! Refusals of what is outside the language wherever it stands in the body.

use syn::visit::{self, Visit};
use syn::{Expr, ItemFn, Path, Stmt};

use crate::errors::Errors;

/// Refuses all that is outside the language wherever it stands in a function's body.
pub(super) fn check(function: &ItemFn, errors: &mut Errors) {
    let mut outside = Outside { errors };
    outside.visit_signature(&function.sig);
    outside.visit_block(&function.block);
}

struct Outside<'e> {
    errors: &'e mut Errors,
}

impl<'ast> Visit<'ast> for Outside<'_> {
    fn visit_expr(&mut self, expression: &'ast Expr) {
        match expression {
            Expr::Unsafe(block) => self.errors.refuse(
                block.unsafe_token,
                "a kernel cannot contain `unsafe`: put it into a function that is safe to call, and call that",
            ),
            Expr::Async(block) => self.errors.refuse(
                block.async_token,
                "a kernel cannot contain `async`: it is computed by processors that never wait for anything but each other",
            ),
            Expr::Await(wait) => self.errors.refuse(
                wait.await_token,
                "a kernel cannot `await`: compute what it needs before, and pass it as a parameter",
            ),
            Expr::Try(attempt) => self.errors.refuse(
                attempt.question_token,
                "a kernel cannot leave early with `?`: let the called function return a plain value, or check before the kernel runs",
            ),
            Expr::TryBlock(block) => self.errors.refuse(
                block.try_token,
                "a kernel cannot contain `try`: let the called functions return plain values",
            ),
            Expr::Yield(expression) => self.errors.refuse(
                expression.yield_token,
                "a kernel cannot `yield`",
            ),
            Expr::RawAddr(address) => self.errors.refuse(
                address,
                "a kernel cannot take raw addresses: its data lives elsewhere on each processor",
            ),
            Expr::Closure(closure) if closure.asyncness.is_some() => self.errors.refuse(
                closure.asyncness,
                "a kernel cannot contain `async`: it is computed by processors that never wait for anything but each other",
            ),
            _ => {}
        }
        visit::visit_expr(self, expression);
    }

    fn visit_stmt(&mut self, statement: &'ast Stmt) {
        match statement {
            Stmt::Item(item) => self.errors.refuse(
                item,
                "an item cannot stand inside a kernel: its parallel program could not name it. Move it before the kernel",
            ),
            _ => visit::visit_stmt(self, statement),
        }
    }

    fn visit_path(&mut self, path: &'ast Path) {
        if path.leading_colon.is_none()
            && let Some(first) = path.segments.first()
            && first.ident == "crate"
        {
            self.errors.refuse(
                &first.ident,
                "`crate::` means another crate in the build script, which compiles this file too: write `super::` or `self::`, or import the name",
            );
        }
        visit::visit_path(self, path);
    }
}
