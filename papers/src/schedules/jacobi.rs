//! Task graphs that stand in for the thesis's Jacobi program, one iteration for a dense system with
//! two global reductions. Tasks are in trace order; `n` is a power of two.

use superstep_dag::Dag;

/// Adds tasks one by one.
#[derive(Default)]
struct Trace {
    edges: Vec<(u32, u32)>,
    tasks: u32,
}

impl Trace {
    fn task(&mut self, operands: &[u32]) -> u32 {
        self.edges
            .extend(operands.iter().map(|&operand| (operand, self.tasks)));
        self.tasks += 1;
        self.tasks - 1
    }

    /// A chain of `length` tasks; its end.
    fn chain(&mut self, length: usize) -> u32 {
        let first = self.task(&[]);
        (1..length).fold(first, |last, _| self.task(&[last]))
    }

    /// A balanced binary tree over `leaves`; its root.
    fn tree(&mut self, leaves: &[u32]) -> u32 {
        let mut level = leaves.to_vec();
        while level.len() > 1 {
            level = level.chunks(2).map(|pair| self.task(pair)).collect();
        }
        level[0]
    }

    fn graph(self) -> Dag {
        Dag::from_edges(self.tasks as usize, &self.edges).expect("operands come first")
    }
}

/// Makes the fitted surrogate: n chains of n + 1 tasks, three trees over their results, and one
/// over n tasks of its own.
pub fn thesis(n: usize) -> Dag {
    let mut trace = Trace::default();
    let rows: Vec<u32> = (0..n).map(|_| trace.chain(n + 1)).collect();
    let leaves: Vec<u32> = (0..n).map(|_| trace.task(&[])).collect();
    let apart = trace.tree(&leaves);
    let first = trace.tree(&rows);
    trace.tree(&rows);
    trace.tree(&rows);
    let combined = trace.task(&[apart, first]);
    trace.task(&[combined]);
    trace.graph()
}

/// Makes the one of two trees alone: n chains of n + 3 tasks, two trees over their results, and a
/// copy of each.
pub fn copying(n: usize) -> Dag {
    let mut trace = Trace::default();
    let rows: Vec<u32> = (0..n).map(|_| trace.chain(n + 3)).collect();
    trace.tree(&rows);
    trace.tree(&rows);
    for &row in &rows {
        trace.task(&[row]);
    }
    trace.graph()
}

/// Makes the simpler one. For each row it has a chain of n updates, the new value and its change.
/// Then it has the sums of the changes and of the values.
pub fn simple(n: usize) -> Dag {
    let mut trace = Trace::default();
    let (mut values, mut changes) = (Vec::new(), Vec::new());
    for _ in 0..n {
        let value = trace.chain(n + 3);
        values.push(value);
        changes.push(trace.task(&[value]));
    }
    trace.tree(&changes);
    trace.tree(&values);
    trace.graph()
}
