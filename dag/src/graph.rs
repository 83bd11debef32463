//! The task graph: two CSR structures of `u32`, no object per task.

use std::{fmt, ops::Range};

use superstep_lists::{Before, Topological};
use superstep_order::Rows;

use crate::Homes;

/// Directed acyclic graph of tasks. An edge `u -> v` says that `v` reads the value that `u`
/// computes.
///
/// Memory: 8 bytes per edge and 8 per task. There are 4 more per task for each of these: weights or
/// words other than 1, an order where ascending ids are none, homes.
///
/// Invariants: adjacency lists ascending and without duplicates; predecessors and successors mirror
/// each other; acyclic; fewer than 2^31 tasks and fewer than 2^32 edges.
///
/// ```
/// use superstep_dag::Dag;
///
/// let diamond = Dag::from_edges(4, &[(0, 1), (0, 2), (1, 3), (2, 3)])?;
/// assert_eq!(diamond.successors(0), [1, 2]);
/// assert_eq!(diamond.predecessors(3), [1, 2]);
/// # Ok::<(), superstep_dag::GraphError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dag {
    pub(crate) predecessors: Rows<u32>,
    pub(crate) successors: Rows<u32>,
    /// Work of each task; `None`: 1 each.
    pub(crate) weights: Option<Vec<u32>>,
    /// Words of each task's value; `None`: 1 each.
    pub(crate) words: Option<Vec<u32>>,
    /// A topological order; `None`: ascending ids are one (always so for traces).
    pub(crate) order: Option<Vec<u32>>,
    /// The word that each task writes, where it is known.
    pub(crate) homes: Option<Homes>,
}

impl Dag {
    /// Makes the graph of the predecessors of each task. Unit weights.
    ///
    /// Cost: one counting sort.
    ///
    /// ```
    /// use superstep_dag::{Dag, Rows};
    ///
    /// let chain = Dag::from_predecessors(Rows::sorted(3, [(1, 0), (2, 1)].into_iter()));
    /// assert_eq!(chain.successors(1), [2]);
    /// ```
    ///
    /// # Panics
    /// When the rows are not [consistent](Rows::are_consistent). Each must ascend strictly, and
    /// name earlier tasks only.
    pub fn from_predecessors(predecessors: Rows<u32>) -> Self {
        assert!(predecessors.are_consistent(), "rows divide their items");
        let graph = Self {
            successors: predecessors.turned(),
            predecessors,
            ..Self::default()
        };
        graph.debug_assert_forward();
        graph
    }

    fn debug_assert_forward(&self) {
        debug_assert!(
            (0..self.tasks() as u32).all(|task| {
                let before = self.predecessors(task);
                before.is_sorted_by(|a, b| a < b) && before.last().is_none_or(|&last| last < task)
            }),
            "lists ascend, and edges go from earlier tasks to later ones"
        );
    }

    /// Makes the graph of the successors of each task. Unit weights.
    ///
    /// Cost: one counting sort.
    ///
    /// ```
    /// use superstep_dag::{Dag, Rows};
    ///
    /// let chain = Dag::from_successors(Rows::sorted(3, [(0, 1), (1, 2)].into_iter()));
    /// assert_eq!(chain.predecessors(1), [0]);
    /// ```
    ///
    /// # Panics
    /// When the rows are not [consistent](Rows::are_consistent). Each must ascend strictly, and
    /// name later tasks only.
    pub fn from_successors(successors: Rows<u32>) -> Self {
        assert!(successors.are_consistent(), "rows divide their items");
        let graph = Self {
            predecessors: successors.turned(),
            successors,
            ..Self::default()
        };
        graph.debug_assert_forward();
        graph
    }

    /// Returns what comes before what.
    pub fn before(&self) -> Before<'_> {
        Before {
            predecessors: &self.predecessors,
            successors: &self.successors,
            work: self.weights.as_deref(),
            words: self.words.as_deref(),
            topological: self.order.as_deref(),
        }
    }

    /// Returns the number of tasks.
    #[inline]
    pub fn tasks(&self) -> usize {
        self.predecessors.len()
    }

    /// Returns the number of edges.
    #[inline]
    pub fn edges(&self) -> usize {
        self.predecessors.items.len()
    }

    /// Returns the tasks whose values `task` reads, ascending.
    #[inline]
    pub fn predecessors(&self, task: u32) -> &[u32] {
        self.predecessors.row(task as usize)
    }

    /// Returns the tasks that read the value of `task`, ascending.
    #[inline]
    pub fn successors(&self, task: u32) -> &[u32] {
        self.successors.row(task as usize)
    }

    /// Returns the tasks that read the value of any of `tasks`, once for each value.
    #[inline]
    pub fn successors_of_all(&self, tasks: Range<u32>) -> &[u32] {
        let ends = [tasks.start, tasks.end].map(|t| self.successors.offsets[t as usize] as usize);
        &self.successors.items[ends[0]..ends[1]]
    }

    /// Returns the work of `task`.
    #[inline]
    pub fn weight(&self, task: u32) -> u32 {
        self.weights.as_ref().map_or(1, |w| w[task as usize])
    }

    /// Returns the words that sending the value of `task` takes.
    #[inline]
    pub fn words(&self, task: u32) -> u32 {
        self.words.as_ref().map_or(1, |w| w[task as usize])
    }

    /// Returns whether every task has weight 1 and a value of one word.
    pub fn is_unit(&self) -> bool {
        self.weights.is_none() && self.words.is_none()
    }

    /// Returns the sum of the weights.
    pub fn total_work(&self) -> u64 {
        self.before().all_work()
    }

    /// Returns whether ascending ids are a topological order.
    pub fn ids_are_topological(&self) -> bool {
        self.order.is_none()
    }

    /// Returns the tasks in a topological order (each after its predecessors), the same in every
    /// run; reversed, each before its predecessors.
    pub fn topological(&self) -> Topological<'_> {
        self.before().in_order()
    }

    /// Iterates over all edges `(from, to)`, by `from`, then by `to`.
    pub fn edge_list(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        (0..self.tasks() as u32).flat_map(|u| self.successors(u).iter().map(move |&v| (u, v)))
    }
}

/// Prints `10912 tasks, 30256 edges`.
impl fmt::Display for Dag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} tasks, {} edges", self.tasks(), self.edges())
    }
}
