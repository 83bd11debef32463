//! One assignment: its operands, its control operands, and what it computes from them.

use proc_macro2::Ident;
use quote::ToTokens;
use syn::{BinOp, Expr, Type};

use super::conditional::{self, Condition};
use super::lowered::{Body, Node, Statement, Task};
use super::lowering::{Lower, Target};
use super::names::{control_name, nothing_wrong, operand_name, word_name};
use crate::classify::Class;
use crate::kernel::{Binder, Id, Source};
use crate::places::{self, Place, bare};
use crate::types::is_control;

/// The most variants that one assignment may have.
const VARIANTS: usize = 64;

/// Returns a name of ours where the source has what it stands for, or the end of that.
fn at(mut name: Ident, whole: &Expr) -> Ident {
    if let Some(last) = whole.to_token_stream().into_iter().last() {
        name.set_span(last.span().resolved_at(name.span()));
    }
    name
}

/// Reads of a task, as they are found.
#[derive(Default)]
struct Reads {
    operands: Vec<(usize, Vec<Expr>)>,
    control: Vec<(Expr, Type)>,
}

impl Lower<'_> {
    /// Lowers one assignment to a word, or one guard, which has no target, to its tasks. There is
    /// control around them where it has conditions on control.
    pub(super) fn assignment(
        &mut self,
        target: Option<&Target>,
        op: Option<BinOp>,
        value: &Expr,
        source: &Source,
    ) -> Vec<Node> {
        let before = self.lowered.statements.len();
        let errors = self.errors.count();
        let nodes = self.variants(target, op, value, source, before);
        if self.errors.count() > errors {
            self.refused.extend(target.map(|target| target.id));
        }
        if self.lowered.statements.len() - before > VARIANTS {
            self.errors.add(syn::Error::new(
                source.span,
                "this assignment has too many conditions on control inside its value: write some of them as `if` statements around assignments",
            ));
        }
        nodes
    }

    fn variants(
        &mut self,
        target: Option<&Target>,
        op: Option<BinOp>,
        value: &Expr,
        source: &Source,
        before: usize,
    ) -> Vec<Node> {
        if self.lowered.statements.len() - before > VARIANTS {
            return Vec::new();
        }
        let Some((condition, cases)) =
            conditional::find(value, &self.kernel.bindings, self.classes)
        else {
            let task = self.task(target, op, value, source);
            return task.map(Node::Task).into_iter().collect();
        };
        let cases = cases.iter();
        let mut variants = cases.map(|value| self.variants(target, op, value, source, before));
        vec![match condition {
            Condition::If(condition) => Node::If {
                condition,
                then: variants.next().unwrap_or_default(),
                otherwise: variants.next(),
            },
            Condition::Match(scrutinee, patterns) => Node::Match {
                scrutinee,
                arms: patterns.into_iter().zip(variants).collect(),
            },
        }]
    }

    fn task(
        &mut self,
        target: Option<&Target>,
        op: Option<BinOp>,
        value: &Expr,
        source: &Source,
    ) -> Option<Task> {
        if target.is_some_and(|target| self.refuse_chain(target, value, source)) {
            return None;
        }
        self.check(value);
        if target.is_none() && *bare(value) == nothing_wrong() {
            return None;
        }
        let array = match target {
            Some(target) => Some(self.array_of[target.id]?),
            None => None,
        };
        let mut reads = Reads::default();
        let updated = target.filter(|target| op.is_some() || target.part.is_some());
        if let (Some(target), Some(array)) = (updated, array) {
            reads.operands.push((array, target.indices.clone()));
        }
        let value = self.read(value, &mut reads);
        let body = match updated {
            Some(target) => {
                let place = self.place_of_update(target, &mut reads);
                Body::Update { place, op, value }
            }
            None => Body::Value(value),
        };
        let statement = Statement {
            source: source.clone(),
            target: array,
            operands: reads.operands.iter().map(|(array, _)| *array).collect(),
            control: reads.control.iter().map(|(_, ty)| ty.clone()).collect(),
            body,
        };
        let statement = self.intern(statement);
        Some(Task {
            statement,
            at: target
                .map(|target| target.indices.clone())
                .unwrap_or_default(),
            operands: reads.operands.into_iter().map(|(_, at)| at).collect(),
            control: reads.control,
        })
    }

    /// Returns the left side with the word called `t`.
    fn place_of_update(&mut self, target: &Target, reads: &mut Reads) -> Expr {
        let word = word_name();
        let Some(mut part) = target.part.clone() else {
            return syn::parse_quote!(#word);
        };
        let bindings = &self.kernel.bindings;
        let mut first = true;
        places::replace(&mut part, bindings, &mut |whole, place| {
            if std::mem::take(&mut first) {
                return Some(syn::parse_quote!(#word));
            }
            self.read_place(whole, place, reads)
        });
        part
    }

    /// Returns a value with its reads replaced by `o0`, `o1`, ... and `c0`, `c1`, ...
    fn read(&mut self, value: &Expr, reads: &mut Reads) -> Expr {
        let mut value = value.clone();
        let bindings = &self.kernel.bindings;
        places::replace(&mut value, bindings, &mut |whole, place| {
            self.read_place(whole, place, reads)
        });
        value
    }

    fn read_place(&mut self, whole: &Expr, place: Place<'_>, reads: &mut Reads) -> Option<Expr> {
        match place {
            Place::Scalar(id) => match self.classes[id] {
                Class::Data => Some(self.operand(whole, id, Vec::new(), reads)),
                Class::Control => Some(self.control(whole, Some(id), reads)),
                Class::Inner => None,
            },
            Place::Element(id, indices) => match self.classes[id] {
                Class::Data => {
                    let indices = indices.into_iter().cloned().collect();
                    Some(self.operand(whole, id, indices, reads))
                }
                _ => Some(self.control(whole, Some(id), reads)),
            },
            Place::Reference(id) => {
                let operand = self.operand(whole, id, Vec::new(), reads);
                Some(syn::parse_quote!((&#operand)))
            }
            Place::Length { .. } => Some(self.control(whole, None, reads)),
            Place::Whole(id) => {
                self.whole(whole, id);
                None
            }
        }
    }

    /// Returns the name of an operand; two reads of the same word by the same text are one.
    fn operand(&mut self, whole: &Expr, id: Id, indices: Vec<Expr>, reads: &mut Reads) -> Expr {
        let array = self.array_of[id].unwrap_or_default();
        let read = (array, indices);
        let known = reads.operands.iter().position(|other| *other == read);
        let number = known.unwrap_or(reads.operands.len());
        if known.is_none() {
            reads.operands.push(read);
        }
        let name = at(operand_name(number), whole);
        syn::parse_quote!(#name)
    }

    /// Returns the name of a control operand.
    fn control(&mut self, whole: &Expr, id: Option<Id>, reads: &mut Reads) -> Expr {
        let known = reads.control.iter().position(|(other, _)| other == whole);
        let number = known.unwrap_or(reads.control.len());
        if known.is_none() {
            let ty = match id {
                Some(id) => self.control_type(whole, id),
                None => match places::place(whole, &self.kernel.bindings) {
                    Some(Place::Length { empty: true, .. }) => syn::parse_quote!(bool),
                    _ => syn::parse_quote!(usize),
                },
            };
            reads.control.push((whole.clone(), ty));
        }
        let name = at(control_name(number), whole);
        syn::parse_quote!(#name)
    }

    fn control_type(&mut self, whole: &Expr, id: Id) -> Type {
        let name = &self.kernel.bindings[id].name;
        match self.types.of(id) {
            Some(ty) if is_control(&ty) => ty,
            Some(ty) => {
                let ty = crate::text::of(&ty);
                self.errors.refuse(
                    whole,
                    format!("`{name}` decides control and is a `{ty}`: a statement can read control only as `bool` or an integer of at most 64 bits. Compute it once more for data, under another name"),
                );
                syn::parse_quote!(usize)
            }
            None => {
                let how = match self.kernel.bindings[id].binder {
                    Binder::Loop => "write it on a bound, as in `0..10usize`".to_owned(),
                    _ => format!("write it, as in `let {name}: usize = ...`"),
                };
                self.errors.refuse(
                    whole,
                    format!(
                        "the statement reads `{name}`, whose type is not evident from the control: {how}"
                    ),
                );
                syn::parse_quote!(usize)
            }
        }
    }

    /// Returns an equal statement of the same text, or a new one.
    fn intern(&mut self, statement: Statement) -> usize {
        let same = |other: &Statement| {
            other.source.text == statement.source.text
                && other.target == statement.target
                && other.operands == statement.operands
                && other.control == statement.control
                && other.source.span.start() == statement.source.span.start()
                && other.source.cost == statement.source.cost
                && other.body == statement.body
        };
        let statements = &mut self.lowered.statements;
        statements.iter().position(same).unwrap_or_else(|| {
            statements.push(statement);
            statements.len() - 1
        })
    }

    /// Refuses closures over data.
    fn check(&mut self, value: &Expr) {
        let mut closures = Vec::new();
        places::each_within(value, &mut |within| {
            if let Expr::Closure(closure) = within {
                closures.push(closure);
            }
        });
        for closure in closures {
            let bindings = &self.kernel.bindings;
            let mut named = None;
            places::each(&closure.body, bindings, &mut |whole, place| {
                let is_data = |id| self.classes[id] == Class::Data;
                if place.name().is_some_and(is_data) {
                    named.get_or_insert(whole);
                }
            });
            if let Some(named) = named {
                let text = bindings.text(named);
                self.errors.refuse(
                    named,
                    format!("a closure cannot name `{text}`: bind the value outside it, `{{ let v = {text}; ... |x| x * v ... }}`"),
                );
            }
        }
    }
}
