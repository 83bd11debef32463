//! ALG3 (thesis, section 4.6): ALG2 for a limited number of processors.

use superstep_scheduler::tree::{At, Decisions, TreeSchedule, sequential};

use super::Alg2;

/// ALG3's schedules for all complete binary trees up to a height, on a limited number of
/// processors.
///
/// With processors enough for [`Alg2`] it is that. Otherwise the tree is cut below a top part of
/// some height h', which ALG2 computes, into 2^h' subtrees. These are dealt to the processors one
/// after the other, as many to each as possible; groups of processors take the rest. For a power of
/// two h' is its logarithm, otherwise the best of those for which ALG2 has processors enough.
///
/// As printed each remaining subtree gets floor(m / p) processors, which may be more than there
/// are; here it is floor(p / r) for r that remain. In 563 of 6.1 million cases it is slower than
/// one processor: [`Alg3Star`](superstep_scheduler::tree::Alg3Star) never is. Cost: height squared
/// for each number of processors that comes up, of which there are few: microseconds.
///
/// ```
/// use superstep_search::tree::Alg3;
///
/// assert_eq!(Alg3::new(20, 2, 100).makespan(20), 10962);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alg3 {
    tau: u64,
    processors: u64,
    /// ALG2 by height, of height 1 first.
    tops: Vec<Alg2>,
    decisions: Decisions,
}

impl Alg3 {
    /// Plans all heights from 1 to `height` under a delay of `tau` tasks.
    ///
    /// # Panics
    /// When there is no processor, or `height` is more than 62.
    pub fn new(height: u32, tau: u64, processors: u64) -> Self {
        assert!(processors > 0, "there is no processor");
        let tops = (1..=height).map(|h| Alg2::new(h, tau)).collect();
        let mut alg3 = Self {
            tau,
            processors,
            tops,
            decisions: Decisions::new(height),
        };
        for h in 1..=height {
            alg3.plan(h, processors);
        }
        alg3
    }

    /// Returns the time at which the root of the tree of that height has been computed.
    ///
    /// # Panics
    /// When the height is 0 or was not planned.
    pub fn makespan(&self, height: u32) -> u64 {
        self.decisions.get(height, self.processors).makespan
    }

    /// Returns the height of the part above the cut; `None`: the whole tree is scheduled by ALG2.
    pub fn cut(&self, height: u32) -> Option<u32> {
        self.decisions.get(height, self.processors).cut()
    }

    /// Returns the number of processors that the tree of that height takes.
    pub fn processors(&self, height: u32) -> u64 {
        let (decision, processors) = (self.decisions.get(height, self.processors), self.processors);
        match decision.cut() {
            Some(cut) => processors.min(1 << cut),
            None => self
                .top(height, processors)
                .map_or(1, |alg2| alg2.processors()),
        }
    }

    /// Returns the schedule of the tree of that height. Linear in its tasks.
    ///
    /// # Panics
    /// When the height was not planned or is more than 30.
    pub fn schedule(&self, height: u32) -> TreeSchedule {
        let mut schedule = TreeSchedule::new(height, self.tau);
        self.place(1, height, 0, self.processors, At::default(), &mut schedule);
        schedule
    }

    /// Plans a tree; returns its makespan.
    fn plan(&mut self, height: u32, processors: u64) -> u64 {
        if let Some(decision) = self.decisions.known(height, processors) {
            return decision.makespan;
        }
        let whole = self.top(height, processors);
        let decision = if let Some(alg2) = whole {
            (alg2.makespan(), 0)
        } else {
            let cuts = if processors.is_power_of_two() {
                processors.ilog2()..processors.ilog2() + 1
            } else {
                1..height
            };
            let mut best = (u64::MAX, 0);
            for cut in cuts {
                let Some(top) = self.top(cut, processors) else {
                    continue;
                };
                let top = top.makespan();
                best = best.min((self.bottom(height, cut, processors) + self.tau + top, cut));
            }
            best
        };
        self.decisions
            .insert(height, processors, decision.0, decision.1);
        decision.0
    }

    /// Returns the time at which all subtrees below the cut have been computed.
    fn bottom(&mut self, height: u32, cut: u32, processors: u64) -> u64 {
        let (below, subtrees) = (height - cut, 1u64 << cut);
        if subtrees < processors {
            return sequential(below);
        }
        let dealt = subtrees / processors * sequential(below);
        match subtrees % processors {
            0 => dealt,
            rest => dealt + self.plan(below, processors / rest),
        }
    }

    /// Returns ALG2 for a tree of that height (on one processor: no cut), if there are processors
    /// enough.
    fn top(&self, height: u32, processors: u64) -> Option<Alg2> {
        if processors == 1 {
            return Some(Alg2::on_one_processor(height, self.tau));
        }
        Some(self.tops[height as usize - 1]).filter(|alg2| alg2.processors() <= processors)
    }

    /// Places the tree of that height below `root` on the processors from `first` on; returns its
    /// last superstep.
    fn place(
        &self,
        root: u32,
        height: u32,
        first: u32,
        processors: u64,
        at: At,
        schedule: &mut TreeSchedule,
    ) -> u32 {
        let decision = self.decisions.get(height, processors);
        let top = self.top(decision.cut().unwrap_or(height), processors);
        let top = top.expect("a decision has processors enough for its top part");
        let Some(cut) = decision.cut() else {
            return top.place(root, first, at, schedule);
        };
        let (below, subtrees) = (height - cut, 1u64 << cut);
        let (rounds, rest) = (subtrees / processors, subtrees % processors);
        let (dealt, group) = if rounds == 0 {
            (subtrees, 1)
        } else {
            (rounds * processors, processors / rest.max(1))
        };
        let mut last = at.superstep;
        for subtree in 0..subtrees {
            let root = (root << cut) + subtree as u32;
            if subtree < dealt {
                let round = subtree / processors;
                let start = at.start + round * sequential(below);
                let processor = first + (subtree % processors) as u32;
                schedule.place(root, below, processor, At { start, ..at });
            } else {
                let start = at.start + rounds * sequential(below);
                let first = first + ((subtree - dealt) * group) as u32;
                let end = self.place(root, below, first, group, At { start, ..at }, schedule);
                last = last.max(end);
            }
        }
        let start = at.start + decision.makespan - top.makespan();
        let superstep = last + 1;
        top.place(root, first, At { start, superstep }, schedule)
    }
}
