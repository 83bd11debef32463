//! Optimum for complete binary trees and as many processors as wanted: exact.

use superstep_scheduler::tree::{At, TreeSchedule, sequential};

/// Optimal schedules of all complete binary trees up to a height.
///
/// In a tree computing something twice gains nothing, and the tasks of a processor may be taken to
/// hang together. So the root's processor runs a top part of the tree, its *cluster*. Each subtree
/// that hangs from it is scheduled optimally on its own and arrives a delay after its root. A
/// cluster that is done at time T has few tasks above tall subtrees. For every k at most
/// `T - arrival(k)` of its tasks lie above hanging subtrees of height k or more. The tallest are
/// packed to the left, as many as fit, then the next. T is found by bisection. Cost: height^3 times
/// log of the makespan.
///
/// ```
/// use superstep_search::tree::Optimum;
///
/// let optimum = Optimum::new(13, 8060);
/// assert_eq!(optimum.start(13), 8084); // ALG1: 8186
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Optimum {
    tau: u64,
    /// Trees by height, that of height 1 first.
    trees: Vec<Packing>,
}

/// Packing of the subtrees that hang from the cluster of a tree.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Packing {
    /// Time at which the root has been computed.
    makespan: u64,
    /// Number of leaves that lie below hanging subtrees of height k or more, for each height k from
    /// 0; non-increasing. The first is as the second.
    hanging: Vec<u64>,
}

impl Optimum {
    /// Plans all heights from 1 to `height` under a delay of `tau` tasks.
    ///
    /// # Panics
    /// When `height` is more than 62.
    pub fn new(height: u32, tau: u64) -> Self {
        assert!(height <= 62, "a tree of {height} levels has too many tasks");
        let mut optimum = Self {
            tau,
            trees: Vec::new(),
        };
        for h in 1..=height {
            let (mut low, mut high) = (u64::from(h) - 1, sequential(h));
            // `high` can be reached, `low` cannot.
            while high - low > 1 {
                let middle = low.midpoint(high);
                if optimum.pack(h, middle).is_some() {
                    high = middle;
                } else {
                    low = middle;
                }
            }
            let hanging = optimum.pack(h, high);
            let hanging = hanging.expect("one processor needs as long as there are tasks");
            optimum.trees.push(Packing {
                makespan: high,
                hanging,
            });
        }
        optimum
    }

    /// Returns the time at which the root of the tree of that height starts.
    ///
    /// # Panics
    /// When the height is 0 or was not planned.
    pub fn start(&self, height: u32) -> u64 {
        self.tree(height).makespan - 1
    }

    /// Returns the number of processors that the tree of that height takes.
    ///
    /// # Panics
    /// As [`start`](Self::start).
    pub fn processors(&self, height: u32) -> u64 {
        let mut processors: Vec<u64> = Vec::new();
        for packing in &self.trees[..height as usize] {
            let mut count = 1;
            for k in 1..packing.hanging.len() - 1 {
                let leaves = packing.hanging[k] - packing.hanging[k + 1];
                count += (leaves >> (k - 1)) * processors[k - 1];
            }
            processors.push(count);
        }
        processors[height as usize - 1]
    }

    /// Returns the schedule of the tree of that height. Linear in its tasks, but for the sort of
    /// each height's cluster.
    ///
    /// # Panics
    /// When the height was not planned or is more than 30.
    pub fn schedule(&self, height: u32) -> TreeSchedule {
        let mut schedule = TreeSchedule::new(height, self.tau);
        let clusters: Vec<Cluster> = (1..=height).map(|h| self.cluster(h)).collect();
        let supersteps = supersteps(&clusters);
        let mut trees = vec![(1, height)];
        let mut processor = 0;
        while let Some((root, height)) = trees.pop() {
            let cluster = &clusters[height as usize - 1];
            let mut at = At::default();
            for task in &cluster.tasks {
                at.start = at.start.max(task.release);
                if task.above > 0 {
                    at.superstep = at.superstep.max(supersteps[task.above as usize - 1] + 1);
                }
                schedule.place(below(root, task.heap_id), 1, processor, at);
                at.start += 1;
            }
            let hanging = cluster.hanging.iter().rev();
            trees.extend(hanging.map(|&(heap_id, height)| (below(root, heap_id), height)));
            processor += 1;
        }
        schedule
    }

    fn tree(&self, height: u32) -> &Packing {
        &self.trees[height as usize - 1]
    }

    /// Returns the time at which the result of a hanging subtree of that height arrives.
    fn arrival(&self, height: u32) -> u64 {
        self.tree(height).makespan + self.tau
    }

    /// Packs the subtrees that hang from the cluster of a tree of `height` levels that is done at
    /// `makespan`; `None`: no cluster is.
    fn pack(&self, height: u32, makespan: u64) -> Option<Vec<u64>> {
        let mut hanging = vec![0; height as usize + 1];
        for k in (1..height).rev() {
            let taller = hanging[k as usize + 1];
            hanging[k as usize] = match makespan.checked_sub(self.arrival(k)) {
                None => taller,
                Some(room) => {
                    let fits = |leaves| above(&hanging, k, height, leaves) <= room;
                    let (mut low, mut high) = (taller >> (k - 1), (1 << (height - k)) + 1);
                    while high - low > 1 {
                        let middle = low.midpoint(high);
                        if fits(middle << (k - 1)) {
                            low = middle;
                        } else {
                            high = middle;
                        }
                    }
                    low << (k - 1)
                }
            };
        }
        let nodes = |j: u32| (1 << (height - j)) - (hanging[j as usize] >> (j - 1));
        let cluster: u64 = (1..=height).map(nodes).sum();
        hanging[0] = hanging[1];
        (cluster <= makespan).then_some(hanging)
    }

    /// Returns the cluster of the tree of that height.
    fn cluster(&self, height: u32) -> Cluster {
        let packing = self.tree(height);
        let mut tasks = Vec::new();
        let mut hanging = Vec::new();
        for k in 1..=height {
            let subtrees = packing.hanging[k as usize] >> (k - 1);
            let first = 1 << (height - k);
            for place in subtrees..first {
                // The leftmost leaf lies below the tallest hanging subtree.
                let leaf = place << (k - 1);
                let above = (1..k).rev().find(|&h| packing.hanging[h as usize] > leaf);
                tasks.push(ClusterTask {
                    heap_id: (first + place) as u32,
                    above: above.unwrap_or(0),
                    release: above.map_or(0, |h| self.arrival(h)),
                });
            }
            if k < height {
                let taller = packing.hanging[k as usize + 1] >> (k - 1);
                hanging.extend((taller..subtrees).map(|place| ((first + place) as u32, k)));
            }
        }
        // Tasks were found from the lowest level up.
        tasks.sort_by_key(|task| task.release);
        hanging.sort_unstable();
        Cluster { tasks, hanging }
    }
}

/// Returns the number of tasks of the cluster above a hanging subtree of height `k` or more, if
/// those cover that many leaves.
fn above(hanging: &[u64], k: u32, height: u32, leaves: u64) -> u64 {
    let of_level = |j: u32| leaves.div_ceil(1 << (j - 1)) - (hanging[j as usize] >> (j - 1));
    (k + 1..=height).map(of_level).sum()
}

/// Cluster: the tasks that run where the root does.
struct Cluster {
    /// Tasks in the order in which they run.
    tasks: Vec<ClusterTask>,
    /// Heap ids and heights of the subtrees that hang from it.
    hanging: Vec<(u32, u32)>,
}

struct ClusterTask {
    heap_id: u32,
    /// Height of the tallest hanging subtree below it; 0: there is none.
    above: u32,
    /// Time at which that arrives.
    release: u64,
}

/// Returns the last superstep of each height's schedule.
fn supersteps(clusters: &[Cluster]) -> Vec<u32> {
    let mut supersteps: Vec<u32> = Vec::new();
    for cluster in clusters {
        let hanging = cluster.hanging.iter();
        let last = hanging.map(|&(_, height)| supersteps[height as usize - 1] + 1);
        supersteps.push(last.max().unwrap_or(0));
    }
    supersteps
}

/// Returns the heap id in a tree of the task at `heap_id` in the subtree below `root`.
fn below(root: u32, heap_id: u32) -> u32 {
    let depth = heap_id.ilog2();
    (root << depth) + (heap_id - (1 << depth))
}
