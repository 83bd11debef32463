//! A trace records what a naive interpreter sees.

use std::collections::BTreeMap;

use proptest::prelude::*;
use superstep_tracer::{Address, DEFAULT_LIMIT, INPUT, Kernel, Role, Trace, record};

/// Arrays before the four in use: the recorder keeps the first eight apart.
const UNUSED: u16 = 6;
const ARRAYS: std::ops::Range<u16> = UNUSED..UNUSED + 4;
const WORDS: usize = 5;

/// A statement: target, operands, number of control values.
type Table = Vec<(u16, Vec<u16>, usize)>;
/// Tasks of a run, each as its statement (modulo their number) and its indices: the first is
/// written, the others are read (in turn).
type Run = Vec<(usize, Vec<usize>)>;

fn programs() -> impl Strategy<Value = (Table, Run)> {
    let statement = (ARRAYS, prop::collection::vec(ARRAYS, 0..5), 0..3_usize);
    let task = (0..8_usize, prop::collection::vec(0..WORDS, 6));
    (
        prop::collection::vec(statement, 1..5),
        prop::collection::vec(task, 0..150),
    )
}

/// Makes a kernel of four arrays. The first is a slice read and written, and the second a fixed
/// one. The third is read only in name, and the last is a local of fixed length.
fn kernel(table: &Table) -> Kernel {
    let mut kernel = Kernel::new("random");
    for _ in 0..UNUSED {
        kernel.add_array("unused", Role::Local, None);
    }
    kernel.add_array("a", Role::InOut, None);
    kernel.add_array("b", Role::InOut, Some(WORDS as u32));
    kernel.add_array("c", Role::Input, None);
    kernel.add_array("d", Role::Local, Some(WORDS as u32));
    for (target, operands, control) in table {
        let statement = kernel.add_statement("", *target, operands);
        kernel.statements[usize::from(statement)].control = vec!["i64".into(); *control];
    }
    kernel
}

fn trace(table: &Table, run: &Run) -> Trace {
    let recorded = record(kernel(table), DEFAULT_LIMIT, |recorder| {
        for (id, (choice, indices)) in run.iter().enumerate() {
            let statement = choice % table.len();
            for value in 0..table[statement].2 {
                recorder.control((id * 10 + value) as i64);
            }
            let operands = &indices[1..][..table[statement].1.len()];
            recorder.push(statement as u16, indices[0], operands);
        }
    });
    recorded.unwrap()
}

proptest! {
    #[test]
    fn traces_are_those_of_a_naive_interpreter((table, run) in programs()) {
        let trace = trace(&table, &run);
        prop_assert_eq!(trace.tasks(), run.len());
        prop_assert_eq!(trace.iter().len(), run.len());

        let mut writer: BTreeMap<(u16, usize), u32> = BTreeMap::new();
        let mut extent = [0, 0, 0, 0, 0, 0, 0, WORDS, 0, WORDS];
        for (id, (task, (choice, indices))) in trace.iter().zip(&run).enumerate() {
            let (target, operands, control) = &table[choice % table.len()];
            prop_assert_eq!(task, trace.task(id as u32));
            prop_assert_eq!(usize::from(task.statement), choice % table.len());
            prop_assert_eq!(task.operands.len(), operands.len());
            let values: Vec<i64> = (0..*control).map(|v| (id * 10 + v) as i64).collect();
            prop_assert_eq!(task.control, values);
            for (k, (&array, &index)) in operands.iter().zip(&indices[1..]).enumerate() {
                let expected = writer.get(&(array, index)).copied();
                prop_assert_eq!(task.operands[k], expected.unwrap_or(INPUT | index as u32));
                let address = Address { array, index: index as u32 };
                prop_assert_eq!(trace.read(&task, k), address);
                extent[usize::from(array)] = extent[usize::from(array)].max(index + 1);
            }
            let address = Address { array: *target, index: indices[0] as u32 };
            prop_assert_eq!(trace.written(id as u32), address);
            extent[usize::from(*target)] = extent[usize::from(*target)].max(indices[0] + 1);
            writer.insert((*target, indices[0]), id as u32);
        }
        prop_assert_eq!(trace.extents(), extent.map(|e| e as u32));

        writer.retain(|&(array, _), _| array < UNUSED + 2);
        let results: Vec<_> = writer
            .iter()
            .map(|(&(array, index), &task)| (Address { array, index: index as u32 }, task))
            .collect();
        prop_assert_eq!(trace.results().collect::<Vec<_>>(), results);
        for array in UNUSED..UNUSED + 2 {
            let last = trace.last(array);
            prop_assert_eq!(last.len(), extent[usize::from(array)]);
            for (index, &word) in last.iter().enumerate() {
                let task = writer.get(&(array, index)).copied();
                prop_assert_eq!(word, task.unwrap_or(INPUT | index as u32));
            }
        }
        prop_assert!(trace.last(UNUSED + 2).is_empty() && trace.last(UNUSED + 3).is_empty());
    }
}

/// `push` reads the arrays off the table, `task` takes them from the call: the same trace.
#[test]
fn both_ways_to_append_a_task_record_the_same() {
    let mut kernel = Kernel::new("both");
    let x = kernel.add_array("x", Role::InOut, None);
    let y = kernel.add_array("y", Role::Input, None);
    kernel.add_statement("x[i] = x[j] * y[i]", x, &[x, y]);
    let indices = || (0..100).map(|i| (i * 7 % 30, i * 11 % 30));
    let calls = record(kernel.clone(), DEFAULT_LIMIT, |recorder| {
        indices().for_each(|(i, j)| recorder.task(0, x, i, [(x, j), (y, i)]));
    });
    let pushes = record(kernel, DEFAULT_LIMIT, |recorder| {
        indices().for_each(|(i, j)| recorder.push(0, i, &[j, i]));
    });
    assert_eq!(calls, pushes);
    let trace = calls.unwrap();
    assert_eq!(trace.bytes(), 100 * (2 + 4 + 8) + 7 * 8);
    insta::assert_snapshot!(trace, @"both (:0): 2 arrays, 1 statement; 100 tasks with 200 operands (116 of them inputs), 30 results, 1.5 kB");
}

#[test]
fn a_grain_ends_where_the_next_begins_where_it_is_ended_and_with_the_trace() {
    let mut kernel = Kernel::new("grains");
    let x = kernel.add_array("x", Role::InOut, None);
    kernel.add_statement("x[i] = 0", x, &[]);
    let trace = record(kernel, DEFAULT_LIMIT, |recorder| {
        let tasks = |recorder: &mut superstep_tracer::Recorder, count: usize| {
            (0..count).for_each(|i| recorder.push(0, i, &[]));
        };
        tasks(recorder, 2);
        recorder.begin_grain();
        tasks(recorder, 3);
        recorder.begin_grain(); // one without tasks
        recorder.begin_grain();
        tasks(recorder, 1);
        recorder.end_grain();
        recorder.end_grain();
        tasks(recorder, 4);
        recorder.begin_grain();
        tasks(recorder, 20);
    });
    assert_eq!(trace.unwrap().grains(), [2..5, 5..6, 10..30]);
}
