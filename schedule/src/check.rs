//! Independent checker: is this a valid bulk-synchronous schedule of this graph?
//!
//! It shares no code with the schedulers and trusts nothing but the graph. The conditions are those
//! of N. Fujimoto's thesis (2000), sections 2.1 and 3.3, for schedules in the form of lists:
//!
//! * **Fit.** Every id is a task of the graph.
//! * **R1.** Every task is computed at least once.
//! * **R2.** A processor computes one task at a time, so nothing twice at the same time: no list
//!   holds a task twice. (As printed, R2 forbids `t <= t' <= t + weight`; it must be `t' < t +
//!   weight`, or no task could start when another ends.)
//! * **R3.** Each predecessor of a task is computed before the task: earlier in the same list, or
//!   in an earlier superstep.
//! * **P1.** No communication inside a superstep: a predecessor in the same superstep is in the
//!   same list.
//! * **P2, P3.** Supersteps do not overlap, and a boundary costs tau between any two of them. (As
//!   printed, P3 asks for an infinite gap between supersteps without an edge between them. It must
//!   be tau.) Both hold by the form: a [`Schedule`] has no times. The
//!   [makespan](crate::cost::makespan) gives superstep `s + 1` its start from the end of `s` and
//!   tau.
//!
//! A value may have copies: for R3 the earliest counts. Copies of one task in different supersteps
//! are allowed, on the same processor too.
//!
//! Cost: linear in task instances times predecessors, one random read each; 8 bytes of memory per
//! task.

use superstep_dag::Dag;

use crate::Schedule;

/// Mark of a task that no superstep computes, or none so far.
const NEVER: u32 = u32::MAX;

/// Checks that `schedule` is a valid bulk-synchronous schedule of `graph`.
///
/// # Errors
/// The first violation: of R1 by task id, of the other conditions in the order of supersteps,
/// processors and lists.
///
/// ```
/// use superstep_dag::Dag;
/// use superstep_schedule::{CheckError, Schedule, check};
///
/// let chain = Dag::from_edges(2, &[(0, 1)]).unwrap();
/// assert_eq!(check(&chain, &Schedule::from_lists(2, [[vec![0], vec![]], [vec![], vec![1]]])), Ok(()));
/// assert_eq!(
///     check(&chain, &Schedule::from_lists(2, [[vec![0], vec![1]]])),
///     Err(CheckError::Communication { task: 1, predecessor: 0, processor: 1, superstep: 0 })
/// );
/// ```
pub fn check(graph: &Dag, schedule: &Schedule) -> Result<(), CheckError> {
    let mut seen = first_supersteps(graph, schedule)?;
    if let Some(task) = seen.iter().position(|seen| seen.first == NEVER) {
        return Err(CheckError::Missing { task: task as u32 });
    }
    for (list, (superstep, processor, tasks)) in (0..).zip(lists(schedule)) {
        for &task in tasks {
            if seen[task as usize].last_list == list {
                return Err(CheckError::Repeated {
                    task,
                    processor,
                    superstep,
                });
            }
            for &predecessor in graph.predecessors(task) {
                let seen = seen[predecessor as usize];
                if seen.first >= superstep && seen.last_list != list {
                    let (edge, place) = ((predecessor, task), (superstep, processor));
                    return Err(explain(tasks, seen.first, edge, place));
                }
            }
            seen[task as usize].last_list = list;
        }
    }
    Ok(())
}

/// Knowledge of a task.
#[derive(Clone, Copy)]
struct Seen {
    /// First superstep that computes it.
    first: u32,
    /// List, counted through the schedule, in which it was met last.
    last_list: u32,
}

/// Returns the tasks as they are known before the lists are walked: by their first supersteps.
fn first_supersteps(graph: &Dag, schedule: &Schedule) -> Result<Vec<Seen>, CheckError> {
    let mut seen = vec![
        Seen {
            first: NEVER,
            last_list: NEVER
        };
        graph.tasks()
    ];
    for (superstep, processor, list) in lists(schedule) {
        for &task in list {
            let Some(seen) = seen.get_mut(task as usize) else {
                return Err(CheckError::Unknown {
                    task,
                    tasks: graph.tasks(),
                    processor,
                    superstep,
                });
            };
            seen.first = superstep.min(seen.first);
        }
    }
    Ok(seen)
}

/// Returns all lists with their superstep and processor.
fn lists(schedule: &Schedule) -> impl Iterator<Item = (u32, u32, &[u32])> {
    (0..schedule.supersteps()).flat_map(move |superstep| {
        let processors = schedule.superstep(superstep).enumerate();
        processors.map(move |(processor, tasks)| (superstep as u32, processor as u32, tasks))
    })
}

/// Returns the error that names the condition which an unserved predecessor breaks; `first` is the
/// first superstep that computes it.
fn explain(
    list: &[u32],
    first: u32,
    (predecessor, task): (u32, u32),
    (superstep, processor): (u32, u32),
) -> CheckError {
    if list.contains(&predecessor) {
        CheckError::Order {
            task,
            predecessor,
            processor,
            superstep,
        }
    } else if first == superstep {
        CheckError::Communication {
            task,
            predecessor,
            processor,
            superstep,
        }
    } else {
        CheckError::TooLate {
            task,
            predecessor,
            processor,
            superstep,
            computed: first,
        }
    }
}

/// Violations that make a schedule invalid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CheckError {
    /// An id that is no task of the graph: the schedule is of another graph.
    #[error(
        "superstep {superstep}, processor {processor}: there is no task {task}, the graph has {tasks} tasks"
    )]
    Unknown {
        /// Id that is no task.
        task: u32,
        /// Number of tasks of the graph.
        tasks: usize,
        /// Processor where it stands.
        processor: u32,
        /// Superstep where it stands.
        superstep: u32,
    },
    /// R1: a task is computed nowhere.
    #[error("R1: task {task} is computed nowhere")]
    Missing {
        /// The task.
        task: u32,
    },
    /// R2: a task stands twice in one list.
    #[error("R2: superstep {superstep}, processor {processor} computes task {task} twice")]
    Repeated {
        /// The task.
        task: u32,
        /// Processor where it stands.
        processor: u32,
        /// Superstep where it stands.
        superstep: u32,
    },
    /// R3: a predecessor stands in the same list, but after the task that reads it.
    #[error(
        "R3: superstep {superstep}, processor {processor} computes task {task} before task {predecessor}, whose value it reads"
    )]
    Order {
        /// The task.
        task: u32,
        /// Predecessor whose value it reads.
        predecessor: u32,
        /// Processor where they stand.
        processor: u32,
        /// Superstep where they stand.
        superstep: u32,
    },
    /// R3: a predecessor is computed in later supersteps only.
    #[error(
        "R3: superstep {superstep}, processor {processor}: task {task} reads the value of task {predecessor}, \
         which no processor computes before superstep {computed}"
    )]
    TooLate {
        /// The task.
        task: u32,
        /// Predecessor whose value it reads.
        predecessor: u32,
        /// Processor where the task stands.
        processor: u32,
        /// Superstep where the task stands.
        superstep: u32,
        /// First superstep that computes the predecessor.
        computed: u32,
    },
    /// P1: a predecessor is computed in the same superstep, but on other processors only.
    #[error(
        "P1: superstep {superstep}, processor {processor}: task {task} reads the value of task {predecessor}, \
         which only other processors compute in this superstep"
    )]
    Communication {
        /// The task.
        task: u32,
        /// Predecessor whose value it reads.
        predecessor: u32,
        /// Processor where the task stands.
        processor: u32,
        /// Superstep where the task stands.
        superstep: u32,
    },
}

/// Schedule that the checker has passed, with the graph that it is a schedule of.
///
/// There is no other way to make one, so whoever takes a `CheckedSchedule` need not doubt it.
#[derive(Clone, Debug)]
pub struct CheckedSchedule<'g> {
    graph: &'g Dag,
    schedule: Schedule,
}

impl<'g> CheckedSchedule<'g> {
    /// Checks `schedule` against `graph`.
    ///
    /// # Errors
    /// As [`check`](check()).
    pub fn new(graph: &'g Dag, schedule: Schedule) -> Result<Self, CheckError> {
        check(graph, &schedule)?;
        Ok(Self { graph, schedule })
    }

    /// Returns the graph.
    pub fn graph(&self) -> &'g Dag {
        self.graph
    }

    /// Returns the schedule.
    pub fn schedule(&self) -> &Schedule {
        &self.schedule
    }

    /// Returns the schedule, no longer known to be checked.
    pub fn into_schedule(self) -> Schedule {
        self.schedule
    }
}
