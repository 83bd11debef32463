//! All lists of a program, folded: in trace order first, then where that is dear in the order that is best.

use superstep_runtime::plan::{Body, Code};
use superstep_tracer::INPUT;

use crate::fold::{Rows, Shapes, fold};
use crate::messages::Placement;
use crate::order::ByDepth;
use crate::storage::Storage;
use crate::tasks::Tasks;

/// The lists of all supersteps and processors, folded.
pub(crate) struct Folded {
    pub(crate) shapes: Shapes,
    /// `[superstep * processors + processor]`.
    pub(crate) code: Vec<Code>,
}

impl Folded {
    pub(crate) fn new(tasks: &Tasks<'_>, placement: &Placement, storage: &Storage) -> Self {
        let mut shapes = Shapes::default();
        let code = placement.lists().map(|(_, processor, list)| {
            let storage = Some((storage, processor));
            fold(
                &mut Instances {
                    tasks,
                    storage,
                    list,
                },
                &mut shapes,
            )
            .into_code(&shapes)
        });
        Self {
            code: code.collect(),
            shapes,
        }
    }

    /// Finds storage again after the order of the `changed` lists did change, and folds what that affects.
    pub(crate) fn update(
        &mut self,
        tasks: &Tasks<'_>,
        placement: &Placement,
        old: &Storage,
        changed: &[usize],
    ) -> Storage {
        let new = Storage::new(tasks.trace(), placement);
        let agrees: Vec<bool> = (0..placement.processors())
            .map(|processor| new.agrees(old, processor))
            .collect();
        for (at, (_, processor, list)) in placement.lists().enumerate() {
            if !agrees[processor] || changed.binary_search(&at).is_ok() {
                let terms = fold(
                    &mut Instances {
                        tasks,
                        storage: Some((&new, processor)),
                        list,
                    },
                    &mut self.shapes,
                );
                self.code[at] = terms.into_code(&self.shapes);
            }
        }
        new
    }

    /// Sorts the lists of `placement` whose runs are short by depth, where that is better with all values at home. Returns their numbers,
    /// ascending.
    pub(crate) fn improve_order(&self, tasks: &Tasks<'_>, placement: &mut Placement) -> Vec<usize> {
        const SHORT_RUN: usize = 16;
        let bodies = bodies(&self.shapes);
        let is_short =
            |at: &usize| runs(&self.code[*at], &bodies) * SHORT_RUN > placement.list(*at).len();
        let short: Vec<usize> = (0..self.code.len()).filter(is_short).collect();
        if short.is_empty() {
            return short;
        }
        let mut by_depth = ByDepth::new(tasks);
        let mut improve = |at: &usize| {
            let list = placement.list_mut(*at);
            let mut best = cost(&self.code[*at], &bodies);
            let mut better = false;
            for sorted in by_depth.sort(list) {
                let mut shapes = Shapes::default();
                let terms = fold(
                    &mut Instances {
                        tasks,
                        storage: None,
                        list: &sorted,
                    },
                    &mut shapes,
                );
                let cost = cost(&terms.into_code(&shapes), &self::bodies(&shapes));
                if cost < best {
                    (best, better) = (cost, true);
                    list.copy_from_slice(&sorted);
                }
            }
            better
        };
        short.into_iter().filter(|at| improve(at)).collect()
    }

    /// Puts those of the `changed` lists back into trace order that cost no less than before. Returns their numbers, ascending.
    pub(crate) fn revert(
        &self,
        before: &[usize],
        changed: &[usize],
        placement: &mut Placement,
    ) -> Vec<usize> {
        let worse = |(at, before): &(&usize, &usize)| self.cost(**at) >= **before;
        let worse: Vec<usize> = changed
            .iter()
            .zip(before)
            .filter(worse)
            .map(|(at, _)| *at)
            .collect();
        worse
            .iter()
            .for_each(|&at| placement.list_mut(at).sort_unstable());
        worse
    }

    pub(crate) fn cost(&self, at: usize) -> usize {
        cost(&self.code[at], &bodies(&self.shapes))
    }
}

/// The bodies of code that was folded with these shapes.
fn bodies(shapes: &Shapes) -> Vec<Body> {
    let body = |(statements, components): (&[u16], u32)| Body {
        statements: statements.to_vec(),
        components,
    };
    shapes.bodies().map(body).collect()
}

/// Runs that `code` executes.
fn runs(code: &Code, bodies: &[Body]) -> usize {
    let mut runs = 0;
    code.walk(bodies, &mut |_, _| runs += 1);
    runs
}

/// What code costs, roughly in tenths of nanoseconds: starting runs, iterations (a stride costs a cache line), and reading tables.
fn cost(code: &Code, bodies: &[Body]) -> usize {
    let values = code.values.iter().filter(|value| **value != 0).count();
    let mut cost = 10 * code.terms.len() + 20 * values;
    code.walk(bodies, &mut |body, run| {
        let statements = bodies[body].statements.len();
        let strides = run.step().iter().any(|step| !(0..=1).contains(step));
        cost += 100
            + run.count()
                * if strides {
                    15 + 5 * statements
                } else {
                    3 * statements
                };
    });
    cost
}

/// The instances of one (superstep, processor) as rows to fold: written slot, operands' slots, control values.
struct Instances<'a> {
    tasks: &'a Tasks<'a>,
    /// The slots of a processor's values; `None`: at home.
    storage: Option<(&'a Storage, usize)>,
    list: &'a [u32],
}

impl Instances<'_> {
    #[inline]
    fn slot(&self, value: u32) -> i64 {
        i64::from(match self.storage {
            Some((storage, processor)) if value & INPUT == 0 => {
                storage.slot(self.tasks.trace(), processor, value)
            }
            _ => self.tasks.home(value),
        })
    }
}

impl Rows for Instances<'_> {
    fn len(&self) -> usize {
        self.list.len()
    }

    fn width(&self) -> usize {
        let statements = 0..self.tasks.trace().kernel().statements.len() as u16;
        statements.map(|s| self.components(s)).max().unwrap_or(0)
    }

    fn components(&self, statement: u16) -> usize {
        let statement = self.tasks.trace().kernel().statement(statement);
        1 + statement.operands.len() + statement.control.len()
    }

    fn read(&mut self, at: usize, row: &mut [i64]) -> u16 {
        let task = self.list[at];
        let operands = self.tasks.operands(task);
        row[0] = self.slot(task);
        for (component, &value) in row[1..].iter_mut().zip(operands) {
            *component = self.slot(value);
        }
        let control = self.tasks.control(task);
        row[1 + operands.len()..][..control.len()].copy_from_slice(control);
        self.tasks.statement(task)
    }
}
