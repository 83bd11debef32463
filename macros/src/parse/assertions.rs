//! Macros that are statements: assertions, and those that are refused.

use quote::ToTokens;
use syn::punctuated::Punctuated;
use syn::{Expr, Macro, Token};

use super::reader::{Reader, source};
use crate::kernel::Step;

impl Reader<'_> {
    pub(super) fn macro_call(&mut self, call: &Macro, whole: &impl ToTokens) -> Vec<Step> {
        let name = call.path.segments.last().map(|s| s.ident.to_string());
        let debug = match name.as_deref() {
            Some("assert") => false,
            Some("debug_assert") => true,
            Some("assert_eq" | "assert_ne" | "debug_assert_eq" | "debug_assert_ne") => {
                return self.assert_two(call, name.unwrap_or_default().as_str(), whole);
            }
            name => return self.refused(whole, statement_macro(name.unwrap_or_default())),
        };
        match arguments(call) {
            Ok(arguments) if !arguments.is_empty() => vec![Step::Assert {
                debug,
                condition: self.scope.resolve(&arguments[0]),
                source: source(whole),
            }],
            _ => self.refused(whole, "an assertion needs a condition"),
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
                    condition: self.scope.resolve(&condition),
                    source: source(whole),
                }]
            }
            _ => self.refused(whole, "an assertion needs two values to compare"),
        }
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

fn arguments(call: &Macro) -> syn::Result<Vec<Expr>> {
    let parsed = call.parse_body_with(Punctuated::<Expr, Token![,]>::parse_terminated)?;
    Ok(parsed.into_iter().collect())
}
