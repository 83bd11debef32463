//! Answers about kernels that people write: ten of the collection, for which nothing that is
//! planned again gains, are left alone.

use superstep::build::Instance;
use superstep_compiler::{Options, Request};
use superstep_explain::{Subject, explain};
use superstep_report::Answer;

// What serves the other kernels, and calls, is not used.
#[allow(dead_code, unreachable_pub, missing_docs)]
#[path = "../../../collection/src/kernels/mod.rs"]
mod kernels;
#[allow(dead_code, unreachable_pub, missing_docs)]
#[path = "../../../collection/src/pattern.rs"]
mod pattern;

use pattern::Factor;

macro_rules! cases {
    ($($field:ident::$kernel:ident {
        sizes: $size:pat in $sizes:expr,
        $(pattern: { $($pattern:tt)* },)?
        instance: $control:tt,
        $(given: $given:tt,)?
        data: $data:tt,
        call: $call:tt,
    })*) => {
        /// The instance of a kernel of that name, at the second of its sizes.
        fn instance(name: &str) -> Instance {
            match name {
                $(stringify!($kernel) => {
                    let $size = $sizes[1];
                    $($($pattern)*)?
                    kernels::$field::$kernel::instance $control
                })*
                _ => panic!("no kernel is called {name}"),
            }
        }
    };
}

include!("../../../collection/src/cases.rs");

#[test]
fn kernels_that_gain_nothing_are_left_alone() {
    let options = Options {
        algorithms: superstep_search::ALL,
        ..Options::default()
    };
    let silent = [
        "tridiagonal",
        "substitution",
        "smith_waterman",
        "multigrid",
        "held_karp",
        "biquads",
        "median",
        "reed_solomon",
        "chacha",
        "planets",
    ];
    for name in silent {
        let trace = instance(name).record().expect("it is small");
        let subject = Subject {
            trace: &trace,
            options: &options,
            request: Request::exactly(2),
            cores: 2,
        };
        let found = explain(&subject, Answer::LEAST_GAIN, &mut |_| {}).expect("it has a program");
        let [only] = &found.answers[..] else {
            panic!("{name}: {:#?}", found.answers)
        };
        assert_eq!(
            (&*only.title, only.gain),
            ("nothing to gain", 0.0),
            "{name}"
        );
    }
}
