//! GrowLocal for grains: each processor's part of a superstep becomes a chunk.

use superstep_lists::{Before, ByNumber, Growth, grow_local as grow};
use superstep_tuning::tuned;

use crate::{
    Costs, Graph, Plan,
    chunks::{Chunks, Scheduled},
};

tuned! {
    /// Work of a superstep on one processor, in waits, from which on it is large enough where
    /// others idle. Without this end a grid, of which one processor can always run more, becomes
    /// one superstep on one processor. Any number from 2 to 8 does.
    const WAITS: f64 = 4.0;
}

/// Grows supersteps from the grains that are ready, and makes each processor's part of one a chunk.
///
/// The first processor takes a number of grains, then each other one as much work as the first got.
/// It prefers grains that only it can run, because others that they need are its own of this
/// superstep. Then it takes the earliest.
///
/// That is tried for larger and larger numbers. The superstep is the one with the most work per
/// time, all work over (the largest load + a wait). It grows no further where a load has reached
/// four waits and the work is less than that of all processors at this load.
///
/// There is no deadlock: a chunk waits for chunks of earlier supersteps alone.
///
/// Cost: each grain is tried about three times, with one step of a heap and a visit of its
/// successors. Memory beside the plan: up to 24 bytes for each grain, 4 for each edge. Chunks and
/// waits cost as in [`plan_of_chunks`](crate::plan_of_chunks()).
///
/// # Panics
/// If there is no processor.
pub fn grow_local(graph: &Graph, processors: u32, costs: &Costs) -> Plan {
    let successors = graph.successors();
    let before = graph.before(&successors);
    let grown = grow_within(graph, before, processors, costs, f64::INFINITY);
    grown.expect("no plan takes for ever").plan
}

/// Schedules as [`grow_local`], with the graph's successors given. Looks, from a quarter of the
/// work on, at the supersteps so far, each with a wait. Returns none if they take longer than their
/// share of `most` words at some time.
pub(crate) fn grow_within(
    graph: &Graph,
    before: Before<'_>,
    processors: u32,
    costs: &Costs,
    most: f64,
) -> Option<Scheduled> {
    let mean = before.all_work() as f64 / before.tasks().max(1) as f64;
    let growth = Growth {
        most,
        ..Growth::new(processors, costs.wait / costs.word).within(WAITS.get(), mean.max(1.0))
    };
    let mut chunks = Chunks::new(processors, graph.grains());
    let is_done = grow(before, &ByNumber, growth, &mut chunks);
    is_done.then(|| chunks.schedule(graph))
}
