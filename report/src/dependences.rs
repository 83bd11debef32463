//! Dependences between iterations, or between tasks of a graph: which come before which.

use superstep_order::{Rows, number, take};

/// Most groups and dependences of an HTML page, together. They take about two bytes each there:
/// 2^20 take 2 MB, as a plan of 10^7 grains in order does.
const MOST_NUMBERS: usize = 1 << 20;

/// Groups of neighbouring numbers, and the groups that must end before each begins.
///
/// Programs of a build need none: their plan says which slots each statement writes, and the page
/// finds the writers there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dependences {
    /// Numbers of each group.
    lengths: Vec<u32>,
    /// Groups that each one comes after.
    before: Rows<u32>,
}

impl Dependences {
    /// Returns the dependences between groups of so many numbers each; none if they are too many
    /// for a page.
    ///
    /// ```
    /// use superstep_report::Dependences;
    ///
    /// let chain = |group: u32| if group > 0 { vec![group - 1] } else { vec![] };
    /// assert!(Dependences::new([4, 4, 1], chain).is_some());
    /// assert!(Dependences::new((0..1 << 20).map(|_| 1), chain).is_none());
    /// ```
    pub fn new<R: AsRef<[u32]>>(
        lengths: impl IntoIterator<Item = u32>,
        before: impl Fn(u32) -> R,
    ) -> Option<Self> {
        let mut all = Self::default();
        for (group, length) in (0..).zip(lengths) {
            all.lengths.push(length);
            all.before.items.extend(before(group).as_ref());
            all.before.end_row();
            if all.lengths.len() + all.before.items.len() > MOST_NUMBERS {
                return None;
            }
        }
        Some(all)
    }

    /// Encodes the groups as LEB128 numbers: their count, then each one. A group is its length, how
    /// many it comes after, and how far back each of these stands, modulo 2^32.
    pub fn encode(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        number(&mut bytes, self.lengths.len() as u64);
        for ((group, &length), before) in (0_u32..).zip(&self.lengths).zip(self.before.iter()) {
            number(&mut bytes, length.into());
            number(&mut bytes, before.len() as u64);
            for &each in before {
                number(&mut bytes, group.wrapping_sub(each).into());
            }
        }
        bytes
    }

    /// Reads dependences; none if the bytes are damaged.
    pub(crate) fn decode(mut bytes: &[u8]) -> Option<Self> {
        let groups = u32::try_from(take(&mut bytes)?).ok()?;
        let mut all = Self::default();
        for group in 0..groups {
            all.lengths.push(u32::try_from(take(&mut bytes)?).ok()?);
            for _ in 0..take(&mut bytes)? {
                let before = group.wrapping_sub(u32::try_from(take(&mut bytes)?).ok()?);
                (before < groups).then_some(())?;
                all.before.items.push(before);
            }
            all.before.end_row();
        }
        bytes.is_empty().then_some(all)
    }
}
