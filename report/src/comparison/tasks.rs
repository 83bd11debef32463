//! Tasks of two programs, matched one by one.

use serde::{Deserialize, Serialize};
use superstep_plan::Plan;

use crate::Statement;

/// Keys of tasks below which they are matched, where no array bounds them: 4 GiB of counts, 16
/// bytes for each key.
const MOST_KEYS: i64 = 1 << 28;

/// Tasks of a statement in two programs, matched by their key: the word that they write, or their
/// own number where they write none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Moved {
    /// Tasks that both programs have.
    pub matched: u64,
    /// Tasks of them that run on another processor.
    pub processor: u64,
    /// Tasks of them that run in another superstep.
    pub superstep: u64,
    /// Tasks of them that run where and when they did.
    pub stayed: u64,
    /// Tasks, and copies of tasks, that only the first program has.
    pub only_before: u64,
    /// Tasks, and copies of tasks, that only the second program has.
    pub only_after: u64,
}

/// A program whose tasks are looked at.
#[derive(Clone, Copy)]
pub(super) struct Tasks<'a> {
    pub(super) plan: &'a Plan,
    pub(super) statements: &'a [Statement],
}

impl Tasks<'_> {
    /// Calls `visit` with key, processor and superstep of each task of a statement, superstep by
    /// superstep, in the order in which each processor runs them. Costs some nanoseconds for each
    /// run, and for each of those tasks.
    fn visit(self, statement: usize, visit: &mut impl FnMut(i64, u32, u32)) {
        let places = self.plan.bodies.iter().map(|body| {
            let (mut at, mut places) = (0, Vec::new());
            for &each in body.statements() {
                if usize::from(each) == statement {
                    places.push(at);
                }
                at += self.components(each.into());
            }
            places
        });
        let places: Vec<Vec<usize>> = places.collect();
        let processors = self.plan.processors.max(1) as usize;
        for (at, code) in self.plan.code.iter().enumerate() {
            let (superstep, processor) = (at / processors, at % processors);
            code.walk(&self.plan.bodies, &mut |index, run| {
                let body = &self.plan.bodies[index];
                let own = places[index].iter();
                // A place beyond the components is one of tables that fit no statements.
                let own = own.filter(|&&place| place < body.components().len());
                let own: Vec<(i64, i64)> = own
                    .map(|&place| (body.start(place, run), body.step(place, run)))
                    .collect();
                for iteration in 0..if own.is_empty() { 0 } else { run.count() } {
                    for &(start, step) in &own {
                        let key = start.wrapping_add(step.wrapping_mul(iteration as i64));
                        visit(key, processor as u32, superstep as u32);
                    }
                }
            });
        }
    }

    /// Returns how many components a statement has in a body.
    fn components(self, statement: usize) -> usize {
        self.statements.get(statement).map_or(1, |each| {
            let written = usize::from(each.writes.is_some() || each.counts.is_some());
            written + each.reads.len() + each.control.len()
        })
    }

    /// Returns whether slots of the array that a statement writes are the array's own indices, or
    /// its tasks have numbers.
    fn has_keys(self, statement: usize) -> bool {
        match self.statements[statement].writes {
            Some(array) => self.plan.shared.get(usize::from(array)) == Some(&true),
            None => self.statements[statement].counts.is_some(),
        }
    }
}

/// Matches the tasks of a statement in two programs. The first, second and further writes of a word
/// are the same tasks in both: a word is written in sequential order. `words`: length of the array,
/// if one is written.
///
/// None if one of them has memories of its own, or writes outside the array. Costs 8 bytes and some
/// 10 ns for each task, and 16 bytes for each key up to the largest.
pub(super) fn moved(
    [before, after]: [Tasks<'_>; 2],
    statements: [usize; 2],
    words: Option<u32>,
) -> Option<Moved> {
    if !before.has_keys(statements[0]) || !after.has_keys(statements[1]) {
        return None;
    }
    let most = words.map_or(MOST_KEYS, i64::from);
    let (mut last, mut is_within) = (-1, true);
    let mut look = |key: i64, _, _| {
        last = last.max(key);
        is_within &= (0..most).contains(&key);
    };
    before.visit(statements[0], &mut look);
    after.visit(statements[1], &mut look);
    if !is_within {
        return None;
    }
    // The tasks of key `k` are those from `first[k]` to `first[k + 1]`.
    let keys = (last + 1) as usize;
    let mut first = vec![0_usize; keys + 2];
    before.visit(statements[0], &mut |key, _, _| first[key as usize + 2] += 1);
    for key in 1..first.len() {
        first[key] += first[key - 1];
    }
    let mut places = vec![(0_u32, 0_u32); first[first.len() - 1]];
    before.visit(statements[0], &mut |key, processor, superstep| {
        let at = &mut first[key as usize + 1];
        places[*at] = (processor, superstep);
        *at += 1;
    });
    let mut next: Vec<usize> = first[..keys].to_vec();
    let mut found = Moved::default();
    after.visit(statements[1], &mut |key, processor, superstep| {
        let key = key as usize;
        if next[key] == first[key + 1] {
            found.only_after += 1;
            return;
        }
        let (own, when) = places[next[key]];
        next[key] += 1;
        found.matched += 1;
        found.processor += u64::from(own != processor);
        found.superstep += u64::from(when != superstep);
        found.stayed += u64::from((own, when) == (processor, superstep));
    });
    found.only_before = places.len() as u64 - found.matched;
    Some(found)
}

#[cfg(test)]
mod tests {
    use superstep_plan::{Body, Code, Term};

    use super::*;

    fn statement() -> Statement {
        Statement {
            writes: Some(0),
            reads: vec![0],
            ..Statement::default()
        }
    }

    /// Runs of words, each given by processor, superstep, count, first word and step.
    fn plan(runs: &[[i64; 5]]) -> Plan {
        let mut code = vec![Code::default(); 6];
        for &[processor, superstep, count, first, step] in runs {
            let code = &mut code[(2 * superstep + processor) as usize];
            code.terms.push(Term::Run { body: 0 });
            code.values.extend([count, first, 0, step, 0]);
        }
        Plan {
            processors: 2,
            supersteps: 3,
            shared: vec![true],
            extents: vec![8],
            bodies: vec![Body::own(vec![0], 2)],
            code,
            ..Plan::default()
        }
    }

    fn compared(before: &Plan, after: &Plan) -> Option<Moved> {
        let statements = &[statement()][..];
        let tasks = |plan| Tasks { plan, statements };
        moved([tasks(before), tasks(after)], [0, 0], Some(8))
    }

    #[test]
    fn tasks_are_matched_by_word_and_by_the_order_of_its_writes() {
        // Words 0 to 3 on processor 0, then again 2 and 3; 4 on processor 1.
        let before = plan(&[[0, 0, 4, 0, 1], [1, 0, 1, 4, 1], [0, 1, 2, 2, 1]]);
        assert_eq!(
            compared(&before, &before),
            Some(Moved {
                matched: 7,
                stayed: 7,
                ..Moved::default()
            })
        );
        // Word 4 is gone. The second writes of 3 and 2, in turn, are on processor 1 and one of them
        // a superstep later. Word 5 is new.
        let after = plan(&[
            [0, 0, 4, 0, 1],
            [1, 1, 1, 3, 1],
            [1, 2, 1, 2, 1],
            [0, 2, 1, 5, 1],
        ]);
        assert_eq!(
            compared(&before, &after),
            Some(Moved {
                matched: 6,
                processor: 2,
                superstep: 1,
                stayed: 4,
                only_before: 1,
                only_after: 1,
            })
        );
    }

    #[test]
    fn tasks_of_private_memory_are_not_matched() {
        let shared = plan(&[[0, 0, 4, 0, 1]]);
        let private = Plan {
            shared: Vec::new(),
            ..shared.clone()
        };
        assert_eq!(compared(&shared, &private), None);
        assert_eq!(
            compared(&shared, &plan(&[[0, 0, 1, 8, 1]])),
            None,
            "beyond the array"
        );
    }

    #[test]
    fn nothing_is_matched_with_nothing() {
        let nothing = plan(&[]);
        assert_eq!(compared(&nothing, &nothing), Some(Moved::default()));
    }
}
