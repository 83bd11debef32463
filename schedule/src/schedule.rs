//! Schedule: which processor runs which tasks in which superstep.

use std::fmt;

use superstep_lists::Lists;

/// Schedule of supersteps x processors x tasks; a task may stand in several places (copies).
///
/// Compact: 4 bytes per task instance and 4 per (superstep, processor). Supersteps are in order of
/// execution. The tasks of one (superstep, processor) are in an order in which they can run. Each
/// comes after those of its predecessors that stand in the same list.
///
/// The type holds any lists. [`check`](crate::check()) finds out whether they are a valid schedule
/// of some graph, and a [`CheckedSchedule`](crate::CheckedSchedule) proves it.
///
/// ```
/// use superstep_schedule::Schedule;
///
/// let schedule = Schedule::from_lists(2, [[vec![0, 1], vec![2]], [vec![3], vec![]]]);
/// assert_eq!((schedule.supersteps(), schedule.task_instances()), (2, 4));
/// assert_eq!(schedule.tasks(0, 1), [2]);
/// assert_eq!(schedule.to_string(), "2 supersteps on 2 processors, 4 task instances");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule {
    pub(crate) processors: u32,
    /// `supersteps * processors + 1` offsets into `tasks`, superstep-major.
    pub(crate) offsets: Vec<u32>,
    pub(crate) tasks: Vec<u32>,
}

/// Takes lists as they are made: processors without one are idle.
impl Lists for Schedule {
    fn list(&mut self, processor: u32, tasks: &[u32]) {
        while self.lists_of_last() < processor {
            self.push([]);
        }
        self.push(tasks.iter().copied());
    }

    fn end_superstep(&mut self) {
        while self.lists_of_last() > 0 {
            self.push([]);
        }
    }
}

impl Schedule {
    /// Largest number of processors of a schedule: every superstep has a list for each, idle or
    /// not.
    pub const MOST_PROCESSORS: u32 = 1024;

    /// Returns an empty schedule, to which [`push`](Self::push) adds lists in superstep-major
    /// order.
    ///
    /// # Panics
    /// When `processors` is 0 or more than [`MOST_PROCESSORS`](Self::MOST_PROCESSORS).
    pub fn new(processors: u32) -> Self {
        assert!(
            (1..=Self::MOST_PROCESSORS).contains(&processors),
            "a schedule has 1 to {} processors",
            Self::MOST_PROCESSORS
        );
        Self {
            processors,
            offsets: vec![0],
            tasks: Vec::new(),
        }
    }

    /// Returns the schedule with these lists, one row of `processors` lists for each superstep.
    ///
    /// # Panics
    /// As [`new`](Self::new), and when a row has another number of lists.
    pub fn from_lists<Row, List>(processors: u32, supersteps: impl IntoIterator<Item = Row>) -> Self
    where
        Row: IntoIterator<Item = List>,
        List: IntoIterator<Item = u32>,
    {
        let mut schedule = Self::new(processors);
        for row in supersteps {
            for list in row {
                schedule.push(list);
            }
            let lists = schedule.offsets.len() - 1;
            assert_eq!(
                lists % processors as usize,
                0,
                "a superstep has one list per processor"
            );
        }
        schedule
    }

    /// Adds the list of the next (superstep, processor); a superstep is complete after `processors`
    /// calls.
    ///
    /// # Panics
    /// Beyond 2^32 - 1 task instances.
    pub fn push(&mut self, tasks: impl IntoIterator<Item = u32>) {
        self.tasks.extend(tasks);
        self.offsets.push(
            u32::try_from(self.tasks.len()).expect("a schedule has fewer than 2^32 task instances"),
        );
    }

    /// Returns how many lists an incomplete last superstep has.
    fn lists_of_last(&self) -> u32 {
        (self.offsets.len() as u32 - 1) % self.processors
    }

    /// Adds idle processors at the end of each superstep.
    ///
    /// # Panics
    /// As [`new`](Self::new), and when that is fewer processors than it has.
    #[must_use]
    pub fn widened(self, processors: u32) -> Self {
        if processors == self.processors {
            return self;
        }
        assert!(processors > self.processors, "no processor is taken away");
        let mut wide = Self::new(processors);
        for superstep in 0..self.supersteps() {
            for processor in 0..processors as usize {
                let tasks = if processor < self.processors() {
                    self.tasks(superstep, processor)
                } else {
                    &[]
                };
                wide.push(tasks.iter().copied());
            }
        }
        wide
    }

    /// Makes the schedule of these lists: that of (superstep, processor) is
    /// `tasks[offsets[at]..offsets[at + 1]]` with `at = superstep * processors + processor`.
    ///
    /// # Panics
    /// As [`new`](Self::new), and when the offsets do not ascend from 0 to the number of tasks, or
    /// leave a superstep incomplete.
    pub fn from_compressed(processors: u32, offsets: Vec<u32>, tasks: Vec<u32>) -> Self {
        let schedule = Self {
            offsets,
            tasks,
            ..Self::new(processors)
        };
        let ends = [schedule.offsets.first(), schedule.offsets.last()];
        assert!(
            ends == [Some(&0), Some(&(schedule.tasks.len() as u32))]
                && schedule.offsets.is_sorted()
                && (schedule.offsets.len() - 1).is_multiple_of(processors as usize),
            "offsets are those of whole supersteps"
        );
        schedule
    }

    /// Makes room for so many more task instances.
    pub fn reserve(&mut self, instances: usize) {
        self.tasks.reserve_exact(instances);
    }

    /// Renames every task: `number` gives the new id of each.
    ///
    /// ```
    /// use superstep_schedule::Schedule;
    ///
    /// let schedule = Schedule::from_lists(1, [[vec![0, 1]]]);
    /// assert_eq!(schedule.renumbered(|task| 7 - task).tasks(0, 0), [7, 6]);
    /// ```
    #[must_use]
    pub fn renumbered(mut self, number: impl Fn(u32) -> u32) -> Self {
        for task in &mut self.tasks {
            *task = number(*task);
        }
        self
    }

    /// Returns the number of processors, idle ones included.
    pub fn processors(&self) -> usize {
        self.processors as usize
    }

    /// Returns the number of supersteps.
    pub fn supersteps(&self) -> usize {
        (self.offsets.len() - 1) / self.processors as usize
    }

    /// Returns the number of task instances, copies included.
    pub fn task_instances(&self) -> usize {
        self.tasks.len()
    }

    /// Returns the tasks that `processor` runs in `superstep`.
    pub fn tasks(&self, superstep: usize, processor: usize) -> &[u32] {
        let at = superstep * self.processors as usize + processor;
        &self.tasks[self.offsets[at] as usize..self.offsets[at + 1] as usize]
    }

    /// Returns all lists, superstep by superstep.
    pub fn lists(&self) -> impl Iterator<Item = &[u32]> + Clone {
        let ends = self.offsets.windows(2);
        ends.map(|ends| &self.tasks[ends[0] as usize..ends[1] as usize])
    }

    /// Returns the lists of `superstep`, processor by processor.
    pub fn superstep(&self, superstep: usize) -> impl ExactSizeIterator<Item = &[u32]> + Clone {
        (0..self.processors()).map(move |processor| self.tasks(superstep, processor))
    }
}

/// Writes one line; with `{:#}` also one line for each superstep, the number of tasks on each
/// processor.
impl fmt::Display for Schedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (supersteps, processors, instances) =
            (self.supersteps(), self.processors(), self.task_instances());
        write!(
            f,
            "{supersteps} superstep{} on {processors} processor{}, {instances} task instance{}",
            plural(supersteps),
            plural(processors),
            plural(instances)
        )?;
        if f.alternate() {
            for superstep in 0..supersteps {
                write!(f, "\n{superstep:>6}:")?;
                for tasks in self.superstep(superstep) {
                    write!(f, " {:>8}", tasks.len())?;
                }
            }
        }
        Ok(())
    }
}

/// Returns the ending of a noun after that number.
pub(crate) fn plural(count: usize) -> &'static str {
    if count == 1 { "" } else { "s" }
}
