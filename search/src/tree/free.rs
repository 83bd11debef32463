//! Reductions that may be re-associated: any operands may be combined first, as long as their order
//! stays.

use superstep_dag::Dag;
use superstep_reduction::postal::{self, reach};

use super::{Entry, Timetable};

/// Reduction of operands by a tree of its own shape instead of a complete one.
///
/// Every processor combines operands of its own. Then it takes in one result of another after the
/// other, each of which has arrived just in time. So one more processor is of use for each that was
/// of use tau + 1 earlier, seen from the end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FreeTree {
    operands: u64,
    tau: u64,
    makespan: u64,
    processors: u64,
    /// Most operands of a processor; `None`: each as many as suit it.
    block: Option<u64>,
}

impl FreeTree {
    /// Returns the optimum with operands placed freely: NKF for as many processors as wanted
    /// (thesis, section 4.1), the LogP-optimal summation for a limited number (Karp, Sahay, Santos
    /// and Schauser 1993).
    ///
    /// Cost: one step for each unit of the makespan in which the number of busy processors changes.
    ///
    /// # Panics
    /// Without operands or processors, as [`equal_blocks`](Self::equal_blocks).
    ///
    /// ```
    /// use superstep_search::tree::FreeTree;
    ///
    /// let nkf = FreeTree::placed_freely(16, 2, u64::MAX);
    /// assert_eq!((nkf.makespan(), nkf.processors()), (7, 4)); // figure 4.3
    /// ```
    pub fn placed_freely(operands: u64, tau: u64, processors: u64) -> Self {
        assert!(operands > 0 && processors > 0, "no operands or processors");
        let (mut makespan, mut left) = (0, operands - 1);
        // At distance t from the end, reach(t) processors combine at once.
        let mut busy = reach(tau);
        while left > 0 {
            let now = busy.next().unwrap_or(u64::MAX).min(processors);
            // Nothing changes any more, or not before tau.
            let steps = if now == processors {
                left.div_ceil(now)
            } else {
                1
            };
            left = left.saturating_sub(now.saturating_mul(steps));
            makespan += steps;
        }
        let mut tree = Self {
            operands,
            tau,
            makespan,
            processors: 0,
            block: None,
        };
        tree.processors = tree.needed(processors);
        tree
    }

    /// Returns the fastest tree on exactly that many processors with equal blocks of operands: each
    /// combines its own, then a postal tree combines the results.
    ///
    /// ```
    /// use superstep_search::tree::FreeTree;
    ///
    /// assert_eq!(FreeTree::equal_blocks(1 << 20, 10, 100).makespan(), 10518);
    /// ```
    pub fn equal_blocks(operands: u64, tau: u64, processors: u64) -> Self {
        assert!(operands > 0 && processors > 0, "no operands or processors");
        let processors = processors.min(operands);
        let block = operands.div_ceil(processors);
        Self {
            operands,
            tau,
            makespan: block - 1 + postal::time(processors, tau),
            processors,
            block: Some(block),
        }
    }

    /// Returns the best of [`equal_blocks`](Self::equal_blocks) for up to that many processors:
    /// with a long delay fewer are faster.
    pub fn best_equal_blocks(operands: u64, tau: u64, processors: u64) -> Self {
        let processors = processors.min(operands);
        let mut best = Self::equal_blocks(operands, tau, 1);
        for (time, reached) in reach(tau).enumerate().skip(tau as usize + 1) {
            if time as u64 >= best.makespan {
                break;
            }
            let tree = Self::equal_blocks(operands, tau, reached.min(processors));
            if tree.makespan < best.makespan {
                best = tree;
            }
            if reached >= processors {
                break;
            }
        }
        best
    }

    /// Returns the time at which the result is there.
    pub fn makespan(&self) -> u64 {
        self.makespan
    }

    /// Returns the number of processors that it takes.
    pub fn processors(&self) -> u64 {
        self.processors
    }

    /// Returns the number of processors that could be of use: that have any time left when all have
    /// been started as early as possible. NKF as published takes them all, however little each
    /// does.
    pub fn processors_with_any_time(&self) -> u64 {
        let last = usize::try_from(self.makespan.saturating_sub(1)).unwrap_or(usize::MAX);
        reach(self.tau).nth(last).unwrap_or(u64::MAX)
    }

    /// Returns the processors needed to be done in the makespan, of those that there are: the ones
    /// with most time are taken first.
    fn needed(&self, most: u64) -> u64 {
        let (mut needed, mut before, mut left) = (1, 1, self.operands - 1);
        left = left.saturating_sub(self.makespan);
        for (distance, reached) in (0..self.makespan).zip(reach(self.tau)) {
            if left == 0 || needed == most {
                break;
            }
            let time = self.makespan - distance;
            let more = (reached - before)
                .min(most - needed)
                .min(left.div_ceil(time));
            needed += more;
            left = left.saturating_sub(more.saturating_mul(time));
            before = reached;
        }
        needed
    }

    /// Returns the tree as a task graph, with the time and the processor of each task. A task is a
    /// combination, an edge a result that it reads; operands are not tasks. Linear in the operands.
    ///
    /// # Panics
    /// For 2^31 operands and more.
    pub fn schedule(&self) -> (Dag, Timetable) {
        let tasks = u32::try_from(self.operands - 1).expect("task ids have 31 bits");
        let members = self.members();
        let mut edges = Vec::with_capacity(tasks as usize);
        let mut entries = Vec::with_capacity(tasks as usize);
        // Results that a member takes in: the time, and the task of each. Members come after those
        // that take in theirs.
        let mut results: Vec<Vec<(u64, u32)>> = vec![Vec::new(); members.len()];
        let mut task = 0;
        for (processor, member) in (0..members.len() as u32).zip(&members).rev() {
            let first = task;
            let mut combine = |start, taken: Option<u32>| {
                edges.extend((task > first).then(|| (task - 1, task)));
                edges.extend(taken.map(|result| (result, task)));
                entries.push(Entry {
                    task,
                    processor,
                    start,
                });
                task += 1;
            };
            (member.start..member.start + member.own).for_each(|start| combine(start, None));
            let taken = std::mem::take(&mut results[processor as usize]);
            for (start, result) in taken {
                combine(start, (result != u32::MAX).then_some(result));
            }
            if let Some(parent) = member.parent {
                let arrives = self.makespan - member.distance + self.tau;
                // A member with one operand and nothing taken in sends that.
                let result = if task > first { task - 1 } else { u32::MAX };
                results[parent as usize].push((arrives, result));
            }
        }
        let graph = Dag::from_edges(tasks as usize, &edges);
        (
            graph.expect("results are read by later tasks"),
            Timetable::new(entries),
        )
    }

    /// Returns the processors, each after its parent.
    fn members(&self) -> Vec<Member> {
        let members = postal::members(self.processors, self.tau);
        let mut taken = vec![0; members.len()];
        for member in &members[1..] {
            taken[member.parent.unwrap_or(0) as usize] += 1;
        }
        let mut left = self.operands;
        let member = |(index, member): (usize, &postal::Member)| {
            let after = self.processors - index as u64 - 1;
            let (start, own) = match self.block {
                Some(block) => (0, block.min(left - after) - 1),
                None => {
                    let time = self.makespan - member.distance - taken[index];
                    let own = time.min(left - after - 1);
                    (time - own, own)
                }
            };
            left -= own + 1;
            Member {
                parent: member.parent,
                distance: member.distance,
                start,
                own,
            }
        };
        members.iter().enumerate().map(member).collect()
    }
}

/// Processor of a free tree.
struct Member {
    /// Processor that takes in its result.
    parent: Option<u32>,
    /// Time before the end at which that result is ready.
    distance: u64,
    /// Time at which it starts to combine operands of its own.
    start: u64,
    /// Number of combinations of its own operands.
    own: u64,
}
