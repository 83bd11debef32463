//! Task graphs that schedulers are compared on: those of Fujimoto's thesis (2000, chapter 3), one
//! task per assignment, and substitution on a grid.
//!
//! They come out of the same recorder that traces kernels, so they are also small examples of trace
//! functions.

use std::ops::Range;

use superstep_dag::{Dag, GraphError};
use superstep_tracer::{Kernel, Recorder, Role, Trace, TraceError, record};

/// Limit for the traces here: whatever a trace can hold.
const LIMIT: u64 = superstep_tracer::MOST_TASKS;

/// Makes the graph of an LU factorisation of an `n` x `n` matrix without pivoting.
///
/// `n = 32`: 10,912 tasks, 30,256 edges, 62 levels. `n = 128`: 699,008, 2,056,384, 254.
///
/// # Errors
/// When there are more tasks than a trace can hold (`n` above 1,850 or so).
///
/// ```
/// let graph = superstep_graphs::generate::lu(32)?;
/// assert_eq!((graph.tasks(), graph.edges()), (10_912, 30_256));
/// # Ok::<(), superstep_tracer::TraceError>(())
/// ```
pub fn lu(n: usize) -> Result<Dag, TraceError> {
    Ok(superstep_dag_builder::from_trace(&lu_trace(n)?))
}

/// Records the trace behind [`lu`].
///
/// # Errors
/// As for [`lu`].
pub fn lu_trace(n: usize) -> Result<Trace, TraceError> {
    let mut kernel = Kernel::new("lu");
    let a = kernel.add_array("a", Role::InOut, None);
    let divide = kernel.add_statement("a[i * n + k] /= a[k * n + k]", a, &[a, a]);
    let update = kernel.add_statement("a[i * n + j] -= a[i * n + k] * a[k * n + j]", a, &[a, a, a]);
    record(kernel, LIMIT, |recorder: &mut Recorder| {
        for k in 0..n {
            for i in k + 1..n {
                let factor = (a, i * n + k);
                recorder.task(divide, a, i * n + k, [factor, (a, k * n + k)]);
                for j in k + 1..n {
                    let target = i * n + j;
                    recorder.task(update, a, target, [(a, target), factor, (a, k * n + j)]);
                }
            }
        }
    })
}

/// Returns the tasks of each update of a row in [`lu`]: a division and what follows from it. The
/// attribute `#[grain]` on the loop over `i` makes them one.
///
/// ```
/// use superstep_dag::Contraction;
/// use superstep_graphs::generate;
///
/// let rows = Contraction::of_intervals(&generate::lu(32)?, &generate::lu_rows(32));
/// assert_eq!(rows.graph().tasks(), 32 * 31 / 2);
/// # Ok::<(), superstep_tracer::TraceError>(())
/// ```
pub fn lu_rows(n: u32) -> Vec<Range<u32>> {
    let lengths = (0..n).flat_map(|k| (k + 1..n).map(move |_| n - k));
    let mut start = 0;
    let row = |length| {
        start += length;
        start - length..start
    };
    lengths.map(row).collect()
}

/// Makes the graph of a fast Fourier transform of `n` points (a power of two) after bit reversal.
/// It has three assignments per butterfly, and twiddle factors as inputs.
///
/// `n = 8192`: 159,744 tasks, 253,952 edges, 26 levels.
///
/// # Errors
/// When there are more tasks than a trace can hold (`n` above 2^26).
///
/// ```
/// let graph = superstep_graphs::generate::fft(8192)?;
/// assert_eq!((graph.tasks(), graph.edges()), (159_744, 253_952));
/// # Ok::<(), superstep_tracer::TraceError>(())
/// ```
pub fn fft(n: usize) -> Result<Dag, TraceError> {
    Ok(superstep_dag_builder::from_trace(&fft_trace(n)?))
}

/// Records the trace behind [`fft`].
///
/// # Errors
/// As for [`fft`].
pub fn fft_trace(n: usize) -> Result<Trace, TraceError> {
    let mut kernel = Kernel::new("fft");
    let x = kernel.add_array("x", Role::InOut, None);
    let w = kernel.add_array("w", Role::Input, None);
    let t = kernel.add_array("t", Role::Local, Some(1));
    let twist = kernel.add_statement("t = w[j * (n / 2 / stride)] * x[b]", t, &[w, x]);
    let minus = kernel.add_statement("x[b] = x[a] - t", x, &[x, t]);
    let plus = kernel.add_statement("x[a] = x[a] + t", x, &[x, t]);
    record(kernel, LIMIT, |recorder: &mut Recorder| {
        let mut stride = 1;
        while stride < n {
            for start in (0..n).step_by(2 * stride) {
                for j in 0..stride {
                    let (top, bottom) = (start + j, start + j + stride);
                    let twiddle = j * (n / 2 / stride);
                    recorder.task(twist, t, 0, [(w, twiddle), (x, bottom)]);
                    recorder.task(minus, x, bottom, [(x, top), (t, 0)]);
                    recorder.task(plus, x, top, [(x, top), (t, 0)]);
                }
            }
            stride *= 2;
        }
    })
}

/// Makes the graph of a forward substitution with the lower factor pattern of the 5-point Laplacian
/// on a `side` x `side` grid.
///
/// It has one task per assignment: `x_i` starts as `b_i`, loses a product for each off-diagonal
/// entry of its row, and is divided by the diagonal.
///
/// `side = 300`: 269,400 tasks, 358,800 edges.
///
/// # Errors
/// When there are more tasks than a trace can hold.
///
/// ```
/// let graph = superstep_graphs::generate::grid_substitution(300)?;
/// assert_eq!((graph.tasks(), graph.edges()), (269_400, 358_800));
/// # Ok::<(), superstep_tracer::TraceError>(())
/// ```
pub fn grid_substitution(side: usize) -> Result<Dag, TraceError> {
    let mut kernel = Kernel::new("grid_substitution");
    let x = kernel.add_array("x", Role::InOut, None);
    let l = kernel.add_array("l", Role::Input, None);
    let subtract = kernel.add_statement("x[i] -= l[e] * x[j]", x, &[x, l, x]);
    let divide = kernel.add_statement("x[i] /= l[e]", x, &[x, l]);
    let trace = record(kernel, LIMIT, |recorder: &mut Recorder| {
        let mut entry = 0;
        for i in 0..side * side {
            for j in grid_neighbours(side, i) {
                recorder.task(subtract, x, i, [(x, i), (l, entry), (x, j)]);
                entry += 1;
            }
            recorder.task(divide, x, i, [(x, i), (l, entry)]);
            entry += 1;
        }
    })?;
    Ok(superstep_dag_builder::from_trace(&trace))
}

/// Makes the graph of that forward substitution with one task per row, whose work is the number of
/// entries of the row.
///
/// `side = 300`: 90,000 tasks, 179,400 edges, work 269,400.
///
/// # Errors
/// When there are more tasks than a graph can hold.
///
/// ```
/// let graph = superstep_graphs::generate::grid_substitution_by_row(300)?;
/// assert_eq!((graph.tasks(), graph.edges(), graph.total_work()), (90_000, 179_400, 269_400));
/// # Ok::<(), superstep_dag::GraphError>(())
/// ```
pub fn grid_substitution_by_row(side: usize) -> Result<Dag, GraphError> {
    let rows = 0..side * side;
    let row_edges = |i: usize| grid_neighbours(side, i).map(move |j| (j as u32, i as u32));
    let edges: Vec<_> = rows.clone().flat_map(row_edges).collect();
    let weights = rows.map(|i| 1 + grid_neighbours(side, i).count() as u32);
    Dag::from_edges(side * side, &edges)?.with_weights(weights.collect())
}

/// Iterates over the neighbours of point `i` of a grid that come before it.
fn grid_neighbours(side: usize, i: usize) -> impl Iterator<Item = usize> {
    let above = i.checked_sub(side);
    let left = (!i.is_multiple_of(side)).then(|| i - 1);
    above.into_iter().chain(left)
}
