//! Traces, schedules and an oracle for the tests and the measuring example.
#![allow(dead_code, unreachable_pub)]

pub mod random;

use superstep_compiler::{CheckedProgram, Passes, lower};
use superstep_dag_builder::from_trace;
use superstep_machine::{Memory, Times};
use superstep_plan::interpret::{self, Statements};
use superstep_schedule::{CheckedSchedule, Schedule};
use superstep_tracer::{
    Choice, DEFAULT_LIMIT, Element, ElementKind, Form, INPUT, Kernel, Operations, Recorder, Role,
    Trace, record,
};

/// Counts so many additions, multiplications and divisions.
pub fn operations([additions, multiplications, divisions]: [u32; 3]) -> Operations {
    Operations {
        additions,
        multiplications,
        divisions,
        ..Operations::default()
    }
}

/// Counts so many maxima.
pub fn maxima(extremes: u32) -> Operations {
    Operations {
        extremes,
        ..Operations::default()
    }
}

/// Makes the choice of one of two values, by those operands.
pub fn chosen(operands: &[u16], ways: [Operations; 2]) -> Operations {
    let choice = Choice {
        operands: operands.to_vec(),
        ways: ways.to_vec(),
        ..Choice::default()
    };
    Operations {
        choices: vec![choice],
        ..Operations::default()
    }
}

/// Adds a statement that moves a word.
pub fn add_move(kernel: &mut Kernel, text: &str, target: u16, from: u16) {
    kernel.add_statement_with(text, target, &[from], Form::Move, Operations::default());
}

/// Adds a statement whose value takes those [`operations`].
pub fn add_value(
    kernel: &mut Kernel,
    text: &str,
    target: u16,
    operands: &[u16],
    numbers: [u32; 3],
) {
    kernel.add_statement_with(text, target, operands, Form::Value, operations(numbers));
}

/// Adds a compound assignment with those [`operations`], its own among them.
pub fn add_update(
    kernel: &mut Kernel,
    text: &str,
    target: u16,
    operands: &[u16],
    numbers: [u32; 3],
) {
    kernel.add_statement_with(text, target, operands, Form::Compound, operations(numbers));
}

/// Returns the element `u32`.
pub fn integers() -> Element {
    Element::new("u32", ElementKind::Integer, 4)
}

/// Traces LU without pivoting, row-major.
pub fn lu(n: usize) -> Trace {
    let mut kernel = Kernel::new("lu");
    let a = kernel.add_array("a", Role::InOut, None);
    let text = "a[i * n + k] /= a[k * n + k]";
    add_update(&mut kernel, text, a, &[a, a], [0, 0, 1]);
    let text = "a[i * n + j] -= a[i * n + k] * a[k * n + j]";
    add_update(&mut kernel, text, a, &[a, a, a], [1, 1, 0]);
    traced(kernel, |recorder| {
        for k in 0..n {
            for i in k + 1..n {
                recorder.push(0, i * n + k, &[i * n + k, k * n + k]);
                for j in k + 1..n {
                    recorder.push(1, i * n + j, &[i * n + j, i * n + k, k * n + j]);
                }
            }
        }
    })
}

/// Traces the radix-2 transform of `n` complex words with bit reversal.
pub fn fft(n: usize) -> Trace {
    let mut kernel = Kernel::new("fft");
    let w = kernel.add_array("twiddles", Role::Input, None);
    let x = kernel.add_array("x", Role::InOut, None);
    let moved = kernel.add_array("moved", Role::Local, Some(1));
    let odd = kernel.add_array("odd", Role::Local, Some(1));
    for array in &mut kernel.arrays {
        array.element = Element::new("Complex<f64>", ElementKind::Complex, 16);
    }
    add_move(&mut kernel, "moved = x[i]", moved, x);
    add_move(&mut kernel, "x[i] = x[j]", x, x);
    add_move(&mut kernel, "x[j] = moved", x, moved);
    let text = "odd = twiddles[k] * x[b]";
    add_value(&mut kernel, text, odd, &[w, x], [0, 1, 0]);
    add_value(&mut kernel, "x[b] = x[a] - odd", x, &[x, odd], [1, 0, 0]);
    add_update(&mut kernel, "x[a] += odd", x, &[x, odd], [1, 0, 0]);
    traced(kernel, |recorder| {
        for i in 0..n {
            let j = i.reverse_bits() >> (n.leading_zeros() + 1);
            if i < j {
                recorder.push(0, 0, &[i]);
                recorder.push(1, i, &[j]);
                recorder.push(2, j, &[0]);
            }
        }
        let mut half = 1;
        while half < n {
            for start in (0..n).step_by(2 * half) {
                for k in 0..half {
                    let (a, b) = (start + k, start + half + k);
                    recorder.push(3, 0, &[k * (n / (2 * half)), b]);
                    recorder.push(4, b, &[a, 0]);
                    recorder.push(5, a, &[a, 0]);
                }
            }
            half *= 2;
        }
    })
}

/// Traces five-point sweeps between two grids.
pub fn jacobi(n: usize, rounds: usize) -> Trace {
    let mut kernel = Kernel::new("jacobi");
    let u = kernel.add_array("u", Role::InOut, None);
    let v = kernel.add_array("v", Role::InOut, None);
    let text = "v[..] = 0.25 * (u + u + u + u)";
    add_value(&mut kernel, text, v, &[u; 4], [3, 1, 0]);
    let text = "u[..] = 0.25 * (v + v + v + v)";
    add_value(&mut kernel, text, u, &[v; 4], [3, 1, 0]);
    traced(kernel, |recorder| {
        for round in 0..2 * rounds {
            for i in 1..n - 1 {
                for j in 1..n - 1 {
                    let at = i * n + j;
                    recorder.push((round % 2) as u16, at, &[at - n, at - 1, at + 1, at + n]);
                }
            }
        }
    })
}

/// Traces one Jacobi iteration of a dense system.
pub fn jacobi_solve(n: usize) -> Trace {
    let mut kernel = Kernel::new("jacobi_solve");
    let [a, b, x] = ["a", "b", "x"].map(|name| kernel.add_array(name, Role::Input, None));
    let y = kernel.add_array("y", Role::InOut, None);
    let change = kernel.add_array("change", Role::InOut, Some(1));
    let sum = kernel.add_array("sum", Role::Local, Some(1));
    kernel.add_statement("sum = 0.0", sum, &[]);
    let text = "sum += a[i * n + j] * x[j]";
    add_update(&mut kernel, text, sum, &[sum, a, x], [1, 1, 0]);
    let text = "y[i] = (b[i] - sum) / a[i * n + i]";
    add_value(&mut kernel, text, y, &[b, sum, a], [1, 0, 1]);
    kernel.add_statement("change = 0.0", change, &[]);
    let text = "change += (y[i] - x[i]) * (y[i] - x[i])";
    let operands = [change, y, x, y, x];
    add_update(&mut kernel, text, change, &operands, [3, 1, 0]);
    let root = Operations {
        roots: 1,
        ..Operations::default()
    };
    let text = "change = change.sqrt()";
    kernel.add_statement_with(text, change, &[change], Form::Value, root);
    traced(kernel, |recorder| {
        for i in 0..n {
            recorder.push(0, 0, &[]);
            for j in (0..n).filter(|&j| j != i) {
                recorder.push(1, 0, &[0, i * n + j, j]);
            }
            recorder.push(2, i, &[i, 0, i * n + i]);
        }
        recorder.push(3, 0, &[]);
        for i in 0..n {
            recorder.push(4, 0, &[0, i, i, i, i]);
        }
        recorder.push(5, 0, &[0]);
    })
}

/// Traces a forward substitution with the lower factor pattern of the five-point Laplacian on an
/// `n` x `n` grid.
pub fn sptrsv(n: usize) -> Trace {
    let mut kernel = Kernel::new("sptrsv");
    let values = kernel.add_array("values", Role::Input, None);
    let b = kernel.add_array("b", Role::Input, None);
    let x = kernel.add_array("x", Role::InOut, None);
    add_move(&mut kernel, "x[i] = b[i]", x, b);
    let text = "x[i] -= values[e] * x[col[e]]";
    add_update(&mut kernel, text, x, &[x, values, x], [1, 1, 0]);
    let text = "x[i] /= values[row[i + 1] - 1]";
    add_update(&mut kernel, text, x, &[x, values], [0, 0, 1]);
    traced(kernel, |recorder| {
        let mut entry = 0;
        for i in 0..n * n {
            recorder.push(0, i, &[i]);
            let up = (i >= n).then(|| i - n);
            let left = (i % n > 0).then(|| i - 1);
            for column in up.into_iter().chain(left) {
                recorder.push(1, i, &[i, entry, column]);
                entry += 1;
            }
            recorder.push(2, i, &[i, entry]);
            entry += 1;
        }
    })
}

/// Traces the longest common subsequence.
pub fn lcs(n: usize, m: usize) -> Trace {
    let mut kernel = Kernel::new("lcs");
    let a = kernel.add_array("a", Role::Input, None);
    let b = kernel.add_array("b", Role::Input, None);
    let length = kernel.add_array("length", Role::InOut, None);
    kernel.add_statement("length[j] = 0", length, &[]);
    kernel.add_statement("length[i * width] = 0", length, &[]);
    let longer = chosen(&[0, 1], [operations([1, 0, 0]), maxima(1)]);
    let operands = [a, b, length, length, length];
    kernel.add_statement_with("length[..] = if ..", length, &operands, Form::Value, longer);
    let width = m + 1;
    traced(kernel, |recorder| {
        for j in 0..=m {
            recorder.push(0, j, &[]);
        }
        for i in 1..=n {
            recorder.push(1, i * width, &[]);
            for j in 1..=m {
                let at = i * width + j;
                recorder.push(2, at, &[i - 1, j - 1, at - width - 1, at - width, at - 1]);
            }
        }
    })
}

pub fn traced(kernel: Kernel, run: impl FnOnce(&mut Recorder)) -> Trace {
    record(kernel, DEFAULT_LIMIT, run).expect("the trace is in range")
}

/// Schedules every task on `owner(task)`, in the earliest superstep that its operands allow.
pub fn by_owner(trace: &Trace, processors: u32, owner: impl Fn(&Trace, u32) -> u32) -> Schedule {
    let tasks = trace.tasks() as u32;
    let mut steps: Vec<u32> = Vec::with_capacity(trace.tasks());
    let owners: Vec<u32> = (0..tasks).map(|task| owner(trace, task)).collect();
    for (id, task) in trace.iter().enumerate() {
        let after = task
            .producers()
            .map(|p| steps[p as usize] + u32::from(owners[p as usize] != owners[id]));
        steps.push(after.max().unwrap_or(0));
    }
    let supersteps = steps.iter().max().map_or(0, |s| s + 1);
    let mut lists = vec![Vec::new(); (supersteps * processors) as usize];
    for task in 0..tasks {
        lists[(steps[task as usize] * processors + owners[task as usize]) as usize].push(task);
    }
    let mut schedule = Schedule::new(processors);
    lists.into_iter().for_each(|list| schedule.push(list));
    schedule
}

/// Makes the program of a schedule, with private memories, replayed.
pub fn program(trace: &Trace, schedule: &Schedule) -> CheckedProgram {
    assembled(trace, schedule, Memory::Private)
}

/// Makes the program of a schedule, which shares what it can, replayed.
pub fn sharing(trace: &Trace, schedule: &Schedule) -> CheckedProgram {
    assembled(trace, schedule, Memory::Shared)
}

fn assembled(trace: &Trace, schedule: &Schedule, memory: Memory) -> CheckedProgram {
    let graph = from_trace(trace);
    let schedule = CheckedSchedule::new(&graph, schedule.clone()).expect("the schedule is valid");
    lower(trace, &schedule, memory, &Times::default(), Passes::ALL)
        .expect("a schedule of the trace")
        .check(trace)
        .unwrap_or_else(|error| panic!("{error}"))
}

/// Words are hashes of how they were computed, so that one wrong version shows.
pub struct Hashing<'a>(pub &'a Trace);

fn mix(hash: u64, word: u64) -> u64 {
    (hash.rotate_left(23) ^ word)
        .wrapping_mul(0x9e37_79b9_7f4a_7c15)
        .rotate_right(29)
}

fn input(array: u16, index: u32) -> u64 {
    mix(u64::from(array) + 1, u64::from(index) + 1)
}

fn value(
    statement: u16,
    operands: impl Iterator<Item = u64>,
    control: impl Iterator<Item = i64>,
) -> u64 {
    let hash = operands.fold(mix(7, u64::from(statement)), mix);
    control.fold(hash, |hash, value| mix(hash, value as u64))
}

impl Statements for Hashing<'_> {
    type Memory = Vec<Vec<u64>>;

    fn execute(&self, statement: u16, memory: &mut Self::Memory, components: &[i64]) {
        let text = self.0.kernel().statement(statement);
        let (slots, control) = components[1..].split_at(text.operands.len());
        let operands = text
            .operands
            .iter()
            .zip(slots)
            .map(|(&array, &slot)| memory[usize::from(array)][slot as usize]);
        let word = value(statement, operands, control.iter().copied());
        memory[usize::from(text.target)][components[0] as usize] = word;
    }
}

impl Hashing<'_> {
    /// Returns the number of components of each statement.
    pub fn components(&self) -> Vec<u32> {
        let statements = &self.0.kernel().statements;
        statements
            .iter()
            .map(|s| (1 + s.operands.len() + s.control.len()) as u32)
            .collect()
    }

    /// Returns the caller's arguments before the run.
    pub fn arguments(&self) -> Vec<Vec<u64>> {
        let words =
            |(array, &extent): (usize, &u32)| (0..extent).map(|i| input(array as u16, i)).collect();
        self.0.extents().iter().enumerate().map(words).collect()
    }

    /// Returns the arguments after a sequential run.
    pub fn sequential(&self) -> Vec<Vec<u64>> {
        let trace = self.0;
        let mut values: Vec<u64> = Vec::with_capacity(trace.tasks());
        for task in trace.iter() {
            let operand = |o: usize| match task.operands[o] {
                name if name & INPUT == 0 => values[name as usize],
                name => input(
                    trace.kernel().statement(task.statement).operands[o],
                    name & !INPUT,
                ),
            };
            let operands = (0..task.operands.len()).map(operand);
            let word = value(task.statement, operands, task.control.iter().copied());
            values.push(word);
        }
        let mut arguments = self.arguments();
        for (address, task) in trace.results() {
            arguments[usize::from(address.array)][address.index as usize] = values[task as usize];
        }
        arguments
    }

    /// Returns the arguments after a run of `program` from its tables.
    pub fn interpreted(&self, program: &CheckedProgram) -> Vec<Vec<u64>> {
        let mut arguments = self.arguments();
        interpret::run(self, program.plan(), &self.components(), &mut arguments);
        arguments
    }
}
