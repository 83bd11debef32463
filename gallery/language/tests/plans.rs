//! Plans that calls make, beside the programs of the build: the results are those of the function.

use std::thread;

use steps::{last_reason, last_run, Reason, RunError};
use superstep_language::plans::*;

/// Calls in which each form is measured.
const CALLS: usize = 600;

/// The most calls until a plan has run some times: where others keep the cores, it waits until its
/// trial is paid for.
const MOST: usize = 500_000;

fn words(count: usize) -> Vec<f64> {
    (0..count).map(|i| 0.3 + (i as f64 * 1.7).sin()).collect()
}

/// A matrix and a vector of a size, and the products.
fn products(n: usize) -> [Vec<f64>; 3] {
    let (a, x, mut y) = (words(n * n), words(n), vec![0.0; n]);
    rows(n, &a, &x, &mut y);
    [a, x, y]
}

/// A pattern with its vector, and the sums.
fn sums((first, places): (&[u32], &[u32])) -> [Vec<f64>; 2] {
    let (x, mut y) = (words(ROWS), vec![0.0; ROWS]);
    gathered(first, places, &x, &mut y);
    [x, y]
}

fn cores() -> usize {
    thread::available_parallelism().map_or(1, Into::into)
}

/// The most calls that are worth trying.
fn most() -> usize {
    if cores() > 1 {
        MOST
    } else {
        CALLS
    }
}

/// Counts the calls that run a plan, of so many at most; each is to give what the function gives.
fn planned(
    most: usize,
    expected: &[f64],
    mut call: impl FnMut(&mut [f64]) -> Result<(), RunError>,
) -> Result<usize, RunError> {
    let mut count = 0;
    for number in 0..most {
        if count == 3 {
            break;
        }
        let mut y = vec![0.5; expected.len()];
        call(&mut y)?;
        assert!(y == expected, "call {number}");
        if last_reason() == Some(Reason::Planned) {
            let ran = last_run().expect("a plan is a run");
            assert!(ran.processors > 1, "{ran:?}");
            count += 1;
        }
    }
    Ok(count)
}

#[test]
fn calls_make_a_plan_and_give_the_same_bits() -> Result<(), RunError> {
    const N: usize = SIZES[0];
    let [a, x, y] = products(N);
    let by_call = planned(most(), &y, |y| rows::try_parallel(N, &a, &x, y))?;
    let prepared = rows::prepare(N).expect("there is a program");
    let by_prepared = planned(most(), &y, |y| prepared.run(&a, &x, y))?;
    assert_eq!((by_call > 0, by_prepared > 0), (cores() > 1, cores() > 1));
    let (first, places) = pattern();
    let [x, y] = sums((&first, &places));
    let by_call = planned(most(), &y, |y| {
        gathered::try_parallel(&first, &places, &x, y)
    })?;
    assert_eq!(by_call > 0, cores() > 1);
    Ok(())
}

#[test]
fn calls_for_a_number_of_processors_keep_to_it() -> Result<(), RunError> {
    const N: usize = SIZES[1];
    let [a, x, y] = products(N);
    let alone = rows::with().processors(1);
    assert_eq!(planned(CALLS, &y, |y| alone.run(N, &a, &x, y))?, 0);
    let exactly = rows::with().exactly(2);
    assert_eq!(planned(CALLS, &y, |y| exactly.run(N, &a, &x, y))?, 0);
    // More processors than cores are as many as there are cores, as for programs.
    let many = planned(most(), &y, |y| {
        rows::with().processors(64).run(N, &a, &x, y)
    })?;
    assert_eq!(many > 0, cores() > 1);
    Ok(())
}

/// Another pattern than that of the build, which looks like it at first, has a plan of its own.
/// Short calls have none.
#[test]
fn calls_that_nothing_was_built_for_try_a_plan_alone() -> Result<(), RunError> {
    let [a, x, y] = products(4);
    assert_eq!(planned(CALLS, &y, |y| rows::try_parallel(4, &a, &x, y))?, 0);
    assert_eq!(last_reason(), Some(Reason::NotBuilt));
    let (first, mut places) = pattern();
    places[100] = (places[100] + 1) % ROWS as u32;
    let [x, y] = sums((&first, &places));
    let other = planned(most(), &y, |y| {
        gathered::try_parallel(&first, &places, &x, y)
    })?;
    assert_eq!(other > 0, cores() > 1);
    Ok(())
}

/// A word that fails does so in whichever form the call runs, and those after it run.
#[test]
fn a_panic_is_an_error_and_calls_go_on() -> Result<(), RunError> {
    const N: usize = SIZES[2];
    let [a, x, y] = products(N);
    let mut wrong = a.clone();
    wrong[(N - 1) * N] = f64::NAN;
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    for _ in 0..CALLS {
        let mut failing = vec![0.0; N];
        let error =
            rows::try_parallel(N, &wrong, &x, &mut failing).expect_err("a word is no number");
        assert!(error.to_string().ends_with("not a number"), "{error}");
    }
    std::panic::set_hook(hook);
    planned(CALLS, &y, |y| rows::try_parallel(N, &a, &x, y))?;
    Ok(())
}
