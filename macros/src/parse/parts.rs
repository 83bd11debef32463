//! Names that stand for a part of an array, or for a word: the parameters of a called kernel, and
//! locals that borrow.
//!
//! They are gone once an expression is resolved. Where `x` is `a[i..j]`, the word `x[k]` is
//! `a[x[k]]` for all later passes. The inner `x` is control there: an array of indices
//! ([`Binder::Part`]).

use syn::spanned::Spanned;
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, ExprIndex, ExprMethodCall, ExprRange, Ident, Pat, PatTuple, RangeLimits, UnOp};

use super::names::Scope;
use super::part::{Borrow, Part};
use super::reader::{Reader, is_plain};
use crate::kernel::{Binder, Dimension, Id, Source, Step, marked};
use crate::places::{self, bare};

impl Scope {
    /// Replaces names of parts in a resolved expression.
    pub(super) fn place_parts(&self, expression: &mut Expr) {
        if !self.parts.is_empty() {
            Replace(self).visit_expr_mut(expression);
        }
    }

    /// Does as [`place_parts`](Self::place_parts) in the guards of a pattern.
    pub(super) fn place_parts_in(&self, pattern: &mut Pat) {
        if !self.parts.is_empty() {
            Replace(self).visit_pat_mut(pattern);
        }
    }

    fn part(&self, expression: &Expr) -> Option<&Part> {
        self.parts.get(&places::name(bare(expression))?)
    }
}

struct Replace<'s>(&'s Scope);

impl Replace<'_> {
    /// Replaces `x[k]`, `x.len()`, `x.is_empty()`, `*s`, `s.field` and `s.method()`.
    fn around(&mut self, expression: &mut Expr) -> Option<Expr> {
        match expression {
            Expr::Index(ExprIndex { expr, index, .. }) => {
                let part = self.0.part(expr)?;
                self.visit_expr_mut(index);
                Some(part.element((**index).clone()))
            }
            Expr::MethodCall(ExprMethodCall {
                receiver,
                method,
                args,
                ..
            }) => {
                let part = self.0.part(receiver)?;
                if part.dimensions.is_empty() {
                    **receiver = part.place.clone();
                } else if method == "len" {
                    return Some(part.length());
                } else if method == "is_empty" {
                    let length = part.length();
                    return Some(syn::parse_quote!((#length == 0)));
                }
                args.iter_mut()
                    .for_each(|argument| self.visit_expr_mut(argument));
                Some(expression.clone())
            }
            Expr::Field(field) => {
                let part = self.0.part(&field.base)?;
                *field.base = part.place.clone();
                Some(expression.clone())
            }
            Expr::Unary(unary) if matches!(unary.op, UnOp::Deref(_)) => {
                let part = self.0.part(&unary.expr)?;
                Some(part.place.clone())
            }
            Expr::Path(_) => {
                let part = self.0.part(expression)?;
                let place = &part.place;
                match (part.reference, part.views.is_empty()) {
                    (true, _) if part.dimensions.is_empty() => Some(syn::parse_quote!((&#place))),
                    (_, true) => Some(place.clone()),
                    // A whole part is refused where its name stands.
                    (_, false) => None,
                }
            }
            _ => None,
        }
    }
}

impl VisitMut for Replace<'_> {
    fn visit_expr_mut(&mut self, expression: &mut Expr) {
        match self.around(expression) {
            Some(other) => *expression = other,
            None => visit_mut::visit_expr_mut(self, expression),
        }
    }
}

impl Reader<'_> {
    /// Returns the part that `a`, `*a`, `a[i]`, `a[i..j]`, `a[i][j..]`, `p[i].x`, ... are, if they
    /// are one. Indices and bounds are computed by steps of `borrow`, once.
    pub(super) fn part(&mut self, expression: &Expr, borrow: &mut Borrow<'_>) -> Option<Part> {
        match bare(expression) {
            path @ Expr::Path(_) => {
                let (id, span) = (self.scope.id_of(path)?, path.span());
                let known = self.scope.parts.get(&id).cloned();
                Some(known.unwrap_or_else(|| Part::whole(id, &self.scope.bindings, span)))
            }
            Expr::Unary(unary) if matches!(unary.op, UnOp::Deref(_)) => {
                self.part(&unary.expr, borrow)
            }
            Expr::Field(field) => {
                let part = self.part(&field.base, borrow)?;
                let (place, member) = (&part.place, &field.member);
                part.dimensions.is_empty().then(|| Part {
                    place: syn::parse_quote!(#place.#member),
                    ..part
                })
            }
            Expr::Index(index) => {
                let part = self.part(&index.expr, borrow)?;
                if part.dimensions.is_empty() {
                    return None;
                }
                if let Expr::Range(range) = bare(&index.index) {
                    let (start, end) = self.ends(range);
                    return Some(self.slice(part, start, end, borrow));
                }
                let at = self.scope.resolve(&index.index);
                let at = self.once(part.index(at), borrow);
                let place = &part.place;
                let place = syn::parse_quote!(#place[#at]);
                Some(Part::of(place, part.dimensions[1..].to_vec()))
            }
            _ => None,
        }
    }

    /// Reads `let (left, right) = a.split_at_mut(k);`: `None` if it is nothing like that, or splits
    /// no array.
    pub(super) fn split(
        &mut self,
        names: &PatTuple,
        split: &ExprMethodCall,
        source: Source,
    ) -> Option<Vec<Step>> {
        let (Some(middle), 1, 2) = (split.args.first(), split.args.len(), names.elems.len()) else {
            return None;
        };
        let mut halves = Vec::new();
        for name in &names.elems {
            halves.push(match name {
                Pat::Wild(_) => None,
                Pat::Ident(name) if is_plain(name) => Some(&name.ident),
                _ => return None,
            });
        }
        if split.method != "split_at" && split.method != "split_at_mut" {
            return None;
        }
        let name = halves.iter().flatten().next()?;
        let mut borrow = Borrow::new(name, source);
        let part = self.part(&split.receiver, &mut borrow)?;
        if part.dimensions.is_empty() {
            return None;
        }
        let middle = self.scope.resolve(middle);
        let middle = self.once(middle, &mut borrow);
        let bounds = [(None, Some(middle.clone())), (Some(middle), None)];
        let mut ids = Vec::new();
        for (name, (start, end)) in halves.into_iter().zip(bounds) {
            if let Some(name) = name {
                borrow.name = name;
                let half = self.slice(part.clone(), start, end, &mut borrow);
                ids.push(self.name_part(name, half));
            }
        }
        ids.into_iter().for_each(|id| self.scope.show(id));
        Some(borrow.steps)
    }

    /// Makes a reference to a part, by a name that is not in scope yet.
    pub(super) fn name_part(&mut self, name: &Ident, part: Part) -> Id {
        let id = self.scope.create(name, Binder::Part);
        let part = Part {
            reference: true,
            ..part
        };
        self.scope.parts.insert(id, part);
        id
    }

    /// Returns the ends of a range, the second exclusive.
    fn ends(&mut self, range: &ExprRange) -> (Option<Expr>, Option<Expr>) {
        let mut resolve = |end: &Option<Box<Expr>>| end.as_ref().map(|end| self.scope.resolve(end));
        let (start, end) = (resolve(&range.start), resolve(&range.end));
        let end = end.map(|end| match range.limits {
            RangeLimits::HalfOpen(_) => end,
            RangeLimits::Closed(_) => syn::parse_quote!((#end) + 1),
        });
        (start, end)
    }

    /// Takes a part of a part.
    fn slice(
        &mut self,
        part: Part,
        start: Option<Expr>,
        end: Option<Expr>,
        borrow: &mut Borrow<'_>,
    ) -> Part {
        if start.is_none() && end.is_none() {
            return part;
        }
        let mut start = start.unwrap_or_else(|| syn::parse_quote!(0));
        let outer = part
            .is_measured(&self.scope.bindings)
            .then(|| part.length());
        let end = end.or_else(|| outer.clone());
        let mut length = None;
        if end.is_none() {
            start = self.once(start, borrow);
            let outer = part.length();
            length = Some(syn::parse_quote!((#outer - #start)));
        }
        let id = self.scope.create(borrow.name, Binder::Part);
        self.scope.bindings[id].dimensions = vec![Dimension::Slice];
        self.scope.bindings[id].element = Some(syn::parse_quote!(usize));
        borrow.steps.push(Step::Part {
            id,
            start,
            end,
            outer,
            source: borrow.source.clone(),
        });
        let mut slice = Part {
            length,
            reference: false,
            ..part
        };
        slice.dimensions[0] = Dimension::Slice;
        slice.views.push(marked(id, borrow.name.span()));
        slice
    }

    /// Makes a name for a control value, which is computed here.
    fn once(&mut self, value: Expr, borrow: &mut Borrow<'_>) -> Expr {
        if let Expr::Lit(_) = value {
            return value;
        }
        let id = self.scope.create(borrow.name, Binder::Local);
        self.scope.bindings[id].element = Some(syn::parse_quote!(usize));
        let step = Step::variable(id, value, borrow.source.clone());
        borrow.steps.push(step);
        let name = marked(id, borrow.name.span());
        syn::parse_quote!(#name)
    }
}
