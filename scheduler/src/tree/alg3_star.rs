//! ALG3*: an extension of ALG3 of Fujimoto's thesis that may cut every tree at every height.

use super::{At, Decisions, TreeSchedule, sequential};

/// ALG3*'s schedules for all complete binary trees up to a height, on a limited number of
/// processors.
///
/// A tree is computed by one processor, or cut at the best of all heights. The subtrees below the
/// cut are dealt in contiguous runs, as many to each processor as possible. Groups of processors
/// take the rest, and the part above follows a delay later; both recursively. This contains `Alg2`,
/// `Alg3` and one processor as special cases, and is never slower than any of them. Cost: as ALG3.
///
/// ```
/// use superstep_scheduler::tree::Alg3Star;
///
/// // ALG3, as published, takes 10962.
/// assert_eq!(Alg3Star::new(20, 2, 100).makespan(20), 10516);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alg3Star {
    tau: u64,
    processors: u64,
    decisions: Decisions,
}

impl Alg3Star {
    /// Plans all heights from 1 to `height` under a delay of `tau` tasks.
    ///
    /// # Panics
    /// When there is no processor, or `height` is more than 62.
    pub fn new(height: u32, tau: u64, processors: u64) -> Self {
        assert!(processors > 0, "there is no processor");
        let mut star = Self {
            tau,
            processors,
            decisions: Decisions::new(height),
        };
        for h in 1..=height {
            star.plan(h, processors);
        }
        star
    }

    /// Returns the time at which the root of the tree of that height has been computed.
    ///
    /// # Panics
    /// When the height is 0 or was not planned.
    pub fn makespan(&self, height: u32) -> u64 {
        self.decisions.get(height, self.processors).makespan
    }

    /// Returns the height of the part above the cut; `None`: one processor computes the whole tree.
    ///
    /// # Panics
    /// As [`makespan`](Self::makespan).
    pub fn cut(&self, height: u32) -> Option<u32> {
        self.decisions.get(height, self.processors).cut()
    }

    /// Returns the number of processors that the tree of that height takes.
    ///
    /// # Panics
    /// As [`makespan`](Self::makespan).
    pub fn processors(&self, height: u32) -> u64 {
        self.used(height, self.processors)
    }

    /// Returns the schedule of the tree of that height. Linear in its tasks.
    ///
    /// # Panics
    /// When the height is 0, was not planned or is more than 30.
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
        let mut best = (sequential(height), 0);
        if processors > 1 {
            for cut in 1..height {
                let deal = Deal::new(height, cut, processors);
                let mut makespan = deal.rounds * sequential(deal.below) + self.tau;
                if makespan >= best.0 {
                    continue;
                }
                if deal.rest > 0 {
                    makespan += self.plan(deal.below, deal.group);
                }
                best = best.min((makespan + self.plan(cut, processors), cut));
            }
        }
        self.decisions.insert(height, processors, best.0, best.1);
        best.0
    }

    fn used(&self, height: u32, processors: u64) -> u64 {
        let Some(cut) = self.decisions.get(height, processors).cut() else {
            return 1;
        };
        let deal = Deal::new(height, cut, processors);
        if deal.rounds > 0 {
            processors
        } else {
            deal.rest * self.used(deal.below, deal.group)
        }
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
        let Some(cut) = decision.cut() else {
            schedule.place(root, height, first, at);
            return at.superstep;
        };
        let deal = Deal::new(height, cut, processors);
        let dealt = deal.rounds * processors;
        let after = At {
            start: at.start + deal.rounds * sequential(deal.below),
            ..at
        };
        for subtree in 0..dealt {
            let root = (root << cut) + subtree as u32;
            let processor = first + (subtree / deal.rounds) as u32;
            let start = at.start + subtree % deal.rounds * sequential(deal.below);
            schedule.place(root, deal.below, processor, At { start, ..at });
        }
        let mut last = at.superstep;
        for index in 0..deal.rest {
            let root = (root << cut) + (dealt + index) as u32;
            // Groups that do not need all their processors stand closer together.
            let first = first + (index * self.used(deal.below, deal.group)) as u32;
            last = self.place(root, deal.below, first, deal.group, after, schedule);
        }
        let top = At {
            start: at.start + decision.makespan - self.decisions.get(cut, processors).makespan,
            superstep: last + 1,
        };
        self.place(root, cut, first, processors, top, schedule)
    }
}

/// Deal of the subtrees below a cut.
struct Deal {
    /// Height of the subtrees.
    below: u32,
    /// Number of subtrees that each processor computes alone.
    rounds: u64,
    /// Number of subtrees that are left.
    rest: u64,
    /// Number of processors that each of those gets.
    group: u64,
}

impl Deal {
    fn new(height: u32, cut: u32, processors: u64) -> Self {
        let subtrees = 1u64 << cut;
        let rest = subtrees % processors;
        Self {
            below: height - cut,
            rounds: subtrees / processors,
            rest,
            group: processors / rest.max(1),
        }
    }
}
