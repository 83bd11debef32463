//! PY: Papadimitriou and Yannakakis (1990) on complete binary trees (thesis, section 4.1).

use superstep_scheduler::tree::{At, TreeSchedule, sequential};

use super::{Entry, Timetable, alg2::place_layers, arithmetic::levels_within, bounds::e};

/// PY's schedule without its recomputations: the tree cut every U = floor(log2(tau + 2)) levels,
/// from the root as the thesis says.
///
/// The makespan would be the same with the short layer at the root; the number of processors is up
/// to ten times lower there.
///
/// ```
/// use superstep_search::tree::Py;
///
/// let py = Py::new(3, 5);
/// assert_eq!((py.start(), py.processors(), py.processors_cut_from_leaves()), (8, 4, 2));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Py {
    height: u32,
    tau: u64,
}

impl Py {
    /// Plans a tree of `height` levels under a delay of `tau` tasks.
    ///
    /// # Panics
    /// When `height` is 0 or more than 62.
    pub fn new(height: u32, tau: u64) -> Self {
        assert!((1..=62).contains(&height), "a tree has 1 to 62 levels");
        Self { height, tau }
    }

    /// Returns the time at which the root starts.
    pub fn start(&self) -> u64 {
        let full = levels_within(self.tau);
        let (cuts, rest) = ((self.height - 1) / full, (self.height - 1) % full + 1);
        u64::from(cuts) * (sequential(full.min(self.height)) + self.tau) + sequential(rest) - 1
    }

    /// Returns the number of processors that it takes: one for each piece of the leaf layer.
    pub fn processors(&self) -> u64 {
        1 << (self.height - self.leaves())
    }

    /// Returns the number of processors that it would take with the short layer at the root.
    pub fn processors_cut_from_leaves(&self) -> u64 {
        1 << self.height.saturating_sub(levels_within(self.tau))
    }

    /// Returns the schedule. Pieces are computed from right to left, as in figure 4.2. Linear in
    /// its tasks.
    ///
    /// # Panics
    /// For more than 30 levels.
    pub fn schedule(&self) -> TreeSchedule {
        let mut schedule = TreeSchedule::from_right_to_left(self.height, self.tau);
        let layers = (self.height - self.leaves()) / levels_within(self.tau);
        let heights = (0..=layers).map(|layer| {
            if layer < layers {
                levels_within(self.tau)
            } else {
                self.leaves()
            }
        });
        place_layers(1, heights, self.tau, 0, At::default(), &mut schedule);
        schedule
    }

    /// Returns PY as it was published (figure 4.1). Every task v runs on a processor of its own at
    /// time 2 e(v), its first tau descendants computed again just before it. For comparison; it
    /// holds up to tau + 1 copies of a task.
    ///
    /// # Panics
    /// For more than 30 levels, or 2^32 - 1 copies.
    pub fn as_published(&self) -> Timetable {
        assert!(self.height <= 30, "task ids have 31 bits");
        let mut entries = Vec::new();
        for task in 1..1u32 << self.height {
            let height = self.height - task.ilog2();
            let start = 2 * e(height, self.tau);
            let again = (sequential(height) - 1).min(self.tau);
            for (before, copy) in (0..=again).zip(descendants(task)) {
                entries.push(Entry {
                    task: copy - 1,
                    processor: task - 1,
                    start: start - before,
                });
            }
        }
        Timetable::new(entries)
    }

    /// Returns the levels of the leaf layer.
    fn leaves(&self) -> u32 {
        (self.height - 1) % levels_within(self.tau) + 1
    }
}

/// Returns the heap ids of a task and all below it, level by level.
fn descendants(task: u32) -> impl Iterator<Item = u32> {
    (0..u32::BITS).flat_map(move |depth| (0..1 << depth).map(move |i| (task << depth) + i))
}
