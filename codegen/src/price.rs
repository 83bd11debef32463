//! What folded code costs to execute, roughly in tenths of nanoseconds: enough to choose between orders and layouts.

use superstep_runtime::plan::{Body, Code, Run};
use superstep_tracer::Kernel;

use crate::bodies::{LINES, Role, list, roles, specialise};
use crate::fold::Shapes;

/// Reading one value of the tables.
const VALUE: usize = 20;

/// A value of a list.
const LISTED: usize = 5;

/// Starting a loop or a run that the tables name.
const TERM: usize = 10;

/// Starting a run.
const RUN: usize = 100;

/// Going on to the next run of a list.
const ENTRY: usize = 10;

/// Loading or storing a word of a slice, in a loop that the compiler vectorises.
const WORD: usize = 1;

/// Going on to a word that is not the next one: a cache line for each.
const STRIDE: usize = 9;

/// An operation that waits for the one before.
const LATENCY: usize = 12;

/// What each of these lists of loops costs, whose bodies are those of `shapes`, when they are specialised. Linear in the values of their runs.
pub(crate) fn prices(kernel: &Kernel, shapes: &Shapes, mut code: Vec<Code>) -> Vec<usize> {
    let (bodies, signatures) = specialise(kernel, shapes, &mut code);
    code.iter_mut()
        .for_each(|code| list(&bodies, &signatures, code));
    let roles: Vec<Vec<Role>> = bodies
        .iter()
        .map(|body| roles(kernel, body.statements()))
        .collect();
    let price = |code: &Code| {
        let values = code.values.iter().filter(|value| **value != 0).count();
        let mut price = TERM * code.terms.len() + VALUE * values + LISTED * code.listed.len();
        code.walk(&bodies, &mut |body, run| {
            let start = if signatures[body].is_listed {
                ENTRY
            } else {
                RUN
            };
            let at_once = signatures[body].block.as_ref().map_or(1, |_| LINES);
            price += start + run.count() * iteration(&roles[body], &bodies[body], run, at_once);
        });
        price
    };
    code.iter().map(price).collect()
}

/// One iteration of a run: each word that it touches is loaded and stored once, and what stays in a register not at all, but
/// may have to be waited for, `at_once` lines at the same time.
fn iteration(roles: &[Role], body: &Body, run: Run<'_>, at_once: usize) -> usize {
    let start: Vec<i64> = body.starts(run).collect();
    let step: Vec<i64> = body.steps(run).collect();
    let is_write = |c: usize| matches!(roles[c], Role::Write(_));
    let array = |c: usize| match roles[c] {
        Role::Write(array) | Role::Read(array) => Some(array),
        Role::Control => None,
    };
    let same =
        |a: usize, b: usize| array(a) == array(b) && start[a] == start[b] && step[a] == step[b];
    let is_behind = |a: usize, b: usize| {
        array(a) == array(b) && start[a] + step[a] == start[b] && step[a] == step[b]
    };
    let mut price = 0;
    for c in (0..roles.len()).filter(|&c| array(c).is_some()) {
        let before = |of: bool| (0..c).any(|d| is_write(d) == of && same(c, d));
        if step[c] == 0 {
            // The operands of a statement stand behind the word that it writes, and are read before.
            let written = (0..roles.len()).find(|&d| is_write(d) && same(c, d));
            let next = (written.unwrap_or(c) + 1..roles.len()).find(|&d| is_write(d));
            let waits = (0..next.unwrap_or(roles.len())).any(|d| !is_write(d) && same(c, d));
            price += LATENCY / at_once * usize::from(is_write(c) && waits);
        } else if !is_write(c) && (0..roles.len()).any(|d| is_write(d) && is_behind(c, d)) {
            price += LATENCY;
        } else if !before(is_write(c)) {
            let is_far = step[c] != 1 && !before(!is_write(c));
            price += WORD + STRIDE * usize::from(is_far);
        }
    }
    price
}
