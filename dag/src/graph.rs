//! The task graph: two CSR structures of `u32`, no object per task.

use std::fmt;
use std::iter::FusedIterator;
use std::ops::Range;

use crate::Homes;
use crate::edges::mirror;

/// A directed acyclic graph of tasks. An edge `u -> v` says that `v` reads the value that `u` computes.
///
/// Memory: 8 bytes per edge and 8 per task, plus 4 per task for weights or words where they differ from 1, and 4 per task for an order where
/// ascending ids are none; 4 per task for homes.
///
/// Invariants: adjacency lists ascending and without duplicates; predecessors and successors mirror each other; acyclic;
/// fewer than 2^31 tasks and fewer than 2^32 edges.
///
/// ```
/// use superstep_dag::Dag;
///
/// let diamond = Dag::from_edges(4, &[(0, 1), (0, 2), (1, 3), (2, 3)])?;
/// assert_eq!(diamond.successors(0), [1, 2]);
/// assert_eq!(diamond.predecessors(3), [1, 2]);
/// # Ok::<(), superstep_dag::GraphError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dag {
    pub(crate) pred_offsets: Vec<u32>,
    pub(crate) preds: Vec<u32>,
    pub(crate) succ_offsets: Vec<u32>,
    pub(crate) succs: Vec<u32>,
    /// Work of each task; `None`: 1 each.
    pub(crate) weights: Option<Vec<u32>>,
    /// Words of each task's value; `None`: 1 each.
    pub(crate) words: Option<Vec<u32>>,
    /// A topological order; `None`: ascending ids are one (always so for traces).
    pub(crate) order: Option<Vec<u32>>,
    /// The word that each task writes, where it is known.
    pub(crate) homes: Option<Homes>,
}

/// The graph without tasks.
impl Default for Dag {
    fn default() -> Self {
        Self {
            pred_offsets: vec![0],
            preds: Vec::new(),
            succ_offsets: vec![0],
            succs: Vec::new(),
            weights: None,
            words: None,
            order: None,
            homes: None,
        }
    }
}

impl Dag {
    /// Makes the graph of these lists of predecessors: those of task `t` are `preds[offsets[t]..offsets[t + 1]]`. Unit weights.
    ///
    /// Cost: one counting sort.
    ///
    /// ```
    /// use superstep_dag::Dag;
    ///
    /// let chain = Dag::from_predecessors(vec![0, 0, 1, 2], vec![0, 1]);
    /// assert_eq!(chain.successors(1), [2]);
    /// ```
    ///
    /// # Panics
    /// When the offsets do not ascend from 0 to the number of predecessors. Each list must ascend strictly, and name earlier tasks only.
    pub fn from_predecessors(offsets: Vec<u32>, preds: Vec<u32>) -> Self {
        assert_offsets(&offsets, &preds);
        let (succ_offsets, succs) = mirror(&offsets, &preds);
        let graph = Self {
            pred_offsets: offsets,
            preds,
            succ_offsets,
            succs,
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

    /// Makes the graph of these lists of successors: those of task `t` are
    /// `succs[offsets[t]..offsets[t + 1]]`. Unit weights.
    ///
    /// Cost: one counting sort.
    ///
    /// ```
    /// use superstep_dag::Dag;
    ///
    /// let chain = Dag::from_successors(vec![0, 1, 2, 2], vec![1, 2]);
    /// assert_eq!(chain.predecessors(1), [0]);
    /// ```
    ///
    /// # Panics
    /// When the offsets do not ascend from 0 to the number of successors. Each list must ascend
    /// strictly, and name later tasks only.
    pub fn from_successors(offsets: Vec<u32>, succs: Vec<u32>) -> Self {
        assert_offsets(&offsets, &succs);
        let (pred_offsets, preds) = mirror(&offsets, &succs);
        let graph = Self {
            pred_offsets,
            preds,
            succ_offsets: offsets,
            succs,
            ..Self::default()
        };
        graph.debug_assert_forward();
        graph
    }

    /// Number of tasks.
    #[inline]
    pub fn tasks(&self) -> usize {
        self.pred_offsets.len() - 1
    }

    /// Number of edges.
    #[inline]
    pub fn edges(&self) -> usize {
        self.preds.len()
    }

    /// Tasks whose values `task` reads, ascending.
    #[inline]
    pub fn predecessors(&self, task: u32) -> &[u32] {
        let t = task as usize;
        &self.preds[self.pred_offsets[t] as usize..self.pred_offsets[t + 1] as usize]
    }

    /// Tasks that read the value of `task`, ascending.
    #[inline]
    pub fn successors(&self, task: u32) -> &[u32] {
        let t = task as usize;
        &self.succs[self.succ_offsets[t] as usize..self.succ_offsets[t + 1] as usize]
    }

    /// Tasks that read the value of any of `tasks`, once for each value.
    #[inline]
    pub fn successors_of_all(&self, tasks: Range<u32>) -> &[u32] {
        let ends = [tasks.start, tasks.end].map(|t| self.succ_offsets[t as usize] as usize);
        &self.succs[ends[0]..ends[1]]
    }

    /// Work of `task`.
    #[inline]
    pub fn weight(&self, task: u32) -> u32 {
        self.weights.as_ref().map_or(1, |w| w[task as usize])
    }

    /// Words that sending the value of `task` takes.
    #[inline]
    pub fn words(&self, task: u32) -> u32 {
        self.words.as_ref().map_or(1, |w| w[task as usize])
    }

    /// Whether every task has weight 1 and a value of one word.
    pub fn is_unit(&self) -> bool {
        self.weights.is_none() && self.words.is_none()
    }

    /// Sum of the weights.
    pub fn total_work(&self) -> u64 {
        match &self.weights {
            Some(weights) => weights.iter().map(|&w| u64::from(w)).sum(),
            None => self.tasks() as u64,
        }
    }

    /// Whether ascending ids are a topological order.
    pub fn ids_are_topological(&self) -> bool {
        self.order.is_none()
    }

    /// The tasks in a topological order (each after its predecessors), the same in every run; reversed, each before its predecessors.
    pub fn topological(&self) -> Topological<'_> {
        Topological {
            order: self.order.as_deref(),
            at: 0..self.tasks() as u32,
        }
    }

    /// All edges `(from, to)`, by `from`, then by `to`.
    pub fn edge_list(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        (0..self.tasks() as u32).flat_map(|u| self.successors(u).iter().map(move |&v| (u, v)))
    }
}

fn assert_offsets(offsets: &[u32], lists: &[u32]) {
    assert!(
        offsets.first() == Some(&0)
            && offsets.is_sorted()
            && offsets.last() == Some(&(lists.len() as u32)),
        "offsets are those of the lists"
    );
}

/// `10912 tasks, 30256 edges`.
impl fmt::Display for Dag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} tasks, {} edges", self.tasks(), self.edges())
    }
}

/// Tasks in a topological order: see [`Dag::topological`].
#[derive(Clone, Debug)]
pub struct Topological<'a> {
    order: Option<&'a [u32]>,
    at: Range<u32>,
}

impl Topological<'_> {
    #[inline]
    fn task(&self, position: u32) -> u32 {
        self.order
            .map_or(position, |order| order[position as usize])
    }
}

impl Iterator for Topological<'_> {
    type Item = u32;

    #[inline]
    fn next(&mut self) -> Option<u32> {
        self.at.next().map(|p| self.task(p))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.at.size_hint()
    }
}

impl DoubleEndedIterator for Topological<'_> {
    #[inline]
    fn next_back(&mut self) -> Option<u32> {
        self.at.next_back().map(|p| self.task(p))
    }
}

impl ExactSizeIterator for Topological<'_> {}
impl FusedIterator for Topological<'_> {}
