//! Programs give what the functions give.

use superstep::{Transport, last_run};
use superstep_collection::{By, CASES, Case, Size, Trial};

/// Calls before which the function has had its turn beside the programs.
const FIRST: usize = 5;

/// A case on its tiny data, with what the function makes of it.
fn tried(case: &Case) -> Box<dyn Trial> {
    let mut trial = case.trial(Size::Tiny);
    trial.call(By::Function).expect("functions don't fail");
    trial.keep();
    trial.reset();
    assert!(!trial.is_kept(), "{}: nothing is written", case.kernel);
    trial
}

#[test]
fn programs_for_one_to_three_processors_give_the_same_bits() {
    for case in CASES {
        let mut trial = tried(case);
        for processors in 1..=3 {
            for transport in [Transport::Threads, Transport::InTurn] {
                let at = format!("{}, {processors} processors, {transport:?}", case.kernel);
                trial.reset();
                let called = trial.call(By::Exactly(processors, transport));
                called.unwrap_or_else(|error| panic!("{at}: {error}"));
                let ran = last_run().map(|ran| ran.processors);
                assert_eq!(ran, Some(processors), "{at}");
                assert!(trial.is_kept(), "{at}: the results differ");
            }
        }
    }
}

#[test]
fn calls_in_every_form_give_the_same_bits() {
    for case in CASES {
        let mut trial = tried(case);
        for by in [By::Parallel, By::Alone] {
            for call in 0..FIRST {
                trial.reset();
                let called = trial.call(by);
                called.unwrap_or_else(|error| panic!("{}, {by:?}: {error}", case.kernel));
                assert!(trial.is_kept(), "{}, {by:?}, call {call}", case.kernel);
            }
        }
    }
}
