//! Waits of the operations of a run: for those of the iteration before, and for each other.

use std::collections::BTreeSet;

use superstep_machine::{Core, Times};
use superstep_tracer::{ElementKind, Form, Kernel, Statement};

use super::work::{Work, instructions, is_foreseen};
use crate::pattern::signature::{Signature, Step, Use};

/// Numbers of instructions that wait for each other, one after the other.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Wait {
    /// Operations on floating-point numbers.
    pub(super) operations: f64,
    pub(super) divisions: f64,
    /// Instructions on integers.
    pub(super) integers: f64,
}

impl Wait {
    /// Returns the time in nanoseconds.
    pub(super) fn time(self, times: &Times) -> f64 {
        self.operations * times.wait
            + self.divisions * times.wait_division
            + self.integers * times.wait_integer
    }

    /// Returns its part where so many go on at the same time.
    pub(super) fn shared(self, among: f64) -> Self {
        Self {
            operations: self.operations / among,
            divisions: self.divisions / among,
            integers: self.integers / among,
        }
    }

    /// Adds what a statement adds to it: integers wait for integers. In `s += x * y` only the sum
    /// waits for `s`, its `own` word.
    fn with(mut self, statement: &Statement, is_integer: bool, is_own: bool) -> Self {
        let all = Work::of(&statement.operations);
        self.divisions += all.divisions;
        let update = f64::from(u8::from(all.divisions == 0.0));
        match (is_integer, is_own && statement.form == Form::Compound) {
            (true, true) => self.integers += update,
            (true, false) => self.integers += instructions(&statement.operations),
            (false, true) => self.operations += update,
            (false, false) => self.operations += all.operations,
        }
        self
    }

    fn longer(self, other: Self) -> Self {
        let length = |wait: Self| wait.operations + wait.divisions + wait.integers / 4.0;
        if length(other) > length(self) {
            other
        } else {
            self
        }
    }
}

fn is_integer(kernel: &Kernel, array: u16) -> bool {
    kernel.array(array).element.kind == ElementKind::Integer
}

/// Returns the longest path of operations that wait for each other, from one iteration to the next.
pub(super) fn longest_wait(kernel: &Kernel, uses: &[Use], signature: &Signature) -> Wait {
    let starts: Vec<usize> = (0..uses.len())
        .filter(|&c| matches!(uses[c], Use::Write(_)))
        .collect();
    let statement_of = |c: usize| starts.partition_point(|&start| start <= c) - 1;
    let mut longest = Wait::default();
    for c in 0..uses.len() {
        let root = usize::from(signature.same[c]);
        let carried = match (uses[c], signature.steps[c]) {
            (Use::Read(_), Step::Behind(write)) => Some((c, usize::from(write), 1)),
            // From the statement that writes it: one that reads it before need not lead there.
            (Use::Write(_), Step::Zero) if signature.reads_first(uses, root) => Some((c, c, 1)),
            (Use::Read(_), _) => {
                let written = signature.written_before(uses, c);
                written.map(|(write, iterations)| (c, write, iterations))
            }
            _ => None,
        };
        let Some((first, write, iterations)) = carried else {
            continue;
        };
        let first = statement_of(first);
        // The last statement that writes the word.
        let last = starts
            .iter()
            .rposition(|&start| signature.same[start] == signature.same[write]);
        let mut wait = Wait::default();
        // None where the word is read behind the last one: what waits for it is not waited for.
        let last = last.unwrap_or(first);
        for (at, &start) in starts.iter().enumerate().take(last + 1).skip(first) {
            let statement = kernel.statement(signature.statements[at]);
            let is_integer = is_integer(kernel, statement.target);
            let is_own = signature.steps[c] == Step::Zero;
            let is_alone = signature.statements.len() == 1;
            if !(is_integer && is_alone && is_foreseen(statement, c - start)) {
                wait = wait.with(statement, is_integer, is_own);
            }
        }
        longest = longest.longer(wait.shared(f64::from(iterations)));
    }
    longest
}

/// Returns whether a loop spills in which integers wait for the iteration before. It lacks
/// registers for all of these, the integers that stay the same, and where its `moving` words lie.
pub(super) fn spills(
    kernel: &Kernel,
    uses: &[Use],
    signature: &Signature,
    moving: usize,
    core: &Core,
) -> bool {
    let leader = |c: usize| match (uses[c], signature.steps[c]) {
        (Use::Read(array), Step::Behind(leader)) => is_integer(kernel, array).then_some(leader),
        _ => None,
    };
    // One word, however many components are it.
    let waiting = (0..uses.len())
        .filter_map(leader)
        .collect::<BTreeSet<u16>>()
        .len();
    let is_still = |c: &usize| {
        let is_root = usize::from(signature.same[*c]) == *c;
        is_root && matches!(uses[*c], Use::Read(_)) && signature.steps[*c] == Step::Zero
    };
    let still = (0..uses.len()).filter(is_still).count();
    waiting > 0 && waiting + still + moving > core.integer_registers
}

/// Returns the longest path of operations that wait for each other, within an iteration.
pub(super) fn longest_path(kernel: &Kernel, uses: &[Use], signature: &Signature) -> Wait {
    // For each component that is written: what its value has waited for.
    let mut ends = vec![Wait::default(); uses.len()];
    let (mut first, mut longest) = (0, Wait::default());
    for &number in &signature.statements {
        let statement = kernel.statement(number);
        let is_integer = is_integer(kernel, statement.target);
        let root = |c: usize| usize::from(signature.same[c]);
        let mut end = Wait::default();
        for c in first + 1..=first + statement.operands.len() {
            let is_own = root(c) == root(first);
            end = end.longer(ends[root(c)].with(statement, is_integer, is_own));
        }
        ends[root(first)] = end;
        longest = longest.longer(end);
        first += 1 + statement.operands.len() + statement.control.len();
    }
    longest
}
