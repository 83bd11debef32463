//! Reductions and scans over operands that are distributed over the processors of a team.
//!
//! An operation need only be associative, not commutative: the order of the operands always stays.
//! Neighbours may be combined in different orders:
//!
//! * in [fixed order](Order::Fixed) that depends on the number of operands alone. So the result is
//!   the same, **bit for bit**, for every number of processors, on every machine and in every run.
//!   That includes floating-point rounding (any NaN counts as equal to any NaN);
//! * in [free order](Order::Free) it is whatever is fastest for the processors at hand.
//!
//! A [`Tree`] is computed once and says who has which operands and who takes in whose results.
//! [`reduce`] is one reduction. In [`run`] every processor of a team executes a program of yours,
//! in which any number of reductions and scans may occur.
//!
//! ```
//! use superstep_runtime::reduce::{self, Tree};
//!
//! let words = ["bulk", "-", "synchro", "nous"];
//! let tree = Tree::fixed(words.len(), 2);
//! let text = reduce::reduce(&tree, move |i| words[i].to_owned(), |a, b| a + &b)?;
//! assert_eq!(text.as_deref(), Some("bulk-synchronous"));
//! # Ok::<(), superstep_runtime::error::RunError>(())
//! ```
//!
//! The processors' programs outlive the borrows of the call that starts them, so they own their
//! data or share it by [`Arc`]:
//!
//! ```
//! use std::sync::Arc;
//! use superstep_runtime::reduce::{self, Tree};
//!
//! let x: Arc<[f64]> = (0..100_000).map(|i| 1.0 / (i + 1) as f64).collect();
//! let norm_on = |processors| {
//!     let (x, tree) = (Arc::clone(&x), Tree::fixed(x.len(), processors));
//!     reduce::reduce(&tree, move |i| x[i] * x[i], |a, b| a + b)
//! };
//! let one = norm_on(1)?.map(f64::to_bits);
//! assert_eq!(norm_on(3)?.map(f64::to_bits), one);
//! # Ok::<(), superstep_runtime::error::RunError>(())
//! ```

pub(crate) mod forest;
mod member;
mod network;
pub(crate) mod operands;
mod scan;
mod shares;
mod vector;

use std::ops::{Add, Mul};
use std::sync::Arc;

pub use member::Member;
pub use superstep_reduction::{Costs, Order, Shape, Tree};

use crate::cores;
use crate::error::{Failure, RunError, catch};
use crate::sync::{Mutex, lock};
use crate::team::{self, Job, Late, Need};
use forest::combine_range;
use network::{Aborted, Network};
use operands::{Elements, Operands, Products};
use shares::Shares;

/// Name by which errors call a program of this module.
const NAME: &str = "reduce";

/// Combines the operands of `tree`, `operand(0)` and following, by `combine`; `None` if there are
/// none.
///
/// `operand` is called once for each index. If one processor is enough, no other is disturbed. Of
/// several, each begins with the operands that the tree gives it and then helps the others. There
/// are no more threads than cores, however many processors the tree is for. Where the system has no
/// threads the calling thread does it all. The shares' results lie in one memory, so the calling
/// thread combines them. The messages of the tree's [shape](Tree::shape) are for programs that
/// [`run`].
///
/// # Errors
/// If an operand or a combination panicked (the error names the processor whose share it was in, of
/// several the first).
pub fn reduce<T, F, C>(tree: &Tree, operand: F, combine: C) -> Result<Option<T>, RunError>
where
    T: Clone + Send + 'static,
    F: Fn(usize) -> T + Send + Sync + 'static,
    C: Fn(T, T) -> T + Send + Sync + 'static,
{
    combine_all(tree, operand, combine)
}

/// Returns the sum of the elements of `x`; `None` if there are none. Faster than [`reduce`] with a
/// function that indexes a slice, and the same bits.
///
/// # Errors
/// As [`reduce`].
///
/// # Panics
/// If the tree is for another number of operands.
///
/// ```
/// use std::sync::Arc;
/// use superstep_runtime::reduce::{self, Tree};
///
/// let x: Arc<[u64]> = (1..=100).collect();
/// assert_eq!(reduce::sum(&Tree::fixed(100, 2), &x)?, Some(5050));
/// # Ok::<(), superstep_runtime::error::RunError>(())
/// ```
pub fn sum<T>(tree: &Tree, x: &Arc<[T]>) -> Result<Option<T>, RunError>
where
    T: Copy + Add<Output = T> + Send + Sync + 'static,
{
    assert_eq!(x.len(), tree.operands(), "the tree is for another length");
    combine_all(tree, Elements(Arc::clone(x)), T::add)
}

/// Returns the sum of the products of the elements of `x` and `y`; `None` if there are none. Faster
/// than [`reduce`] with a function that indexes slices, and the same bits.
///
/// # Errors
/// As [`reduce`].
///
/// # Panics
/// If the tree is for another number of operands, or `x` and `y` have different lengths.
///
/// ```
/// use std::sync::Arc;
/// use superstep_runtime::reduce::{self, Tree};
///
/// let x: Arc<[f64]> = (0..1000).map(f64::from).collect();
/// assert_eq!(reduce::dot(&Tree::fixed(1000, 2), &x, &x)?, Some(332_833_500.0));
/// # Ok::<(), superstep_runtime::error::RunError>(())
/// ```
pub fn dot<T>(tree: &Tree, x: &Arc<[T]>, y: &Arc<[T]>) -> Result<Option<T>, RunError>
where
    T: Copy + Add<Output = T> + Mul<Output = T> + Send + Sync + 'static,
{
    assert_eq!(x.len(), tree.operands(), "the tree is for another length");
    assert_eq!(x.len(), y.len(), "slices of different lengths");
    combine_all(tree, Products(Arc::clone(x), Arc::clone(y)), T::add)
}

fn combine_all<T, O, C>(tree: &Tree, operands: O, combine: C) -> Result<Option<T>, RunError>
where
    T: Send + 'static,
    O: Operands<T> + Send + Sync + 'static,
    C: Fn(T, T) -> T + Send + Sync + 'static,
{
    let panicked = |processor, payload| {
        let failure = Failure {
            statement: None,
            superstep: 1,
            processor,
            payload,
        };
        failure.into_error(NAME)
    };
    if tree.active() == 1 {
        // No team, and nothing to allocate for it: this takes a microsecond.
        let all = 0..tree.operands();
        let all = || (!all.is_empty()).then(|| combine_range(all, &operands, &combine));
        return catch(all).map_err(|payload| panicked(0, payload));
    }
    let shares = Arc::new(Shares::new(tree, operands, combine));
    let threads = tree.active().min(cores::count());
    team::as_processor(|| {
        // Who runs a part does what the others have not begun.
        if team::run(threads, Late::Excused, Need::Wishes, &shares).is_err() {
            shares.run(0);
        }
    });
    let result = shares.finish();
    result.map_err(|panic| panicked(panic.processor, panic.payload))
}

/// Runs `program` on each of `processors` processors and returns their results, in the order of the
/// processors.
///
/// The calling thread is processor 0. All processors must call the same collective operations, with
/// equal trees, in the same order.
///
/// # Errors
/// If a processor panicked, or the threads could not be spawned. Of several panics it is the one
/// that was first by operation and processor; all others are released. The superstep in the error
/// is the number of collective operations that the processor had begun.
///
/// # Panics
/// Without processors.
///
/// ```
/// use superstep_runtime::reduce::{self, Tree};
///
/// let tree = Tree::fixed(1000, 4);
/// let shares = reduce::run(4, move |member| {
///     let sum = member.allreduce(&tree, |i| i as u64, |a, b| a + b).unwrap_or(0);
///     let mine: u64 = member.operands(&tree).map(|i| i as u64).sum();
///     mine as f64 / sum as f64
/// })?;
/// assert_eq!(shares.iter().sum::<f64>(), 1.0);
/// # Ok::<(), superstep_runtime::error::RunError>(())
/// ```
pub fn run<R, F>(processors: usize, program: F) -> Result<Vec<R>, RunError>
where
    R: Send + 'static,
    F: Fn(&mut Member<'_>) -> R + Send + Sync + 'static,
{
    assert!(processors > 0, "a team has at least one processor");
    let make = || {
        Arc::new(Session {
            network: Network::new(processors),
            program,
            results: Mutex::new((0..processors).map(|_| None).collect()),
            failures: Mutex::new(Vec::new()),
        })
    };
    let run = || team::run_made(processors, Late::Awaited, Need::Insists, make);
    let session = team::as_processor(run).map_err(|source| RunError::Threads {
        kernel: NAME,
        processors,
        source,
    })?;
    if let Some(first) = Failure::take_first(&session.failures) {
        return Err(first.into_error(NAME));
    }
    let results = std::mem::take(&mut *lock(&session.results));
    Ok(results.into_iter().flatten().collect())
}

/// Session: one run of a program.
struct Session<R, F> {
    network: Network,
    program: F,
    results: Mutex<Vec<Option<R>>>,
    failures: Mutex<Vec<Failure>>,
}

impl<R, F> Job for Session<R, F>
where
    R: Send,
    F: Fn(&mut Member<'_>) -> R + Send + Sync,
{
    fn run(&self, processor: usize) {
        let mut member = Member::new(processor, &self.network);
        match catch(|| (self.program)(&mut member)) {
            Ok(result) => lock(&self.results)[processor] = Some(result),
            Err(payload) => {
                if !payload.is::<Aborted>() {
                    lock(&self.failures).push(Failure {
                        statement: None,
                        superstep: member.begun(),
                        processor,
                        payload,
                    });
                }
                self.network.abort();
            }
        }
    }
}
