//! Classes of names: each name of a kernel is control or data.
//!
//! Control decides which assignment runs, and where it reads and writes. Data is what assignments
//! compute; control never depends on it.
//!
//! *Demanded* is what a control position uses (a bound, a condition, an index, ...), and what flows
//! into a demanded local. A by-value integer or `bool` parameter is control if it is demanded.
//! `#[structure]` slices and loop variables always are. A demanded local must be computed from
//! control alone. A local that nobody demands may be control, too: an integer or `bool` that is
//! computed from control by operators and the methods of numbers. Every other name is data.

mod refuse;

use std::collections::VecDeque;

use syn::visit::{self, Visit};
use syn::{Expr, Pat};

use crate::errors::Errors;
use crate::kernel::{Binder, Bindings, Id, Kernel, Passing, Source, Step, guards, names_in};
use crate::places::{self, Place};
use crate::types::{Types, is_control, is_integer, is_method_of_numbers, primitive};

/// Class of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    /// Decides which assignment runs and where it reads and writes.
    Control,
    /// Is what assignments compute.
    Data,
    /// Bound inside an expression, and of no concern outside it.
    Inner,
}

/// The class of every name.
pub(crate) struct Classes(Vec<Class>);

impl std::ops::Index<Id> for Classes {
    type Output = Class;
    fn index(&self, id: Id) -> &Class {
        &self.0[id]
    }
}

impl Classes {
    /// Returns whether the expression can be computed by control alone.
    pub(crate) fn is_control(&self, expression: &Expr, bindings: &Bindings) -> bool {
        let is_other = |id| self[id] != Class::Control;
        !places::any(expression, bindings, &mut |place| {
            place.name().is_some_and(is_other)
        })
    }
}

/// Reason for which an expression must be control.
#[derive(Clone, Copy)]
enum Reason<'k> {
    Bound,
    While,
    If(&'k Step),
    Match,
    Index(Id),
    Part,
    Assertion,
}

/// A value that flows into a name, and where.
struct Flow<'k> {
    value: &'k Expr,
    source: Option<&'k Source>,
}

struct Classifier<'k> {
    kernel: &'k Kernel,
    types: &'k Types,
    flows: Vec<Vec<Flow<'k>>>,
    demands: Vec<(&'k Expr, Reason<'k>)>,
    demanded: Vec<bool>,
    classes: Classes,
}

/// Classifies every name, and refuses control that depends on data.
pub(crate) fn classify(kernel: &Kernel, types: &Types, errors: &mut Errors) -> Classes {
    let names = kernel.bindings.0.len();
    let mut classifier = Classifier {
        kernel,
        types,
        flows: (0..names).map(|_| Vec::new()).collect(),
        demands: Vec::new(),
        demanded: vec![false; names],
        classes: Classes(vec![Class::Data; names]),
    };
    kernel.each_step(&mut |step| classifier.collect(step));
    classifier.demand();
    classifier.decide();
    classifier.verify(errors);
    classifier.classes
}

impl<'k> Classifier<'k> {
    fn collect(&mut self, step: &'k Step) {
        match step {
            Step::Let {
                id,
                init: Some(init),
                source,
                ..
            } => {
                self.flow(*id, init, Some(source));
                self.expression(init);
            }
            Step::Part { .. } => {
                for bound in step.expressions() {
                    self.must(bound, Reason::Part);
                }
            }
            Step::Assign {
                place,
                value,
                source,
                ..
            } => {
                if let Some(id) = places::target(place, &self.kernel.bindings) {
                    self.flow(id, value, Some(source));
                }
                self.expression(place);
                self.expression(value);
            }
            Step::For {
                variable, range, ..
            } => {
                if let Some(id) = variable {
                    self.flow(*id, range, None);
                }
                self.must(range, Reason::Bound);
            }
            Step::Guard { .. } => {
                let expressions = step.expressions().into_iter();
                expressions.for_each(|expression| self.expression(expression));
            }
            Step::While { condition, .. } => self.must(condition, Reason::While),
            Step::If { condition, .. } => self.must(condition, Reason::If(step)),
            Step::Assert { condition, .. } => self.must(condition, Reason::Assertion),
            Step::Match { scrutinee, arms } => {
                self.must(scrutinee, Reason::Match);
                for (pattern, _) in arms {
                    self.pattern(pattern, scrutinee);
                    for guard in guards(pattern) {
                        self.must(guard, Reason::Match);
                    }
                }
            }
            _ => {}
        }
    }

    fn flow(&mut self, id: Id, value: &'k Expr, source: Option<&'k Source>) {
        self.flows[id].push(Flow { value, source });
    }

    fn must(&mut self, expression: &'k Expr, reason: Reason<'k>) {
        self.demands.push((expression, reason));
        self.expression(expression);
    }

    /// Finds the control positions in an expression: indices, and the patterns of its matches.
    fn expression(&mut self, expression: &'k Expr) {
        let bindings = &self.kernel.bindings;
        let demands = &mut self.demands;
        places::each_deep(expression, bindings, &mut |_, place| {
            if let Place::Element(id, indices) = place {
                demands.extend(indices.into_iter().map(|index| (index, Reason::Index(id))));
            }
        });
        for choice in matches_in(expression) {
            // A `match` can become control around the statement only if its guards are control too.
            let guards: Vec<&Expr> = choice
                .arms
                .iter()
                .flat_map(|arm| guards(&arm.pat))
                .collect();
            for id in choice.arms.iter().flat_map(|arm| names_in(&arm.pat)) {
                self.flow(id, &choice.expr, None);
                guards.iter().for_each(|guard| self.flow(id, guard, None));
            }
        }
    }

    /// Lets what is matched flow into the names of the pattern.
    fn pattern(&mut self, pattern: &'k Pat, scrutinee: &'k Expr) {
        for id in names_in(pattern) {
            self.flow(id, scrutinee, None);
        }
    }

    /// Follows demand from control positions through locals to parameters.
    fn demand(&mut self) {
        let mut queue: VecDeque<&'k Expr> =
            self.demands.iter().map(|&(demand, _)| demand).collect();
        while let Some(expression) = queue.pop_front() {
            let demanded = &mut self.demanded;
            let flows = &self.flows;
            let bindings = &self.kernel.bindings;
            places::each(expression, bindings, &mut |_, place| {
                let Some(id) = place.name() else { return };
                let follow = matches!(bindings[id].binder, Binder::Local | Binder::Arm);
                if !std::mem::replace(&mut demanded[id], true) && follow {
                    queue.extend(flows[id].iter().map(|flow| flow.value));
                }
            });
        }
    }

    fn decide(&mut self) {
        let bindings = &self.kernel.bindings;
        for id in 0..bindings.0.len() {
            let binding = &bindings[id];
            let counts = |ty: &syn::Type| {
                primitive(ty).is_some_and(|name| is_integer(&name) || name == "bool")
            };
            let control = match binding.binder {
                Binder::Loop => true,
                Binder::Parameter(Passing::Value) if !binding.is_array() => {
                    self.demanded[id] && binding.element.as_ref().is_some_and(counts)
                }
                Binder::Parameter(_) => binding.marks.structure,
                Binder::Local => self.demanded[id] || self.may_be_control(id),
                Binder::Arm | Binder::Part => true,
                Binder::Inner => false,
            };
            self.classes.0[id] = match (control, binding.binder) {
                (true, _) => Class::Control,
                (false, Binder::Inner) => Class::Inner,
                (false, _) => Class::Data,
            };
        }
        // What nobody demands is control only while everything that flows into it is.
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for id in 0..bindings.0.len() {
                let free = match bindings[id].binder {
                    Binder::Arm => Class::Inner,
                    Binder::Local if !self.demanded[id] => Class::Data,
                    _ => continue,
                };
                if self.classes[id] == Class::Control
                    && !self.flows[id]
                        .iter()
                        .all(|flow| self.classes.is_control_inside(flow.value, bindings))
                {
                    self.classes.0[id] = free;
                    changed = true;
                }
            }
        }
    }

    /// Returns whether a local that nobody demands is an integer or `bool`, computed by operators
    /// and the methods of numbers.
    fn may_be_control(&self, id: Id) -> bool {
        let typed = self.types.of(id).is_some_and(|ty| is_control(&ty));
        typed
            && !self.flows[id].is_empty()
            && self.flows[id].iter().all(|flow| is_plain(flow.value))
    }
}

impl Classes {
    /// Returns whether a value that may bind names of its own is control: as
    /// [`is_control`](Self::is_control).
    fn is_control_inside(&self, expression: &Expr, bindings: &Bindings) -> bool {
        !places::any(expression, bindings, &mut |place| match place {
            Place::Scalar(id) => self[*id] == Class::Data,
            other => other.name().is_some_and(|id| self[id] != Class::Control),
        })
    }
}

/// Returns the `match` expressions in an expression.
fn matches_in(expression: &Expr) -> Vec<&syn::ExprMatch> {
    let mut matches = Vec::new();
    places::each_within(expression, &mut |within| {
        if let Expr::Match(choice) = within {
            matches.push(choice);
        }
    });
    matches
}

/// Returns whether a path begins with the name of an integer type.
fn is_of_integers(path: &syn::ExprPath) -> bool {
    let first = path.path.segments.first();
    first.is_some_and(|first| is_integer(&first.ident.to_string()))
}

/// Returns whether an expression consists of operators, casts, branches and the methods of numbers.
fn is_plain(expression: &Expr) -> bool {
    struct Plain(bool);
    impl<'e> Visit<'e> for Plain {
        fn visit_expr(&mut self, expression: &'e Expr) {
            match expression {
                Expr::Call(call) => {
                    let known = matches!(&*call.func, Expr::Path(path) if is_of_integers(path)
                        || path.path.segments.last().is_some_and(|s| s.ident == "min" || s.ident == "max"));
                    self.0 &= known;
                    let arguments = call.args.iter();
                    arguments.for_each(|argument| self.visit_expr(argument));
                    return;
                }
                Expr::MethodCall(call) => {
                    let name = call.method.to_string();
                    self.0 &= is_method_of_numbers(&name) || name == "len" || name == "is_empty";
                }
                Expr::Path(path) => {
                    self.0 &= places::name(expression).is_some() || is_of_integers(path);
                }
                Expr::Macro(_)
                | Expr::Closure(_)
                | Expr::Struct(_)
                | Expr::Field(_)
                | Expr::Reference(_) => {
                    self.0 = false;
                }
                _ => {}
            }
            visit::visit_expr(self, expression);
        }
    }
    let mut plain = Plain(true);
    plain.visit_expr(expression);
    plain.0
}
