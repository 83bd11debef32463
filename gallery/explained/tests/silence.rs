//! Answers about kernels that people write: ten of the collection, for which nothing that is
//! planned again gains, are left alone.

#[path = "../../../collection/src/instances.rs"]
mod instances;

use instances::KERNELS;
use superstep_compiler::{Options, Request};
use superstep_explain::{Subject, explain};
use superstep_report::Answer;

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
        let kernel = KERNELS.iter().find(|kernel| kernel.name == name);
        let kernel = kernel.expect("the collection has it");
        let trace = (kernel.instance)(1).record().expect("it is small");
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
