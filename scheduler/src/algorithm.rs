//! The one list of algorithms: what each is called, its idea in a line, what it asks of a graph, and how it is made.
//!
//! Builders, the command line, benches and the tables of the documents read it. Algorithms that no program gains from, and that are there to
//! measure against, are in it with the feature `classics` only, so that build scripts do not compile them.

use superstep_dag::Dag;
use superstep_machine::{Machine, Memory};
use superstep_schedule::Schedule;

#[cfg(feature = "classics")]
use crate::rivals::{CopyInsertion, Dsh, Etf, HillClimb};
use crate::tree::{Reduction, TreeAlgorithm};
use crate::{
    Bcsh, BspGreedy, Cuts, Effort, GrowLocal, Levels, Owners, Pipeline, Portfolio, ScheduleError,
    Scheduler, Serial, hierarchy,
};

/// An algorithm by name.
///
/// ```
/// use superstep_dag::Dag;
/// use superstep_machine::Machine;
/// use superstep_scheduler::{Algorithm, Setting};
///
/// let fork = Dag::from_edges(3, &[(0, 1), (0, 2)])?;
/// let algorithm: Algorithm = "grow-local".parse()?;
/// let schedule = algorithm.schedule(&fork, &Machine::new(2), Setting::default())?;
/// assert_eq!(schedule.instances(), 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Algorithm {
    /// The fastest of those that can win: a build chooses by predicted time, and for a graph alone the portfolio by BSP cost.
    #[default]
    Auto,
    /// Everything on one processor.
    Serial,
    /// One superstep for each level of the graph, in blocks of neighbours.
    Levels,
    /// Owner computes, over rows or columns of the arrays in block-cyclic distributions.
    Owners,
    /// Blocks of the run on fixed owners, passed on in slices.
    Pipeline,
    /// Supersteps grown greedily while their balance gains on their latency.
    GrowLocal,
    /// Tasks go where their inputs are; a superstep ends where that pays best.
    BspGreedy,
    /// Few supersteps, with copies of tasks in place of communication.
    Bcsh,
    /// BCSH with its cuts chosen by what they cost.
    Cuts,
    /// All of these for several machines and orders, and annealing with copies from the best.
    Portfolio,
    /// Trees and forests of any shape: blocks of neighbours for each processor, then what is above them.
    Reduction,
    /// Complete binary trees, never slower than ALG3, ALG2 or one processor.
    Alg3Star,
    /// Complete binary trees: the thesis's ALG3, for a limited number of processors.
    #[cfg(feature = "classics")]
    Alg3,
    /// Complete binary trees: the thesis's ALG2, layers of equal height.
    #[cfg(feature = "classics")]
    Alg2,
    /// Complete binary trees: the thesis's ALG1, near the optimum for enough processors.
    #[cfg(feature = "classics")]
    Alg1,
    /// Complete binary trees: cut every floor(log2(tau + 2)) levels.
    #[cfg(feature = "classics")]
    Py,
    /// Complete binary trees: the optimum for enough processors.
    #[cfg(feature = "classics")]
    Optimal,
    /// Earliest task first.
    #[cfg(feature = "classics")]
    Etf,
    /// List scheduling that fills the time in which a processor waits with copies.
    #[cfg(feature = "classics")]
    Dsh,
    /// Hill climbing on the BSP cost from a greedy schedule.
    #[cfg(feature = "classics")]
    HillClimb,
    /// Copies in place of messages in a greedy schedule.
    #[cfg(feature = "classics")]
    CopyInsertion,
}

/// Shape or knowledge that an algorithm asks of a graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needs {
    /// Any graph.
    Nothing,
    /// The word that each task writes, which graphs of traces know.
    Homes,
    /// A reduction: every value is read at most once.
    Forest,
    /// A complete binary tree of equal tasks.
    CompleteTree,
}

/// Programs among whose candidates an algorithm is when a build chooses for itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wins {
    /// None: it is chosen by name.
    Never,
    /// Those of any kind of memory.
    Anywhere,
    /// Those over private memory: it copies tasks, and words of copied tasks cannot be shared.
    InPrivate,
}

/// Circumstances that a scheduler is made for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Setting {
    /// The memory of the program to be; `None` for a graph alone, of which no program is made.
    pub memory: Option<Memory>,
    /// How much the algorithms that search may try.
    pub effort: Effort,
}

/// Facts about an algorithm: a row of the list.
struct Facts {
    name: &'static str,
    idea: &'static str,
    needs: Needs,
    wins: Wins,
}

impl Algorithm {
    /// The list, in the order in which documents show it.
    pub const ALL: &'static [Self] = &[
        Self::Auto,
        Self::Serial,
        Self::Levels,
        Self::Owners,
        Self::Pipeline,
        Self::GrowLocal,
        Self::BspGreedy,
        Self::Bcsh,
        Self::Cuts,
        Self::Portfolio,
        Self::Reduction,
        Self::Alg3Star,
        #[cfg(feature = "classics")]
        Self::Alg3,
        #[cfg(feature = "classics")]
        Self::Alg2,
        #[cfg(feature = "classics")]
        Self::Alg1,
        #[cfg(feature = "classics")]
        Self::Py,
        #[cfg(feature = "classics")]
        Self::Optimal,
        #[cfg(feature = "classics")]
        Self::Etf,
        #[cfg(feature = "classics")]
        Self::Dsh,
        #[cfg(feature = "classics")]
        Self::HillClimb,
        #[cfg(feature = "classics")]
        Self::CopyInsertion,
    ];

    fn facts(self) -> Facts {
        let facts = |name, idea, needs, wins| Facts {
            name,
            idea,
            needs,
            wins,
        };
        let tree = |algorithm: TreeAlgorithm, wins| {
            let (name, idea) = (algorithm.name(), algorithm.idea());
            facts(name, idea, Needs::CompleteTree, wins)
        };
        let any = |name, idea, wins| facts(name, idea, Needs::Nothing, wins);
        match self {
            Self::Auto => any(
                "auto",
                "the fastest of those that can win: builds choose by predicted time, for a graph alone the portfolio by BSP cost",
                Wins::Never,
            ),
            Self::Serial => any("serial", "everything on one processor", Wins::Never),
            Self::Levels => any(
                "levels",
                "one superstep for each level, in blocks of neighbours: sweeps",
                Wins::Anywhere,
            ),
            Self::Owners => facts(
                "owners",
                "owner computes, over block-cyclic rows or columns of the arrays: factorisations, products",
                Needs::Homes,
                Wins::Anywhere,
            ),
            Self::Pipeline => any(
                "pipeline",
                "blocks of the run on fixed owners, passed on in slices: substitution, recurrences",
                Wins::Anywhere,
            ),
            Self::GrowLocal => any(
                "grow-local",
                "supersteps grown greedily while their balance gains on their latency: large sparse graphs",
                Wins::Anywhere,
            ),
            Self::BspGreedy => any(
                "bsp-greedy",
                "tasks go where their inputs are; a superstep ends where that pays best",
                Wins::Never,
            ),
            Self::Bcsh => any(
                "bcsh",
                "few supersteps, with copies of tasks in place of communication (up to 64 processors)",
                Wins::InPrivate,
            ),
            Self::Cuts => any(
                "cuts",
                "BCSH with its cuts chosen by what they cost (up to 64 processors)",
                Wins::InPrivate,
            ),
            Self::Portfolio => any(
                "portfolio",
                "all of these for several machines and orders, and annealing with copies from the best",
                Wins::InPrivate,
            ),
            Self::Reduction => facts(
                "reduction",
                "trees and forests of any shape: blocks of neighbours for each processor, then what is above",
                Needs::Forest,
                Wins::Anywhere,
            ),
            Self::Alg3Star => tree(TreeAlgorithm::Alg3Star, Wins::Anywhere),
            #[cfg(feature = "classics")]
            Self::Alg3 => tree(TreeAlgorithm::Alg3, Wins::Never),
            #[cfg(feature = "classics")]
            Self::Alg2 => tree(TreeAlgorithm::Alg2, Wins::Never),
            #[cfg(feature = "classics")]
            Self::Alg1 => tree(TreeAlgorithm::Alg1, Wins::Never),
            #[cfg(feature = "classics")]
            Self::Py => tree(TreeAlgorithm::Py, Wins::Never),
            #[cfg(feature = "classics")]
            Self::Optimal => tree(TreeAlgorithm::Optimal, Wins::Never),
            #[cfg(feature = "classics")]
            Self::Etf => any(
                "etf",
                "earliest task first, a classic list scheduler",
                Wins::Never,
            ),
            #[cfg(feature = "classics")]
            Self::Dsh => any(
                "dsh",
                "the duplication scheduling heuristic of Kruatrachue and Lewis: for small graphs",
                Wins::Never,
            ),
            #[cfg(feature = "classics")]
            Self::HillClimb => any(
                "hill-climb",
                "hill climbing on the BSP cost from a greedy schedule (up to 64 processors)",
                Wins::Never,
            ),
            #[cfg(feature = "classics")]
            Self::CopyInsertion => any(
                "copy-insertion",
                "copies in place of messages in a greedy schedule (up to 64 processors)",
                Wins::Never,
            ),
        }
    }

    /// The name under which the command line and reports know it.
    pub fn name(self) -> &'static str {
        self.facts().name
    }

    /// Its idea in a line.
    pub fn idea(self) -> &'static str {
        self.facts().idea
    }

    /// What it asks of a graph.
    pub fn needs(self) -> Needs {
        self.facts().needs
    }

    /// Returns whether a build that chooses for itself considers it for a program over such `memory`.
    pub fn can_win(self, memory: Memory) -> bool {
        match self.facts().wins {
            Wins::Never => false,
            Wins::Anywhere => true,
            Wins::InPrivate => memory == Memory::Private,
        }
    }

    /// Makes the scheduler for that setting.
    pub fn scheduler(self, setting: Setting) -> Box<dyn Scheduler> {
        let Setting { memory, effort } = setting;
        match self {
            Self::Auto | Self::Portfolio => Box::new(Portfolio { effort }),
            Self::Serial => Box::new(Serial),
            Self::Levels => Box::new(Levels),
            Self::Owners => Box::new(Owners {
                in_place: memory == Some(Memory::Shared),
            }),
            Self::Pipeline if memory.is_some() => Box::new(Pipeline::for_loops()),
            Self::Pipeline => Box::new(Pipeline::default()),
            Self::GrowLocal => Box::new(GrowLocal::default()),
            Self::BspGreedy => Box::new(BspGreedy::default()),
            Self::Bcsh => Box::new(Bcsh::default()),
            Self::Cuts => Box::new(match effort {
                Effort::Fast => Cuts::FAST,
                Effort::Balanced => Cuts::BALANCED,
                Effort::Thorough => Cuts::THOROUGH,
            }),
            Self::Reduction => Box::new(Reduction),
            Self::Alg3Star => Box::new(TreeAlgorithm::Alg3Star),
            #[cfg(feature = "classics")]
            Self::Alg3 => Box::new(TreeAlgorithm::Alg3),
            #[cfg(feature = "classics")]
            Self::Alg2 => Box::new(TreeAlgorithm::Alg2),
            #[cfg(feature = "classics")]
            Self::Alg1 => Box::new(TreeAlgorithm::Alg1),
            #[cfg(feature = "classics")]
            Self::Py => Box::new(TreeAlgorithm::Py),
            #[cfg(feature = "classics")]
            Self::Optimal => Box::new(TreeAlgorithm::Optimal),
            #[cfg(feature = "classics")]
            Self::Etf => Box::new(Etf),
            #[cfg(feature = "classics")]
            Self::Dsh => Box::new(Dsh),
            #[cfg(feature = "classics")]
            Self::HillClimb => Box::new(HillClimb),
            #[cfg(feature = "classics")]
            Self::CopyInsertion => Box::new(CopyInsertion),
        }
    }

    /// Schedules `graph` on `machine`, [level by level](crate::hierarchy) if that has levels.
    ///
    /// # Errors
    /// As [`Scheduler::schedule`].
    pub fn schedule(
        self,
        graph: &Dag,
        machine: &Machine,
        setting: Setting,
    ) -> Result<Schedule, ScheduleError> {
        hierarchy::schedule(&*self.scheduler(setting), graph, machine)
    }
}

/// The name of an algorithm.
impl std::fmt::Display for Algorithm {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// A name that no algorithm has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no algorithm is called `{0}`; there are {names}", names = names())]
pub struct UnknownAlgorithm(String);

fn names() -> String {
    let names: Vec<&str> = Algorithm::ALL.iter().map(|each| each.name()).collect();
    names.join(", ")
}

impl std::str::FromStr for Algorithm {
    type Err = UnknownAlgorithm;

    fn from_str(name: &str) -> Result<Self, UnknownAlgorithm> {
        let mut all = Self::ALL.iter().copied();
        all.find(|each| each.name() == name)
            .ok_or_else(|| UnknownAlgorithm(name.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_the_schedulers_and_lead_back() {
        for &algorithm in Algorithm::ALL {
            assert_eq!(algorithm.name().parse(), Ok(algorithm));
            if algorithm != Algorithm::Auto {
                let scheduler = algorithm.scheduler(Setting::default());
                assert_eq!(scheduler.name(), algorithm.name());
            }
        }
        let error = "fastest".parse::<Algorithm>().unwrap_err().to_string();
        assert!(
            error.contains("`fastest`") && error.contains("grow-local"),
            "{error}"
        );
    }

    #[test]
    fn what_copies_tasks_wins_over_private_memory_only() {
        let winners = |memory| -> Vec<&str> {
            let all = Algorithm::ALL.iter();
            all.filter(|each| each.can_win(memory))
                .map(|each| each.name())
                .collect()
        };
        let shared = winners(Memory::Shared);
        for name in ["levels", "owners", "pipeline", "grow-local"] {
            assert!(shared.contains(&name), "{shared:?}");
        }
        let private = winners(Memory::Private);
        assert!(shared.iter().all(|name| private.contains(name)));
        for name in ["bcsh", "cuts", "portfolio"] {
            assert!(private.contains(&name) && !shared.contains(&name), "{name}");
        }
    }

    #[test]
    fn what_an_algorithm_needs_is_what_it_refuses_graphs_for() {
        let fork = Dag::from_edges(3, &[(0, 1), (0, 2)]).expect("it has no cycle");
        let chain = Dag::from_edges(3, &[(0, 1), (1, 2)]).expect("it has no cycle");
        let machine = Machine::new(2);
        let refused = |algorithm: Algorithm, graph| {
            let found = algorithm.schedule(graph, &machine, Setting::default());
            found.is_err_and(|error| error.is_about_the_graph())
        };
        for &algorithm in Algorithm::ALL {
            let needs = algorithm.needs();
            assert_eq!(
                refused(algorithm, &fork),
                needs != Needs::Nothing,
                "{algorithm}"
            );
            let is_no_chain = matches!(needs, Needs::Homes | Needs::CompleteTree);
            assert_eq!(refused(algorithm, &chain), is_no_chain, "{algorithm}");
        }
    }
}
