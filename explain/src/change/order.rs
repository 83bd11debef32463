//! Traces whose tasks come in another order: of loops exchanged, and of rows by length.

use superstep_tracer::Trace;

use super::again::copied;

/// Exchanges loops: sorts neighbouring tasks of a statement, none of which needs another, by the
/// words that they write.
pub(super) fn interchanged(trace: &Trace, statement: u16) -> Option<Trace> {
    if !trace.grains().is_empty() {
        return None;
    }
    let statements = trace.statements();
    let mut order: Vec<u32> = (0..trace.tasks() as u32).collect();
    let mut is_changed = false;
    let mut first = 0;
    while first < order.len() {
        let same = statements[first..]
            .iter()
            .take_while(|&&each| each == statements[first]);
        let end = first + same.count();
        let group = &mut order[first..end];
        if statements[first] == statement && group.len() > 1 && are_loose(trace, group) {
            let before = group.to_vec();
            group.sort_by_key(|&task| trace.writes()[task as usize]);
            is_changed |= before != group;
        }
        first = end;
    }
    if !is_changed {
        return None;
    }
    in_order(trace, order.iter().copied())
}

/// Records the tasks of a trace again, in another order.
fn in_order(trace: &Trace, order: impl Iterator<Item = u32>) -> Option<Trace> {
    copied(trace, trace.kernel().clone(), |copier| {
        for task in order {
            copier.copy(&trace.task(task), &|_, index| index);
        }
    })
}

/// Returns whether neighbouring tasks need nothing of each other, and write words of their own.
fn are_loose(trace: &Trace, tasks: &[u32]) -> bool {
    let first = tasks[0];
    let mut writes: Vec<u32> = tasks
        .iter()
        .map(|&task| trace.writes()[task as usize])
        .collect();
    writes.sort_unstable();
    let needs = |&task: &u32| {
        trace
            .task(task)
            .producers()
            .any(|producer| producer >= first)
    };
    writes.windows(2).all(|pair| pair[0] != pair[1]) && !tasks.iter().any(needs)
}

/// A row: neighbouring tasks that compute one word.
#[derive(Clone, Copy)]
struct Row {
    first: u32,
    end: u32,
}

impl Row {
    fn length(&self) -> u32 {
        self.end - self.first
    }
}

/// Sorts rows, none of which needs another, by their lengths: rows of one word each, with a chain
/// of tasks of a statement.
pub(super) fn sorted_rows(trace: &Trace, statement: u16) -> Option<Trace> {
    if !trace.grains().is_empty() {
        return None;
    }
    let mut rows = rows(trace);
    let mut is_changed = false;
    let mut first = 0;
    while first < rows.len() {
        let begin = rows[first].first;
        let end = (first + 1..rows.len()).find(|&row| needs(trace, rows[row], begin));
        let end = end.unwrap_or(rows.len());
        let phase = &mut rows[first..end];
        let is_chain =
            |row: &Row| row.length() > 1 && trace.statements()[row.end as usize - 1] == statement;
        if phase.iter().any(is_chain) && are_apart(trace, phase) {
            is_changed |= !phase.is_sorted_by_key(Row::length);
            phase.sort_by_key(Row::length);
        }
        first = end;
    }
    if !is_changed {
        return None;
    }
    in_order(trace, rows.iter().flat_map(|row| row.first..row.end))
}

/// Finds the rows of a trace.
fn rows(trace: &Trace) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    let mut last = None;
    for task in 0..trace.tasks() as u32 {
        let word = trace.written(task);
        match rows.last_mut() {
            Some(row) if last == Some(word) => row.end = task + 1,
            _ => rows.push(Row {
                first: task,
                end: task + 1,
            }),
        }
        last = Some(word);
    }
    rows
}

/// Returns whether a row needs what a task from `begin` on, before the row, has computed.
fn needs(trace: &Trace, row: Row, begin: u32) -> bool {
    let needs = |task: u32| {
        trace
            .task(task)
            .producers()
            .any(|producer| (begin..row.first).contains(&producer))
    };
    (row.first..row.end).any(needs)
}

/// Returns whether rows write words of their own, which none of the others reads.
fn are_apart(trace: &Trace, rows: &[Row]) -> bool {
    let mut words: Vec<_> = rows.iter().map(|row| trace.written(row.first)).collect();
    words.sort_unstable();
    let are_different = words.windows(2).all(|pair| pair[0] != pair[1]);
    let reads_another = |row: &Row| {
        let own = trace.written(row.first);
        (row.first..row.end).any(|task| {
            let task = trace.task(task);
            (0..task.operands.len()).any(|operand| {
                let read = trace.read(&task, operand);
                read != own && words.binary_search(&read).is_ok()
            })
        })
    };
    are_different && !rows.iter().any(reads_another)
}
