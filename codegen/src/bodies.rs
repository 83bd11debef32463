//! What is known before run time about the runs of a body: which components step by 0 or 1, and which are the same slot.
//!
//! That decides which inner loop a run can have: slices, words kept in variables, operands updated in place. Runs of one statement
//! sequence with different *signatures* become different bodies of the plan, with a run function each.

use std::collections::BTreeMap;

use superstep_runtime::plan::{Body, Code, Term};
use superstep_tracer::Kernel;

use crate::fold::Shapes;

/// Most run functions of a program, apart from the general one of each statement sequence.
const MOST: usize = 40;

/// How a component goes from one iteration of a run to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Step {
    /// Stays the same.
    Zero,
    /// To the next word.
    One,
    /// By a step that only the run knows, the same for all such components of the array.
    Row,
    /// One iteration behind the word that this component writes, the only such one in its array: its value is at hand.
    Behind(u16),
    /// By some other step that only the run knows.
    Any,
}

/// What a component stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The slot that the statement writes, in that array.
    Write(u16),
    /// The slot of an operand, in that array.
    Read(u16),
    /// A control value.
    Control,
}

/// A statement sequence and what is known about its components.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Signature {
    /// The statements of one iteration.
    pub statements: Vec<u16>,
    /// Step of each component.
    pub steps: Vec<Step>,
    /// For each component the first one that is always the same slot of the same array (itself, if there is none before).
    pub same: Vec<u16>,
}

impl Signature {
    /// The signature about which nothing is known: right for every run of `statements`.
    pub fn general(kernel: &Kernel, statements: &[u16]) -> Self {
        let components = roles(kernel, statements).len();
        Self {
            statements: statements.to_vec(),
            steps: vec![Step::Any; components],
            same: (0..components as u16).collect(),
        }
    }

    /// Whether every component is of any step.
    pub fn is_general(&self) -> bool {
        self.steps.iter().all(|step| *step == Step::Any)
    }

    /// Whether a run on slices must first find out that they do not overlap: it reads or writes other words of an array that it writes.
    pub fn may_overlap(&self, roles: &[Role]) -> bool {
        let array = |c: usize| match roles[c] {
            Role::Write(array) | Role::Read(array) => Some(array),
            Role::Control => None,
        };
        let written = |c: usize| matches!(roles[c], Role::Write(_));
        (0..roles.len()).any(|c| {
            written(c)
                && (0..roles.len()).any(|d| array(d) == array(c) && self.same[d] != self.same[c])
        })
    }

    /// What is known about the components in `array` as a whole.
    pub fn view(&self, roles: &[Role], array: u16) -> View {
        let own = |role: &Role| matches!(*role, Role::Write(a) | Role::Read(a) if a == array);
        let all = |allowed: &[Step]| {
            let mut steps = self.steps.iter().zip(roles).filter(|(_, role)| own(role));
            steps.all(|(step, _)| matches!(step, Step::Behind(_)) || allowed.contains(step))
        };
        let word_is_written = self
            .steps
            .iter()
            .zip(roles)
            .any(|(step, role)| *step == Step::Zero && *role == Role::Write(array));
        if !roles.contains(&Role::Write(array)) {
            View::ReadOnly
        } else if all(&[Step::Zero, Step::One]) {
            View::Slices
        } else if all(&[Step::Zero, Step::Row]) && !word_is_written {
            View::Rows
        } else {
            View::Words
        }
    }

    /// Whether there is a better loop than word by word.
    fn is_special(&self, roles: &[Role]) -> bool {
        let mut arrays = roles.iter().filter_map(|role| match *role {
            Role::Write(array) => Some(array),
            _ => None,
        });
        arrays.all(|array| self.view(roles, array) != View::Words)
    }
}

/// How a run can look at an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum View {
    /// It writes nothing there.
    ReadOnly,
    /// As slices: every component steps by 0 or 1.
    Slices,
    /// As rows at equal distances: every component steps by 0, and is then only read, or by the distance.
    Rows,
    /// Word by word.
    Words,
}

/// What the components of a statement sequence stand for, in order.
pub fn roles(kernel: &Kernel, statements: &[u16]) -> Vec<Role> {
    let of = |statement: &u16| {
        let statement = kernel.statement(*statement);
        let reads = statement.operands.iter().map(|&array| Role::Read(array));
        let control = statement.control.iter().map(|_| Role::Control);
        std::iter::once(Role::Write(statement.target))
            .chain(reads)
            .chain(control)
    };
    statements.iter().flat_map(of).collect()
}

/// Gives every run of `code`, whose bodies are those of `shapes`, the body of its signature.
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
        signatures: BTreeMap::new(),
        runs: Vec::new(),
    };
    for code in &mut *code {
        found.terms(&mut code.terms, &code.values, &[0]);
    }
    let numbers = found.numbers(kernel);
    let runs = code
        .iter_mut()
        .flat_map(|code| &mut code.terms)
        .filter_map(|term| match term {
            Term::Run { body } => Some(body),
            Term::Loop { .. } => None,
        });
    let mut final_numbers = BTreeMap::new();
    let mut signatures = Vec::new();
    for (body, found_number) in runs.zip(&found.runs) {
        let signature = &numbers[*found_number];
        *body = *final_numbers.entry(signature).or_insert_with(|| {
            signatures.push(signature.clone());
            (signatures.len() - 1) as u16
        });
    }
    let body = |s: &Signature| Body {
        statements: s.statements.clone(),
        components: s.steps.len() as u32,
    };
    (signatures.iter().map(body).collect(), signatures)
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
    /// (number, runs) of each signature.
    signatures: BTreeMap<Signature, (usize, usize)>,
    /// Signature of every run, in order.
    runs: Vec<usize>,
}

impl Found {
    /// Notes the signatures of all runs of `terms`. `images` are the places in `values` where the terms' values begin: one for each
    /// coefficient of the polynomials in the variables of the loops around, the constant one first.
    fn terms(&mut self, terms: &mut [Term], values: &[i64], images: &[usize]) {
        let mut images = images.to_vec();
        let mut at = 0;
        while at < terms.len() {
            let taken = match terms[at] {
                Term::Run { body } => {
                    let signature = self.signature(body, values, &images);
                    let next = self.signatures.len();
                    let (number, runs) = self.signatures.entry(signature).or_insert((next, 0));
                    *runs += 1;
                    self.runs.push(*number);
                    at += 1;
                    1 + 2 * self.sequences[usize::from(body)].roles.len()
                }
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
                    self.terms(&mut terms[at + 1..end], values, &inner);
                    at = end;
                    1 + 2 * width
                }
            };
            images.iter_mut().for_each(|image| *image += taken);
        }
    }

    fn signature(&self, body: u16, values: &[i64], images: &[usize]) -> Signature {
        let Sequence { statements, roles } = &self.sequences[usize::from(body)];
        let components = roles.len();
        let coefficients = |at: usize| images.iter().map(move |image| values[image + 1 + at]);
        let is_single = images
            .iter()
            .zip(std::iter::once(1).chain(std::iter::repeat(0)))
            .all(|(image, count)| values[*image] == count);
        let step = |c: usize| {
            let mut step = coefficients(components + c);
            let constant = step.next();
            match constant {
                _ if step.any(|coefficient| coefficient != 0) => Step::Any,
                Some(0) => Step::Zero,
                Some(1) => Step::One,
                _ => Step::Any,
            }
        };
        let array = |c: usize| match roles[c] {
            Role::Write(array) | Role::Read(array) => Some(array),
            Role::Control => None,
        };
        let is_same = |a: usize, b: usize| {
            array(a).is_some()
                && array(a) == array(b)
                && coefficients(a).eq(coefficients(b))
                && coefficients(components + a).eq(coefficients(components + b))
        };
        let same = |c: usize| (0..c).find(|&before| is_same(before, c)).unwrap_or(c) as u16;
        let equal_steps =
            |a: usize, b: usize| coefficients(components + a).eq(coefficients(components + b));
        let written = |c: usize| {
            let writes = (0..components)
                .filter(move |&d| array(d) == array(c) && matches!(roles[d], Role::Write(_)));
            writes.map(same)
        };
        let is_behind = |c: usize, d: usize| {
            let next = coefficients(c).zip(coefficients(components + c));
            equal_steps(c, d) && next.map(|(c, step)| c + step).eq(coefficients(d))
        };
        // The one written word of the array that `c` is behind.
        let leader = |c: usize| {
            let leader = written(c).next()?;
            let is_read = matches!(roles[c], Role::Read(_)) && step(c) != Step::Zero;
            (is_read && written(c).all(|d| d == leader) && is_behind(c, leader.into()))
                .then_some(leader)
        };
        let step = |c: usize| {
            let others =
                || (0..components).filter(|&d| array(d) == array(c) && step(d) == Step::Any);
            if let Some(leader) = leader(c) {
                return Step::Behind(leader);
            }
            match step(c) {
                _ if roles[c] == Role::Control => Step::Any,
                Step::Any if others().all(|d| equal_steps(c, d)) => Step::Row,
                step => step,
            }
        };
        let signature = Signature {
            statements: statements.clone(),
            steps: (0..components).map(step).collect(),
            same: (0..components).map(same).collect(),
        };
        if signature.is_special(roles) && !is_single {
            signature
        } else {
            Signature {
                steps: vec![Step::Any; components],
                same: (0..components as u16).collect(),
                ..signature
            }
        }
    }

    /// The signature of each number, the rare ones replaced by general ones.
    fn numbers(&self, kernel: &Kernel) -> Vec<Signature> {
        let mut by_runs: Vec<(&Signature, (usize, usize))> =
            self.signatures.iter().map(|(s, n)| (s, *n)).collect();
        by_runs.sort_by_key(|(_, (number, runs))| (std::cmp::Reverse(*runs), *number));
        let mut numbers = vec![None; by_runs.len()];
        for (rank, (signature, (number, _))) in by_runs.into_iter().enumerate() {
            let kept = if rank < MOST {
                signature.clone()
            } else {
                Signature::general(kernel, &signature.statements)
            };
            numbers[number] = Some(kept);
        }
        numbers.into_iter().flatten().collect()
    }
}
