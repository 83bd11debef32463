//! Prediction of the end of each chunk of a plan, from the times of chunks and the price of a wait.

use crate::{Costs, Graph, Plan};

/// Returns when each chunk ends, given how long each runs; nothing if some chunk waits forever.
///
/// A processor begins a chunk when it has ended the one before. For each wait that is not yet
/// fulfilled it goes on `wait` after the end of what it waits for. Times have the unit of
/// `durations`.
///
/// Cost: linear in chunks and waits, and in changes between processors times their number.
///
/// # Panics
/// If the plan's numbers are out of range, as they may be of a plan that no scheduler made and
/// nobody has proved.
pub fn ends(plan: &Plan, durations: &[f64], wait: f64) -> Option<Vec<f64>> {
    let processors = plan.order.processors();
    let mut next: Vec<u32> = plan.order.processors[..processors].to_vec();
    let mut now = vec![0.0; processors];
    let mut ends = vec![0.0; durations.len()];
    let mut left = durations.len();
    while left > 0 {
        let before = left;
        for processor in 0..processors {
            while next[processor] < plan.order.processors[processor + 1] {
                let chunk = next[processor];
                let last = |peer: u32, chunks: u32| plan.order.processors[peer as usize] + chunks;
                let mut waits = plan.order.waits_of(chunk).iter();
                if waits
                    .any(|each| next[each.processor as usize] < last(each.processor, each.steps))
                {
                    break;
                }
                for each in plan.order.waits_of(chunk) {
                    if each.steps > 0 {
                        let end: f64 = ends[last(each.processor, each.steps) as usize - 1];
                        if end > now[processor] {
                            now[processor] = end + wait;
                        }
                    }
                }
                now[processor] += durations[chunk as usize];
                ends[chunk as usize] = now[processor];
                next[processor] += 1;
                left -= 1;
            }
        }
        if left == before {
            return None;
        }
    }
    Some(ends)
}

/// Returns the predicted time of a plan in nanoseconds, from the work of its grains, its jumps,
/// crossings, chunks and waits. There is none if some chunk waits forever.
///
/// The plan has a processor for each of its own, so for each part of a [farm](crate::farm()). The
/// time of a farm here is that of its longest part; its report has that on fewer processors.
///
/// Cost and panics: as [`ends`], and linear in grains and edges.
pub fn predict(plan: &Plan, graph: &Graph, costs: &Costs) -> Option<f64> {
    predict_both(plan, graph, costs).map(|[in_place, _]| in_place)
}

/// Predicts as [`predict`] does, in place and loaded: no grain [jumps](Costs::jump) where structure
/// and values are stored in the order of the plan.
pub(crate) fn predict_both(plan: &Plan, graph: &Graph, costs: &Costs) -> Option<[f64; 2]> {
    predict_with(plan, &crossings(plan, graph), graph.work(), costs)
}

/// Returns how long each chunk runs in place by prediction, in nanoseconds.
pub(crate) fn chunk_times(plan: &Plan, graph: &Graph, costs: &Costs) -> Vec<f64> {
    let own = durations(plan, graph.work(), costs);
    let both = own.iter().zip(crossings(plan, graph));
    both.map(|([own, _], count)| own + f64::from(count) * costs.crossing)
        .collect()
}

/// Returns how many operands of each chunk's grains cross.
fn crossings(plan: &Plan, graph: &Graph) -> Vec<u32> {
    let mut processor_of = vec![0; graph.grains() as usize];
    let processors = plan.order.processors() as u32;
    let chunks = (0..processors).flat_map(|each| plan.order.steps_of(each).map(move |c| (each, c)));
    for (processor, chunk) in chunks.clone() {
        for &grain in plan.grains_of(chunk) {
            processor_of[grain as usize] = processor;
        }
    }
    let mut crossings = Crossings::new(graph);
    let of_grains = |(processor, chunk)| {
        crossings.begin();
        let each =
            |&grain: &u32| crossings.of(grain, processor, |other| processor_of[other as usize]);
        plan.grains_of(chunk).iter().map(each).sum()
    };
    chunks.map(of_grains).collect()
}

/// Counts the [crossings](Costs::crossing) of grains.
pub(crate) struct Crossings<'g> {
    graph: &'g Graph,
    /// Processors that have taken each grain's words, modulo the bits of a number: they are in
    /// their caches.
    taken: Vec<u32>,
    /// The operand that crossed last.
    last: u32,
}

impl<'g> Crossings<'g> {
    pub(crate) fn new(graph: &'g Graph) -> Self {
        Self {
            graph,
            taken: vec![0; graph.grains() as usize],
            last: u32::MAX - 1,
        }
    }

    /// Begins a chunk.
    pub(crate) fn begin(&mut self) {
        self.last = u32::MAX - 1;
    }

    /// Returns the crossings of a grain, given the processors of its predecessors.
    ///
    /// Predecessors that only read what it overwrites count as one: its line is taken from them.
    #[inline]
    pub(crate) fn of(&mut self, grain: u32, processor: u32, of: impl Fn(u32) -> u32) -> u32 {
        let operands = self.graph.operands(grain);
        let mut crossings = 0;
        for &operand in operands {
            if of(operand) != processor {
                let taken = &mut self.taken[operand as usize];
                let bit = 1 << (processor % u32::BITS);
                let follows = operand.wrapping_sub(self.last) <= 1;
                crossings += u32::from(!follows && *taken & bit == 0);
                *taken |= bit;
                self.last = operand;
            }
        }
        let mut readers = self.graph.predecessors(grain)[operands.len()..].iter();
        crossings + u32::from(readers.any(|&reader| of(reader) != processor))
    }
}

/// Predicts as [`predict_both`] does, with the crossings of each chunk given.
pub(crate) fn predict_with(
    plan: &Plan,
    crossings: &[u32],
    work: &[u32],
    costs: &Costs,
) -> Option<[f64; 2]> {
    let own = durations(plan, work, costs);
    let time = |layout: usize| {
        let both = own.iter().zip(crossings);
        let durations: Vec<f64> = both
            .map(|(own, &count)| own[layout] + f64::from(count) * costs.crossing)
            .collect();
        let ends = ends(plan, &durations, costs.wait)?;
        Some(ends.into_iter().fold(0.0, f64::max))
    };
    Some([time(0)?, time(1)?])
}

/// Returns how long each chunk runs where no operand crosses, in nanoseconds: in place and loaded.
pub(crate) fn durations(plan: &Plan, work: &[u32], costs: &Costs) -> Vec<[f64; 2]> {
    let mut durations = Vec::with_capacity(plan.grains.len());
    for processor in 0..plan.order.processors() as u32 {
        let mut next = None;
        for chunk in plan.order.steps_of(processor) {
            let (mut words, mut jumps) = (0, 0);
            for &grain in plan.grains_of(chunk) {
                words += u64::from(work[grain as usize]);
                jumps += u32::from(next.is_some_and(|next| next != grain));
                next = Some(grain + 1);
            }
            let loaded = words as f64 * costs.word + costs.chunk;
            durations.push([loaded + f64::from(jumps) * costs.jump, loaded]);
        }
    }
    durations
}
