//! Orders in which greedy schedulers take tasks.

use superstep_dag_builder::{TaskGraph, levels};

/// Which task goes first where a greedy scheduler has a choice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// By id: the order of the sequential run, whose neighbours are neighbours in memory.
    #[default]
    Ids,
    /// Depth first from the outputs, so that what one output needs stands together; it does not depend on the numbering of inner tasks.
    DepthFirst,
    /// The longest way to an output first.
    Levels,
}

/// An order: of each task its place, of each place its task.
pub(crate) struct Ranks {
    /// Both `None` where they are the same.
    ranks: Option<Vec<u32>>,
    tasks: Option<Vec<u32>>,
}

impl Ranks {
    fn of(tasks: Vec<u32>) -> Self {
        let mut ranks = vec![0; tasks.len()];
        for (rank, &task) in (0..).zip(&tasks) {
            ranks[task as usize] = rank;
        }
        Self {
            ranks: Some(ranks),
            tasks: Some(tasks),
        }
    }

    #[inline]
    pub(crate) fn rank(&self, task: u32) -> u32 {
        self.ranks
            .as_ref()
            .map_or(task, |ranks| ranks[task as usize])
    }

    #[inline]
    pub(crate) fn task(&self, rank: u32) -> u32 {
        self.tasks
            .as_ref()
            .map_or(rank, |tasks| tasks[rank as usize])
    }
}

impl Order {
    /// The order of the tasks of `graph`.
    pub(crate) fn ranks(self, graph: &TaskGraph) -> Ranks {
        match self {
            Self::Ids => Ranks {
                ranks: None,
                tasks: None,
            },
            Self::DepthFirst => Ranks::of(depth_first(graph)),
            Self::Levels => {
                let levels = levels(graph);
                let mut tasks: Vec<u32> = (0..graph.tasks() as u32).collect();
                tasks.sort_by_key(|&task| std::cmp::Reverse(levels[task as usize]));
                Ranks::of(tasks)
            }
        }
    }
}

/// Predecessors before readers, from one output after the other: a post-order.
fn depth_first(graph: &TaskGraph) -> Vec<u32> {
    let mut order = Vec::with_capacity(graph.tasks());
    let mut seen = vec![false; graph.tasks()];
    let mut stack: Vec<(u32, u32)> = Vec::new();
    let outputs = (0..graph.tasks() as u32).filter(|&task| graph.successors(task).is_empty());
    for output in outputs {
        stack.push((output, 0));
        seen[output as usize] = true;
        while let Some((task, next)) = stack.pop() {
            let Some(&value) = graph.predecessors(task).get(next as usize) else {
                order.push(task);
                continue;
            };
            stack.push((task, next + 1));
            if !seen[value as usize] {
                seen[value as usize] = true;
                stack.push((value, 0));
            }
        }
    }
    order
}
