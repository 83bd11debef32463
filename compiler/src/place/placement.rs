//! Placement: who computes each value, and who sends it to whom after which superstep.
//!
//! It follows from a checked schedule. Slots, layouts and loops come later and are unknown here.

use superstep_order::Rows;
use superstep_schedule::{CheckedSchedule, Communication, PackedSchedule, Schedule, communication};
use superstep_tracer::{Address, INPUT, Trace};

use crate::place::layout::Layout;
use crate::place::tasks::Tasks;

/// Superstep of a value that is not (yet) there.
const NEVER: u32 = u32::MAX;

/// Placement: the lists in which every value of a trace is computed, and its transfers.
///
/// Invariants:
/// * The tasks of a list are in an order that respects flow dependences, at first that of the
///   trace.
/// * A processor computes no value twice, and none after having received it.
/// * Transfers are ascending by (superstep, from, to), and within such a message by home address.
/// * Inputs and results are ascending by address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placement {
    processors: usize,
    /// Tasks, `[superstep * processors + processor]`.
    lists: Rows<u32>,
    transfers: Vec<Transfer>,
    inputs: Vec<Vec<Address>>,
    /// Tasks.
    results: Vec<Vec<u32>>,
}

/// Transfer: one word in one message, with as much of the schedule's transfer as a program needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Transfer {
    /// The superstep after whose computation it is sent.
    pub superstep: u32,
    /// Sender.
    pub from: u32,
    /// Receiver.
    pub to: u32,
    /// The task whose value is sent.
    pub task: u32,
}

/// Reason for which a schedule gives no program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlacementError {
    /// A task of the schedule is not in the trace.
    #[error("the schedule runs task {0}, which the trace does not have")]
    Unknown(u32),
    /// A value is used before any processor could have sent it.
    #[error(
        "processor {processor} needs the value of task {task} in superstep {superstep}, before it is sent"
    )]
    Late {
        /// The task whose value is missing.
        task: u32,
        /// Processor on which it is missing.
        processor: u32,
        /// Superstep in which it is missing.
        superstep: u32,
    },
    /// A result is computed nowhere.
    #[error("no processor computes task {0}, whose value is a result")]
    Missing(u32),
}

impl Placement {
    /// Places the values of `trace` where `schedule` computes them. A value that a processor does
    /// not compute in time is sent to it once, by the schedule's
    /// [communication](superstep_schedule::communication()).
    ///
    /// A processor that would compute a value again, or after it received it, keeps the first one.
    /// Cost: about 10 ns for each operand of each task instance.
    ///
    /// # Errors
    /// When the schedule is not one of this trace.
    pub fn new(trace: &Trace, schedule: &CheckedSchedule<'_>) -> Result<Self, PlacementError> {
        let tasks = Tasks::new(trace, Layout::given(trace));
        Self::with(
            &tasks,
            schedule.schedule(),
            &Transfers::new(communication(schedule).transfers()),
        )
    }

    /// Places the tasks of a packed schedule, without its graph.
    pub(crate) fn of_packed(
        trace: &Trace,
        schedule: &PackedSchedule,
    ) -> Result<Self, PlacementError> {
        let tasks = Tasks::new(trace, Layout::given(trace));
        let schedule = schedule.unpack();
        let values = |task| tasks.producers(task);
        let communication = Communication::of_values(&schedule, trace.tasks(), values);
        let transfers = Transfers::new(communication.transfers());
        drop(communication);
        Self::with(&tasks, &schedule, &transfers)
    }

    fn with(
        tasks: &Tasks<'_>,
        schedule: &Schedule,
        known: &Transfers,
    ) -> Result<Self, PlacementError> {
        let trace = tasks.trace();
        let processors = schedule.processors();
        let supersteps = schedule.supersteps();
        let mut tasks_of_lists = schedule.lists().flatten();
        if let Some(&task) = tasks_of_lists.find(|&&task| task as usize >= trace.tasks()) {
            return Err(PlacementError::Unknown(task));
        }
        let mut transfers = Vec::new();
        let mut kept = vec![Vec::new(); supersteps * processors];
        let mut inputs = Vec::new();
        let mut here = vec![NEVER; trace.tasks()];
        for q in 0..processors {
            let mut needs = Needs {
                tasks,
                here: &mut here,
                missing: Vec::new(),
                inputs: Touched::new(trace.extents()),
            };
            for s in 0..supersteps {
                needs.compute(s as u32, schedule.tasks(s, q));
            }
            for s in 0..supersteps {
                let mut list = schedule.tasks(s, q).to_vec();
                list.sort_unstable();
                list.dedup();
                list.retain(|&task| needs.run(s as u32, task));
                kept[s * processors + q] = list;
            }
            let first = transfers.len();
            for (task, superstep) in needs.missing {
                let late = PlacementError::Late {
                    task,
                    processor: q as u32,
                    superstep,
                };
                transfers.push(
                    known
                        .find(task, q as u32)
                        .filter(|transfer| transfer.superstep < superstep)
                        .ok_or(late)?,
                );
            }
            inputs.push(needs.inputs.addresses());
            let computed = (0..supersteps).flat_map(|s| schedule.tasks(s, q)).copied();
            let received = transfers[first..].iter().map(|transfer| transfer.task);
            computed
                .chain(received)
                .for_each(|task| here[task as usize] = NEVER);
        }
        transfers.sort_unstable_by_key(|transfer| {
            (
                transfer.superstep,
                transfer.from,
                transfer.to,
                trace.written(transfer.task),
                transfer.task,
            )
        });
        let mut lists = Rows::with_capacity(kept.len(), kept.iter().map(Vec::len).sum());
        for list in kept {
            lists.items.extend(list);
            lists.end_row();
        }
        Ok(Self {
            processors,
            lists,
            transfers,
            inputs,
            results: results(trace, schedule)?,
        })
    }

    /// Takes out the copies and transfers of `shared` arrays, as all processors use these where the
    /// caller has them.
    pub(crate) fn share(&mut self, trace: &Trace, shared: &[bool]) {
        let is_private = |address: Address| !shared[usize::from(address.array)];
        self.transfers
            .retain(|transfer| is_private(trace.written(transfer.task)));
        for inputs in &mut self.inputs {
            inputs.retain(|&address| is_private(address));
        }
        for results in &mut self.results {
            results.retain(|&task| is_private(trace.written(task)));
        }
    }

    /// Returns the number of processors, idle ones included.
    pub fn processors(&self) -> usize {
        self.processors
    }

    /// Returns the number of supersteps.
    pub fn supersteps(&self) -> usize {
        self.lists.len() / self.processors.max(1)
    }

    /// Returns the tasks that `processor` runs in `superstep`, in order.
    pub fn tasks(&self, superstep: usize, processor: usize) -> &[u32] {
        self.list(superstep * self.processors + processor)
    }

    /// Iterates over all lists with their superstep and processor, in the order of supersteps.
    pub fn lists(&self) -> impl Iterator<Item = (usize, usize, &[u32])> {
        let all = 0..self.lists.len();
        all.map(|at| (at / self.processors, at % self.processors, self.list(at)))
    }

    /// Returns list number `at` of [`lists`](Self::lists).
    pub(crate) fn list(&self, at: usize) -> &[u32] {
        self.lists.row(at)
    }

    /// Returns list number `at`, to change its order.
    pub(crate) fn list_mut(&mut self, at: usize) -> &mut [u32] {
        let list = self.lists.range(at);
        &mut self.lists.items[list]
    }

    /// Returns the number of task instances, copies included.
    pub fn task_instances(&self) -> usize {
        self.lists.items.len()
    }

    /// Returns every word that is sent.
    pub fn transfers(&self) -> &[Transfer] {
        &self.transfers
    }

    /// Returns the inputs that `processor` reads.
    pub fn inputs(&self, processor: usize) -> &[Address] {
        &self.inputs[processor]
    }

    /// Returns the tasks whose values are results that are gathered from `processor`, by the words
    /// that they write. Each result is gathered from the lowest processor that computes it.
    pub fn results(&self, processor: usize) -> &[u32] {
        &self.results[processor]
    }
}

/// Needs of one processor, and the values that it has.
struct Needs<'a> {
    tasks: &'a Tasks<'a>,
    /// Superstep from which the processor has the value, per task.
    here: &'a mut [u32],
    /// (task, superstep of the first use) of the values that come from elsewhere.
    missing: Vec<(u32, u32)>,
    inputs: Touched,
}

impl Needs<'_> {
    fn compute(&mut self, superstep: u32, tasks: &[u32]) {
        for &task in tasks {
            let here = &mut self.here[task as usize];
            *here = superstep.min(*here);
        }
    }

    /// Notes what `task` needs in `superstep`; returns whether it is to run there at all.
    fn run(&mut self, superstep: u32, task: u32) -> bool {
        if self.here[task as usize] != superstep {
            return false;
        }
        for (array, value) in self.tasks.reads(task) {
            if value & INPUT != 0 {
                self.inputs.touch(Address {
                    array,
                    index: value & !INPUT,
                });
            } else if self.here[value as usize] > superstep {
                self.here[value as usize] = superstep;
                self.missing.push((value, superstep));
            }
        }
        true
    }
}

/// Words of each array that were touched.
struct Touched(Vec<Vec<bool>>);

impl Touched {
    fn new(extents: &[u32]) -> Self {
        let extents = extents.iter();
        Self(extents.map(|&words| vec![false; words as usize]).collect())
    }

    fn touch(&mut self, address: Address) {
        self.0[usize::from(address.array)][address.index as usize] = true;
    }

    fn addresses(&self) -> Vec<Address> {
        let touched = |(words, array): (&Vec<bool>, u16)| {
            let indices = (0..words.len() as u32).filter(|&index| words[index as usize]);
            indices
                .map(|index| Address { array, index })
                .collect::<Vec<_>>()
        };
        self.0.iter().zip(0..).flat_map(touched).collect()
    }
}

/// The transfers of a schedule, to be found by task and receiver.
struct Transfers(Vec<Transfer>);

impl Transfers {
    fn new(transfers: &[superstep_schedule::Transfer]) -> Self {
        let transfer = |known: &superstep_schedule::Transfer| Transfer {
            superstep: known.superstep,
            from: known.from,
            to: known.to,
            task: known.task,
        };
        let mut transfers: Vec<Transfer> = transfers.iter().map(transfer).collect();
        transfers.sort_unstable_by_key(|transfer| (transfer.to, transfer.task));
        Self(transfers)
    }

    fn find(&self, task: u32, to: u32) -> Option<Transfer> {
        let found = self
            .0
            .binary_search_by_key(&(to, task), |transfer| (transfer.to, transfer.task));
        found.ok().map(|at| self.0[at])
    }
}

/// Returns the results of each processor: the lowest of those that compute a last writer has its
/// result.
fn results(trace: &Trace, schedule: &Schedule) -> Result<Vec<Vec<u32>>, PlacementError> {
    let mut lowest = vec![NEVER; trace.tasks()];
    for (at, list) in schedule.lists().enumerate() {
        let processor = (at % schedule.processors()) as u32;
        for &task in list {
            let lowest = &mut lowest[task as usize];
            *lowest = processor.min(*lowest);
        }
    }
    let mut counts = vec![0_usize; schedule.processors()];
    for (_, task) in trace.results() {
        let count = counts.get_mut(lowest[task as usize] as usize);
        *count.ok_or(PlacementError::Missing(task))? += 1;
    }
    let mut results: Vec<Vec<_>> = counts.into_iter().map(Vec::with_capacity).collect();
    for (_, task) in trace.results() {
        results[lowest[task as usize] as usize].push(task);
    }
    Ok(results)
}
