//! Costs of the runs of loops, everything in a core's own caches: predictions are made of them, and
//! orders and layouts are chosen by them.

use superstep_machine::Times;
use superstep_plan::{Body, Code, Run};
use superstep_tracer::Kernel;
use superstep_tuning::tuned;

use super::first::FirstCache;
use super::loops::{Iteration, Moving, Time};
use crate::fold::shapes::Shapes;
use crate::pattern::loose::tabulate;
use crate::pattern::signature::Signature;
use crate::pattern::specialise::specialise;
use crate::place::tasks::Tasks;
use crate::predict::cache_lines::CacheLines;

tuned! {
    /// Time of a value of a loose run, in other values of tables: one follows the other, and
    /// nothing is looked up in between.
    const LOOSE: f64 = 0.1, off 1.0;

    /// Time of a word in another cache line than the one before, in those from beyond a core's own
    /// caches.
    const FAR: f64 = 0.1, off 0.0;

    /// Time of a cache line that loose runs have to get into L1, in words that are there.
    const NEXT: f64 = 15.0, off 0.0;
}

/// Costs of the runs of each body of a program.
pub(crate) struct RunCosts<'a> {
    times: &'a Times,
    iterations: Vec<Iteration>,
    iteration_times: Vec<Time>,
    /// Set if loops are those of the function as written, which has no tables and packs no words.
    are_written: bool,
}

impl<'a> RunCosts<'a> {
    pub(crate) fn new(kernel: &Kernel, signatures: &[Signature], times: &'a Times) -> Self {
        let iterations = signatures
            .iter()
            .map(|signature| Iteration::new(kernel, signature, &times.core));
        Self::of(iterations.collect(), times, false)
    }

    /// Counts with the function as written in place of runs; `is_number` tells arrays that are a
    /// number of the kernel's own, which a register holds.
    pub(super) fn of_function(
        kernel: &Kernel,
        signatures: &[Signature],
        times: &'a Times,
        is_number: impl Fn(usize) -> bool,
    ) -> Self {
        let iterations = signatures
            .iter()
            .map(|signature| Iteration::new(kernel, signature, &times.core).written(&is_number));
        Self::of(iterations.collect(), times, true)
    }

    fn of(iterations: Vec<Iteration>, times: &'a Times, are_written: bool) -> Self {
        let time = |iteration: &Iteration| iteration.time(times);
        Self {
            times,
            iteration_times: iterations.iter().map(time).collect(),
            iterations,
            are_written,
        }
    }

    /// Returns what one iteration of `body` does.
    pub(crate) fn iteration(&self, body: usize) -> &Iteration {
        &self.iterations[body]
    }

    /// Returns the time of reading the tables.
    pub(crate) fn tables(&self, code: &Code) -> f64 {
        if self.are_written {
            return 0.0;
        }
        let values = code.values.iter().filter(|value| **value != 0).count();
        let read = (code.terms.len() + values) as f64 + LOOSE.get() * code.loose.len() as f64;
        self.times.value * read
    }

    /// Returns the time of starting a run of `body`.
    pub(crate) fn start(&self, body: usize) -> f64 {
        self.times.run * self.iterations[body].start
    }

    /// Returns the time of the iterations of a run of `body`, which is `shape`, on a core whose L1
    /// is `first`.
    pub(super) fn iterations(
        &self,
        body: usize,
        shape: &Body,
        run: Run<'_>,
        first: &mut FirstCache,
    ) -> f64 {
        let vectors = self.iterations[body].vectors(shape, run, self.times);
        let computes = self.iteration_times[body].of(run.count(), vectors);
        let crowds = &mut first.crowds;
        let crowded = crowds.lost(body, &self.iterations[body], shape, run) * self.times.word;
        if self.are_written {
            return computes + crowded;
        }
        let line_bytes = self.times.core.line_bytes;
        let is_far = |moving: &&Moving| {
            shape.step(moving.component, run).unsigned_abs() as usize * moving.bytes > line_bytes
        };
        let far = self.iterations[body].moving.iter().filter(is_far).count();
        let lines = (far * run.count()) as f64 * FAR.get() * self.times.line;
        let next = if self.iterations[body].is_loose {
            first.missed(&self.iterations[body], shape, run) as f64 * NEXT.get() * self.times.word
        } else {
            0.0
        };
        // Each is loaded and stored.
        let packed = 2 * first.packs(body, &self.iterations[body], shape, run);
        let packing = packed as f64 * self.times.word;
        computes + packing + lines + crowded + next
    }

    /// Returns the time of all runs of `code`, and of its tables.
    fn code(&self, bodies: &[Body], code: &Code, mut first: FirstCache) -> f64 {
        let mut time = self.tables(code);
        code.walk(bodies, &mut |body, run| {
            time += self.start(body) + self.iterations(body, &bodies[body], run, &mut first);
        });
        time
    }
}

/// Returns the time of each of these lists of loops, whose bodies are those of `shapes`, when they
/// are specialised, in nanoseconds. Linear in the values of their runs.
pub(crate) fn costs(
    tasks: &Tasks<'_>,
    shapes: &Shapes,
    mut code: Vec<Code>,
    times: &Times,
) -> Vec<f64> {
    let kernel = tasks.trace().kernel();
    let (bodies, signatures) = specialise(kernel, shapes, &mut code);
    code.iter_mut()
        .for_each(|code| tabulate(&bodies, &signatures, code));
    let costs = RunCosts::new(kernel, &signatures, times);
    let first = || {
        let lines = CacheLines::new(kernel, tasks.layout().extents(), &times.core);
        FirstCache::new(lines, &times.core)
    };
    code.iter()
        .map(|code| costs.code(&bodies, code, first()))
        .collect()
}
