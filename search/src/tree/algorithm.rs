//! Tree algorithms by name.

use superstep_dag::Dag;
use superstep_machine::Machine;
use superstep_schedule::Schedule;

use superstep_scheduler::tree::{
    CompleteTrees, Timing, TreeSchedule, TreeScheduler, on_complete_tree,
};
use superstep_scheduler::{ScheduleError, Scheduler};

use super::{Alg1, Alg2, Alg3, FreeTree, Optimum, Py, Ties};

/// Algorithm for complete binary trees.
///
/// As a [`Scheduler`] it takes graphs that [are such trees](on_complete_tree).
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
    /// [`Alg3Star`](superstep_scheduler::tree::Alg3Star).
    Alg3Star,
    /// [`Optimum`].
    Optimal,
    /// Tree of [`FreeTree::placed_freely`]: no schedule of the complete tree, but of another with
    /// as many operands.
    Nkf,
    /// Tree of [`FreeTree::best_equal_blocks`], likewise.
    Postal,
}

/// Processors limit ALG3, ALG3* and the re-associated trees.
///
/// Timings take microseconds, but for the optimum (milliseconds).
///
/// ```
/// use superstep_scheduler::tree::TreeScheduler;
/// use superstep_search::tree::TreeAlgorithm;
///
/// let makespan = |algorithm: TreeAlgorithm| algorithm.timing(10, 100, 64).makespan;
/// assert_eq!([TreeAlgorithm::Alg3Star, TreeAlgorithm::Nkf].map(makespan), [162, 143]);
/// ```
impl TreeScheduler for TreeAlgorithm {
    fn timing(&self, height: u32, tau: u64, processors: u64) -> Timing {
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
            Self::Alg3Star => return CompleteTrees.timing(height, tau, processors),
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
        Timing::new(makespan, used)
    }

    fn schedule_tree(&self, height: u32, tau: u64, processors: u64) -> Option<TreeSchedule> {
        Some(match self {
            Self::Py => Py::new(height, tau).schedule(),
            Self::Alg1 => Alg1::new(height, tau, Ties::default()).schedule(height),
            Self::Alg2 => Alg2::new(height, tau).schedule(),
            Self::Alg3 => Alg3::new(height, tau, processors).schedule(height),
            Self::Alg3Star => return CompleteTrees.schedule_tree(height, tau, processors),
            Self::Optimal => Optimum::new(height, tau).schedule(height),
            Self::Nkf | Self::Postal => return None,
        })
    }
}

impl TreeAlgorithm {
    /// All algorithms, in the order in which the command line lists them.
    pub const ALL: &'static [Self] = &[
        Self::Py,
        Self::Alg1,
        Self::Alg2,
        Self::Alg3,
        Self::Alg3Star,
        Self::Optimal,
        Self::Nkf,
        Self::Postal,
    ];

    /// Returns the name under which the command line and reports know it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Py => "py",
            Self::Alg1 => "alg1",
            Self::Alg2 => "alg2",
            Self::Alg3 => "alg3",
            Self::Alg3Star => CompleteTrees::NAME,
            Self::Optimal => "optimal",
            Self::Nkf => "nkf",
            Self::Postal => "postal",
        }
    }

    /// Returns the idea in a line.
    pub const fn idea(self) -> &'static str {
        match self {
            Self::Py => {
                "complete binary trees: cut every floor(log2(tau + 2)) levels, by Papadimitriou and Yannakakis"
            }
            Self::Alg1 => {
                "complete binary trees: the thesis's ALG1, near the optimum for enough processors"
            }
            Self::Alg2 => "complete binary trees: the thesis's ALG2, layers of equal height",
            Self::Alg3 => {
                "complete binary trees: the thesis's ALG3, for a limited number of processors"
            }
            Self::Alg3Star => CompleteTrees::IDEA,
            Self::Optimal => "complete binary trees: the optimum for enough processors",
            Self::Nkf => {
                "the optimum of all trees with as many operands (NKF; LogP with limited processors)"
            }
            Self::Postal => "equal blocks of operands, then the fastest of all trees",
        }
    }
}

impl Scheduler for TreeAlgorithm {
    fn name(&self) -> &'static str {
        Self::name(*self)
    }

    fn schedule(&self, graph: &Dag, machine: &Machine) -> Result<Schedule, ScheduleError> {
        on_complete_tree(self, graph, machine)
    }
}
