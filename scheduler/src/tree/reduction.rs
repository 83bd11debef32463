//! Reduction trees of any shape and weights: blocks of neighbours for each processor, then what is
//! above them.

use superstep_dag::Dag;
use superstep_machine::Machine;
use superstep_schedule::Schedule;
use superstep_tuning::tuned;

use crate::{ScheduleError, Scheduler, serves};

/// Scheduler of reductions: graphs in which no value is read twice (in-forests), of any weights,
/// number of predecessors and number of trees.
///
/// It has the idea of [ALG3*](super::Alg3Star) without its conditions: each processor gets a block
/// of neighbours and computes every subtree that lies in its block. The part above follows a delay
/// later, on one processor or, again in blocks, on fewer of them. Of all numbers of processors that
/// come from halving the machine's, in each round, it takes the fastest by the
/// [makespan](superstep_schedule::cost::makespan()). Nothing is copied.
///
/// Complete trees of equal tasks are cut where subtrees end, as ALG3* does. A kernel's `#[reduce]`
/// loops give such graphs if nothing else in the kernel reads what they read. In a conjugate
/// gradient step sums and updates read the vectors: there other schedulers see more.
///
/// Cost: for each number of processors three passes over the tasks, 20 bytes per task.
///
/// ```
/// use superstep_dag::Dag;
/// use superstep_machine::Machine;
/// use superstep_schedule::cost::makespan;
/// use superstep_scheduler::{Scheduler, tree::Reduction};
///
/// // Three blocks, the last one shorter, and what combines them.
/// let edges = [(0, 2), (1, 2), (2, 4), (3, 4)];
/// let graph = Dag::from_edges(5, &edges).unwrap().with_weights(vec![500, 500, 1, 300, 1]).unwrap();
/// let machine = Machine { tau: Some(100.0), ..Machine::new(3) };
/// let schedule = Reduction.schedule(&graph, &machine)?;
/// assert_eq!(makespan(&graph, &schedule, 100.0), 602.0);
/// # Ok::<(), superstep_scheduler::ScheduleError>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Reduction;

impl Scheduler for Reduction {
    fn name(&self) -> &'static str {
        "reduction"
    }

    fn schedule(&self, graph: &Dag, machine: &Machine) -> Result<Schedule, ScheduleError> {
        serves(self, machine, Schedule::MOST_PROCESSORS)?;
        let algorithm = self.name();
        let forest = Forest::of(graph).ok_or(ScheduleError::NoForest { algorithm })?;
        let (rounds, _) = forest.rounds(machine.processors, machine.tau());
        Ok(forest.schedule(&rounds, machine.processors))
    }
}

/// Rest of a forest, in an order in which every subtree is contiguous and ends with its root.
struct Forest {
    tasks: Vec<u32>,
    /// Work of the first tasks, up to each: one entry more than tasks.
    work: Vec<u64>,
    /// Number of tasks of each subtree.
    sizes: Vec<u32>,
}

/// Superstep: a block for each of some processors.
struct Round {
    /// Position where each block ends and the next one begins.
    ends: Vec<usize>,
    /// Tasks that are not run, since their subtrees begin in other blocks: ascending.
    left: Vec<u32>,
}

tuned! {
    /// Parts of a block by which it may be longer or shorter than its share, so that it ends where
    /// a large subtree ends.
    const TOLERANCES: [Option<u64>; 3] = [None, Some(64), Some(8)], off [None; 3];
}

impl Forest {
    /// Returns the forest, if `graph` is one.
    fn of(graph: &Dag) -> Option<Self> {
        let count = graph.tasks() as u32;
        if (0..count).any(|task| graph.successors(task).len() > 1) {
            return None;
        }
        // From the last root to the first leaf, then turned round: predecessors end up before their
        // task, in the order of their ids.
        let mut tasks = Vec::with_capacity(graph.tasks());
        let mut stack = Vec::new();
        for root in (0..count)
            .rev()
            .filter(|&task| graph.successors(task).is_empty())
        {
            stack.push(root);
            while let Some(task) = stack.pop() {
                tasks.push(task);
                stack.extend(graph.predecessors(task));
            }
        }
        tasks.reverse();
        let mut sizes = vec![1; tasks.len()];
        let mut work = vec![0];
        for at in 0..tasks.len() {
            for _ in graph.predecessors(tasks[at]) {
                let child = at - sizes[at] as usize;
                sizes[at] += sizes[child];
            }
            work.push(work[at] + u64::from(graph.weight(tasks[at])));
        }
        Some(Self { tasks, work, sizes })
    }

    /// Returns the fastest rounds for up to that many processors, and their makespan.
    fn rounds(&self, processors: u32, tau: f64) -> (Vec<Round>, f64) {
        let all = Round {
            ends: vec![self.tasks.len()],
            left: Vec::new(),
        };
        let mut best = (vec![all], self.total() as f64);
        let mut active = processors;
        while active > 1 {
            for tolerance in TOLERANCES.get() {
                let (round, load) = self.round(active, tolerance);
                let so_far = load as f64 + tau;
                if so_far >= best.1 {
                    continue;
                }
                let (above, rest) = self.left(&round).rounds(active / 2, tau);
                if so_far + rest < best.1 {
                    let rounds = std::iter::once(round).chain(above);
                    best = (rounds.collect(), so_far + rest);
                }
            }
            active /= 2;
        }
        best
    }

    fn total(&self) -> u64 {
        self.work.last().copied().unwrap_or(0)
    }

    /// Returns blocks for that many processors, and the largest load.
    fn round(&self, processors: u32, tolerance: Option<u64>) -> (Round, u64) {
        let share = self.share(processors);
        let slack = tolerance.map_or(0, |part| share / part);
        let mut ends = Vec::new();
        let mut left = Vec::new();
        let mut largest = 0;
        let mut start = 0;
        for _ in 0..processors {
            let to = |load| self.to(start, load);
            let last = ends.len() + 1 == processors as usize;
            let end = if last || to(share + slack) == self.tasks.len() {
                self.tasks.len()
            } else {
                self.end_of_subtree(to(share - slack).max(start + 1), to(share + slack))
            };
            let mut load = self.work[end] - self.work[start];
            for at in start..end {
                if at + 1 - (self.sizes[at] as usize) < start {
                    left.push(at as u32);
                    load -= self.work[at + 1] - self.work[at];
                }
            }
            largest = load.max(largest);
            ends.push(end);
            start = end;
        }
        (Round { ends, left }, largest)
    }

    /// Returns the least load with which so many blocks of neighbours hold all tasks.
    fn share(&self, processors: u32) -> u64 {
        let holds =
            |load| (0..processors).fold(0, |start, _| self.to(start, load)) == self.tasks.len();
        let (mut low, mut high) = (0, self.total());
        while low < high {
            let middle = low.midpoint(high);
            if holds(middle) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        low
    }

    /// Returns the end of the longest block from `start` on that is no heavier than `load`.
    fn to(&self, start: usize, load: u64) -> usize {
        let most = self.work[start] + load;
        self.work.partition_point(|&work| work <= most) - 1
    }

    /// Returns the end, of those in this range, behind the largest subtree.
    fn end_of_subtree(&self, first: usize, last: usize) -> usize {
        let size = |&end: &usize| end.checked_sub(1).map_or(0, |at| self.sizes[at]);
        (first..=last).max_by_key(size).unwrap_or(last)
    }

    /// Returns the tasks that are left after a round.
    fn left(&self, round: &Round) -> Self {
        let mut tasks = Vec::with_capacity(round.left.len());
        let mut sizes = Vec::with_capacity(round.left.len());
        let mut work = vec![0];
        for (index, &at) in round.left.iter().enumerate() {
            let at = at as usize;
            let first = (at + 1 - self.sizes[at] as usize) as u32;
            let before = round.left.partition_point(|&other| other < first);
            tasks.push(self.tasks[at]);
            sizes.push((index + 1 - before) as u32);
            work.push(work[index] + self.work[at + 1] - self.work[at]);
        }
        Self { tasks, work, sizes }
    }

    /// Schedules the tasks of each block, in one superstep for each round.
    fn schedule(self, rounds: &[Round], processors: u32) -> Schedule {
        let mut schedule = Schedule::new(processors);
        let mut forest = self;
        // Owners of the last operands of the tasks that are left.
        let mut operands = Vec::new();
        for round in rounds {
            let owners = round.owners(&operands, processors);
            let mut lists = vec![Vec::new(); processors as usize];
            let mut left = round.left.iter().peekable();
            let mut later = Vec::with_capacity(round.left.len());
            let (mut block, mut last) = (0, 0);
            for (at, &task) in forest.tasks.iter().enumerate() {
                while round.ends[block] <= at {
                    block += 1;
                }
                if left.next_if_eq(&&(at as u32)).is_none() {
                    lists[owners[block] as usize].push(task);
                    last = owners[block];
                } else {
                    later.push(last);
                }
            }
            for list in lists {
                schedule.push(list);
            }
            forest = forest.left(round);
            operands = later;
        }
        schedule
    }
}

impl Round {
    /// Returns the processor of each block: that of the last operand of its first task, if no other
    /// block has that one.
    fn owners(&self, operands: &[u32], processors: u32) -> Vec<u32> {
        let blocks = self.ends.len() as u32;
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        let mut next = 0;
        let owner = |(block, start): (u32, usize)| {
            let wanted = operands.get(start).copied().unwrap_or(0);
            let owner = wanted.max(next).min(processors - (blocks - block));
            next = owner + 1;
            owner
        };
        (0..blocks).zip(starts).map(owner).collect()
    }
}
