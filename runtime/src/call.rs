//! A call: choose an instance and run it, or give the arguments back so that the original function
//! can run.
//!
//! The interface that `#[kernel]` gives a kernel (`parallel`, `try_parallel`, `with`, `prepare`,
//! `is_scheduled`) consists of thin shells over the functions here.

use std::cell::Cell;
use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

use superstep_plan::{Head, Plan, PlanError};

use crate::control::ControlMatcher;
use crate::cores;
use crate::error::{PrepareError, RunError};
use crate::fallback::Form;
use crate::instance::{Execute, Instance};
use crate::kernel::Kernel;
use crate::options::TransportKind;
pub use crate::options::{Options, Processors};
use crate::program::Program;
use crate::sync::lock;
use crate::team;

/// What became of a call that did not fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome<A> {
    /// The generated program ran.
    Ran,
    /// It did not, and nothing was touched: these are the arguments, for the original function.
    Original(A),
}

/// The reason for which a call did not run the program that it had chosen, or had none to choose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// No program was built for the control arguments and the wished number of processors.
    NotBuilt,
    /// Control reads a value of this name that was another one in the build script: a constant, a
    /// function, the width of `usize`. No program fits.
    Differs(&'static str),
    /// An argument is shorter than the program needs.
    Short,
    /// The calling thread is a processor of a running program already.
    Nested,
    /// The program was slower of late than that for one processor, or it is measured whether it is.
    Slower,
    /// The system gave no threads for the processors.
    NoThreads,
    /// The plan that was made at run time is sequential, as no other is predicted to be faster.
    Sequential,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotBuilt => f.write_str("no program was built for these control arguments"),
            Self::Differs(name) => write!(f, "{name} is not what it was in the build script"),
            Self::Short => f.write_str("an argument is shorter than the program needs"),
            Self::Nested => f.write_str("the call is from inside a running program"),
            Self::Slower => f.write_str("the program for one processor is measured to be faster"),
            Self::NoThreads => f.write_str("the system has no threads for the processors"),
            Self::Sequential => f.write_str("no plan for several processors is faster"),
        }
    }
}

/// A run of a generated program that ended well.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ran {
    /// Name of the kernel.
    pub kernel: &'static str,
    /// Number of processors.
    pub processors: usize,
    /// The number of processors of the program in whose place this one ran, if the call fell back;
    /// [`last_reason`] says why.
    pub instead_of: Option<usize>,
    /// Number of supersteps.
    pub supersteps: usize,
    /// Number of processors that ran at least one task.
    pub worked: usize,
    /// What the build predicted the run to take on the machine that it knew.
    pub predicted: Option<Duration>,
}

thread_local! {
    static LAST: Cell<(Option<Ran>, Option<Reason>)> = const { Cell::new((None, None)) };
}

/// The last call of a kernel's parallel interface on this thread, if its generated program ran to
/// the end; none if the original function ran instead or the run failed.
pub fn last_run() -> Option<Ran> {
    LAST.get().0
}

/// Keeps what became of a call.
#[cfg(feature = "plan")]
pub(crate) fn keep(ran: Option<Ran>, reason: Option<Reason>) {
    LAST.set((ran, reason));
}

/// Returns why the last call of a kernel's parallel interface on this thread fell back, or the
/// original function ran; none if the chosen program ran, or the run failed.
pub fn last_reason() -> Option<Reason> {
    LAST.get().1
}

/// Runs the best fitting instance of a kernel.
///
/// `control` feeds the call's control arguments, in order; it is called once for each distinct key.
/// The arguments come back in [`Outcome::Original`] if no instance fits, an argument is shorter
/// than the instance's program needs, this thread is already a processor of a running program, or
/// there are no threads and no program for one processor. [`last_reason`] says which.
///
/// # Errors
/// If the instance's tables cannot be read, a processor panics, or there are no threads for a
/// number of processors on which the options insist.
pub fn run<'a, K: Kernel>(
    instances: &[Instance<K>],
    control: impl Fn(&mut ControlMatcher<'_>),
    options: &Options,
    arguments: K::Arguments<'a>,
) -> Result<Outcome<K::Arguments<'a>>, RunError> {
    LAST.set((None, None));
    if team::inside() {
        return Ok(original(Reason::Nested, arguments));
    }
    match choose(instances, control, options).map_err(|source| RunError::Plan {
        kernel: K::NAME,
        source,
    })? {
        Some(chosen) => chosen.run(options, arguments),
        None => Ok(original(
            K::differs().map_or(Reason::NotBuilt, Reason::Differs),
            arguments,
        )),
    }
}

/// Gives the arguments back.
fn original<A>(reason: Reason, arguments: A) -> Outcome<A> {
    LAST.set((None, Some(reason)));
    Outcome::Original(arguments)
}

/// Whether an instance was built for these control arguments, with whatever number of processors.
pub fn is_scheduled<K: Kernel>(
    instances: &[Instance<K>],
    control: impl Fn(&mut ControlMatcher<'_>),
) -> bool {
    fitting(instances, control).next().is_some()
}

/// Chooses an instance once, for many runs.
///
/// # Errors
/// If no instance was built for these control arguments (and the wished number of processors), or
/// its tables cannot be read.
pub fn prepare<K: Kernel>(
    instances: &[Instance<K>],
    control: impl Fn(&mut ControlMatcher<'_>),
    options: &Options,
) -> Result<Prepared<K>, PrepareError> {
    match choose(instances, control, options) {
        Ok(Some(chosen)) => Ok(Prepared {
            program: Arc::clone(chosen.program),
            sequential: chosen.sequential.cloned(),
            options: *options,
        }),
        Ok(None) => Err(match K::differs() {
            Some(name) => PrepareError::Differs {
                kernel: K::NAME,
                name,
            },
            None => PrepareError::NoInstance {
                kernel: K::NAME,
                processors: options.processors,
            },
        }),
        Err(source) => Err(PrepareError::Plan {
            kernel: K::NAME,
            source,
        }),
    }
}

/// A program that was chosen once and can run many times, from several threads at once: no
/// comparison of control arguments, and no allocation but in the first run (and in runs at once,
/// for each the first).
pub struct Prepared<K: Kernel> {
    program: Arc<Program<K>>,
    /// What calls fall back to.
    sequential: Option<Arc<Program<K>>>,
    options: Options,
}

impl<K: Kernel> Prepared<K> {
    /// A program directly from its tables and code. If the tables share arrays, they and the code
    /// must be of one program that the generator's replay has passed, or the processors may race:
    /// see [`words`](crate::words).
    ///
    /// # Errors
    /// If the tables contradict each other.
    pub fn from_plan(plan: Plan, execute: Execute<K>, options: Options) -> Result<Self, PlanError> {
        Ok(Self {
            program: Arc::new(Program::new(plan, execute)?),
            sequential: None,
            options,
        })
    }

    /// The program with the same code and other tables, which never falls back. A test that takes a
    /// word out of a message learns whether its comparisons notice. As for
    /// [`from_plan`](Self::from_plan), tables that share arrays must stay those of a program that
    /// the replay has passed.
    ///
    /// # Errors
    /// If the tables contradict each other.
    pub fn altered(&self, change: impl FnOnce(&mut Plan)) -> Result<Self, PrepareError> {
        let program = self.program.altered(change);
        let program = program.map_err(|source| PrepareError::Plan {
            kernel: K::NAME,
            source,
        })?;
        Ok(Self {
            program: Arc::new(program),
            sequential: None,
            options: self.options,
        })
    }

    /// Runs the program. The arguments come back in [`Outcome::Original`] if one is shorter than
    /// the program needs, this thread is already a processor of a running program, or there are no
    /// threads and no program for one processor.
    ///
    /// # Errors
    /// If a processor panics, or there are no threads for a number of processors on which the
    /// options insist.
    pub fn run<'a>(
        &self,
        arguments: K::Arguments<'a>,
    ) -> Result<Outcome<K::Arguments<'a>>, RunError> {
        LAST.set((None, None));
        if team::inside() {
            return Ok(original(Reason::Nested, arguments));
        }
        let chosen = Chosen {
            program: &self.program,
            sequential: self.sequential.as_ref(),
        };
        chosen.run(&self.options, arguments)
    }

    /// The program's tables.
    pub fn plan(&self) -> &Plan {
        self.program.plan()
    }

    /// Number of processors.
    pub fn processors(&self) -> usize {
        self.plan().processors as usize
    }

    /// Number of supersteps.
    pub fn supersteps(&self) -> usize {
        self.plan().supersteps as usize
    }
}

impl<K: Kernel> Clone for Prepared<K> {
    fn clone(&self) -> Self {
        Self {
            program: Arc::clone(&self.program),
            sequential: self.sequential.clone(),
            options: self.options,
        }
    }
}

impl<K: Kernel> fmt::Debug for Prepared<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Prepared")
            .field("kernel", &K::NAME)
            .field("processors", &self.processors())
            .field("supersteps", &self.supersteps())
            .finish_non_exhaustive()
    }
}

/// The program for a call, and the one for one processor if the call may fall back to it.
struct Chosen<'p, K: Kernel> {
    program: &'p Arc<Program<K>>,
    sequential: Option<&'p Arc<Program<K>>>,
}

impl<K: Kernel> Chosen<'_, K> {
    /// Runs the program, or the one for one processor in its place.
    fn run<'a>(
        &self,
        options: &Options,
        mut arguments: K::Arguments<'a>,
    ) -> Result<Outcome<K::Arguments<'a>>, RunError> {
        let outcome = match self.run_the_faster(options, &mut arguments) {
            Err(RunError::Threads { .. }) if !options.processors.insists() => {
                self.run_sequential(Reason::NoThreads, options, &mut arguments)
            }
            outcome => outcome,
        };
        Ok(match outcome? {
            Outcome::Ran => Outcome::Ran,
            Outcome::Original(reason) => original(reason, arguments),
        })
    }

    /// Runs the form that calls have shown to be faster, and takes note of how long this one took.
    fn run_the_faster(
        &self,
        options: &Options,
        arguments: &mut K::Arguments<'_>,
    ) -> Result<Outcome<Reason>, RunError> {
        if self.sequential.is_none() {
            return run_program(self.program, None, options, arguments);
        }
        let fallback = self.program.fallback.get();
        let form = lock(fallback).next();
        let start = Instant::now();
        let outcome = match form {
            Form::Parallel => run_program(self.program, None, options, arguments),
            Form::Sequential => self.run_sequential(Reason::Slower, options, arguments),
        }?;
        if outcome == Outcome::Ran {
            let time = start.elapsed();
            lock(fallback).took(form, time);
        }
        Ok(outcome)
    }

    /// Runs the program for one processor, if there is one, for this reason.
    fn run_sequential(
        &self,
        reason: Reason,
        options: &Options,
        arguments: &mut K::Arguments<'_>,
    ) -> Result<Outcome<Reason>, RunError> {
        let Some(sequential) = self.sequential else {
            return Ok(Outcome::Original(reason));
        };
        let chosen = self.program.plan().processors as usize;
        run_program(sequential, Some((chosen, reason)), options, arguments)
    }
}

/// Runs a program, in place of one for another number of processors if that fell back, and says so
/// to this thread; or gives the reason why it cannot.
fn run_program<K: Kernel>(
    program: &Program<K>,
    instead_of: Option<(usize, Reason)>,
    options: &Options,
    arguments: &mut K::Arguments<'_>,
) -> Result<Outcome<Reason>, RunError> {
    if !program.fits(arguments) {
        return Ok(Outcome::Original(Reason::Short));
    }
    let worked = team::as_processor(|| program.run(options, arguments))?;
    let Plan {
        processors,
        supersteps,
        predicted,
        ..
    } = program.plan();
    let ran = Ran {
        kernel: K::NAME,
        processors: *processors as usize,
        instead_of: instead_of.map(|(chosen, _)| chosen),
        supersteps: *supersteps as usize,
        worked,
        predicted: (*predicted > 0).then(|| Duration::from_nanos(*predicted)),
    };
    LAST.set((Some(ran), instead_of.map(|(_, reason)| reason)));
    Ok(Outcome::Ran)
}

/// The instances whose key equals the control arguments; none where [control reads other
/// values](Kernel::differs) than it did in the build.
fn fitting<K: Kernel>(
    instances: &[Instance<K>],
    control: impl Fn(&mut ControlMatcher<'_>),
) -> impl Iterator<Item = &Instance<K>> {
    let mut last: Option<(&[u8], bool)> = None;
    let instances = match K::differs() {
        None => instances,
        Some(_) => &[],
    };
    instances.iter().filter(move |instance| {
        let key = instance.control();
        // Instances that differ in the number of processors stand together: compare each key once.
        if let Some((seen, fits)) = last
            && (std::ptr::eq(seen, key) || seen == key)
        {
            return fits;
        }
        let mut matcher = ControlMatcher::new(key);
        control(&mut matcher);
        last = Some((key, matcher.matched()));
        matcher.matched()
    })
}

/// The best of the fitting programs that the options allow, on the cores of this thread.
fn choose<'i, K: Kernel>(
    instances: &'i [Instance<K>],
    control: impl Fn(&mut ControlMatcher<'_>),
    options: &Options,
) -> Result<Option<Chosen<'i, K>>, PlanError> {
    let cores = cores::count();
    let mut best: Option<(&Instance<K>, Head)> = None;
    let mut alone = None;
    for instance in fitting(instances, control) {
        let head = instance.head()?;
        if head.processors == 1 {
            alone = Some(instance);
        }
        let is_better = |other| options.processors.is_better(head, other, cores);
        let is_wanted = options
            .private_memory
            .is_none_or(|private| head.processors == 1 || private == instance.has_private_memory());
        if is_wanted
            && options.processors.allow(head)
            && best.is_none_or(|(_, other)| is_better(other))
        {
            best = Some((instance, head));
        }
    }
    let Some((instance, head)) = best else {
        return Ok(None);
    };
    let falls_back = head.processors > 1
        && !options.processors.insists()
        && options.transport == TransportKind::Threads;
    let sequential = alone.filter(|_| falls_back).map(Instance::program);
    Ok(Some(Chosen {
        program: instance.program()?,
        sequential: sequential.transpose()?,
    }))
}

impl Processors {
    fn allow(self, head: Head) -> bool {
        match self {
            Self::Any => true,
            Self::AtMost(most) => head.processors as usize <= most,
            Self::Exactly(processors) => head.processors as usize == processors,
        }
    }

    /// Whether one program is the better choice on that many cores: all processors should have one.
    /// Then, if no number is given, and of two with one number, the faster prediction wins; without
    /// predictions, or up to a given number, more processors are better up to the number of cores,
    /// and fewer beyond it.
    fn is_better(self, one: Head, other: Head, cores: usize) -> bool {
        let fits = |head: Head| head.processors as usize <= cores;
        let is_open = self == Self::Any || one.processors == other.processors;
        let predicted = is_open && one.predicted > 0 && other.predicted > 0;
        match (fits(one), fits(other)) {
            (true, true) if predicted => one.predicted < other.predicted,
            (true, true) => one.processors > other.processors,
            (false, false) => one.processors < other.processors,
            (fits, _) => fits,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn head(processors: u32, predicted: u64) -> Head {
        Head {
            processors,
            predicted,
        }
    }

    #[test]
    fn the_faster_prediction_wins_among_programs_whose_processors_have_cores() {
        let heads = [(1, 300), (2, 200), (4, 250), (8, 100)].map(|(p, time)| head(p, time));
        let best = |cores| {
            let mut best = heads[0];
            for one in heads {
                if Processors::Any.is_better(one, best, cores) {
                    best = one;
                }
            }
            best.processors
        };
        assert_eq!([1, 2, 4, 8].map(best), [1, 2, 2, 8]);
    }

    #[test]
    fn up_to_a_number_the_largest_program_whose_processors_have_cores_wins() {
        let heads = [(1, 300), (2, 200), (4, 250), (8, 100)].map(|(p, time)| head(p, time));
        let best = |most: usize, cores| {
            let wish = Processors::AtMost(most);
            let allowed = heads.into_iter().filter(|&head| wish.allow(head));
            let better = |best, one| match wish.is_better(one, best, cores) {
                true => one,
                false => best,
            };
            allowed.reduce(better).map(|head| head.processors)
        };
        assert_eq!(
            [1, 3, 4, 64].map(|most| best(most, 4)),
            [1, 2, 4, 4].map(Some)
        );
        assert_eq!(best(8, 1), Some(1));
        assert_eq!(best(0, 4), None);
        let exactly = Processors::Exactly(8);
        assert!(exactly.allow(heads[3]) && !exactly.allow(heads[2]));
    }

    #[test]
    fn without_predictions_the_number_of_processors_decides() {
        let is_better = |one, other, cores| Processors::Any.is_better(one, other, cores);
        assert!(is_better(head(4, 0), head(2, 0), 4));
        assert!(!is_better(head(8, 0), head(4, 0), 4));
        assert!(is_better(head(8, 0), head(16, 0), 4));
        assert!(
            is_better(head(4, 0), head(2, 9), 4),
            "a prediction alone compares with nothing"
        );
    }
}
