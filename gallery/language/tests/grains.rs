//! Loops marked `#[grain]` against their programs, on every number of processors up to eight.

mod same;

use same::{same, words};
use superstep_language::grains::*;

/// Calls `run` for each number of processors and asserts that the program gave what the kernel gives.
macro_rules! on_all {
    ($input:expr, |$state:ident| $kernel:ident($($argument:expr),* $(,)?)) => {
        let mut expected = $input;
        {
            let $state = &mut expected;
            $kernel($($argument),*);
        }
        for processors in 1..=8 {
            let mut result = $input;
            {
                let $state = &mut result;
                let call = $kernel::with().exactly(processors);
                call.run($($argument),*).expect("no processor panics");
            }
            let ran = steps::last_run().expect("the generated program ran");
            assert_eq!(ran.processors, processors);
            assert!(2 * ran.worked > processors, "{ran:?}");
            assert_eq!(format!("{result:?}"), format!("{expected:?}"), "P = {processors}");
        }
        same!($input, |$state| $kernel($($argument),*));
    };
}

#[test]
fn rows_of_a_factorisation() {
    let mut a = words(40 * 40);
    (0..40).for_each(|i| a[i * 41] += 40.0);
    on_all!(a.clone(), |a| lu(40, a));
}

#[test]
fn rows_of_a_grid() {
    on_all!((words(400), words(400)), |s| jacobi(
        20, 5, &mut s.0, &mut s.1
    ));
}

#[test]
fn blocks_of_a_transform() {
    let pairs = |count: usize| -> Vec<[f64; 2]> {
        words(2 * count).chunks(2).map(|w| [w[0], w[1]]).collect()
    };
    let twiddles = pairs(64);
    on_all!(pairs(128), |x| fft(128, 8, x, &twiddles));
}

#[test]
fn tiles_of_a_table() {
    let letters = |step: usize| -> Vec<u8> { (0..60).map(|i| (i * i * step % 4) as u8).collect() };
    let (a, b) = (letters(3), letters(7));
    on_all!(vec![9; 3600], |table| lcs(60, 7, &a, &b, table));
}

#[test]
fn every_kind_of_loop_and_jump() {
    same!((words(24), 1.0), |s| jumps(24, &mut s.0, &mut s.1));
}
