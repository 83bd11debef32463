//! Words between arguments, memories and messages, folded into few strided copies.

use superstep_plan::{Message, Strided};
use superstep_tracer::{Address, INPUT};

use crate::place::placement::{Placement, Transfer};
use crate::place::storage::Storage;
use crate::place::tasks::Tasks;

/// One word to copy.
#[derive(Clone, Copy)]
struct Word {
    array: u16,
    from: u32,
    to: u32,
}

/// Folds words into strided copies, in order.
fn strided(words: &[Word]) -> Vec<Strided> {
    let mut strided: Vec<Strided> = Vec::new();
    for &Word { array, from, to } in words {
        if let Some(last) = strided.last_mut().filter(|last| last.array == array) {
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
                *last = Strided {
                    count: last.count + 1,
                    from_step,
                    to_step,
                    ..*last
                };
                continue;
            }
        }
        strided.push(Strided {
            array,
            count: 1,
            from,
            from_step: 0,
            to,
            to_step: 0,
        });
    }
    strided
}

/// Folds words into copies in the best of three orders: as they are, by where they are read, and by
/// where they are written.
fn fewest(mut words: Vec<Word>) -> Vec<Strided> {
    let given = strided(&words);
    words.sort_unstable_by_key(|word| (word.array, word.from));
    let by_source = strided(&words);
    words.sort_unstable_by_key(|word| (word.array, word.to));
    let by_destination = strided(&words);
    // The first of several shortest.
    [given, by_source, by_destination]
        .into_iter()
        .min_by_key(Vec::len)
        .unwrap_or_default()
}

/// Returns the strided copies of the inputs that `processor` needs.
pub(crate) fn scatter(
    tasks: &Tasks<'_>,
    placement: &Placement,
    storage: &Storage,
    processor: usize,
) -> Vec<Strided> {
    let word = |&Address { array, index }: &Address| Word {
        array,
        from: index,
        to: storage.slot(tasks, processor, array, INPUT | index),
    };
    fewest(placement.inputs(processor).iter().map(word).collect())
}

/// Returns the strided copies of the results that `processor` returns.
pub(crate) fn gather(
    tasks: &Tasks<'_>,
    placement: &Placement,
    storage: &Storage,
    processor: usize,
) -> Vec<Strided> {
    let word = |&task: &u32| {
        let Address { array, index } = tasks.trace().written(task);
        Word {
            array,
            from: storage.slot(tasks, processor, array, task),
            to: index,
        }
    };
    fewest(placement.results(processor).iter().map(word).collect())
}

/// Makes the messages. The words of one are in the order that makes fewest strided copies: by rows,
/// by columns, or by tasks.
pub(crate) fn messages(
    tasks: &Tasks<'_>,
    placement: &Placement,
    storage: &Storage,
) -> Vec<Message> {
    let same =
        |a: &Transfer, b: &Transfer| (a.superstep, a.from, a.to) == (b.superstep, b.from, b.to);
    let word = |transfer: &Transfer| {
        let array = tasks.trace().written(transfer.task).array;
        let slot = |of: u32| storage.slot(tasks, of as usize, array, transfer.task);
        Word {
            array,
            from: slot(transfer.from),
            to: slot(transfer.to),
        }
    };
    let message = |transfers: &[Transfer]| {
        let mut by_task = transfers.to_vec();
        by_task.sort_unstable_by_key(|transfer| transfer.task);
        let by_task: Vec<Word> = by_task.iter().map(word).collect();
        let by_address = fewest(transfers.iter().map(word).collect());
        let by_task = strided(&by_task);
        let Transfer {
            superstep,
            from,
            to,
            ..
        } = transfers[0];
        let strided = if by_task.len() < by_address.len() {
            by_task
        } else {
            by_address
        };
        Message {
            superstep,
            from,
            to,
            strided,
        }
    };
    placement.transfers().chunk_by(same).map(message).collect()
}
