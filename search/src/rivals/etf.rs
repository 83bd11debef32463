//! ETF: earliest task first.

use std::{cmp::Reverse, collections::BinaryHeap};

use superstep_dag::Dag;
use superstep_machine::Machine;
use superstep_schedule::Schedule;

use super::timeline::{Timeline, heaviest_paths};
use superstep_scheduler::{ScheduleError, Scheduler, serves};

/// ETF: of all tasks that are ready and all processors, the pair that can start first is taken. Of
/// several it is the task with the heaviest path to an output.
///
/// After J.-J. Hwang, Y.-C. Chow, F. D. Anger and C.-Y. Lee, *Scheduling precedence graphs in
/// systems with interprocessor communication times* (1989). Values take `latency + gap x words`
/// between processors. No copies. Cost: n log n times the mean number of processors that hold a
/// task's inputs, and a look at each processor for each task.
///
/// ```
/// use superstep_graphs::generate;
/// use superstep_machine::Machine;
/// use superstep_schedule::CheckedSchedule;
/// use superstep_scheduler::Scheduler;
/// use superstep_search::rivals::Etf;
///
/// let graph = generate::lu(8)?;
/// let machine = Machine { latency: 20.0, ..Machine::new(4) };
/// CheckedSchedule::new(&graph, Etf.schedule(&graph, &machine)?)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Etf;

impl Scheduler for Etf {
    fn name(&self) -> &'static str {
        "etf"
    }

    fn schedule(&self, graph: &Dag, machine: &Machine) -> Result<Schedule, ScheduleError> {
        serves(self, machine, Schedule::MOST_PROCESSORS)?;
        let mut etf = State::new(graph, machine);
        while let Some((task, processor)) = etf.next() {
            etf.run(task, processor);
        }
        Ok(etf.timeline.into_schedule())
    }
}

/// Pool of tasks that one may start: by arrival of their values, or by path once those are there.
#[derive(Clone, Default)]
struct Pool {
    later: BinaryHeap<Reverse<(Time, u32)>>,
    now: BinaryHeap<(u64, Reverse<u32>)>,
}

/// Time as a key: times are not negative, and the bits of such numbers are in order.
type Time = u64;

/// State of the algorithm.
struct State<'a> {
    timeline: Timeline<'a>,
    paths: Vec<u64>,
    /// Predecessors of each task that have not run.
    waiting: Vec<u32>,
    done: Vec<bool>,
    /// Pools of the tasks of which a processor holds a value, for each processor; and of all tasks.
    own: Vec<Pool>,
    all: Pool,
}

impl<'a> State<'a> {
    fn new(graph: &'a Dag, machine: &'a Machine) -> Self {
        let tasks = 0..graph.tasks() as u32;
        let waiting = tasks
            .clone()
            .map(|task| graph.predecessors(task).len() as u32);
        let mut state = Self {
            timeline: Timeline::new(graph, machine),
            paths: heaviest_paths(graph),
            waiting: waiting.collect(),
            done: vec![false; graph.tasks()],
            own: vec![Pool::default(); machine.processors as usize],
            all: Pool::default(),
        };
        for task in tasks {
            if state.waiting[task as usize] == 0 {
                state.all.later.push(Reverse((0, task)));
            }
        }
        state
    }

    /// Returns the task and the processor that can start first.
    fn next(&mut self) -> Option<(u32, usize)> {
        let Self {
            timeline,
            paths,
            done,
            own,
            all,
            ..
        } = self;
        let idle = (0..timeline.processors)
            .min_by(|&a, &b| timeline.free[a].total_cmp(&timeline.free[b]))?;
        let pools = own.iter_mut().enumerate().chain([(idle, all)]);
        let found = pools.filter_map(|(processor, pool)| {
            let (start, task) = pool.first(timeline.free[processor], paths, done)?;
            Some((start, Reverse(paths[task as usize]), task, processor))
        });
        let (_, _, task, processor) = found.min()?;
        Some((task, processor))
    }

    fn run(&mut self, task: u32, processor: usize) {
        let from = self.timeline.placed();
        self.timeline.place(task, processor);
        self.timeline.publish(from);
        self.done[task as usize] = true;
        let graph = self.timeline.graph;
        for &reader in graph.successors(task) {
            self.waiting[reader as usize] -= 1;
            if self.waiting[reader as usize] == 0 {
                self.offer(reader);
            }
        }
    }

    /// Takes in a task whose values are all computed.
    fn offer(&mut self, task: u32) {
        let values = self.timeline.graph.predecessors(task);
        let latest = |arrival: &dyn Fn(u32) -> f64| {
            let arrivals = values.iter().map(|&value| arrival(value));
            arrivals.fold(0.0, f64::max).to_bits()
        };
        let everywhere = latest(&|value| self.timeline.arrival_anywhere(value));
        self.all.later.push(Reverse((everywhere, task)));
        for processor in 0..self.timeline.processors {
            if values
                .iter()
                .any(|&value| self.timeline.computes(processor, value))
            {
                let here = latest(&|value| self.timeline.arrival(value, processor));
                self.own[processor].later.push(Reverse((here, task)));
            }
        }
    }
}

impl Pool {
    /// Returns the task that a processor that is free from then on can start first, and the time.
    fn first(&mut self, free: f64, paths: &[u64], done: &[bool]) -> Option<(Time, u32)> {
        let free = free.to_bits();
        while let Some(&Reverse((arrival, task))) = self.later.peek()
            && (arrival <= free || done[task as usize])
        {
            self.later.pop();
            self.now.push((paths[task as usize], Reverse(task)));
        }
        while let Some(&(_, Reverse(task))) = self.now.peek() {
            if !done[task as usize] {
                return Some((free, task));
            }
            self.now.pop();
        }
        self.later
            .peek()
            .map(|&Reverse((arrival, task))| (arrival, task))
    }
}
