//! Tunables: numbers that experiments gave to the searches, but for some of a single module, which
//! stand in it.
//!
//! They are in the order of the search: what there is time for, then coarsening, solving and
//! refining. Each says its quantity and unit, why it has this value, and the experiment that gave
//! it. `docs/SCHEDULERS.md` has more of these.

use superstep_scheduler::Effort;

use crate::{cuts::Rule, portfolio::Heat, portfolio::Shape};

// Sizes: what there is time for.

/// Edges up to which tasks are searched; above, only groups of them. `cuts` at 60 steps of 10 ns
/// for each of these takes two seconds.
pub(crate) const SEARCHED: usize = 2_500_000;

/// Edges above which thorough does no more than balanced: LU 256 has 16 million, and its rows are
/// searched for a second.
pub(crate) const ROWS_ANEW: usize = 10_000_000;

/// Tasks and edges up to which cuts are searched with many efforts, and tiles for long: LU 64 has
/// 341,376, LU 128 2.7 million.
pub(crate) const MEDIUM: usize = 1_000_000;

/// Tasks and edges up to which there is time for tiles and for all searches among tasks. Annealing
/// of tasks is enough for smaller graphs: finer tiles gain nothing there.
pub(crate) const SMALL: usize = 100_000;

/// Edges up to which an effort tries BCSH for many boundary costs: ten to thirty runs of 0.1 us for
/// each edge.
pub(crate) const BOUNDARIES: [(Effort, usize); 3] = [
    (Effort::Fast, 30_000),
    (Effort::Balanced, 150_000),
    (Effort::Thorough, MEDIUM),
];

/// Costs of a boundary that BCSH is tried with, in latencies, besides 1. It ends a layer by loads
/// alone: where words are dear too, other costs than the true one are better by some per cent.
pub(crate) const LATENCIES: [f64; 4] = [0.0, 0.3, 2.0, 4.0];

/// Processors up to which large graphs are searched in seconds, and medium ones hotter. Few moves
/// are good where many processors wait for one: molten, schedules lose 3 to 10 % on 16 and 32.
pub(crate) const FEW: u32 = 8;

/// Processors up to which large tiles keep all busy, and are searched for a minute: LU 128 on 4
/// with L = 2000 from 211,568 to 206,338.
pub(crate) const VERY_FEW: u32 = 4;

// Coarsening.

/// Intervals of ids to begin with, where rows take the place of tasks: those of LU 512 are whole.
pub(crate) const MOST_ROWS: usize = 1 << 19;

/// Edges between rows above which these are made larger: what balanced searches in a second.
pub(crate) const MOST_EDGES_OF_ROWS: usize = 1_000_000;

/// Tasks in a group, on average, below which groups gain nothing over tasks.
pub(crate) const FEWEST_TASKS: usize = 6;

/// Pieces by their owners: enough for the triangles in which a pipeline fills and drains. On a grid
/// of 300 points these are squares of 5 points.
pub(crate) const PIECE: Shape = Shape::Piece { owners: 60 };
pub(crate) const SMALL_PIECE: Shape = Shape::Piece { owners: 100 };

/// Shape of groups, and the steps of its search for each task and edge of the graph of tasks.
pub(crate) type Round = (Shape, u64);

/// Rounds: shapes that are searched from nothing, side by side, and those with which the schedules
/// found are searched on, one after the other.
///
/// Later ones are smaller, or cut across those before: groups of one shape keep together what the
/// next lets go apart. Six quiet rounds of 200 steps cost 0.8 % less on LU 64 than three of 300 to
/// 500 on ever smaller tiles. Tiles of four rows, four columns and two to four steps are best to
/// begin with.
#[derive(Clone, Copy)]
pub(crate) struct Rounds {
    pub(crate) coarse: &'static [Round],
    pub(crate) finer: &'static [Round],
}

const fn tile(path: u32, side: usize) -> Shape {
    Shape::Tile { path, side }
}

pub(crate) const MEDIUM_ROUNDS: Rounds = Rounds {
    coarse: &[(tile(2, 4), 1000), (tile(4, 4), 1000)],
    finer: &[
        (tile(2, 4), 200),
        (tile(2, 2), 200),
        (tile(1, 4), 200),
        (tile(4, 1), 200),
        (tile(2, 4), 200),
        (tile(1, 4), 200),
    ],
};

/// Rounds for large graphs, in two to three minutes. Tiles of eight by eight gave nothing on LU 128
/// and 32 processors, and the third shape a second time 0.1 %.
pub(crate) const LARGE_ROUNDS: Rounds = Rounds {
    coarse: &[(tile(2, 4), 600), (tile(4, 4), 600)],
    finer: &[
        (tile(2, 4), 200),
        (tile(2, 2), 150),
        (tile(1, 4), 150),
        (tile(4, 1), 150),
        (tile(1, 4), 150),
    ],
};

/// Rounds for large graphs and [`FEW`] processors, in five seconds.
pub(crate) const ROUNDS_OF_FEW: Rounds = Rounds {
    coarse: &[(tile(4, 8), 60)],
    finer: &[],
};

/// Rounds for large graphs and [`VERY_FEW`] processors, in a minute.
pub(crate) const ROUNDS_OF_VERY_FEW: Rounds = Rounds {
    coarse: &[(tile(4, 8), 300), (tile(8, 8), 300)],
    finer: &[(tile(4, 8), 100), (tile(4, 4), 100)],
};

/// Round of pieces from nothing, where tiles gain nothing: up to 6 % on substitution.
pub(crate) const PIECES: &[Round] = &[(PIECE, 500)];

/// Rounds from there on. A second turn of the same gains 0.04 %.
pub(crate) const FINER_PIECES: &[Round] = &[(PIECE, 250), (SMALL_PIECE, 200), (tile(4, 1), 100)];

/// Schedules that are searched on in each round.
pub(crate) const STARTS_OF_ROUND: usize = 2;

/// Part of the least cost known that tiles have to reach for nothing else to be searched. Where
/// tiles gain 3 %, no search among tasks came near them.
pub(crate) const CLEARLY: f64 = 0.97;

// Solving: cuts.

/// Steps of `cuts` for each task and edge: see [`Cuts::effort`](crate::Cuts::effort).
pub(crate) const FAST_CUTS: u32 = 15;
pub(crate) const BALANCED_CUTS: u32 = 60;
pub(crate) const THOROUGH_CUTS: u32 = 400;

/// Efforts of `cuts` that thorough tries, the longest first. More effort is not always better, as
/// it is cut off at other places. Costs differ by up to ten per cent either way on LU 128.
pub(crate) const SEVERAL_CUTS: [u32; 5] = [2000, 1000, 600, THOROUGH_CUTS, 300];

/// Steps of annealing of owners for each task and edge, with the cuts of BCSH. There is less time
/// than for several efforts of `cuts`.
pub(crate) const ANNEALING: u32 = 20;
/// Steps on large graphs for few processors.
pub(crate) const SOME_ANNEALING: u32 = 50;
/// Steps on other large graphs, and on medium ones.
pub(crate) const MORE_ANNEALING: u32 = 300;
/// Steps on small graphs.
pub(crate) const MUCH_ANNEALING: u32 = 400;
/// Steps on graphs of groups, which are small enough for many more.
pub(crate) const MOST_ANNEALING: u32 = 1000;

/// Rises of the cost that annealing of owners accepts with probability 1/e at first and at last:
/// parts of the average cost of a layer.
pub(crate) const OWNERS_HOT: f64 = 2e-3;
pub(crate) const OWNERS_COLD: f64 = 5e-5;

/// Returns about the part of the words that annealing of owners leaves. By it the search before
/// lowers the cost of a word. With words at half their price LU 128 costs 54,127 on 32 processors
/// after annealing, at the full price 56,075. Among few processors annealing finds little.
pub(crate) fn words_left(processors: u32) -> f64 {
    (4.0 / f64::from(processors)).clamp(0.5, 1.0)
}

/// Rules by which groups come about where the cuts are given, those of BCSH. Two to eight groups
/// for each processor leave dealing its freedom; finer ones gain nothing.
pub(crate) const RULES_OF_DEALING: [Rule; 5] = [
    Rule::Seeds(8),
    Rule::Seeds(4),
    Rule::Merged(1),
    Rule::Merged(2),
    Rule::Merged(4),
];

/// Rule of the coarse choices of cuts: the cheapest, and nearly as good as any.
pub(crate) const COARSE_RULES: [Rule; 1] = [Rule::Seeds(4)];

/// Rules of the last choice. Without merged groups LU 128 costs 2.3 % more.
pub(crate) const FINE_RULES: [Rule; 3] = [Rule::Seeds(8), Rule::Merged(2), Rule::Merged(4)];

/// Ranges into which the levels are divided at first: more than half as many, as their length is
/// rounded up to a power of two.
pub(crate) const RANGES: usize = 8;

/// Steps of a choice of cuts, as a multiple of those of the one before it: between ranges of half
/// the size.
pub(crate) const FINER: u64 = 2;
/// Steps of a choice by the fine rules, in the same measure.
pub(crate) const BY_ALL_RULES: u64 = 4;
/// Steps of a choice by the fine rules between ranges of half the size.
pub(crate) const FINER_BY_ALL_RULES: u64 = 7;

/// Ratio of the steps left to those of the last choices of cuts. Down to it levels from the inputs
/// and from the outputs are refined side by side, then the better ones. Without levels from the
/// inputs graphs cost 5.3 % more, the FFT most of all.
pub(crate) const SIDE_BY_SIDE: u64 = 4;

/// Slack of a layer, in parts of its cost. A layer may be so much dearer than the best known way to
/// its last level, if longer ones are to be tried. A latency comes on top: a short layer has hardly
/// earned its own.
pub(crate) const SLACK: f64 = 0.25;

/// Slack in latencies where there was no choice before.
pub(crate) const FIRST_SLACK: f64 = 3.0;

/// Memberships in classes for each task above which a layer is not worth growing: it copies nearly
/// all of its tasks.
pub(crate) const MOST_MEMBERSHIPS: usize = 16;

/// Memberships beyond those for each task that are no matter: a layer of some tasks is quickly
/// done.
pub(crate) const FREE_MEMBERSHIPS: usize = 4096;

/// Steps of a dealing for each membership: how often it looks at the groups of each class.
pub(crate) const STEPS_OF_DEALING: u64 = 10;

// Solving: merged pipelines.

/// Steps of one choice of mergers, for each task and edge: half a second on a grid of 300 points.
/// Beyond them only single supersteps are looked at.
pub(crate) const MERGERS: u64 = 1000;

/// Factors by which the latency is lower for which the pipeline is made whose supersteps are
/// merged. A descent over the pipeline's own numbers gained nothing over these.
pub(crate) const FINENESS: [f64; 6] = [2.0, 4.0, 8.0, 16.0, 32.0, 64.0];

// Refining: annealing of tasks and of groups.

/// Entries (tasks x processors) of the largest assignment: 128 MB.
pub(crate) const MOST_ENTRIES: usize = 1 << 24;

/// Steps of the longest search, half a minute on a core. A step in tables beyond the caches takes
/// up to a fifth of a microsecond.
pub(crate) const MOST_STEPS: u64 = 150_000_000;

/// Steps for each task and start below which annealing is not worth its start, and would take
/// longer than the effort allows.
pub(crate) const FEWEST_STEPS: u64 = 250;

/// Steps for each task from which on a search from nothing can find what no scheduler did.
pub(crate) const STEPS_FROM_SCRATCH: u64 = 20_000;

/// Supersteps that a search from nothing has room for.
pub(crate) const ROOMS: [u32; 8] = [1, 2, 3, 4, 6, 8, 12, 16];

/// Steps and starts of a search among tasks, by effort and by the number of tasks and edges.
pub(crate) fn refinement(effort: Effort, size: u64) -> (u64, usize) {
    match effort {
        Effort::Fast => (2_000_000.min(20_000 * size), 1),
        Effort::Balanced => (14_000_000.min(100_000 * size), 4),
        Effort::Thorough => (30_000_000.min(500_000 * size).max(1_900 * size), 8),
    }
}

/// Starts of a search of groups that comes from nothing. More starts, each annealed for less time,
/// lose at L = 2000 what they gain at 100.
pub(crate) const STARTS_OF_GROUPS: usize = 3;

/// Heat for a search from nothing, in small moves: the mean work of a task and the cost of a word.
/// Words and boundaries cost nothing at first, so that tasks spread.
pub(crate) const FROM_SCRATCH: Heat = Heat {
    hot: 1.0,
    cold: 0.03,
    ramp: 0.5,
};

/// Heat that melts a schedule of tasks, or of groups for few processors: 1 to 3 % less on LU than a
/// third of it.
pub(crate) const MOLTEN: Heat = Heat {
    hot: 0.35,
    cold: 0.03,
    ramp: 0.01,
};

/// Heat for groups, which weigh more than the words and tasks in which costs change, and for a last
/// search.
pub(crate) const WARM: Heat = Heat {
    hot: 0.1,
    cold: 0.03,
    ramp: 0.01,
};

/// Heat for schedules found among coarser groups. Hotter, it melts them and has too few steps to
/// find them again: LU 64 on 32 processors with L = 100 costs 7,249 so, and 6,942 with this.
pub(crate) const QUIET: Heat = Heat {
    hot: 0.03,
    cold: 0.01,
    ramp: 0.0,
};

/// Share of the root mean square of loads that counts as cost, in all searches. LU 64 costs 2 %
/// less at the same number of steps; half or twice as much of it does as well.
pub(crate) const EVENNESS: f64 = 1.0;

/// Factor on the latency for one of the schedules of groups that are annealed. It is the best for a
/// latency so many times as high, as no move of one group leaves a superstep empty: LU 64 on 16
/// processors from 13,572 to 13,307.
pub(crate) const HIGHER: f64 = 2.0;

/// Supersteps of the best from which on fewer are tried so.
pub(crate) const MANY_SUPERSTEPS: usize = 8;
