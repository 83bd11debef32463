//! Doacross: windows of consecutive grains, dealt to the processors in turn.
//!
//! The name is R. Cytron's (*Doacross: Beyond vectorization for multiprocessors*, 1986): iterations
//! run on different processors at the same time, each delayed until what it needs of earlier ones
//! is there.

use std::ops::Range;

use superstep_tuning::tuned;

use crate::{
    Graph, Plan, Rows,
    chunks::{Chunks, Scheduled},
};

tuned! {
    /// Distance of a near need, in grains, at most. A window that began with one would wait for the
    /// end of the one before. A row of a band or of a mesh has such needs. Without it grids are
    /// predicted to take 27 % longer.
    const NEAR: u32 = 8, off 0;
}

/// Order in which the grains of a window run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Within {
    /// In the order of the sequential run: what lies in memory in that order is read in order.
    Run,
    /// By level, counted from the start of the window: neighbours do not wait for each other's
    /// latencies, and others can begin sooner.
    Levels,
}

/// Windows that are dealt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Windows {
    /// Grains of a window, about.
    pub grains: u32,
    /// Chunks of a window, at most: a processor can begin on a window when the first chunk of the
    /// one before has ended.
    pub chunks: u32,
    /// The order inside a window.
    pub within: Within,
}

/// Deals windows of consecutive grains to `processors` in turn.
///
/// A window may have half to twice as many grains as are asked for. It then ends where the next
/// one does not need a near one: windows of a grid are whole lines.
///
/// ```text
/// grains      0 ........ 7  8 ....... 15  16 ...... 23  24 ...... 31
/// processor        0             1             0             1
///
/// time  --->
/// processor 0   [0 1][2 3][4 5][6 7][16 17][18 19][20 21][22 23]
///                  \    \    \    \    \ ...
/// processor 1   .....[8 9][10 11][12 13][14 15][24 25] ...        a wait is for a single chunk
/// ```
///
/// There is no deadlock: a chunk waits for chunks of earlier windows alone, and each processor
/// runs its windows in order. So the first window that has not ended waits for nothing.
///
/// Cost: linear in grains and edges, and in chunks and waits times processors, without allocation
/// per grain. Memory: as [`plan_of_chunks`](crate::plan_of_chunks()).
///
/// # Panics
/// If there is no processor, or a window has no grain or no chunk.
///
/// ```
/// use superstep_planner::{Costs, Graph, Windows, Within, doacross};
/// # use superstep_planner::{Accesses, Fault, Track};
/// # struct Chain;
/// # impl Track for Chain {
/// #     fn iterations(&self) -> u32 { 4 }
/// #     fn lengths(&self) -> &[usize] { &[4] }
/// #     fn track(&self, all: std::ops::Range<u32>, x: &mut Accesses<'_>) -> Result<(), Fault> {
/// #         for i in all.start as usize..all.end as usize {
/// #             x.begin();
/// #             x.read(0, i.saturating_sub(1)..i);
/// #             x.write(0, i..i + 1);
/// #         }
/// #         Ok(())
/// #     }
/// # }
///
/// // Each iteration needs the one before.
/// let graph = Graph::new(&Chain, &Costs { least: 0.0, ..Costs::default() })?;
/// let windows = Windows { grains: 1, chunks: 1, within: Within::Run };
/// let plan = doacross(&graph, 2, windows);
/// assert_eq!(plan.grains.items, [0, 2, 1, 3]);
/// assert_eq!(plan.order.waits.items.len(), 3);
/// # Ok::<(), superstep_planner::TrackError>(())
/// ```
pub fn doacross(graph: &Graph, processors: u32, windows: Windows) -> Plan {
    deal(graph, processors, windows).plan
}

pub(crate) fn deal(graph: &Graph, processors: u32, windows: Windows) -> Scheduled {
    let Windows {
        grains: window,
        chunks,
        within,
    } = windows;
    assert!(
        processors > 0 && window > 0 && chunks > 0,
        "windows of nothing, or nobody to deal them to"
    );
    let grains = graph.grains();
    let mut order = Chunks::new(processors, grains);
    let (mut first, mut processor) = (0, 0);
    while first < grains {
        let end = end_of_window(graph, first, window);
        match within {
            Within::Run => order.grains.extend(first..end),
            Within::Levels => order.grains.extend(level_order(graph, first..end)),
        }
        let size = (end - first).div_ceil(chunks);
        while first < end {
            // Windows are appended in order, so each fills the positions that its grains had in the
            // run.
            first = end.min(first.saturating_add(size));
            order.end_chunk(processor, first);
        }
        processor = (processor + 1) % processors;
    }
    order.schedule(graph)
}

/// Returns the end of a window: the first grain without a near predecessor, if one comes between
/// half of the window and twice as much.
fn end_of_window(graph: &Graph, first: u32, window: u32) -> u32 {
    let grains = graph.grains();
    let after = |size: u32| first.saturating_add(size).min(grains);
    let needs_near = |&grain: &u32| {
        let mut predecessors = graph.predecessors(grain).iter();
        predecessors.any(|&predecessor| grain - predecessor <= NEAR.get())
    };
    (after(window.div_ceil(2))..after(window.saturating_mul(2)))
        .find(|grain| !needs_near(grain))
        .unwrap_or(after(window))
}

/// Returns the grains of a window in the order of their levels in it.
fn level_order(graph: &Graph, window: Range<u32>) -> Vec<u32> {
    let mut levels: Vec<usize> = Vec::with_capacity(window.len());
    for grain in window.clone() {
        let inside = graph.predecessors(grain).iter();
        let inside = inside.filter_map(|predecessor| predecessor.checked_sub(window.start));
        let level = inside.map(|predecessor| levels[predecessor as usize] + 1);
        levels.push(level.max().unwrap_or(0));
    }
    let count = levels.iter().max().map_or(0, |last| last + 1);
    Rows::sorted(count, levels.iter().copied().zip(window)).items
}
