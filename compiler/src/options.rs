//! Options of a compilation: what holds for all its programs.

use std::num::NonZero;

use superstep_machine::{Machine, Memory, Times};
use superstep_scheduler::{Algorithm, Effort};

use crate::passes::Passes;
use crate::predict::supersteps::Data;

/// Choices that hold for all programs of a compilation.
#[derive(Clone, Debug)]
pub struct Options {
    /// Times of the parts of programs.
    pub times: Times,
    /// Times of programs over private memory, whose processors are ranks and have their data; those
    /// of all programs, if there are none.
    pub ranks: Option<Times>,
    /// Costs that schedulers count with, in tasks, in place of those that follow from the times.
    /// Its number of processors is replaced.
    pub machine: Option<Machine>,
    /// The algorithms that there are: [the scheduler's](superstep_scheduler::ALL), or a longer
    /// list.
    pub algorithms: &'static [Algorithm],
    /// Algorithm that schedules: one of them, by name.
    pub algorithm: Algorithm,
    /// Effort of schedulers that search: how much they may try.
    pub effort: Effort,
    /// The passes that run.
    pub passes: Passes,
    /// Programs that are compiled at the same time, at most. Of [many
    /// tasks](crate::road::MANY_TASKS) it is one, since each takes memory of its own.
    pub threads: NonZero<usize>,
}

impl Default for Options {
    /// Returns the default times, the scheduler's algorithms, the one that is predicted to be
    /// fastest, the least effort, all passes, one thread.
    fn default() -> Self {
        Self {
            times: Times::default(),
            ranks: None,
            machine: None,
            algorithms: superstep_scheduler::ALL,
            algorithm: Algorithm::Auto,
            effort: Effort::Fast,
            passes: Passes::ALL,
            threads: NonZero::<usize>::MIN,
        }
    }
}

impl Options {
    /// Returns the times of programs over such memory.
    pub(crate) fn times_of(&self, memory: Memory) -> &Times {
        match (memory, &self.ranks) {
            (Memory::Private, Some(ranks)) => ranks,
            _ => &self.times,
        }
    }

    /// Returns who holds the data of programs over such memory. Ranks keep theirs from one run to
    /// the next.
    pub(crate) fn data_of(&self, memory: Memory) -> Data {
        match (memory, &self.ranks) {
            (Memory::Private, Some(_)) => Data::Processors,
            _ => Data::Caller,
        }
    }
}
