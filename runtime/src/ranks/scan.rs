//! Scans over ranks: the results of all beginnings of a distributed array.
//!
//! As on a team, all that stands before a block is combined as in a sum, and the block's words
//! follow from left to right. Ranks exchange the values of their subtrees once, so each knows what
//! stands before its words. Only a block that lies in several ranges makes them wait for each
//! other: each hands the next one its last result.

use superstep_reduction::blocks::block_length;

use super::distributed::{Distributed, Ranges};
use super::element::Element;
use super::{Communicator, RankError, all_gather, receive_words, send_words};
use crate::reduce::forest::Forest;

impl<T: Element + Send + Sync> Distributed<T> {
    /// Returns, for each word of this rank, the combination of all words up to it (collective).
    /// The bits are those of [`Member::inclusive_scan`](crate::reduce::Member::inclusive_scan).
    ///
    /// ```
    /// use superstep_runtime::ranks::{Communicator, Distributed, local};
    ///
    /// let sums = local::run(3, |ranks| {
    ///     let own = [vec![1u64], vec![2, 3, 4], vec![5]][ranks.rank()].clone();
    ///     Distributed::new(ranks, own)?.inclusive_scan(ranks, |a, b| a + b)
    /// });
    /// let sums: Result<Vec<Vec<u64>>, _> = sums.into_iter().collect();
    /// assert_eq!(sums?.concat(), [1, 3, 6, 10, 15]);
    /// # Ok::<(), superstep_runtime::ranks::RankError>(())
    /// ```
    ///
    /// # Errors
    /// If a rank or the engine fails.
    pub fn inclusive_scan(
        &self,
        ranks: &mut dyn Communicator,
        combine: impl Fn(T, T) -> T,
    ) -> Result<Vec<T>, RankError> {
        self.scan(ranks, &combine, |_, up_to| up_to)
    }

    /// Returns, for each word of this rank, the combination of all words before it (collective);
    /// `identity` for the first of all. Otherwise as [`inclusive_scan`](Self::inclusive_scan).
    ///
    /// # Errors
    /// If a rank or the engine fails.
    pub fn exclusive_scan(
        &self,
        ranks: &mut dyn Communicator,
        identity: T,
        combine: impl Fn(T, T) -> T,
    ) -> Result<Vec<T>, RankError> {
        self.scan(ranks, &combine, |before, _| before.unwrap_or(identity))
    }

    /// Returns what `result` makes, for each word, of the combinations before and up to it.
    fn scan(
        &self,
        ranks: &mut dyn Communicator,
        combine: &impl Fn(T, T) -> T,
        result: impl Fn(Option<T>, T) -> T,
    ) -> Result<Vec<T>, RankError> {
        let (ranges, rank, own) = (self.ranges(), ranks.rank(), self.own());
        let (range, block) = (ranges.of(rank), block_length(ranges.words()));
        let operand = |i: usize| own[i - range.start];
        let all = Forest::of_any(range.clone(), &operand, combine);
        let mut before = before(ranks, ranges, &all, combine)?;
        let has_words = |&other: &usize| !ranges.of(other).is_empty();
        let mut up_to = None;
        if !range.is_empty() && !range.start.is_multiple_of(block) {
            let left = (0..rank).rev().find(has_words);
            let left = left.ok_or(RankError::Malformed { from: rank })?;
            let [last] = receive_words(ranks, left)?[..] else {
                return Err(RankError::Malformed { from: left });
            };
            up_to = Some(last);
        }
        let mut results = Vec::with_capacity(range.len());
        // Words from here on are not yet in what stands before.
        let mut rest = range.start;
        for i in range.clone() {
            if i.is_multiple_of(block) {
                before.append(Forest::of_any(rest..i, &operand, combine), combine);
                rest = i;
                up_to = before.clone().finish(combine);
            }
            let now = match up_to {
                Some(up_to) => combine(up_to, operand(i)),
                None => operand(i),
            };
            results.push(result(up_to.replace(now), now));
        }
        let is_cut = !range.is_empty() && !range.end.is_multiple_of(block);
        if let Some(right) = (rank + 1..ranges.ranks())
            .find(has_words)
            .filter(|_| is_cut)
        {
            send_words(ranks, right, up_to.as_slice())?;
        }
        Ok(results)
    }
}

/// Returns what stands before this rank's words (collective).
fn before<T: Element>(
    ranks: &mut dyn Communicator,
    ranges: &Ranges,
    own: &Forest<T>,
    combine: &impl Fn(T, T) -> T,
) -> Result<Forest<T>, RankError> {
    let rank = ranks.rank();
    let mut values = all_gather(ranks, own.values())?.into_iter();
    let mut before = Forest::of_any(0..0, &|_| unreachable!("it is empty"), combine);
    for other in 0..rank {
        let range = ranges.of(other);
        let count = Forest::<T>::subtrees(range.clone());
        let values = values.by_ref().take(count).collect();
        let forest = Forest::from_values(range, values);
        before.append(forest.ok_or(RankError::Malformed { from: 0 })?, combine);
    }
    Ok(before)
}
