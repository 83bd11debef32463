//! One iteration of a run.

use superstep_machine::Times;
use superstep_tracer::Kernel;

use super::text::{Operations, is_complex};
use super::waits::{Wait, longest_chain, longest_wait, spills};
use crate::bodies::{LINES, Role, Signature, Step, View, roles};
use crate::cache_lines::size;

/// Bytes whose time is known in vectorised loops.
const VECTOR: f64 = 16.0;

/// Bytes that a vector instruction works on: `superstep_runtime::words::vectors` compiles loops for these.
const WIDEST: usize = 32;

/// Going on to the next run of a list, in starts of other runs.
const LISTED: f64 = 0.25;

/// Starting the lines of a block that go side by side, in starts of other runs.
const BLOCK: f64 = 2.0;

/// Registers for words that stay the same, beside those that the words of an iteration need.
const REGISTERS: f64 = 9.0;

/// Loading or storing again a word that the pass before has left in the first cache, in first times.
const AGAIN: f64 = 0.5;

/// Waiting for a word that is stored and loaded again as there are not so many registers, in waits for an operation on floating-point numbers.
const SPILLED: f64 = 2.0;

/// Instructions of later iterations and runs that a core has under way.
const WINDOW: f64 = 136.0;

/// Instructions of a loop besides its words and operations.
const LOOP: f64 = 3.0;

/// What one iteration of a run of some signature does.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Iteration {
    /// How many iterations the compiler executes at once.
    pub(crate) lanes: usize,
    /// Bytes loaded and stored.
    pub(crate) bytes: f64,
    /// Words loaded and stored.
    pub(crate) words: f64,
    /// Operations, in words of eight bytes each.
    pub(crate) operations: f64,
    /// The same where the compiler executes one iteration at a time, and choices: a word of fewer bytes takes no less.
    pub(crate) scalars: f64,
    /// Divisions and square roots among them.
    pub(crate) divisions: f64,
    /// What waits for a value of the iteration before, one after the other.
    pub(crate) waits: Wait,
    /// What waits for each other within an iteration, one after the other.
    pub(crate) chain: Wait,
    /// What starting the loop takes, in runs of nothing: it looks for each word of a written array whether it overlaps another.
    pub(crate) start: f64,
    /// The words that move.
    pub(crate) moving: Vec<Moving>,
    /// Whether its runs are of one iteration each, in lists.
    pub(crate) is_listed: bool,
}

/// A component that touches another word in each iteration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Moving {
    pub(crate) component: usize,
    pub(crate) array: usize,
    /// Bytes of a word.
    pub(crate) bytes: usize,
    pub(crate) is_written: bool,
}

impl Iteration {
    pub(crate) fn new(kernel: &Kernel, signature: &Signature) -> Self {
        let roles = roles(kernel, &signature.statements);
        let components = Components {
            kernel,
            signature,
            roles: &roles,
        };
        let mut iteration = Self {
            lanes: if signature.is_vector(&roles) {
                (WIDEST / components.size(0) as usize).max(1)
            } else {
                1
            },
            bytes: 0.0,
            words: 0.0,
            operations: 0.0,
            scalars: 0.0,
            divisions: 0.0,
            waits: Wait::default(),
            chain: longest_chain(kernel, &roles, signature),
            start: match &signature.block {
                _ if signature.is_listed => LISTED,
                Some(_) => BLOCK / LINES as f64,
                None => 1.0,
            },
            moving: Vec::new(),
            is_listed: signature.is_listed,
        };
        iteration.load_and_store(&components);
        iteration.compute(&components);
        iteration.wait(&components);
        iteration
    }

    /// Adds the words of an iteration, and what a loop does for them before it starts.
    fn load_and_store(&mut self, components: &Components<'_>) {
        let &Components {
            kernel,
            signature,
            roles,
        } = components;
        let passes = signature.passes(roles) as f64;
        let reloaded = components.reloaded(passes);
        let mut registers = 0.0;
        for c in (0..roles.len()).filter(|&c| components.is_root(c)) {
            let Some(array) = components.array(c) else {
                continue;
            };
            let shared = components.shared(c);
            let is_still = components.is_still(c);
            if !signature.is_general() {
                // What the lines of a block only read is looked for together.
                let is_alone = signature.block.is_none() || !is_still;
                let is_tested = roles.contains(&Role::Write(array)) && is_alone;
                let test = if is_tested { 1.0 } else { 0.25 };
                self.start += test / shared;
            }
            if is_still {
                self.bytes += reloaded * components.size(c) / shared;
            }
            if !components.moves(c) {
                continue;
            }
            let is_written = components.is_written(c);
            if is_written && signature.view(roles, array) == View::Slices {
                let is_complex = is_complex(&kernel.array(array).element);
                registers += if is_complex { 2.0 } else { 1.0 };
            }
            // A word that is written before it is read is not loaded.
            let is_read = components.is_read(c) && (!is_written || signature.reads_first(roles, c));
            let again = if is_written {
                AGAIN * (passes - 1.0)
            } else {
                0.0
            };
            let accesses =
                f64::from(u8::from(is_read) + u8::from(is_written)) * (1.0 + again) / shared;
            self.words += accesses;
            self.bytes += accesses * components.size(c);
            self.moving.push(Moving {
                component: c,
                array: usize::from(array),
                bytes: components.size(c) as usize,
                is_written,
            });
        }
        // What is written and has no register is stored and loaded once more.
        self.words += 2.0 * (registers - REGISTERS).max(0.0);
    }

    /// Adds the operations of an iteration.
    fn compute(&mut self, components: &Components<'_>) {
        let mut first = 0;
        for &number in &components.signature.statements {
            let statement = components.kernel.statement(number);
            let work = Operations::of(&statement.text);
            let is_complex = is_complex(&components.kernel.array(statement.target).element);
            let is_product = is_complex && statement.text.contains('*');
            let factor = if is_product { 1.5 } else { 1.0 };
            let words = components.size(first) / 8.0 * factor;
            self.operations += work.operations * words;
            self.scalars += (work.operations + work.choices) * words.max(1.0);
            self.divisions += work.divisions * components.size(first) / 8.0;
            first += 1 + statement.operands.len() + statement.control.len();
        }
    }

    /// Adds what an iteration waits for.
    fn wait(&mut self, components: &Components<'_>) {
        let &Components {
            kernel,
            signature,
            roles,
        } = components;
        let mut wait = longest_wait(kernel, roles, signature);
        if spills(kernel, roles, signature, self.moving.len()) {
            wait.operations += SPILLED;
        }
        let at_once = signature.block.as_ref().map_or(1, |_| LINES) as f64;
        self.waits = wait.shared(at_once);
    }

    /// Everything in a core's own caches.
    pub(crate) fn time(&self, times: &Times) -> Time {
        // Divisions have a unit of their own.
        let alone = (self.words * times.word + self.scalars * times.operation)
            .max(self.divisions * times.division);
        let operations =
            self.operations * times.vector_operation + self.divisions * times.vector_division;
        let vector = (self.bytes * times.vector + 8.0 * operations) / VECTOR;
        let instructions = self.words + self.scalars + self.divisions + LOOP;
        // As many iterations wait at the same time as a core has under way.
        let alone = alone.max(self.chain.time(times) * instructions / WINDOW);
        Time {
            lanes: self.lanes,
            works: if self.lanes > 1 { vector } else { alone },
            alone,
            instructions,
            waits: self.waits.time(times),
        }
    }
}

/// The components of the runs of a signature: what each statement writes, reads and is controlled by. Those that are the same word have a root.
struct Components<'a> {
    kernel: &'a Kernel,
    signature: &'a Signature,
    roles: &'a [Role],
}

impl Components<'_> {
    fn array(&self, c: usize) -> Option<u16> {
        match self.roles[c] {
            Role::Write(array) | Role::Read(array) => Some(array),
            Role::Control => None,
        }
    }

    /// Bytes of its word.
    fn size(&self, c: usize) -> f64 {
        let array = self.array(c).map(|array| self.kernel.array(array));
        array.map_or(0, |array| size(&array.element)) as f64
    }

    fn is_root(&self, c: usize) -> bool {
        usize::from(self.signature.same[c]) == c
    }

    /// The roles of those that are the same word as a root.
    fn roles_of(&self, root: usize) -> impl Iterator<Item = Role> {
        let roots = self.signature.same.iter();
        let own = roots
            .zip(self.roles)
            .filter(move |&(&other, _)| usize::from(other) == root);
        own.map(|(_, &role)| role)
    }

    fn is_written(&self, root: usize) -> bool {
        self.roles_of(root)
            .any(|role| matches!(role, Role::Write(_)))
    }

    fn is_read(&self, root: usize) -> bool {
        self.roles_of(root)
            .any(|role| matches!(role, Role::Read(_)))
    }

    /// Whether it is another word in each iteration, and not one that a register holds.
    fn moves(&self, root: usize) -> bool {
        !matches!(self.signature.steps[root], Step::Zero | Step::Behind(_))
    }

    /// Whether it stays the same.
    fn is_still(&self, root: usize) -> bool {
        !self.moves(root) && !self.is_written(root)
    }

    /// Among how many lines what is done for it is shared.
    fn shared(&self, root: usize) -> f64 {
        match &self.signature.block {
            Some(still) if still[root] => LINES as f64,
            _ => 1.0,
        }
    }

    /// Where the lines of a block have more words that stay the same than there are registers, the share that is loaded again and again.
    fn reloaded(&self, passes: f64) -> f64 {
        let roots = (0..self.roles.len()).filter(|&c| self.is_root(c) && self.array(c).is_some());
        let still = roots.filter(|&c| self.is_still(c));
        let still: f64 = still.map(|c| LINES as f64 / self.shared(c)).sum();
        match self.signature.block {
            Some(_) => (1.0 - REGISTERS * passes / still).max(0.0),
            None => 0.0,
        }
    }
}

/// What an iteration takes, in nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Time {
    /// Iterations that are executed at once.
    lanes: usize,
    /// The busiest part of the core, for each of these.
    works: f64,
    /// The same for an iteration that is left over.
    alone: f64,
    /// What waits for the iteration before.
    waits: f64,
    instructions: f64,
}

impl Time {
    /// So many iterations of a run among others like it. A core looks so far ahead that the first iterations of the next run do not wait for
    /// the last ones of this one: the shorter the runs, the more of them are under way.
    pub(crate) fn of(self, count: usize) -> f64 {
        let rest = (count % self.lanes) as f64;
        let count = count as f64;
        let works = (count - rest) * self.works + rest * self.alone;
        let ahead = WINDOW / self.instructions;
        works.max(self.waits * count * count / (count + ahead))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What waits for itself in one run does not wait for the run before, which the core has not ended yet.
    #[test]
    fn short_runs_wait_less_than_long_ones_but_work_as_much() {
        let time = Time {
            lanes: 1,
            works: 1.0,
            alone: 1.0,
            waits: 4.0,
            instructions: 8.0,
        };
        let [long, short, shortest] = [10_000, 32, 1].map(|count| time.of(count) / count as f64);
        assert!((3.9..4.0).contains(&long), "{long}");
        assert_eq!(short, 4.0 * 32.0 / (32.0 + WINDOW / 8.0));
        assert_eq!(shortest, 1.0);
    }

    #[test]
    fn iterations_that_fill_no_vector_go_one_by_one() {
        let time = Time {
            lanes: 4,
            works: 1.0,
            alone: 3.0,
            waits: 0.0,
            instructions: 8.0,
        };
        assert_eq!(
            [3, 4, 6, 64].map(|count| time.of(count)),
            [9.0, 4.0, 10.0, 64.0]
        );
    }
}
