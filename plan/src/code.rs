//! Nested loops over runs, and the walk through them.

use std::cell::Cell;

use super::{Body, Run};

/// Nested loops over runs, as a forest in preorder.
///
/// Each term takes its *values* from the sequence of its surroundings. A top-level term takes the
/// next ones of [`values`](Self::values), a term in a loop the next ones of the loop's current
/// values.
///
/// * A run has its count, and then the [values](Body::values) of its body.
/// * A loop whose body has `w` values has `1 + 2 w`. They are its count, the body's values in the
///   first iteration, and their steps from one to the next.
///
/// So counts and steps of inner loops may depend on outer loop variables (triangular nests). Every
/// value is a polynomial in them, linear in each.
///
/// Runs that follow no such rule, as those of a permutation do not, are *loose*: runs of one
/// iteration. They have no values here, but a table in [`loose`](Self::loose).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Code {
    /// The terms in preorder.
    pub terms: Vec<Term>,
    /// The values of the top-level terms, in order.
    pub values: Vec<i64>,
    /// The values of all loose runs, in order.
    pub loose: Vec<i32>,
}

/// A loop, a run, or loose runs.
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
    /// Runs of one iteration, in no loop.
    Loose {
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
    /// Returns whether there is nothing to run.
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// Calls `run(body, run)` for every run of at least one iteration, in order.
    ///
    /// Costs a few nanoseconds per run and allocates nothing once a thread has walked an equally
    /// deep nest.
    ///
    /// # Panics
    /// When the terms do not find their values; [`Plan::decode`](super::Plan::decode) returns no
    /// such code.
    pub fn walk(&self, bodies: &[Body], run: &mut dyn FnMut(usize, Run<'_>)) {
        let mut room = Vec::new();
        self.walk_blocks(bodies, &mut |body, block| {
            block.each(bodies[body].values(), &mut room, |one| run(body, one));
        });
    }

    /// Walks as [`walk`](Self::walk), but calls `run` only once for neighbouring loose runs: they
    /// are its [entries](Run::entries). So it does for those of a [block](Run::block), of bodies
    /// that [take them](Body::is_block).
    ///
    /// # Panics
    /// As [`walk`](Self::walk).
    pub fn walk_blocks(&self, bodies: &[Body], run: &mut dyn FnMut(usize, Run<'_>)) {
        let mut room = ROOM.take();
        let depth = depth(&self.terms);
        if room.len() < depth {
            room.resize(depth, 0);
        }
        let (mut values, mut loose) = (&self.values[..], &self.loose[..]);
        let mut at = 0;
        while at < self.terms.len() {
            if let Term::Loose { body, runs } = self.terms[at] {
                let body = usize::from(body);
                let own;
                (own, loose) = loose.split_at(runs as usize * bodies[body].values());
                run(body, Run::loose(own, bodies[body].offsets()));
                at += 1;
            } else {
                let others = self.terms[at..].iter();
                let others = others.take_while(|term| !matches!(term, Term::Loose { .. }));
                let end = at + others.count();
                values = walk(&self.terms[at..end], values, &mut room, bodies, run);
                at = end;
            }
        }
        ROOM.set(room);
    }
}

/// Returns the number of values that the loops of `terms` keep at the same time, at most.
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
fn call(body: u16, values: &[i64], bodies: &[Body], run: &mut dyn FnMut(usize, Run<'_>)) {
    if let Some((&count, values)) = values.split_first()
        && count > 0
    {
        let offsets = bodies[body as usize].offsets();
        run(body as usize, Run::new(count as usize, values, offsets));
    }
}

/// Runs `terms`, none of which is loose; returns the values that are left.
fn walk<'v>(
    terms: &[Term],
    mut values: &'v [i64],
    room: &mut [i64],
    bodies: &[Body],
    run: &mut dyn FnMut(usize, Run<'_>),
) -> &'v [i64] {
    let mut at = 0;
    while at < terms.len() {
        match terms[at] {
            Term::Run { body } => {
                let (own, rest) = values.split_at(bodies[body as usize].width());
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
                values = rest;
                at += 1 + inside as usize;
                if let [Term::Run { body }] = *body
                    && bodies[body as usize].is_block()
                    && step[0] == 0
                {
                    if own[0] > 0 && first[0] > 0 {
                        let (count, lines) = (first[0] as usize, own[0] as usize);
                        let offsets = bodies[body as usize].offsets();
                        let block = Run::block(count, &first[1..], offsets, lines, &step[1..]);
                        run(body as usize, block);
                    }
                    continue;
                }
                let (current, room) = room.split_at_mut(width as usize);
                current.copy_from_slice(first);
                for _ in 0..own[0] {
                    match *body {
                        // Most of a program's time between runs is spent here.
                        [Term::Run { body }] => call(body, current, bodies, run),
                        _ => drop(walk(body, current, room, bodies, run)),
                    }
                    for (value, step) in current.iter_mut().zip(step) {
                        *value = value.wrapping_add(*step);
                    }
                }
            }
            Term::Loose { .. } => unreachable!("no loose run is in a loop"),
        }
    }
    values
}

#[cfg(test)]
mod tests {
    use super::{Body, Code, Run, Term};

    /// (body, lines, count, starts of the first component line by line)
    type Seen = (usize, usize, usize, Vec<usize>);

    fn blocks(bodies: &[Body], code: &Code) -> Vec<Seen> {
        let mut seen = Vec::new();
        code.walk_blocks(bodies, &mut |body, run: Run<'_>| {
            let mut starts = Vec::new();
            let known = run.known::<2, 1>();
            known.each_line(0, known.lines(), |line| {
                starts.push(line.known::<2, 1>().slot(0, 0));
            });
            let slots = (0..known.lines()).map(|line| known.slot_in(line, 0, 0));
            assert!(slots.eq(starts.iter().copied()));
            let mut each = Vec::new();
            known.each(|line| {
                assert_eq!((line.lines(), line.advance_of(1)), (1, 0));
                each.push([line.given(0), line.given(1)]);
            });
            let mut singles = Vec::new();
            known.each_line(0, known.lines(), |line| {
                singles.push([line.given(0), line.given(1)]);
            });
            assert_eq!(each, singles);
            seen.push((body, known.lines(), run.count(), starts));
        });
        seen
    }

    fn singles(bodies: &[Body], code: &Code) -> Vec<(usize, usize, i64, i64)> {
        let mut seen = Vec::new();
        code.walk(bodies, &mut |body, run| {
            seen.push((body, run.count(), run.given(0), run.given(1)));
        });
        seen
    }

    /// A loop over runs of equal length, one over a triangle, and one over two runs.
    #[test]
    fn equal_runs_of_a_loop_are_one_block_to_bodies_that_take_them() {
        let run = |body| Term::Run { body };
        let around = |terms, width| Term::Loop { terms, width };
        let terms = vec![
            around(1, 3),
            run(0),
            around(1, 3),
            run(0),
            around(2, 6),
            run(0),
            run(1),
            run(0),
        ];
        let values = [
            &[3, 5, 100, 1, 0, 10, 2][..],
            &[3, 5, 100, 1, -1, 10, 0],
            &[2, 4, 7, 1, 4, 9, 1, 0, 1, 0, 0, 1, 0],
            &[6, 50, 2],
        ];
        let code = Code {
            terms,
            values: values.concat(),
            loose: Vec::new(),
        };
        let plain = [Body::own(vec![0], 1), Body::own(vec![1], 1)];
        let [first, second] = plain.clone();
        let taking = [first.in_blocks(), second];
        let expected = [
            (0, 3, 5, vec![100, 110, 120]),
            (0, 1, 5, vec![100]),
            (0, 1, 4, vec![110]),
            (0, 1, 3, vec![120]),
            (0, 1, 4, vec![7]),
            (1, 1, 4, vec![9]),
            (0, 1, 4, vec![8]),
            (1, 1, 4, vec![10]),
            (0, 1, 6, vec![50]),
        ];
        assert_eq!(blocks(&taking, &code), expected);
        assert!(
            blocks(&plain, &code)
                .iter()
                .all(|(_, lines, ..)| *lines == 1)
        );
        let all = singles(&plain, &code);
        assert_eq!(all.len(), 11);
        assert_eq!(singles(&taking, &code), all);
    }

    #[test]
    fn what_has_no_lines_or_no_iterations_is_not_run() {
        let bodies = [Body::own(vec![0], 1).in_blocks()];
        for (lines, count) in [(0, 5), (-2, 5), (3, 0), (3, -1)] {
            let code = Code {
                terms: vec![Term::Loop { terms: 1, width: 3 }, Term::Run { body: 0 }],
                values: vec![lines, count, 0, 1, 0, 1, 0],
                loose: Vec::new(),
            };
            assert_eq!(blocks(&bodies, &code), []);
            assert_eq!(singles(&bodies, &code), []);
        }
    }
}
