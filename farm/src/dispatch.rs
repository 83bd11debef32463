//! Dispatch: when rounds of chunks arrive and are computed, exactly.

use crate::rounds::Groups;

/// Times after some rounds: of the master, and of the workers of each group.
#[derive(Clone, Debug, PartialEq)]
pub struct Clock {
    /// Time from which the master is free, in seconds.
    pub master: f64,
    /// Time by which the workers of each group have computed all that was sent, in seconds.
    pub finish: Vec<f64>,
}

impl Clock {
    /// Makes a clock with nothing sent.
    pub fn new(groups: &Groups) -> Self {
        Self {
            master: 0.0,
            finish: vec![0.0; groups.groups().len()],
        }
    }

    /// Sends a round: to each worker of a group a chunk of as many seconds of computing as `chunk`
    /// gives for it.
    ///
    /// A group with a chunk of zero is skipped, its set-up too.
    pub fn send(&mut self, groups: &Groups, chunk: impl Fn(usize) -> f64) {
        for (at, group) in groups.groups().iter().enumerate() {
            let seconds = chunk(at);
            if seconds <= 0.0 {
                continue;
            }
            self.master += groups.setup + seconds * group.send;
            let start = self.finish[at].max(self.master + groups.latency);
            self.finish[at] = start + groups.overhead + seconds;
        }
    }

    /// Returns when the last worker has finished, in seconds.
    pub fn makespan(&self) -> f64 {
        self.finish.iter().copied().fold(0.0, f64::max)
    }
}
