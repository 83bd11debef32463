//! GrowLocal: supersteps grown greedily, for as long as they become better balanced against their latency.
//!
//! After T. Böhnlein, P. A. Papp, R. S. Steiner, C. K. Matzoros and A. N. Yzelman, *Efficient parallel scheduling for sparse triangular
//! solvers* (2025).

use std::{cmp::Reverse, collections::BinaryHeap};

use superstep_dag::Dag;
use superstep_machine::Machine;
use superstep_schedule::Schedule;

use crate::{
    ScheduleError, Scheduler,
    order::{Order, Ranks},
    scheduler::serves,
};

/// A superstep of the first size gives the first processor that many tasks.
const FIRST_SIZE: f64 = 20.0;
/// The next size that is tried, as a multiple.
const GROWTH: f64 = 1.5;
/// A larger superstep is tried as long as the last reached this part of the best score.
const PATIENCE: f64 = 0.97;

/// Greedy growth of supersteps, without copies.
///
/// A superstep is grown from the tasks that are ready at its start. The first processor takes a number of tasks, then each other one as much
/// work as the first got; a processor prefers tasks that only it can run, because their predecessors are its own of this superstep, and
/// then takes those that come first in [`order`](Self::order). That is tried for larger and larger numbers; the superstep is the one with
/// the most work per cost: all work over (the largest load + L).
///
/// Cost: n log n; each task is tried about three times.
///
/// ```
/// use superstep_graphs::generate;
/// use superstep_machine::Machine;
/// use superstep_scheduler::{GrowLocal, Scheduler};
///
/// let machine = Machine { latency: 100.0, ..Machine::new(4) };
/// let schedule = GrowLocal::default().schedule(&generate::lu(32)?, &machine)?;
/// assert!(schedule.supersteps() < 62); // fewer than levels
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct GrowLocal {
    /// Which of several tasks a processor takes first.
    pub order: Order,
}

impl Scheduler for GrowLocal {
    fn name(&self) -> &'static str {
        "grow-local"
    }

    fn schedule(&self, graph: &Dag, machine: &Machine) -> Result<Schedule, ScheduleError> {
        serves(self, machine, Schedule::MOST_PROCESSORS)?;
        let ranks = self.order.ranks(graph);
        let mut growth = Growth::new(graph, machine, &ranks);
        let mut schedule = Schedule::new(machine.processors);
        while !growth.ready.is_empty() {
            for list in growth.superstep() {
                schedule.push(list);
            }
        }
        Ok(schedule)
    }
}

/// Any processor can run the task in this superstep.
const FREE: u32 = u32::MAX;
/// No processor can run it, any more.
const NOBODY: u32 = u32::MAX - 1;

struct Growth<'a> {
    graph: &'a Dag,
    machine: &'a Machine,
    /// Place of each task in the order, and the task at each place.
    ranks: &'a Ranks,
    /// Predecessors of each task that have not run.
    waiting: Vec<u32>,
    /// Which processor alone can run each task in this superstep.
    reserved: Vec<u32>,
    /// Ranks of the tasks that are ready at the start of the superstep, ascending.
    ready: Vec<u32>,
}

/// A superstep as it may become.
struct Trial {
    lists: Vec<Vec<u32>>,
    /// How many of the ready tasks it takes.
    taken: usize,
    score: f64,
}

impl Trial {
    fn tasks(&self) -> usize {
        self.lists.iter().map(Vec::len).sum()
    }
}

impl<'a> Growth<'a> {
    fn new(graph: &'a Dag, machine: &'a Machine, ranks: &'a Ranks) -> Self {
        let waiting: Vec<u32> = (0..graph.tasks() as u32)
            .map(|task| graph.predecessors(task).len() as u32)
            .collect();
        let ready = (0..graph.tasks() as u32)
            .filter(|&rank| waiting[ranks.task(rank) as usize] == 0)
            .collect();
        Self {
            graph,
            machine,
            ranks,
            waiting,
            reserved: vec![FREE; graph.tasks()],
            ready,
        }
    }

    /// The lists of the next superstep.
    fn superstep(&mut self) -> Vec<Vec<u32>> {
        let mut size = FIRST_SIZE;
        let mut best = self.trial(size as usize);
        let mut tasks = best.tasks();
        loop {
            size *= GROWTH;
            let trial = self.trial(size as usize);
            // Without more tasks than the last it has all that can run.
            let goes_on = trial.score >= PATIENCE * best.score && trial.tasks() > tasks;
            tasks = trial.tasks();
            if trial.score > best.score {
                best = trial;
            }
            if !goes_on {
                break;
            }
        }
        self.commit(&best);
        best.lists
    }

    /// Grows a superstep in which the first processor gets at most `size` tasks.
    fn trial(&mut self, size: usize) -> Trial {
        let processors = self.machine.processors;
        let mut lists = Vec::with_capacity(processors as usize);
        let mut taken = 0;
        let (mut most, mut all) = (0u64, 0u64);
        let mut own = BinaryHeap::new();
        for processor in 0..processors {
            let mut list = Vec::new();
            let mut load = 0u64;
            own.clear();
            while if processor == 0 {
                list.len() < size
            } else {
                load < most
            } {
                let rank = if let Some(Reverse(rank)) = own.pop() {
                    rank
                } else if taken < self.ready.len() {
                    taken += 1;
                    self.ready[taken - 1]
                } else {
                    break;
                };
                let task = self.ranks.task(rank);
                list.push(task);
                load += u64::from(self.graph.weight(task));
                for &next in self.graph.successors(task) {
                    self.waiting[next as usize] -= 1;
                    let reserved = &mut self.reserved[next as usize];
                    if *reserved == FREE {
                        *reserved = processor;
                    } else if *reserved != processor {
                        *reserved = NOBODY;
                    }
                    if self.waiting[next as usize] == 0 && *reserved == processor {
                        own.push(Reverse(self.ranks.rank(next)));
                    }
                }
            }
            if processor == 0 {
                most = load;
            }
            most = most.max(load);
            all += load;
            lists.push(list);
        }
        let trial = Trial {
            lists,
            taken,
            score: all as f64 / (most as f64 + self.machine.latency),
        };
        self.take_back(&trial);
        trial
    }

    /// Undoes what a trial did to the tasks.
    fn take_back(&mut self, trial: &Trial) {
        for &task in trial.lists.iter().flatten() {
            for &next in self.graph.successors(task) {
                self.waiting[next as usize] += 1;
                self.reserved[next as usize] = FREE;
            }
        }
    }

    /// Runs the superstep.
    fn commit(&mut self, trial: &Trial) {
        let mut ready = self.ready.split_off(trial.taken);
        let old = ready.len();
        for &task in trial.lists.iter().flatten() {
            self.reserved[task as usize] = NOBODY;
        }
        for &task in trial.lists.iter().flatten() {
            for &next in self.graph.successors(task) {
                self.waiting[next as usize] -= 1;
                if self.waiting[next as usize] == 0 && self.reserved[next as usize] != NOBODY {
                    ready.push(self.ranks.rank(next));
                }
            }
        }
        ready[old..].sort_unstable();
        // Two ascending runs, which a stable sort merges.
        ready.sort();
        self.ready = ready;
    }
}
