//! Arrays of which each rank owns a range, and sums over them in fixed order.
//!
//! The fixed order is the complete binary tree over all words, which knows nothing of ranks. A
//! range consists of whole subtrees, at most two for each level: a rank combines those by itself.
//! Then ranks exchange the values of their subtrees and nothing else, along a butterfly. In each of
//! its rounds two neighbouring ranges become one, and subtrees that are siblings one subtree. So a
//! rank sends O(log n) values in each of O(log P) rounds, and all ranks end with the one value.

use std::iter::once;
use std::ops::{Add, Mul, Range};
use std::sync::Arc;

use superstep_reduction::{Costs, Order, Tree};

use super::element::Element;
use super::{Communicator, RankError, all_gather, receive_words, send_words};
use crate::error::RunError;
use crate::reduce::forest::Forest;
use crate::reduce::operands::{Elements, Operands, Products};
use crate::reduce::reduce;

/// Pieces into which each thread's share of a range is cut, so that a late thread holds nobody
/// back.
const PIECES: usize = 4;

/// Words of a piece at least: beneath, a thread costs more than it gains.
const LEAST: usize = 1 << 14;

/// Ranges of an array that ranks own: one after the other, in the order of the ranks. Some may be
/// empty.
///
/// ```
/// use superstep_runtime::ranks::Ranges;
///
/// let ranges = Ranges::even(10, 4);
/// assert_eq!([0, 1, 2, 3].map(|rank| ranges.of(rank)), [0..2, 2..5, 5..7, 7..10]);
/// assert_eq!(Ranges::from_lengths([3, 0, 7]).of(2), 3..10);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ranges {
    /// Beginning of each range, and the end of the last one.
    starts: Vec<usize>,
}

impl Ranges {
    /// Makes ranges of equal lengths, as far as they divide.
    ///
    /// # Panics
    /// Without ranks.
    pub fn even(words: usize, ranks: usize) -> Self {
        assert!(ranks > 0, "somebody owns them");
        let start = |rank: usize| (words as u128 * rank as u128 / ranks as u128) as usize;
        Self {
            starts: (0..=ranks).map(start).collect(),
        }
    }

    /// Makes ranges of these lengths.
    ///
    /// # Panics
    /// If all together have more than `usize::MAX` words.
    pub fn from_lengths(lengths: impl IntoIterator<Item = usize>) -> Self {
        let mut end = 0usize;
        let ends = lengths.into_iter().map(|length| {
            end = end.checked_add(length).expect("an index is a `usize`");
            end
        });
        Self {
            starts: once(0).chain(ends).collect(),
        }
    }

    /// Makes the ranges of what each rank has (collective).
    ///
    /// # Errors
    /// If a rank or the engine fails.
    pub fn gathered(ranks: &mut dyn Communicator, own: usize) -> Result<Self, RankError> {
        let lengths = all_gather(ranks, vec![own as u64])?;
        if lengths.len() != ranks.size() {
            return Err(RankError::Malformed { from: 0 });
        }
        Ok(Self::from_lengths(
            lengths.into_iter().map(|it| it as usize),
        ))
    }

    /// Returns the number of words.
    pub fn words(&self) -> usize {
        self.starts[self.ranks()]
    }

    /// Returns the number of ranks.
    pub fn ranks(&self) -> usize {
        self.starts.len() - 1
    }

    /// Returns the range of a rank.
    ///
    /// # Panics
    /// If there is no such rank.
    pub fn of(&self, rank: usize) -> Range<usize> {
        self.starts[rank]..self.starts[rank + 1]
    }

    /// Combines the forests of all ranks' ranges to the one value (collective).
    fn combine<T: Element>(
        &self,
        ranks: &mut dyn Communicator,
        own: Forest<T>,
        combine: &impl Fn(T, T) -> T,
    ) -> Result<Option<T>, RankError> {
        let (rank, size) = (ranks.rank(), ranks.size());
        // The butterfly has a power of two of seats. Of the first ranks two share one: the right
        // one sends its values to the left one, and gets the result.
        let seats = 1 << size.ilog2();
        let shared = size - seats;
        let seat = if rank < 2 * shared {
            rank / 2
        } else {
            rank - shared
        };
        let first = |seat: usize| seat + seat.min(shared);
        let of =
            |seats: Range<usize>| self.starts[first(seats.start)]..self.starts[first(seats.end)];
        let receive = |ranks: &mut dyn Communicator, from: usize, range: Range<usize>| {
            let forest = Forest::from_values(range, receive_words(ranks, from)?);
            forest.ok_or(RankError::Malformed { from })
        };
        if rank != first(seat) {
            send_words(ranks, rank - 1, &own.values())?;
            return Ok(receive_words(ranks, rank - 1)?.into_iter().next());
        }
        let mut all = own;
        if rank < 2 * shared {
            all.append(receive(ranks, rank + 1, self.of(rank + 1))?, combine);
        }
        let mut width = 1;
        while width < seats {
            let peer = seat ^ width;
            send_words(ranks, first(peer), &all.values())?;
            let start = peer / width * width;
            let other = receive(ranks, first(peer), of(start..start + width))?;
            let (mut left, right) = if peer < seat {
                (other, all)
            } else {
                (all, other)
            };
            left.append(right, combine);
            all = left;
            width *= 2;
        }
        let result = all.finish(combine);
        if rank < 2 * shared {
            send_words(ranks, rank + 1, result.as_slice())?;
        }
        Ok(result)
    }
}

/// Array of which each rank owns a range.
#[derive(Clone, Debug)]
pub struct Distributed<T> {
    ranges: Arc<Ranges>,
    rank: usize,
    own: Arc<[T]>,
    threads: usize,
}

impl<T: Element + Send + Sync> Distributed<T> {
    /// Makes the array of which each rank owns the words that it gives, in the order of the ranks
    /// (collective).
    ///
    /// # Errors
    /// If a rank or the engine fails.
    pub fn new(ranks: &mut dyn Communicator, own: impl Into<Arc<[T]>>) -> Result<Self, RankError> {
        let own = own.into();
        let ranges = Arc::new(Ranges::gathered(ranks, own.len())?);
        Self::with_ranges(ranks, ranges, own)
    }

    /// Makes an array of these ranges. Nothing is sent.
    ///
    /// # Errors
    /// If this rank's range has another length than its words.
    pub fn with_ranges(
        ranks: &dyn Communicator,
        ranges: Arc<Ranges>,
        own: impl Into<Arc<[T]>>,
    ) -> Result<Self, RankError> {
        let (rank, own) = (ranks.rank(), own.into());
        let owned = if ranges.ranks() == ranks.size() {
            ranges.of(rank).len()
        } else {
            0
        };
        if owned != own.len() || ranges.ranks() != ranks.size() {
            let given = own.len();
            return Err(RankError::Length { rank, owned, given });
        }
        Ok(Self {
            ranges,
            rank,
            own,
            threads: 1,
        })
    }

    /// Sets the number of threads that combine this rank's words. The bits do not depend on it.
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = threads.max(1);
        self
    }

    /// Returns the ranges of all ranks.
    pub fn ranges(&self) -> &Arc<Ranges> {
        &self.ranges
    }

    /// Returns this rank's words.
    pub fn own(&self) -> &[T] {
        &self.own
    }

    /// Returns this rank's words, to be changed.
    pub fn own_mut(&mut self) -> &mut [T] {
        Arc::make_mut(&mut self.own)
    }

    /// Returns the sum of all words, in fixed order, on each rank (collective); `None` if there are
    /// none.
    ///
    /// # Errors
    /// If a rank, an addition or the engine fails.
    pub fn sum(&self, ranks: &mut dyn Communicator) -> Result<Option<T>, RankError>
    where
        T: Add<Output = T> + 'static,
    {
        let own = Elements(Arc::clone(&self.own));
        self.combined(ranks, Shifted(own, self.start()), T::add)
    }

    /// Returns the sum of the products of the words of two arrays of the same ranges, as
    /// [`sum`](Self::sum) does.
    ///
    /// # Errors
    /// As [`sum`](Self::sum), and on this rank alone if the arrays have other ranges.
    pub fn dot(&self, other: &Self, ranks: &mut dyn Communicator) -> Result<Option<T>, RankError>
    where
        T: Add<Output = T> + Mul<Output = T> + 'static,
    {
        if self.ranges != other.ranges {
            return Err(RankError::Length {
                rank: self.rank,
                owned: self.own.len(),
                given: other.own.len(),
            });
        }
        let own = Products(Arc::clone(&self.own), Arc::clone(&other.own));
        self.combined(ranks, Shifted(own, self.start()), T::add)
    }

    /// Combines `operand(i, word)` of all words and their indices in the array, in fixed order, as
    /// [`sum`](Self::sum) does.
    ///
    /// # Errors
    /// As [`sum`](Self::sum).
    pub fn reduce<U: Element + Send>(
        &self,
        ranks: &mut dyn Communicator,
        operand: impl Fn(usize, T) -> U + Send + Sync + 'static,
        combine: impl Fn(U, U) -> U + Clone + Send + Sync + 'static,
    ) -> Result<Option<U>, RankError>
    where
        T: 'static,
    {
        let (own, start) = (Arc::clone(&self.own), self.start());
        self.combined(ranks, move |i: usize| operand(i, own[i - start]), combine)
    }

    fn start(&self) -> usize {
        self.ranges.of(self.rank).start
    }

    fn combined<U: Element + Send>(
        &self,
        ranks: &mut dyn Communicator,
        operands: impl Operands<U> + Send + Sync + 'static,
        combine: impl Fn(U, U) -> U + Clone + Send + Sync + 'static,
    ) -> Result<Option<U>, RankError> {
        let range = self.ranges.of(self.rank);
        let own = forest(range, self.threads, operands, combine.clone()).inspect_err(|error| {
            let failure = RankError::Refused {
                rank: self.rank,
                message: error.to_string(),
            };
            ranks.abort(&failure);
        })?;
        self.ranges.combine(ranks, own, &combine)
    }
}

impl Distributed<f64> {
    /// Returns the Euclidean norm, as [`sum`](Self::sum) does.
    ///
    /// # Errors
    /// As [`sum`](Self::sum).
    pub fn norm(&self, ranks: &mut dyn Communicator) -> Result<f64, RankError> {
        Ok(self.dot(self, ranks)?.unwrap_or(0.0).sqrt())
    }
}

/// Operands of a range that lie in memory from its first one on.
struct Shifted<O>(O, usize);

impl<T, O: Operands<T>> Operands<T> for Shifted<O> {
    fn within(&self, first: usize, count: usize) -> impl Fn(usize) -> T {
        self.0.within(first - self.1, count)
    }
}

/// Combines the operands of a range, on so many threads, to whole subtrees.
fn forest<T: Element + Send>(
    range: Range<usize>,
    threads: usize,
    operands: impl Operands<T> + Send + Sync + 'static,
    combine: impl Fn(T, T) -> T + Clone + Send + Sync + 'static,
) -> Result<Forest<T>, RunError> {
    // To append is associative, so pieces may be put together in whichever order is fastest.
    let pieces = (range.len() / LEAST).clamp(1, PIECES * threads);
    let cuts = Ranges::even(range.len(), pieces);
    let start = range.start;
    let operand = {
        let combine = combine.clone();
        move |piece| {
            let own = cuts.of(piece);
            Forest::of_any(start + own.start..start + own.end, &operands, &combine)
        }
    };
    let append = move |mut left: Forest<T>, right| {
        left.append(right, &combine);
        left
    };
    let free = Costs {
        tau: 0,
        overhead: 0,
    };
    let tree = Tree::with_costs(Order::Free, pieces, threads.min(pieces), free);
    let all = reduce(&tree, operand, append)?;
    Ok(all.expect("there is a piece"))
}
