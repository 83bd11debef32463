//! Loop nests as Rust: for programs with few of them, which need no tables then.

use std::collections::BTreeMap;

use proc_macro2::{Ident, Literal, Span, TokenStream, TokenTree};
use quote::{format_ident, quote};
use superstep_compiler::pattern::Signature;
use superstep_plan::{Body, Code, Term};

use crate::functions::Functions;

/// Names of loop variables, outermost first.
const VARIABLES: [&str; 8] = ["i", "j", "k", "l", "m", "n", "p", "q"];

/// Polynomial in the loop variables, linear in each: the coefficient of each product of variables
/// (by depth, ascending).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Polynomial(BTreeMap<Vec<u8>, i64>);

impl Polynomial {
    fn constant(value: i64) -> Self {
        Self::default().plus(value)
    }

    /// Returns `first + variable * step`.
    fn advance(first: &Self, step: &Self, variable: u8) -> Self {
        let mut sum = first.clone();
        for (product, coefficient) in &step.0 {
            let mut product = product.clone();
            product.push(variable);
            sum.0.insert(product, *coefficient);
        }
        sum
    }

    fn plus(&self, constant: i64) -> Self {
        let mut sum = self.clone();
        let own = sum.0.entry(Vec::new()).or_default();
        *own += constant;
        sum.0.retain(|_, coefficient| *coefficient != 0);
        sum
    }

    fn as_constant(&self) -> Option<i64> {
        match self.0.len() {
            0 => Some(0),
            1 => self.0.get(&Vec::new()).copied(),
            _ => None,
        }
    }

    /// Prints the value as a `usize`.
    fn print_slot(&self) -> TokenStream {
        let value = self.print();
        match self.as_constant() {
            Some(0..) => value,
            _ => quote! { (#value) as usize },
        }
    }

    /// Prints the value as an `i64` by itself.
    fn print_value(&self) -> TokenStream {
        let constant = self.as_constant().map(Literal::i64_suffixed);
        constant.map_or_else(|| self.print(), |value| quote! { #value })
    }

    fn print(&self) -> TokenStream {
        let mut tokens = TokenStream::new();
        for (product, &coefficient) in &self.0 {
            let size = coefficient.abs();
            let literal =
                (size != 1 || product.is_empty()).then(|| Literal::i64_unsuffixed(size).into());
            let variables = product.iter().map(|&v| TokenTree::from(variable(v)));
            let mut factors = literal.into_iter().chain(variables);
            let first = factors.next();
            let term = quote! { #first #(* #factors)* };
            match (tokens.is_empty(), coefficient < 0) {
                (true, false) => tokens.extend(term),
                (false, false) => tokens.extend(quote! { + #term }),
                (_, true) => tokens.extend(quote! { - #term }),
            }
        }
        if tokens.is_empty() {
            quote! { 0 }
        } else {
            tokens
        }
    }
}

fn variable(depth: u8) -> Ident {
    match VARIABLES.get(usize::from(depth)) {
        Some(name) => Ident::new(name, Span::call_site()),
        None => format_ident!("i{depth}"),
    }
}

/// Prints `code`, whose bodies have these signatures.
pub(super) fn print(
    code: &Code,
    bodies: &[Body],
    signatures: &[Signature],
    functions: &Functions<'_>,
) -> TokenStream {
    let values = code
        .values
        .iter()
        .map(|&value| Polynomial::constant(value))
        .collect();
    Nests {
        bodies,
        signatures,
        functions,
    }
    .terms(&code.terms, values, 0)
}

struct Nests<'a> {
    bodies: &'a [Body],
    signatures: &'a [Signature],
    functions: &'a Functions<'a>,
}

impl Nests<'_> {
    fn terms(&self, terms: &[Term], values: Vec<Polynomial>, depth: u8) -> TokenStream {
        let mut tokens = TokenStream::new();
        let mut values = &values[..];
        let mut at = 0;
        while at < terms.len() {
            let (given, inside) = match terms[at] {
                Term::Run { body } => (self.bodies[usize::from(body)].values(), 0),
                Term::Loop { width, terms } => (2 * width as usize, terms as usize),
                Term::Loose { .. } => unreachable!("programs with loose runs are not printed"),
            };
            let (own, rest) = values.split_at(1 + given);
            tokens.extend(match terms[at] {
                Term::Run { body } => self.run(body.into(), &own[0], &own[1..]),
                Term::Loose { .. } => TokenStream::new(),
                Term::Loop { .. } => self.repeated(&terms[at + 1..at + 1 + inside], own, depth),
            });
            values = rest;
            at += 1 + inside;
        }
        tokens
    }

    /// Prints a loop over `terms`, whose count, first values and their steps are `values`.
    fn repeated(&self, terms: &[Term], values: &[Polynomial], depth: u8) -> TokenStream {
        let (first, step) = values[1..].split_at(values.len() / 2);
        if let [Term::Run { body }] = *terms
            && self.bodies[usize::from(body)].is_block()
            && step[0].as_constant() == Some(0)
        {
            let signature = &self.signatures[usize::from(body)];
            let function = self.functions.call(signature);
            let [lines, count] = [&values[0], &first[0]].map(Polynomial::print_slot);
            let [values, steps] =
                [first, step].map(|values| values[1..].iter().map(Polynomial::print));
            let offsets = self.offsets(body.into());
            return quote! {
                #function(memory, Run::block(#count, &[#(#values),*], &[#offsets], #lines, &[#(#steps),*]));
            };
        }
        let is_used = step.iter().any(|step| step.as_constant() != Some(0));
        let variable = is_used
            .then(|| variable(depth))
            .map_or(quote! { _ }, |name| quote! { #name });
        let count = values[0].print_value();
        let advance = |(first, step)| Polynomial::advance(first, step, depth);
        let current = first.iter().zip(step).map(advance).collect();
        let body = self.terms(terms, current, depth + 1);
        quote! { for #variable in 0..#count { #body } }
    }

    fn offsets(&self, body: usize) -> TokenStream {
        let offsets = self.bodies[body].offsets().iter();
        let offsets = offsets.map(|&offset| Literal::i64_unsuffixed(offset));
        quote! { #(#offsets),* }
    }

    fn run(&self, body: usize, count: &Polynomial, values: &[Polynomial]) -> TokenStream {
        let signature = &self.signatures[body];
        let offsets = self.bodies[body].offsets();
        if count.as_constant() == Some(1) {
            let components = self.bodies[body].components().iter().zip(offsets);
            let starts: Vec<Polynomial> = components
                .map(|(component, &offset)| values[usize::from(component.base)].plus(offset))
                .collect();
            let slots: Vec<_> = starts.iter().map(Polynomial::print_slot).collect();
            let values: Vec<_> = starts.iter().map(Polynomial::print_value).collect();
            return self.functions.once(signature, &slots, &values);
        }
        let (function, count) = (self.functions.call(signature), count.print_slot());
        let values = values.iter().map(Polynomial::print);
        let offsets = self.offsets(body);
        quote! { #function(memory, Run::new(#count, &[#(#values),*], &[#offsets])); }
    }
}

#[cfg(test)]
mod tests {
    use super::Polynomial;

    #[test]
    fn polynomials_print_as_rust() {
        let constant = Polynomial::constant;
        let linear = Polynomial::advance(&constant(127), &constant(-1), 0);
        assert_eq!(linear.print().to_string(), "127 - i");
        let square = Polynomial::advance(
            &linear,
            &Polynomial::advance(&constant(0), &constant(2), 0),
            1,
        );
        assert_eq!(square.print().to_string(), "127 - i + 2 * i * j");
        let product = Polynomial::advance(
            &constant(0),
            &Polynomial::advance(&constant(0), &constant(1), 0),
            1,
        );
        assert_eq!(product.print().to_string(), "i * j");
        assert_eq!(constant(0).print().to_string(), "0");
    }
}
