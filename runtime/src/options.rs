//! Options of a call: how many processors, by which transport, and how they wait for each other.

/// How many processors are wished for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Processors {
    /// As many as the fastest of the predicted programs has.
    #[default]
    Any,
    /// At most this number.
    AtMost(usize),
    /// This number.
    Exactly(usize),
}

impl Processors {
    /// Returns whether no other number will do.
    pub(crate) fn insists(self) -> bool {
        matches!(self, Self::Exactly(_))
    }
}

/// How a call runs. The result is the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TransportKind {
    /// Each processor is a thread of a persistent team.
    #[default]
    Threads,
    /// The processors run one after another on the calling thread, superstep by superstep: no
    /// freedom at all, for tests.
    InTurn,
}

/// How threads wait where no processor of a run can go on that nobody runs. Between runs, idle
/// threads sleep under every policy, after a millisecond.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Wait {
    /// They never give up their cores: for a machine that does nothing else.
    Spin,
    /// They spin for some microseconds, then let others go first, then sleep.
    #[default]
    Hybrid,
    /// They sleep at once: a superstep takes tens of microseconds, and waiting takes no time from
    /// others.
    Park,
}

/// How a call is to run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    pub(crate) processors: Processors,
    pub(crate) transport: TransportKind,
    pub(crate) wait: Wait,
    pub(crate) private_memory: Option<bool>,
    pub(crate) record: bool,
}

impl Options {
    /// On threads; of the programs that have as many cores as processors the one that is predicted
    /// to be the fastest, or, where the build predicts nothing, the largest; if there is none, the
    /// one with the fewest processors. Cores are those that the calling thread may use. Calls for
    /// which that one is measured to be slower than the program for one processor, the function as
    /// written or a plan made at run time, or for which there are no threads, [fall
    /// back](crate#falling-back).
    pub const fn new() -> Self {
        Self {
            processors: Processors::Any,
            transport: TransportKind::Threads,
            wait: Wait::Hybrid,
            private_memory: None,
            record: false,
        }
    }

    /// At most this number of processors: of the programs for no more, the largest that has a core
    /// for each processor, or else the one with the fewest. (A build leaves out programs that are
    /// slower than smaller ones.) If nothing was built for so few, the original function runs.
    #[must_use]
    pub const fn processors(self, processors: usize) -> Self {
        Self {
            processors: Processors::AtMost(processors),
            ..self
        }
    }

    /// Exactly this number of processors, with or without as many cores, and without ever falling
    /// back: to measure, and to test. If nothing was built for it, the original function runs; if
    /// the system has no threads for it, the call fails.
    #[must_use]
    pub const fn exactly(self, processors: usize) -> Self {
        Self {
            processors: Processors::Exactly(processors),
            ..self
        }
    }

    /// Only by programs whose processors have memories of their own, or only by others: where a
    /// build has made both for one number of processors. For one processor any will do.
    #[must_use]
    pub const fn private_memory(self, private: bool) -> Self {
        Self {
            private_memory: Some(private),
            ..self
        }
    }

    /// Recording when each step begins and ends: [`last_timeline`](crate::timeline::last_timeline)
    /// has it after the call. It takes some 50 ns for each step.
    #[must_use]
    pub const fn record(self, record: bool) -> Self {
        Self { record, ..self }
    }

    /// By this transport.
    #[must_use]
    pub const fn transport(self, transport: TransportKind) -> Self {
        Self { transport, ..self }
    }

    /// Waiting in this way, where processors are threads.
    #[must_use]
    pub const fn wait(self, wait: Wait) -> Self {
        Self { wait, ..self }
    }
}
