//! Specialisation: the signature of each run, and its values that are left when that is known.

use std::collections::HashMap;

use superstep_plan::{Body, Code, Term};
use superstep_tracer::Kernel;

use super::kinds::{Found, Kind, Sequence};
use super::ranking::Ranking;
use super::signature::Signature;
use crate::fold::shapes::Shapes;

/// Most run functions of a program, apart from the general one of each statement sequence.
const MOST: usize = 40;

/// Most bodies of which more than the signature is known: a line of a table and a branch each.
const MOST_BODIES: usize = 500;

/// Gives every run of `code`, whose bodies are those of `shapes`, the body of its signature, and
/// only the values that this asks for.
///
/// Returns these bodies with their signatures, in the order of first appearance. Beyond a number of
/// signatures, those of the fewest iterations are replaced by the general one of their statements.
/// Cost: linear in the values of `code`.
pub fn specialise(
    kernel: &Kernel,
    shapes: &Shapes,
    code: &mut [Code],
) -> (Vec<Body>, Vec<Signature>) {
    let sequences: Vec<Sequence> = shapes
        .bodies()
        .map(|(statements, _)| Sequence::new(kernel, statements))
        .collect();
    let given = sequences.iter().map(|s| 2 * s.uses.len()).collect();
    let mut found = Found::new(sequences, code);
    let kinds = few(kernel, found.kinds, &mut found.signatures);
    let known = found.signatures.things();
    let mut numbers: HashMap<&Kind, u16> = HashMap::new();
    let (mut bodies, mut signatures) = (Vec::new(), Vec::new());
    let mut body_of = Vec::with_capacity(kinds.len());
    for kind in &kinds {
        let number = *numbers.entry(kind).or_insert(bodies.len() as u16);
        if usize::from(number) == bodies.len() {
            let signature: &Signature = &known[kind.signature];
            bodies.push(signature.body(&kind.offsets));
            signatures.push(signature.clone());
        }
        body_of.push(number);
    }
    let mut values = Values {
        given,
        sources: signatures.iter().map(Signature::sources).collect(),
        runs: found.runs.into_iter().map(|kind| body_of[kind]),
    };
    for code in code {
        let kept = values.keep(&mut code.terms);
        code.values = kept.iter().map(|&at| code.values[at]).collect();
    }
    (bodies, signatures)
}

impl Signature {
    /// Makes a body of its runs whose components are at these distances from their bases.
    fn body(&self, offsets: &[i64]) -> Body {
        let (statements, components) = (self.statements.clone(), self.components.clone());
        let body = Body::new(statements, components, offsets.to_vec());
        match self.takes_blocks() {
            true => body.in_blocks(),
            false => body,
        }
    }
}

/// Returns the kinds by number, the rare ones replaced by others about which less is known.
fn few(kernel: &Kernel, kinds: Ranking<Kind>, known: &mut Ranking<Signature>) -> Vec<Kind> {
    let frequent = kinds.frequent(MOST_BODIES);
    let counts = kinds.counts().to_vec();
    let mut few = kinds.things();
    let rare = few
        .iter_mut()
        .zip(frequent)
        .filter(|(_, frequent)| !frequent);
    known.replace(rare.map(|(kind, _)| kind), Signature::apart);
    let mut signatures = Ranking::default();
    let mut numbers = Vec::with_capacity(few.len());
    for (kind, count) in few.iter().zip(counts) {
        let number = signatures.number(&kind.signature);
        signatures.count(number, count);
        numbers.push(number);
    }
    let frequent = signatures.frequent(MOST);
    let rare = few
        .iter_mut()
        .zip(numbers)
        .filter(|(_, number)| !frequent[*number]);
    known.replace(rare.map(|(kind, _)| kind), |signature| {
        Signature::general(kernel, &signature.statements)
    });
    few
}

impl Ranking<Signature> {
    /// Gives kinds other signatures, with all distances 0.
    fn replace<'a>(
        &mut self,
        kinds: impl Iterator<Item = &'a mut Kind>,
        other: impl Fn(&Signature) -> Signature,
    ) {
        let known = self.things();
        let mut others: Vec<Option<usize>> = vec![None; known.len()];
        for kind in kinds {
            let own = kind.signature;
            kind.signature = *others[own].get_or_insert_with(|| self.number(&other(&known[own])));
            kind.offsets.fill(0);
        }
    }
}

/// Values of code that are kept.
struct Values<Runs> {
    /// Starts and steps that runs have at first, per sequence of statements.
    given: Vec<usize>,
    /// Starts and steps that runs keep, per body.
    sources: Vec<Vec<usize>>,
    /// The body of each run, in order.
    runs: Runs,
}

impl<Runs: Iterator<Item = u16>> Values<Runs> {
    /// Gives runs their bodies and loops their widths; the places of the values that `terms` keep.
    fn keep(&mut self, terms: &mut [Term]) -> Vec<usize> {
        let mut kept = Vec::new();
        let (mut at, mut place) = (0, 0);
        while let Some(term) = terms.get_mut(at) {
            kept.push(place);
            place += 1;
            match term {
                Term::Run { body } => {
                    let given = self.given[usize::from(*body)];
                    *body = self.runs.next().expect("every run was looked at");
                    let sources = &self.sources[usize::from(*body)];
                    kept.extend(sources.iter().map(|source| place + source));
                    place += given;
                    at += 1;
                }
                Term::Loose { .. } => unreachable!("loose runs are made of special ones"),
                Term::Loop {
                    terms: inside,
                    width,
                } => {
                    let (body, old) = (at + 1..at + 1 + *inside as usize, *width as usize);
                    let inner = self.keep(&mut terms[body.clone()]);
                    kept.extend(inner.iter().map(|value| place + value));
                    kept.extend(inner.iter().map(|value| place + old + value));
                    if let Term::Loop { width, .. } = &mut terms[at] {
                        *width = inner.len() as u32;
                    }
                    place += 2 * old;
                    at = body.end;
                }
            }
        }
        kept
    }
}
