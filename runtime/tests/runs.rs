//! Programs give the same bits on every transport, however many processors, calls and threads there
//! are.

mod ring;

use std::sync::OnceLock;

use ring::{Data, Ring, Shape, TRANSPORTS, run};
use superstep_plan::{Plan, Strided};
use superstep_runtime::call::{Outcome, Prepared, Ran, last_run};
use superstep_runtime::kernel::Kernel;
use superstep_runtime::options::{Options, TransportKind};
use superstep_runtime::team;

fn assert_runs(shape: Shape, prepared: &Prepared<Ring>, seed: u64) {
    let mut data = Data::new(shape, seed);
    let mut expected = data.clone();
    shape.sequential(&mut expected);
    assert!(run(prepared, &mut data).expect("no panic"), "{shape:?}");
    assert_eq!(data.bits(), expected.bits(), "{shape:?}");
    let (processors, supersteps) = (shape.processors as usize, shape.supersteps as usize);
    let worked = if supersteps == 1 {
        processors.div_ceil(2)
    } else {
        processors
    };
    assert_eq!(
        last_run(),
        Some(Ran {
            kernel: "ring",
            processors,
            instead_of: None,
            supersteps,
            worked,
            predicted: None,
        })
    );
}

#[test]
fn every_number_of_processors_gives_the_sequential_bits() {
    let most = if cfg!(miri) { 3 } else { 64 };
    for processors in 1..=most {
        for (supersteps, reach, every) in [(1, 1, 1), (5, 1, 1), (9, 2, 2), (7, processors, 3)] {
            let shape = Shape {
                processors,
                supersteps,
                reach,
                every,
            };
            for transport in TRANSPORTS {
                let prepared = shape.prepared(Options::new().transport(transport));
                assert_runs(shape, &prepared, 5);
                assert_runs(shape, &prepared, 6);
            }
        }
    }
}

/// Many supersteps, of which some have no exchange: if buffers alternated by superstep, a sender
/// could overtake its receiver.
#[test]
fn long_runs_with_silent_boundaries() {
    let supersteps = if cfg!(miri) { 20 } else { 1000 };
    for processors in [2, 3, 4] {
        for every in [1, 2, 3] {
            let shape = Shape {
                processors,
                supersteps,
                reach: 1,
                every,
            };
            assert_runs(shape, &shape.prepared(Options::new()), 1);
        }
    }
}

#[test]
fn calls_at_once_from_many_threads() {
    let shapes = [2, 3, 5].map(|processors| Shape {
        processors,
        supersteps: 6,
        reach: 2,
        every: 1,
    });
    let prepared = shapes.map(|shape| {
        TRANSPORTS.map(|transport| shape.prepared(Options::new().transport(transport)))
    });
    std::thread::scope(|scope| {
        for thread in 0..8 {
            let prepared = &prepared;
            scope.spawn(move || {
                for round in 0..if cfg!(miri) { 2 } else { 30 } {
                    for (shape, both) in shapes.iter().zip(prepared) {
                        both.iter().for_each(|prepared| {
                            assert_runs(*shape, prepared, thread * 100 + round)
                        });
                    }
                }
            });
        }
        team::shut_down();
    });
    team::shut_down();
    assert_runs(shapes[0], &prepared[0][0], 3);
}

#[test]
fn a_short_argument_is_given_back_untouched() {
    let shape = Shape {
        processors: 3,
        supersteps: 4,
        reach: 1,
        every: 1,
    };
    for transport in TRANSPORTS {
        let prepared = shape.prepared(Options::new().transport(transport));
        assert_runs(shape, &prepared, 9);
        let mut data = Data::new(shape, 2);
        data.y.pop();
        let before = data.clone();
        let outcome = prepared
            .run((&mut data.x, &mut data.y, &data.settings))
            .expect("no panic");
        assert!(matches!(outcome, Outcome::Original((x, y, _), _) if x.len() == 3 && y.len() == 2));
        assert_eq!(data, before);
        assert_eq!(last_run(), None);
    }
}

#[test]
fn longer_arguments_keep_their_tails() {
    let shape = Shape {
        processors: 3,
        supersteps: 4,
        reach: 1,
        every: 1,
    };
    let mut data = Data::new(shape, 2);
    let mut expected = data.clone();
    shape.sequential(&mut expected);
    data.x.push(77);
    expected.x.push(77);
    assert!(run(&shape.prepared(Options::new()), &mut data).expect("no panic"));
    assert_eq!(data.bits(), expected.bits());
}

/// The negative control of every comparison of bits: one word of any message lost must show.
#[test]
fn a_lost_word_shows() {
    let shape = Shape {
        processors: 3,
        supersteps: 4,
        reach: 2,
        every: 1,
    };
    let mut expected = Data::new(shape, 4);
    shape.sequential(&mut expected);
    let plan = shape.plan();
    // A word is new if its sender has just worked, and read (before it is sent again) if its
    // receiver works next.
    let matters = |message: usize| {
        let message = &plan.messages[message];
        let works = |superstep: u32, processor: u32| (superstep + processor).is_multiple_of(2);
        works(message.superstep, message.from) && works(message.superstep + 1, message.to)
    };
    for transport in TRANSPORTS {
        let result = |message: usize, word: usize| {
            let mut data = Data::new(shape, 4);
            let lossy = shape.prepared(Options::new().transport(transport));
            let lossy = lossy.altered(|plan| plan.messages[message].lose(word));
            assert!(run(&lossy.expect("a good plan"), &mut data).expect("no panic"));
            data.bits()
        };
        for message in 0..plan.messages.len() {
            for word in 0..2 {
                let stale = shape.sequential_without(message, word);
                assert_eq!(
                    result(message, word),
                    stale.bits(),
                    "{transport:?}: word {word} of message {message}"
                );
                assert_eq!(stale.bits() != expected.bits(), matters(message));
            }
        }
        assert_eq!(result(0, 2), expected.bits(), "there is no such word");
    }
}

/// Kernel whose processors call a kernel: each must get its arguments back.
struct Nested;

/// Answers of each processor's inner call: 1 if it ran or touched something, 2 if it gave the
/// arguments back.
struct Answers(Vec<u32>);

impl Kernel for Nested {
    type Memory = Answers;
    type View<'v> = &'v mut Answers;
    type Packet = ();
    type Arguments<'a> = &'a mut [u32];
    type Lent = ();
    const NAME: &'static str = "nested";

    fn argument_words(arguments: &Self::Arguments<'_>, _array: u16) -> usize {
        arguments.len()
    }
    fn memory(_: &Self::Arguments<'_>, lengths: &[u32]) -> Answers {
        Answers(vec![0; lengths[0] as usize])
    }
    fn view(memory: &mut Answers) -> &mut Answers {
        memory
    }

    fn scatter(_: &Self::Arguments<'_>, _: &mut Answers, _: &Strided) {}
    fn gather(arguments: &mut Self::Arguments<'_>, memory: &Answers, strided: &Strided) {
        superstep_runtime::stream::copy(&memory.0, arguments, strided);
    }
    fn pack(_: &Answers, (): &mut (), _: &Strided) {}
    fn unpack((): &mut (), _: &mut Answers, _: &Strided) {}
    fn clear((): &mut ()) {}
}

const INNER: Shape = Shape {
    processors: 2,
    supersteps: 3,
    reach: 1,
    every: 1,
};

fn call_inner(_: &Plan, _superstep: usize, processor: usize, answers: &mut &mut Answers) -> bool {
    static PREPARED: OnceLock<Prepared<Ring>> = OnceLock::new();
    let prepared = PREPARED.get_or_init(|| INNER.prepared(Options::new()));
    let mut data = Data::new(INNER, 8);
    let before = data.clone();
    let ran = run(prepared, &mut data).expect("no panic");
    answers.0[processor] = if ran || data != before || last_run().is_some() {
        1
    } else {
        2
    };
    true
}

#[test]
fn a_call_from_inside_a_processor_gives_its_arguments_back() {
    let word = |q: u32| {
        vec![Strided {
            array: 0,
            count: 1,
            from: q,
            from_step: 1,
            to: q,
            to_step: 1,
        }]
    };
    let plan = Plan {
        processors: 4,
        supersteps: 1,
        extents: vec![4],
        lengths: vec![4; 4],
        scatter: vec![vec![]; 4],
        gather: (0..4).map(word).collect(),
        code: vec![Default::default(); 4],
        ..Plan::default()
    };
    for transport in [TransportKind::Threads, TransportKind::InTurn] {
        let options = Options::new().transport(transport);
        let prepared =
            Prepared::<Nested>::from_plan(plan.clone(), call_inner, options).expect("a good plan");
        let mut refused = [0; 4];
        assert!(matches!(prepared.run(&mut refused), Ok(Outcome::Ran)));
        assert_eq!(refused, [2; 4]);
        assert_eq!(last_run().map(|ran| ran.kernel), Some("nested"));
    }
    assert_runs(INNER, &INNER.prepared(Options::new()), 1);
}
