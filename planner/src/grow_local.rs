//! GrowLocal: supersteps grown greedily, each processor with what only it can run.
//!
//! After T. Böhnlein, P. A. Papp, R. S. Steiner, C. K. Matzoros and A. N. Yzelman, *Efficient
//! parallel scheduling for sparse triangular solvers* (2025), with their rule for the end of a
//! superstep and a heap for the ready grains.

use std::{cmp::Reverse, collections::BinaryHeap};

use crate::{
    Costs, Graph, Plan, Rows,
    chunks::{Chunks, Scheduled},
};

/// Grains of the first processor in the first superstep that is tried (the paper's figure).
const FIRST_SIZE: f64 = 20.0;
/// The next size that is tried, as a multiple (the paper's figure).
const GROWTH: f64 = 1.5;
/// A larger superstep is tried as long as the last reached this part of the best score (the paper's
/// figure).
const PATIENCE: f64 = 0.97;
/// A superstep of so many waits of work on one processor is large enough where others idle. Without
/// this end a grid, of which one processor can always run more, becomes one superstep on one
/// processor.
const WAITS: f64 = 4.0;

/// Any processor can run the grain in this superstep.
const FREE: u32 = u32::MAX;
/// None can, any more.
const NOBODY: u32 = u32::MAX - 1;
/// In place of the predecessors that a grain waits for: it has run.
const RAN: u32 = u32::MAX;

/// Grows supersteps from the grains that are ready, and makes each processor's part of one a chunk.
///
/// The first processor takes a number of grains, then each other one as much work as the first got.
/// It prefers grains that only it can run, because others that they need are its own of this
/// superstep; then it takes the earliest. That is tried for larger and larger numbers; the
/// superstep is the one with the most work per time, all work over (the largest load + a wait). It
/// grows no further where a load has reached four waits and the work is less than that of all
/// processors at this load.
///
/// There is no deadlock: a chunk waits for chunks of earlier supersteps alone.
///
/// Cost: each grain is tried about three times, with one step of a heap and a visit of its
/// successors. Memory beside the plan: 20 bytes for each grain, 4 for each edge.
///
/// # Panics
/// If there is no processor.
pub fn grow_local(graph: &Graph, processors: u32, costs: &Costs) -> Plan {
    let grown = grow_within(graph, processors, costs, f64::INFINITY);
    grown.expect("no plan takes for ever").plan
}

/// As [`grow_local`]; none if at some time after a quarter of the work the supersteps so far, each
/// with a wait, take longer than their share of `most` words.
pub(crate) fn grow_within(
    graph: &Graph,
    processors: u32,
    costs: &Costs,
    most: f64,
) -> Option<Scheduled> {
    assert!(processors > 0, "nobody to take grains");
    let mut growth = Growth::new(graph, processors, costs);
    let mut order = Chunks::new(processors, graph.grains());
    let work: f64 = graph.work().iter().map(|&work| f64::from(work)).sum();
    let (mut done, mut time) = (0.0, 0.0);
    while growth.superstep() {
        done += growth.last.all;
        time += growth.last.most + growth.wait;
        if done * 4.0 >= work && time * work > most * done {
            return None;
        }
        for (processor, list) in growth.lists.iter().enumerate() {
            if !list.is_empty() {
                order.grains.extend_from_slice(list);
                order.end_chunk(processor as u32, order.grains.len() as u32);
            }
        }
    }
    drop(growth);
    Some(order.schedule(graph))
}

struct Growth<'a> {
    work: &'a [u32],
    successors: Rows<u32>,
    states: Vec<State>,
    /// Grains that any processor can run, the earliest first.
    ready: BinaryHeap<Reverse<u32>>,
    /// The first of them, ascending, as far as a trial has looked.
    looked_at: Vec<u32>,
    /// Grains that one processor alone can run, the earliest first.
    own: BinaryHeap<Reverse<u32>>,
    /// The superstep that is tried.
    lists: Vec<Vec<u32>>,
    last: Trial,
    /// A wait, in words of work.
    wait: f64,
    first_size: f64,
}

/// State of a grain: by whom it can be run.
#[derive(Clone, Copy)]
struct State {
    /// Predecessors that have not run.
    waiting: u32,
    /// Which processor alone can run the grain in this superstep.
    reserved: u32,
}

/// A superstep as it was tried.
#[derive(Clone, Copy, Default)]
struct Trial {
    grains: usize,
    /// The largest load, and all of it.
    most: f64,
    all: f64,
    score: f64,
    is_large: bool,
}

impl<'a> Growth<'a> {
    fn new(graph: &'a Graph, processors: u32, costs: &Costs) -> Self {
        let states: Vec<State> = (0..graph.grains())
            .map(|grain| State {
                waiting: graph.predecessors(grain).len() as u32,
                reserved: FREE,
            })
            .collect();
        let wait = costs.wait / costs.word;
        let work: f64 = graph.work().iter().map(|&work| f64::from(work)).sum();
        let mean = (work / states.len().max(1) as f64).max(1.0);
        let ready = (0..).zip(&states).filter(|(_, state)| state.waiting == 0);
        Self {
            work: graph.work(),
            successors: graph.successors(),
            ready: ready.map(|(grain, _)| Reverse(grain)).collect(),
            states,
            looked_at: Vec::new(),
            own: BinaryHeap::new(),
            lists: vec![Vec::new(); processors as usize],
            last: Trial::default(),
            wait,
            // A superstep of large grains is large with less.
            first_size: (WAITS * wait / mean).clamp(1.0, FIRST_SIZE),
        }
    }

    /// Grows the next superstep into `lists`; false if all grains have run.
    fn superstep(&mut self) -> bool {
        for list in &mut self.lists {
            list.clear();
        }
        let mut size = self.first_size;
        let mut last = self.grow(size);
        if last.grains == 0 {
            return false;
        }
        let mut best = (size, last);
        while last.score >= PATIENCE * best.1.score && !last.is_large {
            let before = last.grains;
            self.undo();
            size *= GROWTH;
            last = self.grow(size);
            if last.score > best.1.score {
                best = (size, last);
            }
            if last.grains == before {
                break;
            }
        }
        if best.0 < size {
            self.undo();
            self.grow(best.0);
        }
        self.last = best.1;
        self.end_superstep();
        true
    }

    /// Grows a superstep in which the first processor has at most `size` grains.
    fn grow(&mut self, size: f64) -> Trial {
        let (mut taken, mut first_load, mut most, mut all) = (0, 0, 0, 0);
        for processor in 0..self.lists.len() {
            let mut load = 0;
            self.own.clear();
            while if processor == 0 {
                (self.lists[0].len() as f64) < size
            } else {
                load < first_load
            } {
                let Some(grain) = self.own.pop().map(|Reverse(grain)| grain).or_else(|| {
                    let grain = self.look_at(taken)?;
                    taken += 1;
                    Some(grain)
                }) else {
                    break;
                };
                self.lists[processor].push(grain);
                load += u64::from(self.work[grain as usize]);
                self.run(grain, processor as u32);
            }
            if processor == 0 {
                first_load = load;
            }
            most = load.max(most);
            all += load;
        }
        let (most, all) = (most as f64, all as f64);
        Trial {
            grains: self.lists.iter().map(Vec::len).sum(),
            most,
            all,
            score: all / (most + self.wait),
            is_large: most >= WAITS * self.wait && all < most * self.lists.len() as f64 * 0.9,
        }
    }

    /// The ready grain at a position.
    fn look_at(&mut self, position: usize) -> Option<u32> {
        if position == self.looked_at.len() {
            self.looked_at.push(self.ready.pop()?.0);
        }
        Some(self.looked_at[position])
    }

    /// A processor runs a grain: it alone can run those that wait for nothing else.
    fn run(&mut self, grain: u32, processor: u32) {
        for &successor in self.successors.row(grain as usize) {
            let state = &mut self.states[successor as usize];
            state.waiting -= 1;
            if state.reserved == FREE {
                state.reserved = processor;
            } else if state.reserved != processor {
                state.reserved = NOBODY;
            }
            if state.waiting == 0 && state.reserved == processor {
                self.own.push(Reverse(successor));
            }
        }
    }

    /// Takes a trial back.
    fn undo(&mut self) {
        for list in &mut self.lists {
            for grain in list.drain(..) {
                for &successor in self.successors.row(grain as usize) {
                    let state = &mut self.states[successor as usize];
                    state.waiting += 1;
                    state.reserved = FREE;
                }
            }
        }
    }

    /// Keeps a trial as the superstep, and collects what is ready after it.
    fn end_superstep(&mut self) {
        for &grain in self.lists.iter().flatten() {
            self.states[grain as usize].waiting = RAN;
        }
        let states = &mut self.states;
        let left = self.looked_at.drain(..);
        let left = left.filter(|&grain| states[grain as usize].waiting != RAN);
        self.ready.extend(left.map(Reverse));
        for &grain in self.lists.iter().flatten() {
            for &successor in self.successors.row(grain as usize) {
                let state = &mut states[successor as usize];
                let reserved = std::mem::replace(&mut state.reserved, FREE);
                if reserved != FREE && state.waiting == 0 {
                    self.ready.push(Reverse(successor));
                }
            }
        }
    }
}
