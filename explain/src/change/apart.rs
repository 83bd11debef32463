//! Traces in which each value of an array has a word of its own.

use std::collections::HashMap;

use superstep_tracer::{INPUT, Kernel, Role, Trace};

use super::again::copied;

/// Gives each value of an array a word of its own: a task that overwrites a word without reading it
/// begins another value. The last value of a word stays where it is; where the caller's values are
/// read, all that are begun stand in another array. None if no word has two values.
pub(super) fn apart(trace: &Trace, array: u16) -> Option<Trace> {
    let values = Values::new(trace, array)?;
    let mut variants = Variants::new(trace, &values);
    let mut words = values.clone();
    trace
        .iter()
        .for_each(|task| variants.add(trace, words.step(trace, &task)));
    variants.forget_writes(values.array);
    let mut words = values;
    copied(trace, variants.kernel.clone(), |copier| {
        for task in trace.iter() {
            let step = words.step(trace, &task);
            copier.indices.clear();
            copier.indices.extend_from_slice(&words.indices);
            let statement = variants.numbers[&step];
            copier.push(&superstep_tracer::Task { statement, ..task }, words.index);
        }
    })
}

/// A statement, its operands that read values elsewhere (a bit each), and whether it writes one.
type Step = (u16, u64, bool);

/// Positions of the values of an array, task by task.
#[derive(Clone)]
struct Values {
    array: u16,
    /// Values of each word that are begun and are to stand elsewhere.
    left: Vec<u32>,
    /// Position of each word's value, and whether that is elsewhere.
    places: Vec<(u32, bool)>,
    /// Next free place elsewhere.
    next: u32,
    /// Set if values elsewhere stand in another array.
    are_given: bool,
    /// Places that the task at hand reads.
    indices: Vec<usize>,
    /// The place that it writes.
    index: u32,
}

impl Values {
    /// Counts the values of each word; none if no word has two.
    fn new(trace: &Trace, array: u16) -> Option<Self> {
        let words = trace.extents()[usize::from(array)];
        let mut left = vec![0_u32; words as usize];
        let mut are_given = false;
        for task in trace.iter() {
            let mut reads = task
                .operands
                .iter()
                .zip(0..)
                .filter(|(read, _)| *read & INPUT != 0);
            are_given |= reads.any(|(_, at)| trace.read(&task, at).array == array);
            if begins(trace, &task, array) {
                left[task.write as usize] += 1;
            }
        }
        if !are_given {
            left.iter_mut()
                .for_each(|left| *left = left.saturating_sub(1));
        }
        left.iter().any(|&left| left > 0).then(|| Self {
            array,
            left,
            places: (0..words).map(|word| (word, false)).collect(),
            next: if are_given { 0 } else { words },
            are_given,
            indices: Vec::new(),
            index: 0,
        })
    }

    /// Lets a task read and write.
    fn step(&mut self, trace: &Trace, task: &superstep_tracer::Task<'_>) -> Step {
        self.indices.clear();
        let mut mask = 0;
        for operand in 0..task.operands.len() {
            let read = trace.read(task, operand);
            let (index, is_elsewhere) = match read.array == self.array {
                true => self.places[read.index as usize],
                false => (read.index, false),
            };
            mask |= u64::from(is_elsewhere) << (operand % 64);
            self.indices.push(index as usize);
        }
        let word = task.write as usize;
        if begins(trace, task, self.array) {
            let is_elsewhere = self.left[word] > 0;
            self.places[word] = (
                if is_elsewhere { self.next } else { task.write },
                is_elsewhere,
            );
            self.next += u32::from(is_elsewhere);
            self.left[word] = self.left[word].saturating_sub(1);
        }
        let is_own = trace.kernel().statement(task.statement).target == self.array;
        let (index, is_elsewhere) = match is_own {
            true => self.places[word],
            false => (task.write, false),
        };
        self.index = index;
        (task.statement, mask, is_elsewhere)
    }
}

/// The kernel whose statements read and write values elsewhere.
struct Variants {
    kernel: Kernel,
    /// The array of values elsewhere.
    elsewhere: u16,
    /// The statement for each step.
    numbers: HashMap<Step, u16>,
}

impl Variants {
    fn new(trace: &Trace, values: &Values) -> Self {
        let mut kernel = trace.kernel().clone();
        let own = &mut kernel.arrays[usize::from(values.array)];
        let more: u32 = values.left.iter().sum();
        let mut elsewhere = values.array;
        if values.are_given {
            let name = format!("{}_apart", own.name);
            let new = superstep_tracer::Array {
                name,
                length: None,
                ..own.clone()
            };
            elsewhere = kernel.arrays.len() as u16;
            kernel.arrays.push(new);
        } else {
            own.length = own.length.map(|length| length.max(values.next) + more);
        }
        Self {
            kernel,
            elsewhere,
            numbers: HashMap::new(),
        }
    }

    /// Adds the statement for a step. The first of a statement takes its place.
    fn add(&mut self, trace: &Trace, step: Step) {
        if self.numbers.contains_key(&step) {
            return;
        }
        let (statement, mask, is_elsewhere) = step;
        let is_first = !self.numbers.keys().any(|known| known.0 == statement);
        let mut own = trace.kernel().statement(statement).clone();
        for (at, operand) in own.operands.iter_mut().enumerate() {
            if mask >> (at % 64) & 1 == 1 {
                *operand = self.elsewhere;
            }
        }
        if is_elsewhere {
            own.target = self.elsewhere;
        }
        let number = if is_first {
            statement
        } else {
            self.kernel.statements.len() as u16
        };
        match is_first {
            true => self.kernel.statements[usize::from(statement)] = own,
            false => self.kernel.statements.push(own),
        }
        self.numbers.insert(step, number);
    }

    /// Makes an array an input, if no statement writes it any more.
    fn forget_writes(&mut self, array: u16) {
        if self.kernel.statements.iter().all(|own| own.target != array) {
            self.kernel.arrays[usize::from(array)].role = Role::Input;
        }
    }
}

/// Returns whether a task begins a value of an array: it writes a word that it does not read.
fn begins(trace: &Trace, task: &superstep_tracer::Task<'_>, array: u16) -> bool {
    let is_own = trace.kernel().statement(task.statement).target == array;
    let is_read = |operand: usize| {
        let read = trace.read(task, operand);
        read.array == array && read.index == task.write
    };
    is_own && !(0..task.operands.len()).any(is_read)
}
