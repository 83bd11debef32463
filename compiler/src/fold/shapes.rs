//! The shapes of terms, each kept once.

use std::collections::{HashMap, HashSet};

use superstep_plan::Term;

/// Longest sequence of statements that becomes one body without many repetitions: longer ones take
/// functions that other loops around them would not share.
pub(super) const USUAL: usize = 8;

/// Longest sequence of statements that becomes one body.
///
/// * A row of the panel of an elimination by eight pivots has 36: each word is divided after up to
///   seven updates.
/// * Three stages of butterflies, of three statements each, have 36 on eight words.
pub(crate) const MOST_STATEMENTS: usize = 36;

/// Shape of a term: all of it but its numbers.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Shape {
    /// A run of a sequence of statements with that many components in all.
    Run {
        /// The statements.
        statements: Vec<u16>,
        /// Number of components of these statements.
        components: u32,
    },
    /// A loop over terms of those shapes.
    Loop(Vec<u32>),
}

/// Shapes met so far; a shape is known by its number.
#[derive(Clone, Debug, Default)]
pub struct Shapes {
    shapes: Vec<Shape>,
    /// Values that a term of each shape has.
    values: Vec<u32>,
    /// Runs only: the number of the body in order of appearance.
    bodies: Vec<u16>,
    numbers: HashMap<Shape, u32>,
    distinct_bodies: u16,
    sequences: HashSet<Vec<u16>>,
}

impl Shapes {
    /// Returns the number of `shape`, which it gets if it is new.
    pub fn number(&mut self, shape: Shape) -> u32 {
        if let Some(&number) = self.numbers.get(&shape) {
            return number;
        }
        let number = self.shapes.len() as u32;
        let width = match &shape {
            Shape::Run { components, .. } => *components,
            Shape::Loop(inside) => inside.iter().map(|&s| self.values[s as usize]).sum(),
        };
        self.values.push(1 + 2 * width);
        self.bodies.push(self.distinct_bodies);
        if let Shape::Run { statements, .. } = &shape {
            self.distinct_bodies += 1;
            self.sequences.insert(statements.clone());
        }
        self.shapes.push(shape.clone());
        self.numbers.insert(shape, number);
        number
    }

    /// Returns the shape of that number.
    pub fn get(&self, number: u32) -> &Shape {
        &self.shapes[number as usize]
    }

    /// Returns whether runs may have that sequence of statements: each takes a function, so there
    /// are not to be too many.
    pub(super) fn admits(&self, statements: &[u16]) -> bool {
        const MANY: usize = 96;
        statements.len() == 1 || self.sequences.len() < MANY || self.has_body(statements)
    }

    /// Returns whether some run has that sequence of statements.
    pub(super) fn has_body(&self, statements: &[u16]) -> bool {
        self.sequences.contains(statements)
    }

    /// Iterates over the statement sequences of all runs, in the order of their numbers as bodies
    /// of code.
    pub fn bodies(&self) -> impl Iterator<Item = (&[u16], u32)> {
        self.shapes.iter().filter_map(|shape| match shape {
            Shape::Run {
                statements,
                components,
            } => Some((&statements[..], *components)),
            Shape::Loop(_) => None,
        })
    }

    /// Appends the terms of a shape in preorder.
    pub(super) fn write(&self, number: u32, terms: &mut Vec<Term>) {
        match self.get(number) {
            Shape::Run { .. } => terms.push(Term::Run {
                body: self.bodies[number as usize],
            }),
            Shape::Loop(inside) => {
                let at = terms.len();
                let width = (self.values[number as usize] - 1) / 2;
                terms.push(Term::Loop { terms: 0, width });
                inside.iter().for_each(|&shape| self.write(shape, terms));
                terms[at] = Term::Loop {
                    terms: (terms.len() - at - 1) as u32,
                    width,
                };
            }
        }
    }
}
