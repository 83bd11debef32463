//! One iteration of a run.

use superstep_machine::{Core, Times};
use superstep_plan::loops::FEW;
use superstep_plan::{Body, Run};
use superstep_tracer::{ElementKind, Kernel};
use superstep_tuning::tuned;

use super::waits::{Wait, longest_path, longest_wait, spills};
use super::work::Work;
use crate::pattern::signature::{LINES, Signature, Step, Use, View, uses};
use crate::predict::cache_lines::size;

/// Bytes from the beginning of a cache line to that of an array, as most allocators have it.
const ALLOCATED: i64 = 16;

tuned! {
    /// Time of starting a run that is not vectorised, in starts of those that are.
    pub(super) const ALONE: f64 = 0.3, off 1.0;

    /// Time of going on to the next loose run, in starts of vectorised runs.
    const LOOSE: f64 = 0.125, off 1.0;

    /// Time of starting the lines of a block that go side by side, in starts of vectorised runs.
    const BLOCK: f64 = 2.5, off 1.0;

    /// Time of testing for aliases, in starts of vectorised runs. The words that a run writes, or
    /// reads of an array that it writes, must overlap nothing else.
    const TESTED: f64 = 0.25, off 0.0;

    /// Time of finding what a run reads otherwise, in starts of vectorised runs.
    const FOUND: f64 = 0.0625, off 0.0;

    /// Time of finding a word that stays the same in a line of a block, in starts of vectorised
    /// runs.
    const FOUND_TOGETHER: f64 = 0.016, off 0.0;

    /// Registers that the words of an iteration need: the others are for words that stay the same.
    const REGISTERS: f64 = 7.0, off 0.0;

    /// Share of the work that does not overlap. Of the units of a core that load, store and
    /// compute, it is taken of all but the one that has most to do.
    const BESIDE: f64 = 0.2, off 0.0;

    /// Spill: waiting for a word that is stored and loaded again as there are not so many
    /// registers, in waits for an instruction on integers.
    const SPILLED: f64 = 7.0, off 0.0;

    /// Instructions of a loop besides its words and operations.
    const LOOP: f64 = 3.0, off 0.0;
}

/// Iteration of a run of some signature, by all that it does.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Iteration {
    /// Iterations that the compiler executes at once.
    pub(crate) lanes: usize,
    /// Bytes loaded of words that stay the same.
    pub(crate) reloaded: f64,
    /// Bytes stored.
    pub(crate) stored: f64,
    /// Words loaded and stored.
    pub(crate) words: f64,
    /// Operations, in words of eight bytes each.
    pub(crate) operations: f64,
    /// Operations where the compiler executes one iteration at a time, and choices: a word of fewer
    /// bytes takes no less.
    pub(crate) scalars: f64,
    /// Divisions and square roots among them.
    pub(crate) divisions: f64,
    /// Calls, in operations that wait for each other.
    pub(crate) calls: f64,
    /// Nanoseconds beside all of these, which kernels declare.
    pub(crate) declared: f64,
    /// Path of operations that wait, one after the other, for a value of the iteration before.
    pub(super) waits: Wait,
    /// Longest path of operations that wait for each other within an iteration.
    pub(super) path: Wait,
    /// Time of starting the loop, in starts of vectorised runs: it tests each word of a written
    /// array for aliases.
    pub(crate) start: f64,
    /// The words that move.
    pub(crate) moving: Vec<Moving>,
    /// Set if the first vector stands in one cache line of what is written, if there are not few.
    aligns: bool,
    /// Set if its runs are loose: of one iteration each, in tables.
    pub(crate) is_loose: bool,
}

/// A component that touches another word in each iteration.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Moving {
    pub(crate) component: usize,
    pub(crate) array: usize,
    /// Bytes of a word.
    pub(crate) bytes: usize,
    /// Bytes loaded in an iteration.
    pub(crate) loaded: f64,
    pub(crate) is_written: bool,
    /// Set if its words are packed before.
    pub(crate) is_packed: bool,
}

impl Iteration {
    pub(crate) fn new(kernel: &Kernel, signature: &Signature, core: &Core) -> Self {
        let uses = uses(kernel, &signature.statements);
        let components = Components {
            kernel,
            signature,
            uses: &uses,
        };
        let lanes = if signature.is_vector(&uses) {
            (core.vector_bytes / components.size(0) as usize).max(1)
        } else {
            1
        };
        let mut iteration = Self {
            lanes,
            path: longest_path(kernel, &uses, signature),
            start: match &signature.side_by_side {
                _ if signature.is_loose => LOOSE.get(),
                Some(_) => BLOCK.get() / LINES as f64,
                None if lanes > 1 => 1.0,
                None => ALONE.get(),
            },
            aligns: signature.is_aligned(&uses),
            is_loose: signature.is_loose,
            ..Self::default()
        };
        iteration.load_and_store(&components, (core.registers - REGISTERS.get()).max(1.0));
        iteration.compute(&components);
        iteration.wait(&components, core);
        iteration
    }

    /// Returns the iteration in the function as written.
    ///
    /// * It goes one at a time: compilers make no vectors where each index is compared with a
    ///   length.
    /// * Its loop starts for nothing.
    /// * Numbers of the kernel's own are in registers.
    pub(super) fn written(self, is_number: impl Fn(usize) -> bool) -> Self {
        let (numbers, moving): (Vec<Moving>, Vec<Moving>) = self
            .moving
            .into_iter()
            .partition(|moving| is_number(moving.array));
        let accesses = |number: &Moving| {
            number.loaded / number.bytes as f64 + f64::from(u8::from(number.is_written))
        };
        let words = self.words - numbers.iter().map(accesses).sum::<f64>();
        Self {
            lanes: 1,
            words,
            // A comparison for each word.
            scalars: self.scalars + words,
            start: 0.0,
            moving,
            is_loose: false,
            ..self
        }
    }

    /// Adds the words of an iteration, and what a loop does for them before it starts. `free`
    /// registers hold what stays the same.
    fn load_and_store(&mut self, components: &Components<'_>, free: f64) {
        let &Components {
            kernel,
            signature,
            uses,
        } = components;
        let passes = signature.passes(uses) as f64;
        let reloaded = components.reloaded(passes, free);
        let mut registers = 0.0;
        for c in (0..uses.len()).filter(|&c| components.is_root(c)) {
            let Some(array) = components.array(c) else {
                continue;
            };
            let shared = components.shared(c);
            let is_still = components.is_still(c);
            if !signature.is_general() {
                self.start += components.found(c, array) / shared;
            }
            if is_still {
                self.reloaded += reloaded * components.size(c) / shared;
            }
            if !components.moves(c) {
                continue;
            }
            let is_written = components.is_written(c);
            if is_written && signature.view(uses, array) == View::Slices {
                let is_complex = kernel.array(array).element.kind == ElementKind::Complex;
                registers += if is_complex { 2.0 } else { 1.0 };
            }
            // A word that is written before it is read is not loaded.
            let is_read = components.is_read(c) && (!is_written || signature.reads_first(uses, c));
            // Each pass loads and stores it again.
            let times = if is_written { passes } else { 1.0 };
            let accesses = |of: bool| f64::from(u8::from(of)) * times / shared;
            let (loads, stores) = (accesses(is_read), accesses(is_written));
            self.words += loads + stores;
            self.stored += stores * components.size(c);
            self.moving.push(Moving {
                component: c,
                array: usize::from(array),
                bytes: components.size(c) as usize,
                loaded: loads * components.size(c),
                is_written,
                is_packed: signature.is_packed(uses, c),
            });
        }
        // What is written and has no register is stored and loaded once more.
        self.words += 2.0 * (registers - free).max(0.0);
    }

    /// Adds the operations of an iteration.
    fn compute(&mut self, components: &Components<'_>) {
        let mut first = 0;
        for &number in &components.signature.statements {
            let statement = components.kernel.statement(number);
            let work = Work::of(&statement.operations);
            let target = components.kernel.array(statement.target);
            let is_complex = target.element.kind == ElementKind::Complex;
            let is_product = is_complex && statement.operations.total().multiplications > 0;
            let factor = if is_product { 1.5 } else { 1.0 };
            let words = components.size(first) / 8.0 * factor;
            self.operations += work.operations * words;
            self.scalars += (work.operations + work.choices) * words.max(1.0);
            self.divisions += work.divisions * components.size(first) / 8.0;
            self.calls += work.calls;
            self.declared += work.declared;
            first += 1 + statement.operands.len() + statement.control.len();
        }
    }

    /// Adds what an iteration waits for.
    fn wait(&mut self, components: &Components<'_>, core: &Core) {
        let &Components {
            kernel,
            signature,
            uses,
        } = components;
        let mut wait = longest_wait(kernel, uses, signature);
        if spills(kernel, uses, signature, self.moving.len(), core) {
            wait.integers += SPILLED.get();
        }
        let at_once = signature.side_by_side.as_ref().map_or(1, |_| LINES) as f64;
        self.waits = wait.shared(at_once);
    }

    /// Returns the time with everything in a core's own caches, but for what its
    /// [vectors](Self::vectors) load.
    pub(crate) fn time(&self, times: &Times) -> Time {
        // Divisions have a unit of their own.
        let alone = (self.words * times.word + self.scalars * times.operation)
            .max(self.divisions * times.division);
        let instructions = self.words + self.scalars + self.divisions + LOOP.get();
        // As many iterations wait at the same time as a core has under way.
        let alone = alone.max(self.path.time(times) * instructions / times.core.window);
        Time {
            lanes: self.lanes,
            units: [
                self.stored * times.vector_store,
                8.0 * self.operations * times.vector_operation,
                8.0 * self.divisions * times.vector_division,
            ]
            .map(|time| time / Times::VECTOR_BYTES),
            alone,
            calls: self.calls * times.wait + self.declared,
            instructions,
            waits: self.waits.time(times),
            window: times.core.window,
        }
    }

    /// Finds out where the vectors of a run of this signature, which is `shape`, stand in cache
    /// lines.
    pub(super) fn vectors(&self, shape: &Body, run: Run<'_>, times: &Times) -> Vectors {
        let line = times.core.line_bytes;
        let byte =
            |moving: &Moving| ALLOCATED + shape.start(moving.component, run) * moving.bytes as i64;
        let aligned = self
            .moving
            .iter()
            .find(|moving| moving.is_written)
            .filter(|written| self.aligns && run.count() * written.bytes >= FEW * line);
        let first_line = aligned.map(byte);
        let load = |moving: &Moving| match first_line {
            Some(first) if (byte(moving) - first) % line as i64 == 0 => {
                moving.loaded * times.aligned_load
            }
            _ => moving.loaded * times.vector_load,
        };
        let loads: f64 = self.moving.iter().map(load).sum();
        Vectors {
            before: aligned.map_or(0, |written| {
                (-byte(written)).rem_euclid(line as i64) as usize / written.bytes
            }),
            loads: (self.reloaded * times.aligned_load + loads) / Times::VECTOR_BYTES,
        }
    }
}

/// The vectors of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Vectors {
    /// Iterations that go one by one before the first vector.
    pub(super) before: usize,
    /// Time of the loads of an iteration's vectors, in nanoseconds.
    pub(super) loads: f64,
}

/// Components of the runs of a signature: the words that each statement writes, reads and is
/// controlled by. Those that are the same word have a root.
struct Components<'a> {
    kernel: &'a Kernel,
    signature: &'a Signature,
    uses: &'a [Use],
}

impl Components<'_> {
    fn array(&self, c: usize) -> Option<u16> {
        self.uses[c].array()
    }

    /// Returns the bytes of its word.
    fn size(&self, c: usize) -> f64 {
        let array = self.array(c).map(|array| self.kernel.array(array));
        array.map_or(0, size) as f64
    }

    fn is_root(&self, c: usize) -> bool {
        usize::from(self.signature.same[c]) == c
    }

    /// Iterates over the uses of those that are the same word as a root.
    fn uses_of(&self, root: usize) -> impl Iterator<Item = Use> {
        let roots = self.signature.same.iter();
        let own = roots
            .zip(self.uses)
            .filter(move |&(&other, _)| usize::from(other) == root);
        own.map(|(_, &each)| each)
    }

    fn is_written(&self, root: usize) -> bool {
        self.uses_of(root).any(|each| matches!(each, Use::Write(_)))
    }

    fn is_read(&self, root: usize) -> bool {
        self.uses_of(root).any(|each| matches!(each, Use::Read(_)))
    }

    /// Returns whether it is another word in each iteration, and not one that a register holds.
    fn moves(&self, root: usize) -> bool {
        !matches!(self.signature.steps[root], Step::Zero | Step::Behind(_))
    }

    /// Returns whether it stays the same.
    fn is_still(&self, root: usize) -> bool {
        !self.moves(root) && !self.is_written(root)
    }

    /// Returns the time of finding its words before the loop starts, in starts of vectorised runs.
    fn found(&self, root: usize, array: u16) -> f64 {
        let is_block = self.signature.side_by_side.is_some();
        // What the lines of a block only read, or read in common, is looked for together.
        let is_alone = !is_block || !(self.is_still(root) || self.shared(root) > 1.0);
        if is_alone && self.uses.contains(&Use::Write(array)) {
            TESTED.get()
        } else if is_block && self.is_still(root) {
            FOUND_TOGETHER.get()
        } else {
            FOUND.get()
        }
    }

    /// Returns the number of lines that share what is done for it.
    fn shared(&self, root: usize) -> f64 {
        match &self.signature.side_by_side {
            Some(still) if still[root] => LINES as f64,
            _ => 1.0,
        }
    }

    /// Returns the share of still words that is loaded again and again (spill). Such are there
    /// where the lines of a block have more of them than there are registers.
    fn reloaded(&self, passes: f64, free: f64) -> f64 {
        let roots = (0..self.uses.len()).filter(|&c| self.is_root(c) && self.array(c).is_some());
        let still = roots.filter(|&c| self.is_still(c));
        let still: f64 = still.map(|c| LINES as f64 / self.shared(c)).sum();
        match self.signature.side_by_side {
            Some(_) => (1.0 - free * passes / still).max(0.0),
            None => 0.0,
        }
    }
}

/// Time of an iteration, in nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Time {
    /// Iterations that are executed at once.
    lanes: usize,
    /// Times of the parts of the core that store and compute, for each of these.
    units: [f64; 3],
    /// Time of the busiest part of the core for an iteration that is left over, or where there is
    /// one at a time.
    alone: f64,
    /// Nanoseconds of calls, whatever the loop is like: they are no reason for one order or
    /// another.
    calls: f64,
    /// Time of the wait for the iteration before.
    waits: f64,
    instructions: f64,
    /// Instructions that a core has under way at once (its window).
    window: f64,
}

impl Time {
    /// Returns the time of so many iterations of a run among others like it.
    ///
    /// A core looks so far ahead that the first iterations of the next run do not wait for the last
    /// ones of this one. The shorter the runs, the more of them are under way.
    pub(super) fn of(self, count: usize, Vectors { before, loads }: Vectors) -> f64 {
        let rest = (before + (count - before) % self.lanes) as f64;
        let count = count as f64;
        let works = if self.lanes > 1 {
            let most = self.units.into_iter().fold(loads, f64::max);
            let all = self.units.iter().sum::<f64>() + loads;
            (count - rest) * (most + BESIDE.get() * (all - most)) + rest * self.alone
        } else {
            count * self.alone
        };
        let ahead = self.window / self.instructions;
        count * self.calls + works.max(self.waits * count * count / (count + ahead))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A wait within one run does not reach the run before, which the core has not ended yet.
    #[test]
    fn short_runs_wait_less_than_long_ones_but_work_as_much() {
        let time = Time {
            lanes: 1,
            units: [0.0; 3],
            alone: 1.0,
            calls: 0.0,
            waits: 4.0,
            instructions: 8.0,
            window: 136.0,
        };
        let [long, short, shortest] =
            [10_000, 32, 1].map(|count| time.of(count, Vectors::default()) / count as f64);
        assert!((3.9..4.0).contains(&long), "{long}");
        assert_eq!(short, 4.0 * 32.0 / (32.0 + 136.0 / 8.0));
        assert_eq!(shortest, 1.0);
    }

    #[test]
    fn iterations_that_fill_no_vector_go_one_by_one() {
        let time = Time {
            lanes: 4,
            units: [0.0, 0.5, 0.0],
            alone: 3.0,
            calls: 0.0,
            waits: 0.0,
            instructions: 8.0,
            window: 136.0,
        };
        let of = |before| {
            move |count| {
                let vectors = Vectors { before, loads: 0.9 };
                time.of(count, vectors)
            }
        };
        assert_eq!([3, 4, 6, 64].map(of(0)), [9.0, 4.0, 10.0, 64.0]);
        assert_eq!([3, 64].map(of(3)), [9.0, 9.0 + 60.0 + 3.0]);
        // Calls take as long in vectors as one by one.
        let with_calls = Time { calls: 2.0, ..time };
        let more =
            |count| with_calls.of(count, Vectors::default()) - time.of(count, Vectors::default());
        assert_eq!([3, 64].map(more), [6.0, 128.0]);
    }

    /// In a stencil the rows above and below stand in cache lines as what is written does, and the
    /// words beside do not.
    #[test]
    fn vectors_are_aligned_with_what_is_written_if_there_are_not_few() {
        let mut kernel = Kernel::new("k");
        let [v, u] =
            ["v", "u"].map(|name| kernel.add_array(name, superstep_tracer::Role::InOut, None));
        kernel.add_statement("v[i] = u[i - n] + u[i + n] + u[i - 1]", v, &[u, u, u]);
        let signature = Signature {
            steps: vec![Step::One; 4],
            ..Signature::general(&kernel, &[0])
        };
        let iteration = Iteration::new(&kernel, &signature, &Core::default());
        let body = Body::own(vec![0], 4);
        let times = Times {
            vector_load: 2.0,
            aligned_load: 1.0,
            ..Times::default()
        };
        let vectors = |count, first: i64| {
            let values = [first, first - 64, first + 64, first - 1, 1, 1, 1, 1];
            iteration.vectors(&body, Run::new(count, &values, &[0; 4]), &times)
        };
        // Three words of eight bytes each. The array begins two words behind a cache line.
        let loads = |times: [f64; 3]| times.iter().sum::<f64>() * 8.0 / Times::VECTOR_BYTES;
        let aligned = |before| Vectors {
            before,
            loads: loads([1.0, 1.0, 2.0]),
        };
        assert_eq!(
            [64, 65, 70].map(|first| vectors(64, first)),
            [6, 5, 0].map(aligned)
        );
        assert_eq!(
            vectors(63, 64),
            Vectors {
                before: 0,
                loads: loads([2.0; 3])
            }
        );
    }
}
