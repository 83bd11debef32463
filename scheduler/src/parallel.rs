//! Jobs on several threads.

use std::{
    num::NonZero,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

/// Applies `job` to each item, on that many threads at most. Returns the results in the order of
/// the items.
///
/// ```
/// use std::num::NonZero;
/// use superstep_scheduler::in_parallel;
///
/// let threads = NonZero::new(3).unwrap();
/// assert_eq!(in_parallel(threads, &[1, 2, 3, 4], |x| 2 * x), [2, 4, 6, 8]);
/// ```
pub fn in_parallel<T: Sync, R: Send>(
    threads: NonZero<usize>,
    items: &[T],
    job: impl Fn(&T) -> R + Sync,
) -> Vec<R> {
    let threads = threads.get().min(items.len());
    if threads < 2 {
        return items.iter().map(job).collect();
    }
    let next = AtomicUsize::new(0);
    let results = Mutex::new(Vec::with_capacity(items.len()));
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let at = next.fetch_add(1, Ordering::Relaxed)
                    && let Some(item) = items.get(at)
                {
                    let result = job(item);
                    let mut results = results.lock().unwrap_or_else(PoisonError::into_inner);
                    results.push((at, result));
                }
            });
        }
    });
    let mut results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    results.sort_by_key(|&(at, _)| at);
    results.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_in_order_and_so_is_the_first_error() {
        let threads = NonZero::new(3).expect("not 0");
        let double = |&x: &u32| if x < 90 { Ok(2 * x) } else { Err(x) };
        let all = |items: &[u32]| -> Result<Vec<u32>, u32> {
            in_parallel(threads, items, double).into_iter().collect()
        };
        let items: Vec<u32> = (0..80).collect();
        let doubled: Vec<u32> = items.iter().map(|x| 2 * x).collect();
        assert_eq!(all(&items), Ok(doubled));
        let items: Vec<u32> = (0..100).collect();
        assert_eq!(all(&items), Err(90));
    }
}
