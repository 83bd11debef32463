//! All lists of a program, folded: in trace order first, then where that is dear in the order that is best.

use superstep_runtime::plan::{Body, Code};
use superstep_tracer::{Address, INPUT};

use crate::fold::{Rows, Shapes, fold};
use crate::layout::Layout;
use crate::messages::Placement;
use crate::order::ByDepth;
use crate::storage::Storage;
use crate::tasks::Tasks;

/// The lists of all supersteps and processors in the order found best, where their values live, and the loops that they fold into.
pub(crate) struct Folded<'a> {
    pub(crate) tasks: Tasks<'a>,
    pub(crate) placement: Placement,
    pub(crate) storage: Storage,
    pub(crate) shapes: Shapes,
    /// `[superstep * processors + processor]`.
    pub(crate) code: Vec<Code>,
}

impl<'a> Folded<'a> {
    /// Folds the lists in the order that they have; then those again that another order makes cheaper.
    pub(crate) fn new(tasks: Tasks<'a>, placement: Placement) -> Self {
        let storage = Storage::new(&tasks, &placement);
        let mut folded = Self {
            tasks,
            placement,
            storage,
            shapes: Shapes::default(),
            code: Vec::new(),
        };
        let lists = 0..folded.placement.lists().count();
        folded.code = lists.map(|at| folded.fold(at)).collect();
        let changed = folded.improve_order();
        if !changed.is_empty() {
            let before: Vec<usize> = changed.iter().map(|&at| folded.cost_of(at)).collect();
            folded.update(&changed);
            let worse = folded.revert(&before, &changed);
            if !worse.is_empty() {
                folded.update(&worse);
            }
        }
        folded
    }

    /// The list of that number, folded with its values where they live.
    fn fold(&mut self, at: usize) -> Code {
        let processor = at % self.placement.processors();
        let mut rows = Instances {
            tasks: &self.tasks,
            storage: Some((&self.storage, processor)),
            list: self.placement.list(at),
        };
        fold(&mut rows, &mut self.shapes).into_code(&self.shapes)
    }

    /// Finds storage again after the order of the `changed` lists did change, and folds what that affects.
    fn update(&mut self, changed: &[usize]) {
        let old = std::mem::replace(
            &mut self.storage,
            Storage::new(&self.tasks, &self.placement),
        );
        let agrees: Vec<bool> = (0..self.placement.processors())
            .map(|processor| self.storage.agrees(&old, processor))
            .collect();
        for at in 0..self.code.len() {
            if !agrees[at % agrees.len()] || changed.binary_search(&at).is_ok() {
                self.code[at] = self.fold(at);
            }
        }
    }

    /// Sorts the lists that are dear by depth, where that is better with all values at home. Returns their numbers, ascending.
    fn improve_order(&mut self) -> Vec<usize> {
        let bodies = self.bodies();
        let mut by_depth = ByDepth::new(&self.tasks);
        let mut changed = Vec::new();
        for at in 0..self.code.len() {
            let list = self.placement.list_mut(at);
            let given = cost(&self.code[at], &bodies);
            if given <= FAIR * list.len() {
                continue;
            }
            let mut best = given;
            for sorted in by_depth.sort(list) {
                let mut shapes = Shapes::default();
                let mut rows = Instances {
                    tasks: &self.tasks,
                    storage: None,
                    list: &sorted,
                };
                let code = fold(&mut rows, &mut shapes).into_code(&shapes);
                let cost = cost(&code, &self::bodies(&shapes));
                if cost < best {
                    best = cost;
                    list.copy_from_slice(&sorted);
                }
            }
            if best < given {
                changed.push(at);
            }
        }
        changed
    }

    /// Puts those of the `changed` lists back into trace order that cost no less than before. Returns their numbers, ascending.
    fn revert(&mut self, before: &[usize], changed: &[usize]) -> Vec<usize> {
        let worse = |(at, before): &(&usize, &usize)| self.cost_of(**at) >= **before;
        let worse: Vec<usize> = changed
            .iter()
            .zip(before)
            .filter(worse)
            .map(|(at, _)| *at)
            .collect();
        worse
            .iter()
            .for_each(|&at| self.placement.list_mut(at).sort_unstable());
        worse
    }

    fn bodies(&self) -> Vec<Body> {
        bodies(&self.shapes)
    }

    fn cost_of(&self, at: usize) -> usize {
        cost(&self.code[at], &self.bodies())
    }

    /// What all lists cost, and transposing what comes in and goes out.
    pub(crate) fn cost(&self) -> usize {
        let bodies = self.bodies();
        let lists: usize = self.code.iter().map(|code| cost(code, &bodies)).sum();
        let is_transposed = |address: &&Address| self.tasks.layout().is_transposed(address.array);
        let transposed = |processor| {
            let results = self
                .placement
                .results(processor)
                .iter()
                .map(|(address, _)| address);
            let words = self.placement.inputs(processor).iter().chain(results);
            words.filter(is_transposed).count()
        };
        lists
            + TRANSPOSED
                * (0..self.placement.processors())
                    .map(transposed)
                    .sum::<usize>()
    }

    /// The layout by columns, if most runs go down columns.
    pub(crate) fn columns(&self) -> Option<Layout> {
        Layout::for_columns(self.tasks.trace(), &self.bodies(), &self.code)
    }
}

/// A cost per task, in the unit of [`cost`], at which no other order is looked for.
const FAIR: usize = 9;

/// What it costs to transpose a word, in the same unit.
const TRANSPOSED: usize = 15;

/// The bodies of code that was folded with these shapes.
fn bodies(shapes: &Shapes) -> Vec<Body> {
    let body = |(statements, components): (&[u16], u32)| Body {
        statements: statements.to_vec(),
        components,
    };
    shapes.bodies().map(body).collect()
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
    fn slot(&self, array: u16, value: u32) -> i64 {
        i64::from(match self.storage {
            Some((storage, processor)) if value & INPUT == 0 => {
                storage.slot(self.tasks, processor, value)
            }
            _ => self.tasks.home(array, value),
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
        let number = self.tasks.statement(task);
        let statement = self.tasks.trace().kernel().statement(number);
        row[0] = self.slot(statement.target, task);
        let reads = statement.operands.iter().zip(operands);
        for (component, (&array, &value)) in row[1..].iter_mut().zip(reads) {
            *component = self.slot(array, value);
        }
        let control = self.tasks.control(task);
        row[1 + operands.len()..][..control.len()].copy_from_slice(control);
        number
    }
}
