//! The body of a marked loop: one assignment that combines an accumulator with a value.

use std::slice::from_ref;

use proc_macro2::{Ident, Literal, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{BinOp, Block, Error, Expr, Stmt, UnOp};

use crate::attributes;
use crate::places::{bare, is_compound, operator, word};
use crate::text::{self, mentions};

/// Accumulation: `place op= value`, `place = place op value`, `place = place.method(value)` or
/// `place = function(place, value)`.
pub(super) struct Accumulation {
    pub place: Expr,
    pub value: Expr,
    /// Assertions that the value reads other words of the accumulator's array.
    pub checks: Vec<TokenStream>,
    /// The `#[cost]` of each execution, if it has one.
    pub cost: Option<TokenStream>,
    operation: Operation,
}

enum Operation {
    Compound(BinOp),
    Binary(BinOp),
    Method(Ident),
    Function(Expr),
}

impl Accumulation {
    /// Reads a loop's body. `variable`: the loop's.
    pub(super) fn of(body: &Block, variable: Option<&Ident>) -> syn::Result<Self> {
        let costly = match &body.stmts[..] {
            [statement] => attributes::take_cost(statement),
            _ => None,
        };
        let (statements, cost) = match &costly {
            Some((plain, nanoseconds)) => {
                let nanoseconds = Literal::u32_unsuffixed(*nanoseconds);
                (from_ref(plain), Some(quote!(#[cost(#nanoseconds)])))
            }
            None => (&body.stmts[..], None),
        };
        let [Stmt::Expr(statement, _)] = statements else {
            return Err(Error::new_spanned(
                body,
                "the body of a `#[reduce]` loop is one accumulation, such as `s += x[i]`: give every accumulator a loop of its own, \
                 and compute the value on the right-hand side",
            ));
        };
        let (place, value, operation) = match bare(statement) {
            Expr::Binary(binary) if is_compound(&binary.op) => {
                associative(&binary.op)?;
                let operation = Operation::Compound(binary.op);
                (&*binary.left, &*binary.right, operation)
            }
            Expr::Assign(assignment) => {
                let place = &*assignment.left;
                let (value, operation) = assigned(place, &assignment.right)?;
                (place, value, operation)
            }
            other => {
                return Err(Error::new_spanned(
                    other,
                    "this accumulates nothing: a `#[reduce]` loop has the form `s += value`, `s = s.max(value)` or `s = combine(s, value)`",
                ));
            }
        };
        if let Some(variable) = variable
            && mentions(place, variable)
        {
            return Err(Error::new_spanned(
                place,
                format!(
                    "`{}` is another place in every iteration: a `#[reduce]` loop accumulates into one place, which does not depend on `{variable}`",
                    text::of(place)
                ),
            ));
        }
        Ok(Self {
            checks: others(place, value)?,
            place: place.clone(),
            value: value.clone(),
            cost,
            operation,
        })
    }

    /// Returns whether the value reads a name.
    pub(super) fn mentions(&self, name: &Ident) -> bool {
        mentions(&self.value, name)
    }

    /// Returns the statement that combines what is in `left` with `right`.
    pub(super) fn combine(&self, left: &impl ToTokens, right: &impl ToTokens) -> TokenStream {
        let span = self.place.span();
        match &self.operation {
            Operation::Compound(op) => quote_spanned!(span=> #left #op #right;),
            Operation::Binary(op) => quote_spanned!(span=> #left = #left #op #right;),
            Operation::Method(method) => quote_spanned!(span=> #left = (#left).#method(#right);),
            Operation::Function(function) => {
                quote_spanned!(span=> #left = #function(#left, #right);)
            }
        }
    }
}

/// Returns the value and the operation of `place = right`.
fn assigned<'e>(place: &Expr, right: &'e Expr) -> syn::Result<(&'e Expr, Operation)> {
    let is_place = |expression: &Expr| bare(expression) == bare(place);
    // Methods look through references.
    let is_receiver =
        |expression: &Expr| is_place(expression) || bare(expression) == referent(place);
    match bare(right) {
        Expr::Binary(binary) if is_place(&binary.left) => {
            associative(&binary.op)?;
            Ok((&binary.right, Operation::Binary(binary.op)))
        }
        Expr::MethodCall(call) if is_receiver(&call.receiver) && call.args.len() == 1 => {
            let name = call.method.to_string();
            if NOT_ASSOCIATIVE.iter().any(|part| name.contains(part)) {
                return Err(not_associative(&call.method, &name));
            }
            Ok((&call.args[0], Operation::Method(call.method.clone())))
        }
        Expr::Call(call) if call.args.len() == 2 && is_place(&call.args[0]) => {
            Ok((&call.args[1], Operation::Function((*call.func).clone())))
        }
        other => {
            let receiver = text::of(referent(place));
            let place = text::of(place);
            Err(Error::new_spanned(
                other,
                format!(
                    "a `#[reduce]` loop combines its accumulator, on the left, with one value: write `{place} += value`, \
                     `{place} = {receiver}.max(value)` or `{place} = combine({place}, value)`"
                ),
            ))
        }
    }
}

/// Returns `s` of `*s`.
fn referent(place: &Expr) -> &Expr {
    match bare(place) {
        Expr::Unary(unary) if matches!(unary.op, UnOp::Deref(_)) => bare(&unary.expr),
        other => other,
    }
}

/// Parts of the names of methods that are not associative.
const NOT_ASSOCIATIVE: [&str; 6] = ["sub", "div", "rem", "pow", "shl", "shr"];

fn not_associative(at: &impl ToTokens, name: &str) -> Error {
    Error::new_spanned(
        at,
        format!("`{name}` is not associative, so its order cannot change: take `#[reduce]` away"),
    )
}

/// Refuses the operators that a tree cannot stand for.
fn associative(op: &BinOp) -> syn::Result<()> {
    match operator(op).as_str() {
        "+" | "*" | "&&" | "||" | "&" | "|" | "^" => Ok(()),
        "-" => Err(Error::new_spanned(
            op,
            "`-` is not associative, so its order cannot change: write `s += -value`",
        )),
        "/" => Err(Error::new_spanned(
            op,
            "`/` is not associative, so its order cannot change: multiply the divisors, and divide once after the loop",
        )),
        _ => Err(not_associative(op, &text::of(op))),
    }
}

/// Returns assertions that what the value reads of the accumulator's array are other words. Refuses
/// a value that reads the accumulator itself.
fn others(place: &Expr, value: &Expr) -> syn::Result<Vec<TokenStream>> {
    let Some((name, indices)) = word(place) else {
        return Err(Error::new_spanned(
            place,
            "a `#[reduce]` loop accumulates into a variable or a word of an array: accumulate into a local, and assign it after the loop",
        ));
    };
    let mut reads = Reads {
        name,
        found: Vec::new(),
    };
    reads.visit_expr(value);
    let mut checks: Vec<TokenStream> = Vec::new();
    for read in reads.found {
        let others = word(read).map(|(_, others)| others).unwrap_or_default();
        if others.is_empty() || others == indices || others.len() != indices.len() {
            return Err(Error::new_spanned(
                read,
                format!(
                    "the value of a `#[reduce]` loop cannot read the accumulator `{}`: what it holds in the middle of the loop depends on the order",
                    text::of(place)
                ),
            ));
        }
        let span = read.span();
        let differ = indices.iter().zip(&others);
        let differ = differ.map(|(place, other)| quote_spanned!(span=> (#other) != (#place)));
        checks.push(quote_spanned!(span=> assert!(#(#differ)||*);));
    }
    Ok(checks)
}

/// The places of one name in an expression, with all their indices.
struct Reads<'n, 'e> {
    name: &'n Ident,
    found: Vec<&'e Expr>,
}

impl<'e> Visit<'e> for Reads<'_, 'e> {
    fn visit_expr(&mut self, expression: &'e Expr) {
        match word(expression) {
            Some((name, indices)) => {
                if name == self.name {
                    self.found.push(expression);
                }
                for index in indices {
                    self.visit_expr(index);
                }
            }
            None => visit::visit_expr(self, expression),
        }
    }
}
