//! Programs give what the functions give.

use superstep::{Reason, RunError, Transport, last_reason, last_run};
use superstep_collection::kernels::signal::wavelet;
use superstep_collection::{By, CASES, Case, Size, Trial};

/// Calls of each form: in the first ones `parallel` runs the function, then it tries the programs.
const FIRST: usize = 20;

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

/// The function begins, and the program for one processor is tried soon.
#[test]
fn calls_say_what_ran() -> Result<(), RunError> {
    let wavelet = wavelet::prepare(16).expect("it was built");
    type Run<'r> = &'r dyn Fn(&mut [i32]) -> Result<(), RunError>;
    let called: Run<'_> = &|x| wavelet::try_parallel(16, x);
    let prepared: Run<'_> = &|x| wavelet.run(x);
    for run in [called, prepared] {
        let mut reasons = Vec::new();
        for _ in 0..20 {
            run(&mut [1; 16])?;
            assert_eq!(
                last_run().is_none(),
                last_reason() == Some(Reason::AsWritten)
            );
            reasons.push(last_reason());
        }
        assert_eq!(reasons[0], Some(Reason::AsWritten));
        assert!(
            reasons.iter().any(|reason| *reason != reasons[0]),
            "{reasons:?}"
        );
    }
    Ok(())
}
