//! Roster of groups: their names, weights and order.

use super::{NONE, weights::Weights};

/// Rank of a group in the order of a merge sweep: its weight before the sweep, then its seed.
pub(super) type Rank = (u64, u32);

/// Roster of the groups of a layer.
///
/// A group starts as one task of the layer's first level, its *seed*. When a group is merged into
/// another, the union has the seed of the other, which says where it comes among groups of equal
/// weight. What classes call a group is its *label*: of the two labels either may remains.
#[derive(Clone)]
pub(super) struct Roster {
    /// Weight of each group, by label; of no meaning for a label that is gone.
    weights: Vec<u64>,
    /// Ranks by label; of no meaning for a label that is gone.
    ranks: Vec<Rank>,
    /// Label of each group by seed, [`NONE`] for a seed that is gone.
    labels: Vec<u32>,
    /// Weights in `ranks`: those when [`settle`](Self::settle) was called.
    pub(super) settled: Weights,
    /// Seeds of the groups that have become heavier than their ranks say.
    moved: Vec<u32>,
}

impl Roster {
    /// Returns the roster of groups of those weights.
    pub(super) fn new(weights: Vec<u64>) -> Self {
        let mut settled = Weights::default();
        for equal in weights.chunk_by(u64::eq) {
            settled.insert(equal[0], equal.len() as u32);
        }
        let ranks: Vec<Rank> = weights.iter().copied().zip(0..).collect();
        Self {
            labels: (0..weights.len() as u32).collect(),
            weights,
            ranks,
            settled,
            moved: Vec::new(),
        }
    }

    pub(super) fn weight(&self, label: u32) -> u64 {
        self.weights[label as usize]
    }

    pub(super) fn rank(&self, label: u32) -> Rank {
        self.ranks[label as usize]
    }

    /// Returns weight and seed of each group, by seed.
    pub(super) fn groups(&self) -> impl Iterator<Item = (u64, u32)> {
        let labels = self
            .labels
            .iter()
            .zip(0..)
            .filter(|&(&label, _)| label != NONE);
        labels.map(|(&label, seed)| (self.weights[label as usize], seed))
    }

    /// Adds to the weight of a group; its rank stays.
    pub(super) fn grow(&mut self, label: u32, weight: u64) {
        let (settled, seed) = self.ranks[label as usize];
        let now = &mut self.weights[label as usize];
        if *now == settled {
            self.moved.push(seed);
        }
        *now += weight;
    }

    /// Unites two groups, which share work of weight `common`, with the rank of `partner` and under
    /// the label `to`, one of theirs.
    pub(super) fn unite(&mut self, group: u32, partner: u32, common: u64, to: u32) {
        let (weight, seed) = self.ranks[group as usize];
        self.settled.remove(weight, 1);
        self.labels[seed as usize] = NONE;
        let rank = self.ranks[partner as usize];
        self.labels[rank.1 as usize] = to;
        self.moved.push(rank.1);
        let union = self.weights[group as usize] + self.weights[partner as usize] - common;
        self.ranks[to as usize] = rank;
        self.weights[to as usize] = union;
    }

    /// Gives each group the rank that its weight asks for.
    pub(super) fn settle(&mut self) {
        // Often many in a row go from one weight to the same other.
        let (mut way, mut count) = ((0, 0), 0);
        for seed in self.moved.drain(..) {
            let label = self.labels[seed as usize];
            if label == NONE {
                continue;
            }
            let (rank, weight) = (
                &mut self.ranks[label as usize],
                self.weights[label as usize],
            );
            if way != (rank.0, weight) {
                self.settled.change(way, count);
                (way, count) = ((rank.0, weight), 0);
            }
            count += 1;
            rank.0 = weight;
        }
        self.settled.change(way, count);
    }
}
