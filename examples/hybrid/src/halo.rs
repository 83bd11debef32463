//! Unknowns of other ranks that a block of rows needs.

use std::ops::Range;

use superstep::ranks::{Communicator, Ranges, RankError, receive_words, send_words};
use superstep_matrix::Compressed;

/// Halo of a block: who sends what to whom before a product.
#[derive(Clone, Debug)]
pub struct Halo {
    own: Range<usize>,
    /// Unknowns of others that the block needs, ascending.
    needed: Vec<usize>,
    /// Ranks that send some, ascending, each with how many.
    senders: Vec<(usize, usize)>,
    /// Ranks that need some of this one, each with their places in the block.
    receivers: Vec<(usize, Vec<usize>)>,
}

impl Halo {
    /// Finds the halo of a rank's rows, whose columns are those of the whole matrix (collective).
    ///
    /// # Errors
    /// If a rank or the engine fails.
    pub fn new(
        ranks: &mut dyn Communicator,
        ranges: &Ranges,
        rows: &Compressed<f64>,
    ) -> Result<Self, RankError> {
        let own = ranges.of(ranks.rank());
        let mut needed = rows.indices.clone();
        needed.retain(|column| !own.contains(column));
        needed.sort_unstable();
        needed.dedup();
        let (rank, size) = (ranks.rank(), ranks.size());
        let others = || (0..size).filter(move |&other| other != rank);
        let mut senders = Vec::new();
        for other in others() {
            let of = ranges.of(other);
            let first = needed.partition_point(|&column| column < of.start);
            let end = needed.partition_point(|&column| column < of.end);
            let wanted: Vec<u64> = needed[first..end].iter().map(|&it| it as u64).collect();
            send_words(ranks, other, &wanted)?;
            senders.extend((first < end).then_some((other, end - first)));
        }
        let mut receivers = Vec::new();
        for other in others() {
            let wanted = receive_words::<u64>(ranks, other)?;
            let place = |column: u64| (column as usize).checked_sub(own.start);
            let places = wanted
                .into_iter()
                .map(place)
                .collect::<Option<Vec<usize>>>();
            let places = places.filter(|places| places.iter().all(|&place| place < own.len()));
            let places = places.ok_or(RankError::Malformed { from: other })?;
            receivers.extend((!places.is_empty()).then_some((other, places)));
        }
        Ok(Self {
            own,
            needed,
            senders,
            receivers,
        })
    }

    /// Returns the number of unknowns of others that the block needs.
    pub fn words(&self) -> usize {
        self.needed.len()
    }

    /// Returns the place of a column: own unknowns first, then those of others.
    ///
    /// # Panics
    /// If the block does not need it.
    pub fn place(&self, column: usize) -> usize {
        match self.own.contains(&column) {
            true => column - self.own.start,
            false => match self.needed.binary_search(&column) {
                Ok(place) => self.own.len() + place,
                Err(_) => panic!("column {column} is in no row of the block"),
            },
        }
    }

    /// Puts the unknowns of others behind the own ones (collective).
    ///
    /// # Errors
    /// If a rank or the engine fails.
    pub fn exchange(
        &self,
        ranks: &mut dyn Communicator,
        unknowns: &mut Vec<f64>,
    ) -> Result<(), RankError> {
        unknowns.truncate(self.own.len());
        for (to, places) in &self.receivers {
            let words: Vec<f64> = places.iter().map(|&place| unknowns[place]).collect();
            send_words(ranks, *to, &words)?;
        }
        for &(from, count) in &self.senders {
            let words = receive_words::<f64>(ranks, from)?;
            if words.len() != count {
                return Err(RankError::Malformed { from });
            }
            unknowns.extend(words);
        }
        Ok(())
    }
}
