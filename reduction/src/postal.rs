//! Postal trees: a processor takes in one result after the other, each sent as late as it still
//! arrives in time (Bar-Noy and Kipnis 1992).

use std::collections::VecDeque;

/// Counts the processors that can have contributed to a result within 0, 1, 2, ... time units, if
/// each had its own part at time 0. That is F(x) = F(x - 1) + F(x - 1 - tau), and 1 up to tau. The
/// numbers saturate.
///
/// Backwards from the end of a reduction of freely placed operands, the sequence counts the
/// processors that can still be of use.
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

/// Returns the time in which the results of `processors` processors, all ready at once, become one.
/// No order-preserving tree is faster. 0 for none or one.
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

/// A processor of a postal tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Member {
    /// Processor that takes in its result; `None`: it is the root.
    pub parent: Option<u32>,
    /// Time before the end at which its result is ready.
    pub distance: u64,
}

/// Returns the processors of the fastest tree, the root first, then by distance. So each comes
/// after its parent, and of the results that a processor takes in those of later members come
/// first.
///
/// ```
/// use superstep_reduction::postal::members;
///
/// let parents: Vec<_> = members(4, 1).iter().map(|member| member.parent).collect();
/// assert_eq!(parents, [None, Some(0), Some(0), Some(0)]);
/// ```
pub fn members(processors: u64, tau: u64) -> Vec<Member> {
    let mut members = vec![Member {
        parent: None,
        distance: 0,
    }];
    // How many members are early enough to take in a result of that distance.
    let mut parents = 0;
    let mut distance = tau;
    while (members.len() as u64) < processors {
        distance += 1;
        while parents < members.len() && members[parents].distance + tau < distance {
            parents += 1;
        }
        let wanted = (processors - members.len() as u64).min(parents as u64);
        members.extend((0..wanted as u32).map(|parent| Member {
            parent: Some(parent),
            distance,
        }));
    }
    members
}

/// Returns the parents in the fastest tree. Processors are numbered so that the results that one
/// takes in are those right of its own. The order is its part, its first child's, its second's, and
/// so on.
///
/// ```
/// use superstep_reduction::postal::parents;
///
/// assert_eq!(parents(6, 1), [0, 0, 0, 0, 0, 4]);
/// ```
pub fn parents(processors: u64, tau: u64) -> Vec<u32> {
    let members = members(processors, tau);
    let mut sizes = vec![1u32; members.len()];
    for at in (1..members.len()).rev() {
        sizes[parent(&members, at)] += sizes[at];
    }
    // A member's children stand from right to left, since the later members come first.
    let mut places = vec![0u32; members.len()];
    let mut ends: Vec<u32> = sizes.clone();
    let mut parents = vec![0; members.len()];
    for at in 1..members.len() {
        let above = parent(&members, at);
        ends[above] -= sizes[at];
        places[at] = ends[above];
        ends[at] = places[at] + sizes[at];
        parents[places[at] as usize] = places[above];
    }
    parents
}

fn parent(members: &[Member], at: usize) -> usize {
    members[at].parent.unwrap_or(0) as usize
}
