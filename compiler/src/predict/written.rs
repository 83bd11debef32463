//! The function as written.
use superstep_machine::Times;
use superstep_plan::Plan;
use superstep_tracer::{Role, Trace};

use super::costs::Costs;
use crate::pattern::specialise;
use crate::place::layout::Layout;
use crate::place::tasks::Tasks;
use crate::reorder::estimate::Estimate;

/// Variants.
pub fn features(trace: &Trace, times: &Times) -> String {
    let tasks = Tasks::new(trace, Layout::given(trace));
    let all: Vec<u32> = (0..trace.tasks() as u32).collect();
    let Estimate { shapes, mut code, .. } = Estimate::of(&tasks, &[all], times);
    let kernel = trace.kernel();
    let (bodies, signatures) = specialise(kernel, &shapes, &mut code);
    let arrays = kernel.arrays.len();
    let plan = Plan {
        processors: 1,
        supersteps: 1,
        extents: trace.extents().to_vec(),
        lengths: vec![0; arrays],
        shared: vec![true; arrays],
        scatter: vec![vec![]],
        gather: vec![vec![]],
        bodies,
        code,
        ..Plan::default()
    };
    let is_number = |array: usize| kernel.arrays[array].role == Role::Local && trace.extents()[array] <= 1;
    let mut text = String::new();
    for flags in 0..64 {
        let costs = Costs::written(kernel, &signatures, times, &is_number, flags);
        text += &format!("\"{flags}\":{:.1},", super::predict_with(kernel, &plan, &costs, times));
    }
    text
}
