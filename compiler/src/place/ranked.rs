//! Sets of small numbers in which each member has a rank.

/// Set of numbers as a bit set with ranks: one load tells whether a number is in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct RankedSet {
    bits: Vec<u64>,
    /// Set bits before each word of `bits`.
    ranks: Vec<u32>,
    members: u32,
}

impl RankedSet {
    /// Makes a set of numbers below `end`, given in any order.
    pub(crate) fn new(end: u32, members: impl IntoIterator<Item = u32>) -> Self {
        Self::default().with(end, members)
    }

    /// Adds numbers below `end`, given in any order.
    pub(crate) fn with(self, end: u32, members: impl IntoIterator<Item = u32>) -> Self {
        let mut bits = self.bits;
        bits.resize(bits.len().max(end.div_ceil(64) as usize), 0);
        for member in members {
            bits[member as usize / 64] |= 1 << (member % 64);
        }
        let mut members = 0;
        let rank = |word: &u64| {
            let before = members;
            members += word.count_ones();
            before
        };
        let ranks = bits.iter().map(rank).collect();
        Self {
            bits,
            ranks,
            members,
        }
    }

    /// Returns how many lower numbers are in the set, if this one is.
    #[inline]
    pub(crate) fn rank(&self, number: u32) -> Option<u32> {
        let word = *self.bits.get(number as usize / 64)?;
        let bit = 1_u64 << (number % 64);
        let lower = || self.ranks[number as usize / 64] + (word & (bit - 1)).count_ones();
        (word & bit != 0).then(lower)
    }

    /// Returns the number of members.
    pub(crate) fn len(&self) -> u32 {
        self.members
    }

    /// Iterates over the members, ascending.
    pub(crate) fn iter(&self) -> impl Iterator<Item = u32> {
        self.bits.iter().zip(0..).flat_map(|(&word, at)| {
            let rest = std::iter::successors(Some(word), |rest| Some(rest & rest.wrapping_sub(1)));
            let rest = rest.take_while(|&rest| rest != 0);
            rest.map(move |rest: u64| 64 * at + rest.trailing_zeros())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_have_their_positions() {
        let members = [0, 5, 63, 64, 65, 200];
        let set = RankedSet::new(201, [65, 0, 200, 5]).with(70, [64, 63, 5]);
        assert!(set.iter().eq(members));
        assert_eq!(set.len(), 6);
        for number in 0..300 {
            let position = members.iter().position(|&member| member == number);
            assert_eq!(set.rank(number), position.map(|it| it as u32));
        }
        assert_eq!(RankedSet::default().rank(0), None);
    }
}
