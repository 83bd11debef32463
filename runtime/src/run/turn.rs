//! Turns: steps of one processor, one after the other, on the thread that has taken it up.
//!
//! A payload asks its turn for each next step. When it returns to a thread of a run, the outcome
//! says whether the processor is put down, over or stopped. A step counts as ended when the next
//! is asked for, so one that panics never does.

use superstep_order::Wait;

use super::Run;
use super::hands::Waited;
use crate::timeline::Recorder;

/// Turn of a processor: its steps from the next one on, until it has to wait, is over or stops.
pub(crate) struct Turn<'r> {
    processor: u32,
    /// Number of the thread: recordings note it, and plans have memory for each thread.
    thread: usize,
    /// Number of looks at a wait, before the one that decides.
    looks: u32,
    /// First step of the processor.
    first: u32,
    /// Step that runs or, between steps, the next one.
    step: u32,
    /// End of the steps that it may run.
    end: u32,
    /// Set while a step runs, which [`next`](Self::next) ends.
    is_running: bool,
    /// Run in which others wait, and are waited for; none without threads.
    run: Option<&'r Run>,
    /// Recorder of times, if they are noted.
    recorder: Option<&'r Recorder>,
    /// Outcome so far: stopped, unless the payload goes on until it is given no step.
    outcome: Outcome,
}

/// Outcome of a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// Over: all steps have ended.
    Over,
    /// Waiting: the next step, counted from the processor's first, waits for a peer.
    Waits { next: u32, peer: u32 },
    /// Stopped: there will be no next step.
    Stopped,
}

impl<'r> Turn<'r> {
    /// Returns the turn of a processor that a thread has taken up.
    pub(super) fn of(run: &'r Run, processor: u32, thread: usize, looks: u32) -> Self {
        let steps = run.ordered.order().steps_of(processor);
        let left = steps.start + run.posts.next(processor)..steps.end;
        Self {
            thread,
            looks,
            run: Some(run),
            ..Self::free(processor, steps.start, left, run.recorder.as_deref())
        }
    }

    /// Returns the turn of a processor at some of its steps, from the `first` on, with nobody to
    /// wait for.
    pub(super) fn free(
        processor: u32,
        first: u32,
        steps: std::ops::Range<u32>,
        recorder: Option<&'r Recorder>,
    ) -> Self {
        Self {
            processor,
            thread: 0,
            looks: 0,
            first,
            step: steps.start,
            end: steps.end,
            is_running: false,
            run: None,
            recorder,
            outcome: Outcome::Stopped,
        }
    }

    /// Returns whose turn it is.
    pub(crate) fn processor(&self) -> usize {
        self.processor as usize
    }

    /// Returns the number of the thread, from 0 for the caller.
    #[cfg(feature = "plan")]
    pub(crate) fn thread(&self) -> usize {
        self.thread
    }

    /// Returns how many steps the processor has ended, in all turns.
    pub(crate) fn count(&self) -> u32 {
        self.step - self.first
    }

    /// Ends the step that runs, and begins the next. None if that has to wait, or there is none.
    ///
    /// Costs a store if somebody listens to the end, and a load for each wait that is fulfilled.
    #[inline]
    pub(crate) fn next(&mut self) -> Option<u32> {
        // Time at which this turn ended the step before. If the next awaits nobody, it is ready
        // then, and the clock is not read again.
        let mut ended = None;
        if self.is_running {
            self.is_running = false;
            ended = self.recorder.map(|recorder| recorder.ended(self.step));
            self.step += 1;
            if let Some(run) = self.run {
                let listeners = run.ordered.listeners_of(self.step - 1);
                if !listeners.is_empty() {
                    run.posts.ended(self.processor, self.count(), listeners);
                }
            }
        }
        if self.step == self.end {
            self.outcome = Outcome::Over;
            return None;
        }
        if let Some(run) = self.run {
            for &wait in run.ordered.order().waits_of(self.step) {
                ended = None;
                if !self.is_fulfilled(run, wait) {
                    return None;
                }
            }
        }
        if let Some(recorder) = self.recorder {
            let ready = ended.unwrap_or_else(|| recorder.now());
            recorder.ready(self.step, self.thread, ready);
        }
        self.is_running = true;
        Some(self.step)
    }

    /// Looks at a wait; notes what comes of it where it is not fulfilled.
    fn is_fulfilled(&mut self, run: &Run, wait: Wait) -> bool {
        self.outcome = match run.posts.look(wait, self.looks) {
            Waited::Fulfilled => return true,
            Waited::Stopped => Outcome::Stopped,
            Waited::NotYet => Outcome::Waits {
                next: self.count(),
                peer: wait.processor,
            },
        };
        false
    }

    /// Notes that the step that runs has failed.
    pub(crate) fn stop(&mut self) {
        self.outcome = Outcome::Stopped;
    }

    pub(super) fn outcome(&self) -> Outcome {
        self.outcome
    }
}
