//! Communication of processors at superstep boundaries.
//!
//! A value `u` is *needed* on processor `q` when `q` runs a task that reads `u` and has not
//! computed `u` itself by then. It is sent to `q` once, by the lowest-numbered processor that
//! computes it in a superstep before the first use. It is sent after some superstep from that
//! computation on and before the first use; the [`Sending`] says which. On a machine with levels
//! the nearest of those that compute it sends it.

mod sending;

use std::fmt;

use superstep_dag::{Dag, Rows};
use superstep_machine::Machine;

use self::sending::choose_supersteps;
use crate::{CheckedSchedule, Schedule, schedule::plural};

/// Mark of no processor yet.
const NONE: u32 = u32::MAX;

/// Rule for the superstep after which a value is sent, of those in which it can be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sending {
    /// Right after the superstep that computes it: the accounting of the thesis.
    Eager,
    /// Right before its first use.
    Lazy,
    /// Lazy at first; then each value, in the order of tasks and receivers, moves to the earliest
    /// admissible superstep whose h-relation it does not raise. The h-relation is that of the
    /// moment. Never dearer than lazy sending on a machine without levels.
    ///
    /// With levels as few boundaries as can be carry messages of the outermost level, then of the
    /// next one inside, and so on. A value waits for such a boundary.
    #[default]
    ImprovedLazy,
}

/// Value on its way from one processor to another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Transfer {
    /// Superstep after which it is sent.
    pub superstep: u32,
    /// Processor that sends it.
    pub from: u32,
    /// Processor that receives it.
    pub to: u32,
    /// Task that computes it.
    pub task: u32,
    /// Superstep of the sender that computes it: at most `superstep`.
    pub computed: u32,
    /// First superstep in which the receiver uses it: more than `superstep`.
    pub first_use: u32,
}

/// All transfers of a schedule, in the order of (superstep, from, to, task).
///
/// 24 bytes per transfer. The transfers of one (superstep, from, to) make one packed message.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Communication {
    transfers: Vec<Transfer>,
}

/// Returns the communication of `schedule` by [improved lazy](Sending::ImprovedLazy) sending.
///
/// Cost: linear in task instances times predecessors, and in transfers times the supersteps that
/// they may choose from.
///
/// ```
/// use superstep_dag::{Dag, Rows};
/// use superstep_schedule::{CheckedSchedule, Schedule, communication};
///
/// let graph = Dag::from_edges(3, &[(0, 2), (1, 2)]).unwrap();
/// let schedule = Schedule::from_lists(2, [[vec![0], vec![1]], [vec![2], vec![]]]);
/// let communication = communication(&CheckedSchedule::new(&graph, schedule).unwrap());
/// let [transfer] = communication.transfers() else { panic!("one value travels") };
/// assert_eq!((transfer.task, transfer.from, transfer.to, transfer.superstep), (1, 1, 0, 0));
/// ```
pub fn communication(schedule: &CheckedSchedule<'_>) -> Communication {
    Communication::new(schedule, Sending::ImprovedLazy)
}

impl Communication {
    /// Finds the communication of `schedule` by that rule, all processors being equally far
    /// from each other.
    pub fn new(schedule: &CheckedSchedule<'_>, sending: Sending) -> Self {
        let processors = schedule.schedule().processors() as u32;
        Self::on(schedule, sending, &Machine::new(processors))
    }

    /// Finds the communication of `schedule` by that rule on a machine, of which only the
    /// levels count.
    pub fn on(schedule: &CheckedSchedule<'_>, sending: Sending, machine: &Machine) -> Self {
        let (graph, lists) = (schedule.graph(), schedule.schedule());
        let values = |task| graph.predecessors(task).iter().copied();
        let needs = needs(graph.tasks(), values, lists);
        let transfers = choose_senders(needs, lists, machine);
        Self::send(transfers, lists, sending, machine, |task| graph.words(task))
    }

    /// Finds the communication by [improved lazy](Sending::ImprovedLazy) sending of a schedule
    /// that has been checked, of `tasks` tasks whose values have one word each; `values` gives the
    /// values that a task reads. So the graph need not be there any longer.
    pub fn of_values<Values: IntoIterator<Item = u32>>(
        schedule: &Schedule,
        tasks: usize,
        values: impl Fn(u32) -> Values,
    ) -> Self {
        let machine = Machine::new(schedule.processors() as u32);
        let needs = needs(tasks, values, schedule);
        let transfers = choose_senders(needs, schedule, &machine);
        Self::send(transfers, schedule, Sending::ImprovedLazy, &machine, |_| 1)
    }

    /// Sends transfers that come by task, then receiver.
    fn send(
        mut transfers: Vec<Transfer>,
        schedule: &Schedule,
        sending: Sending,
        machine: &Machine,
        words: impl Fn(u32) -> u32,
    ) -> Self {
        choose_supersteps(&mut transfers, sending, schedule, machine, words);
        Self {
            transfers: by_message(transfers, schedule),
        }
    }

    /// Returns all transfers, in the order of (superstep, from, to, task).
    pub fn transfers(&self) -> &[Transfer] {
        &self.transfers
    }

    /// Returns the transfers of each message: of each (superstep, from, to) that has any.
    pub fn messages(&self) -> impl Iterator<Item = &[Transfer]> {
        self.transfers
            .chunk_by(|a, b| (a.superstep, a.from, a.to) == (b.superstep, b.from, b.to))
    }

    /// Returns the transfers of each superstep that has any.
    pub fn supersteps(&self) -> impl Iterator<Item = &[Transfer]> {
        self.transfers.chunk_by(|a, b| a.superstep == b.superstep)
    }

    /// Returns the number of words sent.
    pub fn words(&self, graph: &Dag) -> u64 {
        self.transfers
            .iter()
            .map(|transfer| u64::from(graph.words(transfer.task)))
            .sum()
    }
}

/// Sorts transfers that come by task into the order of (superstep, from, to, task). It is a
/// counting sort where messages can be told apart in little memory.
fn by_message(mut transfers: Vec<Transfer>, schedule: &Schedule) -> Vec<Transfer> {
    let (supersteps, processors) = (schedule.supersteps(), schedule.processors());
    let messages = supersteps
        .saturating_mul(processors)
        .saturating_mul(processors);
    if messages > transfers.len() {
        transfers.sort_unstable();
        return transfers;
    }
    let message = |transfer: &Transfer| {
        let (from, to) = (transfer.from as usize, transfer.to as usize);
        (transfer.superstep as usize * processors + from) * processors + to
    };
    let pairs = transfers
        .iter()
        .map(|transfer| (message(transfer), *transfer));
    Rows::sorted(messages, pairs).items
}

/// Writes one line: the numbers of transfers, messages, and boundaries that are crossed.
impl fmt::Display for Communication {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (transfers, messages) = (self.transfers.len(), self.messages().count());
        let boundaries = self.supersteps().count();
        write!(
            f,
            "{transfers} transfer{} in {messages} message{} at {boundaries} bound{}",
            plural(transfers),
            plural(messages),
            if boundaries == 1 { "ary" } else { "aries" }
        )
    }
}

/// Collects the needs of processors for values: the receiver and first use of each, in rows of
/// tasks. Receivers ascend.
fn needs<Values: IntoIterator<Item = u32>>(
    tasks: usize,
    values: impl Fn(u32) -> Values,
    schedule: &Schedule,
) -> Rows<(u32, u32)> {
    let mut found: Vec<(u32, (u32, u32))> = Vec::new();
    // The last processor that was seen to compute the task's value or to ask for it.
    let mut has = vec![NONE; tasks];
    for processor in 0..schedule.processors() {
        let receiver = processor as u32;
        for superstep in 0..schedule.supersteps() {
            for &task in schedule.tasks(superstep, processor) {
                for value in values(task) {
                    if has[value as usize] != receiver {
                        has[value as usize] = receiver;
                        found.push((value, (receiver, superstep as u32)));
                    }
                }
                has[task as usize] = receiver;
            }
        }
    }
    drop(has);
    Rows::sorted(
        tasks,
        found.iter().map(|&(task, need)| (task as usize, need)),
    )
}

/// Makes a transfer for each need, by task, then receiver, from the nearest of those that have
/// the value in time, the lowest number first. Each is left at the superstep that computes the
/// value.
///
/// It takes the needs, which would be in memory while messages are made.
fn choose_senders(
    needs: Rows<(u32, u32)>,
    schedule: &Schedule,
    machine: &Machine,
) -> Vec<Transfer> {
    let mut senders = vec![(NONE, 0); needs.items.len()];
    for processor in 0..schedule.processors() {
        for superstep in 0..schedule.supersteps() as u32 {
            for &task in schedule.tasks(superstep as usize, processor) {
                for at in needs.range(task as usize) {
                    let (to, first_use) = needs.items[at];
                    let (from, sender) = (senders[at].0, processor as u32);
                    let is_nearer =
                        || from == NONE || machine.level(sender, to) < machine.level(from, to);
                    if superstep < first_use && is_nearer() {
                        senders[at] = (sender, superstep);
                    }
                }
            }
        }
    }
    let tasks = (0..).zip(needs.iter());
    let needs = tasks.flat_map(|(task, needs)| needs.iter().map(move |need| (task, need)));
    needs
        .zip(senders)
        .map(|((task, &(to, first_use)), (from, computed))| {
            debug_assert_ne!(
                from, NONE,
                "R3 and P1: a value that is needed was computed in an earlier superstep"
            );
            Transfer {
                superstep: computed,
                from,
                to,
                task,
                computed,
                first_use,
            }
        })
        .collect()
}
