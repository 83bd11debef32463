//! From the order that a scheduler gives to a plan: who must wait for whom.

use crate::{Graph, Plan, Wait, prediction::Crossings};

/// Makes the plan of chunks that any scheduler has made, each as its processor and its grains.
///
/// They are in an order in which one processor could run them all, as lists of supersteps are:
/// where a chunk needs a later one the plan is not [proved](crate::prove()).
///
/// Cost: linear in grains and edges, and in chunks times processors.
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
/// assert_eq!(plan.waits.len(), 1);
/// assert!(prove(&Pairs, plan).is_ok());
/// # Ok::<(), superstep_planner::TrackError>(())
/// ```
pub fn plan_of_chunks<'g>(
    graph: &Graph,
    processors: u32,
    chunks: impl IntoIterator<Item = (u32, &'g [u32])>,
) -> Plan {
    let mut order = Order::new(processors, graph.grains());
    let mut is_there = vec![false; graph.grains() as usize];
    for (processor, grains) in chunks {
        assert!(processor < processors, "there is no processor {processor}");
        for &grain in grains {
            let before = std::mem::replace(&mut is_there[grain as usize], true);
            assert!(!before, "grain {grain} is there twice");
        }
        order.grains.extend_from_slice(grains);
        order.end_chunk(processor, order.grains.len() as u32);
    }
    assert!(is_there.iter().all(|&is| is), "a grain is missing");
    order.schedule(graph).plan
}

/// Chunks in an order in which one processor could run them all.
pub(crate) struct Order {
    pub(crate) processors: u32,
    /// The grains of all chunks, one chunk after the other.
    pub(crate) grains: Vec<u32>,
    pub(crate) chunks: Vec<Chunk>,
}

/// A plan as a scheduler has made it.
pub(crate) struct Scheduled {
    pub(crate) plan: Plan,
    /// For each chunk, how many of its grains' operands [cross](crate::Costs::crossing).
    pub(crate) crossings: Vec<u32>,
}

/// One chunk of an order.
#[derive(Clone, Copy)]
pub(crate) struct Chunk {
    pub(crate) processor: u32,
    /// Its end in the grains of the order.
    pub(crate) end: u32,
}

impl Order {
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

    /// The plan with the waits that the graph asks for, without those that follow from others.
    ///
    /// Cost: linear in edges, and in chunks times processors. Memory beside the plan: 8 bytes for
    /// each grain, 4 for each chunk and processor.
    pub(crate) fn schedule(self, graph: &Graph) -> Scheduled {
        let (by_chunk, positions) = self.waits(graph);
        let processors = self.processors as usize;
        let mut plan = Plan {
            boundaries: graph.boundaries().clone(),
            processors: vec![0; processors + 1],
            chunks: Vec::with_capacity(self.chunks.len() + 1),
            grains: Vec::with_capacity(self.grains.len()),
            first_waits: Vec::with_capacity(self.chunks.len() + 1),
            waits: Vec::with_capacity(by_chunk.items.len()),
        };
        for chunk in &self.chunks {
            plan.processors[chunk.processor as usize + 1] += 1;
        }
        for processor in 0..processors {
            plan.processors[processor + 1] += plan.processors[processor];
        }
        let mut sorted = vec![0u32; self.chunks.len()];
        for (chunk, position) in positions.iter().enumerate() {
            let first = plan.processors[self.chunks[chunk].processor as usize];
            sorted[(first + position) as usize] = chunk as u32;
        }
        let mut crossings = Vec::with_capacity(self.chunks.len());
        for chunk in sorted {
            let chunk = chunk as usize;
            crossings.push(by_chunk.crossings[chunk]);
            plan.chunks.push(plan.grains.len() as u32);
            plan.first_waits.push(plan.waits.len() as u32);
            let grains = self.start(chunk)..self.chunks[chunk].end as usize;
            plan.grains.extend_from_slice(&self.grains[grains]);
            let waits = by_chunk.offsets[chunk] as usize..by_chunk.offsets[chunk + 1] as usize;
            plan.waits.extend_from_slice(&by_chunk.items[waits]);
        }
        plan.chunks.push(plan.grains.len() as u32);
        plan.first_waits.push(plan.waits.len() as u32);
        Scheduled { plan, crossings }
    }

    /// The waits of each chunk, and the position of each among the chunks of its processor.
    fn waits(&self, graph: &Graph) -> (Waits, Vec<u32>) {
        let processors = self.processors as usize;
        // Chunk and processor of each grain, together as they are read together.
        let mut places = vec![(0u32, 0u32); self.grains.len()];
        let mut waits = Waits {
            offsets: vec![0],
            items: Vec::new(),
            crossings: Vec::with_capacity(self.chunks.len()),
        };
        let mut crossings = Crossings::new(graph);
        let mut positions = Vec::with_capacity(self.chunks.len());
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
            waits.crossings.push(crossed);
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
                    let chunks = positions[before] + 1;
                    waits.items.push(Wait {
                        processor: peer,
                        chunks,
                    });
                }
            }
            needs.fill(0);
            waits.offsets.push(waits.items.len() as u32);
            positions.push(counts[processor as usize]);
            counts[processor as usize] += 1;
            clocks.end(processor, chunk);
        }
        (waits, positions)
    }
}

struct Waits {
    offsets: Vec<u32>,
    items: Vec<Wait>,
    crossings: Vec<u32>,
}

/// Vector clocks over the chunks of an order: which ends each processor knows of.
struct Clocks {
    processors: usize,
    now: Vec<u32>,
    at_end: Vec<u32>,
}

impl Clocks {
    fn new(processors: usize) -> Self {
        Self {
            processors,
            now: vec![0; processors * processors],
            at_end: Vec::new(),
        }
    }

    fn known(&self, processor: u32, peer: u32) -> u32 {
        self.now[processor as usize * self.processors + peer as usize]
    }

    /// The processor has waited for the end of a chunk.
    fn learn(&mut self, processor: u32, chunk: usize) {
        let row = processor as usize * self.processors;
        let theirs = &self.at_end[chunk * self.processors..][..self.processors];
        for (own, &their) in self.now[row..].iter_mut().zip(theirs) {
            *own = their.max(*own);
        }
    }

    fn end(&mut self, processor: u32, chunk: usize) {
        let row = processor as usize * self.processors;
        self.now[row + processor as usize] = chunk as u32 + 1;
        self.at_end
            .extend_from_slice(&self.now[row..row + self.processors]);
    }
}
