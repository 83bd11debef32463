//! Times of forms of one computation that run in turn, and their median, which outliers by other
//! programs on the machine do not move.
//!
//! A machine's speed drifts by more than the differences that matter, so times of separate runs are
//! not compared. Forms run one after the other, round after round. A figure is the median over the
//! [`Rounds`] of one form's time divided by another's in the same round.

use std::time::{Duration, Instant};

/// Returns the middle value, the upper one of two, in linear time.
///
/// # Panics
/// Without values.
///
/// ```
/// use superstep_timing::median;
///
/// assert_eq!(median([3.0, 1.0, 100.0]), 3.0);
/// assert_eq!(median([4.0, 3.0, 1.0, 100.0]), 4.0);
/// ```
pub fn median(values: impl IntoIterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.into_iter().collect();
    assert!(!values.is_empty(), "a median is one of some values");
    let middle = values.len() / 2;
    *values.select_nth_unstable_by(middle, f64::total_cmp).1
}

/// Returns the time that something takes, and its result.
///
/// ```
/// let (time, sum) = superstep_timing::timed(|| (0..1000).sum::<u64>());
/// println!("{sum} after {time:?}");
/// ```
pub fn timed<T>(run: impl FnOnce() -> T) -> (Duration, T) {
    let start = Instant::now();
    let result = run();
    (start.elapsed(), result)
}

/// Seconds of forms that ran in turn, round after round. Forms are numbered.
///
/// ```
/// let mut rounds = superstep_timing::Rounds::new(2);
/// for drift in [1.0, 1.5, 3.0] {
///     rounds.push(0, 2.0 * drift);
///     rounds.push(1, drift);
/// }
/// assert_eq!((rounds.median(0), rounds.fastest(0), rounds.ratio(1, 0)), (3.0, 2.0, 0.5));
/// ```
#[derive(Clone, Debug)]
pub struct Rounds {
    seconds: Vec<Vec<f64>>,
}

impl Rounds {
    /// Returns rounds of so many forms, none so far.
    pub fn new(forms: usize) -> Self {
        Self {
            seconds: vec![Vec::new(); forms],
        }
    }

    /// Adds what a form took in the next round.
    ///
    /// # Panics
    /// If there is no such form: so do [`median`](Self::median), [`mean`](Self::mean),
    /// [`fastest`](Self::fastest) and [`ratio`](Self::ratio). Where a form did not run, the median
    /// and the ratio panic, too. Its mean is then NaN, and its shortest time infinite.
    pub fn push(&mut self, form: usize, seconds: f64) {
        self.seconds[form].push(seconds);
    }

    /// Returns the number of rounds that the first form has run.
    pub fn count(&self) -> usize {
        self.seconds.first().map_or(0, Vec::len)
    }

    /// Returns the median time of a form.
    pub fn median(&self, form: usize) -> f64 {
        median(self.seconds[form].iter().copied())
    }

    /// Returns the mean time of a form.
    pub fn mean(&self, form: usize) -> f64 {
        let seconds = &self.seconds[form];
        seconds.iter().sum::<f64>() / seconds.len() as f64
    }

    /// Returns the shortest time of a form.
    pub fn fastest(&self, form: usize) -> f64 {
        self.seconds[form]
            .iter()
            .copied()
            .fold(f64::INFINITY, f64::min)
    }

    /// Returns the median over the rounds of a form's time divided by another's.
    pub fn ratio(&self, form: usize, other: usize) -> f64 {
        let pairs = self.seconds[form].iter().zip(&self.seconds[other]);
        median(pairs.map(|(seconds, others)| seconds / others))
    }
}
