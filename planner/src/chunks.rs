//! Plans from the order that a scheduler gives: who must wait for whom.

use std::sync::Arc;

use superstep_lists::Lists;
use superstep_order::{Clocks, Order, Rows, Wait};

use crate::{Graph, Plan, prediction::Crossings};

/// Makes the plan of chunks that any scheduler has made, each as its processor and its grains.
///
/// They are in an order in which one processor could run them all, as lists of supersteps are.
/// Where a chunk needs a later one the plan is not [proved](crate::prove()).
///
/// Cost: linear in grains and edges, and in chunks and waits times processors. Memory beside the
/// plan: 13 bytes for each grain, 12 for each chunk, 8 for each wait, 4 for each chunk and
/// processor.
///
/// # Panics
/// If a processor or a grain is out of range, or a grain is missing or there twice.
///
/// ```
/// use superstep_planner::{Costs, Graph, plan_of_chunks, prove};
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
/// let lists: [(u32, &[u32]); 3] = [(0, &[0, 1]), (0, &[2]), (1, &[3])];
/// let plan = plan_of_chunks(&graph, 2, lists);
/// assert_eq!(plan.order.waits.items.len(), 1);
/// assert!(prove(&Pairs, plan).is_ok());
/// # Ok::<(), superstep_planner::TrackError>(())
/// ```
pub fn plan_of_chunks<'g>(
    graph: &Graph,
    processors: u32,
    chunks: impl IntoIterator<Item = (u32, &'g [u32])>,
) -> Plan {
    let mut order = Chunks::new(processors, graph.grains());
    let mut is_there = vec![false; graph.grains() as usize];
    for (processor, grains) in chunks {
        assert!(processor < processors, "there is no processor {processor}");
        for &grain in grains {
            let before = std::mem::replace(&mut is_there[grain as usize], true);
            assert!(!before, "grain {grain} is there twice");
        }
        order.list(processor, grains);
    }
    assert!(is_there.iter().all(|&is| is), "a grain is missing");
    order.schedule(graph).plan
}

/// Chunks in an order in which one processor could run them all.
pub(crate) struct Chunks {
    pub(crate) processors: u32,
    /// The grains of all chunks, one chunk after the other.
    pub(crate) grains: Vec<u32>,
    pub(crate) chunks: Vec<Chunk>,
}

/// A plan as a scheduler has made it.
pub(crate) struct Scheduled {
    pub(crate) plan: Plan,
    /// Number of each chunk's operands that [cross](crate::Costs::crossing).
    pub(crate) crossings: Vec<u32>,
}

/// One chunk of an order.
#[derive(Clone, Copy)]
pub(crate) struct Chunk {
    pub(crate) processor: u32,
    /// Its end in the grains of the order.
    pub(crate) end: u32,
}

impl Lists for Chunks {
    fn list(&mut self, processor: u32, grains: &[u32]) {
        if !grains.is_empty() {
            self.grains.extend_from_slice(grains);
            self.end_chunk(processor, self.grains.len() as u32);
        }
    }
}

impl Chunks {
    pub(crate) fn new(processors: u32, grains: u32) -> Self {
        Self {
            processors,
            grains: Vec::with_capacity(grains as usize),
            chunks: Vec::new(),
        }
    }

    /// Ends a chunk before a position of the order.
    pub(crate) fn end_chunk(&mut self, processor: u32, end: u32) {
        self.chunks.push(Chunk { processor, end });
    }

    fn start(&self, chunk: usize) -> usize {
        chunk
            .checked_sub(1)
            .map_or(0, |before| self.chunks[before].end as usize)
    }

    /// Returns the plan with the waits that the graph asks for, without those that follow from
    /// others.
    ///
    /// Cost and memory: as [`plan_of_chunks`], which takes a byte more for each grain.
    pub(crate) fn schedule(self, graph: &Graph) -> Scheduled {
        let (waits_of, crossings_of) = self.waits(graph);
        let chunks = self.chunks.iter().zip(0_u32..);
        let Rows {
            offsets: processors,
            items: sorted,
        } = Rows::sorted(
            self.processors as usize,
            chunks.map(|(chunk, number)| (chunk.processor as usize, number)),
        );
        let mut grains = Rows::with_capacity(self.chunks.len(), self.grains.len());
        let mut waits = Rows::with_capacity(self.chunks.len(), waits_of.items.len());
        let mut crossings = Vec::with_capacity(self.chunks.len());
        for chunk in sorted {
            let chunk = chunk as usize;
            crossings.push(crossings_of[chunk]);
            let own = self.start(chunk)..self.chunks[chunk].end as usize;
            grains.items.extend_from_slice(&self.grains[own]);
            grains.end_row();
            waits.items.extend_from_slice(waits_of.row(chunk));
            waits.end_row();
        }
        let plan = Plan {
            boundaries: graph.boundaries().clone(),
            order: Arc::new(Order { processors, waits }),
            grains,
        };
        Scheduled { plan, crossings }
    }

    /// Returns the waits of each chunk, and how many of its operands cross.
    fn waits(&self, graph: &Graph) -> (Rows<Wait>, Vec<u32>) {
        let processors = self.processors as usize;
        // Chunk and processor of each grain, together as they are read together.
        let mut places = vec![(0u32, 0u32); self.grains.len()];
        let mut waits = Rows::with_capacity(self.chunks.len(), 0);
        let mut crossings_of = Vec::with_capacity(self.chunks.len());
        let mut crossings = Crossings::new(graph);
        // Of each chunk among those of its processor.
        let mut positions: Vec<u32> = Vec::with_capacity(self.chunks.len());
        let mut clocks = Clocks::new(processors);
        let mut counts = vec![0; processors];
        // For each processor the end of the last chunk that this one needs of it, counted through
        // the order.
        let mut needs = vec![0u32; processors];
        let mut needed: Vec<u32> = Vec::new();
        for (chunk, &Chunk { processor, end }) in self.chunks.iter().enumerate() {
            let mut crossed = 0;
            crossings.begin();
            for &grain in &self.grains[self.start(chunk)..end as usize] {
                places[grain as usize] = (chunk as u32, processor);
                for &predecessor in graph.predecessors(grain) {
                    let (before, peer) = places[predecessor as usize];
                    let need = &mut needs[peer as usize];
                    *need = (*need).max(before + 1);
                }
                let place = |other: u32| places[other as usize].1;
                crossed += crossings.of(grain, processor, place);
            }
            crossings_of.push(crossed);
            let news = |(&need, peer)| (need > clocks.known(processor, peer)).then_some(need);
            needs[processor as usize] = 0;
            needed.extend(needs.iter().zip(0..).filter_map(news));
            // The latest first: it may imply others.
            needed.sort_unstable_by(|a, b| b.cmp(a));
            for need in needed.drain(..) {
                let before = need as usize - 1;
                let peer = self.chunks[before].processor;
                if need > clocks.known(processor, peer) {
                    clocks.learn(processor, before);
                    waits.items.push(Wait {
                        processor: peer,
                        steps: positions[before] + 1,
                    });
                }
            }
            needs.fill(0);
            waits.end_row();
            positions.push(counts[processor as usize]);
            counts[processor as usize] += 1;
            clocks.end(processor, chunk);
        }
        (waits, crossings_of)
    }
}
