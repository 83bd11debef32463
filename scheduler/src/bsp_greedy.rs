//! Greedy scheduler that keeps values where they are and ends a superstep where that pays best.
//!
//! In the manner of the BSP greedy of P. A. Papp, G. Anegg, A. Karanasiou and A. N. Yzelman,
//! *Efficient multi-processor scheduling in increasingly realistic models* (2024), whose scores it
//! uses. Theirs ends a superstep when half of the processors are idle.

use std::{cmp::Reverse, collections::BinaryHeap};

use superstep_dag::Dag;
use superstep_machine::Machine;
use superstep_schedule::Schedule;
use superstep_tuning::tuned;

use crate::{
    ScheduleError, Scheduler,
    order::{Order, Ranks},
    scheduler::serves,
};

tuned! {
    /// Part of the best score at which a superstep is not grown further. With 0.9 the peer's
    /// kernels cost 1.5 % more; without it scheduling takes a fifth more time.
    const PATIENCE: f64 = 0.8, off 0.0;
}

/// BSP greedy: the least loaded processor takes the next task. Of those that it can run, it takes
/// the one of whose inputs it has most already.
///
/// A value counts with its words over its number of readers, so that the last readers of a value
/// are drawn to it most. A superstep ends at the moment with the most work per cost: all work over
/// (the largest load + L). No copies. Cost: n log n times the mean number of processors that hold a
/// task's inputs.
#[derive(Clone, Copy, Debug, Default)]
pub struct BspGreedy {
    /// Order in which tasks go where scores are equal.
    pub order: Order,
}

impl Scheduler for BspGreedy {
    fn name(&self) -> &'static str {
        "bsp-greedy"
    }

    fn schedule(&self, graph: &Dag, machine: &Machine) -> Result<Schedule, ScheduleError> {
        serves(self, machine, Schedule::MOST_PROCESSORS)?;
        let ranks = self.order.ranks(graph);
        let mut greedy = Greedy::new(graph, machine, &ranks);
        let mut schedule = Schedule::new(machine.processors);
        while greedy.left > 0 {
            for list in greedy.superstep() {
                schedule.push(list);
            }
        }
        Ok(schedule)
    }
}

/// Mark of a task that is not on any processor.
const NOBODY: u32 = u32::MAX;

/// Offer of a task that a processor can take: by score, then by rank.
type Offer = (Score, Reverse<u32>);

/// Scores as whole numbers, so that they compare the same everywhere.
type Score = u64;

/// Score of a word that goes whole to one reader.
const UNIT: u64 = 1 << 20;

struct Greedy<'a> {
    graph: &'a Dag,
    machine: &'a Machine,
    ranks: &'a Ranks,
    /// Predecessors of each task that have not run.
    waiting: Vec<u32>,
    /// Processor of each task.
    owners: Vec<u32>,
    /// Superstep of each task that has run.
    supersteps: Vec<u32>,
    now: u32,
    /// Ranks of tasks that any processor can take in this superstep.
    ready: Vec<u32>,
    /// Number of tasks that have not run.
    left: usize,
}

impl<'a> Greedy<'a> {
    fn new(graph: &'a Dag, machine: &'a Machine, ranks: &'a Ranks) -> Self {
        let tasks = 0..graph.tasks() as u32;
        let waiting: Vec<u32> = tasks
            .clone()
            .map(|task| graph.predecessors(task).len() as u32)
            .collect();
        let ready = tasks
            .filter(|&rank| waiting[ranks.task(rank) as usize] == 0)
            .collect();
        Self {
            graph,
            machine,
            ranks,
            waiting,
            owners: vec![NOBODY; graph.tasks()],
            supersteps: vec![NOBODY; graph.tasks()],
            now: 0,
            ready,
            left: graph.tasks(),
        }
    }

    /// Offers `task`, whose predecessors have run, to the processors that hold some of them.
    fn offers(&self, task: u32, offers: &mut Vec<(u32, Score)>) {
        offers.clear();
        for &value in self.graph.predecessors(task) {
            let owner = self.owners[value as usize];
            let score = u64::from(self.graph.words(value)) * UNIT
                / self.graph.successors(value).len() as u64;
            match offers.iter_mut().find(|offer| offer.0 == owner) {
                Some(offer) => offer.1 += score,
                None => offers.push((owner, score)),
            }
        }
    }

    /// Runs the next superstep.
    fn superstep(&mut self) -> Vec<Vec<u32>> {
        let width = self.machine.processors as usize;
        let mut heaps: Vec<BinaryHeap<Offer>> = vec![BinaryHeap::new(); width];
        let mut offers = Vec::new();
        for &rank in &self.ready {
            self.offers(self.ranks.task(rank), &mut offers);
            for &(owner, score) in &offers {
                heaps[owner as usize].push((score, Reverse(rank)));
            }
        }
        let ready = std::mem::take(&mut self.ready);
        let mut anyone = ready.iter().copied();
        let mut busy: BinaryHeap<Reverse<(u64, u32)>> =
            (0..width as u32).map(|p| Reverse((0, p))).collect();
        let mut ran: Vec<u32> = Vec::new();
        let (mut most, mut all) = (0, 0);
        let (mut best, mut best_length) = (0.0, 0);
        while let Some(Reverse((load, processor))) = busy.pop() {
            let Some(task) = self.next(&mut heaps[processor as usize], &mut anyone) else {
                // It has nothing, and nobody can give it any before the superstep ends.
                continue;
            };
            self.owners[task as usize] = processor;
            self.supersteps[task as usize] = self.now;
            ran.push(task);
            let weight = u64::from(self.graph.weight(task));
            all += weight;
            most = most.max(load + weight);
            busy.push(Reverse((load + weight, processor)));
            for &next in self.graph.successors(task) {
                self.waiting[next as usize] -= 1;
                if self.waiting[next as usize] == 0 && self.is_local(next, processor) {
                    self.offers(next, &mut offers);
                    let own = offers.iter().find(|offer| offer.0 == processor);
                    let score = own.map_or(0, |offer| offer.1);
                    heaps[processor as usize].push((score, Reverse(self.ranks.rank(next))));
                }
            }
            let cost = most as f64 + self.machine.latency;
            // Tasks without work cost nothing where boundaries do not.
            let score = if cost > 0.0 { all as f64 / cost } else { 0.0 };
            if score >= best {
                (best, best_length) = (score, ran.len());
            } else if score < PATIENCE.get() * best {
                break;
            }
        }
        self.take_back(&ran[best_length..]);
        ran.truncate(best_length);
        let mut lists = vec![Vec::new(); width];
        for &task in &ran {
            lists[self.owners[task as usize] as usize].push(task);
        }
        self.left -= ran.len();
        self.collect_ready(&ran, ready);
        self.now += 1;
        lists
    }

    /// Returns the best task for a processor with these offers.
    fn next(
        &self,
        heap: &mut BinaryHeap<Offer>,
        anyone: &mut impl Iterator<Item = u32>,
    ) -> Option<u32> {
        let free = |rank: u32| {
            let task = self.ranks.task(rank);
            (self.owners[task as usize] == NOBODY).then_some(task)
        };
        while let Some((_, Reverse(rank))) = heap.pop() {
            if let Some(task) = free(rank) {
                return Some(task);
            }
        }
        for rank in anyone {
            if let Some(task) = free(rank) {
                return Some(task);
            }
        }
        None
    }

    /// Returns whether no other processor computes an input of `task` in this superstep.
    fn is_local(&self, task: u32, processor: u32) -> bool {
        self.graph.predecessors(task).iter().all(|&value| {
            self.supersteps[value as usize] != self.now || self.owners[value as usize] == processor
        })
    }

    fn take_back(&mut self, tasks: &[u32]) {
        for &task in tasks {
            self.owners[task as usize] = NOBODY;
            self.supersteps[task as usize] = NOBODY;
            for &next in self.graph.successors(task) {
                self.waiting[next as usize] += 1;
            }
        }
    }

    /// Collects the tasks that anyone can take in the next superstep: those left of this one's, and
    /// those that this one has made ready.
    fn collect_ready(&mut self, ran: &[u32], old: Vec<u32>) {
        let free =
            |task: u32| self.owners[task as usize] == NOBODY && self.waiting[task as usize] == 0;
        let readers = ran.iter().flat_map(|&task| self.graph.successors(task));
        let ready = readers
            .filter(|&&task| free(task))
            .map(|&task| self.ranks.rank(task));
        let mut ready: Vec<u32> = ready.collect();
        ready.extend(old.into_iter().filter(|&rank| free(self.ranks.task(rank))));
        ready.sort_unstable();
        ready.dedup();
        self.ready = ready;
    }
}
