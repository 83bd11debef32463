//! Pipelines for grains: each processor's slice of its block becomes a chunk.

use superstep_lists::{
    Before, ByNumber, Lists,
    pipeline::{Effort, Prices, pipeline as search},
};
use superstep_tuning::tuned;

use crate::{
    Costs, Graph, Plan,
    chunks::{Chunks, Scheduled},
};

tuned! {
    /// Steps of the search for each grain: 20 are those of one shape, the others slices of it.
    ///
    /// The search takes these times over grow-local, in the geometric mean of 23 problems
    /// (dissected meshes and grids, 2, 4 and 8 processors):
    ///
    /// | steps | 22 | 25 | 28 | 32 |
    /// |---|---|---|---|---|
    /// | time | 0.67 | 0.84 | 0.97 | 1.07 |
    ///
    /// With 22 pipelines for 8 processors are worse by up to a seventh. With 20 for each grain and
    /// edge those for 2 are better by up to a sixteenth, in twice the time.
    const STEPS: u64 = 25;
}

/// Searches for the [pipeline](mod@superstep_lists::pipeline) that takes least time, and makes each
/// slice a chunk. All grains are one chunk if no pipeline is shorter than the sequential run.
///
/// Each processor owns a block of the run, and works through it in slices, in an order that first
/// frees what others wait for.
///
/// There is no deadlock: a chunk waits for chunks of earlier supersteps alone.
///
/// Cost: some 50 steps of one to three nanoseconds for each grain, at most. Memory beside the plan:
/// up to 38 bytes for each grain, 4 for each edge, 56 more for each edge between blocks. Chunks and
/// waits cost as in [`plan_of_chunks`](crate::plan_of_chunks()).
///
/// # Panics
/// If there is no processor.
pub fn pipeline(graph: &Graph, processors: u32, costs: &Costs) -> Plan {
    let successors = graph.successors();
    let searched = search_within(graph, graph.before(&successors), processors, costs);
    let in_order = || {
        let mut chunks = Chunks::new(processors, graph.grains());
        let all: Vec<u32> = (0..graph.grains()).collect();
        chunks.list(0, &all);
        chunks.schedule(graph)
    };
    searched.unwrap_or_else(in_order).plan
}

/// Schedules as [`pipeline`], with the graph's successors given; none if no pipeline is shorter
/// than the sequential run.
pub(crate) fn search_within(
    graph: &Graph,
    before: Before<'_>,
    processors: u32,
    costs: &Costs,
) -> Option<Scheduled> {
    let prices = Prices {
        processors,
        gap: costs.crossing / costs.word,
        latency: costs.wait / costs.word,
    };
    let effort = Effort {
        steps: STEPS.get() * u64::from(graph.grains()),
        tapered: false,
        long_slices: false,
    };
    let mut chunks = Chunks::new(processors, graph.grains());
    let is_found = search(before, &ByNumber, prices, effort, &mut chunks);
    is_found.then(|| chunks.schedule(graph))
}
