//! Cost of tracing: LU factorisation through a trace function as the macro writes it.
//!
//! With `CARGO_PROFILE_RELEASE_OPT_LEVEL=1`:
//! `cargo run --release -p superstep-tracer --example lu_trace -- 256 512`

use std::time::Instant;

use superstep_tracer::arithmetic::{add, mul};
use superstep_tracer::{DEFAULT_LIMIT, Kernel, Recorder, Role, UNKNOWN, record};

fn kernel() -> Kernel {
    let mut kernel = Kernel::new("lu");
    let a = kernel.add_array("a", Role::InOut, None);
    kernel.add_statement("a[i * n + k] /= a[k * n + k]", a, &[a, a]);
    kernel.add_statement("a[i * n + j] -= a[i * n + k] * a[k * n + j]", a, &[a, a, a]);
    kernel.variables = ["k", "i", "j"].map(String::from).to_vec();
    kernel
}

fn trace(recorder: &mut Recorder, n: usize) {
    for k in 0..n {
        recorder.iteration(0, 0, k as i64);
        for i in add(k, 1)..n {
            recorder.iteration(1, 1, i as i64);
            recorder.enter(0);
            let target = recorder.index(0, [UNKNOWN], [add(mul(i, n), k)]);
            let pivot = recorder.index(0, [UNKNOWN], [add(mul(k, n), k)]);
            recorder.task(0, 0, target, [(0, target), (0, pivot)]);
            for j in add(k, 1)..n {
                recorder.iteration(2, 2, j as i64);
                recorder.enter(1);
                let target = recorder.index(0, [UNKNOWN], [add(mul(i, n), j)]);
                let left = recorder.index(0, [UNKNOWN], [add(mul(i, n), k)]);
                let above = recorder.index(0, [UNKNOWN], [add(mul(k, n), j)]);
                recorder.task(1, 0, target, [(0, target), (0, left), (0, above)]);
            }
            recorder.leave(2);
        }
        recorder.leave(1);
    }
    recorder.leave(0);
}

fn main() {
    let sizes: Vec<usize> = std::env::args()
        .skip(1)
        .filter_map(|a| a.parse().ok())
        .collect();
    for n in if sizes.is_empty() { vec![256] } else { sizes } {
        for _ in 0..3 {
            let start = Instant::now();
            let trace = match record(kernel(), DEFAULT_LIMIT, |recorder| trace(recorder, n)) {
                Ok(trace) => trace,
                Err(error) => return eprintln!("{error}"),
            };
            let tasks = trace.tasks() as f64;
            println!(
                "lu {n}: {tasks} tasks, {:.1} ns/task, {:.2} B/task",
                start.elapsed().as_secs_f64() * 1e9 / tasks,
                trace.bytes() as f64 / tasks,
            );
        }
    }
}
