//! Sequences of single records that are left outside all loops, put together where that takes no
//! new body.

use super::shapes::{Shape, Shapes, USUAL};
use super::terms::Terms;

/// Records of one statement that become one run.
const GROUP: usize = 4;

/// Joins neighbouring top-level runs of one iteration into one: starting a run costs more than a
/// task. That is done where another run has that sequence of statements already, or where it is one
/// statement four times.
pub(super) fn join(terms: &Terms, shapes: &mut Shapes) -> Terms {
    let mut joined = Terms::default();
    let mut at = 0;
    while at < terms.len() {
        let (count, statements) = sequence(terms, at, shapes);
        if count == 1 {
            joined.values.items.extend_from_slice(terms.values(at));
            joined.end(terms.shapes[at]);
        } else {
            joined.values.items.push(1);
            let start = joined.values.items.len();
            for term in at..at + count {
                let values = terms.values(term);
                joined
                    .values
                    .items
                    .extend_from_slice(&values[1..1 + values.len() / 2]);
            }
            let components = joined.values.items.len() - start;
            joined.values.items.resize(start + 2 * components, 0);
            joined.end(shapes.number(Shape::Run {
                statements,
                components: components as u32,
            }));
        }
        at += count;
    }
    joined
}

/// Counts the terms at `at` that can be joined; returns that number and the statements of all.
fn sequence(terms: &Terms, at: usize, shapes: &Shapes) -> (usize, Vec<u16>) {
    let mut best = (1, Vec::new());
    let mut all = Vec::new();
    for term in at..terms.len() {
        let Shape::Run { statements, .. } = shapes.get(terms.shapes[term]) else {
            break;
        };
        if terms.values(term)[0] != 1 || all.len() + statements.len() > USUAL {
            break;
        }
        all.extend_from_slice(statements);
        let same = all.len() == GROUP && all.iter().all(|s| *s == all[0]);
        if term > at && (same && shapes.admits(&all) || shapes.has_body(&all)) {
            best = (term + 1 - at, all.clone());
        }
    }
    best
}
