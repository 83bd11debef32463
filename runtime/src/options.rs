//! Options of a call: how many processors, by which transport, and how they wait for each other.

/// Number of processors that is wished for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Processors {
    /// Number that the fastest of the predicted programs has.
    #[default]
    Any,
    /// Number of processors, at most.
    AtMost(usize),
    /// Number of processors, and no other.
    Exactly(usize),
}

impl Processors {
    /// Returns whether no other number will do.
    pub(crate) fn insists(self) -> bool {
        matches!(self, Self::Exactly(_))
    }
}

/// Transport of a call: on threads or in turn. The result is the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TransportKind {
    /// Team of threads that stays: each processor is one of them.
    #[default]
    Threads,
    /// Turns on the calling thread: the processors run one after another, superstep by superstep.
    /// No freedom at all, for tests.
    InTurn,
}

/// Policy by which threads wait where no processor of a run can go on that nobody runs. Between
/// runs, idle threads sleep under every policy, after a millisecond.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WaitPolicy {
    /// Spinning: threads never give up their cores, for a machine that does nothing else.
    Spin,
    /// Spinning for some microseconds, then letting others go first, then sleep.
    #[default]
    Hybrid,
    /// Sleep at once: a superstep takes tens of microseconds, and waiting takes no time from
    /// others.
    Park,
}

/// Options of a call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    pub(crate) processors: Processors,
    pub(crate) transport: TransportKind,
    pub(crate) wait: WaitPolicy,
    pub(crate) private_memory: Option<bool>,
    pub(crate) record: bool,
}

impl Options {
    /// Returns the options of a call on threads.
    ///
    /// The call runs the program that is predicted to be the fastest of those that have as many
    /// cores as processors. Where the build predicts nothing, that is the largest; if there is
    /// none, the one with the fewest processors. Cores are those that the calling thread may use.
    ///
    /// Calls [fall back](crate#falling-back) for which there are no threads. So do those for which
    /// that program is measured to be slower than another form. That is the program for one
    /// processor, the function as written or a plan made at run time.
    pub const fn new() -> Self {
        Self {
            processors: Processors::Any,
            transport: TransportKind::Threads,
            wait: WaitPolicy::Hybrid,
            private_memory: None,
            record: false,
        }
    }

    /// Allows at most this number of processors. Of the programs for no more, it is the largest
    /// that has a core for each processor, or else the one with the fewest. (A build leaves out
    /// programs that are slower than smaller ones.) If nothing was built for so few, the original
    /// function runs.
    #[must_use]
    pub const fn processors(self, processors: usize) -> Self {
        Self {
            processors: Processors::AtMost(processors),
            ..self
        }
    }

    /// Insists on exactly this number of processors, with or without as many cores, and without
    /// ever falling back: to measure, and to test. If nothing was built for it, the original
    /// function runs; if the system has no threads for it, the call fails.
    #[must_use]
    pub const fn exactly(self, processors: usize) -> Self {
        Self {
            processors: Processors::Exactly(processors),
            ..self
        }
    }

    /// Chooses only programs whose processors have memories of their own, or only others, where a
    /// build has made both for one number of processors. For one processor any will do.
    #[must_use]
    pub const fn private_memory(self, private: bool) -> Self {
        Self {
            private_memory: Some(private),
            ..self
        }
    }

    /// Has the call record when each step begins and ends:
    /// [`last_timeline`](crate::timeline::last_timeline) has it after the call. It takes some 50 ns
    /// for each step.
    #[must_use]
    pub const fn record(self, record: bool) -> Self {
        Self { record, ..self }
    }

    /// Sets the transport.
    #[must_use]
    pub const fn transport(self, transport: TransportKind) -> Self {
        Self { transport, ..self }
    }

    /// Sets how processors wait, where they are threads.
    #[must_use]
    pub const fn wait(self, wait: WaitPolicy) -> Self {
        Self { wait, ..self }
    }
}
