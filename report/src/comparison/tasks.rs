//! Tasks of two programs, matched one by one.

use std::cmp::Ordering;

use serde::{Deserialize, Serialize};
use superstep_plan::Plan;

use crate::Statement;

/// Tasks of a statement that are matched, at most: 1 GiB for each program. A file of some bytes can
/// claim any number. A bound of memory, not tuned; LU 512 has 4.5 * 10^7 tasks.
const MOST_TASKS: usize = 1 << 26;

/// Task of a statement: its key, its superstep and its processor.
type Task = (i64, u32, u32);

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
    /// Returns the tasks of a statement by ascending keys; those of one key stand in the order in
    /// which they run. None if there are more than are matched, or a key is not below `words`.
    fn by_key(self, statement: usize, words: Option<u32>) -> Option<Vec<Task>> {
        let places = self.plan.bodies.iter().map(|body| {
            let (mut at, mut places) = (0, Vec::new());
            for &each in body.statements() {
                // A place beyond the components is one of tables that fit no statements.
                if usize::from(each) == statement && at < body.components().len() {
                    places.push(at);
                }
                at += self.components(each.into());
            }
            places
        });
        let places: Vec<Vec<usize>> = places.collect();
        let is_key = |key| words.is_none_or(|words| (0..i64::from(words)).contains(&key));
        let processors = self.plan.processors.max(1) as usize;
        let (mut tasks, mut fit) = (Vec::new(), true);
        for (at, code) in self.plan.code.iter().enumerate() {
            let (superstep, processor) = ((at / processors) as u32, (at % processors) as u32);
            code.walk(&self.plan.bodies, &mut |index, run| {
                let body = &self.plan.bodies[index];
                for &place in &places[index] {
                    let (start, step) = (body.start(place, run), body.step(place, run));
                    let count = run.count() as i64;
                    let last = step.checked_mul(count - 1);
                    let last = last.and_then(|distance| start.checked_add(distance));
                    fit &= is_key(start) && last.is_some_and(is_key);
                    fit &= run.count() <= MOST_TASKS - tasks.len();
                    if fit {
                        let key = |iteration| start + step * iteration;
                        tasks.extend((0..count).map(|each| (key(each), superstep, processor)));
                    }
                }
            });
        }
        fit.then(|| {
            tasks.sort_unstable();
            tasks
        })
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
/// None if one of them has memories of its own, writes outside the array, or has more tasks than
/// are matched. Costs 16 bytes and some 80 ns for each task of both.
pub(super) fn moved(
    [before, after]: [Tasks<'_>; 2],
    statements: [usize; 2],
    words: Option<u32>,
) -> Option<Moved> {
    if !before.has_keys(statements[0]) || !after.has_keys(statements[1]) {
        return None;
    }
    let before = before.by_key(statements[0], words)?;
    let after = after.by_key(statements[1], words)?;
    let mut found = Moved::default();
    let (mut first, mut second) = (before.iter().peekable(), after.iter().peekable());
    while let (Some(a), Some(b)) = (first.peek(), second.peek()) {
        match a.0.cmp(&b.0) {
            Ordering::Less => drop(first.next()),
            Ordering::Greater => drop(second.next()),
            Ordering::Equal => {
                found.matched += 1;
                found.superstep += u64::from(a.1 != b.1);
                found.processor += u64::from(a.2 != b.2);
                found.stayed += u64::from(a == b);
                first.next();
                second.next();
            }
        }
    }
    found.only_before = before.len() as u64 - found.matched;
    found.only_after = after.len() as u64 - found.matched;
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
    fn numbers_of_tasks_may_be_far_apart() {
        let statements = &[Statement {
            counts: Some("chunk".into()),
            ..Statement::default()
        }][..];
        let compared = |before: &Plan, after: &Plan| {
            let tasks = |plan| Tasks { plan, statements };
            moved([tasks(before), tasks(after)], [0, 0], None)
        };
        let far = 1 << 40;
        let before = plan(&[[0, 0, 2, 0, far], [1, 0, 1, i64::MAX, 1]]);
        let after = plan(&[[0, 0, 1, 0, 1], [1, 0, 2, far, i64::MAX - far]]);
        assert_eq!(
            compared(&before, &after),
            Some(Moved {
                matched: 3,
                processor: 1,
                stayed: 2,
                ..Moved::default()
            })
        );
        let many = plan(&[[0, 0, MOST_TASKS as i64, 0, 1], [1, 0, 1, 0, 1]]);
        assert_eq!(compared(&before, &many), None, "too many to match");
        let beyond = plan(&[[0, 0, 2, i64::MAX, 1]]);
        assert_eq!(compared(&before, &beyond), None, "beyond all numbers");
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
