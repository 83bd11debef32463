//! Refusals of control that depends on data: where data came in, and what to write instead.

use std::collections::VecDeque;

use syn::{Expr, Type};

use super::{Class, Classifier, Flow, Reason};
use crate::errors::Errors;
use crate::kernel::{Binder, Id, Passing, Step};
use crate::places::{self, operator};
use crate::text;
use crate::types::{is_control, primitive};

/// Reason for which a name cannot be control.
enum Why {
    Data(String),
    Inner(String),
}

/// Returns whether an operator before the expression takes all of it.
fn is_single(value: &Expr) -> bool {
    matches!(
        value,
        Expr::Lit(_)
            | Expr::Path(_)
            | Expr::Index(_)
            | Expr::Field(_)
            | Expr::Call(_)
            | Expr::MethodCall(_)
            | Expr::Paren(_)
    )
}

/// Returns whether the expression takes a field of that name, or calls a method of it.
fn parted(demand: &Expr, id: Id) -> bool {
    let mut parted = false;
    places::each_within(demand, &mut |expression| {
        let whole = match expression {
            Expr::Field(field) => &field.base,
            Expr::MethodCall(call) => &call.receiver,
            _ => return,
        };
        parted |= places::name(places::bare(whole)) == Some(id);
    });
    parted
}

impl<'k> Classifier<'k> {
    /// Refuses data in control positions.
    pub(super) fn verify(&self, errors: &mut Errors) {
        let bindings = &self.kernel.bindings;
        let mut told = vec![false; bindings.0.len()];
        for &(demand, reason) in &self.demands {
            let mut refused = false;
            places::each(demand, bindings, &mut |whole, place| {
                let Some(id) = place.name() else { return };
                let local = matches!(bindings[id].binder, Binder::Local);
                let inner = matches!(self.classes[id], Class::Inner);
                if refused || ((local || inner) && told[id]) {
                    return;
                }
                if let Some(why) = self.why_not(id, whole) {
                    told[id] = true;
                    refused = true;
                    errors.refuse(whole, self.message(demand, reason, &why, id));
                }
            });
        }
    }

    /// Returns why a name cannot be control, if so.
    fn why_not(&self, id: Id, whole: &Expr) -> Option<Why> {
        let bindings = &self.kernel.bindings;
        let name = &bindings[id].name;
        if bindings[id].binder == Binder::Local {
            let (value, flow) = self.origin(id)?;
            let line = flow.source.map_or(0, |source| source.span.start().line);
            let statement = flow
                .source
                .map_or_else(String::new, |source| format!(": `{}`", source.text));
            return Some(Why::Data(format!(
                "`{name}` depends on data: `{value}` comes in at line {line}{statement}"
            )));
        }
        match self.classes[id] {
            Class::Control => None,
            Class::Inner => Some(Why::Inner(name.to_string())),
            Class::Data => {
                let text = bindings.text(whole);
                let what = match &bindings[id].element {
                    Some(ty) if matches!(whole, Expr::Index(_)) => {
                        format!("`{text}` is data (an element of type `{}`)", text::of(ty))
                    }
                    Some(ty) => format!("`{text}` is data (of type `{}`)", text::of(ty)),
                    None => format!("`{text}` is data"),
                };
                Some(Why::Data(what))
            }
        }
    }

    /// Returns where data comes into a local, directly or through others.
    fn origin(&self, id: Id) -> Option<(String, &Flow<'k>)> {
        let bindings = &self.kernel.bindings;
        let mut seen = vec![false; bindings.0.len()];
        let mut queue = VecDeque::from([id]);
        while let Some(id) = queue.pop_front() {
            if std::mem::replace(&mut seen[id], true) {
                continue;
            }
            for flow in &self.flows[id] {
                let mut found = None;
                places::each(flow.value, bindings, &mut |whole, place| {
                    let Some(other) = place.name() else { return };
                    if matches!(bindings[other].binder, Binder::Local | Binder::Arm) {
                        queue.push_back(other);
                    } else if self.classes[other] == Class::Data && found.is_none() {
                        found = Some(bindings.text(whole));
                    }
                });
                if let Some(found) = found {
                    return Some((found, flow));
                }
            }
        }
        None
    }

    fn message(&self, demand: &Expr, reason: Reason<'_>, why: &Why, id: Id) -> String {
        let bindings = &self.kernel.bindings;
        let position = match reason {
            Reason::Bound => "the bounds of a `for`".into(),
            Reason::While => "the condition of a `while`".into(),
            Reason::If(_) => "the condition of this `if`".into(),
            Reason::Match => "what this `match` looks at".into(),
            Reason::Index(array) => format!("the index of `{}`", bindings[array].name),
            Reason::Part => "the bounds of a part".into(),
            Reason::Assertion => "an assertion".into(),
        };
        let why = match why {
            Why::Inner(name) => {
                return format!(
                    "{position} must be known before the statement runs, but `{name}` lives only inside this expression: name the index in a `let` before the statement, or write a loop around it, `for {name} in a..b`"
                );
            }
            Why::Data(why) => why,
        };
        let is_counted = self.types.of(id).is_some_and(|ty| is_control(&ty));
        let pattern = bindings[id].is_array()
            && bindings[id].binder == Binder::Parameter(Passing::Shared)
            && is_counted;
        let renamed = bindings[id].binder == Binder::Parameter(Passing::Value)
            && bindings[id].element.as_ref().is_some_and(|ty| {
                let name = matches!(ty, Type::Path(path) if path.path.get_ident().is_some());
                name && primitive(ty).is_none()
            });
        let by_value = bindings[id].is_reference() && is_counted;
        let instead = match reason {
            _ if by_value => format!(
                "Pass it by value, and it is control: `{}: {}`",
                bindings[id].name,
                self.types.of(id).map_or_else(String::new, |ty| text::of(&ty))
            ),
            _ if parted(demand, id) => format!(
                "Pass what control needs as a parameter of its own, an integer by value, `n: usize`, instead of a part of `{}`",
                bindings[id].name
            ),
            _ if renamed => format!(
                "If its type is an integer by another name, write the integer's name: `{}: usize`",
                bindings[id].name
            ),
            _ if pattern => format!(
                "If `{0}` is a pattern that is known when the program is built, mark the parameter: `#[structure] {0}`",
                bindings[id].name
            ),
            Reason::If(step) => self.conditional(step, demand),
            Reason::Bound | Reason::While => "Run as often as control says, and choose on the right-hand side: `x = if going { next } else { x }`".into(),
            Reason::Match => "Write the `match` on the right-hand side of an assignment, where it is part of the task".into(),
            Reason::Part => "Pass the whole array, or a part that control says".into(),
            Reason::Index(_) => "Read each candidate, and choose on the right-hand side: `x = if c { a[i] } else { a[j] }`".into(),
            Reason::Assertion => "Check data before or after the kernel runs".into(),
        };
        format!("{position} must be control, but {why}. {instead}")
    }

    /// Tells how to write an `if` around an assignment as an expression.
    fn conditional(&self, step: &Step, condition: &Expr) -> String {
        let general = "Write the condition on the right-hand side of each assignment, where it is part of the task: `x = if c { a } else { x }`";
        let Step::If {
            then, otherwise, ..
        } = step
        else {
            return general.into();
        };
        let bindings = &self.kernel.bindings;
        let single = |steps: &[Step]| match steps {
            [
                Step::Assign {
                    place, op, value, ..
                },
            ] => {
                let place = bindings.text(place);
                let text = bindings.text(value);
                let value = match op {
                    None => text,
                    Some(op) => {
                        let text = if is_single(value) {
                            text
                        } else {
                            format!("({text})")
                        };
                        format!("{place} {} {text}", operator(op))
                    }
                };
                Some((place, value))
            }
            _ => None,
        };
        let condition = bindings.text(condition);
        match (single(then), otherwise.as_deref().map(single)) {
            (Some((place, value)), None) => {
                format!("Write `{place} = if {condition} {{ {value} }} else {{ {place} }};`")
            }
            (Some((place, a)), Some(Some((other, b)))) if place == other => {
                format!("Write `{place} = if {condition} {{ {a} }} else {{ {b} }};`")
            }
            _ => general.into(),
        }
    }
}
