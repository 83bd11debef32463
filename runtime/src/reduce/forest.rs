//! Partial results: the operands of a contiguous run of blocks, combined as far as the order allows.

use std::ops::Range;

use superstep_reduction::blocks::CHAINS;
use superstep_reduction::{Order, Plan};

/// The combined subtrees of a run of blocks, from left to right. In free order it is never more than one; in fixed order two for each level of
/// the tree at most.
///
/// To append is associative, whatever the runs: the tree says what becomes one. So partial results may be sent and merged along any tree over the processors.
#[derive(Clone, Debug)]
pub(super) struct Forest<T> {
    order: Order,
    trees: Vec<Tree<T>>,
}

/// A subtree of the fixed tree: the blocks from `place << level` to `(place + 1) << level`.
#[derive(Clone, Debug)]
struct Tree<T> {
    level: u32,
    place: usize,
    value: T,
}

impl<T> Forest<T> {
    /// Of no blocks.
    pub(super) fn new(order: Order) -> Self {
        Self {
            order,
            trees: Vec::new(),
        }
    }

    /// All blocks of `range`, which begins with one.
    pub(super) fn of(
        plan: &Plan,
        range: Range<usize>,
        operand: &impl Fn(usize) -> T,
        combine: &impl Fn(T, T) -> T,
    ) -> Self {
        let mut forest = Self::new(plan.order());
        for block in blocks(plan, range) {
            let value = combine_block(plan, block.clone(), operand, combine);
            forest.push(plan, block.start, value, combine);
        }
        forest
    }

    /// Appends the block that starts with that operand.
    pub(super) fn push(
        &mut self,
        plan: &Plan,
        start: usize,
        value: T,
        combine: &impl Fn(T, T) -> T,
    ) {
        let tree = Tree {
            level: 0,
            place: start / length(plan),
            value,
        };
        self.push_tree(tree, combine);
    }

    /// Appends the blocks that follow.
    pub(super) fn append(&mut self, right: Self, combine: &impl Fn(T, T) -> T) {
        for tree in right.trees {
            self.push_tree(tree, combine);
        }
    }

    fn push_tree(&mut self, mut right: Tree<T>, combine: &impl Fn(T, T) -> T) {
        while let Some(left) = self.trees.pop_if(|left| match self.order {
            Order::Free => true,
            Order::Fixed => {
                left.level == right.level
                    && left.place ^ 1 == right.place
                    && left.place < right.place
            }
        }) {
            right = Tree {
                level: left.level + 1,
                place: left.place / 2,
                value: combine(left.value, right.value),
            };
        }
        self.trees.push(right);
    }

    /// Cuts a part off each value; the rests and the parts.
    pub(super) fn split(mut self, mut cut: impl FnMut(&mut T) -> T) -> (Self, Self) {
        let cut = |tree: &mut Tree<T>| Tree {
            level: tree.level,
            place: tree.place,
            value: cut(&mut tree.value),
        };
        let parts = Self {
            order: self.order,
            trees: self.trees.iter_mut().map(cut).collect(),
        };
        (self, parts)
    }

    /// The one value of all blocks from the first on: what lacks its right side passes through.
    pub(super) fn finish(self, combine: &impl Fn(T, T) -> T) -> Option<T> {
        let values = self.trees.into_iter().map(|tree| tree.value);
        values.rev().reduce(|right, left| combine(left, right))
    }
}

/// The runs of a range that are combined by themselves, the first one beginning where the range does.
pub(super) fn blocks(
    plan: &Plan,
    range: Range<usize>,
) -> impl Iterator<Item = Range<usize>> + use<> {
    let (length, end) = (length(plan), range.end);
    range
        .step_by(length)
        .map(move |start| start..(start + length).min(end))
}

/// Operands of a block. Blocks of free order need not be aligned, and have no reason to be short.
fn length(plan: &Plan) -> usize {
    match plan.order() {
        Order::Fixed => plan.block(),
        Order::Free => 1024,
    }
}

/// One block, which is not empty.
pub(super) fn combine_block<T>(
    plan: &Plan,
    block: Range<usize>,
    operand: &impl Fn(usize) -> T,
    combine: &impl Fn(T, T) -> T,
) -> T {
    let part = (length(plan) / CHAINS).max(1);
    if block.len() == part * CHAINS {
        return combine_chains(block.start, part, operand, combine);
    }
    let mut forest = Forest::new(Order::Fixed);
    for (place, start) in block.clone().step_by(part).enumerate() {
        let chain = start..(start + part).min(block.end);
        let value = chain.map(operand).reduce(combine);
        let tree = Tree {
            level: 0,
            place,
            value: value.expect("a chain is not empty"),
        };
        forest.push_tree(tree, combine);
    }
    forest.finish(combine).expect("a block is not empty")
}

/// A whole block: eight chains side by side, which do not wait for each other.
///
/// Written out, since values that are moved through an array do not stay in registers: it takes a quarter of the time.
fn combine_chains<T>(
    start: usize,
    part: usize,
    operand: &impl Fn(usize) -> T,
    combine: &impl Fn(T, T) -> T,
) -> T {
    let at = |chain: usize, i: usize| operand(start + chain * part + i);
    let first: [T; CHAINS] = std::array::from_fn(|chain| at(chain, 0));
    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = first;
    for i in 1..part {
        a = combine(a, at(0, i));
        b = combine(b, at(1, i));
        c = combine(c, at(2, i));
        d = combine(d, at(3, i));
        e = combine(e, at(4, i));
        f = combine(f, at(5, i));
        g = combine(g, at(6, i));
        h = combine(h, at(7, i));
    }
    combine(
        combine(combine(a, b), combine(c, d)),
        combine(combine(e, f), combine(g, h)),
    )
}
