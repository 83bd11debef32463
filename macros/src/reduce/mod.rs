//! `#[reduce]`: an accumulating loop as a fixed tree, before anything else reads the kernel.
//!
//! The result is a kernel without the mark, in the language that all later passes know. The macro
//! keeps it as the sequential function, so that every program has its bits. For
//! `#[reduce] for i in a..b { s += value; }`:
//!
//! ```text
//! first = a; end = b;
//! if first < end {
//!     length = 8, doubled until there are at most 64 blocks of that many operands
//!     while first < end {                              // a block
//!         last = the end of the block;
//!         partials[blocks] = value with i = first;
//!         for i in first + 1..last { partials[blocks] += value; }
//!         blocks += 1; first = last;
//!     }
//!     for width 1, 2, 4, ... below blocks {            // a level of the tree
//!         partials[left] += partials[left + width];    // for left = 0, 2 width, 4 width, ...
//!     }
//!     s += partials[0];
//! }
//! ```
//!
//! The order of the operands stays, so an associative operation need not be commutative.

mod accumulation;

use std::collections::BTreeSet;

use proc_macro2::{Ident, Literal, TokenStream};
use quote::{ToTokens, format_ident, quote_spanned};
use syn::spanned::Spanned;
use syn::visit_mut::{self, VisitMut};
use syn::{Attribute, Expr, ExprForLoop, ItemFn, Meta, Pat, RangeLimits};

use crate::attributes::{self, PLACEHOLDER};
use crate::errors::Errors;
use crate::places::bare;
use crate::text::identifiers;
use accumulation::Accumulation;

/// The most blocks. More processors than that find no work in one reduction.
const MOST_BLOCKS: usize = 64;

/// Operands of the shortest block: fewer would cost more to combine than to accumulate.
const SHORTEST_BLOCK: usize = 8;

/// Returns the function with every marked loop replaced. Loops that are refused lose their mark.
pub(crate) fn rewrite(function: &ItemFn, errors: &mut Errors) -> ItemFn {
    let taken = identifiers(function);
    let mut function = function.clone();
    Rewrite { taken, errors }.visit_block_mut(&mut function.block);
    function
}

struct Rewrite<'e> {
    /// All identifiers of the kernel.
    taken: BTreeSet<String>,
    errors: &'e mut Errors,
}

impl VisitMut for Rewrite<'_> {
    fn visit_expr_mut(&mut self, expression: &mut Expr) {
        if let Expr::ForLoop(each) = expression
            && let Some(mark) = take_mark(&mut each.attrs)
        {
            if let Some(tree) = self.tree(&mark, each) {
                *expression = tree;
            }
            return;
        }
        visit_mut::visit_expr_mut(self, expression);
    }
}

fn take_mark(attributes: &mut Vec<Attribute>) -> Option<Attribute> {
    let at = attributes
        .iter()
        .position(|attribute| attribute.path().is_ident("reduce"))?;
    Some(attributes.remove(at))
}

impl Rewrite<'_> {
    /// Returns the loop as a tree; `None` after a refusal.
    fn tree(&mut self, mark: &Attribute, each: &ExprForLoop) -> Option<Expr> {
        if !matches!(mark.meta, Meta::Path(_)) {
            self.errors.refuse(
                mark,
                "`#[reduce]` takes no arguments: the loop's body names the operation, as in `s += x[i]` or `s = combine(s, x[i])`",
            );
            return None;
        }
        if let Some(grain) = attributes::marked(&each.attrs, "grain") {
            self.errors.refuse(
                grain,
                "`#[reduce]` makes a tree of this loop, and no body of it is left to be one task: mark the loop around with `#[grain]`, or take it away",
            );
        }
        let ends = self.ends(&each.expr);
        let variable = match &*each.pat {
            Pat::Wild(_) => Some(None),
            Pat::Ident(name) => Some(Some(&name.ident)),
            // Refused where all loops are read.
            _ => None,
        }?;
        let accumulation = match Accumulation::of(&each.body, variable) {
            Ok(accumulation) => accumulation,
            Err(error) => {
                self.errors.add(error);
                return None;
            }
        };
        let (start, end) = ends?;
        Some(self.print(variable, &start, &end, &accumulation))
    }

    /// Returns the first index and the one after the last.
    fn ends(&mut self, range: &Expr) -> Option<(Expr, Expr)> {
        if let Expr::Range(range) = bare(range)
            && let (Some(start), Some(end)) = (&range.start, &range.end)
        {
            let end = match range.limits {
                RangeLimits::HalfOpen(_) => (**end).clone(),
                RangeLimits::Closed(_) => syn::parse_quote!((#end) + 1),
            };
            return Some(((**start).clone(), end));
        }
        self.errors.refuse(
            range,
            "`#[reduce]` cuts a range into blocks: write `a..b` or `a..=b`, and compute other indices in the body",
        );
        None
    }

    /// Returns a name that the kernel does not have.
    fn fresh(&mut self, name: &str, place: &Expr) -> Ident {
        let mut fresh = name.to_owned();
        while !self.taken.insert(fresh.clone()) {
            fresh.push('_');
        }
        format_ident!("{fresh}", span = place.span())
    }

    fn print(
        &mut self,
        variable: Option<&Ident>,
        start: &Expr,
        end: &Expr,
        accumulation: &Accumulation,
    ) -> Expr {
        let place = &accumulation.place;
        let mut fresh = |name| self.fresh(name, place);
        let (first, stop, length) = (fresh("first"), fresh("end"), fresh("length"));
        let (partials, blocks, last) = (fresh("partials"), fresh("blocks"), fresh("last"));
        let (left, width) = (fresh("left"), fresh("width"));
        let most = Literal::usize_unsuffixed(MOST_BLOCKS);
        let shortest = Literal::usize_unsuffixed(SHORTEST_BLOCK);
        let placeholder = format_ident!("{PLACEHOLDER}");

        let span = place.span();
        let partial = quote_spanned!(span=> #partials[#blocks]);
        let value = &accumulation.value;
        let checks = &accumulation.checks;
        let bound = variable
            .filter(|name| accumulation.mentions(name))
            .map(|name| quote_spanned!(span=> let #name = #first;));
        let variable =
            variable.map_or_else(|| quote_spanned!(span=> _), |name| name.to_token_stream());
        let cost = &accumulation.cost;
        let accumulate = accumulation.combine(&partial, value);
        let combine = accumulation.combine(
            &quote_spanned!(span=> #partials[#left]),
            &quote_spanned!(span=> #partials[#left + #width]),
        );
        let finish = accumulation.combine(place, &quote_spanned!(span=> #partials[0]));
        let tree: TokenStream = quote_spanned! {span=> {
            let mut #first = #start;
            let #stop = #end;
            if #first < #stop {
                let mut #length = #shortest;
                while (#stop - #first - 1) / #most >= #length {
                    #length *= 2;
                }
                #[#placeholder]
                let mut #partials = [#place; #most];
                let mut #blocks = 0usize;
                while #first < #stop {
                    let #last = if #stop - #first > #length { #first + #length } else { #stop };
                    {
                        #bound
                        #(#checks)*
                        #cost
                        #partial = #value;
                    }
                    for #variable in #first + 1..#last {
                        #(#checks)*
                        #cost
                        #accumulate
                    }
                    #blocks += 1;
                    #first = #last;
                }
                let mut #width = 1usize;
                while #width < #blocks {
                    for #left in (0..#blocks - #width).step_by(2 * #width) {
                        #combine
                    }
                    #width *= 2;
                }
                #finish
            }
        }};
        syn::parse2(tree).expect("the tree is an expression of the parts of one")
    }
}
