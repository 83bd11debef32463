//! The result of a traced run: one record per task, flat arrays only.

use crate::Kernel;

/// Set in an operand that is an *input*: no task wrote the location before; the low 31 bits are the index in the operand's array.
/// Without it, an operand is the id of the task that wrote the value.
pub const INPUT: u32 = 1 << 31;

/// Tasks per entry of the sampled operand offsets.
pub(crate) const SAMPLE: usize = 64;

/// One traced run: which task wrote what and read whose value.
///
/// A *task* is one execution of one assignment; its id is its position in the run, so trace order is a topological order.
///
/// Memory: 2 (statement) + 4 (write) + 4 per operand bytes for each task, + 8 per control value, + 8 per 64 tasks.
///
/// Invariants: `statement[t] < kernel.statements.len()`; a task has exactly `kernel.statements[statement[t]].operands.len()` operands
/// and `.control.len()` control values; an operand without [`INPUT`] is smaller than the task that reads it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace {
    pub(crate) kernel: Kernel,
    pub(crate) statement: Vec<u16>,
    pub(crate) write: Vec<u32>,
    pub(crate) operands: Vec<u32>,
    pub(crate) control: Vec<i64>,
    /// Start of the operands and of the control values of every `SAMPLE`-th task.
    pub(crate) samples: Vec<(u64, u64)>,
    /// Per array: largest index touched plus one (for arrays whose type says the length: that length).
    pub(crate) extents: Vec<u32>,
    /// Per array: for `InOut` arrays, the last writer of each word (`INPUT | index` where no task wrote it); empty for others.
    pub(crate) last: Vec<Vec<u32>>,
}

/// One task of a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Task<'a> {
    /// Index into [`Kernel::statements`].
    pub statement: u16,
    /// Index of the written word in the statement's target array.
    pub write: u32,
    /// Per operand: the writer, or [`INPUT`]` | index`.
    pub operands: &'a [u32],
    /// Values of the control operands, each cast to `i64` (a `u64` beyond `i64::MAX` keeps its bits).
    pub control: &'a [i64],
}
