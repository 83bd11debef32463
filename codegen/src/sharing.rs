//! Which arrays all processors can use where the caller has them.
//!
//! In place of a copy in each processor's memory, and of messages between these, processors may read each other's values where they
//! were written. That is right when an array never needs two values of one word at the same time: a word is only overwritten when all
//! who read it have done so in an earlier superstep, or are the processor that overwrites it. Nothing can be computed twice, as two
//! processors would write the same word. What a program only reads can always be shared.

use superstep_tracer::{INPUT, Role};

use crate::messages::Placement;
use crate::tasks::Tasks;

/// Who has last read or written a word, and when.
#[derive(Clone, Copy, Default)]
struct LastUse {
    superstep: u32,
    /// The processor and one more; 0: nobody, `MANY`: several.
    processor: u32,
}

const MANY: u32 = u32::MAX;

impl LastUse {
    fn note(&mut self, superstep: u32, processor: u32) {
        let is_first = self.processor == 0 || superstep > self.superstep;
        if is_first {
            *self = Self {
                superstep,
                processor,
            };
        } else if superstep == self.superstep && processor != self.processor {
            self.processor = MANY;
        }
    }

    /// Whether that processor may overwrite the word then.
    fn is_over(self, superstep: u32, processor: u32) -> bool {
        self.processor == 0
            || self.superstep < superstep
            || (self.superstep, self.processor) == (superstep, processor)
    }
}

/// Per array: whether all processors can use the caller's.
///
/// Cost: two visits of each operand, some 20 ns per task.
pub(crate) fn shareable(tasks: &Tasks<'_>, placement: &Placement) -> Vec<bool> {
    let trace = tasks.trace();
    let kernel = trace.kernel();
    let arrays = kernel.arrays.iter();
    let mut shareable: Vec<bool> = arrays.map(|array| array.role != Role::Local).collect();
    // Where each task runs: number of its list and one more; and where else.
    let mut place = vec![0_u32; trace.tasks()];
    let mut copies = Vec::new();
    for (list, (_, _, instances)) in (1..).zip(placement.lists()) {
        for &task in instances {
            let place = &mut place[task as usize];
            if *place != 0 {
                shareable[usize::from(target(tasks, task))] = false;
                copies.push((task, list));
            }
            *place = list;
        }
    }
    copies.sort_unstable();
    let mut copies = &copies[..];
    let processors = placement.processors() as u32;
    let mut words: Vec<Vec<LastUse>> = trace
        .extents()
        .iter()
        .zip(&shareable)
        .map(|(&extent, &shared)| {
            vec![LastUse::default(); if shared { extent as usize } else { 0 }]
        })
        .collect();
    for task in 0..trace.tasks() as u32 {
        let at = |list: u32| ((list - 1) / processors, (list - 1) % processors + 1);
        let own = copies.iter().take_while(|copy| copy.0 == task).count();
        let (others, rest) = copies.split_at(own);
        copies = rest;
        let list = place[task as usize];
        if list == 0 {
            continue;
        }
        let reads = || tasks.reads(task).iter().zip(tasks.operands(task));
        for list in others.iter().map(|copy| copy.1).chain([list]) {
            let (superstep, processor) = at(list);
            for (array, &value) in reads().map(|(&array, value)| (usize::from(array), value)) {
                if !shareable[array] {
                    continue;
                }
                let index = if value & INPUT == 0 {
                    trace.writes()[value as usize]
                } else {
                    value & !INPUT
                };
                words[array][index as usize].note(superstep, processor);
            }
        }
        let (superstep, processor) = at(list);
        let array = usize::from(target(tasks, task));
        if shareable[array] {
            let word = &mut words[array][trace.writes()[task as usize] as usize];
            if !word.is_over(superstep, processor) {
                shareable[array] = false;
                continue;
            }
            *word = LastUse {
                superstep,
                processor,
            };
        }
    }
    shareable
}

/// Whether tasks can run in that order on one processor with the `shared` arrays where they are: no word is overwritten before it is
/// read, and each is written in trace order. `current` holds `NOTHING` for each word, and does so again afterwards.
pub(crate) fn respects(
    tasks: &Tasks<'_>,
    shared: &[bool],
    sorted: &[u32],
    current: &mut [Vec<u32>],
) -> bool {
    let home = |array: usize, value: u32| tasks.home(array as u16, value) as usize;
    let respected = sorted.iter().all(|&task| {
        let reads = tasks.reads(task).iter().zip(tasks.operands(task));
        let reads_right = reads
            .map(|(&array, &value)| (usize::from(array), value))
            .filter(|&(array, _)| shared[array])
            .all(|(array, value)| {
                let current = current[array][home(array, value)];
                current == NOTHING || current == value
            });
        let array = usize::from(target(tasks, task));
        if !shared[array] {
            return reads_right;
        }
        let current = &mut current[array][home(array, task)];
        let in_order = *current == NOTHING || *current < task;
        *current = task;
        reads_right && in_order
    });
    for &task in sorted {
        let array = usize::from(target(tasks, task));
        if shared[array] {
            current[array][home(array, task)] = NOTHING;
        }
    }
    respected
}

fn target(tasks: &Tasks<'_>, task: u32) -> u16 {
    let kernel = tasks.trace().kernel();
    kernel.statement(tasks.statement(task)).target
}

/// No task of the list has written the word yet.
pub(crate) const NOTHING: u32 = u32::MAX;
