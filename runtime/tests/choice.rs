//! Calls choose the program that was built for their control arguments and number of processors.

mod ring;

use ring::{Data, Ring, Shape, execute};
use superstep_plan::PlanError;
use superstep_runtime::call::{self, Outcome, Prepared, Reason, last_reason, last_run};
use superstep_runtime::control::{ControlSink, ControlWriter};
use superstep_runtime::error::{PrepareError, RunError};
use superstep_runtime::keyed_program::KeyedProgram;
use superstep_runtime::options::{Options, TransportKind};

fn control<S: ControlSink>(sink: &mut S, n: usize, row: &[usize]) {
    sink.scalar(n as i128);
    sink.slice(row);
}

fn shape(processors: u32, supersteps: u32) -> Shape {
    Shape {
        processors,
        supersteps,
        reach: 1,
        every: 1,
    }
}

/// Returns the key of control arguments.
fn key(n: usize, row: &[usize]) -> Vec<u8> {
    let mut writer = ControlWriter::new();
    control(&mut writer, n, row);
    writer.into_bytes()
}

fn program(n: usize, row: &[usize], plan: Vec<u8>) -> KeyedProgram<Ring> {
    ring::generated(key(n, row).leak(), plan)
}

/// Makes programs for `n = 3`: 4 supersteps on 1, 2, 4, and 64 processors; and for `n = 5`: 2
/// supersteps on 64 and 63 processors.
fn programs() -> Vec<KeyedProgram<Ring>> {
    let built = |n, processors, supersteps| {
        program(n, &[0, 2], shape(processors, supersteps).plan().encode())
    };
    vec![
        built(3, 1, 4),
        built(3, 2, 4),
        built(3, 4, 4),
        built(3, 64, 4),
        built(5, 64, 2),
        built(5, 63, 2),
    ]
}

/// Processors and supersteps of the program that a call runs.
fn ran(
    programs: &[KeyedProgram<Ring>],
    n: usize,
    row: &[usize],
    options: Options,
) -> Option<(usize, usize)> {
    let mut data = Data::new(shape(64, 1), 3);
    let before = data.clone();
    let arguments = (&mut data.x[..], &mut data.y[..], &data.settings[..]);
    let outcome =
        call::run(programs, |sink| control(sink, n, row), &options, arguments).expect("no panic");
    let ran = last_run().map(|ran| (ran.processors, ran.supersteps));
    assert_eq!(matches!(outcome, Outcome::Ran), ran.is_some());
    if let Outcome::Original(_, turn) = outcome {
        turn.run(ring::long).expect("it does not panic");
    }
    assert_eq!(data == before, ran.is_none());
    ran
}

/// Processors and supersteps of the first program that calls run which is not in another's place,
/// as the function begins. There are none if there is no such program among many calls.
fn tried(
    programs: &[KeyedProgram<Ring>],
    n: usize,
    row: &[usize],
    options: Options,
) -> Option<(usize, usize)> {
    (0..100_000).find_map(|_| {
        let ran = ran(programs, n, row, options);
        let may_come = last_reason() == Some(Reason::AsWritten);
        let is_own = last_run().is_some_and(|ran| ran.instead_of.is_none());
        (is_own || last_run().is_none() && !may_come).then_some(ran)
    })?
}

#[test]
fn control_arguments_and_processors_choose() {
    let programs = programs();
    for transport in [TransportKind::Threads, TransportKind::InTurn] {
        let any = Options::new().transport(transport);
        for processors in [1, 2, 4, 64] {
            assert_eq!(
                ran(&programs, 3, &[0, 2], any.exactly(processors)),
                Some((processors, 4))
            );
        }
        assert_eq!(ran(&programs, 5, &[0, 2], any.exactly(64)), Some((64, 2)));
        assert_eq!(
            ran(&programs, 3, &[0, 2], any.exactly(3)),
            None,
            "exactly 3 were not built"
        );
        assert_eq!(
            tried(&programs, 5, &[0, 2], any.processors(63)),
            Some((63, 2)),
            "the fewest that were built, whatever the cores"
        );
        assert_eq!(
            ran(&programs, 5, &[0, 2], any.processors(1)),
            None,
            "the fewest that were built are 63"
        );
        assert_eq!(ran(&programs, 4, &[0, 2], any), None);
        assert_eq!(ran(&programs, 3, &[0, 1], any), None);
        assert_eq!(ran(&programs, 3, &[0, 2, 2], any), None);
    }
}

#[test]
fn without_a_wish_the_most_processors_that_have_cores_or_the_fewest_run() {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let programs = programs();
    let most = [64, 4, 2, 1].into_iter().find(|built| *built <= cores);
    assert_eq!(
        tried(&programs, 3, &[0, 2], Options::new()).map(|ran| ran.0),
        most
    );
    let most = if cores >= 64 { 64 } else { 63 };
    assert_eq!(
        tried(&programs, 5, &[0, 2], Options::new()),
        Some((most, 2))
    );
    let most = [2, 1].into_iter().find(|built| *built <= cores);
    assert_eq!(
        tried(&programs, 3, &[0, 2], Options::new().processors(3)).map(|ran| ran.0),
        most,
        "the most that was built of fewer"
    );
}

/// The function begins, and as it takes long, the programs are tried at once and are faster.
#[test]
fn calls_run_the_function_and_the_other_forms_and_say_so() {
    let forms = |options: Options, calls| -> Vec<_> {
        let programs = programs();
        let form = |_| {
            ran(&programs, 3, &[0, 2], options);
            let ran = last_run().map(|ran| (ran.processors, ran.instead_of));
            (ran, last_reason())
        };
        (0..calls).map(form).collect()
    };
    let two = (Some((2, None)), None);
    let one = (Some((1, None)), None);
    let written = (None, Some(Reason::AsWritten));
    if std::thread::available_parallelism().is_ok_and(|cores| cores.get() > 1) {
        let instead = (Some((1, Some(2))), Some(Reason::Slower));
        // Where others keep the cores, the trial on two waits.
        let forms = forms(Options::new().processors(2), 1000);
        assert_eq!(forms[..4], [written, instead, instead, instead]);
        assert!(forms.contains(&two));
        assert!(
            forms
                .iter()
                .all(|form| [two, instead, written].contains(form))
        );
    }
    let alone = forms(Options::new().processors(1), 7);
    assert_eq!(alone, [written, one, one, one, one, one, one]);
    assert_eq!(forms(Options::new().exactly(2), 7), [two; 7]);
    assert_eq!(forms(Options::new().exactly(1), 7), [one; 7]);
    let in_turn = Options::new().transport(TransportKind::InTurn);
    assert!(!forms(in_turn, 7).into_iter().any(|form| form.1.is_some()));
}

/// Calls the function, as what the attribute adds to a kernel does.
fn call_written(
    programs: &[KeyedProgram<Ring>],
    function: impl FnOnce(),
) -> Result<bool, RunError> {
    let mut data = Data::new(shape(64, 1), 3);
    let arguments = (&mut data.x[..], &mut data.y[..], &data.settings[..]);
    let options = Options::new().processors(1);
    let outcome = call::run(
        programs,
        |sink| control(sink, 3, &[0, 2]),
        &options,
        arguments,
    )?;
    match outcome {
        Outcome::Ran => Ok(false),
        Outcome::Original(_, turn) => turn.run(function).map(|()| true),
    }
}

#[test]
fn a_panic_of_the_function_in_a_programs_place_is_that_of_a_processor() {
    let programs = programs();
    let error = call_written(&programs, || panic!("overflow")).expect_err("it panics");
    assert_eq!(
        error.to_string(),
        "ring: processor 0 panicked in superstep 0: overflow"
    );
    assert_eq!((last_run(), last_reason()), (None, None));
    // A call inside the function has its own `last_run`.
    let inside = || assert!(ran(&programs, 3, &[0, 2], Options::new().exactly(1)).is_some());
    assert!(call_written(&programs, inside).expect("no panic"));
    assert_eq!((last_run(), last_reason()), (None, Some(Reason::AsWritten)));
}

#[test]
fn is_scheduled_tells_whether_control_arguments_were_built_for() {
    let programs = programs();
    let scheduled = |n, row: &[usize]| call::is_scheduled(&programs, |sink| control(sink, n, row));
    assert!(scheduled(3, &[0, 2]) && scheduled(5, &[0, 2]));
    assert!(!scheduled(4, &[0, 2]) && !scheduled(3, &[]));
    let none: [KeyedProgram<Ring>; 0] = [];
    assert!(!call::is_scheduled(&none, |sink| control(sink, 3, &[0, 2])));
}

#[test]
fn prepared_programs_run_without_control_arguments() {
    let programs = programs();
    let prepare = |n, options| {
        call::prepare_or_plan(&programs, |sink| control(sink, n, &[0, 2]), false, &options)
    };
    let prepared: Prepared<Ring> = prepare(3, Options::new().exactly(4)).expect("it was built");
    assert_eq!((prepared.processors(), prepared.supersteps()), (4, 4));
    let mut data = Data::new(shape(4, 4), 1);
    let mut expected = data.clone();
    shape(4, 4).sequential(&mut expected);
    assert!(ring::run(&prepared, &mut data).expect("no panic"));
    assert_eq!(data.bits(), expected.bits());
    let missing = prepare(5, Options::new().processors(3)).expect_err("it was not built");
    assert_eq!(
        missing.to_string(),
        "ring: no program was built for these control arguments and at most 3 processors"
    );
    let missing = prepare(4, Options::new()).expect_err("it was not built");
    assert_eq!(
        missing.to_string(),
        "ring: no program was built for these control arguments"
    );
}

#[test]
fn tables_that_cannot_be_used_are_an_error() {
    let mut cut = shape(2, 4).plan().encode();
    cut.pop();
    let mut lengths = shape(2, 4).plan();
    lengths.lengths.pop();
    assert!(matches!(
        Prepared::<Ring>::from_plan(lengths, execute, Options::new()),
        Err(PlanError::Malformed(_))
    ));
    let programs = [program(3, &[], cut)];
    let mut data = Data::new(shape(2, 4), 3);
    let before = data.clone();
    let arguments = (&mut data.x[..], &mut data.y[..], &data.settings[..]);
    let error = call::run(
        &programs,
        |sink| control(sink, 3, &[]),
        &Options::new(),
        arguments,
    )
    .expect_err("it is cut off");
    assert!(
        matches!(
            error,
            RunError::Plan {
                kernel: "ring",
                source: PlanError::Decode(_)
            }
        ),
        "{error}"
    );
    assert_eq!(data, before);
    let error = call::prepare_or_plan(
        &programs,
        |sink| control(sink, 3, &[]),
        false,
        &Options::new(),
    )
    .expect_err("it is cut off");
    assert!(matches!(error, PrepareError::Plan { .. }), "{error}");
}

/// Calls the only program, and expects that nothing has run. Returns the error, if there is one.
fn refused(program: KeyedProgram<Ring>, n: usize, row: &[usize]) -> Option<PlanError> {
    let mut data = Data::new(shape(2, 4), 3);
    let before = data.clone();
    let arguments = (&mut data.x[..], &mut data.y[..], &data.settings[..]);
    let options = Options::new().exactly(2);
    let programs = [program];
    let outcome = call::run(&programs, |sink| control(sink, n, row), &options, arguments);
    let error = match outcome {
        Ok(Outcome::Original(..)) => None,
        Ok(Outcome::Ran) => panic!("a program ran"),
        Err(RunError::Plan { source, .. }) => Some(source),
        Err(other) => panic!("{other}"),
    };
    assert_eq!(data, before);
    error
}

#[test]
fn tables_of_which_a_bit_has_changed_never_run() {
    let (key, plan) = (key(3, &[0, 2]), shape(2, 4).plan().encode());
    let digest = superstep_plan::digest(&key, &plan);
    let mut changed = 0;
    for bit in 0..8 * plan.len() {
        let mut other = plan.clone();
        other[bit / 8] ^= 1 << (bit % 8);
        let program = KeyedProgram::<Ring>::new(key.clone().leak(), other.leak(), digest, execute);
        changed += usize::from(refused(program, 3, &[0, 2]) == Some(PlanError::Changed));
    }
    // The others are in the first bytes, by which calls choose: no plan, or for other processors.
    assert!(
        changed >= 8 * (plan.len() - 6),
        "{changed} of {}",
        8 * plan.len()
    );
}

#[test]
fn tables_of_other_control_arguments_never_run() {
    let plan = shape(2, 4).plan().encode();
    let digest = superstep_plan::digest(&key(3, &[0, 2]), &plan);
    let program = KeyedProgram::<Ring>::new(key(3, &[0, 3]).leak(), plan.leak(), digest, execute);
    assert_eq!(refused(program, 3, &[0, 3]), Some(PlanError::Changed));
}
