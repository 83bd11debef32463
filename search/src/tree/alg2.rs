//! ALG2 (thesis, section 4.4): layers of nearly equal height.

use superstep_scheduler::tree::{At, TreeSchedule, sequential};

/// ALG2's schedule: the tree cut into layers of nearly equal height, the taller ones at the leaves.
/// Each piece of the leaf layer has a processor, and every piece above is on its leftmost child's
/// processor.
///
/// Of several numbers of layers that are equally fast it takes the smallest, which has the fewest
/// processors. Cost: quadratic in the height, as it tries all numbers of layers.
///
/// ```
/// use superstep_search::tree::Alg2;
///
/// let alg2 = Alg2::new(17, 254);
/// assert_eq!(alg2.layers().collect::<Vec<_>>(), [5, 6, 6]);
/// assert_eq!(alg2.makespan(), 31 + 254 + 63 + 254 + 63);
/// assert_eq!(alg2.processors(), 1 << 11);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Alg2 {
    height: u32,
    tau: u64,
    layers: u32,
}

impl Alg2 {
    /// Plans a tree of `height` levels under a delay of `tau` tasks.
    ///
    /// # Panics
    /// When `height` is 0 or more than 62.
    pub fn new(height: u32, tau: u64) -> Self {
        assert!((1..=62).contains(&height), "a tree has 1 to 62 levels");
        let with = |layers| Self {
            height,
            tau,
            layers,
        };
        // Layers of one level each, `height` of them, are faster only without a delay.
        (1..=height.saturating_sub(1).max(1))
            .map(with)
            .min_by_key(|alg2| (alg2.makespan(), alg2.layers))
            .expect("one layer is tried")
    }

    /// Returns the tree as one layer, which one processor computes.
    pub(super) fn on_one_processor(height: u32, tau: u64) -> Self {
        Self {
            height,
            tau,
            layers: 1,
        }
    }

    /// Returns the heights of the layers, the root's first.
    pub fn layers(&self) -> impl DoubleEndedIterator<Item = u32> + ExactSizeIterator + Clone {
        let (low, tall) = (self.height / self.layers, self.height % self.layers);
        let short = (self.layers - tall) as usize;
        (0..self.layers as usize).map(move |layer| low + u32::from(layer >= short))
    }

    /// Returns the time at which the root has been computed.
    pub fn makespan(&self) -> u64 {
        self.layers().map(sequential).sum::<u64>() + u64::from(self.layers - 1) * self.tau
    }

    /// Returns the number of processors that it takes: a power of two.
    pub fn processors(&self) -> u64 {
        let leaf_layer = self.height.div_ceil(self.layers);
        1 << (self.height - leaf_layer)
    }

    /// Returns the schedule. Linear in its tasks.
    ///
    /// # Panics
    /// For more than 30 levels.
    pub fn schedule(&self) -> TreeSchedule {
        let mut schedule = TreeSchedule::new(self.height, self.tau);
        self.place(1, 0, At::default(), &mut schedule);
        schedule
    }

    /// Places the tree below `root`, a heap id, on the processors from `processor` on; returns its
    /// last superstep.
    pub(super) fn place(
        &self,
        root: u32,
        processor: u32,
        at: At,
        schedule: &mut TreeSchedule,
    ) -> u32 {
        place_layers(root, self.layers(), self.tau, processor, at, schedule)
    }
}

/// Places a tree that is cut into layers, the root's height first, below `root` on the processors
/// from `processor` on; returns its last superstep.
///
/// Each layer is a superstep. The lowest begins at `at`, each other one tau after the end of that
/// below. Pieces of a layer are told by their roots' heap ids: `i` reads `2 i` and `2 i + 1`.
pub(super) fn place_layers(
    root: u32,
    layers: impl DoubleEndedIterator<Item = u32> + Clone,
    tau: u64,
    processor: u32,
    at: At,
    schedule: &mut TreeSchedule,
) -> u32 {
    let total: u32 = layers.clone().sum();
    let leaves = layers.clone().next_back().unwrap_or(0);
    let mut next = at;
    let mut depth = total;
    for height in layers.rev() {
        depth -= height;
        // The leftmost piece of the leaf layer below a piece gives it its processor.
        let below = total - leaves - depth;
        for piece in 0..1 << depth {
            let on = processor + (piece << below);
            schedule.place((root << depth) + piece, height, on, next);
        }
        next.start += sequential(height) + tau;
        next.superstep += 1;
    }
    next.superstep - 1
}
