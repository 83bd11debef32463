//! Which signature each run has, and which of its values are left when that is known.

use std::collections::BTreeMap;

use superstep_plan::{Body, Code, Stride, Term};
use superstep_tracer::Kernel;

use super::{Role, Signature, Step, roles};
use crate::fold::Shapes;

/// Most run functions of a program, apart from the general one of each statement sequence.
const MOST: usize = 40;

/// Most bodies of which more than the signature is known: a line of a table and a branch each.
const MOST_BODIES: usize = 500;

/// Gives every run of `code`, whose bodies are those of `shapes`, the body of its signature, and only the values that this asks for.
///
/// Returns these bodies with their signatures, in the order of first appearance. Beyond a number of signatures, those of the fewest
/// runs are replaced by the general one of their statements. Cost: linear in the values of `code`.
pub fn specialise(
    kernel: &Kernel,
    shapes: &Shapes,
    code: &mut [Code],
) -> (Vec<Body>, Vec<Signature>) {
    let sequences: Vec<Sequence> = shapes
        .bodies()
        .map(|(statements, _)| Sequence::new(kernel, statements))
        .collect();
    let mut found = Found {
        sequences,
        kinds: Ranking::default(),
    };
    for code in &*code {
        found.terms(&code.terms, &code.values, &[0], false);
    }
    let kinds = few(kernel, &found.kinds);
    let mut numbers = BTreeMap::new();
    let (mut bodies, mut signatures) = (Vec::new(), Vec::new());
    let body = |&kind: &usize| {
        let Kind { signature, offsets } = &kinds[kind];
        *numbers.entry(&kinds[kind]).or_insert_with(|| {
            let (statements, components) =
                (signature.statements.clone(), signature.components.clone());
            let body = Body::new(statements, components, offsets.clone());
            bodies.push(if signature.takes_blocks() {
                body.in_blocks()
            } else {
                body
            });
            signatures.push(signature.clone());
            (bodies.len() - 1) as u16
        })
    };
    let runs: Vec<u16> = found.kinds.notes.iter().map(body).collect();
    let mut values = Values {
        given: found.sequences.iter().map(|s| 2 * s.roles.len()).collect(),
        sources: signatures.iter().map(Signature::sources).collect(),
        runs: runs.into_iter(),
    };
    for code in code {
        let kept = values.keep(&mut code.terms);
        code.values = kept.iter().map(|&at| code.values[at]).collect();
    }
    (bodies, signatures)
}

/// What is known of a run.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Kind {
    signature: Signature,
    /// Distance of each component from its base.
    offsets: Vec<i64>,
}

impl Kind {
    fn new(signature: Signature) -> Self {
        Self {
            offsets: vec![0; signature.components.len()],
            signature,
        }
    }
}

/// The kinds by number, the rare ones replaced by others about which less is known.
fn few(kernel: &Kernel, kinds: &Ranking<Kind>) -> Vec<Kind> {
    let frequent = kinds.frequent(MOST_BODIES);
    let mut few: Vec<Kind> = kinds.items().into_iter().cloned().collect();
    for (kind, _) in few
        .iter_mut()
        .zip(frequent)
        .filter(|(_, frequent)| !frequent)
    {
        *kind = Kind::new(kind.signature.apart());
    }
    let mut signatures = Ranking::default();
    for &kind in &kinds.notes {
        signatures.note(few[kind].signature.clone());
    }
    let frequent = signatures.frequent(MOST);
    for kind in &mut few {
        if !frequent[signatures.numbers[&kind.signature]] {
            *kind = Kind::new(Signature::general(kernel, &kind.signature.statements));
        }
    }
    few
}

/// Things by number, in the order of first appearance, and how often each appears.
struct Ranking<T> {
    numbers: BTreeMap<T, usize>,
    counts: Vec<usize>,
    /// What appeared, one after the other.
    notes: Vec<usize>,
}

impl<T> Default for Ranking<T> {
    fn default() -> Self {
        Self {
            numbers: BTreeMap::new(),
            counts: Vec::new(),
            notes: Vec::new(),
        }
    }
}

impl<T: Ord> Ranking<T> {
    fn note(&mut self, thing: T) {
        let number = *self.numbers.entry(thing).or_insert(self.counts.len());
        if number == self.counts.len() {
            self.counts.push(0);
        }
        self.counts[number] += 1;
        self.notes.push(number);
    }

    fn items(&self) -> Vec<&T> {
        let mut items: Vec<(&T, usize)> = self.numbers.iter().map(|(t, &n)| (t, n)).collect();
        items.sort_unstable_by_key(|&(_, number)| number);
        items.into_iter().map(|(thing, _)| thing).collect()
    }

    /// Whether each is one of the `most` that appear most often, or earlier.
    fn frequent(&self, most: usize) -> Vec<bool> {
        let mut ranked: Vec<usize> = (0..self.counts.len()).collect();
        ranked.sort_by_key(|&number| std::cmp::Reverse(self.counts[number]));
        let mut frequent = vec![false; self.counts.len()];
        ranked
            .into_iter()
            .take(most)
            .for_each(|number| frequent[number] = true);
        frequent
    }
}

/// Which values of code are kept.
struct Values<Runs> {
    /// Per sequence of statements: the starts and steps that its runs have at first.
    given: Vec<usize>,
    /// Per body: which of them its runs keep.
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
                Term::List { .. } => unreachable!("lists are made of special runs"),
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

struct Sequence {
    statements: Vec<u16>,
    roles: Vec<Role>,
}

impl Sequence {
    fn new(kernel: &Kernel, statements: &[u16]) -> Self {
        Self {
            statements: statements.to_vec(),
            roles: roles(kernel, statements),
        }
    }
}

struct Found {
    sequences: Vec<Sequence>,
    kinds: Ranking<Kind>,
}

impl Found {
    /// Notes the signatures of all runs of `terms`. `images` are the places in `values` where the terms' values begin: one for each
    /// coefficient of the polynomials in the variables of the loops around, the constant one first, those with the variable of the innermost
    /// loop in the second half. `is_line`: whether there is such a loop.
    fn terms(&mut self, terms: &[Term], values: &[i64], images: &[usize], is_line: bool) {
        let mut images = images.to_vec();
        let mut at = 0;
        while at < terms.len() {
            let taken = match terms[at] {
                Term::Run { body } => {
                    let is_line = is_line && terms.len() == 1;
                    self.kinds.note(self.kind(body, values, &images, is_line));
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

    /// `is_line`: whether the innermost loop consists of this run.
    fn kind(&self, body: u16, values: &[i64], images: &[usize], is_line: bool) -> Kind {
        let Sequence { statements, roles } = &self.sequences[usize::from(body)];
        let components = roles.len();
        // Copied once, as each is compared many times: starts, then steps, those of all images in a row.
        let flat: Vec<i64> = (0..2 * components)
            .flat_map(|at| images.iter().map(move |image| values[image + 1 + at]))
            .collect();
        let coefficients = |at: usize| &flat[at * images.len()..][..images.len()];
        let is_single = images
            .iter()
            .zip(std::iter::once(1).chain(std::iter::repeat(0)))
            .all(|(image, count)| values[*image] == count);
        let step = |c: usize| match coefficients(components + c).split_first() {
            Some((0, rest)) if rest.iter().all(|&coefficient| coefficient == 0) => Step::Zero,
            Some((1, rest)) if rest.iter().all(|&coefficient| coefficient == 0) => Step::One,
            _ => Step::Any,
        };
        let own: Vec<Step> = (0..components).map(step).collect();
        let array = |c: usize| match roles[c] {
            Role::Write(array) | Role::Read(array) => Some(array),
            Role::Control => None,
        };
        let is_same = |a: usize, b: usize| {
            array(a).is_some()
                && array(a) == array(b)
                && coefficients(a) == coefficients(b)
                && coefficients(components + a) == coefficients(components + b)
        };
        let same = |c: usize| (0..c).find(|&before| is_same(before, c)).unwrap_or(c) as u16;
        let same: Vec<u16> = (0..components).map(same).collect();
        let equal_steps =
            |a: usize, b: usize| coefficients(components + a) == coefficients(components + b);
        let written = |c: usize| {
            let writes = (0..components)
                .filter(move |&d| array(d) == array(c) && matches!(roles[d], Role::Write(_)));
            writes.map(|d| same[d])
        };
        let is_behind = |c: usize, d: usize| {
            let next = coefficients(c).iter().zip(coefficients(components + c));
            let mut next = next.map(|(c, step)| c + step).zip(coefficients(d));
            equal_steps(c, d) && next.all(|(next, &d)| next == d)
        };
        // In the same place relative to each other in all runs, and not the same.
        let is_elsewhere = |a: usize, b: usize| {
            coefficients(a)[1..] == coefficients(b)[1..] && coefficients(a) != coefficients(b)
        };
        // The written word of the array that `c` is behind, and that nothing else writes before `c` is read.
        let leader = |c: usize| {
            let is_read = matches!(roles[c], Role::Read(_)) && own[c] != Step::Zero;
            let leader = written(c).find(|&d| is_behind(c, usize::from(d)))?;
            let others = || written(c).filter(|d| *d != leader).map(usize::from);
            let is_alone = others().next().is_none()
                || own[c] == Step::One && others().all(|d| equal_steps(c, d) && is_elsewhere(c, d));
            (is_read && is_alone).then_some(leader)
        };
        let step = |c: usize| {
            let others =
                || (0..components).filter(|&d| array(d) == array(c) && own[d] == Step::Any);
            if let Some(leader) = leader(c) {
                return Step::Behind(leader);
            }
            match own[c] {
                _ if roles[c] == Role::Control => Step::Any,
                Step::Any if others().all(|d| equal_steps(c, d)) => Step::Row,
                step => step,
            }
        };
        let steps: Vec<Step> = (0..components).map(step).collect();
        let mut signature = Signature {
            same,
            steps,
            ..Signature::of_nothing(statements, components)
        };
        if is_single {
            // Found word by word, as nothing is gained by slices.
            let is_small = |c: usize| {
                coefficients(c)
                    .iter()
                    .all(|&value| i32::try_from(value).is_ok())
            };
            signature = Signature {
                is_listed: images.len() == 1 && (0..components).all(is_small),
                ..Signature::of_nothing(statements, components)
            };
        } else if !signature.is_special(roles) {
            return Kind::new(Signature::of_nothing(statements, components));
        }
        if is_line && !is_single {
            let (_, advances) = images.split_at(images.len() / 2);
            let is_still = |at: usize| advances.iter().all(|image| values[image + at] == 0);
            let still: Vec<bool> = (0..components).map(|c| is_still(1 + c)).collect();
            if is_still(0) && signature.is_worth_blocks(roles, &still) {
                signature.side_by_side = Some(still);
            }
        }
        // Bases first, then steps.
        let is_apart = |a: usize, b: usize| {
            // Outside all loops distances are nothing that runs have in common.
            let has_distances = images.len() > 1 || !is_single;
            array(a).is_some()
                && array(b).is_some()
                && coefficients(a)[1..] == coefficients(b)[1..]
                && (has_distances || is_same(a, b))
        };
        let mut bases: Vec<usize> = Vec::new();
        let mut offsets = Vec::with_capacity(components);
        for (c, component) in signature.components.iter_mut().enumerate() {
            let base = bases.iter().position(|&base| is_apart(base, c));
            component.base = base.unwrap_or(bases.len()) as u16;
            if base.is_none() {
                bases.push(c);
            }
            let start = |c: usize| coefficients(c)[0];
            offsets.push(start(c).wrapping_sub(start(bases[usize::from(component.base)])));
        }
        let mut given: Vec<usize> = Vec::new();
        for (c, component) in signature.components.iter_mut().enumerate() {
            let known = match signature.steps[c] {
                _ if is_single => Some(0),
                Step::Zero => Some(0),
                Step::One => Some(1),
                Step::Behind(leader) if signature.steps[usize::from(leader)] == Step::One => {
                    Some(1)
                }
                Step::Behind(_) | Step::Row | Step::Any => None,
            };
            component.stride = known.map_or_else(
                || {
                    let step = given.iter().position(|&d| equal_steps(d, c));
                    if step.is_none() {
                        given.push(c);
                    }
                    Stride::Given((bases.len() + step.unwrap_or(given.len() - 1)) as u16)
                },
                Stride::Always,
            );
        }
        Kind { signature, offsets }
    }
}
