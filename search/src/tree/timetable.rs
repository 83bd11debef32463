//! Schedules with times, and their checker.

use superstep_dag::Dag;
use superstep_scheduler::tree::TreeSchedule;

/// Timetable of tasks on processors: a schedule by the delay model of the thesis (section 2.1).
///
/// A task may have copies. Time is in units of weight; a value that another processor computed
/// arrives tau after it was ready. Memory: 16 bytes per entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Timetable {
    entries: Vec<Entry>,
}

/// Entry: one execution of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The task.
    pub task: u32,
    /// Processor where it runs.
    pub processor: u32,
    /// Time at which it starts.
    pub start: u64,
}

impl Timetable {
    /// Makes the timetable of a tree's schedule, for the tasks of
    /// [`complete_tree`](superstep_scheduler::tree::complete_tree()). Cost: a sort.
    pub fn of(schedule: &TreeSchedule) -> Self {
        let entry = |(task, processor, start)| Entry {
            task,
            processor,
            start,
        };
        Self::new(schedule.executions().map(entry).collect())
    }

    /// Returns the timetable with these entries, in any order.
    pub fn new(mut entries: Vec<Entry>) -> Self {
        entries.sort_by_key(|entry| (entry.processor, entry.start));
        Self { entries }
    }

    /// Returns all entries, processor by processor, in the order of their starts.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Returns the number of processors that run anything.
    pub fn processors(&self) -> usize {
        self.entries
            .chunk_by(|a, b| a.processor == b.processor)
            .count()
    }

    /// Returns the time at which the last task ends.
    ///
    /// # Panics
    /// When an entry names a task that the graph does not have.
    pub fn makespan(&self, graph: &Dag) -> u64 {
        let end = |entry: &Entry| entry.start + u64::from(graph.weight(entry.task));
        self.entries.iter().map(end).max().unwrap_or(0)
    }

    /// Checks that this is a valid schedule of `graph` if a value needs `tau` from one processor to
    /// another. It shares no code with any scheduler.
    ///
    /// * **R1.** Every task runs at least once.
    /// * **R2.** A processor runs one task at a time.
    /// * **R3.** For each predecessor of a task some copy has ended before the task starts. On the
    ///   same processor it may be at any time before, on another at least `tau` before.
    ///
    /// Cost: linear in entries times predecessors, 24 bytes per task.
    ///
    /// # Errors
    /// The first violation, by processor and time.
    ///
    /// ```
    /// use superstep_dag::Dag;
    /// use superstep_search::tree::{Entry, Timetable, TimetableError};
    ///
    /// let chain = Dag::from_edges(2, &[(0, 1)]).unwrap();
    /// let at = |start| Timetable::new(vec![
    ///     Entry { task: 0, processor: 0, start: 0 },
    ///     Entry { task: 1, processor: 1, start },
    /// ]);
    /// assert_eq!(at(4).check(&chain, 3), Ok(()));
    /// assert_eq!(
    ///     at(3).check(&chain, 3),
    ///     Err(TimetableError::TooEarly { task: 1, predecessor: 0, processor: 1, start: 3 })
    /// );
    /// ```
    pub fn check(&self, graph: &Dag, tau: u64) -> Result<(), TimetableError> {
        let earliest = self.earliest_ends(graph)?;
        // Processor on which a task last ended, and the time.
        let mut ended = vec![(u32::MAX, 0); graph.tasks()];
        let mut busy = (u32::MAX, 0);
        for &Entry {
            task,
            processor,
            start,
        } in &self.entries
        {
            if busy.0 == processor && start < busy.1 {
                return Err(TimetableError::Busy {
                    task,
                    processor,
                    start,
                });
            }
            for &predecessor in graph.predecessors(task) {
                let here = ended[predecessor as usize];
                let served = here.0 == processor && here.1 <= start
                    || earliest[predecessor as usize].saturating_add(tau) <= start;
                if !served {
                    return Err(TimetableError::TooEarly {
                        task,
                        predecessor,
                        processor,
                        start,
                    });
                }
            }
            let end = start + u64::from(graph.weight(task));
            busy = (processor, end);
            if ended[task as usize].0 != processor {
                ended[task as usize] = busy;
            }
        }
        Ok(())
    }

    /// Returns the time at which the first copy of each task ends.
    fn earliest_ends(&self, graph: &Dag) -> Result<Vec<u64>, TimetableError> {
        let mut ends = vec![u64::MAX; graph.tasks()];
        for entry in &self.entries {
            let Some(end) = ends.get_mut(entry.task as usize) else {
                return Err(TimetableError::Unknown { task: entry.task });
            };
            *end = (entry.start + u64::from(graph.weight(entry.task))).min(*end);
        }
        match ends.iter().position(|&end| end == u64::MAX) {
            Some(task) => Err(TimetableError::Missing { task: task as u32 }),
            None => Ok(ends),
        }
    }
}

/// Violations that make a timetable invalid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TimetableError {
    /// An id that is no task of the graph.
    #[error("there is no task {task}")]
    Unknown {
        /// The id.
        task: u32,
    },
    /// R1: a task runs nowhere.
    #[error("R1: task {task} runs nowhere")]
    Missing {
        /// The task.
        task: u32,
    },
    /// R2: the processor still runs another task.
    #[error("R2: processor {processor} is busy when task {task} starts at {start}")]
    Busy {
        /// The task that starts too early.
        task: u32,
        /// Processor where it starts.
        processor: u32,
        /// Time at which it starts.
        start: u64,
    },
    /// R3: the value of a predecessor is not there.
    #[error(
        "R3: task {task} starts at {start} on processor {processor}, where the value of task {predecessor} has not arrived"
    )]
    TooEarly {
        /// The task.
        task: u32,
        /// Predecessor whose value it reads.
        predecessor: u32,
        /// Processor where it runs.
        processor: u32,
        /// Time at which it starts.
        start: u64,
    },
}
