//! False sharing (cache lines that several processors write) and gathers (reads by no stride).

use std::collections::BTreeMap;

use superstep_compiler::{Compiled, Options};
use superstep_machine::Core;
use superstep_tracer::Trace;

use super::LARGE;
use crate::change::Change;

/// Owner of a word that no processor writes.
const NOBODY: u8 = u8::MAX;

/// Returns the arrays that hold chains side by side whose cache lines several processors write:
/// kept apart, each chain has lines of its own.
pub(super) fn interleaved_chains(trace: &Trace, options: &Options, base: &Compiled) -> Vec<Change> {
    let core = &options.times.core;
    let arrays = (0..trace.extents().len() as u16).filter(|&at| are_shared(trace, core, base, at));
    let transpose = |array| distance(trace, array).map(|width| Change::Transpose { array, width });
    arrays.filter_map(transpose).collect()
}

/// Returns whether several processors write the cache lines of an array (false sharing).
pub(crate) fn are_shared(trace: &Trace, core: &Core, base: &Compiled, array: u16) -> bool {
    if base.report.processors < 2 {
        return false;
    }
    let words = words_of_line(trace, core, array);
    let Some((owners, words)) = owners(trace, base, array).zip(words) else {
        return false;
    };
    let is_shared = |line: &&[u8]| {
        let mut others = line.iter().filter(|&&owner| owner != NOBODY);
        let first = others.next();
        others.any(|owner| Some(owner) != first)
    };
    let shared = owners.chunks(words).filter(is_shared).count();
    2 * shared > owners.len().div_ceil(words)
}

/// Returns the distance from a word of an array back to the one that it is computed from, if above
/// 1. More than half of the tasks that write the array have it: so many chains are interleaved.
fn distance(trace: &Trace, array: u16) -> Option<u32> {
    let mut distances = BTreeMap::new();
    let mut tasks = 0;
    for task in trace.iter() {
        if trace.kernel().statement(task.statement).target != array {
            continue;
        }
        tasks += 1;
        let reads = (0..task.operands.len()).map(|operand| trace.read(&task, operand));
        let own = reads.filter(|read| read.array == array && read.index < task.write);
        if let Some(read) = own.max_by_key(|read| read.index) {
            *distances.entry(task.write - read.index).or_insert(0) += 1;
        }
    }
    let (&distance, &found) = distances.iter().max_by_key(|&(_, found)| found)?;
    (distance > 1 && 2 * found > tasks).then_some(distance)
}

/// Returns the number of an array's words in a cache line; `None` if it is below two.
pub(crate) fn words_of_line(trace: &Trace, core: &Core, array: u16) -> Option<usize> {
    let bytes = trace.kernel().array(array).element.bytes;
    core.line_bytes
        .checked_div(bytes)
        .filter(|&words| words > 1)
}

/// Finds the processor that writes each word of an array last. `None`: no statement writes it, or
/// processors have copies of it.
fn owners(trace: &Trace, base: &Compiled, array: u16) -> Option<Vec<u8>> {
    let plan = base.program.plan();
    let statements = &trace.kernel().statements;
    if !statements.iter().any(|own| own.target == array) {
        return None;
    }
    if !base.report.arrays[usize::from(array)].shared {
        return None;
    }
    let mut owners = vec![NOBODY; trace.extents()[usize::from(array)] as usize];
    for superstep in 0..plan.supersteps as usize {
        for processor in 0..plan.processors as usize {
            let code = plan.code(superstep, processor);
            code.walk(&plan.bodies, &mut |number, run| {
                let body = &plan.bodies[number];
                let mut component = 0;
                for &statement in body.statements() {
                    let statement = trace.kernel().statement(statement);
                    if statement.target == array {
                        let (start, step) = (body.start(component, run), body.step(component, run));
                        for at in 0..run.count() as i64 {
                            if let Some(owner) = owners.get_mut((start + at * step) as usize) {
                                *owner = processor as u8;
                            }
                        }
                    }
                    component += 1 + statement.operands.len() + statement.control.len();
                }
            });
        }
    }
    Some(owners)
}

/// Statistics of the reads of one operand of a statement, in trace order. Jumps are steps beyond a
/// cache line that differ from the step before.
#[derive(Clone, Copy, Default)]
struct Reads {
    last: i64,
    step: i64,
    reads: usize,
    jumps: usize,
}

/// Returns the arrays, larger than L1 (a core's first cache), that are read here and there
/// (gathers). Most words that are read stand in another cache line than the one before, by no
/// stride.
pub(super) fn scattered_reads(trace: &Trace, options: &Options) -> Vec<Change> {
    let kernel = trace.kernel();
    let core = options.times.core;
    let most = kernel.statements.iter().map(|own| own.operands.len()).max();
    let most = most.unwrap_or(0);
    let mut all = vec![Reads::default(); most * kernel.statements.len()];
    for task in trace.iter() {
        for operand in 0..task.operands.len() {
            let read = trace.read(&task, operand);
            let Some(words) = words_of_line(trace, &core, read.array) else {
                continue;
            };
            let reads = &mut all[usize::from(task.statement) * most + operand];
            let step = i64::from(read.index) - reads.last;
            reads.jumps += usize::from(step != reads.step && step.unsigned_abs() > words as u64);
            reads.reads += 1;
            (reads.last, reads.step) = (i64::from(read.index), step);
        }
    }
    let is_scattered = |array: u16| {
        let own = kernel.statements.iter().zip(all.chunks(most.max(1)));
        let of_array = own.flat_map(|(statement, reads)| {
            let operands = statement.operands.iter().zip(reads);
            operands
                .filter(|(of, _)| **of == array)
                .map(|(_, reads)| *reads)
        });
        let (mut reads, mut jumps) = (0, 0);
        for each in of_array {
            reads += each.reads;
            jumps += each.jumps;
        }
        let bytes = kernel.array(array).element.bytes;
        let is_larger = trace.extents()[usize::from(array)] as usize * bytes
            > core.line_bytes * core.sets * core.ways;
        is_larger && 2 * jumps > reads && jumps as f64 >= LARGE * trace.tasks() as f64
    };
    let arrays = 0..kernel.arrays.len() as u16;
    arrays
        .filter(|&array| is_scattered(array))
        .map(Change::Renumber)
        .collect()
}
