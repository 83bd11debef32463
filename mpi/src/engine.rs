//! Communicator over MPI: sends and receives messages, waits for them, and ends all ranks on a
//! failure.

use std::marker::PhantomData;
use std::thread;
use std::time::{Duration, Instant};

use mpi::Threading;
use mpi::environment::Universe;
use mpi::topology::SimpleCommunicator;
use mpi::traits::Communicator as Raw;
use superstep::ranks::{Communicator, RankError};

use crate::calls::{Channel, Kind, Sending};

/// Bytes of a piece of a message: counts of MPI have 31 bits.
const PIECE: usize = 1 << 30;

/// Looks before a rank that waits gives its core away: with more ranks than cores, the one that is
/// waited for needs it. Not tuned: on two busy cores 64 and 1000 looks could not be told apart.
const LOOKS: u32 = 64;

/// Time after which a rank that waits sleeps between looks, to leave the core to whoever has work.
///
/// That costs a hundredth of the wait and a timer's slack. Neither this time nor [`NAP`] is tuned:
/// runs on two busy cores differed more than the choices that were tried.
const AWAKE: Duration = Duration::from_millis(10);
/// Time for which a rank sleeps between looks.
const NAP: Duration = Duration::from_micros(50);

/// Buffers that are kept for each rank: one to send, one to receive. Without them two ranks take 31
/// ms for ten sweeps of a grid of 8 MiB on rank 0, with them 13.
/// The experiment is `superstep-bench mpi`.
const SPARE: usize = 2;

/// Ranks of MPI.
///
/// Dropping it is collective: a rank waits there until all others drop theirs. One that waits for a
/// message of a rank that has done so gets [`RankError::Ended`].
///
/// It has a duplicate of a communicator, so its messages mix with no others. A rank that waits
/// looks again and again, yields its core, and sleeps at last. Only the thread that made it may use
/// it (`MPI_THREAD_FUNNELED`); plans and programs of other threads go on beside it.
pub struct Mpi {
    channel: Channel,
    rank: usize,
    size: usize,
    /// Messages that have not left yet.
    sending: Vec<Sending>,
    /// Buffers of messages that have left or were read, at most [two for each rank](SPARE).
    spare: Vec<Vec<u8>>,
    /// Ranks that have said that they send no more.
    ended: Vec<bool>,
    piece: usize,
    deadline: Option<Duration>,
    /// First error of waiting or sending, after which other ranks may wait for this one.
    failed: Option<String>,
    /// MPI itself, if it was initialised here: dropped last.
    _universe: Option<Universe>,
    /// Bound to its thread.
    _funneled: PhantomData<*const ()>,
}

impl Mpi {
    /// Takes all ranks (collective). Initialises MPI if that has not been done, and then finalises
    /// it when this is dropped.
    ///
    /// # Errors
    /// If a call of MPI fails, or it lets no thread use it beside which others run.
    pub fn world() -> Result<Self, RankError> {
        let universe = match mpi::initialize_with_threading(Threading::Funneled) {
            Some((universe, provided)) if provided >= Threading::Funneled => Some(universe),
            Some(_) => {
                return Err(RankError::Engine {
                    call: "MPI_Init_thread",
                    code: 0,
                    message: "MPI_THREAD_FUNNELED is not supported".to_owned(),
                });
            }
            None => None,
        };
        let mut ranks = Self::over(&SimpleCommunicator::world())?;
        ranks._universe = universe;
        Ok(ranks)
    }

    /// Takes the ranks of a communicator of yours (collective among them). MPI must be initialised
    /// before, and finalised only after this was dropped.
    ///
    /// # Errors
    /// If a call of MPI fails.
    pub fn over(communicator: &impl Raw) -> Result<Self, RankError> {
        let channel = Channel::duplicate(communicator.as_raw())?;
        let size = channel.size()?;
        Ok(Self {
            rank: channel.rank()?,
            size,
            channel,
            sending: Vec::new(),
            spare: Vec::new(),
            ended: vec![false; size],
            piece: PIECE,
            deadline: None,
            failed: None,
            _universe: None,
            _funneled: PhantomData,
        })
    }

    /// Sets how long this rank waits for a message. After that it fails, and so ends all. Without a
    /// deadline it waits as long as MPI does; so it does for others when it is dropped.
    #[must_use]
    pub fn deadline(mut self, deadline: Duration) -> Self {
        self.deadline = Some(deadline);
        self
    }

    /// Sets the bytes of a piece of a message, for tests: on all ranks the same number.
    ///
    /// # Panics
    /// Without bytes, or with more than MPI can count.
    #[doc(hidden)]
    #[must_use]
    pub fn pieces_of(mut self, piece: usize) -> Self {
        assert!((1..=PIECE).contains(&piece), "from 1 to 2^30");
        self.piece = piece;
        self
    }

    /// Looks until there is something, or until the deadline; yields the core meanwhile.
    fn wait<T>(
        &mut self,
        rank: usize,
        deadline: Option<Duration>,
        mut look: impl FnMut(&mut Self) -> Result<Option<T>, RankError>,
    ) -> Result<T, RankError> {
        for _ in 0..LOOKS {
            if let Some(found) = look(self)? {
                return Ok(found);
            }
        }
        let begin = Instant::now();
        loop {
            let waited = begin.elapsed();
            match waited < AWAKE {
                true => thread::yield_now(),
                false => thread::sleep(NAP),
            }
            if let Some(found) = look(self)? {
                return Ok(found);
            }
            if deadline.is_some_and(|deadline| waited > deadline) {
                return Err(RankError::Silent { rank, waited });
            }
        }
    }

    /// Notes an error, by which this rank ends all when it is dropped.
    fn noted<T>(&mut self, done: Result<T, RankError>) -> Result<T, RankError> {
        if let Err(error) = &done {
            self.failed.get_or_insert_with(|| error.to_string());
        }
        done
    }

    fn begin(&mut self, to: usize, kind: Kind, bytes: Vec<u8>) -> Result<(), RankError> {
        self.reap()?;
        let sending = self.channel.send(to, kind, bytes, self.piece)?;
        self.sending.push(sending);
        Ok(())
    }

    fn message(&mut self, from: usize) -> Result<Vec<u8>, RankError> {
        let mut bytes = self.buffer();
        loop {
            let arrived =
                self.wait(from, self.deadline, |ranks| ranks.arrived(from, &mut bytes))?;
            if arrived < self.piece {
                return Ok(bytes);
            }
        }
    }

    /// Waits until all messages have left.
    fn leave(&mut self, deadline: Option<Duration>) -> Result<(), RankError> {
        while let Some(to) = self.sending.first().map(Sending::to) {
            self.wait(to, deadline, |ranks| {
                ranks.reap()?;
                let first = ranks.sending.first();
                Ok(first.is_none_or(|sending| sending.to() != to).then_some(()))
            })?;
        }
        Ok(())
    }

    /// Appends the next piece of a rank's messages, if it is there; returns its length.
    fn arrived(&mut self, from: usize, bytes: &mut Vec<u8>) -> Result<Option<usize>, RankError> {
        let arrived = self.channel.receive(from, Kind::Message, bytes)?;
        if arrived.is_some() || !self.has_ended(from)? {
            return Ok(arrived);
        }
        // All that it had sent before its last word is here.
        let arrived = self.channel.receive(from, Kind::Message, bytes)?;
        arrived.map(Some).ok_or(RankError::Ended { rank: from })
    }

    /// Returns whether a rank has said that it sends no more.
    fn has_ended(&mut self, rank: usize) -> Result<bool, RankError> {
        if !self.ended[rank] {
            let word = self.channel.receive(rank, Kind::End, &mut Vec::new())?;
            self.ended[rank] = word.is_some();
        }
        Ok(self.ended[rank])
    }

    /// Says that this rank sends no more, and waits until all others have said so.
    fn end(&mut self) -> Result<(), RankError> {
        let mut others: Vec<usize> = (0..self.size).collect();
        others.remove(self.rank);
        for &other in &others {
            self.begin(other, Kind::End, Vec::new())?;
        }
        for other in others {
            let has_ended = |ranks: &mut Self| Ok(ranks.has_ended(other)?.then_some(()));
            self.wait(other, None, has_ended)?;
        }
        self.leave(None)
    }

    /// Prints a line, by one write: ranks may share a terminal.
    fn say(&self, text: &str) {
        let line = format!("rank {} of {}: {text}\n", self.rank, self.size);
        eprint!("{line}");
    }

    /// Forgets messages that have left, and keeps their buffers.
    fn reap(&mut self) -> Result<(), RankError> {
        let mut at = 0;
        while let Some(sending) = self.sending.get_mut(at) {
            match sending.is_over()? {
                true => {
                    let bytes = self.sending.remove(at).into_bytes();
                    self.reuse(bytes);
                }
                false => at += 1,
            }
        }
        Ok(())
    }
}

impl Communicator for Mpi {
    fn rank(&self) -> usize {
        self.rank
    }

    fn size(&self) -> usize {
        self.size
    }

    fn send(&mut self, to: usize, bytes: Vec<u8>) -> Result<(), RankError> {
        let begun = self.begin(to, Kind::Message, bytes);
        self.noted(begun)
    }

    fn receive(&mut self, from: usize) -> Result<Vec<u8>, RankError> {
        let message = self.message(from);
        self.noted(message)
    }

    fn flush(&mut self) -> Result<(), RankError> {
        let left = self.leave(self.deadline);
        self.noted(left)
    }

    fn buffer(&mut self) -> Vec<u8> {
        self.spare.pop().unwrap_or_default()
    }

    fn reuse(&mut self, mut bytes: Vec<u8>) {
        if self.spare.len() < SPARE * self.size {
            bytes.clear();
            self.spare.push(bytes);
        }
    }

    fn abort(&mut self, error: &RankError) {
        self.say(&error.to_string());
        self.channel.abort();
    }
}

impl Drop for Mpi {
    fn drop(&mut self) {
        if thread::panicking() {
            // The others would wait for this rank for ever.
            self.say("a panic ends all ranks");
            self.channel.abort();
        } else if let Some(failed) = &self.failed {
            self.say(failed);
            self.channel.abort();
        } else {
            match self.end() {
                Ok(()) => self.channel.free(),
                Err(error) => self.abort(&error),
            }
        }
    }
}
