//! List of algorithms: the name of each, its idea in a line, its needs of a graph, and its maker.
//!
//! Builders, the command line, benches and the tables of the documents read it. [`ALL`] has those
//! that a program over shared arrays may gain from. The crate `superstep-search` has a longer list
//! of the same kind, so that build scripts need not compile the others.

use std::fmt;
use std::hash::{Hash, Hasher};

use superstep_dag::Dag;
use superstep_machine::{Machine, Memory};
use superstep_schedule::Schedule;

use crate::tree::{CompleteTrees, Reduction};
use crate::{
    BspGreedy, Effort, GrowLocal, Levels, Owners, Pipeline, ScheduleError, Scheduler, Serial,
    hierarchy,
};

/// Algorithm: a handle to a [row](Row) of a list.
///
/// Two are equal if they have one name.
///
/// ```
/// use superstep_dag::Dag;
/// use superstep_machine::Machine;
/// use superstep_scheduler::{ALL, Algorithm, Setting};
///
/// let fork = Dag::from_edges(3, &[(0, 1), (0, 2)])?;
/// let algorithm = Algorithm::named("grow-local", ALL)?;
/// assert_eq!(algorithm, Algorithm::GrowLocal);
/// let schedule = algorithm.schedule(&fork, &Machine::new(2), Setting::default())?;
/// assert_eq!(schedule.task_instances(), 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy)]
pub struct Algorithm(&'static Row);

/// Facts about an algorithm: a row of a list.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// Name under which the command line and reports know it.
    pub name: &'static str,
    /// Idea in a line.
    pub idea: &'static str,
    /// Needs of a graph.
    pub needs: Needs,
    /// Programs among whose candidates it is.
    pub wins: Wins,
    /// Machines that it is tried for.
    pub machines: Machines,
    /// Function that makes it; `None` where only the list of `superstep-search` can.
    pub maker: Option<fn(Setting) -> Box<dyn Scheduler>>,
}

impl Row {
    /// Names an algorithm of `superstep-search`, where its [maker](Self::made_by) is.
    const fn elsewhere(name: &'static str, idea: &'static str) -> Self {
        Self {
            name,
            idea,
            needs: Needs::Nothing,
            wins: Wins::Never,
            machines: Machines::Two,
            maker: None,
        }
    }

    /// Returns the row with a maker of the algorithm.
    #[must_use]
    pub const fn made_by(self, maker: fn(Setting) -> Box<dyn Scheduler>) -> Self {
        Self {
            maker: Some(maker),
            ..self
        }
    }

    /// Makes the row of an algorithm for any graph that never wins, which is tried for the usual
    /// machines.
    pub const fn new(
        name: &'static str,
        idea: &'static str,
        maker: fn(Setting) -> Box<dyn Scheduler>,
    ) -> Self {
        Self::elsewhere(name, idea).made_by(maker)
    }
}

/// Shape or knowledge that an algorithm asks of a graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needs {
    /// No needs: any graph serves.
    Nothing,
    /// Word that each task writes, which graphs of traces know.
    Homes,
    /// Reduction: every value is read at most once.
    Forest,
    /// Complete binary tree of equal tasks.
    CompleteTree,
}

/// Programs among whose candidates an algorithm is when a build chooses for itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wins {
    /// No programs: it is chosen by name.
    Never,
    /// Programs over any kind of memory.
    Anywhere,
    /// Programs over private memory: it copies tasks, and words of copied tasks cannot be shared.
    InPrivate,
}

/// Machines that a build which chooses has an algorithm schedule for: the one at hand, and others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Machines {
    /// Machine at hand, and one that knows of loops, where barriers take less than the loops of a
    /// superstep.
    Two,
    /// Machine at hand, and the usual one in place of that of loops, as loops may be better for it.
    /// Where there are many tasks it is the usual one alone.
    Usual,
    /// Machines of [`Two`](Self::Two), and one of dear boundaries.
    Wide,
}

/// Circumstances that a scheduler is made for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Setting {
    /// Memory of the program to be; `None` for a graph alone, of which no program is made.
    pub memory: Option<Memory>,
    /// Effort of the algorithms that search.
    pub effort: Effort,
}

// These were variants of an enum, and read like those in build scripts.
#[allow(non_upper_case_globals)]
impl Algorithm {
    /// Fastest of those that can win: a build chooses by predicted time, and for a graph alone the
    /// portfolio by BSP cost.
    pub const Auto: Self = Self(&Row::elsewhere(
        "auto",
        "the fastest of those that can win: builds choose by predicted time, for a graph alone the portfolio by BSP cost",
    ));
    /// Serial schedule: everything on one processor.
    pub const Serial: Self = Self(&Row::new("serial", "everything on one processor", |_| {
        Box::new(Serial)
    }));
    /// Levels: one superstep for each level of the graph, in blocks of neighbours.
    pub const Levels: Self = Self(&Row {
        wins: Wins::Anywhere,
        ..Row::new(
            "levels",
            "one superstep for each level, in blocks of neighbours: sweeps",
            |_| Box::new(Levels),
        )
    });
    /// Owner computes, over rows or columns of the arrays in block-cyclic distributions.
    pub const Owners: Self = Self(&Row {
        needs: Needs::Homes,
        wins: Wins::Anywhere,
        ..Row::new(
            "owners",
            "owner computes, over block-cyclic rows or columns of the arrays: factorisations, products",
            |setting| {
                let in_place = setting.memory == Some(Memory::Shared);
                Box::new(Owners { in_place })
            },
        )
    });
    /// Pipeline: blocks of the sequential run on fixed owners, passed on in slices.
    pub const Pipeline: Self = Self(&Row {
        wins: Wins::Anywhere,
        machines: Machines::Wide,
        ..Row::new(
            "pipeline",
            "blocks of the run on fixed owners, passed on in slices: substitution, recurrences",
            |setting| {
                Box::new(match setting.memory {
                    Some(_) => Pipeline::for_loops(),
                    None => Pipeline::default(),
                })
            },
        )
    });
    /// GrowLocal: supersteps grown greedily while their balance gains on their latency.
    pub const GrowLocal: Self = Self(&Row {
        wins: Wins::Anywhere,
        ..Row::new(
            "grow-local",
            "supersteps grown greedily while their balance gains on their latency: large sparse graphs",
            |_| Box::new(GrowLocal::default()),
        )
    });
    /// BSP greedy: tasks go where their inputs are; a superstep ends where that pays best.
    pub const BspGreedy: Self = Self(&Row::new(
        "bsp-greedy",
        "tasks go where their inputs are; a superstep ends where that pays best",
        |_| Box::new(BspGreedy::default()),
    ));
    /// BCSH: few supersteps, with copies of tasks in place of communication; made by
    /// `superstep-search`.
    pub const Bcsh: Self = Self(&Row {
        wins: Wins::InPrivate,
        machines: Machines::Usual,
        ..Row::elsewhere(
            "bcsh",
            "few supersteps, with copies of tasks in place of communication (up to 64 processors)",
        )
    });
    /// BCSH with its cuts chosen by their costs: made by `superstep-search`.
    pub const Cuts: Self = Self(&Row {
        wins: Wins::InPrivate,
        ..Row::elsewhere(
            "cuts",
            "BCSH with its cuts chosen by what they cost (up to 64 processors)",
        )
    });
    /// Portfolio: all of these for several machines and orders, and annealing with copies from the
    /// best; made by `superstep-search`.
    pub const Portfolio: Self = Self(&Row {
        wins: Wins::InPrivate,
        ..Row::elsewhere(
            "portfolio",
            "all of these for several machines and orders, and annealing with copies from the best",
        )
    });
    /// Reductions of any shape, trees and forests: blocks of neighbours for each processor, then
    /// the tasks above them.
    pub const Reduction: Self = Self(&Row {
        needs: Needs::Forest,
        wins: Wins::Anywhere,
        ..Row::new(
            "reduction",
            "trees and forests of any shape: blocks of neighbours for each processor, then what is above",
            |_| Box::new(Reduction),
        )
    });
    /// ALG3* for complete binary trees: never slower than ALG3, ALG2 or one processor.
    pub const Alg3Star: Self = Self(&Row {
        needs: Needs::CompleteTree,
        wins: Wins::Anywhere,
        ..Row::new(CompleteTrees::NAME, CompleteTrees::IDEA, |_| {
            Box::new(CompleteTrees)
        })
    });
}

/// Algorithms of this crate, in the order in which documents show them.
///
/// [`Algorithm::Auto`] is among them, as builds choose without further ado; for a graph alone it is
/// made by `superstep-search`.
pub const ALL: &[Algorithm] = &[
    Algorithm::Auto,
    Algorithm::Serial,
    Algorithm::Levels,
    Algorithm::Owners,
    Algorithm::Pipeline,
    Algorithm::GrowLocal,
    Algorithm::BspGreedy,
    Algorithm::Reduction,
    Algorithm::Alg3Star,
];

impl Algorithm {
    /// Makes the handle to a row.
    pub const fn new(row: &'static Row) -> Self {
        Self(row)
    }

    /// Finds the algorithm of that name in a list.
    ///
    /// # Errors
    /// When there is none.
    pub fn named(name: &str, all: &[Self]) -> Result<Self, UnknownAlgorithm> {
        let found = all.iter().find(|each| each.name() == name);
        found.copied().ok_or_else(|| UnknownAlgorithm {
            name: name.to_owned(),
            known: all.iter().map(|each| each.name()).collect(),
            is_whole: all.contains(&Self::Portfolio),
        })
    }

    /// Returns the handle that a list has for this algorithm; this one, if it has none.
    #[must_use]
    pub fn of(self, all: &[Self]) -> Self {
        all.iter()
            .copied()
            .find(|&each| each == self)
            .unwrap_or(self)
    }

    /// Returns the row of the algorithm.
    pub const fn row(self) -> &'static Row {
        self.0
    }

    /// Returns the name under which the command line and reports know it.
    pub fn name(self) -> &'static str {
        self.0.name
    }

    /// Returns the idea in a line.
    pub fn idea(self) -> &'static str {
        self.0.idea
    }

    /// Returns the needs of a graph.
    pub fn needs(self) -> Needs {
        self.0.needs
    }

    /// Returns the machines that it is tried for.
    pub fn machines(self) -> Machines {
        self.0.machines
    }

    /// Returns whether a build that chooses for itself considers it for a program over such
    /// `memory`.
    pub fn can_win(self, memory: Memory) -> bool {
        match self.0.wins {
            Wins::Never => false,
            Wins::Anywhere => true,
            Wins::InPrivate => memory == Memory::Private,
        }
    }

    /// Makes the scheduler for that setting.
    ///
    /// # Errors
    /// When only the handle of `superstep-search`'s list can.
    pub fn scheduler(self, setting: Setting) -> Result<Box<dyn Scheduler>, ScheduleError> {
        let algorithm = self.name();
        let maker = self
            .0
            .maker
            .ok_or(ScheduleError::NeedsSearch { algorithm })?;
        Ok(maker(setting))
    }

    /// Schedules `graph` on `machine`, [level by level](crate::hierarchy) if that has levels.
    ///
    /// # Errors
    /// As [`Scheduler::schedule`] and [`scheduler`](Self::scheduler).
    pub fn schedule(
        self,
        graph: &Dag,
        machine: &Machine,
        setting: Setting,
    ) -> Result<Schedule, ScheduleError> {
        hierarchy::schedule(&*self.scheduler(setting)?, graph, machine)
    }
}

impl Default for Algorithm {
    fn default() -> Self {
        Self::Auto
    }
}

impl PartialEq for Algorithm {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name()
    }
}

impl Eq for Algorithm {}

impl Hash for Algorithm {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name().hash(state);
    }
}

impl fmt::Debug for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Algorithm({})", self.name())
    }
}

/// Writes the name of an algorithm.
impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Name that no algorithm of a list has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no algorithm is called `{name}`; there are {}{}", known.join(", "), more(*is_whole))]
pub struct UnknownAlgorithm {
    name: String,
    known: Vec<&'static str>,
    /// Set if no other list has more algorithms.
    is_whole: bool,
}

/// Returns a text that says where other algorithms are.
fn more(is_whole: bool) -> &'static str {
    match is_whole {
        true => "",
        false => ", and others with the feature `search` of superstep",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_the_schedulers_and_lead_back() {
        for &algorithm in ALL {
            let name = algorithm.name();
            assert_eq!(Algorithm::named(name, ALL), Ok(algorithm));
            match algorithm.scheduler(Setting::default()) {
                Ok(scheduler) => assert_eq!(scheduler.name(), name),
                Err(_) => assert_eq!(algorithm, Algorithm::Auto),
            }
        }
        let error = Algorithm::named("fastest", ALL).unwrap_err().to_string();
        assert!(
            error.contains("`fastest`") && error.contains("grow-local"),
            "{error}"
        );
    }

    #[test]
    fn names_of_other_algorithms_are_errors_that_name_the_feature() {
        let chain = Dag::from_edges(2, &[(0, 1)]).expect("it has no cycle");
        for algorithm in [
            Algorithm::Auto,
            Algorithm::Bcsh,
            Algorithm::Cuts,
            Algorithm::Portfolio,
        ] {
            let error = algorithm.schedule(&chain, &Machine::new(2), Setting::default());
            let error = error.unwrap_err();
            assert!(!error.is_about_the_graph());
            let told = error.to_string();
            let name = algorithm.name();
            assert!(
                told.starts_with(name) && told.contains("feature `search`"),
                "{told}"
            );
            assert_eq!(algorithm.of(ALL), algorithm);
        }
        for name in ["cuts", "etf"] {
            let told = Algorithm::named(name, ALL).unwrap_err().to_string();
            assert!(
                told.contains(name) && told.contains("feature `search`"),
                "{told}"
            );
        }
    }

    #[test]
    fn builds_try_these_over_shared_arrays() {
        let names = |memory| -> Vec<&str> {
            let all = ALL.iter().filter(|each| each.can_win(memory));
            all.map(|each| each.name()).collect()
        };
        let shared = [
            "levels",
            "owners",
            "pipeline",
            "grow-local",
            "reduction",
            "alg3star",
        ];
        assert_eq!(names(Memory::Shared), shared);
        assert_eq!(names(Memory::Private), shared);
    }
}
