//! Partial results: the operands of a contiguous run of blocks, combined as far as the order
//! allows.

use std::ops::Range;

use superstep_reduction::{Order, Tree};

use super::operands::Operands;

/// Forest of the combined subtrees of a run of blocks, from left to right. In free order it is
/// never more than one; in fixed order two for each level of the tree at most.
///
/// Appending is associative in fixed order, whatever the runs: the tree says what becomes one. In
/// free order it is so as far as the operation is. So partial results may be sent and merged along
/// any tree over the processors.
#[derive(Clone, Debug)]
pub(crate) struct Forest<T> {
    order: Order,
    subtrees: Vec<Subtree<T>>,
}

/// Subtree of the fixed tree: the blocks from `position << level` to `(position + 1) << level`.
#[derive(Clone, Debug)]
struct Subtree<T> {
    level: u32,
    position: usize,
    value: T,
}

impl<T> Forest<T> {
    /// Makes a forest of no blocks.
    pub(super) fn new(order: Order) -> Self {
        Self {
            order,
            subtrees: Vec::new(),
        }
    }

    /// Combines all operands of `range`, which begins with a block, to subtrees as large as the
    /// order allows.
    pub(super) fn of(
        tree: &Tree,
        range: Range<usize>,
        operands: &impl Operands<T>,
        combine: &impl Fn(T, T) -> T,
    ) -> Self {
        let mut forest = Self::new(tree.order());
        for run in subtrees(tree.order(), tree.block(), range) {
            let value = combine_range(run.clone(), operands, combine);
            forest.push(tree, run, value, combine);
        }
        forest
    }

    /// Appends the value of a run of operands: a block, or an aligned subtree of several.
    pub(super) fn push(
        &mut self,
        tree: &Tree,
        run: Range<usize>,
        value: T,
        combine: &impl Fn(T, T) -> T,
    ) {
        self.push_subtree(Subtree::of(tree.block(), &run, value), combine);
    }

    /// Appends the blocks that follow.
    pub(crate) fn append(&mut self, right: Self, combine: &impl Fn(T, T) -> T) {
        for subtree in right.subtrees {
            self.push_subtree(subtree, combine);
        }
    }

    fn push_subtree(&mut self, mut right: Subtree<T>, combine: &impl Fn(T, T) -> T) {
        while let Some(left) = self.subtrees.pop_if(|left| match self.order {
            Order::Free => true,
            Order::Fixed => {
                left.level == right.level
                    && left.position ^ 1 == right.position
                    && left.position < right.position
            }
        }) {
            right = Subtree {
                level: left.level + 1,
                position: left.position / 2,
                value: combine(left.value, right.value),
            };
        }
        self.subtrees.push(right);
    }

    /// Cuts a part off each value; returns the rests and the parts.
    pub(super) fn split(mut self, mut cut: impl FnMut(&mut T) -> T) -> (Self, Self) {
        let cut = |subtree: &mut Subtree<T>| Subtree {
            level: subtree.level,
            position: subtree.position,
            value: cut(&mut subtree.value),
        };
        let parts = Self {
            order: self.order,
            subtrees: self.subtrees.iter_mut().map(cut).collect(),
        };
        (self, parts)
    }

    /// Returns the one value of all blocks from the first on: what lacks its right side passes
    /// through.
    pub(crate) fn finish(self, combine: &impl Fn(T, T) -> T) -> Option<T> {
        let values = self.subtrees.into_iter().map(|subtree| subtree.value);
        values.rev().reduce(|right, left| combine(left, right))
    }
}

/// Ranges that any owner has, which need not begin with a block.
#[cfg(feature = "ranks")]
impl<T> Forest<T> {
    /// Combines all operands of a range in fixed order, to subtrees as large as there are.
    pub(crate) fn of_any(
        range: Range<usize>,
        operands: &impl Operands<T>,
        combine: &impl Fn(T, T) -> T,
    ) -> Self {
        let subtree =
            |run: Range<usize>| Subtree::of(1, &run, combine_range(run.clone(), operands, combine));
        Self {
            order: Order::Fixed,
            subtrees: subtrees(Order::Fixed, 1, range).map(subtree).collect(),
        }
    }

    /// Makes the forest of a range from the values of its subtrees; none if they are not as many.
    pub(crate) fn from_values(range: Range<usize>, values: Vec<T>) -> Option<Self> {
        let runs: Vec<_> = subtrees(Order::Fixed, 1, range).collect();
        let subtrees = (runs.len() == values.len()).then(|| {
            runs.iter()
                .zip(values)
                .map(|(run, value)| Subtree::of(1, run, value))
        });
        Some(Self {
            order: Order::Fixed,
            subtrees: subtrees?.collect(),
        })
    }

    /// Returns the number of subtrees of a range.
    pub(crate) fn subtrees(range: Range<usize>) -> usize {
        subtrees(Order::Fixed, 1, range).count()
    }

    /// Returns the values of the subtrees, from left to right.
    pub(crate) fn values(&self) -> Vec<T>
    where
        T: Copy,
    {
        self.subtrees.iter().map(|subtree| subtree.value).collect()
    }
}

impl<T> Subtree<T> {
    /// Makes the subtree of a run of operands that is one, or a shorter last block.
    fn of(block: usize, run: &Range<usize>, value: T) -> Self {
        let level = (run.len() / block).max(1).ilog2();
        Self {
            level,
            position: (run.start / block) >> level,
            value,
        }
    }
}

/// Returns the runs of a range that are combined to one value each: all of it in free order. In
/// fixed order they are whole subtrees, as large as there are, at most two for each level of the
/// tree.
fn subtrees(order: Order, block: usize, range: Range<usize>) -> impl Iterator<Item = Range<usize>> {
    let mut rest = range;
    std::iter::from_fn(move || {
        let start = rest.start;
        rest.start = match (rest.len() / block).checked_ilog2() {
            Some(fits) if order == Order::Fixed => {
                start + (block << fits.min((start / block).trailing_zeros()))
            }
            _ => rest.end,
        };
        (start < rest.start).then_some(start..rest.start)
    })
}

/// Returns the runs of a range that are combined by themselves, the first one beginning where the
/// range does.
pub(super) fn blocks(
    tree: &Tree,
    range: Range<usize>,
) -> impl Iterator<Item = Range<usize>> + use<> {
    let (length, end) = (length(tree), range.end);
    range
        .step_by(length)
        .map(move |start| start..(start + length).min(end))
}

/// Returns the number of operands of a block. Blocks of free order need not be aligned, and have no
/// reason to be short.
fn length(tree: &Tree) -> usize {
    match tree.order() {
        Order::Fixed => tree.block(),
        Order::Free => 1024,
    }
}

/// Combines a range of operands, which is not empty, by the complete binary tree. Where it lacks
/// its right side, the left passes through.
pub(super) fn combine_range<T>(
    range: Range<usize>,
    operands: &impl Operands<T>,
    combine: &impl Fn(T, T) -> T,
) -> T {
    let start = range.start;
    let leaf = |number: usize| combine_leaf(start + number * LEAF, operands, combine);
    // A recursion down to single operands would take longer than their combination.
    match range.len() {
        1 => return operands.within(start, 1)(0),
        LEAF => return leaf(0),
        EIGHT_LEAVES => return combine_eight(std::array::from_fn(leaf), combine),
        _ => {}
    }
    let middle = start + range.len().next_power_of_two() / 2;
    let left = combine_range(start..middle, operands, combine);
    let right = combine_range(middle..range.end, operands, combine);
    combine(left, right)
}

/// Operands of a subtree that is unrolled: compiled without loop or branch.
const LEAF: usize = 32;

const EIGHT_LEAVES: usize = 8 * LEAF;

/// Combines a leaf. Not inlined: where several are compiled together, their sums get into vector
/// registers and out again, which takes longer.
#[inline(never)]
fn combine_leaf<T>(start: usize, operands: &impl Operands<T>, combine: &impl Fn(T, T) -> T) -> T {
    let operand = operands.within(start, LEAF);
    // Not functions that call each other: those would not all be inlined, and check every index.
    macro_rules! tree {
        ($at:expr;) => { operand($at) };
        ($at:expr; $half:literal $($less:literal)*) => {
            combine(tree!($at; $($less)*), tree!($at + $half; $($less)*))
        };
    }
    tree!(0; 16 8 4 2 1)
}

fn combine_eight<T>([a, b, c, d, e, f, g, h]: [T; 8], combine: &impl Fn(T, T) -> T) -> T {
    combine(
        combine(combine(a, b), combine(c, d)),
        combine(combine(e, f), combine(g, h)),
    )
}
