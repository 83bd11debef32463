//! Kinds of runs: what is known of each.

use std::collections::HashMap;

use superstep_plan::{Code, Component, Stride, Term};
use superstep_tracer::Kernel;

use super::ranking::Ranking;
use super::relations::{Form, Polynomials, Relations, array};
use super::{Role, Signature, Step, roles};

/// A sequence of statements and what its components stand for.
pub(super) struct Sequence {
    statements: Vec<u16>,
    pub(super) roles: Vec<Role>,
}

impl Sequence {
    pub(super) fn new(kernel: &Kernel, statements: &[u16]) -> Self {
        Self {
            statements: statements.to_vec(),
            roles: roles(kernel, statements),
        }
    }

    /// The signature of runs with these relations; of nothing, if there is no better loop for them
    /// than word by word.
    fn signature(&self, relations: &Relations) -> Signature {
        let Self { statements, roles } = self;
        let nothing = Signature::of_nothing(statements, roles.len());
        if relations.form.is_single {
            // Found word by word, as nothing is gained by slices.
            let mut signature = Signature {
                is_listed: relations.form.is_listed,
                ..nothing
            };
            signature.base_on(relations);
            return signature;
        }
        let all = 0..roles.len();
        let mut signature = Signature {
            same: all.clone().map(|c| relations.same(c)).collect(),
            steps: all.clone().map(|c| self.step(relations, c)).collect(),
            ..nothing.clone()
        };
        if !signature.is_special(roles) {
            return nothing;
        }
        if relations.form.has_equal_lines {
            let still: Vec<bool> = all.map(|c| relations.is_still(c)).collect();
            if signature.is_worth_blocks(roles, &still) {
                signature.side_by_side = Some(still);
            }
        }
        signature.base_on(relations);
        signature
    }

    fn step(&self, relations: &Relations, c: usize) -> Step {
        let array = |c: usize| array(self.roles[c]);
        let is_other = |&d: &usize| array(d) == array(c) && relations.own(d) == Step::Any;
        let mut others = (0..self.roles.len()).filter(is_other);
        if let Some((leader, distance)) = relations.near(c) {
            return Step::Near(leader, distance);
        }
        match (relations.leader(c), relations.own(c)) {
            (Some(leader), _) => Step::Behind(leader),
            _ if self.roles[c] == Role::Control => Step::Any,
            (None, Step::Any) if others.all(|d| relations.equal_steps(c, d)) => Step::Row,
            (None, step) => step,
        }
    }
}

impl Signature {
    /// The component that each component is based on.
    fn bases(&self) -> Vec<usize> {
        let mut bases: Vec<usize> = Vec::new();
        let base = |(c, component): (usize, &Component)| {
            if usize::from(component.base) == bases.len() {
                bases.push(c);
            }
            bases[usize::from(component.base)]
        };
        self.components.iter().enumerate().map(base).collect()
    }

    /// Lets runs give as few values as they can: bases first, then steps.
    fn base_on(&mut self, relations: &Relations) {
        let mut bases: Vec<usize> = Vec::new();
        for (c, component) in self.components.iter_mut().enumerate() {
            let base = relations.base(c);
            component.base = bases.partition_point(|&other| other < base) as u16;
            if base == c {
                bases.push(c);
            }
        }
        let mut given: Vec<usize> = Vec::new();
        for (c, component) in self.components.iter_mut().enumerate() {
            let known = match self.steps[c] {
                _ if relations.form.is_single => Some(0),
                Step::Zero => Some(0),
                Step::One | Step::Near(..) => Some(1),
                Step::Behind(leader) if self.steps[usize::from(leader)] == Step::One => Some(1),
                Step::Behind(_) | Step::Row | Step::Any => None,
            };
            component.stride = known.map_or_else(
                || {
                    let step = given.iter().position(|&d| relations.equal_steps(d, c));
                    if step.is_none() {
                        given.push(c);
                    }
                    Stride::Given((bases.len() + step.unwrap_or(given.len() - 1)) as u16)
                },
                Stride::Always,
            );
        }
    }
}

/// Kind of a run: what is known of it.
#[derive(Clone, Default, PartialEq, Eq, Hash)]
pub(super) struct Kind {
    /// The number of its signature.
    pub(super) signature: usize,
    /// Distance of each component from its base.
    pub(super) offsets: Vec<i64>,
}

/// The signature of runs with some relations.
struct Known {
    signature: usize,
    /// The component that each component is based on.
    bases: Vec<usize>,
}

/// The kinds of the runs of code.
pub(super) struct Found {
    sequences: Vec<Sequence>,
    pub(super) signatures: Ranking<Signature>,
    pub(super) kinds: Ranking<Kind>,
    /// The number of each run's kind, in order.
    pub(super) runs: Vec<usize>,
    known: HashMap<Relations, Known>,
    // Room for the run that is looked at.
    polynomials: Polynomials,
    relations: Relations,
    kind: Kind,
}

impl Found {
    /// Finds the kinds of the runs of `code`, whose bodies are these sequences.
    pub(super) fn new(sequences: Vec<Sequence>, code: &[Code]) -> Self {
        let mut found = Self {
            sequences,
            signatures: Ranking::default(),
            kinds: Ranking::default(),
            runs: Vec::new(),
            known: HashMap::new(),
            polynomials: Polynomials::default(),
            relations: Relations::default(),
            kind: Kind::default(),
        };
        for code in code {
            found.terms(&code.terms, &code.values, &[0], false);
        }
        found
    }

    /// Notes the kinds of all runs of `terms`. `images` are the places in `values` where the terms'
    /// values begin: one for each coefficient of the polynomials in the variables of the loops
    /// around, the constant one first, those with the variable of the innermost loop in the second
    /// half. `is_line`: whether there is such a loop.
    fn terms(&mut self, terms: &[Term], values: &[i64], images: &[usize], is_line: bool) {
        let mut images = images.to_vec();
        let mut at = 0;
        while at < terms.len() {
            let taken = match terms[at] {
                Term::Run { body } => {
                    let is_line = is_line && terms.len() == 1;
                    self.run(body, values, &images, is_line);
                    at += 1;
                    1 + 2 * self.sequences[usize::from(body)].roles.len()
                }
                Term::List { .. } => unreachable!("lists are made of special runs"),
                Term::Loop {
                    terms: inside,
                    width,
                } => {
                    let width = width as usize;
                    let first = images.iter().map(|image| image + 1);
                    let inner: Vec<usize> = first
                        .clone()
                        .chain(first.map(|image| image + width))
                        .collect();
                    let end = at + 1 + inside as usize;
                    self.terms(&terms[at + 1..end], values, &inner, true);
                    at = end;
                    1 + 2 * width
                }
            };
            images.iter_mut().for_each(|image| *image += taken);
        }
    }

    /// Notes the kind of a run. `is_line`: whether the innermost loop consists of this run.
    fn run(&mut self, body: u16, values: &[i64], images: &[usize], is_line: bool) {
        let Self {
            polynomials,
            relations,
            kind,
            signatures,
            ..
        } = self;
        let sequence = &self.sequences[usize::from(body)];
        polynomials.read(sequence.roles.len(), values, images);
        let form = Form::new(body, values, images, is_line, polynomials);
        relations.find(form, &sequence.roles, polynomials);
        let known = match self.known.get(relations) {
            Some(known) => known,
            None => {
                let signature = sequence.signature(relations);
                let known = Known {
                    bases: signature.bases(),
                    signature: signatures.number(&signature),
                };
                self.known.entry(relations.clone()).or_insert(known)
            }
        };
        kind.signature = known.signature;
        kind.offsets.clear();
        for (c, &base) in known.bases.iter().enumerate() {
            kind.offsets.push(polynomials.distance(c, base));
        }
        let number = self.kinds.number(kind);
        self.kinds.count(number, 1);
        self.runs.push(number);
    }
}
