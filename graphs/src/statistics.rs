//! A graph in a few numbers.

use std::fmt;

use serde::{Deserialize, Serialize};
use superstep_dag::{Dag, depths, earliest_finishes};

/// Statistics of a graph: how much work there is and how much of it can run at once.
///
/// ```
/// use superstep_dag::Dag;
/// use superstep_graphs::Statistics;
///
/// let diamond = Dag::from_edges(4, &[(0, 1), (0, 2), (1, 3), (2, 3)])?;
/// let statistics = Statistics::of(&diamond);
/// assert_eq!((statistics.critical_path, statistics.width), (3, 2));
/// # Ok::<(), superstep_dag::GraphError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Statistics {
    /// Number of tasks.
    pub tasks: u64,
    /// Number of edges.
    pub edges: u64,
    /// Tasks without predecessors.
    pub sources: u64,
    /// Tasks without successors.
    pub sinks: u64,
    /// Largest number of predecessors of a task.
    pub most_predecessors: u64,
    /// Largest number of successors of a task.
    pub most_successors: u64,
    /// Sum of the weights.
    pub total_work: u64,
    /// Weight of a heaviest path: no number of processors is faster.
    pub critical_path: u64,
    /// Tasks on a path of the most tasks.
    pub levels: u64,
    /// Most tasks that can run in one step, if every task takes one step and runs as early as it
    /// can.
    pub width: u64,
    /// Steps of that run with fewer than 2, 4, 8, 16, 32 and 64 tasks: steps that leave some of as
    /// many processors idle.
    pub narrow: [u64; 6],
}

impl Statistics {
    /// Counts them for a graph. Cost: three passes over the edges, 12 bytes per task for their
    /// duration.
    pub fn of(graph: &Dag) -> Self {
        let all = || 0..graph.tasks() as u32;
        let predecessors = || all().map(|t| graph.predecessors(t).len() as u64);
        let successors = || all().map(|t| graph.successors(t).len() as u64);
        let widths = widths(graph);
        Self {
            tasks: graph.tasks() as u64,
            edges: graph.edges() as u64,
            sources: predecessors().filter(|&n| n == 0).count() as u64,
            sinks: successors().filter(|&n| n == 0).count() as u64,
            most_predecessors: predecessors().max().unwrap_or(0),
            most_successors: successors().max().unwrap_or(0),
            total_work: graph.total_work(),
            critical_path: earliest_finishes(graph).into_iter().max().unwrap_or(0),
            levels: widths.len() as u64,
            width: widths.iter().copied().max().unwrap_or(0),
            narrow: [2, 4, 8, 16, 32, 64]
                .map(|p| widths.iter().filter(|&&width| width < p).count() as u64),
        }
    }

    /// Returns work over critical path: the number of processors that could be kept busy. 0 for a
    /// graph without work.
    pub fn parallelism(&self) -> f64 {
        self.total_work as f64 / self.critical_path.max(1) as f64
    }

    /// Returns the least time on that many processors: the critical path, or an even share of the
    /// work, rounded up.
    pub fn lower_bound(&self, processors: u32) -> u64 {
        self.total_work
            .div_ceil(u64::from(processors.max(1)))
            .max(self.critical_path)
    }
}

/// Counts the tasks of each depth, from depth 1.
fn widths(graph: &Dag) -> Vec<u64> {
    let depths = depths(graph);
    let mut widths = vec![0; depths.iter().copied().max().unwrap_or(0) as usize];
    for depth in depths {
        widths[depth as usize - 1] += 1;
    }
    widths
}

impl fmt::Display for Statistics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            tasks,
            edges,
            sources,
            sinks,
            total_work,
            critical_path,
            ..
        } = self;
        writeln!(
            f,
            "tasks          {tasks} ({sources} sources, {sinks} sinks)"
        )?;
        write!(
            f,
            "edges          {edges} (at most {} into",
            self.most_predecessors
        )?;
        writeln!(f, " and {} out of a task)", self.most_successors)?;
        writeln!(f, "total work     {total_work}")?;
        writeln!(f, "critical path  {critical_path}")?;
        writeln!(f, "parallelism    {:.1}", self.parallelism())?;
        writeln!(
            f,
            "levels         {} (at most {} tasks at once)",
            self.levels, self.width
        )?;
        write!(f, "narrow levels ")?;
        for (p, steps) in [2, 4, 8, 16, 32, 64].into_iter().zip(self.narrow) {
            write!(f, " {steps} below {p}{}", if p == 64 { "" } else { "," })?;
        }
        Ok(())
    }
}
