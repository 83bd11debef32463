//! Kinds of runs: what is known of each.

use std::collections::HashMap;

use superstep_plan::{Code, Component, Stride, Term};
use superstep_tracer::Kernel;

use super::ranking::Ranking;
use super::relations::{Context, Polynomials, Relations};
use super::signature::{Signature, Step, Use, uses};

/// A sequence of statements and what its components stand for.
pub(super) struct Sequence {
    statements: Vec<u16>,
    pub(super) uses: Vec<Use>,
}

impl Sequence {
    pub(super) fn new(kernel: &Kernel, statements: &[u16]) -> Self {
        Self {
            statements: statements.to_vec(),
            uses: uses(kernel, statements),
        }
    }

    /// Returns the signature of runs with these relations; of nothing, if there is no better loop
    /// for them than word by word.
    fn signature(&self, relations: &Relations) -> Signature {
        let Self { statements, uses } = self;
        let nothing = Signature::of_nothing(statements, uses.len());
        if relations.context.is_single {
            // Found word by word, as nothing is gained by slices.
            let mut signature = Signature {
                is_loose: relations.context.is_loose,
                ..nothing
            };
            signature.base_on(relations);
            return signature;
        }
        let all = 0..uses.len();
        let mut signature = Signature {
            same: all.clone().map(|c| relations.same(c)).collect(),
            steps: all.clone().map(|c| self.step(relations, c)).collect(),
            ..nothing.clone()
        };
        if !signature.is_special(uses) {
            return nothing;
        }
        if relations.context.has_equal_lines {
            let still: Vec<bool> = all.map(|c| relations.is_still(c)).collect();
            if signature.is_worth_blocks(uses, &still) {
                signature.side_by_side = Some(still);
            }
        }
        signature.base_on(relations);
        signature
    }

    fn step(&self, relations: &Relations, c: usize) -> Step {
        let array = |c: usize| self.uses[c].array();
        let is_other = |&d: &usize| array(d) == array(c) && relations.own(d) == Step::Any;
        let mut others = (0..self.uses.len()).filter(is_other);
        if let Some((leader, distance)) = relations.near(c) {
            return Step::Near(leader, distance);
        }
        match (relations.leader(c), relations.own(c)) {
            (Some(leader), _) => Step::Behind(leader),
            _ if self.uses[c] == Use::Control => Step::Any,
            (None, Step::Any) if others.all(|d| relations.equal_steps(c, d)) => Step::Row,
            (None, step) => step,
        }
    }
}

impl Signature {
    /// Returns the component that each component is based on.
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
                _ if relations.context.is_single => Some(0),
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
            found.terms(&code.terms, &code.values, &[0], &mut Vec::new());
        }
        found
    }

    /// Notes the kinds of all runs of `terms`.
    ///
    /// `images` are the places in `values` where the terms' values begin: one for each coefficient
    /// of the polynomials in the variables of the loops around. The constant one is first, and
    /// those with the variable of the innermost loop are the second half. `counts`: of the
    /// iterations of these loops.
    fn terms(&mut self, terms: &[Term], values: &[i64], images: &[usize], counts: &mut Vec<f64>) {
        let mut images = images.to_vec();
        let mut at = 0;
        while at < terms.len() {
            let taken = match terms[at] {
                Term::Run { body } => {
                    let is_line = !counts.is_empty() && terms.len() == 1;
                    self.run(body, values, &images, is_line, counts);
                    at += 1;
                    1 + 2 * self.sequences[usize::from(body)].uses.len()
                }
                Term::Loose { .. } => unreachable!("loose runs are made of special ones"),
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
                    counts.push(mean(values, &images, counts));
                    self.terms(&terms[at + 1..end], values, &inner, counts);
                    counts.pop();
                    at = end;
                    1 + 2 * width
                }
            };
            images.iter_mut().for_each(|image| *image += taken);
        }
    }

    /// Notes the kind of a run, for each of its iterations. `is_line`: whether the innermost loop
    /// consists of this run.
    fn run(&mut self, body: u16, values: &[i64], images: &[usize], is_line: bool, counts: &[f64]) {
        let Self {
            polynomials,
            relations,
            kind,
            signatures,
            ..
        } = self;
        let sequence = &self.sequences[usize::from(body)];
        polynomials.read(sequence.uses.len(), values, images);
        let context = Context::new(body, values, images, is_line, polynomials);
        relations.find(context, &sequence.uses, polynomials);
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
        let iterations = mean(values, images, counts) * counts.iter().product::<f64>();
        self.kinds.count(number, iterations.max(1.0) as usize);
        self.runs.push(number);
    }
}

/// Returns the first value of a term, its count, in the middle of the loops around, which have
/// these `counts`.
fn mean(values: &[i64], images: &[usize], counts: &[f64]) -> f64 {
    let coefficient = |(number, &image): (usize, &usize)| {
        let around = counts.iter().enumerate();
        let of = around.filter(|(depth, _)| number >> depth & 1 == 1);
        let middle: f64 = of.map(|(_, count)| 0.5 * (count - 1.0)).product();
        values[image] as f64 * middle
    };
    images.iter().enumerate().map(coefficient).sum()
}

#[cfg(test)]
mod tests {
    use superstep_tracer::Role;

    use super::*;

    #[test]
    fn kinds_count_for_the_iterations_that_they_have() {
        let mut kernel = Kernel::new("k");
        let [x, y] = ["x", "y"].map(|name| kernel.add_array(name, Role::InOut, None));
        kernel.add_statement("x[i] = y[i]", x, &[y]);
        // for i in 0..10 { 3 + 2 i iterations by steps of 1 }, and 7 by steps of 1 and 2.
        let run = Term::Run { body: 0 };
        let line = Term::Loop { terms: 1, width: 5 };
        let code = Code {
            terms: vec![line, run, run],
            values: [
                &[10][..],
                &[3, 0, 0, 1, 1],
                &[2, 4, 4, 0, 0],
                &[7, 0, 100, 1, 2],
            ]
            .concat(),
            ..Code::default()
        };
        let found = Found::new(vec![Sequence::new(&kernel, &[0])], &[code]);
        assert_eq!(found.kinds.counts(), [120, 7]);
    }
}
