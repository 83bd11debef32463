//! The tree algorithms by name.

use serde::Serialize;
use superstep_dag::Dag;
use superstep_machine::Machine;
use superstep_schedule::Schedule;

#[cfg(feature = "classics")]
use super::{Alg1, Alg2, Alg3, FreeTree, Optimum, Py, Ties};
use super::{Alg3Star, CompleteTree, TreeSchedule, arithmetic::sequential};
use crate::{ScheduleError, Scheduler};

/// An algorithm for complete binary trees.
///
/// As a [`Scheduler`] it takes graphs that [are such trees](CompleteTree::of), of any weight, and the machine's tau in units of that, rounded up.
/// Algorithms for as many processors as they want are refused by a machine that has fewer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TreeAlgorithm {
    /// [`Py`].
    #[cfg(feature = "classics")]
    Py,
    /// [`Alg1`].
    #[cfg(feature = "classics")]
    Alg1,
    /// [`Alg2`].
    #[cfg(feature = "classics")]
    Alg2,
    /// [`Alg3`].
    #[cfg(feature = "classics")]
    Alg3,
    /// [`Alg3Star`].
    Alg3Star,
    /// [`Optimum`].
    #[cfg(feature = "classics")]
    Optimal,
    /// [`FreeTree::placed_freely`]: no schedule of the complete tree, but of another with as many operands.
    #[cfg(feature = "classics")]
    Nkf,
    /// [`FreeTree::best_equal_blocks`], likewise.
    #[cfg(feature = "classics")]
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
            #[cfg(feature = "classics")]
            Self::Py => {
                let py = Py::new(height, tau);
                (py.start() + 1, py.processors())
            }
            #[cfg(feature = "classics")]
            Self::Alg1 => {
                let alg1 = Alg1::new(height, tau, Ties::default());
                (alg1.start(height) + 1, alg1.processors(height))
            }
            #[cfg(feature = "classics")]
            Self::Alg2 => {
                let alg2 = Alg2::new(height, tau);
                (alg2.makespan(), alg2.processors())
            }
            #[cfg(feature = "classics")]
            Self::Alg3 => {
                let alg3 = Alg3::new(height, tau, processors);
                (alg3.makespan(height), alg3.processors(height))
            }
            Self::Alg3Star => {
                let star = Alg3Star::new(height, tau, processors);
                (star.makespan(height), star.processors(height))
            }
            #[cfg(feature = "classics")]
            Self::Optimal => {
                let optimum = Optimum::new(height, tau);
                (optimum.start(height) + 1, optimum.processors(height))
            }
            #[cfg(feature = "classics")]
            Self::Nkf => {
                let nkf = FreeTree::placed_freely(1 << height, tau, processors);
                (nkf.makespan(), nkf.processors())
            }
            #[cfg(feature = "classics")]
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
            #[cfg(feature = "classics")]
            Self::Py => Py::new(height, tau).schedule(),
            #[cfg(feature = "classics")]
            Self::Alg1 => Alg1::new(height, tau, Ties::default()).schedule(height),
            #[cfg(feature = "classics")]
            Self::Alg2 => Alg2::new(height, tau).schedule(),
            #[cfg(feature = "classics")]
            Self::Alg3 => Alg3::new(height, tau, processors).schedule(height),
            Self::Alg3Star => Alg3Star::new(height, tau, processors).schedule(height),
            #[cfg(feature = "classics")]
            Self::Optimal => Optimum::new(height, tau).schedule(height),
            #[cfg(feature = "classics")]
            Self::Nkf | Self::Postal => return None,
        })
    }
}

impl TreeAlgorithm {
    /// All, in the order in which the command line lists them.
    pub const ALL: &'static [Self] = &[
        #[cfg(feature = "classics")]
        Self::Py,
        #[cfg(feature = "classics")]
        Self::Alg1,
        #[cfg(feature = "classics")]
        Self::Alg2,
        #[cfg(feature = "classics")]
        Self::Alg3,
        Self::Alg3Star,
        #[cfg(feature = "classics")]
        Self::Optimal,
        #[cfg(feature = "classics")]
        Self::Nkf,
        #[cfg(feature = "classics")]
        Self::Postal,
    ];

    /// Its idea in a line.
    pub fn idea(self) -> &'static str {
        match self {
            #[cfg(feature = "classics")]
            Self::Py => {
                "complete binary trees: cut every floor(log2(tau + 2)) levels, by Papadimitriou and Yannakakis"
            }
            #[cfg(feature = "classics")]
            Self::Alg1 => {
                "complete binary trees: the thesis's ALG1, near the optimum for enough processors"
            }
            #[cfg(feature = "classics")]
            Self::Alg2 => "complete binary trees: the thesis's ALG2, layers of equal height",
            #[cfg(feature = "classics")]
            Self::Alg3 => {
                "complete binary trees: the thesis's ALG3, for a limited number of processors"
            }
            Self::Alg3Star => {
                "complete binary trees: never slower than ALG3, ALG2 or one processor"
            }
            #[cfg(feature = "classics")]
            Self::Optimal => "complete binary trees: the optimum for enough processors",
            #[cfg(feature = "classics")]
            Self::Nkf => {
                "the optimum of all trees with as many operands (NKF; LogP with limited processors)"
            }
            #[cfg(feature = "classics")]
            Self::Postal => "equal blocks of operands, then the fastest of all trees",
        }
    }
}

impl Scheduler for TreeAlgorithm {
    fn name(&self) -> &'static str {
        match self {
            #[cfg(feature = "classics")]
            Self::Py => "py",
            #[cfg(feature = "classics")]
            Self::Alg1 => "alg1",
            #[cfg(feature = "classics")]
            Self::Alg2 => "alg2",
            #[cfg(feature = "classics")]
            Self::Alg3 => "alg3",
            Self::Alg3Star => "alg3star",
            #[cfg(feature = "classics")]
            Self::Optimal => "optimal",
            #[cfg(feature = "classics")]
            Self::Nkf => "nkf",
            #[cfg(feature = "classics")]
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
