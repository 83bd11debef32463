//! Programs and sums over ranks: processes that send each other messages, on one machine or many.
//!
//! A [`Communicator`] is the engine: it knows a rank's number and carries bytes. The crate
//! `superstep-mpi` has one over MPI; [`local`] has one of threads, for tests.
//!
//! * A *kernel*: each rank runs one processor of a program over private memory, by `run_over` of
//!   what `prepare` gives. By its `part` no rank has an array in whole. At each superstep a rank
//!   sends one message to each rank that needs words of it, and waits for none but those that it
//!   receives.
//! * A *sum*: [`Distributed`] says which rank owns which range of an array. Its sums have the bits
//!   of [`reduce`](crate::reduce), for every number of ranks and threads.
//!
//! ```
//! use superstep_runtime::ranks::{Communicator, Distributed, local};
//! use superstep_runtime::reduce::{self, Tree};
//!
//! let x: Vec<f64> = (1..=1000).map(|i| 1.0 / f64::from(i)).collect();
//! let one = reduce::sum(&Tree::fixed(1000, 1), &x.clone().into())?;
//! let sums = local::run(3, |ranks| {
//!     // Uneven ranges: the first rank owns 10 words.
//!     let own = [0..10, 10..700, 700..1000][ranks.rank()].clone();
//!     Distributed::new(ranks, x[own].to_vec())?.sum(ranks)
//! });
//! for sum in sums {
//!     assert_eq!(sum?.map(f64::to_bits), one.map(f64::to_bits));
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Failures
//! A rank that fails tells its communicator ([`Communicator::abort`]), which ends the others: none
//! of them waits for a message that never comes.

mod agreement;
mod distributed;
pub mod element;
mod error;
pub mod local;
mod packets;
mod part;
mod program;
mod scan;
#[cfg(all(test, not(loom)))]
mod tests;

use crate::kernel::Kernel;
pub use distributed::{Distributed, Ranges};
use element::Element;
pub use error::RankError;
pub use part::Part;
pub(crate) use program::Kept;
pub use program::{Inputs, Over, Results, run};
#[cfg(feature = "plan")]
pub(crate) use {
    agreement::agree_on,
    error::Refusal,
    packets::{at_target, receive_packed, send_packed, unpacked},
    part::{blank_of, computed, of_array},
    program::FIRST,
};

/// Engine that carries messages between ranks.
///
/// Messages from one rank to another arrive in their order. One thread of each rank uses it.
pub trait Communicator {
    /// Returns the number of this rank, from 0.
    fn rank(&self) -> usize;

    /// Returns the number of ranks.
    fn size(&self) -> usize;

    /// Begins to send bytes to another rank. Does not wait for it to receive them.
    ///
    /// # Errors
    /// If the engine fails.
    fn send(&mut self, to: usize, bytes: Vec<u8>) -> Result<(), RankError>;

    /// Waits for the next message of another rank.
    ///
    /// # Errors
    /// If the engine fails, a rank has aborted, or the message does not come in time.
    fn receive(&mut self, from: usize) -> Result<Vec<u8>, RankError>;

    /// Waits until all messages have left this rank.
    ///
    /// # Errors
    /// As [`receive`](Self::receive).
    fn flush(&mut self) -> Result<(), RankError>;

    /// Returns an empty buffer for the bytes of a message: the memory of one that has left or was
    /// read, where the engine keeps such.
    fn buffer(&mut self) -> Vec<u8> {
        Vec::new()
    }

    /// Takes the bytes of a message back that was read, for [`buffer`](Self::buffer).
    fn reuse(&mut self, bytes: Vec<u8>) {
        drop(bytes);
    }

    /// Ends the run on all ranks, as this one has failed. May not return.
    fn abort(&mut self, error: &RankError);
}

/// Begins to send words to another rank.
///
/// # Errors
/// As [`Communicator::send`].
pub fn send_words<T: Element>(
    ranks: &mut dyn Communicator,
    to: usize,
    words: &[T],
) -> Result<(), RankError> {
    ranks.send(to, element::bytes(words))
}

/// Waits for the words that another rank sends next.
///
/// # Errors
/// As [`Communicator::receive`], or if these are no words of the type.
///
/// ```
/// use superstep_runtime::ranks::{Communicator, local, receive_words, send_words};
///
/// let received = local::run(2, |ranks| {
///     let (own, other) = (ranks.rank(), 1 - ranks.rank());
///     send_words(ranks, other, &[1.5, own as f64])?;
///     receive_words::<f64>(ranks, other)
/// });
/// assert_eq!(received.into_iter().collect::<Result<Vec<_>, _>>()?, [[1.5, 1.0], [1.5, 0.0]]);
/// # Ok::<(), superstep_runtime::ranks::RankError>(())
/// ```
pub fn receive_words<T: Element>(
    ranks: &mut dyn Communicator,
    from: usize,
) -> Result<Vec<T>, RankError> {
    let bytes = ranks.receive(from)?;
    let words = element::words(&bytes);
    ranks.reuse(bytes);
    words.ok_or(RankError::Malformed { from })
}

/// Runs supersteps in their order. An error tells in which one of them it occurred.
pub(crate) fn supersteps<K: Kernel>(
    count: usize,
    rank: usize,
    mut run: impl FnMut(usize) -> Result<(), RankError>,
) -> Result<(), RankError> {
    (0..count).try_for_each(|superstep| {
        run(superstep).map_err(|source| RankError::Within {
            kernel: K::NAME,
            rank,
            superstep,
            source: Box::new(source),
        })
    })
}

/// Gives all ranks the words of each, those of one rank after the other's.
fn all_gather<T: Element>(
    ranks: &mut dyn Communicator,
    mut words: Vec<T>,
) -> Result<Vec<T>, RankError> {
    let (rank, size) = (ranks.rank(), ranks.size());
    if rank > 0 {
        send_words(ranks, 0, &words)?;
    }
    for from in (1..size).filter(|_| rank == 0) {
        words.extend(receive_words::<T>(ranks, from)?);
    }
    let all = broadcast(ranks, element::bytes(&words))?;
    element::words(&all).ok_or(RankError::Malformed { from: 0 })
}

/// Sends the bytes of the first rank to all others, along a tree of postal rounds; returns them.
fn broadcast(ranks: &mut dyn Communicator, bytes: Vec<u8>) -> Result<Vec<u8>, RankError> {
    let (rank, size) = (ranks.rank(), ranks.size());
    let bytes = match rank.checked_ilog2() {
        Some(level) => ranks.receive(rank - (1 << level))?,
        None => bytes,
    };
    // A rank has the bytes after the round in which its highest bit is set, and sends from then on.
    let first = rank.checked_ilog2().map_or(0, |level| level + 1);
    for level in (first..usize::BITS).take_while(|level| rank + (1 << level) < size) {
        let mut own = ranks.buffer();
        own.extend_from_slice(&bytes);
        ranks.send(rank + (1 << level), own)?;
    }
    Ok(bytes)
}
