//! Levelling: a processor that has more to do than the others puts some of it off.

use std::collections::BTreeMap;

use super::{bundles::Precedence, distribution::Owned, steps::Steps};

/// Evens out the loads of neighbouring supersteps, first to last.
///
/// A processor that has most to do, and in the next superstep less than another, puts off rows. The
/// last ones go first, as long as nobody else waits for them. Rows stay whole.
///
/// Cost: linear in tasks and edges, and a sort of the tasks that could be put off.
pub(super) fn level(graph: &impl Precedence, owned: &Owned, steps: &mut Steps, processors: u32) {
    let mut levelling = Levelling::new(graph, owned, steps, processors as usize);
    for superstep in 0..steps.supersteps().saturating_sub(1) as usize {
        for processor in 0..processors as usize {
            let most = levelling.surplus(superstep, processor);
            if most > 0 {
                levelling.put_off(superstep, processor, most, steps);
            }
        }
    }
}

struct Levelling<'a, P> {
    graph: &'a P,
    owned: &'a Owned,
    processors: usize,
    /// Work of each (superstep, processor).
    loads: Vec<u64>,
    /// Tasks of each (superstep, processor), in topological order.
    lists: Vec<Vec<u32>>,
    /// Flags of the tasks of the list at hand: it could be put off, and it is.
    can: Vec<bool>,
    goes: Vec<bool>,
}

impl<'a, P: Precedence> Levelling<'a, P> {
    fn new(graph: &'a P, owned: &'a Owned, steps: &Steps, processors: usize) -> Self {
        let lists = steps.supersteps() as usize * processors;
        let list = |task: u32| {
            steps.0[task as usize] as usize * processors + usize::from(owned.owners[task as usize])
        };
        let mut lengths = vec![0; lists];
        (0..graph.tasks() as u32).for_each(|task| lengths[list(task)] += 1);
        let mut levelling = Self {
            graph,
            owned,
            processors,
            loads: vec![0; lists],
            lists: lengths.into_iter().map(Vec::with_capacity).collect(),
            can: vec![false; graph.tasks()],
            goes: vec![false; graph.tasks()],
        };
        for task in graph.topological() {
            let list = list(task);
            levelling.loads[list] += u64::from(graph.weight(task));
            levelling.lists[list].push(task);
        }
        levelling
    }

    /// Returns how much more work a processor has than the others, as far as it can put that off.
    /// It can until it would have most in the next superstep.
    fn surplus(&self, superstep: usize, processor: usize) -> u64 {
        let others = |superstep: usize| {
            let loads = &self.loads[superstep * self.processors..][..self.processors];
            let others = loads.iter().enumerate().filter(|(p, _)| *p != processor);
            (
                loads[processor],
                others.map(|(_, &load)| load).max().unwrap_or(0),
            )
        };
        let (own, most) = others(superstep);
        let (next, most_next) = others(superstep + 1);
        own.saturating_sub(most).min(most_next.saturating_sub(next))
    }

    /// Puts off about so much work, in whole strips.
    fn put_off(&mut self, superstep: usize, processor: usize, most: u64, steps: &mut Steps) {
        let at = superstep * self.processors + processor;
        let tasks = std::mem::take(&mut self.lists[at]);
        let mut strips: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for &task in tasks.iter().rev() {
            self.can[task as usize] = self.graph.successors(task).all(|&reader| {
                let (own, step) = (self.is_of(reader, processor), steps.0[reader as usize]);
                match step as usize - superstep {
                    0 => self.can[reader as usize],
                    1 => own,
                    _ => true,
                }
            });
            if self.can[task as usize] {
                strips
                    .entry(self.owned.strips[task as usize])
                    .or_default()
                    .push(task);
            }
        }
        let mut moved = 0;
        for strip in strips.into_values().rev() {
            let work: u64 = strip
                .iter()
                .map(|&task| u64::from(self.graph.weight(task)))
                .sum();
            if moved + work > most {
                break;
            }
            strip
                .iter()
                .for_each(|&task| self.goes[task as usize] = true);
            let alone = |&task: &u32| {
                let mut readers = self.graph.successors(task);
                readers.all(|&reader| {
                    steps.0[reader as usize] as usize != superstep || self.goes[reader as usize]
                })
            };
            if strip.iter().all(alone) {
                moved += work;
            } else {
                strip
                    .iter()
                    .for_each(|&task| self.goes[task as usize] = false);
            }
        }
        let next = at + self.processors;
        let (mut late, early): (Vec<u32>, Vec<u32>) =
            tasks.iter().partition(|&&task| self.goes[task as usize]);
        for &task in &late {
            self.goes[task as usize] = false;
            steps.0[task as usize] += 1;
        }
        // What is put off comes before what follows from it.
        late.append(&mut self.lists[next]);
        self.lists[at] = early;
        self.lists[next] = late;
        self.loads[at] -= moved;
        self.loads[next] += moved;
    }

    fn is_of(&self, task: u32, processor: usize) -> bool {
        usize::from(self.owned.owners[task as usize]) == processor
    }
}
