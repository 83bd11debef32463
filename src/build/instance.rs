//! Instances that a build script asks for: one kernel at one choice of its control arguments.

use superstep_compiler::Request;
use superstep_machine::Memory;
use superstep_runtime::control::ControlWriter;
use superstep_scheduler::Algorithm;
use superstep_tracer::{Kernel, Observation, Recorder, Trace, TraceError, record};

use super::memory::TaskLimit;

/// Kernel at one choice of its control arguments, to be scheduled for one or more processor counts.
///
/// Made by `kernels::<kernel>::instance(<control arguments>)`, which the
/// [`kernel`](macro@crate::kernel) attribute adds in a build script.
pub struct Instance {
    pub(super) kernel: Kernel,
    pub(super) control: Vec<u8>,
    pub(super) label: String,
    /// Constants that control reads.
    pub(super) constants: Vec<Observation>,
    /// Line that keeps the kernel from being planned at run time, and why.
    pub(super) unplanned: Option<&'static str>,
    processors: Vec<usize>,
    private: Vec<usize>,
    /// Set if the programs are wanted even if fewer processors are faster.
    exact: bool,
    algorithm: Option<Algorithm>,
    /// Requests of instances with equal control arguments.
    others: Vec<Request>,
    pub(super) trace: Box<dyn Fn(&mut Recorder)>,
}

impl Instance {
    /// Makes an instance. Called by the code that the attribute emits.
    #[doc(hidden)]
    pub fn new(
        kernel: Kernel,
        control: ControlWriter,
        label: String,
        constants: Vec<Observation>,
        trace: impl Fn(&mut Recorder) + 'static,
    ) -> Self {
        Self {
            kernel,
            control: control.into_bytes(),
            label,
            constants,
            unplanned: None,
            processors: Vec::new(),
            private: Vec::new(),
            exact: false,
            algorithm: None,
            others: Vec::new(),
            trace: Box::new(trace),
        }
    }

    /// Notes why the kernel is not planned at run time. Called by the code that the attribute
    /// emits.
    #[doc(hidden)]
    #[must_use]
    pub fn unplanned(mut self, why: &'static str) -> Self {
        self.unplanned = Some(why);
        self
    }

    /// Sets the numbers of processors to generate programs for, each from 1 to 64. Repetitions are
    /// dropped.
    ///
    /// Without a call: 1, and the number of cores of the machine that builds.
    ///
    /// No program is generated that is predicted to take longer than one for fewer processors. For
    /// several processors there is none that is predicted to take three times as long as the
    /// function as written. A warning says so, and why calls are likely to run the function where
    /// it is predicted to be faster. The program for one processor is generated in any case: calls
    /// run it where others are measured to be slower.
    #[must_use]
    pub fn processors(mut self, counts: impl IntoIterator<Item = usize>) -> Self {
        self.processors = counts.into_iter().collect();
        self.processors.sort_unstable();
        self.processors.dedup();
        self
    }

    /// Sets the numbers as [`processors`](Self::processors) does, with a program for each even if
    /// fewer processors are predicted to be faster, and for no other. For measurements, for tests,
    /// or for a machine that the build does not know.
    #[must_use]
    pub fn exactly(self, counts: impl IntoIterator<Item = usize>) -> Self {
        let mut instance = self.processors(counts);
        instance.exact = true;
        instance
    }

    /// Sets the numbers of processors whose programs keep all data in private memories. They are of
    /// those given to [`processors`](Self::processors). Inputs are copied into each processor's
    /// memory, messages carry all values between them, and results are copied out.
    ///
    /// For both kinds of program for one number, give the builder two instances. With
    /// [`exactly`](Self::exactly) it keeps both, else the one that is predicted to be faster. Calls
    /// run the faster, or what `with().private_memory(true)` or `false` says.
    ///
    /// Other programs use the caller's arrays where they are, from all processors, wherever no word
    /// needs two values at a time. That is faster, and most of the runtime's `unsafe` code is for
    /// it.
    #[must_use]
    pub fn private_memory(mut self, counts: impl IntoIterator<Item = usize>) -> Self {
        self.private = counts.into_iter().collect();
        self
    }

    /// Sets the scheduler of this instance, instead of the builder's.
    #[must_use]
    pub fn algorithm(mut self, algorithm: Algorithm) -> Self {
        self.algorithm = Some(algorithm);
        self
    }

    /// Returns the programs that are asked for, by ascending number of processors. Of two for one
    /// number and kind of memory it has the one that was asked for first.
    pub(super) fn requests(&self) -> Vec<Request> {
        let own = self.processors.iter();
        let own = own.map(|&processors| self.request(processors, self.exact));
        let mut requests: Vec<Request> = own.collect();
        requests.extend(&self.others);
        let kind = |request: &Request| (request.processors, request.memory == Memory::Private);
        requests.sort_by_key(kind);
        requests.dedup_by_key(|request| kind(request));
        requests
    }

    /// Returns the request for that many processors, as this instance wants it.
    pub(super) fn request(&self, processors: usize, exact: bool) -> Request {
        let memory = if self.private.contains(&processors) {
            Memory::Private
        } else {
            Memory::Shared
        };
        Request {
            processors,
            memory,
            exact,
            algorithm: self.algorithm,
        }
    }

    /// Takes over the requests of an instance with equal control arguments.
    pub(super) fn merge(&mut self, other: Self) {
        self.others.extend(other.requests());
    }

    /// Runs the kernel's control and gives its trace: every assignment, and what each reads.
    ///
    /// # Errors
    /// If the control goes wrong, as an index out of range does, or there are more tasks than free
    /// memory has room for.
    pub fn record(&self) -> Result<Trace, TraceError> {
        self.record_within(TaskLimit::new(None).tasks)
    }

    /// Records as [`record`](Self::record) does, at most `limit` tasks.
    pub(super) fn record_within(&self, limit: u64) -> Result<Trace, TraceError> {
        record(self.kernel.clone(), limit, |recorder| {
            (self.trace)(recorder)
        })
    }

    /// Returns what messages call this instance: `lu(n = 128)`.
    pub(super) fn name(&self) -> String {
        format!("{}({})", self.kernel.name, self.label)
    }
}
