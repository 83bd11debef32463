//! Messages that a user reads when a run cannot be traced.

use insta::assert_snapshot;
use superstep_tracer::arithmetic::{add, div, mul, neg, shl, sub};
use superstep_tracer::{DEFAULT_LIMIT, Kernel, Part, Recorder, Role, TraceError, UNKNOWN, record};

/// Makes a kernel of `a` (slice), `t` (fixed, 3 x 4 words), two loops, two statements:
/// `a[i] = t[k][i]` and `t[k][i] = k`.
fn kernel() -> Kernel {
    let mut kernel = Kernel::new("demo");
    kernel.file = "src/kernels.rs".into();
    kernel.line = 7;
    let a = kernel.add_array("a", Role::InOut, None);
    let t = kernel.add_array("t", Role::Local, Some(12));
    let copy = kernel.add_statement("a[i] = t[k][i]", a, &[t]);
    let fill = kernel.add_statement("t[k][i] = k", t, &[]);
    kernel.statements[usize::from(copy)].line = 12;
    kernel.statements[usize::from(fill)].line = 13;
    kernel.statements[usize::from(fill)].control = vec!["usize".into()];
    kernel.variables = vec!["k".into(), "i".into()];
    kernel
}

fn failure(run: impl FnOnce(&mut Recorder)) -> TraceError {
    record(kernel(), DEFAULT_LIMIT, run).expect_err("the run fails")
}

#[test]
fn an_index_out_of_a_dimension_is_named_with_statement_and_iteration() {
    let error = failure(|recorder| {
        for k in 0..3 {
            recorder.iteration(0, 0, k as i64);
            for i in 0..5 {
                recorder.iteration(1, 1, i as i64);
                recorder.enter(0);
                let from = recorder.index(1, [3, 4], [k, i]);
                recorder.task(0, 0, i, [(1, from)]);
            }
            recorder.leave(1);
        }
    });
    assert!(matches!(
        error,
        TraceError::Index {
            index: 4,
            length: 4,
            ..
        }
    ));
    assert_snapshot!(error, @"src/kernels.rs:12, kernel `demo`, in `a[i] = t[k][i]`, at k = 0, i = 4: index 4 is out of range for `t` of length 4");
}

#[test]
fn an_index_beyond_a_fixed_array_is_found_without_dimensions() {
    let error = failure(|recorder| {
        recorder.enter(0);
        recorder.task(0, 0, 0, [(1, 12)]);
    });
    assert_snapshot!(error, @"src/kernels.rs:12, kernel `demo`, in `a[i] = t[k][i]`: index 12 is out of range for `t` of length 12");
}

#[test]
fn a_slice_may_be_given_its_length() {
    let error = failure(|recorder| {
        recorder.length(0, 2);
        for i in 0..3 {
            recorder.iteration(0, 1, i as i64);
            recorder.enter(0);
            recorder.task(0, 0, i, [(1, 0)]);
        }
    });
    assert_snapshot!(error, @"src/kernels.rs:12, kernel `demo`, in `a[i] = t[k][i]`, at i = 2: index 2 is out of range for `a` of length 2");
}

#[test]
fn a_statement_of_another_file_is_named_with_that() {
    let mut kernel = kernel();
    kernel.statements[0].file = Some("src/tiles.rs".into());
    assert_eq!(kernel.location(0), "src/tiles.rs:12");
    assert_eq!(kernel.location(1), "src/kernels.rs:13");
    let error = record(kernel, DEFAULT_LIMIT, |recorder| {
        recorder.enter(0);
        recorder.index(0, [3], [3]);
    });
    assert_snapshot!(error.expect_err("the run fails"), @"src/tiles.rs:12, kernel `demo`, in `a[i] = t[k][i]`: index 3 is out of range for `a` of length 3");
}

#[test]
fn an_index_beyond_a_part_is_found_where_the_array_goes_on() {
    let error = failure(|recorder| {
        let x = Part::new("x", 4, 8, UNKNOWN);
        assert_eq!((x.at(0), x.at(3), x.len(), x.is_empty()), (4, 7, 4, false));
        recorder.iteration(0, 1, 4);
        recorder.enter(0);
        recorder.index(0, [UNKNOWN], [x.at(4)]);
    });
    assert_snapshot!(error, @"src/kernels.rs:12, kernel `demo`, in `a[i] = t[k][i]`, at i = 4: index 4 is out of range for `x` of length 4");
}

#[test]
fn a_part_that_is_not_within_its_array_is_an_error() {
    let parts = [(4, 9, 8), (5, 4, UNKNOWN), (5, 4, 8)];
    let errors = parts.map(|(start, end, outer)| {
        let error = failure(|_| {
            Part::new("x", start, end, outer);
        });
        error.to_string()
    });
    assert_snapshot!(errors.join("\n"), @"
    src/kernels.rs:7, kernel `demo`: `x` would be elements 4..9 of an array of length 8
    src/kernels.rs:7, kernel `demo`: `x` would be elements 5..4 of an array
    src/kernels.rs:7, kernel `demo`: `x` would be elements 5..4 of an array of length 8
    ");
    Part::new("x", 8, 8, 8);
    assert_eq!(
        Part::new("x", 8, UNKNOWN, 8).at(1),
        9,
        "the array itself knows its end"
    );
}

#[test]
fn an_index_beyond_what_a_trace_can_hold_is_an_error_and_no_allocation() {
    let error = failure(|recorder| {
        recorder.enter(0);
        let target = recorder.index(0, [UNKNOWN, 8], [usize::MAX / 4, 7]);
        recorder.task(0, 0, target, [(1, 0)]);
    });
    assert_snapshot!(error, @"src/kernels.rs:12, kernel `demo`, in `a[i] = t[k][i]`: index 18446744073709551615 of `a` is beyond 2^31 - 1, the largest that can be traced");
}

#[test]
fn overflow_in_a_statement_is_blamed_on_it() {
    let error = failure(|recorder| {
        recorder.iteration(0, 0, 2);
        recorder.enter(0);
        let target = sub(2_usize, 3);
        recorder.task(0, 0, target, [(1, 0)]);
    });
    assert_snapshot!(error, @"src/kernels.rs:12, kernel `demo`, in `a[i] = t[k][i]`, at k = 2: 2 - 3 overflows `usize`");
}

#[test]
fn overflow_between_statements_is_blamed_on_its_line() {
    let error = failure(|recorder| {
        recorder.task(0, 0, 0, [(1, 0)]);
        mul(1_u64 << 40, 1 << 40);
    });
    assert_snapshot!(error, @"src/kernels.rs:7, kernel `demo`: 1099511627776 * 1099511627776 overflows `u64`");

    let mut kernel = kernel();
    kernel.file = file!().into();
    let line = line!() + 2;
    let run = |_: &mut Recorder| {
        let _ = add(u8::MAX, 1);
    };
    let error = record(kernel, DEFAULT_LIMIT, run).expect_err("the run fails");
    assert!(matches!(error, TraceError::Overflow { location, .. } if location.line == line));
}

#[test]
fn operations_without_a_result_say_why() {
    let told = |run: fn()| match failure(|_| run()) {
        TraceError::Overflow { operation, .. } => operation,
        other => other.to_string(),
    };
    let all = [
        told(|| _ = div(7, 0)),
        told(|| _ = div(i8::MIN, -1)),
        told(|| _ = neg(i64::MIN)),
        told(|| _ = shl(1_u16, 16)),
        told(|| _ = shl(1_u16, -1)),
    ];
    assert_snapshot!(all.join("\n"), @r"
7 / 0 divides by zero
-128 / -1 overflows `i8`
-(-9223372036854775808) overflows `i64`
1 << 16 overflows `u16`
1 << -1 overflows `u16`
");
}

#[test]
fn a_run_stops_at_exactly_its_limit() {
    for limit in [0, 1, 15, 16, 17, 40] {
        let run = |tasks: u64| {
            move |recorder: &mut Recorder| {
                for i in 0..tasks {
                    recorder.iteration(0, 1, i as i64);
                    recorder.task(0, 0, 0, [(1, 0)]);
                }
            }
        };
        assert_eq!(
            record(kernel(), limit, run(limit)).unwrap().tasks() as u64,
            limit
        );
        let error = record(kernel(), limit, run(limit + 1)).expect_err("one too many");
        if limit == 17 {
            assert_snapshot!(error, @"src/kernels.rs:12, kernel `demo`, in `a[i] = t[k][i]`, at i = 17: more than 17 tasks");
        }
        assert!(matches!(error, TraceError::Limit { limit: l, .. } if l == limit));
    }
}

#[test]
fn a_kernel_that_can_give_up_has_no_trace() {
    let error = record(kernel(), DEFAULT_LIMIT, |recorder| recorder.can_give_up());
    assert_snapshot!(error.expect_err("it says so"), @"src/kernels.rs:7, kernel `demo`: this kernel can give up, as its `#[guard]` says, and no program is generated for it: plan it when the program runs, with `plan` in place of `instance`");
}

/// Returns the error of a run that panics, from a kernel in `file`.
fn panic_in(file: &str) -> TraceError {
    let mut kernel = kernel();
    kernel.file = file.into();
    let row: Vec<usize> = vec![0, 1];
    let run = |recorder: &mut Recorder| {
        recorder.iteration(0, 0, 1);
        let _ = row[add(1, 1)];
    };
    record(kernel, DEFAULT_LIMIT, run).expect_err("the run panics")
}

#[test]
fn a_panic_of_the_kernels_own_code_keeps_its_words_and_line() {
    let TraceError::Panic {
        at: Some((file, line)),
        ..
    } = panic_in(file!())
    else {
        panic!("no panic, or nobody knows where");
    };
    assert!(file.ends_with("errors.rs"), "{file}");
    let said = panic_in(file!()).to_string();
    let expected = format!(
        "{}:{line}, kernel `demo`, at k = 1: panicked: index out of bounds: the len is 2 but the index is 2",
        file!()
    );
    assert_eq!(said, expected);
}

#[test]
fn a_panic_elsewhere_is_said_beside_the_kernel() {
    let said = panic_in("src/kernels.rs").to_string();
    assert!(
        said.starts_with("src/kernels.rs:7, kernel `demo`, at k = 1: panicked at "),
        "{said}"
    );
    assert!(
        said.ends_with(": index out of bounds: the len is 2 but the index is 2"),
        "{said}"
    );
}

#[test]
fn a_trace_function_that_does_not_fit_the_table_is_found_out() {
    assert_snapshot!(failure(|recorder| recorder.task(0, 0, 0, [])), @"src/kernels.rs:12, kernel `demo`, in `a[i] = t[k][i]`: 0 operands given, 1 in the statement table");
    assert_snapshot!(failure(|recorder| recorder.push(1, 0, &[3])), @"src/kernels.rs:13, kernel `demo`, in `t[k][i] = k`: 1 operands given, 0 in the statement table");
    assert_snapshot!(failure(|recorder| recorder.task(1, 1, 0, [])), @"src/kernels.rs:7, kernel `demo`: 0 control values given, 1 by the statement table");
}
