//! Farm: parts of a kernel that do not depend on each other, which processors share as they become
//! free.
//!
//! A loop of independent iterations has one part for each, a batch of solves one for each system.
//! Neither a part that takes longer than was predicted nor a processor that comes late holds the
//! others back. Whoever is free goes on with what nobody has begun: *self-scheduling* (P. Tang and
//! P.-C. Yew, *Processor self-scheduling for multiple-nested parallel loops*, 1986).

use std::sync::Arc;

use superstep_tuning::tuned;

use crate::{Costs, Graph, Order, Plan, Rows, prediction::durations};

tuned! {
    /// Parts for each processor, at most: the others wait for the last part, so it should be short.
    ///
    /// Times over the function on two threads, by the parts for each:
    ///
    /// | kernel | 4 | 16 | 64 | two halves |
    /// |---|---|---|---|---|
    /// | 30,000 points of the Mandelbrot set | 0.60 | 0.52 | 0.50 | 0.65 |
    /// | 40 tridiagonal systems, 17 us together | 0.57 | 0.63 | 0.65 | 0.57 |
    ///
    /// Sparse products, stencils and 1000 systems are as fast with each.
    const PARTS: u32 = 16, off 1;

    /// The least work of a part on average, in waits.
    ///
    /// Times over the function on two threads, by this work:
    ///
    /// | kernel | 2 | 8 | 24 |
    /// |---|---|---|---|
    /// | 1000 points of the Mandelbrot set | 0.53 | 0.74 | 1.00 |
    /// | those 40 systems, at best | 0.63 | 0.55 | 0.53 |
    ///
    /// The planner knows no more of a point than a call. Larger kernels have parts enough with
    /// each.
    const LEAST: f64 = 2.0, off 0.0;
}

/// Puts grains that depend on each other into one part, and neighbouring small parts together. The
/// plan mostly has more parts than `processors`, each of which is a processor of it. Nobody waits
/// in it, so any number of threads may run the parts in any order.
///
/// Grains of a part run in the order of the sequential run, and the parts are in the order of their
/// first grains. A single part is nothing to share: all grains depend on each other, or there is
/// little work.
///
/// Cost: near-linear in grains and edges.
///
/// # Panics
/// If there is no processor.
///
/// ```
/// use superstep_planner::{Costs, Graph, farm};
/// # use superstep_planner::{Accesses, Fault, Track};
/// # struct Squares;
/// # impl Track for Squares {
/// #     fn iterations(&self) -> u32 { 8000 }
/// #     fn lengths(&self) -> &[usize] { &[8000] }
/// #     fn track(&self, all: std::ops::Range<u32>, x: &mut Accesses<'_>) -> Result<(), Fault> {
/// #         for i in all.start as usize..all.end as usize {
/// #             x.begin();
/// #             x.read(0, i..i + 1);
/// #             x.write(0, i..i + 1);
/// #         }
/// #         Ok(())
/// #     }
/// # }
///
/// // `x[i] = x[i] * x[i]`, of 8000 words.
/// let graph = Graph::new(&Squares, &Costs::default())?;
/// let plan = farm(&graph, 2, &Costs::default());
/// assert_eq!(plan.order.processors(), 32);
/// assert!(plan.order.is_free());
/// # Ok::<(), superstep_planner::TrackError>(())
/// ```
pub fn farm(graph: &Graph, processors: u32, costs: &Costs) -> Plan {
    assert!(processors > 0, "nobody to share the parts");
    let parts = parts(graph, processors, costs);
    let count = parts.iter().max().map_or(1, |&last| last + 1);
    let grains = parts.iter().zip(0..);
    let grains = Rows::sorted(
        count as usize,
        grains.map(|(&part, grain)| (part as usize, grain)),
    );
    Plan {
        boundaries: graph.boundaries().clone(),
        order: Arc::new(Order {
            processors: (0..=count).collect(),
            waits: Rows::sorted(count as usize, std::iter::empty()),
        }),
        grains,
    }
}

/// Returns the part of each grain.
fn parts(graph: &Graph, processors: u32, costs: &Costs) -> Vec<u32> {
    let mut parts = components(graph);
    // The work of each component, at its first grain.
    let mut work = vec![0_u64; parts.len()];
    for (&component, &words) in parts.iter().zip(graph.work()) {
        work[component as usize] += u64::from(words);
    }
    let all = work.iter().sum::<u64>().max(1);
    let least = (LEAST.get() * costs.wait / costs.word).ceil().max(1.0) as u64;
    let most = (PARTS.get().saturating_mul(processors)).min(Plan::MOST_PROCESSORS);
    let most = u64::from(most).min((all / least).max(1));
    let (mut before, mut place, mut part) = (0, 0, 0);
    for work in work.iter_mut().filter(|work| **work > 0) {
        // Half of a component's work is on either side.
        let middle = u128::from(before + *work / 2);
        let found = middle * u128::from(most) / u128::from(all);
        if before > 0 && found > place {
            part += 1;
        }
        place = found;
        before += *work;
        // It becomes the part of the component.
        *work = part;
    }
    for component in &mut parts {
        *component = work[*component as usize] as u32;
    }
    parts
}

/// Returns for each grain the first one that it is connected to.
fn components(graph: &Graph) -> Vec<u32> {
    let mut firsts: Vec<u32> = (0..graph.grains()).collect();
    for grain in 0..graph.grains() {
        for &predecessor in graph.predecessors(grain) {
            let [a, b] = [grain, predecessor].map(|grain| find(&mut firsts, grain));
            firsts[a.max(b) as usize] = a.min(b);
        }
    }
    // A first grain comes before all that lead to it.
    for grain in 0..firsts.len() {
        firsts[grain] = firsts[firsts[grain] as usize];
    }
    firsts
}

/// Finds the first grain of a component, by halving of paths.
fn find(firsts: &mut [u32], mut grain: u32) -> u32 {
    while firsts[grain as usize] != grain {
        let above = firsts[firsts[grain as usize] as usize];
        firsts[grain as usize] = above;
        grain = above;
    }
    grain
}

/// Returns the predicted times of a plan that nobody waits in, in nanoseconds, in place and loaded.
/// Each of its parts goes to the processor that is free first.
pub(crate) fn predict(plan: &Plan, graph: &Graph, processors: u32, costs: &Costs) -> [f64; 2] {
    let durations = durations(plan, graph.work(), costs);
    [0, 1].map(|layout| {
        let mut free = vec![0.0_f64; processors as usize];
        for part in &durations {
            if let Some(first) = free.iter_mut().min_by(|a, b| a.total_cmp(b)) {
                *first += part[layout];
            }
        }
        free.into_iter().fold(0.0, f64::max)
    })
}
