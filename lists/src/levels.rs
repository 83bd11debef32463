//! One superstep for each level of the graph: the textbook schedule of wavefronts.

use superstep_order::Rows;

use crate::{Before, Lists};

/// Makes one superstep for each level (longest path to an end), the deepest first. The tasks of a
/// level are dealt in contiguous blocks of equal work.
///
/// Cost: linear in tasks and successors, and in levels times processors. Memory: 12 bytes for each
/// task.
///
/// # Panics
/// If there is no processor.
pub fn levels(before: Before<'_>, processors: u32, out: &mut impl Lists) {
    assert!(processors > 0, "nobody to take tasks");
    let levels = before.levels();
    let deepest = levels.iter().copied().max().unwrap_or(0) as usize;
    let by_level = levels.iter().map(|&level| deepest - level as usize);
    let by_level = Rows::sorted(deepest, by_level.zip(0_u32..));
    for tasks in by_level.iter() {
        deal(before, tasks, processors, out);
        out.end_superstep();
    }
}

/// Deals the tasks of a superstep: the task whose work lies around the fraction x of all goes to
/// processor floor(x P).
fn deal(before: Before<'_>, tasks: &[u32], processors: u32, out: &mut impl Lists) {
    let work: u64 = tasks.iter().map(|&task| before.work_of(task)).sum();
    let (work, is_weightless) = match work {
        0 => (tasks.len() as u64, true),
        _ => (work, false),
    };
    let (mut done, mut rest) = (0, tasks);
    for processor in 0..processors {
        let mut count = 0;
        for &task in rest {
            let own = if is_weightless {
                1
            } else {
                before.work_of(task)
            };
            let middle = u128::from(2 * done + own) * u128::from(processors);
            if middle >= u128::from(2 * work) * u128::from(processor + 1)
                && processor + 1 < processors
            {
                break;
            }
            done += own;
            count += 1;
        }
        let (block, left) = rest.split_at(count);
        out.list(processor, block);
        rest = left;
    }
}
