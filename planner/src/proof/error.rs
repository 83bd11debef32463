//! Errors of a proof: why a plan of grains (ranges of iterations) is refused.

use std::{fmt, ops::Range};

use crate::{TrackError, Wait};

/// Errors of proving a plan.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProofError {
    /// The kernel can't be tracked.
    #[error(transparent)]
    Track(#[from] TrackError),
    /// Numbers of the plan contradict each other.
    #[error("the plan has {what}")]
    Malformed {
        /// Contradiction, in words.
        what: &'static str,
    },
    /// A wait for chunks that the plan lacks.
    #[error("processor {processor}, chunk {chunk} waits for {} chunks of processor {}", wait.steps, wait.processor)]
    Unfulfillable {
        /// The processor that waits.
        processor: u32,
        /// Number of the chunk on its processor.
        chunk: u32,
        /// The wait.
        wait: Wait,
    },
    /// A grain that the plan lacks.
    #[error("there is no grain {grain}, but it stands at position {position}")]
    Unknown {
        /// Its number.
        grain: u32,
        /// Position in the list of all grains.
        position: u32,
    },
    /// A grain that runs nowhere.
    #[error("grain {grain} runs nowhere")]
    Missing {
        /// The grain.
        grain: u32,
    },
    /// A grain that runs twice.
    #[error("{first} stands at processor {}, chunk {}, position {} too", second.processor, second.chunk, second.position)]
    Repeated {
        /// First position of the grain.
        first: Position,
        /// Second position of the grain.
        second: Position,
    },
    /// Waits that never end, as each is for another.
    #[error(
        "processor {processor}, chunk {chunk} waits forever for {} chunks of processor {}",
        wait.steps, wait.processor
    )]
    Deadlock {
        /// The first processor that does not come to its end.
        processor: u32,
        /// Number of the chunk on its processor.
        chunk: u32,
        /// The wait.
        wait: Wait,
    },
    /// The vector clocks, one number for each chunk and processor, do not fit in memory.
    #[error("no memory for the proof of {chunks} chunks on {processors} processors")]
    Memory {
        /// Chunks of the plan.
        chunks: usize,
        /// Its processors.
        processors: usize,
    },
    /// Two grains that use a word are not ordered as in the sequential run.
    #[error(
        "array {array}, word {word}: {second} {}, and does not come after {first}, which {} it before in the sequential run",
        dependence.second(), dependence.first()
    )]
    Unordered {
        /// Dependence of the two by the word.
        dependence: Dependence,
        /// The array.
        array: u16,
        /// The word.
        word: usize,
        /// The grain that must come before.
        first: Position,
        /// The grain that must come after.
        second: Position,
    },
}

/// Dependence between two grains that must be ordered: how both use a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dependence {
    /// The first writes what the second reads.
    Flow,
    /// The first reads what the second overwrites.
    Anti,
    /// Both write.
    Output,
}

impl Dependence {
    fn first(self) -> &'static str {
        match self {
            Self::Flow | Self::Output => "writes",
            Self::Anti => "reads",
        }
    }

    fn second(self) -> &'static str {
        match self {
            Self::Flow => "reads it",
            Self::Anti | Self::Output => "writes it",
        }
    }
}

/// Position of a grain in a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    /// The grain.
    pub grain: u32,
    /// Its iterations.
    pub iterations: Range<u32>,
    /// The processor that runs it.
    pub processor: u32,
    /// The chunk, counted among those of the processor.
    pub chunk: u32,
    /// Its position in the chunk.
    pub position: u32,
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (first, last) = (self.iterations.start, self.iterations.end - 1);
        write!(f, "grain {} (iteration {first}", self.grain)?;
        if last > first {
            write!(f, " to {last}")?;
        }
        write!(
            f,
            "; processor {}, chunk {}, position {})",
            self.processor, self.chunk, self.position
        )
    }
}
