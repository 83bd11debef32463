//! The comparison of a kernel with its programs.

use std::fmt::Debug;

use steps::{RunError, Transport};

/// Asserts that the programs give what the function gives. What `Debug` shows of a float tells all
/// of its bits but a NaN's.
pub(crate) fn identical<T: Clone + Debug>(
    input: T,
    original: impl Fn(&mut T),
    generated: impl Fn(usize, Transport, &mut T) -> Result<(), RunError>,
) {
    let mut expected = input.clone();
    original(&mut expected);
    assert_ne!(
        format!("{expected:?}"),
        format!("{input:?}"),
        "nothing was computed"
    );
    for processors in 1..=3 {
        for transport in [Transport::Threads, Transport::InTurn] {
            let mut result = input.clone();
            generated(processors, transport, &mut result).expect("no processor panics");
            let ran = steps::last_run().expect("the generated program ran");
            assert_eq!(ran.processors, processors);
            assert_eq!(format!("{result:?}"), format!("{expected:?}"));
        }
    }
}

pub(crate) fn words(count: usize) -> Vec<f64> {
    (0..count).map(|i| 0.3 + (i as f64 * 1.7).sin()).collect()
}

/// `same!(state => kernel(arguments))`: calls the function, and its programs.
macro_rules! same {
    ($input:expr, |$state:ident| $($kernel:ident)::+($($argument:expr),* $(,)?)) => {
        $crate::same::identical(
            $input,
            |$state| $($kernel)::+($($argument),*),
            |processors, transport, $state| {
                $($kernel)::+::with().exactly(processors).transport(transport).run($($argument),*)
            },
        )
    };
}

/// As [`same`], for kernels with programs for up to eight processors, of which more than half must
/// have work.
#[allow(unused_macros, reason = "not by every test")]
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
        $crate::same::same!($input, |$state| $kernel($($argument),*));
    };
}

#[allow(unused_imports, reason = "not by every test")]
pub(crate) use {on_all, same};
