//! The symbolic check refuses broken programs: each kind by hand, and random damage by what it
//! computes.
//!
//! A property is tried on proptest's 256 random cases, and on 1000 in `.ci/run`, which sets
//! `PROPTEST_CASES`.

mod support;

use proptest::prelude::*;
use superstep_compiler::replay::{ReplayError, replay};
use superstep_compiler::{Passes, Program, lower};
use superstep_dag_builder::from_trace;
use superstep_machine::{Memory, Times};
use superstep_plan::{Body, Component, Precedence, Stride, Term, interpret};
use superstep_schedule::{CheckedSchedule, Schedule};
use superstep_tracer::{Kernel, Role, Trace};
use support::{Hashing, random};

/// Makes a program of `y[i] = f(x[i], i)` for eight words, then `y[i] = f(y[i], y[7 - i])` for the
/// first four. It has two processors with four words each.
fn sample() -> (Trace, Program) {
    let mut kernel = Kernel::new("sample");
    let x = kernel.add_array("x", Role::Input, None);
    let y = kernel.add_array("y", Role::InOut, None);
    let statement = kernel.add_statement("y[i] = f(x[i], i)", y, &[x]);
    kernel.statements[usize::from(statement)].control = vec!["usize".into()];
    kernel.add_statement("y[i] = f(y[i], y[7 - i])", y, &[y, y]);
    let trace = support::traced(kernel, |recorder| {
        for i in 0..8 {
            recorder.control(i as i64);
            recorder.push(0, i, &[i]);
        }
        for i in 0..4 {
            recorder.push(1, i, &[i, 7 - i]);
        }
    });
    let schedule = Schedule::from_lists(
        2,
        [
            [vec![0, 1, 2, 3], vec![4, 5, 6, 7]],
            [vec![8, 9, 10, 11], vec![]],
        ],
    );
    let program = assembled(&trace, schedule, Memory::Private);
    (trace, program)
}

fn assembled(trace: &Trace, schedule: Schedule, memory: Memory) -> Program {
    let graph = from_trace(trace);
    let schedule = CheckedSchedule::new(&graph, schedule).expect("valid");
    lower(trace, &schedule, memory, &Times::default(), Passes::ALL)
        .expect("a schedule of the trace")
}

/// Returns what the check says after `damage`.
fn after(damage: impl FnOnce(&mut Program)) -> Result<(), ReplayError> {
    let (trace, mut program) = sample();
    assert_eq!(replay(&trace, &program), Ok(()));
    damage(&mut program);
    replay(&trace, &program)
}

#[test]
fn a_wrong_slot() {
    // Processor 0 runs its first four tasks as one run. Its count is 4; y and x go from slot 0 in
    // steps of 1, and i from 0 in steps of 1.
    let operand = after(|program| program.plan.code[0].values[1] = 1);
    assert!(
        matches!(
            operand,
            Err(ReplayError::Operand {
                task: 0,
                operand: 0,
                slot: 1,
                ..
            })
        ),
        "{operand:?}"
    );
    let change = |program: &mut Program, change: &dyn Fn(&mut Vec<Component>, &mut Vec<i64>)| {
        let Term::Run { body } = program.plan.code[0].terms[0] else {
            panic!("the first term is a run")
        };
        let body = &mut program.plan.bodies[usize::from(body)];
        let (mut components, mut offsets) = (body.components().to_vec(), body.offsets().to_vec());
        change(&mut components, &mut offsets);
        *body = Body::new(body.statements().to_vec(), components, offsets);
    };
    let target = after(|program| change(program, &|_, offsets| offsets[0] = 2));
    assert!(target.is_err(), "{target:?}");
    let outside = after(|program| {
        change(program, &|components, _| {
            components[1].stride = Stride::Always(9)
        });
    });
    assert!(
        matches!(
            outside,
            Err(ReplayError::Slot {
                array: 0,
                slot: 9,
                words: 4,
                ..
            })
        ),
        "{outside:?}"
    );
    let negative = after(|program| program.plan.code[0].values[1] = -1);
    assert!(
        matches!(
            negative,
            Err(ReplayError::Slot {
                array: 0,
                slot: -1,
                ..
            })
        ),
        "{negative:?}"
    );
}

#[test]
fn a_wrong_control_value() {
    let control = after(|program| program.plan.code[0].values[3] = 2);
    assert!(
        matches!(
            control,
            Err(ReplayError::Control {
                task: 1,
                found: 2,
                wanted: 1,
                ..
            })
        ),
        "{control:?}"
    );
}

#[test]
fn tasks_missing_exchanged_or_too_many() {
    let missing = after(|program| program.plan.code[0].values[0] = 3);
    assert!(
        matches!(
            missing,
            Err(ReplayError::Order {
                task_instance: 3,
                ..
            })
        ),
        "{missing:?}"
    );
    let too_many = after(|program| program.plan.code[0].values[0] = 5);
    assert!(
        matches!(
            too_many,
            Err(ReplayError::Order {
                task_instance: 4,
                ..
            })
        ),
        "{too_many:?}"
    );
    let exchanged = after(|program| program.plan.code.swap(0, 1));
    assert!(exchanged.is_err(), "{exchanged:?}");
}

#[test]
fn a_message_dropped_shortened_or_misdirected() {
    let dropped = after(|program| program.plan.messages.clear());
    assert!(
        matches!(dropped, Err(ReplayError::Operand { superstep: 1, .. })),
        "{dropped:?}"
    );
    let shortened = after(|program| program.plan.messages[0].strided[0].count -= 1);
    assert!(
        matches!(shortened, Err(ReplayError::Operand { superstep: 1, .. })),
        "{shortened:?}"
    );
    let elsewhere = after(|program| program.plan.messages[0].strided[0].to += 1);
    assert!(elsewhere.is_err(), "{elsewhere:?}");
    let nothing = after(|program| program.plan.messages[0].strided[0].from = 4);
    assert!(
        matches!(
            nothing,
            Err(ReplayError::Word {
                what: "sending slot",
                ..
            })
        ),
        "{nothing:?}"
    );
}

#[test]
fn inputs_and_results_astray() {
    let input = after(|program| program.plan.scatter[0][0].count -= 1);
    assert!(
        matches!(input, Err(ReplayError::Operand { task: 3, .. })),
        "{input:?}"
    );
    let beyond = after(|program| program.plan.scatter[0][0].from = 7);
    assert!(
        matches!(
            beyond,
            Err(ReplayError::Word {
                what: "scattering word",
                ..
            })
        ),
        "{beyond:?}"
    );
    let result = after(|program| program.plan.gather[1].clear());
    assert!(
        matches!(
            result,
            Err(ReplayError::Word {
                what: "never gathered: word",
                index: 4,
                ..
            })
        ),
        "{result:?}"
    );
    let twice = after(|program| program.plan.gather[1].extend_from_within(..));
    assert!(
        matches!(
            twice,
            Err(ReplayError::Word {
                what: "gathering word",
                index: 4,
                ..
            })
        ),
        "{twice:?}"
    );
}

proptest! {
    /// Whatever is changed in a program: the check refuses it, or it computes what it should.
    #[test]
    fn random_damage(seed: u64, nests in 1..3_usize, processors in 1..5_usize, place: prop::sample::Index, by in -2..3_i64, what in 0..5) {
        let trace = random::nested(seed, nests);
        let mut program = assembled(&trace, random::schedule(&trace, seed, processors, 4), Memory::Private);
        let plan = &mut program.plan;
        match what {
            0..2 => {
                let all: usize = plan.code.iter().map(|code| code.values.len() + code.loose.len()).sum();
                let mut at = place.index(all);
                for code in &mut plan.code {
                    let (values, loose) = (code.values.len(), code.loose.len());
                    if at < values {
                        code.values[at] += by;
                    } else if at < values + loose {
                        code.loose[at - values] += by as i32;
                    }
                    at = at.wrapping_sub(values + loose);
                }
            }
            2 if !plan.messages.is_empty() => {
                let message = place.index(plan.messages.len());
                plan.messages.remove(message);
            }
            3 => {
                let mut strided: Vec<_> = plan.scatter.iter_mut().chain(&mut plan.gather).flatten().collect();
                strided.extend(plan.messages.iter_mut().flat_map(|message| &mut message.strided));
                if !strided.is_empty() {
                    let at = place.index(strided.len());
                    strided[at].to = strided[at].to.saturating_add_signed(by as i32);
                }
            }
            _ => {
                let lists = plan.code.len();
                plan.code.swap(place.index(lists), 0);
            }
        }
        if replay(&trace, &program).is_ok() {
            let oracle = Hashing(&trace);
            let mut arguments = oracle.arguments();
            interpret::run(&oracle, &program.plan, &oracle.components(), &mut arguments);
            prop_assert_eq!(arguments, oracle.sequential());
        }
    }
}

/// `y[i] = f(x[i])` on one processor, `x[i] = g()` on another: at the same time or one superstep
/// later.
#[test]
fn what_processors_share_is_never_written_while_another_uses_it() {
    let mut kernel = Kernel::new("renewed");
    let x = kernel.add_array("x", Role::InOut, None);
    let y = kernel.add_array("y", Role::InOut, None);
    kernel.add_statement("y[i] = f(x[i])", y, &[x]);
    kernel.add_statement("x[i] = g()", x, &[]);
    let trace = support::traced(kernel, |recorder| {
        (0..4).for_each(|i| recorder.push(0, i, &[i]));
        (0..4).for_each(|i| recorder.push(1, i, &[]));
    });
    let (uses, renews) = (|| vec![0, 1, 2, 3], || vec![4, 5, 6, 7]);
    let later = Schedule::from_lists(2, [[uses(), vec![]], [vec![], renews()]]);
    let mut program = assembled(&trace, later, Memory::Shared);
    assert_eq!(program.plan.shared, [true, true]);
    // Who writes waits for who has read; nobody waits for him.
    let precedence = Precedence {
        superstep: 1,
        processor: 1,
        peer: 0,
        ended: 0,
    };
    assert_eq!(program.plan.precedences, [precedence]);
    assert_eq!(replay(&trace, &program), Ok(()));
    let race = |superstep| ReplayError::Race {
        processor: 1,
        superstep,
        array: 0,
        index: 0,
    };
    program.plan.precedences.clear();
    assert_eq!(replay(&trace, &program), Err(race(1)));

    let at_once = || Schedule::from_lists(2, [[uses(), renews()]]);
    let mut program = assembled(&trace, at_once(), Memory::Shared);
    assert_eq!(program.plan.shared, [false, true]);
    assert_eq!(replay(&trace, &program), Ok(()));
    program.plan.shared[0] = true;
    assert_eq!(replay(&trace, &program), Err(race(0)));
}
