//! Lower bounds for all schedules of a complete binary tree. All are times at which the root may
//! start, unless they say makespan.

use superstep_scheduler::tree::sequential;

use super::arithmetic::levels_within;

/// Returns the bound of Papadimitriou and Yannakakis for the root of a complete binary tree
/// (thesis, section 4.2): e(h) = e(h - U) + tau + 1. A tree of U = floor(log2(tau + 2)) levels is
/// the tallest that starts before anything arrives.
///
/// # Panics
/// When `height` is 0, as `e_with_all_delays` and `e_strong` do.
///
/// ```
/// use superstep_search::tree::bounds::{e, e_strong, e_with_all_delays};
///
/// let (height, tau) = (8, 8);
/// assert_eq!((e(height, tau), e_with_all_delays(height, tau), e_strong(height, tau)), (20, 20, 21));
/// ```
pub fn e(height: u32, tau: u64) -> u64 {
    assert!(height > 0, "a tree has at least one level");
    let full = levels_within(tau);
    let (cuts, rest) = ((height - 1) / full, (height - 1) % full + 1);
    u64::from(cuts) * (tau + 1) + sequential(rest) - 1
}

/// Returns E, the largest e for any delay from 1 to `tau` (thesis, theorem 4.2.1). A schedule for a
/// delay is one for all shorter delays. Only tau and the delays 2^k - 3 can attain it. Cost:
/// logarithmic in tau.
pub fn e_with_all_delays(height: u32, tau: u64) -> u64 {
    let steps = (2..u64::BITS).map(|k| (1 << k) - 3);
    let below = steps.take_while(|&delay| delay < tau);
    below
        .map(|delay| e(height, delay))
        .fold(e(height, tau), u64::max)
}

/// Returns e', which is never below E. Take `k <= tau + 1` descendants of a task, down to some
/// depth: none starts before b, the bound of the deepest. The task can start only at b + k: before,
/// no result from elsewhere could have arrived, and one processor runs all k. Not in the thesis;
/// [`earliest_starts`](superstep_schedule::bounds::earliest_starts) has it for all graphs. Cost:
/// quadratic in the height.
pub fn e_strong(height: u32, tau: u64) -> u64 {
    let mut bounds = vec![0];
    for h in 1..height {
        let starts = (1..=h).map(|depth| {
            let descendants = sequential(depth + 1) - 1;
            bounds[(h - depth) as usize] + descendants.min(tau + 1)
        });
        bounds.push(starts.max().unwrap_or(0));
    }
    assert!(height > 0, "a tree has at least one level");
    bounds[height as usize - 1]
}

/// Returns the thesis's bound for a limited number of processors (section 4.6), for any delay. It
/// is the exact optimum without delay of the next power of two processors above. Weak by a factor
/// of two where `processors` is a power of two itself.
pub fn thesis_bound(height: u32, processors: u64) -> u64 {
    let leaves = 1 << (height - 1);
    if processors >= leaves {
        return u64::from(height) - 1;
    }
    let log = processors.ilog2();
    (1u64 << height).div_ceil(2 << log) + u64::from(log) - 1
}

/// Returns Hu's bound for a limited number of processors: a makespan, exact without delay.
pub fn hu_makespan(height: u32, processors: u64) -> u64 {
    let below = |k: u32| u64::from(k) + ((1u64 << height) - (1 << k)).div_ceil(processors);
    (0..=height).map(below).max().unwrap_or(0)
}
