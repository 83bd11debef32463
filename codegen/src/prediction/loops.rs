//! One iteration of a run.

use std::collections::BTreeSet;

use superstep_machine::Times;
use superstep_tracer::{Kernel, Statement};

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

/// Waiting for an operation on integers, or for a choice between them, in waits for one on floating-point numbers.
const INTEGER: f64 = 1.0 / 3.0;

/// Registers for integers that a loop keeps, and for where its words lie.
const INTEGERS: usize = 11;

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
    /// Operations that wait for a value of the iteration before, one after the other.
    pub(crate) waits: f64,
    /// Divisions among them.
    pub(crate) waiting_divisions: f64,
    /// Operations and divisions of an iteration that wait for each other, one after the other.
    pub(crate) chain: (f64, f64),
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
            waits: 0.0,
            waiting_divisions: 0.0,
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
        let (mut waits, divisions) = longest_wait(kernel, roles, signature);
        if spills(kernel, roles, signature, self.moving.len()) {
            waits += SPILLED;
        }
        let at_once = signature.block.as_ref().map_or(1, |_| LINES) as f64;
        self.waits = waits / at_once;
        self.waiting_divisions = divisions / at_once;
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
        let chain = self.chain.0 * times.wait + self.chain.1 * times.wait_division;
        let alone = alone.max(chain * instructions / WINDOW);
        Time {
            lanes: self.lanes,
            works: if self.lanes > 1 { vector } else { alone },
            alone,
            instructions,
            waits: self.waits * times.wait + self.waiting_divisions * times.wait_division,
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

/// The operations and divisions of the longest chain from one iteration to the next.
fn longest_wait(kernel: &Kernel, roles: &[Role], signature: &Signature) -> (f64, f64) {
    let starts: Vec<usize> = (0..roles.len())
        .filter(|&c| matches!(roles[c], Role::Write(_)))
        .collect();
    let statement_of = |c: usize| starts.partition_point(|&start| start <= c) - 1;
    let mut longest = (0.0, 0.0);
    for c in 0..roles.len() {
        let carried = match (roles[c], signature.steps[c]) {
            (Role::Read(_), Step::Behind(write)) => Some((statement_of(c), usize::from(write))),
            (Role::Write(_), Step::Zero)
                if signature.reads_first(roles, usize::from(signature.same[c])) =>
            {
                Some((statement_of(c), c))
            }
            _ => None,
        };
        let Some((first, write)) = carried else {
            continue;
        };
        // The last statement that writes the word.
        let last = starts
            .iter()
            .rposition(|&start| signature.same[start] == signature.same[write]);
        let mut wait = (0.0, 0.0);
        // None where the word is read behind the last one: what waits for it is not waited for.
        for number in first..=last.unwrap_or(first) {
            let statement = kernel.statement(signature.statements[number]);
            let all = Operations::of(&statement.text);
            // Of `s += x * y` only the sum waits for `s`.
            let is_update = signature.steps[c] == Step::Zero && all.is_compound;
            let operations = if is_update {
                f64::from(u8::from(all.divisions == 0.0))
            } else {
                all.operations
            };
            wait.0 += if is_integer(&kernel.array(statement.target).element) {
                INTEGER * (operations + all.choices)
            } else {
                operations
            };
            wait.1 += all.divisions;
        }
        if wait.0 + wait.1 > longest.0 + longest.1 {
            longest = wait;
        }
    }
    longest
}

/// Whether a loop in which integers wait for the iteration before has no registers for all of them, the integers that stay the same, and
/// where its `moving` words lie.
fn spills(kernel: &Kernel, roles: &[Role], signature: &Signature, moving: usize) -> bool {
    let leader = |c: usize| match (roles[c], signature.steps[c]) {
        (Role::Read(array), Step::Behind(leader)) => {
            is_integer(&kernel.array(array).element).then_some(leader)
        }
        _ => None,
    };
    // One word, however many components are it.
    let waiting = (0..roles.len())
        .filter_map(leader)
        .collect::<BTreeSet<u16>>()
        .len();
    let is_still = |c: &usize| {
        let is_root = usize::from(signature.same[*c]) == *c;
        is_root && matches!(roles[*c], Role::Read(_)) && signature.steps[*c] == Step::Zero
    };
    let still = (0..roles.len()).filter(is_still).count();
    waiting > 0 && waiting + still + moving > INTEGERS
}

/// The operations and divisions of the longest chain within an iteration.
fn longest_chain(kernel: &Kernel, roles: &[Role], signature: &Signature) -> (f64, f64) {
    // For each component that is written: what its value has waited for.
    let mut ends = vec![(0.0, 0.0); roles.len()];
    let longer = |a: (f64, f64), b: (f64, f64)| if a.0 + a.1 < b.0 + b.1 { b } else { a };
    let (mut first, mut longest) = (0, (0.0, 0.0));
    for &number in &signature.statements {
        let statement = kernel.statement(number);
        let all = Operations::of(&statement.text);
        let root = |c: usize| usize::from(signature.same[c]);
        let mut end = (0.0, 0.0);
        for c in first + 1..=first + statement.operands.len() {
            // Of `s += x * y` only the sum waits for `s`.
            let is_updated = all.is_compound && root(c) == root(first) && all.divisions == 0.0;
            let operations = if is_updated { 1.0 } else { all.operations };
            let begin: (f64, f64) = ends[root(c)];
            end = longer(end, (begin.0 + operations, begin.1 + all.divisions));
        }
        ends[root(first)] = end;
        longest = longer(longest, end);
        first += 1 + statement.operands.len() + statement.control.len();
    }
    longest
}

/// The operators in an assignment, as its text has them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Operations {
    /// Additions, subtractions, multiplications, minima and maxima.
    operations: f64,
    /// Divisions and square roots.
    divisions: f64,
    /// Values chosen by an `if`.
    choices: f64,
    /// Whether it is `+=` or the like.
    is_compound: bool,
}

/// Whether a task of a statement puts a word from one place into another and does nothing else: `x[i] = y.part[j]`, `*x = *y`.
pub(crate) fn is_move(statement: &Statement) -> bool {
    let Some((_, right)) = statement.text.split_once(" = ") else {
        return false;
    };
    let mut depth = 0;
    let mut is_place = |character: char| {
        depth += i32::from(character == '[') - i32::from(character == ']');
        depth > 0 || character.is_alphanumeric() || "_.]".contains(character)
    };
    let right = right.trim().trim_start_matches('*');
    right.chars().all(&mut is_place) && statement.operands.len() == 1
}

impl Operations {
    /// Counts them outside indices. Of the two ways through an `if` each counts half.
    fn of(text: &str) -> Self {
        let mut found = Self::default();
        let mut depth = 0;
        // A leading `*` is no product.
        let text = text.trim_start_matches('*');
        let mut before = ' ';
        for character in text.chars() {
            match character {
                '[' => depth += 1,
                ']' => depth -= 1,
                '+' | '-' | '*' if depth == 0 => found.operations += 1.0,
                '/' if depth == 0 => found.divisions += 1.0,
                '=' if depth == 0 && "+-*/".contains(before) => found.is_compound = true,
                _ => {}
            }
            before = character;
        }
        let count = |name: &str| text.matches(name).count() as f64;
        found.operations += count("max(") + count("min(");
        found.divisions += count("sqrt(");
        if text.contains("if ") {
            found.choices = 1.0;
            found.operations /= 2.0;
            found.divisions /= 2.0;
        }
        found
    }
}

fn is_complex(element: &str) -> bool {
    element.contains("Complex")
}

fn is_integer(element: &str) -> bool {
    let bits = element.trim().strip_prefix(['u', 'i']);
    bits.is_some_and(|bits| bits == "size" || bits.parse::<u8>().is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_compute_nothing() {
        let is_move = |text: &str| {
            let mut kernel = Kernel::new("k");
            let x = kernel.add_array("x", superstep_tracer::Role::InOut, None);
            kernel.add_statement(text, x, &[x]);
            super::is_move(&kernel.statements[0])
        };
        let moves = [
            "x[j] = moved",
            "let moved: Complex<f64> = x[i]",
            "x[i] = points[n - 1 - i].x",
            "*last = *x",
        ];
        assert_eq!(moves.map(is_move), [true; 4]);
        let others = [
            "x[i] = y[i] % 7",
            "x[i] += y[i]",
            "x[i] <<= y[i]",
            "x[i] = y[i] as u64",
            "x[i] = f(y[i])",
            "x[i] = -y[i]",
            "x[i] = y[i].sqrt()",
        ];
        assert_eq!(others.map(is_move), [false; 7]);
    }

    #[test]
    fn operations_are_counted_outside_indices() {
        let count = |text| {
            let Operations {
                operations,
                divisions,
                is_compound,
                ..
            } = Operations::of(text);
            (operations, divisions, is_compound)
        };
        assert_eq!(
            count("a[i * n + j] -= a[i * n + k] * a[k * n + j]"),
            (2.0, 0.0, true)
        );
        assert_eq!(count("x[i] /= values[row[i + 1] - 1]"), (0.0, 1.0, true));
        assert_eq!(count("*change = change.sqrt()"), (0.0, 1.0, false));
        assert_eq!(
            count("if a[i] == b[j] { x[j] + 1 } else { x[j].max(y) }"),
            (1.0, 0.0, false)
        );
        assert_eq!(count("x[i] = 0.0"), (0.0, 0.0, false));
    }

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

    #[test]
    fn integers_are_told_by_their_types() {
        let integers =
            ["u8", "i64", "usize", "f64", "bool", "Complex<f64>", "index"].map(is_integer);
        assert_eq!(integers, [true, true, true, false, false, false, false]);
    }
}
