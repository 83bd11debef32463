//! ALG1 (thesis, section 4.3): the right subtree's top is computed where the root is, instead of
//! waiting for the whole of it.

use superstep_scheduler::tree::{At, TreeSchedule, sequential};

use super::arithmetic::levels_within;

/// Choice among heights of the cut that are equally fast for ALG1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ties {
    /// Height with the fewest processors, and of those the lowest.
    #[default]
    FewestProcessors,
    /// Lowest height.
    Smallest,
}

/// ALG1's schedules for all complete binary trees up to a height, with as many processors as they
/// want.
///
/// A tree of height h is one of height h - 1 (left). On its processor the top j levels of the right
/// subtree and then the root follow. The 2^j subtrees below those are trees of height h - 1 - j on
/// processors of their own.
///
/// As printed, j may be 0 and the tree of height 0 has a start time. Here j is at least 1, and with
/// j = h - 1 nothing is below. Cost: height times log tau.
///
/// ```
/// use superstep_search::tree::{Alg1, Ties};
///
/// let alg1 = Alg1::new(4, 2, Ties::default());
/// assert_eq!((alg1.start(4), alg1.processors(4)), (6, 5)); // figure 4.7
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alg1 {
    tau: u64,
    /// Trees by height, from 0, which no tree has.
    trees: Vec<Tree>,
}

/// Tree of one height.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Tree {
    /// Time at which the root starts.
    start: u64,
    /// Number of levels of the right subtree beside the root (j); 0: all on one processor.
    top: u32,
    processors: u64,
}

impl Alg1 {
    /// Plans all heights from 1 to `height` under a delay of `tau` tasks.
    ///
    /// # Panics
    /// When `height` is more than 62.
    pub fn new(height: u32, tau: u64, ties: Ties) -> Self {
        assert!(height <= 62, "a tree of {height} levels has too many tasks");
        let single = levels_within(tau);
        let mut trees = vec![Tree {
            start: 0,
            top: 0,
            processors: 0,
        }];
        for h in 1..=height {
            let tree = if h <= single {
                Tree {
                    start: sequential(h) - 1,
                    top: 0,
                    processors: 1,
                }
            } else {
                let cuts = (1..=(h - 1).min(single + 2)).map(|top| cut(&trees, tau, top));
                let best = |tree: &Tree| match ties {
                    Ties::FewestProcessors => (tree.start, tree.processors, tree.top),
                    Ties::Smallest => (tree.start, 0, tree.top),
                };
                cuts.min_by_key(best).expect("a cut height is tried")
            };
            trees.push(tree);
        }
        Self { tau, trees }
    }

    /// Returns the time at which the root of the tree of that height starts.
    ///
    /// # Panics
    /// When the height is 0 or was not planned; the other methods panic then, too.
    pub fn start(&self, height: u32) -> u64 {
        self.tree(height).start
    }

    /// Returns the levels of the right subtree that are computed beside the root (j); `None`: the
    /// tree is on one processor, uncut.
    pub fn cut(&self, height: u32) -> Option<u32> {
        Some(self.tree(height).top).filter(|&top| top > 0)
    }

    /// Returns the number of processors that the tree of that height takes (PE).
    pub fn processors(&self, height: u32) -> u64 {
        self.tree(height).processors
    }

    /// Returns the schedule of the tree of that height. Processors are numbered as in figure 4.7:
    /// those of the left subtree first. Then come the roots of those below the cut, then the others
    /// of these. Linear in its tasks.
    ///
    /// # Panics
    /// Also for more than 30 levels.
    pub fn schedule(&self, height: u32) -> TreeSchedule {
        let mut schedule = TreeSchedule::new(height, self.tau);
        let mut processors = 1;
        self.place(1, height, 0, &mut processors, &mut schedule);
        schedule
    }

    fn tree(&self, height: u32) -> Tree {
        assert!(height > 0, "a tree has at least one level");
        self.trees[height as usize]
    }

    /// Places the tree of that height below `root` on `processor` and on new ones, from time 0;
    /// returns its last superstep.
    fn place(
        &self,
        root: u32,
        height: u32,
        processor: u32,
        processors: &mut u32,
        schedule: &mut TreeSchedule,
    ) -> u32 {
        let Some(top) = self.cut(height) else {
            schedule.place(root, height, processor, At::default());
            return 0;
        };
        let (left, right) = (2 * root, 2 * root + 1);
        let mut superstep = self.place(left, height - 1, processor, processors, schedule);
        let below = height - 1 - top;
        if below > 0 {
            let first = *processors;
            *processors += 1 << top;
            for (own, subtree) in (first..*processors).zip(right << top..) {
                let last = self.place(subtree, below, own, processors, schedule);
                superstep = superstep.max(last + 1);
            }
        }
        let start = self.start(height);
        let beside = start - sequential(top);
        schedule.place(
            right,
            top,
            processor,
            At {
                start: beside,
                superstep,
            },
        );
        schedule.place(root, 1, processor, At { start, superstep });
        superstep
    }
}

/// Returns the tree one higher than the last of `trees`, cut below `top` levels of its right
/// subtree.
fn cut(trees: &[Tree], tau: u64, top: u32) -> Tree {
    let left = trees[trees.len() - 1];
    let right = sequential(top) + 1;
    let mut tree = Tree {
        start: left.start + right,
        top,
        processors: left.processors,
    };
    let below = trees[trees.len() - 1 - top as usize];
    if below.processors > 0 {
        tree.start = tree.start.max(below.start + tau + right);
        tree.processors += below.processors << top;
    }
    tree
}
