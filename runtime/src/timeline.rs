//! Recorded runs: when each step of a run began and ended, and on which thread.
//!
//! A thread whose call is [recorded](crate::options::Options::record) notes the time at the end of
//! each step, and when its waits are fulfilled. That is two looks at the clock for a step, of some
//! 20 ns each, and two stores. Runs that are not recorded test a pointer twice a step.

use std::cell::{Cell, RefCell};
use std::fmt;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use superstep_order::{CallForm, Recording, Timeline as Steps, Times};

use crate::call::{Reason, last_reason};
use crate::sync::{Mutex, Padded, lock};

/// Name of farms in place of a kernel's, which is an identifier.
pub(crate) const FARM: &str = "a farm";

thread_local! {
    static IS_WANTED: Cell<bool> = const { Cell::new(false) };
    static LAST: RefCell<Option<Recorded>> = const { RefCell::new(None) };
}

/// Record of a call.
struct Recorded {
    kernel: &'static str,
    begun: Instant,
    call: Option<Duration>,
    /// First steps of processors, and the times of all.
    run: Option<(Vec<u32>, Arc<Recorder>)>,
    ran: Option<(CallForm, Identity)>,
    has_failed: bool,
}

/// Function that finds out the identity of a program or plan, when somebody asks for it: that takes
/// a look at all its tables.
pub(crate) type Identity = Box<dyn Fn() -> u64>;

/// Begins a call of a kernel, which is recorded or not.
pub(crate) fn begin(kernel: &'static str, record: bool) {
    if !record && !IS_WANTED.get() {
        // The timeline of the last call that was recorded is not that of this one.
        if LAST.with_borrow(Option::is_some) {
            LAST.set(None);
        }
        return;
    }
    IS_WANTED.set(record);
    LAST.set(record.then(|| Recorded {
        kernel,
        begun: Instant::now(),
        call: None,
        run: None,
        ran: None,
        has_failed: false,
    }));
}

/// Keeps the times of a run, if there are some.
pub(crate) fn keep(recorder: Option<Arc<Recorder>>, processors: &[u32], has_failed: bool) {
    let Some(recorder) = recorder else { return };
    LAST.with_borrow_mut(|last| {
        if let Some(last) = last {
            last.run = Some((processors.to_vec(), recorder));
            last.has_failed |= has_failed;
        }
    });
}

/// Times at which chunks of a farm began and ended, on each of its threads.
#[derive(Debug)]
pub(crate) struct Log {
    begun: Instant,
    threads: Vec<Padded<Mutex<Vec<[u64; 2]>>>>,
}

impl Log {
    /// Returns a log for so many threads, if the calling thread's call is recorded.
    pub(crate) fn wanted(threads: usize) -> Option<Arc<Self>> {
        let log = || Self {
            begun: Instant::now(),
            threads: (0..threads).map(|_| Padded::default()).collect(),
        };
        IS_WANTED.get().then(|| Arc::new(log()))
    }

    /// Runs a chunk on a thread, and notes when that was.
    pub(crate) fn note(&self, thread: usize, run: impl FnOnce()) {
        let now = || self.begun.elapsed().as_nanos() as u64;
        let begin = now();
        run();
        lock(&self.threads[thread].0).push([begin, now()]);
    }

    /// Keeps what was noted, and ends the call: threads are its processors, chunks their steps.
    pub(crate) fn keep(&self, has_failed: bool) {
        let (mut processors, mut steps) = (vec![0], Vec::new());
        for (thread, noted) in self.threads.iter().enumerate() {
            let noted = lock(&noted.0);
            steps.extend(noted.iter().map(|&[ready, end]| Noted {
                ready: AtomicU64::new(ready),
                end: AtomicU64::new(end),
                thread: AtomicU32::new(thread as u32),
            }));
            processors.push(steps.len() as u32);
        }
        let begun = self.begun;
        let recorder = Arc::new(Recorder {
            begun,
            steps: steps.into(),
        });
        keep(Some(recorder), &processors, has_failed);
        end(|| None, has_failed);
    }
}

/// Ends a call, if it is recorded: of the program or plan with this identity, or of the function.
pub(crate) fn end(ran: impl FnOnce() -> Option<(CallForm, Identity)>, has_failed: bool) {
    if !IS_WANTED.get() {
        return;
    }
    LAST.with_borrow_mut(|last| {
        if let Some(last) = last {
            last.call = Some(last.begun.elapsed());
            last.ran = ran();
            last.has_failed |= has_failed;
        }
    });
}

/// Recorder of the times of a run's steps, as its threads note them.
#[derive(Debug)]
pub(crate) struct Recorder {
    begun: Instant,
    steps: Box<[Noted]>,
}

/// Times of a step, in nanoseconds from the beginning of the run; 0 where it has not come so far.
#[derive(Debug, Default)]
struct Noted {
    ready: AtomicU64,
    end: AtomicU64,
    thread: AtomicU32,
}

impl Recorder {
    /// Returns a recorder of so many steps, if the calling thread's call is recorded.
    pub(crate) fn wanted(steps: usize) -> Option<Arc<Self>> {
        let recorder = || Self {
            begun: Instant::now(),
            steps: (0..steps).map(|_| Noted::default()).collect(),
        };
        IS_WANTED.get().then(|| Arc::new(recorder()))
    }

    /// Returns the nanoseconds since the beginning of the run.
    #[inline]
    pub(crate) fn now(&self) -> u64 {
        self.begun.elapsed().as_nanos() as u64
    }

    /// Notes that a step begins to work on a thread at this time.
    #[inline]
    pub(crate) fn ready(&self, step: u32, thread: usize, now: u64) {
        let noted = &self.steps[step as usize];
        noted.ready.store(now, Ordering::Relaxed);
        noted.thread.store(thread as u32, Ordering::Relaxed);
    }

    /// Notes that a step has ended; returns when.
    #[inline]
    pub(crate) fn ended(&self, step: u32) -> u64 {
        let now = self.now();
        self.steps[step as usize].end.store(now, Ordering::Relaxed);
        now
    }

    /// Returns the times of the steps of processors with these first steps, and their threads.
    fn steps(&self, processors: &[u32]) -> (Steps, Vec<u32>) {
        let mut times = Vec::with_capacity(self.steps.len());
        for bounds in processors.windows(2) {
            let mut before = 0;
            for noted in &self.steps[bounds[0] as usize..bounds[1] as usize] {
                let [ready, end] = [&noted.ready, &noted.end].map(|at| at.load(Ordering::Relaxed));
                let (ready, end) = (ready.max(before), end.max(ready).max(before));
                times.push(Times {
                    wait: ready - before,
                    copy: 0,
                    work: end - ready,
                });
                before = end;
            }
        }
        let threads = self
            .steps
            .iter()
            .map(|noted| noted.thread.load(Ordering::Relaxed));
        (Steps::new(processors.to_vec(), times), threads.collect())
    }
}

/// Timeline of a call that was recorded: when each step of each processor began and ended.
///
/// Steps are supersteps of a program, chunks of a plan, parts of a farm. A step's times include
/// sending and receiving words; waiting for others stands apart.
#[derive(Clone, Debug)]
pub struct Timeline {
    recording: Arc<Recording>,
    reason: Option<Reason>,
}

/// Returns the timeline of the last call of a kernel's parallel interface on this thread, if it was
/// [recorded](crate::options::Options::record).
///
/// It has no steps if the call ran the function as written; [`Timeline::reason`] says why.
pub fn last_timeline() -> Option<Timeline> {
    let recording = recording()?;
    let is_call = recording.form != CallForm::Farm;
    Some(Timeline {
        recording: recording.into(),
        reason: last_reason().filter(|_| is_call),
    })
}

/// Returns all that was recorded of the last call, if it was.
pub(crate) fn recording() -> Option<Recording> {
    LAST.with_borrow(|last| {
        let last = last.as_ref()?;
        let run = last.run.as_ref();
        let (timeline, threads) = run
            .map(|(processors, recorder)| recorder.steps(processors))
            .unwrap_or_default();
        let call = last.call.unwrap_or_else(|| last.begun.elapsed());
        let is_farm = last.kernel == FARM;
        let (form, identity) = match &last.ran {
            Some((form, identity)) => (*form, identity()),
            None if is_farm => (CallForm::Farm, 0),
            None => (CallForm::Function, 0),
        };
        Some(Recording {
            kernel: last.kernel.to_owned(),
            form,
            identity,
            reason: last_reason()
                .filter(|_| !is_farm)
                .map(|reason| reason.to_string())
                .unwrap_or_default(),
            has_failed: last.has_failed,
            call: call.as_nanos() as u64,
            timeline,
            threads,
        })
    })
}

impl Timeline {
    /// Returns the name of the kernel.
    pub fn kernel(&self) -> &str {
        &self.recording.kernel
    }

    /// Returns how long the whole call took.
    pub fn call(&self) -> Duration {
        Duration::from_nanos(self.recording.call)
    }

    /// Returns the number of processors; 0 if the function as written ran.
    pub fn processors(&self) -> usize {
        self.recording.timeline.processors()
    }

    /// Returns a processor's steps, in order: how long it waited before each, and how long it took,
    /// in nanoseconds.
    ///
    /// # Panics
    /// If there is no such processor.
    pub fn steps_of(&self, processor: usize) -> impl ExactSizeIterator<Item = (u64, u64)> + '_ {
        let steps = self.recording.timeline.steps_of(processor).iter();
        steps.map(|step| (step.wait, step.work))
    }

    /// Returns why another form ran than the one that was chosen, if one did. Of a timeline that
    /// was read there is nothing, though it is printed with the reason.
    pub fn reason(&self) -> Option<Reason> {
        self.reason
    }

    /// Returns whether a step panicked: those behind it have no times.
    pub fn has_failed(&self) -> bool {
        self.recording.has_failed
    }

    /// Returns all that was recorded.
    #[cfg(feature = "plan")]
    pub(crate) fn recording(&self) -> &Arc<Recording> {
        &self.recording
    }

    /// Reads the timeline that [`write`](Self::write) has written to a file.
    ///
    /// # Errors
    /// If the file cannot be read, or has none.
    pub fn read(path: impl AsRef<Path>) -> io::Result<Self> {
        let recording = Recording::decode(&fs::read(path)?);
        let recording = recording.map_err(|error| io::Error::new(ErrorKind::InvalidData, error));
        recording.map(Self::from)
    }

    /// Writes the timeline to a file, which [`read`](Self::read) and
    /// `cargo superstep report --timeline` read.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn write(&self, path: impl AsRef<Path>) -> io::Result<()> {
        superstep_files::replace(path.as_ref(), self.recording.encode())
    }
}

/// Timeline of a recording that was read from a file.
impl From<Recording> for Timeline {
    fn from(recording: Recording) -> Self {
        Self {
            recording: recording.into(),
            reason: None,
        }
    }
}

/// Text of a timeline: a line for the call, and one for each processor.
impl fmt::Display for Timeline {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ms = |ns: u64| 1e-6 * ns as f64;
        let Recording {
            kernel,
            call,
            timeline,
            reason,
            ..
        } = &*self.recording;
        write!(f, "{kernel}: {:.3} ms", ms(*call))?;
        match &reason[..] {
            "" if self.has_failed() => write!(f, ", and failed")?,
            "" => {}
            reason => write!(f, ", {reason}")?,
        }
        for (processor, sum) in timeline.sums().into_iter().enumerate() {
            let steps = timeline.steps_of(processor).len();
            let (work, wait) = (ms(sum.work), ms(sum.wait));
            write!(
                f,
                "\n  processor {processor}: {steps} steps, {work:.3} ms, {wait:.3} ms waiting"
            )?;
        }
        match self.recording.alone() {
            Some(alone) => write!(f, "\n  {alone}"),
            None => Ok(()),
        }
    }
}
