//! Traces in which a chain of sums is a tree, as `#[reduce]` makes it.

use superstep_tracer::{Array, Form, Kernel, Operations, Role, Statement, Task, Trace};

use super::again::{Copier, copied};

/// The most blocks of a `#[reduce]`d loop, and the operands of the shortest: as the macro has them
/// (`macros/src/reduce`).
pub(crate) const MOST_BLOCKS: usize = 64;
/// See [`MOST_BLOCKS`].
const SHORTEST_BLOCK: usize = 8;

/// Replaces each chain of a statement that accumulates into one word by the tree that `#[reduce]`
/// makes of such a loop.
pub(super) fn reduced(trace: &Trace, statement: u16) -> Option<Trace> {
    let own = trace.kernel().statement(statement);
    if own.form != Form::Compound || own.operands.first() != Some(&own.target) {
        return None;
    }
    // Choices name operands by their places, which the tree's statements have elsewhere.
    if !trace.grains().is_empty() || !own.operations.choices.is_empty() {
        return None;
    }
    let (kernel, tree) = with_tree(trace.kernel(), statement);
    copied(trace, kernel, |copier| {
        let mut next = 0;
        while next < trace.tasks() {
            let length = chain(trace, statement, next);
            if length > 1 {
                tree.record(copier, next as u32, length);
                next += length;
            } else {
                copier.copy(&trace.task(next as u32), &|_, index| index);
                next += 1;
            }
        }
    })
}

/// Returns how many neighbouring tasks from one on accumulate into its word by a statement.
pub(crate) fn chain(trace: &Trace, statement: u16, first: usize) -> usize {
    let word = trace.writes()[first];
    let of_chain =
        |&task: &usize| trace.statements()[task] == statement && trace.writes()[task] == word;
    let length = (first..trace.tasks()).take_while(of_chain).count();
    // The word is its first operand, and no other: each reads the one before.
    let reads_before = |task: usize| {
        let operands = trace.task(task as u32).operands;
        operands.first() == Some(&(task as u32 - 1)) && !operands[1..].contains(&(task as u32 - 1))
    };
    1 + (first + 1..first + length)
        .take_while(|&task| reads_before(task))
        .count()
}

/// The statements of a tree.
struct Tree {
    /// `partials[block] = value`.
    begin: u16,
    /// `partials[block] op= value`.
    accumulate: u16,
    /// `partials[left] op= partials[right]`.
    combine: u16,
    /// `word op= partials[0]`.
    end: u16,
}

/// Adds the array and the statements of a tree to a kernel.
fn with_tree(kernel: &Kernel, statement: u16) -> (Kernel, Tree) {
    let mut kernel = kernel.clone();
    let own = kernel.statement(statement).clone();
    let target = kernel.array(own.target).clone();
    let partials = kernel.arrays.len() as u16;
    kernel.arrays.push(Array {
        name: "partials".into(),
        role: Role::Local,
        length: Some(MOST_BLOCKS as u32),
        ..target
    });
    // The value alone has the operations but that of the accumulation, which is told to be an
    // addition if there is one.
    let accumulates = match own.operations.additions {
        0 => Operations {
            multiplications: 1,
            ..Operations::default()
        },
        _ => Operations {
            additions: 1,
            ..Operations::default()
        },
    };
    let value = Operations {
        additions: own.operations.additions - accumulates.additions,
        multiplications: own
            .operations
            .multiplications
            .saturating_sub(accumulates.multiplications),
        ..own.operations.clone()
    };
    let operands = own.operands[1..].to_vec();
    let with_partials = [&[partials][..], &operands].concat();
    let form = if value == Operations::default() {
        Form::Move
    } else {
        Form::Value
    };
    let combining = |target: u16, operands: Vec<u16>| Statement {
        target,
        operands,
        operations: accumulates.clone(),
        control: Vec::new(),
        ..own.clone()
    };
    let mut add = |statement: Statement| {
        kernel.statements.push(statement);
        (kernel.statements.len() - 1) as u16
    };
    let tree = Tree {
        begin: add(Statement {
            target: partials,
            operands,
            form,
            operations: value,
            ..own.clone()
        }),
        accumulate: add(Statement {
            target: partials,
            operands: with_partials,
            ..own.clone()
        }),
        combine: add(combining(partials, vec![partials; 2])),
        end: add(combining(own.target, vec![own.target, partials])),
    };
    (kernel, tree)
}

impl Tree {
    /// Records a tree in place of a chain of so many tasks from the first on.
    fn record(&self, copier: &mut Copier<'_, '_>, first: u32, length: usize) {
        let trace = copier.trace;
        let mut block = SHORTEST_BLOCK;
        while (length - 1) / MOST_BLOCKS >= block {
            block *= 2;
        }
        let blocks = length.div_ceil(block);
        for operand in 0..length {
            let task = trace.task(first + operand as u32);
            let at = operand / block;
            let is_first = operand % block == 0;
            copier.indices.clear();
            if !is_first {
                copier.indices.push(at);
            }
            for operand in 1..task.operands.len() {
                copier
                    .indices
                    .push(trace.read(&task, operand).index as usize);
            }
            let statement = if is_first {
                self.begin
            } else {
                self.accumulate
            };
            copier.push(&Task { statement, ..task }, at as u32);
        }
        let mut width = 1;
        while width < blocks {
            for left in (0..blocks - width).step_by(2 * width) {
                copier
                    .recorder
                    .push(self.combine, left, &[left, left + width]);
            }
            width *= 2;
        }
        let word = trace.writes()[first as usize] as usize;
        copier.recorder.push(self.end, word, &[word, 0]);
    }
}
