//! Calls of a kernel in all forms, in blocks that alternate.

use std::time::Instant;

use superstep::{Reason, RunError, Transport, last_reason, last_run};
use superstep_timing::Rounds;

use crate::{By, Case, Size, Trial};

/// Calls before those that are measured: at least, and at most where these take no longer than half
/// the time that is given.
///
/// 1,000 is where the promise of `parallel` begins; after 100 its probes of all forms are over.
const BEFORE: [f64; 2] = [100.0, 1_000.0];

/// Calls that are measured: at least, and at most where these take no longer than the time that is
/// given.
///
/// The promise of `parallel` is the mean of 10,000; 20 are five blocks, which have a median.
const MEASURED: [f64; 2] = [20.0, 10_000.0];

/// Seconds that a block of calls of one form takes.
///
/// Ten milliseconds are shorter than the moments in which a shared machine is slow, so that
/// neighbouring blocks are alike. They are hundreds of times the wake of a thread that sleeps.
const BLOCK_SECONDS: f64 = 0.01;

/// Calls of a block, at least and at most.
///
/// The first call of a block finds the other form's data in the caches, and threads that sleep.
/// With four calls it is a quarter of the block. More than 100 would leave too few blocks of 10,000
/// calls.
const BLOCK: [f64; 2] = [4.0, 100.0];

/// Blocks of a program, of which the fastest counts: 0.1 s, in which a noisy machine has a quiet
/// moment.
const PROGRAM: usize = 10;

/// Inputs that take turns, in every form: enough that no processor learns the branches of one.
const INPUTS: usize = 8;

/// Calls on one input before it changes, at most: forms have settled after some hundreds. As many
/// as the case had with which a form was seen to stay that loses on others.
const ONE_INPUT: f64 = 3_000.0;

/// Seconds of these calls, at most, where so many take longer: a bound on the time of the bench.
const ONE_INPUT_SECONDS: f64 = 1.0;

/// Inputs that take turns after the change, as in that case: no processor learns the branches of so
/// many.
const CHANGED_INPUTS: usize = 64;

/// Calls after the change before those that are measured. By then a form that is slower on the new
/// inputs is to be found, as is promised.
const CHANGED_BEFORE: usize = 200;

/// Forms of a call of `parallel` on two processors.
pub(super) const FORMS: [&str; 4] = ["function", "P = 1", "P = 2", "plan"];

/// A kernel whose calls were measured.
pub(super) struct Measured {
    trial: Box<dyn Trial>,
    /// Calls of a block, and of each form.
    block: usize,
    pub(super) calls: usize,
    /// Seconds of a call, for each block: of the function, on one processor at most, on two.
    blocks: Rounds,
    /// Calls on two processors in each of the [`FORMS`], in the second half.
    pub(super) forms: [usize; FORMS.len()],
    /// Why, of the last call in each.
    pub(super) reasons: [Option<String>; FORMS.len()],
    /// Prediction of the plan, in seconds, if one ran.
    pub(super) plan_predicted: Option<f64>,
    pub(super) identical: bool,
}

/// A program's time and its prediction, in seconds.
#[derive(Clone, Copy)]
pub(super) struct Program {
    pub(super) seconds: f64,
    pub(super) predicted: Option<f64>,
}

impl Measured {
    /// Calls the kernel on inputs that take turns, in all forms.
    pub(super) fn in_turn(case: &Case, size: Size, seconds: f64) -> Result<Self, RunError> {
        let mut trial = case.in_turn(size, INPUTS);
        keep(&mut *trial, INPUTS)?;
        let one = function_seconds(&mut *trial)?;
        let before = (0.5 * seconds / one).clamp(BEFORE[0], BEFORE[1]);
        Self::of(trial, one, before as usize, seconds)
    }

    /// Calls the kernel on one input, and on inputs that take turns after that.
    pub(super) fn after_a_change(case: &Case, size: Size, seconds: f64) -> Result<Self, RunError> {
        let mut one_input = case.trial(size);
        let one = function_seconds(&mut *one_input)?;
        let calls = (ONE_INPUT_SECONDS / one).clamp(BEFORE[0], ONE_INPUT) as usize;
        for by in [By::Alone, By::Parallel] {
            time(&mut *one_input, by, calls)?;
        }
        let mut trial = case.in_turn(size, CHANGED_INPUTS);
        keep(&mut *trial, CHANGED_INPUTS)?;
        Self::of(trial, one, CHANGED_BEFORE, seconds)
    }

    /// Calls the kernel in all forms, whose function takes `one` second or so, after some calls
    /// `before`.
    fn of(trial: Box<dyn Trial>, one: f64, before: usize, seconds: f64) -> Result<Self, RunError> {
        let count =
            |seconds: f64, [least, most]: [f64; 2]| (seconds / one).clamp(least, most) as usize;
        let block = count(BLOCK_SECONDS, BLOCK);
        let mut measured = Self {
            trial,
            block,
            calls: count(seconds, MEASURED).next_multiple_of(block),
            blocks: Rounds::new(3),
            forms: [0; FORMS.len()],
            reasons: [const { None }; FORMS.len()],
            plan_predicted: None,
            identical: true,
        };
        for by in [By::Alone, By::Parallel] {
            time(&mut *measured.trial, by, before)?;
        }
        let blocks = measured.calls / block;
        for at in 0..blocks {
            measured.block(2 * at >= blocks)?;
        }
        Ok(measured)
    }

    /// Measures a block of each form.
    fn block(&mut self, counts: bool) -> Result<(), RunError> {
        for (at, by) in [By::Function, By::Alone, By::Parallel]
            .into_iter()
            .enumerate()
        {
            let mut seconds = 0.0;
            for _ in 0..self.block {
                seconds += time(&mut *self.trial, by, 1)? / self.block as f64;
                self.identical &= self.trial.is_kept();
                if let (true, By::Parallel) = (counts, by) {
                    let (ran, reason) = (last_run(), last_reason());
                    let form = match reason {
                        Some(Reason::Planned) => 3,
                        _ => ran.map_or(0, |ran| ran.processors),
                    };
                    self.forms[form] += 1;
                    self.reasons[form] = reason.map(|reason| reason.to_string());
                    if form == 3 {
                        let predicted = ran.and_then(|ran| ran.predicted);
                        self.plan_predicted = predicted.map(|time| time.as_secs_f64());
                    }
                }
            }
            self.blocks.push(at, seconds);
        }
        Ok(())
    }

    /// Measures the program for that many processors, if there is one.
    pub(super) fn program(&mut self, processors: usize) -> Result<Option<Program>, RunError> {
        let by = By::Exactly(processors, Transport::Threads);
        time(&mut *self.trial, by, self.block)?;
        // Where none was built, a plan runs, or the function.
        let (Some(ran), None) = (last_run(), last_reason()) else {
            return Ok(None);
        };
        let mut least = f64::INFINITY;
        for _ in 0..PROGRAM {
            least = least.min(time(&mut *self.trial, by, self.block)? / self.block as f64);
        }
        Ok(Some(Program {
            seconds: least,
            predicted: ran.predicted.map(|time| time.as_secs_f64()),
        }))
    }

    /// Mean seconds of each form.
    pub(super) fn means(&self) -> [f64; 3] {
        [0, 1, 2].map(|form| self.blocks.mean(form))
    }

    /// The function's seconds in its fastest block.
    pub(super) fn fastest(&self) -> f64 {
        self.blocks.fastest(0)
    }

    /// Medians of the ratios to the function in neighbouring blocks.
    pub(super) fn medians(&self) -> [f64; 2] {
        [1, 2].map(|form| self.blocks.ratio(form, 0))
    }
}

/// Keeps what the function makes of so many inputs.
fn keep(trial: &mut dyn Trial, inputs: usize) -> Result<(), RunError> {
    for _ in 0..inputs {
        trial.reset();
        trial.call(By::Function)?;
        trial.keep();
    }
    Ok(())
}

/// Seconds of a call of the function, the fastest of ten.
fn function_seconds(trial: &mut dyn Trial) -> Result<f64, RunError> {
    let one = (0..10).map(|_| time(trial, By::Function, 1));
    let one = one.reduce(|a, b| Ok(a?.min(b?))).unwrap_or(Ok(0.0))?;
    Ok(one.max(1e-9))
}

/// Seconds of so many calls, without what gives each its first data again.
fn time(trial: &mut dyn Trial, by: By, calls: usize) -> Result<f64, RunError> {
    let mut seconds = 0.0;
    for _ in 0..calls {
        trial.reset();
        let start = Instant::now();
        trial.call(by)?;
        seconds += start.elapsed().as_secs_f64();
    }
    Ok(seconds)
}
