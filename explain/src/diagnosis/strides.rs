//! Words that loops touch one after the other: how far apart they are.

use superstep_compiler::Compiled;
use superstep_tracer::Trace;

use super::LARGE;
use crate::change::Change;

/// Strides of an access in a program's loops: tasks by words from one iteration to the next.
#[derive(Clone, Debug, Default)]
struct Strides {
    array: u16,
    statement: u16,
    is_write: bool,
    /// Tasks in all.
    all: u64,
    /// Stride and tasks, the strides that most have first.
    tasks: Vec<(i64, u64)>,
}

/// Returns what would have loops go through memory word by word.
pub(super) fn strides(trace: &Trace, base: &Compiled, alone: &Compiled) -> Vec<Change> {
    let mut changes = Vec::new();
    for found in [alone, base]
        .into_iter()
        .flat_map(|compiled| found_strides(trace, compiled))
    {
        let Some(&(stride, tasks)) = found.tasks.first() else {
            continue;
        };
        let width = stride.unsigned_abs();
        // Rows of a matrix fill it.
        let words = u64::from(trace.extents()[usize::from(found.array)]);
        let is_far = width > 1 && words.is_multiple_of(width);
        let is_most = 2 * tasks > found.all && tasks as f64 >= LARGE * trace.tasks() as f64;
        if !is_far || !is_most {
            continue;
        }
        let (array, width) = (found.array, width as u32);
        if found.is_write {
            changes.push(Change::Interchange(found.statement));
        }
        changes.push(Change::Transpose { array, width });
    }
    changes
}

/// Finds the strides of each access of each statement.
fn found_strides(trace: &Trace, compiled: &Compiled) -> Vec<Strides> {
    let kernel = trace.kernel();
    let mut found: Vec<Vec<Strides>> = Vec::new();
    for (at, statement) in (0..).zip(&kernel.statements) {
        let arrays = std::iter::once((statement.target, true))
            .chain(statement.operands.iter().map(|&array| (array, false)));
        found.push(
            arrays
                .map(|(array, is_write)| Strides {
                    array,
                    statement: at,
                    is_write,
                    all: 0,
                    tasks: Vec::new(),
                })
                .collect(),
        );
    }
    let plan = compiled.program.plan();
    for code in &plan.code {
        code.walk(&plan.bodies, &mut |number, run| {
            let body = &plan.bodies[number];
            let mut component = 0;
            for &statement in body.statements() {
                let statement = usize::from(statement);
                for access in &mut found[statement] {
                    let stride = body.step(component, run);
                    let count = run.count() as u64;
                    component += 1;
                    access.all += count;
                    if count < 2 {
                        continue;
                    }
                    match access.tasks.iter_mut().find(|known| known.0 == stride) {
                        Some(known) => known.1 += count,
                        None => access.tasks.push((stride, count)),
                    }
                }
                component += kernel.statements[statement].control.len();
            }
        });
    }
    let mut all: Vec<Strides> = found.into_iter().flatten().collect();
    for access in &mut all {
        access
            .tasks
            .sort_by_key(|&(_, tasks)| std::cmp::Reverse(tasks));
    }
    all
}
