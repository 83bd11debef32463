//! Runs without threads: processors in turn, one step at a time in a fixed order, and one processor
//! alone.

use superstep_order::Order;

use super::{Payload, Turn};
use crate::error::{Failure, catch};
use crate::timeline::{self, Recorder};

/// Runs the first step of each processor, in turn, then the second of each, and so on.
///
/// # Errors
/// With the failure of the first step that panics: no step follows it.
///
/// # Panics
/// If a step waits for one that comes later.
pub(crate) fn in_turn(order: &Order, payload: &dyn Payload) -> Result<(), Failure> {
    recorded(order, |recorder| rounds(order, payload, recorder))
}

fn rounds(
    order: &Order,
    payload: &dyn Payload,
    recorder: Option<&Recorder>,
) -> Result<(), Failure> {
    let processors = 0..order.processors() as u32;
    let steps = |&processor: &u32| order.steps_of(processor).len() as u32;
    let longest = processors.clone().map(|p| steps(&p)).max().unwrap_or(0);
    for round in 0..longest {
        for processor in processors.clone().filter(|p| round < steps(p)) {
            let first = order.steps_of(processor).start;
            let has_ended = |peer: u32| round + u32::from(peer < processor);
            let waits = order.waits_of(first + round);
            assert!(
                waits
                    .iter()
                    .all(|wait| wait.steps <= has_ended(wait.processor)),
                "step {round} of processor {processor} waits for one that comes later"
            );
            let steps = first + round..first + round + 1;
            let turn = Turn::free(processor, first, steps, recorder);
            run(payload, turn)?;
        }
    }
    Ok(())
}

/// Runs all steps of the first processor, which waits for nobody.
///
/// # Errors
/// With the failure of the step that panics.
pub(crate) fn alone(order: &Order, payload: &dyn Payload) -> Result<(), Failure> {
    recorded(order, |recorder| {
        run(payload, Turn::free(0, 0, order.steps_of(0), recorder))
    })
}

/// Runs with a recorder, if one is wanted, and keeps what it has noted.
fn recorded(
    order: &Order,
    run: impl FnOnce(Option<&Recorder>) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let recorder = Recorder::wanted(order.steps());
    let ran = run(recorder.as_deref());
    timeline::keep(recorder, &order.processors, ran.is_err());
    ran
}

fn run(payload: &dyn Payload, mut turn: Turn<'_>) -> Result<(), Failure> {
    let ran = catch(|| payload.run(&mut turn));
    ran.map_err(|payload| Failure::in_step(turn.count() as usize, turn.processor(), payload))
}
