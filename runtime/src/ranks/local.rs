//! Ranks that are threads of one process, to test what is meant for many processes.

use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use super::{Communicator, RankError};
use crate::error::catch;
use crate::sync::{Mutex, lock};

/// Time that a rank waits for a message, if [`Local::wait_at_most`] does not say otherwise.
const PATIENCE: Duration = Duration::from_secs(60);

/// Time after which a rank that waits looks whether another one has failed.
const NAP: Duration = Duration::from_millis(1);

/// Communicator of one of the threads that [`run`] starts.
#[derive(Debug)]
pub struct Local<'f> {
    rank: usize,
    inboxes: Vec<Sender<(usize, Vec<u8>)>>,
    inbox: Receiver<(usize, Vec<u8>)>,
    /// Messages of each rank that have come before they were asked for.
    early: Vec<VecDeque<Vec<u8>>>,
    /// First rank that has failed, with its error.
    failed: &'f Mutex<Option<(usize, String)>>,
    patience: Duration,
}

/// Runs `program` on so many ranks, each a thread; returns what they give, by rank.
///
/// # Panics
/// If a rank panics, with its message: the others then get [`RankError::Aborted`].
pub fn run<R: Send>(ranks: usize, program: impl Fn(&mut Local<'_>) -> R + Sync) -> Vec<R> {
    let failed = Mutex::new(None);
    let (inboxes, receivers): (Vec<_>, Vec<_>) = (0..ranks).map(|_| channel()).unzip();
    let (program, failed) = (&program, &failed);
    let run = |(rank, inbox)| {
        let mut local = Local {
            rank,
            inboxes: inboxes.clone(),
            inbox,
            early: vec![VecDeque::new(); ranks],
            failed,
            patience: PATIENCE,
        };
        move || {
            let ran = catch(|| program(&mut local));
            if let Err(payload) = &ran {
                local.fail(&payload.message());
            }
            (ran, local)
        }
    };
    let ran: Vec<_> = thread::scope(|scope| {
        let threads = receivers
            .into_iter()
            .enumerate()
            .map(|of| scope.spawn(run(of)));
        let threads: Vec<_> = threads.collect();
        let joined = threads.into_iter().map(|thread| thread.join());
        joined.filter_map(|ran| ran.ok()?.0.ok()).collect()
    });
    match (&*lock(failed), ran.len() == ranks) {
        (_, true) => ran,
        (Some((rank, message)), _) => panic!("rank {rank}: {message}"),
        (None, _) => unreachable!("a panic is noted"),
    }
}

impl Local<'_> {
    /// Sets how long this rank waits for a message.
    pub fn wait_at_most(&mut self, patience: Duration) {
        self.patience = patience;
    }

    /// Ends the other ranks, as this one has failed.
    pub fn fail(&self, message: &str) {
        lock(self.failed).get_or_insert_with(|| (self.rank, message.to_owned()));
    }
}

impl Communicator for Local<'_> {
    fn rank(&self) -> usize {
        self.rank
    }

    fn size(&self) -> usize {
        self.inboxes.len()
    }

    fn send(&mut self, to: usize, bytes: Vec<u8>) -> Result<(), RankError> {
        // One that has ended takes no message, as over MPI.
        let _ = self.inboxes[to].send((self.rank, bytes));
        Ok(())
    }

    fn receive(&mut self, from: usize) -> Result<Vec<u8>, RankError> {
        let begin = Instant::now();
        loop {
            if let Some(bytes) = self.early[from].pop_front() {
                return Ok(bytes);
            }
            match self.inbox.recv_timeout(NAP) {
                Ok((sender, bytes)) => {
                    self.early[sender].push_back(bytes);
                    continue;
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => unreachable!("it has a sender itself"),
            }
            if let Some((rank, message)) = lock(self.failed).clone() {
                return Err(RankError::Aborted { rank, message });
            }
            let waited = begin.elapsed();
            if waited >= self.patience {
                return Err(RankError::Silent { rank: from, waited });
            }
        }
    }

    fn flush(&mut self) -> Result<(), RankError> {
        Ok(())
    }

    fn abort(&mut self, error: &RankError) {
        self.fail(&error.to_string());
    }
}
