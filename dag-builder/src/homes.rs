//! Homes of a trace's tasks, and who has to be over before they are written.

use superstep_dag::Homes;
use superstep_tracer::{INPUT, Role, Trace};

/// The value or word that nobody overwrites.
const NOWHERE: u32 = u32::MAX;

/// Finds the word that each task of `trace` writes, and its anti and output dependences.
///
/// Cost: two visits of each task and one of each operand, 4 bytes per task for their duration.
///
/// # Panics
/// When the arrays have 2^32 words or more together.
///
/// ```
/// use superstep_dag_builder::homes;
/// use superstep_tracer::{DEFAULT_LIMIT, Kernel, Role, record};
///
/// // t = x[0]; x[0] = x[1]; x[1] = t;
/// let mut kernel = Kernel::new("swap");
/// let x = kernel.add_array("x", Role::InOut, None);
/// let t = kernel.add_array("t", Role::Local, Some(1));
/// let keep = kernel.add_statement("t = x[0]", t, &[x]);
/// let take = kernel.add_statement("x[0] = x[1]", x, &[x]);
/// let put = kernel.add_statement("x[1] = t", x, &[t]);
/// let trace = record(kernel, DEFAULT_LIMIT, |recorder| {
///     recorder.task(keep, t, 0, [(x, 0)]);
///     recorder.task(take, x, 0, [(x, 1)]);
///     recorder.task(put, x, 1, [(t, 0)]);
/// })?;
/// assert_eq!(homes(&trace).storage_dependences(), [(0, 1), (1, 2)]);
/// # Ok::<(), superstep_tracer::TraceError>(())
/// ```
pub fn homes(trace: &Trace) -> Homes {
    let kernel = trace.kernel();
    let without = Homes::new([], trace.extents());
    let starts: Vec<u32> = without.arrays().map(|words| words.start).collect();
    let first: Vec<Option<u32>> = (kernel.statements.iter())
        .map(|statement| {
            let local = kernel.array(statement.target).role == Role::Local;
            (!local).then(|| starts[usize::from(statement.target)])
        })
        .collect();
    let tasks = trace.statements().iter().zip(trace.writes());
    let word = |(&statement, &index): (&u16, &u32)| {
        first[usize::from(statement)].map(|first| first + index)
    };
    let homes = Homes::new(tasks.map(word), trace.extents());
    let storage = storage_dependences(trace, &homes, &starts);
    homes.with_storage_dependences(storage)
}

/// Returns the anti and output dependences: see [`Homes::storage_dependences`].
fn storage_dependences(trace: &Trace, homes: &Homes, starts: &[u32]) -> Vec<(u32, u32)> {
    let overwriters = Overwriters::of(trace, homes);
    let reads = |reader: u32, value: u32| trace.task(reader).operands.contains(&value);
    let mut dependences = Vec::new();
    for (before, task) in (0..).zip(trace.iter()) {
        let start = dependences.len();
        let arrays = &trace.kernel().statement(task.statement).operands;
        let read = arrays.iter().zip(task.operands).map(|(&array, &value)| {
            if value & INPUT == 0 {
                overwriters.of_value[value as usize]
            } else {
                overwriters.of_input[(starts[usize::from(array)] + (value & !INPUT)) as usize]
            }
        });
        for next in read.chain([overwriters.of_value[before as usize]]) {
            if next != NOWHERE && next != before && !reads(next, before) {
                dependences.push((before, next));
            }
        }
        dependences[start..].sort_unstable();
    }
    dependences.dedup();
    dependences.shrink_to_fit();
    dependences
}

/// Overwriter of each value, [`NOWHERE`] where nobody overwrites it.
struct Overwriters {
    /// Next task that writes the same word, per task.
    of_value: Vec<u32>,
    /// First task that writes it, per word.
    of_input: Vec<u32>,
}

impl Overwriters {
    fn of(trace: &Trace, homes: &Homes) -> Self {
        let words = homes.arrays().last().map_or(0, |words| words.end);
        let mut overwriters = Self {
            of_value: vec![NOWHERE; trace.tasks()],
            of_input: vec![NOWHERE; words as usize],
        };
        // Backwards, the first writer so far of a word is the next one.
        for task in (0..trace.tasks() as u32).rev() {
            if let Some(word) = homes.word(task) {
                let first = &mut overwriters.of_input[word as usize];
                overwriters.of_value[task as usize] = std::mem::replace(first, task);
            }
        }
        overwriters
    }
}
