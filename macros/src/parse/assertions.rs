//! Macros that are statements: assertions, and those that are refused.

use quote::ToTokens;
use syn::punctuated::Punctuated;
use syn::{Expr, Macro, Token};

use super::reader::{Reader, source};
use crate::kernel::Step;

impl Reader<'_> {
    pub(super) fn macro_call(&mut self, call: &Macro, whole: &impl ToTokens) -> Vec<Step> {
        let name = call.path.segments.last().map(|s| s.ident.to_string());
        let name = name.unwrap_or_default();
        let plain = name.strip_prefix("debug_").unwrap_or(&name);
        let message = match plain {
            "assert" => "an assertion needs a condition",
            "assert_eq" | "assert_ne" => "an assertion needs two values to compare",
            _ => return self.refused(whole, statement_macro(&name)),
        };
        let condition = match (plain, &arguments(call)[..]) {
            ("assert", [condition, ..]) => condition.clone(),
            ("assert_eq", [left, right, ..]) => syn::parse_quote!((#left) == (#right)),
            ("assert_ne", [left, right, ..]) => syn::parse_quote!((#left) != (#right)),
            _ => return self.refused(whole, message),
        };
        vec![Step::Assert {
            debug: name.starts_with("debug"),
            condition: self.scope.resolve(&condition),
            source: source(whole),
        }]
    }
}

/// Returns the text of the refusal of a macro that is a statement.
fn statement_macro(name: &str) -> String {
    match name {
        "panic" | "unreachable" | "todo" | "unimplemented" => format!(
            "`{name}!` cannot be a statement of a kernel: write what must hold as `assert!(condition)`, on control, before the place, \
             and `{{}}` for an arm or a branch that is never taken"
        ),
        "print" | "println" | "eprint" | "eprintln" | "dbg" | "write" | "writeln" => format!(
            "a kernel cannot print with `{name}!`: its statements run on several processors, in another order. Print before or after it runs"
        ),
        _ => "a macro cannot be a statement of a kernel, apart from `assert!` and its kin: what it does is hidden in its tokens. Write it out, or do it outside".into(),
    }
}

/// Returns the arguments of a macro, none where these are no expressions.
fn arguments(call: &Macro) -> Vec<Expr> {
    let parsed = call.parse_body_with(Punctuated::<Expr, Token![,]>::parse_terminated);
    parsed.into_iter().flatten().collect()
}
