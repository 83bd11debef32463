//! Control that reads other values in the crate than it did in the build script: the function runs,
//! and says why.

mod same;

use same::{same, words};
use steps::{last_reason, last_run, Reason};
use superstep_language::environment::*;

/// Asserts that a call with two processors runs the function, because of that value.
macro_rules! assert_differs {
    ($what:literal, $input:expr, |$state:ident| $kernel:ident($($argument:expr),*)) => {
        let (mut expected, mut result) = ($input, $input);
        {
            let $state = &mut expected;
            $kernel($($argument),*);
        }
        {
            let $state = &mut result;
            $kernel::with().exactly(2).run($($argument),*).expect("the function does not fail");
        }
        assert_eq!(result, expected);
        assert_eq!(last_run(), None);
        assert_eq!(last_reason(), Some(Reason::Differs($what)));
    };
}

#[test]
fn constants() {
    assert_differs!("`WIDE`", words(64), |x| strided(64, x));
    assert!(!strided::is_scheduled(64));
    let refused = strided::prepare(64).unwrap_err().to_string();
    assert_eq!(
        refused,
        "strided: no program fits, as `WIDE` is not what it was in the build script"
    );
}

#[test]
fn functions() {
    assert_differs!("`width`", words(64), |x| widened(60, x));
}

#[test]
fn questions_of_configuration() {
    assert_differs!("`cfg!(in_the_crate)`", words(64), |x| asked(60, x));
}

#[test]
fn lengths() {
    let rows = [[1.5; WIDE], [2.5; WIDE]];
    assert_differs!("`WIDE`", rows, |x| sized(x));
}

#[test]
fn data_may_read_what_it_likes() {
    same!(words(30), |x| scaled(30, x));
}
