//! Requests: programs that are asked for.

use superstep_machine::Memory;
use superstep_scheduler::Algorithm;

/// A program that is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request {
    /// Number of processors.
    pub processors: usize,
    /// Memory in which they have their data.
    pub memory: Memory,
    /// Set if the program is wanted even if fewer processors are faster.
    pub exact: bool,
    /// Algorithm that schedules, if not that of the [`Options`](crate::Options).
    pub algorithm: Option<Algorithm>,
}

impl Request {
    /// Asks for a program that shares the caller's arrays, if that many processors are worth it.
    pub fn new(processors: usize) -> Self {
        Self {
            processors,
            memory: Memory::Shared,
            exact: false,
            algorithm: None,
        }
    }

    /// Asks for the same program, even if fewer processors are faster.
    pub fn exactly(processors: usize) -> Self {
        Self {
            exact: true,
            ..Self::new(processors)
        }
    }
}
