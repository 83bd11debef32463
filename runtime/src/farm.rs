//! Farms: a closure over many independent items of uneven cost, on a team of threads.
mod costs;
mod deal;
mod progress;

use std::marker::PhantomData;
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use self::costs::Costs;
use self::deal::{Deal, Panic};
use self::progress::{Listener, Reporter};
pub use self::progress::Progress;
use crate::cores;
use crate::sync::Mutex;
use crate::team::{self, Job, Late, Need};

/// Returns a farm that applies `f` to each of `items`.
pub fn map<T, R, F>(items: impl Into<Arc<[T]>>, f: F) -> Farm<T, R, F>
where
    T: Send + Sync + 'static,
    R: Send + 'static,
    F: Fn(&T) -> R + Send + Sync + 'static,
{
    Farm { items: items.into(), f: Arc::new(f), workers: cores::count(), cost: None, reports: None, results: PhantomData }
}

/// A farm.
pub struct Farm<T, R, F> {
    items: Arc<[T]>,
    f: Arc<F>,
    workers: usize,
    cost: Option<Box<dyn Fn(&T) -> f64>>,
    reports: Option<(Duration, Listener)>,
    results: PhantomData<fn() -> R>,
}

impl<T, R, F> Farm<T, R, F>
where
    T: Send + Sync + 'static,
    R: Send + 'static,
    F: Fn(&T) -> R + Send + Sync + 'static,
{
    /// Sets the number of workers.
    pub fn workers(self, workers: usize) -> Self {
        Self { workers, ..self }
    }

    /// Sets the predicted cost of each item, in any unit.
    pub fn cost(self, cost: impl Fn(&T) -> f64 + 'static) -> Self {
        Self { cost: Some(Box::new(cost)), ..self }
    }

    /// Tells `listener` the progress, now and then.
    pub fn on_progress(self, every: Duration, listener: impl FnMut(&Progress) + Send + 'static) -> Self {
        Self { reports: Some((every, Mutex::new(Box::new(listener)))), ..self }
    }

    /// Runs all items and returns their results, in the order of the items.
    pub fn run(self) -> Result<Vec<R>, String> {
        let n = self.items.len() as u32;
        let costs = Arc::new(match &self.cost {
            None => Costs::Equal(self.items.len()),
            Some(cost) => {
                let mut sum = 0.0;
                let sums = self.items.iter().map(|item| { sum += cost(item); sum });
                Costs::Sums([0.0].into_iter().chain(sums).collect())
            }
        });
        let cut = |at: usize| -> u32 {
            let share = costs.total() * at as f64 / self.workers as f64;
            match &*costs {
                Costs::Equal(_) => (u64::from(n) * at as u64 / self.workers as u64) as u32,
                Costs::Sums(sums) => sums.partition_point(|&sum| sum < share).min(n as usize) as u32,
            }
        };
        let lists = (0..self.workers).map(|at| vec![cut(at)..if at + 1 == self.workers { n } else { cut(at + 1) }]).collect();
        let reporter = self.reports.map(|(every, listener)| Reporter::new(every, Arc::clone(&costs), listener));
        let deal = Arc::new(Deal::new(self.items, self.f, lists, Vec::<Range<u32>>::new(), reporter));
        let threads = self.workers.min(cores::count());
        team::as_processor(|| {
            if threads < 2 || team::run(threads, Late::Excused, Need::Wishes, &deal).is_err() {
                deal.run(0);
            }
        });
        deal.finish().map_err(|Panic { item, .. }| format!("item {item} panicked"))
    }
}
