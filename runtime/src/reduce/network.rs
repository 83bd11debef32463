//! Messages between the processors of a team: values of any type, from one to one.

use std::any::Any;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::Duration;

use crate::sync::{Mutex, Padded, lock};
use crate::wait::{Bed, Patience};

/// Time after which a sleeping processor looks again, at most.
const NAP: Duration = Duration::from_millis(1);

/// Network of a team: where the messages to each processor wait.
pub(super) struct Network {
    inboxes: Vec<Padded<Inbox>>,
    aborted: AtomicBool,
    patience: Patience,
}

#[derive(Default)]
struct Inbox {
    messages: Mutex<Vec<Message>>,
    /// Number of messages that have come so far.
    arrived: AtomicU32,
    bed: Bed,
}

struct Message {
    from: usize,
    value: Box<dyn Any + Send>,
}

/// Payload with which a processor unwinds because another one has failed.
pub(super) struct Aborted;

impl Network {
    pub(super) fn new(processors: usize) -> Self {
        Self {
            inboxes: (0..processors).map(|_| Padded::default()).collect(),
            aborted: AtomicBool::new(false),
            patience: Patience::of(processors),
        }
    }

    pub(super) fn processors(&self) -> usize {
        self.inboxes.len()
    }

    /// Sends; messages from one processor to another arrive in their order.
    pub(super) fn send(&self, from: usize, to: usize, value: Box<dyn Any + Send>) {
        let inbox = &self.inboxes[to].0;
        lock(&inbox.messages).push(Message { from, value });
        inbox.arrived.fetch_add(1, Ordering::SeqCst);
        inbox.bed.wake();
    }

    /// Waits for the next message of `from` to `to`, the calling processor. Unwinds with
    /// [`Aborted`] if one has failed and none will come.
    pub(super) fn receive(&self, from: usize, to: usize) -> Box<dyn Any + Send> {
        let inbox = &self.inboxes[to].0;
        let mut seen = None;
        let mut found = None;
        let mut look = || {
            let arrived = inbox.arrived.load(Ordering::SeqCst);
            // A message is in the box before it is counted.
            if seen.replace(arrived) != Some(arrived) {
                let mut messages = lock(&inbox.messages);
                let at = messages.iter().position(|message| message.from == from);
                found = at.map(|at| messages.remove(at).value);
            }
            found.is_some()
        };
        inbox.bed.wait(self.patience, Some(NAP), || {
            look() || self.aborted.load(Ordering::SeqCst)
        });
        found.unwrap_or_else(|| resume_unwind(Box::new(Aborted)))
    }

    /// Releases all processors that wait, now or later, for a message that has not come.
    pub(super) fn abort(&self) {
        self.aborted.store(true, Ordering::SeqCst);
        for inbox in &self.inboxes {
            inbox.0.bed.wake();
        }
    }
}
