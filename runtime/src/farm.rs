//! Farms: a function of many independent items, whose costs may differ widely, on a team of
//! threads.
//!
//! Results are in the order of the items, so they are the same, **bit for bit**, for every number
//! of workers and every policy. So is what [`Farm::reduce`] makes of them.
//!
//! ```
//! use superstep_runtime::farm;
//!
//! let squares = farm::map(vec![1, 2, 3], |x| x * x).run()?;
//! assert_eq!(squares, [1, 4, 9]);
//! # Ok::<(), farm::FarmError>(())
//! ```
//!
//! Items and function outlive the borrows of the call that starts the workers, so they own their
//! data or share it by [`Arc`].
//!
//! # How items are dealt
//!
//! A [`Policy`] cuts the items into chunks: in batches of half of what is left, unless another one
//! is [chosen](Farm::policy). Chunks have equal [costs](Farm::cost), where these are given or
//! predicted from a [sample](Farm::sample), else equal numbers of items. Workers pull chunks; who
//! finds none left takes half of what another one has not begun. A chunk costs about as much as a
//! microsecond of items, an item some nanoseconds ([`map`]).
//!
//! ```
//! use superstep_runtime::farm::{self, Target};
//!
//! let steps: Vec<u64> = (0..4096).collect();
//! let collatz = |&start: &u64| {
//!     let step = |x: u64| if x % 2 == 0 { x / 2 } else { 3 * x + 1 };
//!     std::iter::successors(Some(start + 1), |&x| (x > 1).then(|| step(x))).count()
//! };
//! let mut farm = farm::map(steps, collatz).workers(2).sample(Target::default());
//! let plan = farm.plan()?;
//! assert!(plan.sampled <= 64);
//! println!("{plan}");
//! assert_eq!(farm.run()?.into_iter().max(), Some(238));
//! # Ok::<(), farm::FarmError>(())
//! ```

mod error;
mod execution;
mod known;
mod preview;
mod progress;
mod sample;

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

pub use superstep_farm::{Algorithm, Interval, Key, Policy, Target, Technique};
use superstep_farm::{Deal, Invalid, Items, Platform, Prediction, Pulled, simulate};

pub use self::error::FarmError;
pub use self::preview::Preview;
pub use self::progress::Progress;

use self::execution::{Execution, Panic};
use self::known::Known;
use self::progress::{Listener, Reporter};
use crate::cores;
use crate::reduce;
use crate::sync::Mutex;
use crate::team::{self, Job, Late, Need};
use crate::timeline::{self, Log};

/// Set if the system has a clock: WebAssembly without a host does not.
const HAS_CLOCK: bool = !cfg!(all(target_family = "wasm", target_os = "unknown"));

/// Number of items, at most: their numbers, and some beyond, fit into 32 bits.
const MOST: usize = 1 << 31;

/// Returns a farm that applies `f` to each of `items`, with a worker for each core.
///
/// Nothing runs yet: [`run`](Farm::run) does. An item costs 10 to 20 ns beside the function, which
/// should therefore take a tenth of a microsecond at least. Otherwise let an item be several.
pub fn map<T, R, F>(items: impl Into<Arc<[T]>>, f: F) -> Farm<T, R, F>
where
    T: Send + Sync + 'static,
    R: Send + 'static,
    F: Fn(&T) -> R + Send + Sync + 'static,
{
    let items = items.into();
    Farm {
        shape: vec![items.len()],
        known: Known::default(),
        items,
        f: Arc::new(f),
        workers: cores::count(),
        source: Source::None,
        policy: Policy::new(Technique::Factoring, Key::Cost),
        reports: None,
        record: false,
        planned: None,
    }
}

/// Farm: items, a function, and choices of how to run them; see the [module](self).
#[must_use = "`run` it"]
pub struct Farm<T, R, F> {
    items: Arc<[T]>,
    shape: Vec<usize>,
    f: Arc<F>,
    workers: usize,
    source: Source<T>,
    policy: Policy,
    reports: Option<(Duration, Listener)>,
    known: Known<R>,
    record: bool,
    /// Preview, and what is left to run, if anything is.
    planned: Option<(Preview, Option<Items>)>,
}

/// Source of the predicted costs.
enum Source<T> {
    /// None: all are equal.
    None,
    Given(Box<dyn Fn(&T) -> f64>),
    Sample(Target),
}

impl<T, R, F> fmt::Debug for Farm<T, R, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Farm")
            .field("shape", &self.shape)
            .field("workers", &self.workers)
            .field("policy", &self.policy)
            .finish_non_exhaustive()
    }
}

impl<T, R, F> Farm<T, R, F>
where
    T: Send + Sync + 'static,
    R: Send + 'static,
    F: Fn(&T) -> R + Send + Sync + 'static,
{
    /// Sets the number of workers. There are no more than items, and no more threads than cores;
    /// results do not depend on it.
    pub fn workers(self, workers: usize) -> Self {
        Self { workers, ..self }
    }

    /// Sets the predicted cost of each item, in any unit.
    pub fn cost(self, cost: impl Fn(&T) -> f64 + 'static) -> Self {
        let source = Source::Given(Box::new(cost));
        Self { source, ..self }
    }

    /// Lets the costs be predicted from a random sample, which is run and timed first. Its results
    /// are kept.
    pub fn sample(self, target: Target) -> Self {
        let source = Source::Sample(target);
        Self { source, ..self }
    }

    /// Sets how many items there are along each axis, the last running fastest: neighbours are then
    /// taken to have similar costs. Without it they are in a row.
    pub fn shape(self, shape: &[usize]) -> Self {
        let shape = shape.to_vec();
        Self { shape, ..self }
    }

    /// Sets the rule by which items are dealt.
    pub fn policy(self, policy: Policy) -> Self {
        Self { policy, ..self }
    }

    /// Tells `listener` the progress about so often, on whichever thread is between two items. It
    /// is told nothing while all workers are at long ones. A panic of it goes on in
    /// [`run`](Self::run), when all items have run.
    pub fn on_progress(
        self,
        every: Duration,
        listener: impl FnMut(&Progress) + Send + 'static,
    ) -> Self {
        let listener: Listener = Mutex::new(Box::new(listener));
        let reports = Some((every, listener));
        Self { reports, ..self }
    }

    /// Has the run recorded: [`last_timeline`](crate::timeline::last_timeline) says when each chunk
    /// began and ended on each thread.
    pub fn record(self, record: bool) -> Self {
        Self { record, ..self }
    }

    /// Plans the run, and runs the sample if there is to be one; returns what is planned.
    ///
    /// # Errors
    /// If there are no workers, a cost is no number from 0, or the shape or another choice does not
    /// fit. If an item of the sample panics. The items before it are then run as well, some of them
    /// again, so that the error is that of the first item that panics.
    pub fn plan(&mut self) -> Result<&Preview, FarmError> {
        let planned = match self.planned.take() {
            Some(planned) => planned,
            None => self.planning()?,
        };
        Ok(&self.planned.insert(planned).0)
    }

    /// Runs all items and returns their results, in the order of the items.
    ///
    /// An item may itself run kernels, reductions or farms, but those run on its thread alone.
    ///
    /// # Errors
    /// As [`plan`](Self::plan), and if an item panics. No item behind it is then begun any more.
    /// Items before it are still run, so that the error is the same in every run.
    pub fn run(mut self) -> Result<Vec<R>, FarmError> {
        self.plan()?;
        // A farm inside a processor runs on its thread alone, as a part of that call.
        let is_outside = !team::inside();
        if is_outside {
            timeline::begin(timeline::FARM, self.record);
        }
        let Some((preview, Some(left))) = self.planned else {
            return Ok(Vec::new());
        };
        let threads = threads(preview.workers);
        let reporter = self
            .reports
            .map(|(every, listener)| Reporter::new(every, left, threads, listener));
        let known = self.known.bits(preview.items);
        let execution = Execution::new(self.items, self.f, known, threads, &preview.deal, reporter);
        let log = is_outside.then(|| Log::wanted(threads)).flatten();
        let ran = execute(execution.logged(log.clone()));
        if let Some(log) = log {
            log.keep(ran.is_err());
        }
        let others =
            ran.map_err(|Panic { item, payload }| FarmError::panicked(item as usize, payload))?;
        Ok(self.known.merge(others))
    }

    /// Runs all items and combines their results in [fixed order](reduce::Order::Fixed); `None` if
    /// there are no items.
    ///
    /// # Errors
    /// As [`run`](Self::run). A panic of `combine` goes on here.
    ///
    /// ```
    /// use superstep_runtime::farm;
    ///
    /// let items: Vec<u32> = (1..=1000).collect();
    /// let sum = |workers| {
    ///     let farm = farm::map(items.clone(), |&i| 1.0 / f64::from(i)).workers(workers);
    ///     farm.reduce(|a, b| a + b)
    /// };
    /// assert_eq!(sum(1)?.map(f64::to_bits), sum(3)?.map(f64::to_bits));
    /// # Ok::<(), farm::FarmError>(())
    /// ```
    pub fn reduce<C>(self, combine: C) -> Result<Option<R>, FarmError>
    where
        R: Clone + Sync,
        C: Fn(R, R) -> R + Send + Sync + 'static,
    {
        let threads = threads(self.workers);
        let results = self.run()?;
        let tree = reduce::Tree::fixed(results.len(), threads);
        let reduced = reduce::reduce(&tree, move |item| results[item].clone(), combine);
        Ok(reduced.unwrap_or_else(|error| error.resume()))
    }

    fn planning(&mut self) -> Result<(Preview, Option<Items>), FarmError> {
        let items = self.items.len();
        if items > MOST {
            return Err(FarmError::TooMany(items));
        }
        if self
            .shape
            .iter()
            .try_fold(1, |all: usize, &side| all.checked_mul(side))
            != Some(items)
        {
            let shape = self.shape.clone();
            return Err(FarmError::Shape { shape, items });
        }
        if self.workers == 0 {
            return Err(Invalid::NoWorkers.into());
        }
        let timed = matches!(self.source, Source::Sample(_)) || self.reports.is_some();
        if timed && !HAS_CLOCK {
            return Err(FarmError::NoClock);
        }
        let start = Instant::now();
        let mut prediction = match self.source {
            Source::Sample(target) if items > 0 => Some(self.run_sample(target)?),
            _ => None,
        };
        let workers = self.workers.min(items.max(1));
        let platform = Platform::threads(workers);
        let left = match (&mut prediction, &self.source) {
            (Some(prediction), _) => Items::new(self.unknown(&mut prediction.costs)),
            (None, Source::Given(cost)) => {
                Items::new(&self.items.iter().map(cost).collect::<Vec<f64>>())
            }
            (None, _) => Items::equal(items),
        };
        let deal = match &left {
            Err(Invalid::NoItems) => nothing(),
            Err(invalid) => return Err(invalid.clone().into()),
            Ok(left) => self.policy.deal(&platform, left)?,
        };
        let time = match (&prediction, &left) {
            (Some(prediction), Ok(left)) => {
                let rest = simulate(&platform, left, &deal)?.makespan;
                Some(ends(prediction, rest, start.elapsed().as_secs_f64()))
            }
            _ => None,
        };
        let preview = Preview {
            items,
            workers,
            policy: self.policy,
            sampled: self.known.len(),
            time,
            deal,
        };
        Ok((preview, left.ok()))
    }

    /// Sets the costs of items whose results are known to 0.
    fn unknown<'c>(&self, costs: &'c mut [f64]) -> &'c [f64] {
        for item in self.known.items() {
            costs[item] = 0.0;
        }
        costs
    }
}

/// Predicts when all items have run: planning with its sample took `planned` seconds, and the other
/// items take `rest`. That is for the predicted total, and grows with it.
fn ends(prediction: &Prediction, rest: f64, planned: f64) -> Interval {
    let Interval { value, low, high } = prediction.total;
    let left = value - prediction.measured;
    let scale = |total: f64| {
        if left > 0.0 {
            (total - prediction.measured) / left
        } else {
            1.0
        }
    };
    // The last item may take longer than it is predicted to.
    let last = prediction.largest_residual;
    Interval {
        value: planned + rest,
        low: planned + (rest * scale(low) - last).clamp(0.0, rest),
        high: planned + (rest * scale(high) + last).max(rest),
    }
}

/// Returns a deal of no items.
fn nothing() -> Deal {
    Deal {
        open: 1,
        prefetch: false,
        sent: Vec::new(),
        pulled: Pulled::Bounds(Vec::new()),
    }
}

/// Returns the number of threads for so many workers, which is at least 1.
fn threads(workers: usize) -> usize {
    match team::inside() {
        true => 1,
        false => workers.clamp(1, cores::count()),
    }
}

/// Runs all items, and returns the results of those that were not known.
fn execute<T, R, F>(execution: Execution<T, R, F>) -> Result<Vec<R>, Panic>
where
    T: Send + Sync + 'static,
    R: Send + 'static,
    F: Fn(&T) -> R + Send + Sync + 'static,
{
    let threads = execution.threads();
    let execution = Arc::new(execution);
    team::as_processor(|| {
        let with_others =
            threads > 1 && team::run(threads, Late::Excused, Need::Wishes, &execution).is_ok();
        if !with_others {
            execution.run(0);
        }
    });
    execution.finish()
}
