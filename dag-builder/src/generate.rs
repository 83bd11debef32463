//! The task graphs of Fujimoto's thesis (2000, chapter 3), one task per assignment: what schedulers are compared on.
//!
//! They come out of the same recorder that traces kernels, so they are also small examples of trace functions.

use superstep_tracer::{Kernel, Recorder, Role, Trace, TraceError, record};

use crate::TaskGraph;

/// Limit for the traces here: whatever a trace can hold.
const LIMIT: u64 = superstep_tracer::MOST_TASKS;

/// LU factorisation of an `n` x `n` matrix without pivoting.
///
/// `n = 32`: 10,912 tasks, 30,256 edges, 62 levels. `n = 128`: 699,008, 2,056,384, 254.
///
/// # Errors
/// When there are more tasks than a trace can hold (`n` above 1,850 or so).
///
/// ```
/// let graph = superstep_dag_builder::generate::lu(32)?;
/// assert_eq!((graph.tasks(), graph.edges()), (10_912, 30_256));
/// # Ok::<(), superstep_tracer::TraceError>(())
/// ```
pub fn lu(n: usize) -> Result<TaskGraph, TraceError> {
    Ok(TaskGraph::from_trace(&lu_trace(n)?))
}

/// The trace behind [`lu`].
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

/// Fast Fourier transform of `n` points (a power of two) after bit reversal, three assignments per butterfly, twiddle factors as inputs.
///
/// `n = 8192`: 159,744 tasks, 253,952 edges, 26 levels.
///
/// # Errors
/// When there are more tasks than a trace can hold (`n` above 2^26).
///
/// ```
/// let graph = superstep_dag_builder::generate::fft(8192)?;
/// assert_eq!((graph.tasks(), graph.edges()), (159_744, 253_952));
/// # Ok::<(), superstep_tracer::TraceError>(())
/// ```
pub fn fft(n: usize) -> Result<TaskGraph, TraceError> {
    Ok(TaskGraph::from_trace(&fft_trace(n)?))
}

/// The trace behind [`fft`].
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
