//! Predictions follow what a program does, and nothing else.

mod support;

use superstep_compiler::{Data, Passes, Program, lower};
use superstep_dag_builder::from_trace;
use superstep_machine::{Core, Memory, Times};
use superstep_schedule::CheckedSchedule;
use superstep_tracer::{Element, Form, Kernel, Operations, Role, Trace};
use support::{by_owner, jacobi, jacobi_solve, lu};

const N: usize = 66;

/// Makes the program in which each processor has as many rows as the others.
fn by_rows(trace: &Trace, processors: u32, memory: Memory) -> Program {
    let rows = (N as u32).div_ceil(processors);
    let owner = |trace: &Trace, task: u32| trace.writes()[task as usize] / N as u32 / rows;
    let schedule = by_owner(trace, processors, owner);
    let graph = from_trace(trace);
    let schedule = CheckedSchedule::new(&graph, schedule).expect("the schedule is valid");
    lower(trace, &schedule, memory, &Times::default(), Passes::ALL)
        .expect("a schedule of the trace")
}

fn predicted(trace: &Trace, program: &Program, times: &Times) -> u64 {
    let mut program = program.clone();
    program.predict(trace.kernel(), times, Data::Caller);
    program.plan.predicted
}

/// Returns times by which everything that is not computation takes no time.
fn computation() -> Times {
    Times {
        barrier: 0.0,
        gap: 0.0,
        claim: 0.0,
        call: 0.0,
        run: 0.0,
        value: 0.0,
        line: 0.0,
        ..Times::default()
    }
}

#[test]
fn computation_is_shared_out() {
    let trace = jacobi(N, 2);
    let [one, two] = [1, 2].map(|processors| {
        let program = by_rows(&trace, processors, Memory::Shared);
        predicted(&trace, &program, &computation()) as f64
    });
    assert!((two / one - 0.5).abs() < 0.01, "{one} {two}");
}

#[test]
fn every_wait_counts_once_on_the_way_to_the_end() {
    let trace = jacobi(N, 2);
    let program = by_rows(&trace, 2, Memory::Shared);
    assert_eq!(
        program.plan.precedences.len(),
        2 * 3,
        "of either processor, after each sweep but the last"
    );
    let with = |barrier: f64| {
        predicted(
            &trace,
            &program,
            &Times {
                barrier,
                ..computation()
            },
        )
    };
    assert_eq!(with(1000.0) - with(0.0), 3000);
}

#[test]
fn words_of_messages_and_shared_words_of_others_cost_the_gap() {
    let trace = jacobi(N, 2);
    for arguments in [Memory::Private, Memory::Shared] {
        let program = by_rows(&trace, 2, arguments);
        let with = |gap: f64| {
            predicted(
                &trace,
                &program,
                &Times {
                    gap,
                    ..computation()
                },
            )
        };
        // Three times a row of 64 inner words, at least. Shared ones come in lines of eight, most
        // of which come in while others are computed.
        let words = (with(1100.0) - with(100.0)) / 1000;
        assert!(words >= 3 * 64, "{arguments:?}: {words}");
        let short = (with(0.02) - with(0.0)) * 50;
        let is_hidden = short < words / 2;
        assert_eq!(
            is_hidden,
            arguments == Memory::Shared,
            "{arguments:?}: {short} of {words}"
        );
    }
    let alone = by_rows(&trace, 1, Memory::Shared);
    let with = |gap: f64| {
        predicted(
            &trace,
            &alone,
            &Times {
                gap,
                ..computation()
            },
        )
    };
    assert_eq!(with(1.0), with(0.0));
}

#[test]
fn writing_again_what_another_has_read_costs_a_claim_for_each_line() {
    let trace = jacobi(N, 2);
    let with = |processors, arguments, claim| {
        let program = by_rows(&trace, processors, arguments);
        let times = Times {
            claim,
            ..computation()
        };
        predicted(&trace, &program, &times)
    };
    let lines = |arguments| (with(2, arguments, 1100.0) - with(2, arguments, 100.0)) / 1000;
    // A row of 64 inner words in all sweeps but the first: what the sweep before has read, or what
    // is sent.
    let rows = 3;
    // In the second sweep, what the caller has written and the first sweep has read: one half of a
    // grid.
    let shared = lines(Memory::Shared);
    let halved = (N as u64 - 2) / 2;
    assert!(
        (8 * (rows + halved)..=9 * (rows + halved)).contains(&shared),
        "{shared}"
    );
    // The caller hands over two halves of a grid and takes back all that their inner words are.
    let handed = 2 * (N * N) as u64 / 2 / 8 + 2 * halved * (N as u64 - 2) / 8;
    let private = lines(Memory::Private);
    assert!(private > handed + 8 * rows, "{private} {handed}");
    let alone = |claim| with(1, Memory::Shared, claim);
    assert_eq!(alone(100.0), alone(0.0));
}

#[test]
fn lines_cost_where_the_arrays_do_not_fit() {
    let trace = jacobi(N, 2);
    let program = by_rows(&trace, 1, Memory::Shared);
    let with = |cache: f64| {
        let times = Times {
            line: 100.0,
            core: Core {
                cache,
                ..Core::default()
            },
            ..computation()
        };
        predicted(&trace, &program, &times)
    };
    // Two grids of 34 kB.
    assert_eq!(with(80_000.0), with(1e9));
    assert!(with(8_000.0) > with(80_000.0));
}

#[test]
fn sums_wait_for_themselves() {
    let with = |trace: &Trace, wait: f64| {
        let times = Times {
            wait,
            ..computation()
        };
        predicted(trace, &by_rows(trace, 1, Memory::Shared), &times)
    };
    let trace = jacobi_solve(N);
    let products = (N * (N - 1)) as f64;
    let grown = (with(&trace, 200.0) - with(&trace, 100.0)) as f64;
    // Sums of 65 products: while one ends, the next has begun.
    let share = grown / (100.0 * products);
    assert!((0.5..0.8).contains(&share), "{share}");
    // Updates of different words do not: only the words of a panel wait for those before them in
    // their rows.
    let trace = lu(N);
    let grown = (with(&trace, 200.0) - with(&trace, 100.0)) as f64;
    let share = grown / (100.0 * trace.tasks() as f64);
    assert!((0.001..0.05).contains(&share), "{share}");
}

/// Counts the waits of a task of `rows` rows, if `times` has what a wait takes. Its operands are
/// the word that `index` gives and one of its own, all of type `element`.
fn waits(
    form: Form,
    operations: Operations,
    element: Element,
    rows: usize,
    index: impl Fn(usize, usize) -> [usize; 2],
    times: impl Fn(f64) -> Times,
) -> f64 {
    let mut kernel = Kernel::new("waits");
    let y = kernel.add_array("y", Role::InOut, None);
    let a = kernel.add_array("a", Role::Input, None);
    for array in &mut kernel.arrays {
        array.element = element.clone();
    }
    kernel.add_statement_with("y[..] = ..", y, &[y, a], form, operations);
    let columns = N * N / rows;
    let trace = support::traced(kernel, |recorder| {
        for (i, j) in (0..rows).flat_map(|i| (0..columns).map(move |j| (i, j))) {
            let [write, read] = index(i, i * columns + j);
            recorder.push(0, write, &[read, i * columns + j]);
        }
    });
    let with = |wait: f64| {
        let program = by_rows(&trace, 1, Memory::Shared);
        predicted(&trace, &program, &times(wait)) as f64
    };
    (with(3200.0) - with(200.0)) / (3000.0 * (N * N) as f64)
}

#[test]
fn integers_wait_for_integers_and_lines_of_a_block_together() {
    let floats = |wait| Times {
        wait,
        ..computation()
    };
    let integers = |wait_integer| Times {
        wait_integer,
        ..computation()
    };
    let near = |found: f64, expected: f64| (found - expected).abs() < 0.1;
    let recurrence = |operations: &Operations, element, times: &dyn Fn(f64) -> Times| {
        let before = |_, k: usize| [k, k.saturating_sub(1)];
        let operations = operations.clone();
        waits(Form::Value, operations, element, 1, before, times)
    };
    let float = Element::default;
    let integer = support::integers;
    // y[k] = y[k - 1] + a[k]
    let sums = support::operations([1, 0, 0]);
    // y[k] = y[k - 1].max(a[k])
    let maxima = support::maxima(1);
    // y[k] = if y[k - 1] > 3 { a[k] } else { 1 }
    let chosen = support::chosen(&[0], [Operations::default(), Operations::default()]);
    // y[k] = if k > 3 { y[k - 1] } else { a[k] }: compilers make a branch of it, and the words
    // before are not waited for.
    let foreseen = support::chosen(&[], [Operations::default(), Operations::default()]);
    let found = [
        recurrence(&sums, float(), &floats),
        recurrence(&sums, float(), &integers),
        recurrence(&sums, integer(), &floats),
        recurrence(&sums, integer(), &integers),
        recurrence(&maxima, integer(), &integers),
        recurrence(&chosen, integer(), &integers),
        recurrence(&foreseen, integer(), &integers),
    ];
    let expected = [1.0, 0.0, 0.0, 1.0, 2.0, 2.0, 0.0];
    assert!(
        found.iter().zip(expected).all(|(&f, e)| near(f, e)),
        "{found:?}"
    );
    // Four sums at a time.
    let sums = waits(Form::Compound, sums, float(), 4, |i, _| [i, i], floats);
    assert!(near(sums, 0.25), "{sums}");
}

/// Inputs and results of private memory are copied for a caller. Ranks keep theirs.
#[test]
fn words_are_handed_over_where_the_caller_holds_the_data() {
    let trace = jacobi(N, 2);
    let times = Times::default();
    let predict = |memory, data| {
        let mut program = by_rows(&trace, 2, memory);
        program.predict(trace.kernel(), &times, data)
    };
    let [held, kept] = [Data::Caller, Data::Processors].map(|data| predict(Memory::Private, data));
    // All inner points are read, and written.
    let words = 2.0 * ((N - 2) * (N - 2)) as f64;
    assert!(
        held as f64 > kept as f64 + words * times.word,
        "{held} {kept}"
    );
    let [held, kept] = [Data::Caller, Data::Processors].map(|data| predict(Memory::Shared, data));
    assert_eq!(held, kept, "arrays are used in place");
}

/// The function gains on short loops, which start for nothing in it, and a program on long ones, of
/// which it makes vectors.
#[test]
fn the_function_has_no_starts_and_no_tables_and_no_vectors() {
    let times = |run: f64, value: f64, vector: f64| Times {
        run,
        value,
        vector_load: vector,
        aligned_load: vector,
        vector_store: vector,
        vector_operation: vector,
        ..Times::default()
    };
    let options = |times| superstep_compiler::Options {
        times,
        ..superstep_compiler::Options::default()
    };
    let compile = |trace: &Trace, times| {
        let request = [superstep_compiler::Request::exactly(1)];
        let compilation = superstep_compiler::compile(trace, &request, &options(times));
        let report = compilation
            .expect("it serves all")
            .programs
            .remove(0)
            .report;
        (report.function, report.predicted() as u64)
    };
    let trace = jacobi(N, 2);
    let usual = compile(&trace, Times::default());
    assert!(usual.1 < usual.0, "{usual:?}");
    let slow = compile(&trace, times(1000.0, 1000.0, 100.0));
    assert!(slow.1 > 10 * usual.1, "{slow:?}");
    assert_eq!(slow.0, usual.0);
    // Rows of three words.
    let usual = compile(&jacobi(5, 40), Times::default());
    assert!(usual.1 > usual.0, "{usual:?}");
}
