//! Interface of all scheduling algorithms.

use superstep_dag::Dag;
use superstep_machine::Machine;
use superstep_schedule::{CheckedSchedule, Communication, Schedule, Sending, cost};

/// A scheduling algorithm.
pub trait Scheduler {
    /// Returns the name under which the command line and reports know it.
    fn name(&self) -> &'static str;

    /// Schedules `graph` on `machine`. The result is valid by
    /// [`check`](superstep_schedule::check::check).
    ///
    /// # Errors
    /// When the machine cannot serve the algorithm (say, more processors than it supports); the
    /// error says why.
    fn schedule(&self, graph: &Dag, machine: &Machine) -> Result<Schedule, ScheduleError>;
}

/// Checks that an algorithm for 1 to `most` processors serves `machine`.
///
/// # Errors
/// When the machine has more, or none.
pub fn serves(
    algorithm: &impl Scheduler,
    machine: &Machine,
    most: u32,
) -> Result<(), ScheduleError> {
    match machine.processors {
        processors if (1..=most).contains(&processors) => Ok(()),
        processors => Err(ScheduleError::Processors {
            algorithm: algorithm.name(),
            processors,
            most,
        }),
    }
}

/// Prices a schedule that an algorithm gave for the graph: returns its BSP cost with
/// [improved lazy](Sending::ImprovedLazy) messages, and the schedule.
///
/// # Panics
/// When the schedule is invalid: a defect of the algorithm.
pub fn priced(graph: &Dag, machine: &Machine, schedule: Schedule) -> (f64, Schedule) {
    let checked = CheckedSchedule::new(graph, schedule).expect("what a scheduler gives is valid");
    let messages = Communication::on(&checked, Sending::ImprovedLazy, machine);
    let cost = cost::bsp_cost(&checked, &messages, machine);
    (cost, checked.into_schedule())
}

/// Reasons for which an algorithm gives no schedule.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ScheduleError {
    /// Number of processors outside what the algorithm serves.
    #[error("{algorithm} schedules for 1 to {most} processors, not for {processors}")]
    Processors {
        /// Name of the algorithm.
        algorithm: &'static str,
        /// Number of processors that was asked for.
        processors: u32,
        /// Largest number that it serves.
        most: u32,
    },
    /// Error of an algorithm that takes as many processors as it wants, and wants more than there
    /// are.
    #[error("{algorithm} takes {needs} processors for this graph, the machine has {processors}")]
    TooFew {
        /// Name of the algorithm.
        algorithm: &'static str,
        /// Number of processors that it takes.
        needs: u64,
        /// Number of processors that there are.
        processors: u32,
    },
    /// A graph that is not of the algorithm's shape.
    #[error(
        "{algorithm} does not schedule this graph: it is for complete binary trees of equal tasks"
    )]
    NoCompleteTree {
        /// Name of the algorithm.
        algorithm: &'static str,
    },
    /// A graph in which a value is read twice.
    #[error(
        "{algorithm} does not schedule this graph: it is for reductions, in which every value is read at most once"
    )]
    NoForest {
        /// Name of the algorithm.
        algorithm: &'static str,
    },
    /// A graph of which nobody knows where its tasks write.
    #[error(
        "{algorithm} does not schedule this graph: it asks which word each task writes, which graphs of traces tell"
    )]
    NoHomes {
        /// Name of the algorithm.
        algorithm: &'static str,
    },
    /// An algorithm that this crate's list only names.
    #[error(
        "{algorithm} is not compiled into this program: in a build script the feature `search` of superstep has it"
    )]
    NeedsSearch {
        /// Name of the algorithm.
        algorithm: &'static str,
    },
    /// More copies of tasks than a schedule can count.
    #[error("{algorithm} makes {instances} task instances, but a schedule holds fewer than 2^32")]
    Instances {
        /// Name of the algorithm.
        algorithm: &'static str,
        /// Number of copies that it makes.
        instances: u64,
    },
}

impl ScheduleError {
    /// Returns whether the graph is not of the shape that the algorithm is for, so that another
    /// algorithm may serve.
    pub fn is_about_the_graph(&self) -> bool {
        matches!(
            self,
            Self::NoCompleteTree { .. } | Self::NoForest { .. } | Self::NoHomes { .. }
        )
    }
}
