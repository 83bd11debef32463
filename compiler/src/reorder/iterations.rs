//! The iterations of the runs that a list folds into.

use std::ops::Range;

use superstep_plan::{Body, Code};

/// Iterations of the runs of a list: their beginnings, and the runs that they are of: some 5 bytes
/// per iteration.
pub(crate) struct Iterations {
    /// Positions in the list, and its length.
    begins: Vec<u32>,
    /// Flags: set if the iteration is a run by itself, in a loop over such runs or not.
    is_loose: Vec<bool>,
    /// First iteration and body of each sequence of loose iterations of the same body, and of each
    /// other run.
    stretches: Vec<(u32, u32)>,
}

impl Iterations {
    /// Finds the iterations of `code`, whose bodies are `bodies`. Cost: a few nanoseconds each.
    pub(crate) fn new(bodies: &[Body], code: &Code) -> Self {
        let mut iterations = Self {
            begins: vec![0],
            is_loose: Vec::new(),
            stretches: Vec::new(),
        };
        let mut end = 0;
        code.walk(bodies, &mut |body, run| {
            let is_loose = run.count() == 1;
            let goes_on = iterations.stretches.last().is_some_and(|&(_, last)| {
                is_loose && last == body as u32 && iterations.is_loose.last() == Some(&true)
            });
            if !goes_on {
                iterations
                    .stretches
                    .push((iterations.is_loose.len() as u32, body as u32));
            }
            for _ in 0..run.count() {
                end += bodies[body].statements().len() as u32;
                iterations.begins.push(end);
                iterations.is_loose.push(is_loose);
            }
        });
        iterations
    }

    pub(crate) fn len(&self) -> usize {
        self.is_loose.len()
    }

    /// Returns the positions of an iteration's tasks in the list.
    pub(crate) fn tasks(&self, iteration: usize) -> Range<usize> {
        self.begins[iteration] as usize..self.begins[iteration + 1] as usize
    }

    pub(crate) fn is_loose(&self, iteration: usize) -> bool {
        self.is_loose[iteration]
    }

    /// Iterates over the ranges of loose iterations of one body that follow each other.
    pub(crate) fn loose(&self) -> impl Iterator<Item = Range<usize>> {
        let firsts = self.stretches.iter().map(|&(first, _)| first as usize);
        let ends = firsts.clone().skip(1).chain([self.len()]);
        let ranges = firsts.zip(ends).map(|(first, end)| first..end);
        ranges.filter(|range| self.is_loose[range.start])
    }

    /// Returns the tasks of `list`, those of the iterations `range` in the order of `keys`.
    pub(crate) fn sorted(&self, list: &[u32], range: Range<usize>, keys: &[u32]) -> Vec<u32> {
        let mut order: Vec<usize> = range.clone().collect();
        order.sort_by_key(|iteration| keys[iteration - range.start]);
        let tasks = order
            .into_iter()
            .flat_map(|iteration| self.tasks(iteration));
        tasks.map(|position| list[position]).collect()
    }
}
