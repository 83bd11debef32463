//! Lowering from steps to tasks: data assignments become statements, everything else stays control.
//!
//! A statement reads its operands before it runs. An operand behind a condition on control, as in
//! `if i > 0 { a[i - 1] } else { 0.0 }`, must not be read when the condition is false. Such an
//! assignment becomes control around variants of itself ([`conditional`]). What stands behind a
//! condition on data is read in any case.

mod conditional;
mod counting;
mod functions;
mod instead;
mod lowered;
mod lowering;
mod names;
mod operations;
mod task;

pub(crate) use functions::Functions;
pub(crate) use lowered::{Array, Body, For, Form, Lowered, Node, Role, Statement, Task};
use lowering::{Lower, Target};
pub(crate) use names::{control_name, operand_name, word_name};
pub(crate) use operations::{Choice, Operations};

use std::collections::BTreeSet;

use proc_macro2::Span;
use quote::format_ident;
use syn::{BinOp, Expr, Label, Pat};

use crate::classify::{Class, Classes};
use crate::errors::Errors;
use crate::kernel::{Binder, Dimension, Id, Kernel, Passing, Source, Step};
use crate::places::{self, Place, bare, place};
use crate::types::Types;

/// Lowers a classified kernel.
pub(crate) fn lower(
    kernel: &Kernel,
    types: &Types,
    classes: &Classes,
    errors: &mut Errors,
) -> Lowered {
    let mut lower = Lower {
        kernel,
        types,
        classes,
        errors,
        array_of: vec![None; kernel.bindings.0.len()],
        untyped: Vec::new(),
        refused: BTreeSet::new(),
        lowered: Lowered::default(),
    };
    lower.arrays();
    lower.lowered.nodes = lower.steps(&kernel.body);
    lower.refuse_untyped();
    lower.lowered
}

impl Lower<'_> {
    /// Collects the names that hold data; their types must be known.
    fn arrays(&mut self) {
        for (id, binding) in self.kernel.bindings.0.iter().enumerate() {
            let role = match binding.binder {
                Binder::Parameter(Passing::Mutable) => Role::InOut,
                Binder::Parameter(_) => Role::Input,
                Binder::Local => Role::Local,
                _ => continue,
            };
            if self.classes[id] != Class::Data {
                continue;
            }
            let element = self.types.of(id).unwrap_or_else(|| {
                self.untyped.push(id);
                syn::parse_quote!(())
            });
            self.array_of[id] = Some(self.lowered.arrays.len());
            self.lowered.arrays.push(Array { id, role, element });
        }
    }

    fn steps(&mut self, steps: &[Step]) -> Vec<Node> {
        let mut nodes = Vec::new();
        for step in steps {
            self.step(step, &mut nodes);
        }
        nodes
    }

    fn step(&mut self, step: &Step, nodes: &mut Vec<Node>) {
        match step {
            Step::Let {
                id,
                init,
                placeholder,
                source,
            } if self.classes[*id] == Class::Data => {
                if let Some(init) = init.as_ref().filter(|_| !placeholder) {
                    self.initialise(*id, init, source, nodes);
                }
            }
            Step::Assign {
                place,
                op,
                value,
                source,
            } => self.assign(place, *op, value, source, nodes),
            Step::Guard {
                condition,
                error,
                source,
            } => {
                let otherwise = names::nothing_wrong();
                let value = syn::parse_quote! {
                    if #condition { ::core::result::Result::Err(#error) } else { #otherwise }
                };
                nodes.extend(self.assignment(None, None, &value, source));
            }
            Step::Grain { body } => {
                nodes.push(Node::BeginGrain);
                nodes.extend(self.steps(body));
            }
            _ => nodes.extend(self.control_node(step)),
        }
        if grain_may_be_open(step) {
            nodes.push(Node::EndGrain);
        }
    }

    /// Lowers a step that stays control, with the steps in it.
    fn control_node(&mut self, step: &Step) -> Option<Node> {
        Some(match step {
            Step::Let {
                id, init, source, ..
            } => {
                self.refuse_cost(source);
                Node::Let {
                    id: *id,
                    init: init.clone(),
                }
            }
            Step::Part {
                id,
                start,
                end,
                outer,
                source,
            } => Node::Part {
                id: *id,
                start: start.clone(),
                end: end.clone(),
                outer: outer.clone(),
                span: source.span,
            },
            Step::For {
                label,
                variable,
                range,
                body,
            } => self.for_loop(label.as_ref(), *variable, range, body),
            Step::While {
                label,
                condition,
                body,
            } => Node::While {
                label: label.clone(),
                condition: condition.clone(),
                body: self.body(label.as_ref(), body),
                declared: declared(body),
            },
            Step::Loop { label, body } => Node::Loop {
                label: label.clone(),
                body: self.body(label.as_ref(), body),
            },
            Step::If {
                condition,
                then,
                otherwise,
            } => Node::If {
                condition: condition.clone(),
                then: self.steps(then),
                otherwise: otherwise.as_ref().map(|steps| self.steps(steps)),
            },
            Step::Match { scrutinee, arms } => self.choice(scrutinee, arms),
            Step::Block { label, body } => Node::Block {
                label: label.clone(),
                body: self.body(label.as_ref(), body),
            },
            Step::Break(span, label) => Node::Break(*span, label.clone()),
            Step::Continue(span, label) => Node::Continue(*span, label.clone()),
            Step::Return(span) => Node::Return(*span),
            Step::Assert {
                debug,
                condition,
                source,
            } => Node::Assert {
                debug: *debug,
                condition: condition.clone(),
                text: source.text.clone(),
            },
            Step::Assign { .. } | Step::Guard { .. } | Step::Grain { .. } => return None,
        })
    }

    fn for_loop(
        &mut self,
        label: Option<&Label>,
        variable: Option<Id>,
        range: &Expr,
        body: &[Step],
    ) -> Node {
        self.lowered.variables.extend(variable);
        Node::For(For {
            label: label.cloned(),
            variable,
            range: range.clone(),
            body: self.body(label, body),
            declared: declared(body),
        })
    }

    fn choice(&mut self, scrutinee: &Expr, arms: &[(Pat, Vec<Step>)]) -> Node {
        let arms = arms.iter();
        let arms = arms.map(|(pattern, body)| (pattern.clone(), self.steps(body)));
        Node::Match {
            scrutinee: scrutinee.clone(),
            arms: arms.collect(),
        }
    }

    /// Lowers the body of a loop or block. A jump to its label may come out of a grain.
    fn body(&mut self, label: Option<&Label>, steps: &[Step]) -> Vec<Node> {
        let jumps = label.is_some() && !is_grain(steps) && steps.iter().any(holds_grain);
        let mut nodes: Vec<Node> = jumps.then_some(Node::EndGrain).into_iter().collect();
        nodes.extend(self.steps(steps));
        nodes
    }

    /// Lowers a `let` of data.
    fn initialise(&mut self, id: Id, init: &Expr, source: &Source, nodes: &mut Vec<Node>) {
        if self.refuse_init(id, init) {
            self.refused.insert(id);
            return;
        }
        if !self.kernel.bindings[id].is_array()
            && let Some(Place::Reference(other)) = place(bare(init), &self.kernel.bindings)
        {
            let name = &self.kernel.bindings[other].name;
            self.errors.refuse(
                init,
                format!("a kernel's local cannot be a reference: write `*{name}`"),
            );
            self.refused.insert(id);
            return;
        }
        self.fill(id, init, Vec::new(), source, nodes);
    }

    fn assign(
        &mut self,
        left: &Expr,
        op: Option<BinOp>,
        value: &Expr,
        source: &Source,
        nodes: &mut Vec<Node>,
    ) {
        let bindings = &self.kernel.bindings;
        let mut found = None;
        places::each(left, bindings, &mut |whole, place| {
            found.get_or_insert((whole, place));
        });
        let Some((whole, place)) = found else {
            self.errors.refuse(
                left,
                "a kernel assigns its own locals and what its `&mut` parameters hold: this place is neither",
            );
            return;
        };
        let (id, indices) = match place {
            Place::Scalar(id) => (id, Vec::new()),
            Place::Element(id, indices) => (id, indices.into_iter().cloned().collect()),
            Place::Whole(id) if op.is_none() && whole_literal(left, value, id, bindings) => {
                if self.classes[id] == Class::Data {
                    self.fill(id, value, Vec::new(), source, nodes);
                    return;
                }
                (id, Vec::new())
            }
            // `s.x = e` where `s: &mut T`.
            Place::Reference(id) if !std::ptr::eq(whole, left) => (id, Vec::new()),
            Place::Reference(id) => {
                let name = &bindings[id].name;
                self.errors
                    .refuse(left, format!("`{name}` is a reference: write `*{name}`"));
                return;
            }
            Place::Whole(id) | Place::Length { id, .. } => {
                self.whole(left, id);
                return;
            }
        };
        if self.classes[id] != Class::Data {
            self.refuse_cost(source);
            nodes.push(Node::Assign {
                place: left.clone(),
                op,
                value: value.clone(),
            });
            return;
        }
        let part = (!std::ptr::eq(whole, bare(left))).then(|| left.clone());
        let target = Target { id, indices, part };
        nodes.extend(self.assignment(Some(&target), op, value, source));
    }

    /// Lowers the words of an array literal, each by its own assignment.
    fn fill(
        &mut self,
        id: Id,
        literal: &Expr,
        indices: Vec<Expr>,
        source: &Source,
        nodes: &mut Vec<Node>,
    ) {
        let dimensions = &self.kernel.bindings[id].dimensions;
        if indices.len() == dimensions.len() {
            let target = Target {
                id,
                indices,
                part: None,
            };
            nodes.extend(self.assignment(Some(&target), None, literal, source));
            return;
        }
        match bare(literal) {
            Expr::Repeat(repeat) => {
                let Dimension::Fixed(count) = dimensions[indices.len()].clone() else {
                    return;
                };
                let variable = format_ident!("word_{}", indices.len(), span = Span::mixed_site());
                let mut inner = indices;
                inner.push(syn::parse_quote!(#variable));
                let mut body = Vec::new();
                self.fill(id, &repeat.expr, inner, source, &mut body);
                nodes.push(Node::Repeat {
                    variable,
                    count,
                    body,
                });
            }
            Expr::Array(array) => {
                for (number, value) in array.elems.iter().enumerate() {
                    let number = proc_macro2::Literal::usize_unsuffixed(number);
                    let mut inner = indices.clone();
                    inner.push(syn::parse_quote!(#number));
                    self.fill(id, value, inner, source, nodes);
                }
            }
            other => self.errors.refuse(
                other,
                "a local array of data is written out, since each of its words is a task: `[0.0; N]` or `[a, b, c]`, and a loop that assigns its elements",
            ),
        }
    }

    /// Refuses `#[cost]` on control.
    fn refuse_cost(&mut self, source: &Source) {
        if source.cost.is_some() {
            self.errors.add(syn::Error::new(
                source.span,
                "`#[cost]` says how long a task takes, and this statement is control, which is none: take the mark away",
            ));
        }
    }

    /// Refuses an array without its indices.
    fn whole(&mut self, at: &Expr, id: Id) {
        let name = &self.kernel.bindings[id].name;
        self.errors.refuse(
            at,
            format!("a task reads and writes single words, and `{name}` stands here without (all of) its indices: write the loop out, or pass the elements"),
        );
    }
}

/// Returns whether an assignment is `t = [...]`, where no word of `t` is read.
fn whole_literal(left: &Expr, value: &Expr, id: Id, bindings: &crate::kernel::Bindings) -> bool {
    let name = places::name(bare(left)) == Some(id);
    let literal = matches!(bare(value), Expr::Array(_) | Expr::Repeat(_));
    let reads = places::any(value, bindings, &mut |place| match place {
        Place::Element(other, _) | Place::Whole(other) => *other == id,
        _ => false,
    });
    name && literal && !reads
}

/// Finds the names that the body of a loop declares.
fn declared(body: &[Step]) -> BTreeSet<Id> {
    let mut declared = BTreeSet::new();
    for step in body {
        step.each(&mut |step| match step {
            Step::Let { id, .. } | Step::Part { id, .. } => drop(declared.insert(*id)),
            Step::For { variable, .. } => declared.extend(*variable),
            _ => {}
        });
    }
    declared
}

/// Returns whether these are the body of a loop that is marked `#[grain]`.
fn is_grain(steps: &[Step]) -> bool {
    matches!(steps, [Step::Grain { .. }])
}

fn holds_grain(step: &Step) -> bool {
    let mut holds = false;
    step.each(&mut |step| holds |= matches!(step, Step::Grain { .. }));
    holds
}

/// Returns whether a grain may be open where the step ends. That is so after a loop of grains, and
/// after a label that a jump out of a grain can name.
fn grain_may_be_open(step: &Step) -> bool {
    match step {
        Step::For { label, body, .. }
        | Step::While { label, body, .. }
        | Step::Loop { label, body }
        | Step::Block { label, body } => {
            is_grain(body) || label.is_some() && body.iter().any(holds_grain)
        }
        _ => false,
    }
}
