//! Owners: each processor writes words of its own.
//!
//! Where words are written again and again, as by sweeps and updates, they stay in the cache of the
//! processor that owns them. The rule is that of high performance Fortran (S. Hiranandani, K.
//! Kennedy and C.-W. Tseng, *Compiling Fortran D for MIMD distributed-memory machines*, 1992): the
//! owner of what is written computes it.

use crate::{
    Graph, Plan,
    chunks::{Chunks, Scheduled},
};

/// Gives each grain to the processor that owns the [last word](Graph::homes) that it writes.
///
/// All arrays are cut at the same places, into `parts` of equal work for each processor, which are
/// dealt to and fro. There is one part for words that are all written in each sweep, several where
/// fewer and fewer are. A processor runs its grains in the order of the sequential run. A chunk is
/// those between two of others.
///
/// Cost: that of sorting the grains, then as [`plan_of_chunks`](crate::plan_of_chunks()). Memory:
/// as there.
///
/// # Panics
/// If there is no processor or no part.
///
/// ```
/// use superstep_planner::{Costs, Graph, owners};
/// # use superstep_planner::{Accesses, Fault, Track};
/// # struct Sweeps;
/// # impl Track for Sweeps {
/// #     fn iterations(&self) -> u32 { 8 }
/// #     fn lengths(&self) -> &[usize] { &[4] }
/// #     fn track(&self, all: std::ops::Range<u32>, x: &mut Accesses<'_>) -> Result<(), Fault> {
/// #         for i in all.start as usize..all.end as usize {
/// #             x.begin();
/// #             x.read(0, i % 4..i % 4 + 1);
/// #             x.write(0, i % 4..i % 4 + 1);
/// #         }
/// #         Ok(())
/// #     }
/// # }
///
/// // Two sweeps over four words.
/// let graph = Graph::new(&Sweeps, &Costs { least: 0.0, ..Costs::default() })?;
/// let plan = owners(&graph, 2, 1);
/// assert_eq!(plan.grains.items, [0, 1, 4, 5, 2, 3, 6, 7]);
/// assert!(plan.order.is_free());
/// # Ok::<(), superstep_planner::TrackError>(())
/// ```
pub fn owners(graph: &Graph, processors: u32, parts: u32) -> Plan {
    own(graph, processors, parts).plan
}

pub(crate) fn own(graph: &Graph, processors: u32, parts: u32) -> Scheduled {
    assert!(processors > 0 && parts > 0, "nobody, or nothing to own");
    let ends = ends_of_parts(graph, processors.saturating_mul(parts));
    let owner = |home: u32| {
        let part = ends.partition_point(|&end| end <= home) as u32;
        let (round, place) = (part / processors, part % processors);
        if round % 2 == 0 {
            place
        } else {
            processors - 1 - place
        }
    };
    let mut order = Chunks::new(processors, graph.grains());
    order.grains.extend(0..graph.grains());
    let owners = graph.homes().iter().map(|&home| owner(home));
    let mut last = None;
    for (grain, owner) in (0..).zip(owners) {
        if let Some(last) = last
            && last != owner
        {
            order.end_chunk(last, grain);
        }
        last = Some(owner);
    }
    if let Some(last) = last {
        order.end_chunk(last, graph.grains());
    }
    order.schedule(graph)
}

/// Cuts the arrays into parts of equal work: the first place behind each part but the last.
fn ends_of_parts(graph: &Graph, parts: u32) -> Vec<u32> {
    let mut works: Vec<(u32, u32)> = graph
        .homes()
        .iter()
        .copied()
        .zip(graph.work().iter().copied())
        .collect();
    // A stable sort: each sweep over ascending words is a run, and runs are merged.
    works.sort_by_key(|&(home, _)| home);
    let all: u64 = works.iter().map(|&(_, work)| u64::from(work)).sum();
    let mut ends = Vec::with_capacity(works.len().min(parts as usize));
    let mut before = 0u64;
    for (home, work) in works {
        let next = ends.len() as u64 + 1;
        // Half of a word's work is on either side.
        let middle = before + u64::from(work) / 2;
        let (cut, wanted) = (
            u128::from(middle) * u128::from(parts),
            u128::from(next) * u128::from(all),
        );
        if cut >= wanted && ends.last() != Some(&home) && home > 0 {
            ends.push(home);
        }
        before += u64::from(work);
    }
    ends.truncate(parts as usize - 1);
    ends
}
