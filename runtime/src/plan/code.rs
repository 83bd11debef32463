//! Nested loops over runs, and the walk through them.

use std::cell::Cell;

use super::Body;

/// Nested loops over runs, as a forest in preorder.
///
/// Each term takes its *values* from the sequence of its surroundings: a top-level term the next ones of [`values`](Self::values),
/// a term in a loop the next ones of the loop's current values. A run has its count, and then the [values](Body::values) of its body. A loop whose body has `w` values has `1 + 2 w`: its count, the body's values in
/// the first iteration, and what is added to each from one iteration to the next. So counts and steps of inner loops may depend on
/// outer loop variables (triangular nests), and every value is a polynomial in them, linear in each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Code {
    /// The terms in preorder.
    pub terms: Vec<Term>,
    /// The values of the top-level terms, in order.
    pub values: Vec<i64>,
}

/// A loop or a run.
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
}

/// What one run executes: a number of iterations, and the values from which the components of its [`Body`] follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run<'a> {
    count: usize,
    values: &'a [i64],
    offsets: &'a [i64],
}

impl<'a> Run<'a> {
    /// `count` iterations with these values, of a body with these [offsets](Body::offsets).
    #[inline(always)]
    pub const fn new(count: usize, values: &'a [i64], offsets: &'a [i64]) -> Self {
        Self {
            count,
            values,
            offsets,
        }
    }

    /// Number of iterations, at least 1 in a walk.
    #[inline(always)]
    pub const fn count(self) -> usize {
        self.count
    }

    /// A value of the run.
    #[inline(always)]
    pub const fn given(self, value: usize) -> i64 {
        self.values[value]
    }

    /// Component `c`, whose base is `base`, in the first iteration.
    #[inline(always)]
    pub const fn start(self, base: usize, c: usize) -> i64 {
        self.values[base].wrapping_add(self.offsets[c])
    }

    /// A component in iteration `x`, from where it starts and its step.
    #[inline(always)]
    pub const fn advance(start: i64, step: i64, x: usize) -> i64 {
        start.wrapping_add(step.wrapping_mul(x as i64))
    }

    /// Component `c`, whose base is `base`, in the first iteration, as a slot.
    #[inline(always)]
    pub const fn slot(self, base: usize, c: usize) -> usize {
        self.start(base, c) as usize
    }
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
        let mut room = ROOM.take();
        let depth = depth(&self.terms);
        if room.len() < depth {
            room.resize(depth, 0);
        }
        walk(&self.terms, &self.values, &mut room, bodies, run);
        ROOM.set(room);
    }
}

/// Values that the loops of `terms` keep at the same time, at most.
fn depth(terms: &[Term]) -> usize {
    let mut deepest = 0;
    let mut at = 0;
    while at < terms.len() {
        let Term::Loop {
            terms: inside,
            width,
        } = terms[at]
        else {
            at += 1;
            continue;
        };
        let end = at + 1 + inside as usize;
        deepest = deepest.max(width as usize + depth(&terms[at + 1..end]));
        at = end;
    }
    deepest
}

/// Runs one run.
#[inline(always)]
fn call(body: u16, values: &[i64], bodies: &[Body], run: &mut impl FnMut(usize, Run<'_>)) {
    if let Some((&count, values)) = values.split_first()
        && count > 0
    {
        let offsets = bodies[body as usize].offsets();
        run(body as usize, Run::new(count as usize, values, offsets));
    }
}

fn walk(
    terms: &[Term],
    mut values: &[i64],
    room: &mut [i64],
    bodies: &[Body],
    run: &mut impl FnMut(usize, Run<'_>),
) {
    let mut at = 0;
    while at < terms.len() {
        match terms[at] {
            Term::Run { body } => {
                let (own, rest) = values.split_at(1 + bodies[body as usize].values());
                call(body, own, bodies, run);
                values = rest;
                at += 1;
            }
            Term::Loop {
                terms: inside,
                width,
            } => {
                let (own, rest) = values.split_at(1 + 2 * width as usize);
                let (first, step) = own[1..].split_at(width as usize);
                let body = &terms[at + 1..at + 1 + inside as usize];
                let (current, room) = room.split_at_mut(width as usize);
                current.copy_from_slice(first);
                for _ in 0..own[0] {
                    match *body {
                        // Most of a program's time between runs is spent here.
                        [Term::Run { body }] => call(body, current, bodies, run),
                        _ => walk(body, current, room, bodies, run),
                    }
                    for (value, step) in current.iter_mut().zip(step) {
                        *value = value.wrapping_add(*step);
                    }
                }
                values = rest;
                at += 1 + inside as usize;
            }
        }
    }
}
