//! Levels for grains (wavefronts): each processor's block of a level becomes a chunk.

use superstep_lists::{Before, levels as deal};

use crate::{
    Graph, Plan,
    chunks::{Chunks, Scheduled},
};

/// Deals each level (longest path to an end) to the processors, the deepest first: each one's block
/// of it is a chunk. Blocks are contiguous and of equal work.
///
/// There is no barrier between levels, as a chunk waits only for what its grains need. Nor is there
/// a deadlock: it waits for chunks of deeper levels alone.
///
/// Cost: linear in grains and edges, and in chunks and waits times processors. Memory beside the
/// plan: 16 bytes for each grain, 4 for each edge. Chunks and waits cost as in
/// [`plan_of_chunks`](crate::plan_of_chunks()).
///
/// # Panics
/// If there is no processor.
///
/// ```
/// use superstep_planner::{Costs, Graph, levels};
/// # use superstep_planner::{Accesses, Fault, Track};
/// # struct Pairs;
/// # impl Track for Pairs {
/// #     fn iterations(&self) -> u32 { 4 }
/// #     fn lengths(&self) -> &[usize] { &[4] }
/// #     fn track(&self, all: std::ops::Range<u32>, x: &mut Accesses<'_>) -> Result<(), Fault> {
/// #         for i in all.start as usize..all.end as usize {
/// #             x.begin();
/// #             x.read(0, i / 2..i / 2 + 1);
/// #             x.write(0, i..i + 1);
/// #         }
/// #         Ok(())
/// #     }
/// # }
///
/// // Iteration i needs iteration i / 2.
/// let graph = Graph::new(&Pairs, &Costs { least: 0.0, ..Costs::default() })?;
/// let plan = levels(&graph, 2);
/// assert_eq!(plan.order.processors(), 2);
/// assert_eq!(plan.grains.items.len(), 4);
/// # Ok::<(), superstep_planner::TrackError>(())
/// ```
pub fn levels(graph: &Graph, processors: u32) -> Plan {
    deal_levels(graph, graph.before(&graph.successors()), processors).plan
}

/// Schedules as [`levels`], with the graph's successors given in `before`.
pub(crate) fn deal_levels(graph: &Graph, before: Before<'_>, processors: u32) -> Scheduled {
    let mut chunks = Chunks::new(processors, graph.grains());
    deal(before, processors, &mut chunks);
    chunks.schedule(graph)
}
