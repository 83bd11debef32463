//! Tree of one reduction.

use std::{fmt, ops::Range};

use crate::{blocks::block_length, layered::layers, postal};

/// Costs of communication, in units of one combination of two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Costs {
    /// Delay (L of LogP): from when a processor has a result until another has it.
    pub tau: u64,
    /// Overhead (o of LogP) of the receiver, in addition to the combination.
    pub overhead: u64,
}

/// Costs for a team of threads, when a combination takes about a nanosecond.
impl Default for Costs {
    fn default() -> Self {
        Self {
            tau: 4000,
            overhead: 200,
        }
    }
}

/// Association: the tree that combines the operands. Both keep the operands' order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// A tree that depends on the number of operands alone: see [`blocks`](crate::blocks). The
    /// result is the same, bit for bit, for every number of processors and on every machine.
    Fixed,
    /// The fastest tree: the association depends on the number of processors, and with it the
    /// rounding of floating-point results.
    Free,
}

/// Form of the tree by which the processors' results become one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Layers, from the first on: groups of so many processors combine at once.
    Layered(Vec<u64>),
    /// A postal tree (Bar-Noy and Kipnis 1992): one message after the other, as delays allow.
    Postal,
}

/// Tree of a reduction: how many processors take part, which operands are whose, and who takes in
/// whose results.
///
/// Computed once from the number of operands, the processors and the costs. The same tree serves
/// any number of reductions, of any type and by any operation. Cost: some microseconds for each
/// number of processors at which the tree's time changes, which are few; and some words for each
/// active processor.
///
/// ```
/// use superstep_reduction::{Costs, Order, Tree};
///
/// let tree = Tree::with_costs(Order::Free, 1 << 20, 100, Costs { tau: 10, overhead: 0 });
/// assert_eq!((tree.active(), tree.time()), (100, 10518));
/// assert_eq!(tree.to_string(), "1048576 operands in free order on 100 of 100 processors: a postal tree, time 10518");
///
/// // With a long delay one processor is faster than many.
/// let tree = Tree::with_costs(Order::Fixed, 1024, 64, Costs { tau: 1000, overhead: 0 });
/// assert_eq!((tree.active(), tree.time(), tree.range(0)), (1, 1023, 0..1024));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tree {
    order: Order,
    operands: usize,
    processors: usize,
    costs: Costs,
    block: usize,
    shape: Shape,
    /// Parent of each active processor; 0, unused, for the first.
    parents: Vec<u32>,
    time: u64,
}

impl Tree {
    /// Makes a tree in [fixed order](Order::Fixed) for a team of threads.
    ///
    /// # Panics
    /// As [`with_costs`](Self::with_costs).
    pub fn fixed(operands: usize, processors: usize) -> Self {
        Self::with_costs(Order::Fixed, operands, processors, Costs::default())
    }

    /// Makes a tree in [free order](Order::Free) for a team of threads.
    ///
    /// # Panics
    /// As [`with_costs`](Self::with_costs).
    pub fn free(operands: usize, processors: usize) -> Self {
        Self::with_costs(Order::Free, operands, processors, Costs::default())
    }

    /// Makes the fastest tree by the model, for up to that many processors.
    ///
    /// # Panics
    /// Without processors.
    pub fn with_costs(order: Order, operands: usize, processors: usize, costs: Costs) -> Self {
        assert!(processors > 0, "a reduction needs a processor");
        let block = match order {
            Order::Fixed => block_length(operands),
            Order::Free => 1,
        };
        let (active, time) = fastest_active(operands, block, processors, costs);
        let (shape, _) = fastest(active as u64, costs);
        Self {
            order,
            operands,
            processors,
            costs,
            block,
            parents: parents(active, &shape, costs),
            shape,
            time,
        }
    }

    /// Returns the kind of tree that combines the operands.
    pub fn order(&self) -> Order {
        self.order
    }

    /// Returns the number of operands.
    pub fn operands(&self) -> usize {
        self.operands
    }

    /// Returns the number of processors.
    pub fn processors(&self) -> usize {
        self.processors
    }

    /// Returns how many processors take part: the first ones.
    pub fn active(&self) -> usize {
        self.parents.len()
    }

    /// Returns what communication was taken to cost.
    pub fn costs(&self) -> Costs {
        self.costs
    }

    /// Returns the operands of a block; processors have whole ones, but for the last.
    pub fn block(&self) -> usize {
        self.block
    }

    /// Returns the form of the tree by which the processors' results become one.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// Returns the time at which the result is there, by the model.
    pub fn time(&self) -> u64 {
        self.time
    }

    /// Returns the operands of a processor: a contiguous range, empty for one that takes no part.
    pub fn range(&self, processor: usize) -> Range<usize> {
        let blocks = self.operands.div_ceil(self.block) as u128;
        let first = |processor: usize| {
            let share = blocks * processor.min(self.active()) as u128 / self.active() as u128;
            (share as usize * self.block).min(self.operands)
        };
        first(processor)..first(processor + 1)
    }

    /// Returns who takes in a processor's result; `None`: nobody, for the first one and those that
    /// take no part.
    pub fn parent(&self, processor: usize) -> Option<usize> {
        let parent = self.parents.get(processor).filter(|_| processor > 0)?;
        Some(*parent as usize)
    }

    /// Returns the processors whose results a processor takes in, in this order. Their operands
    /// follow its own, each other's, and are followed by nobody else's.
    pub fn children(&self, processor: usize) -> impl DoubleEndedIterator<Item = usize> {
        let taken = move |&child: &usize| self.parent(child) == Some(processor);
        (processor + 1..self.active()).filter(taken)
    }

    /// Returns the fan-ins of an all-reduce by exchange (butterfly), if there is one. In each layer
    /// every processor takes in all others of its group, so that no broadcast is needed.
    pub fn exchange(&self) -> Option<&[u64]> {
        match &self.shape {
            Shape::Layered(fan_ins) if fan_ins.iter().product::<u64>() == self.active() as u64 => {
                Some(fan_ins)
            }
            _ => None,
        }
    }

    /// Returns whether vectors of that many elements take reduce-scatter and all-gather
    /// (Rabenseifner) instead: every processor combines its part of all, and parts are gathered.
    pub fn scatters(&self, length: usize) -> bool {
        let (length, active) = (length as u64, self.active() as u64);
        let Costs { tau, overhead } = self.costs;
        let (taken, delays) = match &self.shape {
            Shape::Layered(fan_ins) => {
                let taken = fan_ins.iter().map(|fan_in| fan_in - 1).sum();
                (taken, fan_ins.len() as u64)
            }
            Shape::Postal => {
                let depth = u64::from(active.next_power_of_two().ilog2());
                (depth, depth)
            }
        };
        let whole = taken * (length + overhead) + delays * tau;
        // Once to combine the parts, once to gather them.
        let scattered = 2 * (length + active * overhead + tau);
        scattered < whole
    }
}

impl fmt::Display for Tree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let order = match self.order {
            Order::Fixed => "fixed",
            Order::Free => "free",
        };
        write!(
            f,
            "{} operands in {order} order on {} of {} processors: ",
            self.operands,
            self.active(),
            self.processors
        )?;
        match &self.shape {
            Shape::Layered(fan_ins) if fan_ins.is_empty() => write!(f, "no communication")?,
            Shape::Layered(fan_ins) => write!(f, "fan-ins {fan_ins:?}")?,
            Shape::Postal => write!(f, "a postal tree")?,
        }
        write!(f, ", time {}", self.time)
    }
}

/// Returns the fastest number of active processors, the least of several, and the tree's time.
///
/// Joining results never gets faster with more processors, and takes equal time for ranges of them.
/// The last of each range has the least to do before.
fn fastest_active(operands: usize, block: usize, processors: usize, costs: Costs) -> (usize, u64) {
    let blocks = operands.div_ceil(block);
    let most = processors.min(blocks).max(1);
    let joined = |active: usize| fastest(active as u64, costs).1;
    let (mut best, mut first) = ((1, (operands as u64).saturating_sub(1)), 2);
    while first <= most {
        let time = joined(first);
        if time >= best.1 {
            break;
        }
        let last = last_of(first, most, |active| joined(active) == time);
        let each = blocks.div_ceil(last);
        let active = blocks.div_ceil(each).max(first);
        let all = time + (each * block).min(operands) as u64 - 1;
        if all < best.1 {
            best = (active, all);
        }
        if last == most {
            break;
        }
        first = last + 1;
    }
    best
}

/// Returns the last number up to `most` for which something holds that holds for the `first` ones.
fn last_of(first: usize, most: usize, holds: impl Fn(usize) -> bool) -> usize {
    let (mut last, mut step) = (first, 1);
    let reaches = |last, step| step <= most - last && holds(last + step);
    while reaches(last, step) {
        last += step;
        step *= 2;
    }
    while step > 0 {
        if reaches(last, step) {
            last += step;
        }
        step /= 2;
    }
    last
}

/// Returns the fastest way to make one of that many results, and its time.
fn fastest(active: u64, costs: Costs) -> (Shape, u64) {
    let layered = layers(active, costs.tau, costs.overhead);
    // Postal time in steps of a combination and its overhead; tau is rounded up to them.
    let step = 1 + costs.overhead;
    let postal = step * postal::time(active, costs.tau.div_ceil(step));
    // Layers allow the exchange that leaves the result everywhere.
    if layered.time <= postal {
        (Shape::Layered(layered.fan_ins), layered.time)
    } else {
        (Shape::Postal, postal)
    }
}

fn parents(active: usize, shape: &Shape, costs: Costs) -> Vec<u32> {
    match shape {
        Shape::Postal => postal::parents(active as u64, costs.tau.div_ceil(1 + costs.overhead)),
        Shape::Layered(fan_ins) => {
            let mut parents = vec![0; active];
            for (at, parent) in (0u64..).zip(&mut parents).skip(1) {
                let mut stride = 1;
                for fan_in in fan_ins {
                    let place = at / stride % fan_in;
                    if place > 0 {
                        *parent = (at - place * stride) as u32;
                        break;
                    }
                    stride *= fan_in;
                }
            }
            parents
        }
    }
}
