//! What is copied between arguments, memories and messages, as few strided copies.

use superstep_runtime::plan::{Copies, Message};
use superstep_tracer::Trace;

use crate::messages::{Placement, Send};
use crate::storage::Storage;

/// One word to copy.
struct Word {
    array: u16,
    from: u32,
    to: u32,
}

/// Folds words into copies with constant steps, in order.
fn copies(words: impl IntoIterator<Item = Word>) -> Vec<Copies> {
    let mut copies: Vec<Copies> = Vec::new();
    for Word { array, from, to } in words {
        if let Some(last) = copies.last_mut().filter(|last| last.array == array) {
            let end = last.count - 1;
            let from_step = i64::from(from)
                - (i64::from(last.from) + i64::from(end) * i64::from(last.from_step));
            let to_step =
                i64::from(to) - (i64::from(last.to) + i64::from(end) * i64::from(last.to_step));
            let fits = last.count == 1
                || (from_step, to_step) == (last.from_step.into(), last.to_step.into());
            if let (true, Ok(from_step), Ok(to_step)) =
                (fits, i32::try_from(from_step), i32::try_from(to_step))
            {
                *last = Copies {
                    count: last.count + 1,
                    from_step,
                    to_step,
                    ..*last
                };
                continue;
            }
        }
        copies.push(Copies {
            array,
            count: 1,
            from,
            from_step: 0,
            to,
            to_step: 0,
        });
    }
    copies
}

/// The inputs that `processor` needs.
pub(crate) fn scatter(placement: &Placement, processor: usize) -> Vec<Copies> {
    let inputs = placement.inputs(processor).iter();
    copies(inputs.map(|input| Word {
        array: input.array,
        from: input.index,
        to: input.index,
    }))
}

/// The results that `processor` returns.
pub(crate) fn gather(
    trace: &Trace,
    placement: &Placement,
    storage: &Storage,
    processor: usize,
) -> Vec<Copies> {
    let results = placement.results(processor).iter();
    copies(results.map(|(address, task)| Word {
        array: address.array,
        from: storage.slot(trace, processor, *task),
        to: address.index,
    }))
}

/// The messages. The words of one are in the order of their addresses or of their tasks, whichever makes fewer copies: rows or columns.
pub(crate) fn messages(trace: &Trace, placement: &Placement, storage: &Storage) -> Vec<Message> {
    let same = |a: &Send, b: &Send| (a.superstep, a.from, a.to) == (b.superstep, b.from, b.to);
    let word = |send: &Send| Word {
        array: trace.written(send.task).array,
        from: storage.slot(trace, send.from as usize, send.task),
        to: storage.slot(trace, send.to as usize, send.task),
    };
    let packet = |sends: &[Send]| {
        let mut by_task = sends.to_vec();
        by_task.sort_unstable_by_key(|send| send.task);
        let (by_address, by_task) = (
            copies(sends.iter().map(word)),
            copies(by_task.iter().map(word)),
        );
        let Send {
            superstep,
            from,
            to,
            ..
        } = sends[0];
        let copies = if by_task.len() < by_address.len() {
            by_task
        } else {
            by_address
        };
        Message {
            superstep,
            from,
            to,
            copies,
        }
    };
    placement.sends().chunk_by(same).map(packet).collect()
}
