//! Postal trees: a processor takes in one result after the other, each sent as late as it still arrives in time (Bar-Noy and Kipnis 1992).

use std::collections::VecDeque;

/// How many processors can have contributed to a result within 0, 1, 2, ... time units, if each had its own part at time 0:
/// F(x) = F(x - 1) + F(x - 1 - tau), and 1 up to tau. The numbers saturate.
///
/// The same sequence counts, from the end of a reduction of freely placed operands backwards, the processors that can still be of use.
///
/// ```
/// use superstep_reduction::postal::reach;
///
/// assert_eq!(reach(2).take(7).collect::<Vec<_>>(), [1, 1, 1, 2, 3, 4, 6]);
/// ```
pub fn reach(tau: u64) -> impl Iterator<Item = u64> {
    let mut ones = Some(tau);
    let mut recent = VecDeque::new();
    std::iter::from_fn(move || {
        // While all are 1, none needs to be kept: tau may be large.
        if let Some(left) = ones {
            ones = left.checked_sub(1);
            return Some(1);
        }
        let last = recent.back().copied().unwrap_or(1);
        let before = if recent.len() as u64 > tau {
            recent.pop_front()
        } else {
            None
        };
        let next = u64::saturating_add(last, before.unwrap_or(1));
        recent.push_back(next);
        Some(next)
    })
}

/// Time in which the results of `processors` processors, all ready at once, become one: no order-preserving tree is faster. 0 for none or one.
///
/// Cost: one step for each unit of the time beyond tau.
///
/// ```
/// use superstep_reduction::postal::time;
///
/// assert_eq!((time(1, 10), time(2, 10), time(64, 10)), (0, 11, 30));
/// ```
pub fn time(processors: u64, tau: u64) -> u64 {
    if processors <= 1 {
        return 0;
    }
    let beyond = reach(tau)
        .skip(tau as usize)
        .position(|reached| reached >= processors);
    tau + beyond.expect("the sequence is not bounded") as u64
}
