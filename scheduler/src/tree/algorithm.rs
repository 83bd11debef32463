//! The tree algorithms by name.

use serde::Serialize;
use superstep_dag::Dag;
use superstep_machine::Machine;
use superstep_schedule::Schedule;

use super::{
    Alg1, Alg2, Alg3, Alg3Star, CompleteTree, FreeTree, Optimum, Py, Ties, TreeSchedule,
    arithmetic::sequential,
};
use crate::{ScheduleError, Scheduler};

/// An algorithm for complete binary trees.
///
/// As a [`Scheduler`] it takes graphs that [are such trees](CompleteTree::of), of any weight, and the machine's tau in units of that, rounded up.
/// Algorithms for as many processors as they want are refused by a machine that has fewer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TreeAlgorithm {
    /// [`Py`].
    Py,
    /// [`Alg1`].
    Alg1,
    /// [`Alg2`].
    Alg2,
    /// [`Alg3`].
    Alg3,
    /// [`Alg3Star`].
    Alg3Star,
    /// [`Optimum`].
    Optimal,
    /// [`FreeTree::placed_freely`]: no schedule of the complete tree, but of another with as many operands.
    Nkf,
    /// [`FreeTree::best_equal_blocks`], likewise.
    Postal,
}

/// What a schedule of a tree comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Figures {
    /// When the root has been computed.
    pub makespan: u64,
    /// When it starts.
    pub start: u64,
    /// How many processors it takes.
    pub processors: u64,
}

impl TreeAlgorithm {
    /// The figures of the tree of `height` levels under a delay of `tau` tasks; `processors` limits ALG3, ALG3* and the re-associated trees.
    ///
    /// Cost: microseconds, but for the optimum (milliseconds).
    ///
    /// # Panics
    /// When `height` is 0 or more than 62, or there is no processor.
    ///
    /// ```
    /// use superstep_scheduler::tree::TreeAlgorithm;
    ///
    /// let makespan = |algorithm: TreeAlgorithm| algorithm.figures(10, 100, 64).makespan;
    /// assert_eq!([TreeAlgorithm::Alg3Star, TreeAlgorithm::Nkf].map(makespan), [162, 143]);
    /// ```
    pub fn figures(self, height: u32, tau: u64, processors: u64) -> Figures {
        let (makespan, used) = match self {
            Self::Py => {
                let py = Py::new(height, tau);
                (py.start() + 1, py.processors())
            }
            Self::Alg1 => {
                let alg1 = Alg1::new(height, tau, Ties::default());
                (alg1.start(height) + 1, alg1.processors(height))
            }
            Self::Alg2 => {
                let alg2 = Alg2::new(height, tau);
                (alg2.makespan(), alg2.processors())
            }
            Self::Alg3 => {
                let alg3 = Alg3::new(height, tau, processors);
                (alg3.makespan(height), alg3.processors(height))
            }
            Self::Alg3Star => {
                let star = Alg3Star::new(height, tau, processors);
                (star.makespan(height), star.processors(height))
            }
            Self::Optimal => {
                let optimum = Optimum::new(height, tau);
                (optimum.start(height) + 1, optimum.processors(height))
            }
            Self::Nkf => {
                let nkf = FreeTree::placed_freely(1 << height, tau, processors);
                (nkf.makespan(), nkf.processors())
            }
            Self::Postal => {
                let postal = FreeTree::best_equal_blocks(1 << height, tau, processors);
                (postal.makespan(), postal.processors())
            }
        };
        Figures {
            makespan,
            start: makespan - 1,
            processors: used,
        }
    }

    /// The schedule of the complete tree; `None` for algorithms that re-associate.
    ///
    /// # Panics
    /// As [`figures`](Self::figures), and for more than 30 levels.
    pub fn schedule_tree(self, height: u32, tau: u64, processors: u64) -> Option<TreeSchedule> {
        Some(match self {
            Self::Py => Py::new(height, tau).schedule(),
            Self::Alg1 => Alg1::new(height, tau, Ties::default()).schedule(height),
            Self::Alg2 => Alg2::new(height, tau).schedule(),
            Self::Alg3 => Alg3::new(height, tau, processors).schedule(height),
            Self::Alg3Star => Alg3Star::new(height, tau, processors).schedule(height),
            Self::Optimal => Optimum::new(height, tau).schedule(height),
            Self::Nkf | Self::Postal => return None,
        })
    }
}

impl Scheduler for TreeAlgorithm {
    fn name(&self) -> &'static str {
        match self {
            Self::Py => "py",
            Self::Alg1 => "alg1",
            Self::Alg2 => "alg2",
            Self::Alg3 => "alg3",
            Self::Alg3Star => "alg3star",
            Self::Optimal => "optimal",
            Self::Nkf => "nkf",
            Self::Postal => "postal",
        }
    }

    fn schedule(&self, graph: &Dag, machine: &Machine) -> Result<Schedule, ScheduleError> {
        crate::scheduler::serves(self, machine, Schedule::MOST_PROCESSORS)?;
        let algorithm = self.name();
        let shape = ScheduleError::NoCompleteTree { algorithm };
        let tree = CompleteTree::of(graph).ok_or(shape.clone())?;
        let tau = delay(machine.tau(), &tree);
        let (height, processors) = (tree.height(), machine.processors);
        // Whether there are processors enough is known before millions of pieces are placed.
        let needs = self.figures(height, tau, processors.into()).processors;
        if needs > processors.into() {
            return Err(ScheduleError::TooFew {
                algorithm,
                needs,
                processors,
            });
        }
        let schedule = self.schedule_tree(height, tau, processors.into());
        Ok(schedule.ok_or(shape)?.supersteps(&tree, processors))
    }
}

/// Tau in tasks. More than the whole tree takes is as bad as that.
fn delay(tau: f64, tree: &CompleteTree) -> u64 {
    let tasks = (tau / f64::from(tree.weight().max(1))).ceil();
    (tasks as u64).min(sequential(tree.height()))
}
