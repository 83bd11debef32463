//! Distributions: which processor owns which word.

use superstep_dag::{Dag, Homes};
use superstep_tuning::tuned;

use super::bundles::Bundles;
use crate::matrices::{Dimension, Matrices};

/// Distribution of all arrays.
#[derive(Clone, Copy)]
pub(super) struct Distribution<'a> {
    matrices: &'a Matrices,
    by: Dimension,
    /// Blocks of each array that each processor has.
    rounds: u32,
    /// Set if every other round goes from the last processor to the first: then the last one does
    /// not always have the later blocks.
    reflected: bool,
    processors: u32,
}

impl<'a> Distribution<'a> {
    /// Returns the first ones to look at: by rows and, if there are any, by columns, in some
    /// rounds.
    pub(super) fn first(matrices: &'a Matrices, processors: u32) -> Vec<Self> {
        let dimensions = [Dimension::Rows, Dimension::Columns];
        let dimensions = dimensions
            .into_iter()
            .take(1 + usize::from(matrices.have_rows()));
        let some = |by| Self {
            matrices,
            by,
            rounds: SOME.get(),
            reflected: false,
            processors,
        };
        dimensions
            .map(|by| {
                let some = some(by);
                let rounds = some.most_rounds().clamp(1, SOME.get());
                Self { rounds, ..some }
            })
            .collect()
    }

    /// Returns the distributions next to this one: with blocks twice or half as large, and
    /// reflected. Large blocks come first: of two that cost the same they fold better.
    pub(super) fn neighbours(&self) -> Vec<Self> {
        let with = |rounds, reflected| Self {
            rounds,
            reflected,
            ..*self
        };
        let mut neighbours = vec![
            with(self.rounds / 2, self.reflected),
            with(2 * self.rounds, self.reflected),
            with(self.rounds, !self.reflected),
        ];
        neighbours.retain(|n| {
            // One round has nothing to reflect.
            (1 + u32::from(n.reflected)..=self.most_rounds()).contains(&n.rounds)
        });
        neighbours
    }

    /// Returns the number of rounds at which blocks are single rows or columns.
    fn most_rounds(&self) -> u32 {
        let lengths = self.matrices.arrays.iter().map(|a| a.length(self.by));
        lengths.max().unwrap_or(0) / self.processors
    }

    /// Returns the factor by which its cost is multiplied.
    pub(super) fn price(&self) -> f64 {
        match self.by {
            Dimension::Rows => 1.0,
            Dimension::Columns => ACROSS.get(),
        }
    }

    /// Returns the key that tells it from others.
    pub(super) fn key(&self) -> (Dimension, u32, bool) {
        (self.by, self.rounds, self.reflected)
    }
}

tuned! {
    /// Factor on the cost of a distribution by columns. Inner loops go along the rows of an array:
    /// where its columns are dealt out, they are short, or it is copied column by column. Without
    /// it LU on four processors went by columns for a difference of 11 in 500,000, and copied its
    /// matrix for that.
    const ACROSS: f64 = 1.1, off 1.0;

    /// Number of rounds to begin with. With twice as many transforms cost 2 % more.
    const SOME: u32 = 8, off 1;
}

/// Owner of each bundle, and the row or column, a *strip*, in which its words stand.
pub(super) struct Owned {
    pub(super) owners: Vec<u16>,
    pub(super) strips: Vec<u32>,
}

/// Holding of a word: where it stands, and whose it is.
#[derive(Clone, Copy)]
struct Holding {
    /// Row or column.
    strip: u32,
    owner: u16,
    /// Strips of each block of its array.
    block: u32,
}

impl Holding {
    /// Returns the number of the part that holds the word, of so many equal parts of the
    /// processor's blocks. Where blocks have fewer strips than parts, the parts are of all strips
    /// of the processor.
    fn part(self, parts: u32, processors: u32) -> usize {
        let within = self.strip % self.block * parts / self.block;
        let round = self.strip / self.block / processors;
        (if self.block < parts { round } else { within } % parts) as usize
    }
}

impl Distribution<'_> {
    fn holding(&self, word: u32) -> Holding {
        let (array, strip) = self.matrices.strip(word, self.by);
        let blocks = self.rounds * self.processors;
        let block = array.length(self.by).div_ceil(blocks).max(1);
        let (round, turn) = (
            strip / block / self.processors,
            strip / block % self.processors,
        );
        let owner = if self.reflected && round % 2 == 1 {
            self.processors - 1 - turn
        } else {
            turn
        };
        Holding {
            strip,
            owner: owner as u16,
            block,
        }
    }

    /// Returns the owner of each bundle.
    pub(super) fn deal(&self, graph: &Dag, homes: &Homes, bundles: &Bundles<'_>) -> Owned {
        let mut owned = Owned {
            owners: vec![0; bundles.count()],
            strips: vec![0; bundles.count()],
        };
        let mut holdings: Vec<Holding> = Vec::new();
        for bundle in bundles.topological().rev() {
            holdings.clear();
            let words = bundles.tasks(bundle).filter_map(|task| homes.word(task));
            holdings.extend(words.map(|word| self.holding(word)));
            let (strip, owner) = match self.chosen(&mut holdings) {
                Some(holding) => (holding.strip, holding.owner),
                // It goes where its values are read first.
                None => bundles.reader(graph, bundle).map_or((0, 0), |reader| {
                    (owned.strips[reader], owned.owners[reader])
                }),
            };
            owned.strips[bundle as usize] = strip;
            owned.owners[bundle as usize] = owner;
        }
        owned
    }

    /// Returns the holding whose owner has most of the words. Owners that have as many share such
    /// bundles: each has an equal part of every block.
    fn chosen(&self, holdings: &mut [Holding]) -> Option<Holding> {
        match holdings {
            [] => None,
            [one] => Some(*one),
            _ => {
                let first = holdings[0];
                holdings.sort_by_key(|holding| holding.owner);
                let owners = || holdings.chunk_by(|a, b| a.owner == b.owner);
                let most = owners().map(<[Holding]>::len).max()?;
                let tied = || owners().filter(|words| words.len() == most);
                let parts = tied().count() as u32;
                tied()
                    .map(|words| words[0])
                    .nth(first.part(parts, self.processors))
            }
        }
    }
}
