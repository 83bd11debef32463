//! Renumbering: the words of an array in the order of their first use, so that neighbours in time
//! share cache lines.

use superstep_tracer::{Role, Trace};

use super::again::moved_words;

/// Place of a word that has none yet.
const NOWHERE: u32 = u32::MAX;

/// Records the trace again with the words of an array in the order in which tasks use them first.
/// `None`: the recorder refuses it.
pub(super) fn renumbered(trace: &Trace, array: u16) -> Option<Trace> {
    let places = in_order_of_use(trace, array);
    moved_words(trace, array, |index| places[index as usize])
}

/// Returns whether an array is an input of which each word is read once at most, as the values of a
/// sparse matrix are.
pub(super) fn is_read_once(trace: &Trace, array: u16) -> bool {
    let mut is_read = vec![false; trace.extents()[usize::from(array)] as usize];
    let mut once = |task: superstep_tracer::Task<'_>| {
        (0..task.operands.len()).all(|operand| {
            let read = trace.read(&task, operand);
            read.array != array || !std::mem::replace(&mut is_read[read.index as usize], true)
        })
    };
    trace.kernel().array(array).role == Role::Input && trace.iter().all(&mut once)
}

/// Returns a place for each word of an array, by the order in which tasks use them first; those
/// that none uses come last.
fn in_order_of_use(trace: &Trace, array: u16) -> Vec<u32> {
    let mut places = vec![NOWHERE; trace.extents()[usize::from(array)] as usize];
    let mut next = 0;
    let mut number = |place: &mut u32| {
        if *place == NOWHERE {
            *place = next;
            next += 1;
        }
    };
    for task in trace.iter() {
        for operand in 0..task.operands.len() {
            let read = trace.read(&task, operand);
            if read.array == array {
                number(&mut places[read.index as usize]);
            }
        }
        if trace.kernel().statement(task.statement).target == array {
            number(&mut places[task.write as usize]);
        }
    }
    places.iter_mut().for_each(number);
    places
}
