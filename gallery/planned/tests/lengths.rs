//! Arrays that are not as long as a plan needs are errors that name array, word and iteration,
//! before anything runs.

mod patterns;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::{panic, sync::Once};

use patterns::{WINDOWS, small};
use superstep::RunError;
use superstep::plan::{LengthError, PlanningError};
use superstep_planned::{kernels, lengths};

/// Panics of this process.
static PANICS: AtomicUsize = AtomicUsize::new(0);

/// Calls what must not panic: what a hook prints is no error.
fn quiet<T>(call: impl FnOnce() -> T) -> T {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            PANICS.fetch_add(1, Ordering::Relaxed);
            before(info);
        }));
    });
    let result = call();
    assert_eq!(PANICS.load(Ordering::Relaxed), 0);
    result
}

/// The text of an error that is one of lengths.
fn of_run<T>(run: Result<T, RunError>) -> String {
    match run.err().expect("an array is too short") {
        RunError::Length(error) => error.to_string(),
        other => panic!("{other}"),
    }
}

/// The text of an error of planning, loading or updating that is one of lengths.
fn of_planning<T>(planned: Result<T, PlanningError>) -> String {
    match planned.err().expect("an array is too short") {
        PlanningError::Length(error) => error.to_string(),
        other => panic!("{other}"),
    }
}

/// The error of the kernel `forward` where an array has too few words.
fn forward(array: &str, word: usize, words: &str) -> String {
    format!("forward: iteration 1 uses `{array}[{word}]`, but `{array}` has {words} only")
}

#[test]
fn runs_loads_and_updates_say_the_same() {
    let (row, col, values) = ([0, 1, 3], [0, 0, 1], [1.0, 2.0, 4.0]);
    let (schedule, costs) = small(WINDOWS);
    for processors in [1, 2] {
        let plan = kernels::forward::plan(2, &row, &col).exactly(processors);
        let plan = plan.schedule(schedule).costs(costs).build().unwrap();
        let too_few = forward("values", 2, "2 words");
        quiet(|| {
            let short = plan.run(&values, &mut [1.0]);
            assert_eq!(of_run(short), forward("x", 1, "1 word"));
            assert_eq!(of_run(plan.run(&values[..2], &mut [1.0, 2.0])), too_few);
            assert_eq!(of_planning(plan.load(&values[..2])), too_few);
            let mut loaded = plan.load(&values).unwrap();
            assert_eq!(of_run(loaded.run(&mut [1.0])), forward("x", 1, "1 word"));
            let short = loaded.update(&values[..0]);
            assert_eq!(of_planning(short), forward("values", 2, "0 words"));
            let mut x = [1.0, 10.0];
            loaded.run(&mut x).unwrap();
            assert_eq!(x, [1.0, 2.0], "the values that were loaded stay");
            // More than are used, and in place as well.
            loaded.update(&[1.0, 2.0, 8.0, 16.0]).unwrap();
            let (mut x, mut y) = ([1.0, 10.0, 0.5], [1.0, 10.0]);
            loaded.run(&mut x).unwrap();
            assert_eq!(x, [1.0, 1.0, 0.5]);
            plan.run(&[1.0, 2.0, 8.0, 16.0], &mut y).unwrap();
            assert_eq!(y, [1.0, 1.0]);
        });
    }
}

#[test]
fn arrays_of_every_kind_are_compared() {
    let (n, from) = (4, [1, 7, 2, 0]);
    for processors in [1, 2] {
        let plan = lengths::gathered::plan(n, &from).exactly(processors);
        let plan = plan.build().unwrap();
        let loaded = plan.load(&[1.0; 8]).unwrap();
        let run = |by: usize, weights: usize, b: usize, x: usize| {
            let (weights, b) = (vec![1.0; weights], vec![[1.0; 2]; b]);
            let loaded = loaded.run(&weights, &b, &mut vec![0.0; x]).err();
            let placed = plan.run(&vec![1.0; by], &weights, &b, &mut vec![0.0; x]);
            if by == 8 {
                assert_eq!(
                    loaded.map(|error| error.to_string()),
                    Some(of_run_again(&placed))
                );
            }
            of_run(placed)
        };
        let short = |iteration: u32, array: &str, word: usize, words: usize| {
            format!(
                "gathered: iteration {iteration} uses `{array}[{word}]`, but `{array}` has {words} words only"
            )
        };
        quiet(|| {
            assert_eq!(run(7, 7, 4, 4), short(1, "by", 7, 7));
            assert_eq!(run(8, 6, 4, 4), short(0, "weights", 6, 6));
            // Words of nested arrays, one after the other.
            assert_eq!(run(8, 7, 3, 4), short(1, "b", 7, 6));
            assert_eq!(run(8, 7, 4, 2), short(3, "x", 3, 2));
        });
    }
}

fn of_run_again(run: &Result<(), RunError>) -> String {
    run.as_ref().unwrap_err().to_string()
}

#[test]
fn scratch_is_compared() {
    let (row, col) = ([0, 1, 2], [0, 1]);
    let plan = kernels::gathered::plan(2, &row, &col);
    let plan = plan.exactly(2).build().unwrap();
    let short = quiet(|| plan.run(&[1.0; 2], &mut [0.0], &mut [false; 2], &mut [0.0; 2]));
    let expected = "gathered: iteration 1 uses `dense[1]`, but `dense` has 1 word only";
    assert_eq!(of_run(short), expected);
}

#[test]
fn planning_compares_lengths_that_it_knows() {
    let error =
        |n, a, twice| quiet(|| of_planning(lengths::doubled::plan(n, a, twice).exactly(2).build()));
    let short = |array: &str, word: usize, words: usize| {
        format!(
            "doubled: iteration {word} uses `{array}[{word}]`, but `{array}` has {words} words only"
        )
    };
    assert_eq!(error(5, 3, 5), short("a", 3, 3));
    assert_eq!(error(5, 5, 2), short("twice", 2, 2));
    assert_eq!(error(7, 7, 7), short("table", 6, 6));
    assert!(lengths::doubled::plan(6, 6, 6).build().is_ok());

    let plan = |x, a| {
        lengths::placed::plan(3, &[2, 5, 1], a, x)
            .exactly(2)
            .build()
    };
    for (error, array) in [(plan(5, 6), "x"), (plan(6, 5), "a")] {
        let text = quiet(|| of_planning(error));
        let expected =
            format!("placed: iteration 1 uses `{array}[5]`, but `{array}` has 5 words only");
        assert_eq!(text, expected);
    }
    // Not even memory for so many words is asked for.
    let far = lengths::placed::plan(1, &[usize::MAX / 16], 6, 6).exactly(2);
    assert!(quiet(|| of_planning(far.build())).contains("but `a` has 6 words only"));
}

#[test]
fn a_length_that_control_reads_is_that_of_the_plan() {
    let plan = lengths::placed::plan(2, &[1, 0], 2, 3).exactly(2).build();
    let plan = plan.unwrap();
    let other = "placed: the plan is for 3 words of `x`, which has 4";
    quiet(|| {
        assert_eq!(of_run(plan.run(&[1.0; 2], &mut [0.0; 4])), other);
        let other = "placed: the plan is for 2 words of `a`, which has 3";
        assert_eq!(of_planning(plan.load(&[1.0; 3])), other);
        let mut loaded = plan.load(&[1.0; 2]).unwrap();
        assert_eq!(of_planning(loaded.update(&[1.0; 3])), other);
        assert!(loaded.run(&mut [0.0; 3]).is_ok());
    });
    let error = plan.run(&[1.0; 2], &mut [0.0; 2]).unwrap_err();
    assert!(
        matches!(error, RunError::Length(LengthError::Other { found: 2, .. })),
        "{error}"
    );
}
