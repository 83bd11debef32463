//! Sets of processors, as the bits of a word.

/// Largest number of processors of such a set.
pub(crate) const MOST_PROCESSORS: u32 = u64::BITS;

/// Returns the members of a set, ascending: the numbers of the bits of a word.
pub(crate) fn bits(mut set: u64) -> impl Iterator<Item = usize> + Clone {
    std::iter::from_fn(move || {
        let bit = set.trailing_zeros() as usize;
        (set != 0).then(|| {
            set &= set - 1;
            bit
        })
    })
}
