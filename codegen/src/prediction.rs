//! What a program will take, in nanoseconds.
//!
//! The model is BSP with the runs of the program in place of counted tasks: a superstep takes as long as its slowest processor, and at its end
//! come a barrier and the words exchanged, where there are any.
//!
//! * `loops`: one iteration of a run, from the operations in the text of its statements and what is known about its steps.
//! * `memory`: the cache lines that a processor finds neither in its own caches nor as it left them.
//!
//! What it leaves out: mispredicted branches, calls in statements, the operations of types other than numbers, and all that other programs
//! on the machine do. A prediction depends on nothing but its inputs.

pub(crate) mod loops;
mod memory;

use superstep_machine::Times;
use superstep_runtime::plan::{Copies, Plan};
use superstep_tracer::Kernel;

use crate::bodies::Signature;
use loops::Iteration;
use memory::{Lines, Memory};

/// What a value in a list takes, in other values of tables: one follows the other, and nothing is looked up in between.
const LISTED: f64 = 0.25;

/// Predicts a call of the program in nanoseconds, its arguments in the caches as far as they fit.
///
/// Costs some nanoseconds for each run and each cache line that it touches.
pub(crate) fn predict(
    kernel: &Kernel,
    plan: &Plan,
    signatures: &[Signature],
    times: &Times,
) -> f64 {
    let processors = plan.processors as usize;
    let iterations: Vec<Iteration> = signatures
        .iter()
        .map(|signature| Iteration::new(kernel, signature))
        .collect();
    let costs: Vec<f64> = iterations
        .iter()
        .map(|iteration| iteration.time(times))
        .collect();
    let mut memory = Memory::new(kernel, plan, times);
    let mut total = 0.0;
    if processors > 1 {
        total += times.call + handed(&plan.scatter, times) + handed(&plan.gather, times);
    }
    for superstep in 0..plan.supersteps as usize {
        let slowest = (0..processors).map(|processor| {
            let code = plan.code(superstep, processor);
            let values = code.values.iter().filter(|value| **value != 0).count();
            let mut time = times.value * (code.terms.len() + values) as f64
                + LISTED * times.value * code.listed.len() as f64;
            code.walk(&plan.bodies, &mut |body, run| {
                let iteration = &iterations[body];
                let Lines { missed, fetched } =
                    memory.run(processor, iteration, &plan.bodies[body], run);
                // Lines that nobody else writes come in while the core computes.
                time += (run.count() as f64 * costs[body]).max(missed as f64 * times.line);
                time += times.run * iteration.start;
                // A line has eight words of the size in which the gap is measured.
                time += 8.0 * times.gap * fetched as f64;
            });
            time
        });
        total += slowest.fold(0.0, f64::max);
        total += boundary(plan, superstep, times);
    }
    total
}

/// Words that the caller copies to and from the memories of the processors, all but the first of which have their own cores.
fn handed(copies: &[Vec<Copies>], times: &Times) -> f64 {
    let part = |(processor, copies): (usize, &Vec<Copies>)| {
        let words: u32 = copies.iter().map(|copies| copies.count).sum();
        let word = 2.0 * times.word + if processor > 0 { times.gap } else { 0.0 };
        f64::from(words) * word + copies.len() as f64 * times.run
    };
    copies.iter().enumerate().map(part).sum()
}

/// The barrier and the exchange after a superstep.
fn boundary(plan: &Plan, superstep: usize, times: &Times) -> f64 {
    let messages = plan.messages(superstep);
    if messages.is_empty() && plan.barriers.binary_search(&(superstep as u32)).is_err() {
        return 0.0;
    }
    let mut ends = vec![[0.0; 2]; plan.processors as usize];
    for message in messages {
        // A word is put into a packet by its sender, and fetched from it by its receiver.
        let (words, copies) = (message.words() as f64, message.copies.len() as f64);
        let copied = 2.0 * times.word * words + times.run * copies;
        ends[message.from as usize][0] += copied;
        ends[message.to as usize][1] += copied + times.gap * words;
    }
    let longest = |end: usize| ends.iter().map(|ends| ends[end]).fold(0.0, f64::max);
    times.barrier + longest(0) + longest(1)
}
