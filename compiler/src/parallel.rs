//! Jobs on several threads.

use std::num::NonZero;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Applies `job` to each item on that many threads at most; gives the results in order, or the
/// first error in order.
pub(crate) fn in_parallel<T: Sync, R: Send, E: Send>(
    threads: NonZero<usize>,
    items: &[T],
    job: impl Fn(&T) -> Result<R, E> + Sync,
) -> Result<Vec<R>, E> {
    let next = AtomicUsize::new(0);
    let results = Mutex::new(Vec::with_capacity(items.len()));
    thread::scope(|scope| {
        for _ in 0..threads.get().min(items.len()) {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(item) = items.get(at) else { break };
                    let result = job(item);
                    let mut results = results.lock().unwrap_or_else(|e| e.into_inner());
                    results.push((at, result));
                }
            });
        }
    });
    let mut results = results.into_inner().unwrap_or_else(|e| e.into_inner());
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
        let items: Vec<u32> = (0..80).collect();
        let doubled: Vec<u32> = items.iter().map(|x| 2 * x).collect();
        assert_eq!(in_parallel(threads, &items, double), Ok(doubled));
        let items: Vec<u32> = (0..100).collect();
        assert_eq!(in_parallel(threads, &items, double), Err(90));
    }
}
