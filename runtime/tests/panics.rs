//! A panic of any processor in any superstep ends the call with an error that names both, and
//! nothing hangs or breaks.

mod ring;

use std::panic::{AssertUnwindSafe, catch_unwind};

use ring::{Data, Shape, TRANSPORTS, run};
use superstep_runtime::call::{Prepared, last_run};
use superstep_runtime::error::RunError;
use superstep_runtime::options::Options;

/// Returns the processor and superstep of a panic, with its message.
fn failure(prepared: &Prepared<ring::Ring>, mut data: Data) -> (usize, usize, String) {
    match run(prepared, &mut data) {
        Err(RunError::Panicked {
            kernel: "ring",
            processor,
            superstep,
            message,
            ..
        }) => (superstep, processor, message),
        other => panic!("not a panic of a processor: {other:?}"),
    }
}

fn assert_still_runs(shape: Shape, prepared: &Prepared<ring::Ring>) {
    let mut data = Data::new(shape, 1);
    let mut expected = data.clone();
    shape.sequential(&mut expected);
    assert!(run(prepared, &mut data).expect("no panic"));
    assert_eq!(data.bits(), expected.bits());
}

#[test]
fn each_processor_in_each_superstep() {
    for processors in [1, 2, 3, 7] {
        for (supersteps, every) in [(4, 1), (5, 2)] {
            let shape = Shape {
                processors,
                supersteps,
                reach: 1,
                every,
            };
            for transport in TRANSPORTS {
                let prepared = shape.prepared(Options::new().transport(transport));
                assert_still_runs(shape, &prepared);
                for superstep in 0..supersteps {
                    for processor in 0..processors {
                        let data = Data::new(shape, 1).trapped(&[(superstep, processor)]);
                        let message =
                            format!("trap in superstep {superstep} of processor {processor}");
                        assert_eq!(
                            failure(&prepared, data),
                            (superstep as usize, processor as usize, message)
                        );
                        assert_eq!(last_run(), None);
                    }
                }
                assert_still_runs(shape, &prepared);
            }
        }
    }
}

/// Among two panics the first by superstep and processor is told, even if no barrier separates
/// them.
#[test]
fn the_first_of_two_panics_is_told() {
    for every in [1, 2, 4] {
        let shape = Shape {
            processors: 3,
            supersteps: 6,
            reach: 1,
            every,
        };
        for transport in TRANSPORTS {
            let prepared = shape.prepared(Options::new().transport(transport));
            for (first, second) in [
                ((2, 2), (3, 0)),
                ((0, 1), (0, 2)),
                ((4, 0), (5, 1)),
                ((3, 2), (4, 1)),
            ] {
                for traps in [[first, second], [second, first]] {
                    for _ in 0..20 {
                        let (superstep, processor, _) =
                            failure(&prepared, Data::new(shape, 1).trapped(&traps));
                        assert_eq!(
                            (superstep as u32, processor as u32),
                            first,
                            "{shape:?} {transport:?}"
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn a_panic_can_be_raised_again_in_the_caller() {
    let shape = Shape {
        processors: 2,
        supersteps: 3,
        reach: 1,
        every: 1,
    };
    for transport in TRANSPORTS {
        let prepared = shape.prepared(Options::new().transport(transport));
        let mut data = Data::new(shape, 1).trapped(&[(1, 1)]);
        let error = run(&prepared, &mut data).expect_err("it is trapped");
        assert_eq!(
            error.to_string(),
            "ring: processor 1 panicked in superstep 1: trap in superstep 1 of processor 1"
        );
        let payload = catch_unwind(AssertUnwindSafe(|| error.resume())).expect_err("it panics");
        assert_eq!(
            payload.downcast_ref::<String>().map(String::as_str),
            Some("ring: processor 1 panicked in superstep 1: trap in superstep 1 of processor 1")
        );
        assert_still_runs(shape, &prepared);
    }
}

#[test]
fn panics_and_good_runs_at_once() {
    let shape = Shape {
        processors: 3,
        supersteps: 4,
        reach: 1,
        every: 1,
    };
    let prepared = shape.prepared(Options::new());
    std::thread::scope(|scope| {
        for thread in 0..6 {
            let prepared = &prepared;
            scope.spawn(move || {
                for round in 0..20 {
                    if (thread + round) % 2 == 0 {
                        let trap = (round % 4, thread % 3);
                        let (superstep, processor, _) =
                            failure(prepared, Data::new(shape, 1).trapped(&[trap]));
                        assert_eq!((superstep as u32, processor as u32), trap);
                    } else {
                        assert_still_runs(shape, prepared);
                    }
                }
            });
        }
    });
}
