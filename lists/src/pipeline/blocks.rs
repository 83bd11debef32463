//! Blocks of the run that processors own.

use superstep_tuning::tuned;

use crate::{Before, Ranking};

/// Blocks into which a run is cut.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shape {
    /// Number of blocks. If it is larger than the number P of processors, each has every P-th
    /// block.
    pub blocks: u32,
    /// Sizes of the blocks.
    pub sizes: Tent,
    /// Positions where the blocks end.
    pub borders: Borders,
}

/// Sizes that rise evenly from the first to the middle, and fall again.
///
/// While a pipeline fills and drains most processors wait until the others have done their slices.
/// That is short if the first and the last blocks, and slices of them, are small.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tent {
    /// Size at both ends, as a part of that in the middle: at most 1.
    pub ends: f64,
}

impl Tent {
    /// Sizes that are all equal.
    pub const FLAT: Self = Self { ends: 1.0 };

    /// Returns the part of the whole before `at`, which runs from 0 to 1.
    pub fn before(self, at: f64) -> f64 {
        let rise = |at: f64| self.ends * at + (1.0 - self.ends) * at * at;
        let whole = 2.0 * rise(0.5);
        if at < 0.5 {
            rise(at) / whole
        } else {
            1.0 - rise(1.0 - at.min(1.0)) / whole
        }
    }
}

/// Positions at which blocks end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Borders {
    /// Positions of equal work.
    Equal,
    /// Positions near those of equal work where the fewest edges cross: between the rows of a grid.
    FewEdges,
    /// Positions as of [`FewEdges`](Borders::FewEdges), of blocks as heavy as the heaviest of
    /// those, as long as there is work. It is the last owner that has less, and while it works
    /// alone a superstep costs less.
    Filled,
}

tuned! {
    /// Tolerance of a block's size, so that fewer edges cross its border: a share may be larger or
    /// smaller by one part in so many. None costs 9 % more on sweeps, twice as much 1 % on trees.
    const TOLERANCE: u64 = 16, off u64::MAX;
}

/// Largest number of blocks that have numbers of 16 bits, which take half the memory of others for
/// each task. Searches try fewer.
pub const MOST: u32 = 1 << 16;

/// Returns the owner of each task: blocks of an order, [so many](MOST) at most.
pub(super) fn owners(graph: Before<'_>, ranks: &impl Ranking, shape: Shape) -> Vec<u16> {
    let mut owners = vec![0; graph.tasks()];
    for (block, owner) in blocks(graph, ranks, shape).windows(2).zip(0..=u16::MAX) {
        for rank in block[0].0..block[1].0 {
            owners[ranks.task(rank) as usize] = owner;
        }
    }
    owners
}

/// Border: a rank and the work of the tasks before it.
type Border = (u32, u64);

/// Returns the first border of each block, and the end.
fn blocks(graph: Before<'_>, ranks: &impl Ranking, shape: Shape) -> Vec<Border> {
    let (total, count) = (graph.all_work(), u64::from(shape.blocks));
    let tolerance = match shape.borders {
        Borders::Equal => 0,
        Borders::FewEdges | Borders::Filled => total / count / TOLERANCE.get(),
    };
    let aim = |block: u64, _| {
        if shape.sizes == Tent::FLAT {
            return total * block / count;
        }
        (total as f64 * shape.sizes.before(block as f64 / count as f64)) as u64
    };
    let near = walk(graph, ranks, shape.blocks, aim, (tolerance, tolerance));
    if shape.borders != Borders::Filled {
        return near;
    }
    let heaviest = near.windows(2).map(|block| block[1].1 - block[0].1).max();
    let heaviest = heaviest.unwrap_or(total);
    let aim = |_, start| start + heaviest;
    walk(graph, ranks, shape.blocks, aim, (2 * tolerance, 0))
}

/// Returns whether the task of that rank reads the value of the one before it.
fn reads_previous(graph: Before<'_>, ranks: &impl Ranking, rank: u32) -> bool {
    rank > 0
        && graph
            .predecessors
            .row(ranks.task(rank) as usize)
            .contains(&ranks.task(rank - 1))
}

/// Returns blocks that end where the fewest edges cross, of the positions with `aim(block, start)`
/// work before them, or by so much less or more. Of equal positions it takes the nearest.
fn walk(
    graph: Before<'_>,
    ranks: &impl Ranking,
    count: u32,
    aim: impl Fn(u64, u64) -> u64,
    (less, more): (u64, u64),
) -> Vec<Border> {
    let none = (i64::MAX, false, 0, (0, 0));
    let (mut borders, mut best) = (vec![(0, 0)], none);
    // Work of the tasks before a rank, and edges from them to those from it on.
    let (mut before, mut crossing) = (0, 0);
    for rank in 0..graph.tasks() as u32 {
        while borders.len() < count as usize {
            let aim = aim(borders.len() as u64, borders[borders.len() - 1].1);
            if before + less < aim {
                break;
            }
            if before <= aim + more || best == none {
                // Of two that are equal the one that does not tear a chain.
                let torn = reads_previous(graph, ranks, rank);
                best = best.min((crossing, torn, before.abs_diff(aim), (rank, before)));
            }
            if before < aim + more {
                break;
            }
            borders.push(best.3);
            best = none;
        }
        let task = ranks.task(rank);
        let row = task as usize;
        crossing += graph.successors.row(row).len() as i64;
        crossing -= graph.predecessors.row(row).len() as i64;
        before += graph.work_of(task);
    }
    borders.resize(count as usize + 1, (graph.tasks() as u32, before));
    borders
}
