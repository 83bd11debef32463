//! Errors of programs that depart from their traces.

use superstep_plan::PlanError;
use superstep_tracer::INPUT;

/// The name in a slot that holds nothing.
pub(super) const NOTHING: u32 = u32::MAX;

/// Departure of a program from its trace.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReplayError {
    /// A statement other than the expected task's runs, or none or too many.
    #[error(
        "processor {processor}, superstep {superstep}: task instance {task_instance} is not the task that the schedule has there"
    )]
    Order {
        /// Processor.
        processor: usize,
        /// Superstep.
        superstep: usize,
        /// Number in the list of the (superstep, processor).
        task_instance: usize,
    },
    /// An operand is read from a slot that holds another value.
    #[error(
        "processor {processor}, superstep {superstep}: operand {operand} of task {task} is read from slot {slot}, which holds {found}, not {wanted}"
    )]
    Operand {
        /// Processor.
        processor: usize,
        /// Superstep.
        superstep: usize,
        /// Task.
        task: u32,
        /// Number of the operand.
        operand: usize,
        /// Slot.
        slot: i64,
        /// The value that it holds.
        found: Name,
        /// The value that the task reads.
        wanted: Name,
    },
    /// A control value is not the recorded one.
    #[error(
        "processor {processor}, superstep {superstep}: task {task} gets control value {found}, not {wanted}"
    )]
    Control {
        /// Processor.
        processor: usize,
        /// Superstep.
        superstep: usize,
        /// Task.
        task: u32,
        /// Value that the loops give it.
        found: i64,
        /// Value that it had when traced.
        wanted: i64,
    },
    /// Two processors use a word of a shared array, one of them writes it, and the second has not
    /// waited for the first.
    #[error(
        "processor {processor}, superstep {superstep}: word {index} of the shared array {array} is also used by another processor, and written"
    )]
    Race {
        /// The processor found second.
        processor: usize,
        /// Superstep.
        superstep: usize,
        /// Array.
        array: u16,
        /// Index of the word.
        index: usize,
    },
    /// The tables of the plan contradict themselves.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// A slot outside an array.
    #[error(
        "processor {processor} uses slot {slot} of array {array}, which has {words} words there"
    )]
    Slot {
        /// Processor.
        processor: usize,
        /// Array.
        array: u16,
        /// Slot.
        slot: i64,
        /// Words of the array on that processor.
        words: usize,
    },
    /// A word that is sent, scattered or gathered is not there, or not what it should be.
    #[error("{what} {index} of array {array}: found {found}")]
    Word {
        /// Action that fails, and the kind of the index.
        what: &'static str,
        /// Array.
        array: u16,
        /// Index in it.
        index: usize,
        /// Name that was found.
        found: Name,
    },
}

/// A value by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Name(pub(super) u32);

impl std::fmt::Display for Name {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0 {
            NOTHING => write!(f, "nothing"),
            input if input & INPUT != 0 => write!(f, "input {}", input & !INPUT),
            task => write!(f, "the value of task {task}"),
        }
    }
}
