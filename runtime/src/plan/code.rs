//! Nested loops over runs, and the walk through them.

use std::cell::Cell;

use super::Body;

/// Nested loops over runs, as a forest in preorder.
///
/// Each term takes its *values* from the sequence of its surroundings: a top-level term the next ones of [`values`](Self::values),
/// a term in a loop the next ones of the loop's current values. A run of a body with `c` components has `1 + 2 c` values: its count,
/// the start of each component, the step of each. A loop whose body has `w` values has `1 + 2 w`: its count, the body's values in
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

/// What one run executes: a number of iterations, and how the components of its body advance.
///
/// Component `c` is `start[c] + x * step[c]` in iteration `x`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run<'a> {
    count: usize,
    start: &'a [i64],
    step: &'a [i64],
}

impl<'a> Run<'a> {
    /// `count` iterations of components that begin at `start`, in steps of `step`.
    #[inline(always)]
    pub const fn new(count: usize, start: &'a [i64], step: &'a [i64]) -> Self {
        Self { count, start, step }
    }

    /// Number of iterations, at least 1 in a walk.
    #[inline(always)]
    pub const fn count(self) -> usize {
        self.count
    }

    /// The components in the first iteration.
    pub const fn start(self) -> &'a [i64] {
        self.start
    }

    /// What is added to each component from one iteration to the next.
    pub const fn step(self) -> &'a [i64] {
        self.step
    }

    /// Component `c` in the first iteration, as a slot.
    #[inline(always)]
    pub const fn first(self, c: usize) -> usize {
        self.start[c] as usize
    }

    /// The run as one of `N` components, copied for quick access.
    ///
    /// # Panics
    /// When it has fewer.
    #[inline(always)]
    pub fn sized<const N: usize>(self) -> SizedRun<N> {
        let first = |values: &[i64]| {
            *values
                .first_chunk()
                .expect("a run has the components of its body")
        };
        SizedRun {
            start: first(self.start),
            step: first(self.step),
        }
    }

    /// Component `c` in iteration `x`, as a control value.
    #[inline(always)]
    pub const fn value(self, c: usize, x: usize) -> i64 {
        self.start[c].wrapping_add(self.step[c].wrapping_mul(x as i64))
    }

    /// Component `c` in iteration `x`, as a slot.
    #[inline(always)]
    pub const fn slot(self, c: usize, x: usize) -> usize {
        self.value(c, x) as usize
    }
}

/// A [`Run`] of a known number of components.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SizedRun<const N: usize> {
    start: [i64; N],
    step: [i64; N],
}

impl<const N: usize> SizedRun<N> {
    /// Component `c` in iteration `x`, as a slot.
    #[inline(always)]
    pub const fn slot(&self, c: usize, x: usize) -> usize {
        self.value(c, x) as usize
    }

    /// Component `c` in iteration `x`, as a control value.
    #[inline(always)]
    pub const fn value(&self, c: usize, x: usize) -> i64 {
        self.start[c].wrapping_add(self.step[c].wrapping_mul(x as i64))
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
                let components = bodies[body as usize].components as usize;
                let (own, rest) = values.split_at(1 + 2 * components);
                let (start, step) = own[1..].split_at(components);
                if own[0] > 0 {
                    run(body as usize, Run::new(own[0] as usize, start, step));
                }
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
                    walk(body, current, room, bodies, run);
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
