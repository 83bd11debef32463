//! The table form of a program.
//!
//! A [`Plan`] says everything about a program but what its statements compute: how much memory each processor needs, which inputs
//! are scattered to it, what it runs in each superstep, what crosses at each boundary, and which results are gathered.
//! A *slot* is an index into one array of one processor's private memory. `codegen` fills plans; this crate runs them.

/// A program in tables.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// Number of processors, idle ones included.
    pub processors: u32,
    /// Number of supersteps.
    pub supersteps: u32,
    /// Per array: words that the caller's argument must have at least (0 for locals).
    pub extents: Vec<u32>,
    /// Words of each array in each processor's memory, `[processor * arrays + array]`.
    pub lengths: Vec<u32>,
    /// Per processor: inputs that it needs, from argument index to slot.
    pub scatter: Vec<Vec<Copies>>,
    /// Per processor: results that it returns, from slot to argument index. Each result is gathered from one processor.
    pub gather: Vec<Vec<Copies>>,
    /// The messages, ascending by (superstep, from, to). At most one for each triple.
    pub messages: Vec<Message>,
    /// The distinct loop bodies that runs execute.
    pub bodies: Vec<Body>,
    /// What each processor runs in each superstep: `[superstep * processors + processor]`.
    pub code: Vec<Code>,
}

/// `count` words of one array copied from `from, from + from_step, ...` to `to, to + to_step, ...`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Copies {
    /// Array.
    pub array: u16,
    /// Number of words.
    pub count: u32,
    /// First index at the source.
    pub from: u32,
    /// Step at the source.
    pub from_step: i32,
    /// First index at the destination.
    pub to: u32,
    /// Step at the destination.
    pub to_step: i32,
}

/// What crosses from one processor to another at the end of a superstep, as one packet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// The superstep after whose computation it is packed.
    pub superstep: u32,
    /// Sender.
    pub from: u32,
    /// Receiver; unpacks before the computation of the next superstep.
    pub to: u32,
    /// The words in order: sender's slots to receiver's slots.
    pub copies: Vec<Copies>,
}

/// What one iteration of an innermost loop executes: statements in order.
///
/// Its *components* are, statement by statement, the written slot, the operands' slots, and the control values; a run gives each
/// component a start and a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Body {
    /// Statements (indices into the kernel's statement table).
    pub statements: Vec<u16>,
    /// Components in all.
    pub components: u32,
}

/// Nested loops over runs, as a tree in preorder.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Code {
    /// The terms in preorder.
    pub terms: Vec<Term>,
    /// Pool of affine coefficients that runs index.
    pub pool: Vec<i64>,
}

/// A loop or a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Term {
    /// The next `terms` terms, `count` times.
    Loop {
        /// Iterations.
        count: u32,
        /// Terms in the loop's body, nested ones included.
        terms: u32,
    },
    /// `count` iterations of a body.
    Run {
        /// Index into [`Plan::bodies`].
        body: u16,
        /// Iterations.
        count: u32,
        /// Where in the pool the starts and steps stand.
        pool: u32,
    },
}
