//! The function as written: its loops are those that the tasks fold into in the order of the trace.

use superstep_machine::Times;
use superstep_plan::Plan;
use superstep_tracer::{Role, Trace};

use super::costs::RunCosts;
use super::supersteps::{Data, time};
use crate::pattern::specialise::specialise;
use crate::place::layout::Layout;
use crate::place::tasks::Tasks;
use crate::reorder::estimate::fold_at_home;

/// Predicts a call of the kernel's function in nanoseconds, its arguments in the caches as far as
/// they fit.
///
/// Left out is what control takes: structure that is read, remainders of indices, branches. Of the
/// collection's functions 54 % are predicted within 0.7 to 1.4 of the clock, and 74 % within a
/// factor of two (`superstep-collection --json`). Those that a compiler vectorises take less, and
/// those of much control more.
///
/// Costs as much as folding a program for one processor: some 100 ns for each task.
pub(crate) fn function(trace: &Trace, times: &Times) -> f64 {
    let kernel = trace.kernel();
    let tasks = Tasks::new(trace, Layout::given(trace));
    let all: Vec<u32> = (0..trace.tasks() as u32).collect();
    let (shapes, mut code) = fold_at_home(&tasks, &[all]);
    let (bodies, signatures) = specialise(kernel, &shapes, &mut code);
    let arrays = kernel.arrays.len();
    let plan = Plan {
        processors: 1,
        supersteps: 1,
        extents: trace.extents().to_vec(),
        lengths: vec![0; arrays],
        shared: vec![true; arrays],
        scatter: vec![Vec::new()],
        gather: vec![Vec::new()],
        bodies,
        code,
        ..Plan::default()
    };
    let is_number =
        |array: usize| kernel.arrays[array].role == Role::Local && plan.extents[array] <= 1;
    let costs = RunCosts::of_function(kernel, &signatures, times, is_number);
    time(kernel, &plan, &costs, times, Data::Caller)
}
