//! Complete binary trees as task graphs.

use superstep_dag::Dag;

/// Returns the complete binary tree of `height` levels: 2^height - 1 unit tasks, each of which but
/// the leaves reads two others. Task `i` reads `2 i + 1` and `2 i + 2`; its heap id is `i + 1`.
///
/// A leaf combines two operands, so the tree is a reduction of 2^height operands.
///
/// # Panics
/// When `height` is 0 or more than 30.
pub fn complete_tree(height: u32) -> Dag {
    assert!((1..=30).contains(&height), "a tree has 1 to 30 levels");
    let tasks = (1u32 << height) - 1;
    let edges: Vec<_> = (1..tasks).map(|child| (child, (child - 1) / 2)).collect();
    Dag::from_edges(tasks as usize, &edges).expect("every task has one parent, above it")
}

/// Places of a graph's tasks in a complete binary tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompleteTree {
    /// Task of each place, by heap id less 1.
    tasks: Vec<u32>,
    /// Weight of every task.
    weight: u32,
}

impl CompleteTree {
    /// Returns the tree, if `graph` is one. Every task is read once but one, and reads two or none;
    /// those with none lie equally deep, and all weights are equal. The children of a task stand in
    /// the order of their ids.
    ///
    /// Cost: linear; other graphs are mostly given up after a few steps.
    ///
    /// ```
    /// use superstep_dag::Dag;
    /// use superstep_scheduler::tree::CompleteTree;
    ///
    /// let graph = Dag::from_edges(3, &[(0, 1), (2, 1)]).unwrap();
    /// let tree = CompleteTree::of(&graph).unwrap();
    /// assert_eq!((tree.height(), tree.task(1), tree.task(2), tree.task(3)), (2, 1, 0, 2));
    ///
    /// let chain = Dag::from_edges(3, &[(0, 1), (1, 2)]).unwrap();
    /// assert_eq!(CompleteTree::of(&chain), None);
    /// ```
    pub fn of(graph: &Dag) -> Option<Self> {
        let count = graph.tasks();
        if count == 0 || !(count + 1).is_power_of_two() || graph.edges() != count - 1 {
            return None;
        }
        let root = graph.topological().next_back()?;
        let mut tasks = Vec::with_capacity(count);
        tasks.push(root);
        let inner = count / 2;
        for at in 0..inner {
            let &[left, right] = graph.predecessors(tasks[at]) else {
                return None;
            };
            tasks.extend([left, right]);
        }
        // With one edge less than tasks, none is left for the tasks of the last level, nor for a
        // task that is read twice.
        let weight = graph.weight(root);
        let equal = tasks.iter().all(|&task| graph.weight(task) == weight);
        let once = tasks[1..]
            .iter()
            .all(|&task| graph.successors(task).len() == 1);
        (equal && once).then_some(Self { tasks, weight })
    }

    /// Returns the number of levels.
    pub fn height(&self) -> u32 {
        self.tasks.len().ilog2() + 1
    }

    /// Returns the task at a place: 1 is the root, `2 i` and `2 i + 1` are read by `i`.
    ///
    /// # Panics
    /// When there is no such place.
    pub fn task(&self, heap_id: u32) -> u32 {
        self.tasks[heap_id as usize - 1]
    }

    /// Returns the weight of every task.
    pub fn weight(&self) -> u32 {
        self.weight
    }
}
