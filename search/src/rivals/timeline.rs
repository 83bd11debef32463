//! Schedules in time, in which a value takes a delay from one processor to another.

use superstep_dag::{Dag, latest_finishes};
use superstep_machine::Machine;
use superstep_schedule::Schedule;

/// Timeline: the times at which processors have computed tasks; lists grow at their ends.
///
/// 8 bytes for each task and processor.
pub(super) struct Timeline<'a> {
    pub(super) graph: &'a Dag,
    machine: &'a Machine,
    pub(super) processors: usize,
    /// Time at which each task is finished on each processor: infinite where it is not computed.
    finish: Vec<f64>,
    /// Time at which each task is finished on any processor.
    earliest: Vec<f64>,
    /// Time at which each processor is free.
    pub(super) free: Vec<f64>,
    /// Tasks and their processors, in the order in which they were placed.
    log: Vec<(u32, u32)>,
}

impl<'a> Timeline<'a> {
    pub(super) fn new(graph: &'a Dag, machine: &'a Machine) -> Self {
        let processors = machine.processors as usize;
        Self {
            graph,
            machine,
            processors,
            finish: vec![f64::INFINITY; graph.tasks() * processors],
            earliest: vec![f64::INFINITY; graph.tasks()],
            free: vec![0.0; processors],
            log: Vec::new(),
        }
    }

    /// Returns the time at which the value of a task is on a processor.
    pub(super) fn arrival(&self, task: u32, processor: usize) -> f64 {
        let own = self.finish[task as usize * self.processors + processor];
        own.min(self.arrival_anywhere(task))
    }

    /// Returns the time at which the value of a task is on all processors.
    pub(super) fn arrival_anywhere(&self, task: u32) -> f64 {
        let words = f64::from(self.graph.words(task));
        let delay = match words {
            0.0 => 0.0,
            _ => self.machine.latency + self.machine.gap * words,
        };
        self.earliest[task as usize] + delay
    }

    /// Returns whether a processor computes a task.
    pub(super) fn computes(&self, processor: usize, task: u32) -> bool {
        self.finish[task as usize * self.processors + processor] < f64::INFINITY
    }

    /// Puts a task at the end of a processor's list, when its values are there; returns the time at
    /// which it is finished.
    pub(super) fn place(&mut self, task: u32, processor: usize) -> f64 {
        let values = self.graph.predecessors(task).iter();
        let start = values.map(|&value| self.arrival(value, processor));
        let start = start.fold(self.free[processor], f64::max);
        let finish = start + f64::from(self.graph.weight(task));
        self.finish[task as usize * self.processors + processor] = finish;
        self.free[processor] = finish;
        self.log.push((task, processor as u32));
        finish
    }

    /// Lets others count on tasks that were placed from that number on.
    pub(super) fn publish(&mut self, from: usize) {
        for &(task, processor) in &self.log[from..] {
            let finish = self.finish[task as usize * self.processors + processor as usize];
            let earliest = &mut self.earliest[task as usize];
            *earliest = finish.min(*earliest);
        }
    }

    /// Returns the number of tasks that were placed.
    pub(super) fn placed(&self) -> usize {
        self.log.len()
    }

    /// Takes back the tasks that were placed on a processor from that number on, and not published;
    /// the processor was free then.
    pub(super) fn take_back(&mut self, processor: usize, from: usize, free: f64) {
        for (task, processor) in self.log.drain(from..) {
            self.finish[task as usize * self.processors + processor as usize] = f64::INFINITY;
        }
        self.free[processor] = free;
    }

    /// Returns these lists in supersteps, each task as early as its values and the tasks before it
    /// allow.
    pub(super) fn into_schedule(self) -> Schedule {
        // The first superstep in which each task is computed anywhere, and the processors' own.
        let mut first = vec![u32::MAX; self.graph.tasks()];
        let mut own = vec![false; self.finish.len()];
        let mut now = vec![0; self.processors];
        let mut supersteps: Vec<Vec<Vec<u32>>> = Vec::new();
        for &(task, processor) in &self.log {
            let at = processor as usize;
            for &value in self.graph.predecessors(task) {
                if !own[value as usize * self.processors + at] {
                    now[at] = now[at].max(first[value as usize] + 1);
                }
            }
            own[task as usize * self.processors + at] = true;
            first[task as usize] = first[task as usize].min(now[at]);
            let superstep = now[at] as usize;
            if superstep >= supersteps.len() {
                supersteps.resize(superstep + 1, vec![Vec::new(); self.processors]);
            }
            supersteps[superstep][at].push(task);
        }
        Schedule::from_lists(self.processors as u32, supersteps)
    }
}

/// Returns the work on the heaviest path from each task to an output, its own included: list
/// schedulers call it the task's level.
pub(super) fn heaviest_paths(graph: &Dag) -> Vec<u64> {
    let deadline = graph.total_work();
    let finishes = latest_finishes(graph, deadline).into_iter().zip(0..);
    finishes
        .map(|(finish, task)| deadline - finish + u64::from(graph.weight(task)))
        .collect()
}
