//! Calls of the library's float functions (`sin`, `exp`, ...), as the runtime's `library` makes
//! them.
//!
//! They are so in the function that is kept and in the statements of programs alike. So the
//! compiler folds neither at compile time, where results may have other bits.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, ExprCall, ExprMethodCall, Type};

use crate::places::bare;

/// Replaces all such calls below a node: `x.tanh()`, `x.powi(2)`, `f64::atan2(y, x)`.
///
/// Functions whose results IEEE 754 prescribes (`sqrt`, `mul_add`, `floor`) stay: to fold them
/// changes no bit.
pub(crate) struct Calls<'f> {
    /// Path of the facade crate.
    pub facade: &'f TokenStream,
}

impl VisitMut for Calls<'_> {
    fn visit_expr_mut(&mut self, expression: &mut Expr) {
        visit_mut::visit_expr_mut(self, expression);
        let replacement = match expression {
            Expr::MethodCall(call) => self.method(call),
            Expr::Call(call) => self.function(call),
            _ => None,
        };
        if let Some(replacement) = replacement {
            *expression = replacement;
        }
    }

    fn visit_type_mut(&mut self, _: &mut Type) {}
}

impl Calls<'_> {
    /// Replaces a method's call: `x.tanh()`.
    fn method(&self, call: &ExprMethodCall) -> Option<Expr> {
        if call.turbofish.is_some() {
            return None;
        }
        let operands: Vec<&Expr> = [&*call.receiver].into_iter().chain(&call.args).collect();
        self.call(&call.method, None, &operands)
    }

    /// Replaces a function's call: `f64::tanh(x)`.
    fn function(&self, call: &ExprCall) -> Option<Expr> {
        let Expr::Path(path) = bare(&call.func) else {
            return None;
        };
        let segments: Vec<&Ident> = path.path.segments.iter().map(|s| &s.ident).collect();
        let [.., float, name] = segments[..] else {
            return None;
        };
        if *float != "f32" && *float != "f64" {
            return None;
        }
        let operands: Vec<&Expr> = call.args.iter().collect();
        self.call(name, Some(float), &operands)
    }

    fn call(&self, name: &Ident, float: Option<&Ident>, operands: &[&Expr]) -> Option<Expr> {
        let arity = arity(&name.to_string())?;
        let Self { facade } = self;
        let hygienic = Span::mixed_site().located_at(name.span());
        let [x, y] = ["x", "y"].map(|name| Ident::new(name, hygienic));
        let float = float.map(|float| quote!(::<#float>));
        let (&[receiver], others) = operands.split_first_chunk()?;
        let call = match (arity, others) {
            (Arity::Unary, []) => quote!(call(|#x| #x.#name())),
            // Both sides know it, so it may stay known: `powf(2.0)` is a product.
            (Arity::Binary, [Expr::Lit(other)]) => quote!(call(|#x| #x.#name(#other))),
            (Arity::Binary, [other]) => quote!(call_with(#other, |#x, #y| #x.#name(#y))),
            (Arity::Power, [exponent]) => quote!(powi(#exponent, |#x, #y| #x.#name(#y))),
            _ => return None,
        };
        // In parentheses: a statement that begins with a block would end with it.
        Some(syn::parse_quote!(({
            use #facade::__private::library::{Float as _, Other as _};
            (&#facade::__private::library::Value #float(&(#receiver))).#call
        })))
    }
}

/// Operands that a function takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Arity {
    Unary,
    Binary,
    /// A number and an integer.
    Power,
}

/// Returns the arity of a method of floats whose last bits are the library's choice.
fn arity(name: &str) -> Option<Arity> {
    Some(match name {
        "exp" | "exp2" | "exp_m1" | "ln" | "ln_1p" | "log2" | "log10" | "cbrt" | "sin" | "cos"
        | "tan" | "sin_cos" | "asin" | "acos" | "atan" | "sinh" | "cosh" | "tanh" | "asinh"
        | "acosh" | "atanh" | "gamma" | "ln_gamma" => Arity::Unary,
        "powf" | "log" | "atan2" | "hypot" => Arity::Binary,
        "powi" => Arity::Power,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use quote::ToTokens;

    use super::*;

    fn replaced(text: &str) -> String {
        let mut expression: Expr = syn::parse_str(text).expect("it is an expression");
        let facade = quote!(F);
        Calls { facade: &facade }.visit_expr_mut(&mut expression);
        let text = expression.to_token_stream().to_string();
        let prefix = quote!({
            use F::__private::library::{Float as _, Other as _};
        });
        let prefix = prefix.to_string();
        let text = text.replace(prefix.trim_end_matches('}'), "{ ");
        text.replace("F :: __private :: library :: ", "")
    }

    #[test]
    fn library_functions_are_called_where_the_compiler_knows_no_operand() {
        for (text, expected) in [
            (
                "x[i].tanh()",
                "({ (& Value (& (x [i]))) . call (| x | x . tanh ()) })",
            ),
            (
                "(a + b).powi(k - 2)",
                "({ (& Value (& ((a + b)))) . powi (k - 2 , | x , y | x . powi (y)) })",
            ),
            (
                "a.powf(1.0 / 3.0)",
                "({ (& Value (& (a))) . call_with (1.0 / 3.0 , | x , y | x . powf (y)) })",
            ),
            (
                "f64::atan2(a, 0.5)",
                "({ (& Value :: < f64 > (& (a))) . call (| x | x . atan2 (0.5)) })",
            ),
            (
                "g(a.ln().sqrt())",
                "g (({ (& Value (& (a))) . call (| x | x . ln ()) }) . sqrt ())",
            ),
        ] {
            assert_eq!(replaced(text), expected);
        }
    }

    #[test]
    fn functions_without_a_choice_and_those_of_others_stay() {
        for text in [
            "x . sqrt ()",
            "x . exp (2)",
            "ln (x)",
            "g :: ln (x)",
            "f (x , 2)",
        ] {
            assert_eq!(replaced(text), text);
        }
    }
}
