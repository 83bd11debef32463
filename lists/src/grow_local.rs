//! GrowLocal: supersteps grown greedily, each processor with what only it can run.
//!
//! After T. Böhnlein, P. A. Papp, R. S. Steiner, C. K. Matzoros and A. N. Yzelman, *Efficient
//! parallel scheduling for sparse triangular solvers* (2025), with their rule for the end of a
//! superstep and a heap for the ready tasks.

use std::{cmp::Reverse, collections::BinaryHeap};

use superstep_tuning::tuned;

use crate::{Before, Lists};

tuned! {
    /// Tasks of the first processor in the first superstep that is tried (the paper's figure). With
    /// half as many transforms cost 9 % more. With twice as many trees cost 4 % more, most
    /// others less.
    const FIRST_SIZE: f64 = 20.0;

    /// Ratio of the next size that is tried to the last (the paper's figure). Sweeps cost 4 % more
    /// with a ratio of 1.25, grids 2 % more with 2.
    const GROWTH: f64 = 1.5;

    /// Part of the best score that the last superstep must reach for a larger one to be tried (the
    /// paper's figure). None costs 5 % more on factorisations.
    const PATIENCE: f64 = 0.97, off 1.0;

    /// Part of what all processors could do in a superstep, below which some are said to idle. With
    /// the whole, plans of sweeps over matrices are predicted to take 4 % longer.
    const BUSY: f64 = 0.9, off 1.0;
}

/// Order in which processors take tasks where they have a choice.
pub trait Ranking {
    /// Returns the rank of a task.
    fn rank(&self, task: u32) -> u32;
    /// Returns the task of a rank.
    fn task(&self, rank: u32) -> u32;
}

/// Tasks by ascending numbers: the order of the sequential run, whose neighbours are neighbours in
/// memory.
#[derive(Clone, Copy, Debug, Default)]
pub struct ByNumber;

impl Ranking for ByNumber {
    #[inline]
    fn rank(&self, task: u32) -> u32 {
        task
    }

    #[inline]
    fn task(&self, rank: u32) -> u32 {
        rank
    }
}

/// Rules by which supersteps are grown.
#[derive(Clone, Copy, Debug)]
pub struct Growth {
    /// Number of processors.
    pub processors: u32,
    /// Time that a superstep takes beyond its largest load, in units of work.
    pub wait: f64,
    /// Tasks of the first processor in the first superstep that is tried, at most 20.
    pub first: f64,
    /// Function that gives the number of tasks of a size.
    pub size: fn(f64) -> usize,
    /// Set if later processors take as much work as the most that one before has taken; otherwise
    /// as the first has.
    pub catches_up: bool,
    /// Waits of work on one processor at which a superstep is large enough where others idle.
    /// Without this end a grid, of which one processor can always run more, becomes one superstep
    /// on one processor.
    pub large: Option<f64>,
    /// Time, in units of work, that all supersteps may take. Growth is given up if after a quarter
    /// of the work the supersteps so far take longer than their share.
    pub most: f64,
}

impl Growth {
    /// Returns the growth of the paper.
    pub fn new(processors: u32, wait: f64) -> Self {
        Self {
            processors,
            wait,
            first: FIRST_SIZE.get(),
            size: |size| size as usize,
            catches_up: true,
            large: None,
            most: f64::INFINITY,
        }
    }

    /// Returns this growth with a first superstep of at most so many waits, and later ones no
    /// larger where a processor idles. `work` is the mean of a task.
    #[must_use]
    pub fn within(self, waits: f64, work: f64) -> Self {
        Self {
            // A superstep of large tasks is large with less.
            first: (waits * self.wait / work).clamp(1.0, FIRST_SIZE.get()),
            size: |size| size.ceil() as usize,
            catches_up: false,
            large: Some(waits),
            ..self
        }
    }
}

/// Grows supersteps from the tasks that are ready. Returns whether all tasks have run: the lists so
/// far are of no use if growth was [given up](Growth::most).
///
/// The first processor takes a number of tasks, then each other one as much work as the first got.
/// It prefers tasks that only it can run, because others that they need are its own of this
/// superstep. Then it takes the first by `ranking`. Larger and larger numbers are tried. The
/// superstep is the one with the most work per time: all work over (the largest load + a wait).
///
/// Cost: each task is tried about three times, with one step of a heap and a visit of its
/// successors. Memory: 20 bytes for each task.
///
/// # Panics
/// If there is no processor.
pub fn grow_local(
    before: Before<'_>,
    ranking: &impl Ranking,
    growth: Growth,
    out: &mut impl Lists,
) -> bool {
    assert!(growth.processors > 0, "nobody to take tasks");
    let work = before.all_work() as f64;
    let mut growing = Growing::new(before, ranking, growth);
    let (mut done, mut time) = (0.0, 0.0);
    while let Some(Trial { most, all, .. }) = growing.superstep() {
        done += all;
        time += most + growth.wait;
        if done * 4.0 >= work && time * work > growth.most * done {
            return false;
        }
        for (list, processor) in growing.lists.iter().zip(0..) {
            out.list(processor, list);
        }
        out.end_superstep();
    }
    true
}

/// Mark of a task that any processor can run in this superstep.
const FREE: u32 = u32::MAX;
/// Mark of a task that no processor can run any more in this superstep.
const NOBODY: u32 = u32::MAX - 1;
/// Mark of a task that has run, in place of the predecessors that it waits for.
const RAN: u32 = u32::MAX;

struct Growing<'a, P> {
    before: Before<'a>,
    ranking: &'a P,
    growth: Growth,
    states: Vec<State>,
    /// Ranks of tasks that any processor can run, the first on top.
    ready: BinaryHeap<Reverse<u32>>,
    /// Ranks taken off `ready`, ascending, as far as a trial has looked.
    looked_at: Vec<u32>,
    /// Ranks of tasks that one processor alone can run, the first on top.
    own: BinaryHeap<Reverse<u32>>,
    /// Lists of the superstep that is tried.
    lists: Vec<Vec<u32>>,
}

/// State of a task: who can run it.
#[derive(Clone, Copy)]
struct State {
    /// Predecessors that have not run.
    waiting: u32,
    /// Processor that alone can run the task in this superstep.
    reserved: u32,
}

/// Size and loads of a superstep that was tried.
#[derive(Clone, Copy)]
struct Trial {
    tasks: usize,
    /// Largest load, and the sum of all.
    most: f64,
    all: f64,
    score: f64,
    is_large: bool,
}

impl<'a, P: Ranking> Growing<'a, P> {
    fn new(before: Before<'a>, ranking: &'a P, growth: Growth) -> Self {
        let waiting = before.predecessors.iter().map(|before| before.len() as u32);
        let state = |waiting| State {
            waiting,
            reserved: FREE,
        };
        let states: Vec<State> = waiting.map(state).collect();
        let ready = (0..).zip(&states).filter(|(_, state)| state.waiting == 0);
        Self {
            before,
            ready: ready.map(|(task, _)| Reverse(ranking.rank(task))).collect(),
            ranking,
            states,
            looked_at: Vec::new(),
            own: BinaryHeap::new(),
            lists: vec![Vec::new(); growth.processors as usize],
            growth,
        }
    }

    /// Grows the next superstep into `lists`; returns none if all tasks have run.
    fn superstep(&mut self) -> Option<Trial> {
        for list in &mut self.lists {
            list.clear();
        }
        let mut size = self.growth.first;
        let mut last = self.grow(size);
        if last.tasks == 0 {
            return None;
        }
        let mut best = (size, last);
        while last.score >= PATIENCE.get() * best.1.score && !last.is_large {
            let before = last.tasks;
            self.undo();
            size *= GROWTH.get();
            last = self.grow(size);
            if last.score > best.1.score {
                best = (size, last);
            }
            // Without more tasks than the last it has all that can run.
            if last.tasks <= before {
                break;
            }
        }
        if best.0 < size {
            self.undo();
            self.grow(best.0);
        }
        self.end_superstep();
        Some(best.1)
    }

    /// Grows a superstep in which the first processor has at most as many tasks as a size says.
    fn grow(&mut self, size: f64) -> Trial {
        let size = (self.growth.size)(size);
        let (mut taken, mut aim, mut most, mut all) = (0, 0, 0, 0);
        for processor in 0..self.lists.len() {
            let mut load = 0;
            self.own.clear();
            while if processor == 0 {
                self.lists[0].len() < size
            } else {
                load < aim
            } {
                let Some(rank) = self.own.pop().map(|Reverse(rank)| rank).or_else(|| {
                    let rank = self.look_at(taken)?;
                    taken += 1;
                    Some(rank)
                }) else {
                    break;
                };
                let task = self.ranking.task(rank);
                self.lists[processor].push(task);
                load += self.before.work_of(task);
                self.run(task, processor as u32);
            }
            most = load.max(most);
            if processor == 0 || self.growth.catches_up {
                aim = most;
            }
            all += load;
        }
        let (most, all) = (most as f64, all as f64);
        let Growth { wait, large, .. } = self.growth;
        let idles = all < most * self.lists.len() as f64 * BUSY.get();
        Trial {
            tasks: self.lists.iter().map(Vec::len).sum(),
            most,
            all,
            score: all / (most + wait),
            is_large: idles && large.is_some_and(|waits| most >= waits * wait),
        }
    }

    /// Returns the rank of the ready task at a position.
    fn look_at(&mut self, position: usize) -> Option<u32> {
        if position == self.looked_at.len() {
            self.looked_at.push(self.ready.pop()?.0);
        }
        Some(self.looked_at[position])
    }

    /// Runs a task on a processor: it alone can run successors that wait for nothing else.
    fn run(&mut self, task: u32, processor: u32) {
        for &successor in self.before.successors.row(task as usize) {
            let state = &mut self.states[successor as usize];
            state.waiting -= 1;
            if state.reserved == FREE {
                state.reserved = processor;
            } else if state.reserved != processor {
                state.reserved = NOBODY;
            }
            if state.waiting == 0 && state.reserved == processor {
                self.own.push(Reverse(self.ranking.rank(successor)));
            }
        }
    }

    /// Takes a trial back.
    fn undo(&mut self) {
        for list in &mut self.lists {
            for task in list.drain(..) {
                for &successor in self.before.successors.row(task as usize) {
                    let state = &mut self.states[successor as usize];
                    state.waiting += 1;
                    state.reserved = FREE;
                }
            }
        }
    }

    /// Keeps a trial as the superstep, and collects what is ready after it.
    fn end_superstep(&mut self) {
        for &task in self.lists.iter().flatten() {
            self.states[task as usize].waiting = RAN;
        }
        let (states, ranking) = (&mut self.states, self.ranking);
        let left = self.looked_at.drain(..);
        let left = left.filter(|&rank| states[ranking.task(rank) as usize].waiting != RAN);
        self.ready.extend(left.map(Reverse));
        for &task in self.lists.iter().flatten() {
            for &successor in self.before.successors.row(task as usize) {
                let state = &mut states[successor as usize];
                let reserved = std::mem::replace(&mut state.reserved, FREE);
                if reserved != FREE && state.waiting == 0 {
                    self.ready.push(Reverse(ranking.rank(successor)));
                }
            }
        }
    }
}
