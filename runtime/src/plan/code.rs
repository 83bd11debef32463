//! Nested loops over runs, and the walk through them.

use std::cell::Cell;

use super::{Body, Run, Runs};

/// Nested loops over runs, as a forest in preorder.
///
/// Each term takes its *values* from the sequence of its surroundings: a top-level term the next ones of [`values`](Self::values),
/// a term in a loop the next ones of the loop's current values. A run has its count, and then the [values](Body::values) of its body. A loop whose body has `w` values has `1 + 2 w`: its count, the body's values in
/// the first iteration, and what is added to each from one iteration to the next. So counts and steps of inner loops may depend on
/// outer loop variables (triangular nests), and every value is a polynomial in them, linear in each.
///
/// What follows no such rule, as a permutation does not, is a list: it has no values, but a table of runs in [`listed`](Self::listed).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Code {
    /// The terms in preorder.
    pub terms: Vec<Term>,
    /// The values of the top-level terms, in order.
    pub values: Vec<i64>,
    /// The runs of all lists, in order: each as it would stand in `values`.
    pub listed: Vec<i32>,
}

/// A loop, a run or a list of runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Term {
    /// Repeats the next `terms` terms.
    Loop {
        /// Terms in the loop's body, nested ones included.
        terms: u32,
        /// Values that one iteration of the body takes.
        width: u32,
    },
    /// Iterations of a body.
    Run {
        /// Index into the plan's bodies.
        body: u16,
    },
    /// Runs of one body from a table. In no loop.
    List {
        /// Index into the plan's bodies.
        body: u16,
        /// Number of runs.
        runs: u32,
    },
}

thread_local! {
    /// Room for the current values of the loops around a run, kept from walk to walk.
    static ROOM: Cell<Vec<i64>> = const { Cell::new(Vec::new()) };
}

impl Code {
    /// Whether there is nothing to run.
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// Calls `run(body, run)` for every run of at least one iteration, in order.
    ///
    /// Costs a few nanoseconds per run and allocates nothing once a thread has walked an equally deep nest.
    ///
    /// # Panics
    /// When the terms do not find their values; [`Plan::decode`](super::Plan::decode) returns no such code.
    pub fn walk(&self, bodies: &[Body], run: &mut impl FnMut(usize, Run<'_>)) {
        self.walk_runs(bodies, &mut |body, mut runs| {
            while let Some(next) = runs.advance() {
                run(body, next);
            }
        });
    }

    /// Calls `runs(body, runs)` for runs of one body in a row, which so go from one to the next by themselves.
    ///
    /// Costs, allocates and panics as [`walk`](Self::walk).
    pub fn walk_runs(&self, bodies: &[Body], runs: &mut impl FnMut(usize, Runs<'_>)) {
        let mut room = ROOM.take();
        let depth = depth(&self.terms, bodies);
        if room.len() < depth {
            room.resize(depth, 0);
        }
        let mut walk = Walk {
            bodies,
            listed: &self.listed,
            runs,
        };
        walk.terms(&self.terms, &self.values, &mut room);
        ROOM.set(room);
    }
}

/// Values that the loops and lists of `terms` keep at the same time, at most.
fn depth(terms: &[Term], bodies: &[Body]) -> usize {
    let mut deepest = 0;
    let mut at = 0;
    while at < terms.len() {
        match terms[at] {
            Term::Run { .. } => at += 1,
            Term::List { body, .. } => {
                deepest = deepest.max(bodies[usize::from(body)].width());
                at += 1;
            }
            Term::Loop {
                terms: inside,
                width,
            } => {
                let end = at + 1 + inside as usize;
                deepest = deepest.max(width as usize + depth(&terms[at + 1..end], bodies));
                at = end;
            }
        }
    }
    deepest
}

struct Walk<'a, F> {
    bodies: &'a [Body],
    /// What is left of the tables.
    listed: &'a [i32],
    runs: &'a mut F,
}

impl<F: FnMut(usize, Runs<'_>)> Walk<'_, F> {
    fn terms(&mut self, terms: &[Term], mut values: &[i64], room: &mut [i64]) {
        let mut at = 0;
        while at < terms.len() {
            match terms[at] {
                Term::Run { body } => {
                    let body = usize::from(body);
                    let own;
                    (own, values) = values.split_at(self.bodies[body].width());
                    (self.runs)(body, Runs::one(own, self.bodies[body].offsets()));
                    at += 1;
                }
                Term::List { body, runs } => {
                    let body = usize::from(body);
                    let width = self.bodies[body].width();
                    let table;
                    (table, self.listed) = self.listed.split_at(width * runs as usize);
                    let offsets = self.bodies[body].offsets();
                    (self.runs)(body, Runs::list(table, &mut room[..width], offsets));
                    at += 1;
                }
                Term::Loop {
                    terms: inside,
                    width,
                } => {
                    let own;
                    (own, values) = values.split_at(1 + 2 * width as usize);
                    let inside = at + 1..at + 1 + inside as usize;
                    at = inside.end;
                    self.repeat(&terms[inside], own, room.split_at_mut(width as usize));
                }
            }
        }
    }

    /// A loop over `body`, whose current values have a place of their own.
    fn repeat(&mut self, body: &[Term], values: &[i64], (current, room): (&mut [i64], &mut [i64])) {
        let (first, step) = values[1..].split_at(current.len());
        current.copy_from_slice(first);
        if let [Term::Run { body }] = *body {
            let body = usize::from(body);
            let offsets = self.bodies[body].offsets();
            (self.runs)(body, Runs::repeated(values[0], current, step, offsets));
            return;
        }
        for _ in 0..values[0] {
            self.terms(body, current, room);
            for (value, step) in current.iter_mut().zip(step) {
                *value = value.wrapping_add(*step);
            }
        }
    }
}
