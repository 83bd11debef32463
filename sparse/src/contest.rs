//! Times of a planned kernel beside those of the function as it is written.

use std::time::Instant;

use serde::{Deserialize, Serialize};
use superstep::RunError;
use superstep::plan::PlanningError;
use superstep_timing::{Rounds, median, timed};

use crate::{Kernel, Planned, Problem};

/// Turns of calls, and seconds, after which a plan has chosen between its forms. It tries short
/// calls once they have saved what that may lose. What is timed is what has settled.
const SETTLED: (usize, f64) = (16, 0.2);

/// Seconds for that, at most: calls of seconds are not settled by then, and would take minutes.
const UNSETTLED: f64 = 20.0;

/// Rounds, at most: the median of so many is as sure as it gets. A form of a few
/// nanoseconds would take all memory for its times before it has run for a second.
const MOST_ROUNDS: usize = 10_000;

/// Time for which a form runs again and again in its turn, in seconds, and calls in it, at least
/// and at most. So short calls are those of somebody who makes many: workers are awake, and caches
/// and branch predictors are warm. By `superstep-bench plan --quick --kernel sptrsv` loaded solves
/// of 21 matrices take 0.51 of the function, with turns of two calls 0.54.
const TURN: (f64, [usize; 2]) = (1e-3, [2, 32]);

/// Repetitions of a measurement.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// For how long each form is run in all, in seconds, on average over the forms.
    pub seconds: f64,
    /// Least number of rounds.
    pub rounds: usize,
}

impl Effort {
    /// Returns whether another round follows so many, of which each form has had so many seconds.
    fn goes_on(self, rounds: usize, seconds: f64) -> bool {
        rounds < self.rounds || rounds < MOST_ROUNDS && seconds < self.seconds
    }
}

/// Outcome of a contest: times in seconds, ratios to the function as it is written.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Standing {
    /// The kernel.
    pub kernel: Kernel,
    /// Rows of its matrix.
    pub rows: usize,
    /// Entries of its matrix.
    pub entries: usize,
    /// All work over that of the critical path.
    pub parallelism: f64,
    /// Processors that were planned for.
    pub processors: usize,
    /// Name of the chosen schedule.
    pub schedule: String,
    /// Reason why it is sequential, if it is.
    pub why_sequential: Option<String>,
    /// Predicted ratio of the chosen schedule.
    pub predicted: f64,
    /// Time of planning, proof included, on one thread.
    pub planning_seconds: f64,
    /// Time of the function.
    pub written_seconds: f64,
    /// Planning in calls of the function.
    pub planning_calls: f64,
    /// Ratio of a plan for one processor.
    pub one: f64,
    /// Ratio of the plan.
    pub ratio: f64,
    /// Number of calls after which planning has paid, if it does: of a plan that is sequential a
    /// ratio below 1 is chance.
    pub break_even: Option<f64>,
    /// The plan loaded.
    pub loaded: LoadedStanding,
    /// The peers, in their order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub peers: Vec<PeerStanding>,
    /// Report of the plan.
    pub report: String,
    /// Set if every run had the bits of the function.
    pub identical: bool,
}

/// Outcome for a loaded plan.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct LoadedStanding {
    /// Loading in calls of the function.
    pub loading_calls: f64,
    /// Loading other values in calls of the function.
    pub update_calls: f64,
    /// Bytes of the copies.
    pub bytes: usize,
    /// Ratio of a loaded plan for one processor.
    pub one: f64,
    /// Ratio of the loaded plan.
    pub ratio: f64,
    /// Number of calls after which planning and loading have paid, if they do.
    pub break_even: Option<f64>,
}

/// Another way to compute what a kernel computes.
pub struct Peer<'p> {
    /// Its name.
    pub name: &'static str,
    /// Set if it computes in the order of the function, so that its results must have the same
    /// bits. Others are only timed.
    pub same_order: bool,
    /// Computes on an array that has the contents of [`start`](Problem::start).
    pub run: Box<Run<'p>>,
}

/// A run on an array.
pub type Run<'p> = dyn FnMut(&mut [f64]) -> Result<(), RunError> + 'p;

/// Outcome for a peer.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PeerStanding {
    /// Its name.
    pub name: String,
    /// Ratio to the function as it is written.
    pub ratio: f64,
}

/// Errors of a contest.
#[derive(Debug, thiserror::Error)]
pub enum ContestError {
    /// The kernel cannot be planned.
    #[error(transparent)]
    Planning(#[from] PlanningError),
    /// A plan cannot be run.
    #[error(transparent)]
    Run(#[from] RunError),
}

/// Plans a problem for so many processors and times the plan.
///
/// The function, a plan for one processor and the plan run in turn, on the same array. A turn is of
/// 2 to 32 calls, for a millisecond, of which the last counts. A ratio is the median of those of
/// single rounds. So do `peers`; results of those of the same order are compared too.
///
/// # Errors
/// If planning or running fails.
pub fn contest(
    problem: &Problem,
    processors: usize,
    effort: Effort,
    peers: &mut [Peer<'_>],
) -> Result<Standing, ContestError> {
    let (plan, planning) = repeated(effort, || problem.plan(processors))?;
    let one = problem.plan(1)?;
    let (mut loaded, loading) = repeated(effort, || plan.load())?;
    let loaded_one = one.load()?;
    let ((), updates) = repeated(effort, || loaded.update())?;
    let mut forms: [Box<Run<'_>>; FIRST_PEER] = [
        Box::new(|x| {
            problem.written(x);
            Ok(())
        }),
        Box::new(|x| one.run(x)),
        Box::new(|x| plan.run(x)),
        Box::new(|x| loaded_one.run(x)),
        Box::new(|x| loaded.run(x)),
    ];
    let mut runs = Runs::new(problem);
    runs.settle(&mut forms[ALONE..])?;
    let rounds = runs.rounds(&mut forms, peers, effort)?;

    let report = plan.report();
    let written = rounds.median(FUNCTION);
    let ratio = rounds.ratio(PARALLEL, FUNCTION);
    let planning_calls = planning / written;
    let why_sequential = report.why_sequential();
    let break_even = |calls: f64, ratio: f64| {
        (ratio < 1.0 && why_sequential.is_none()).then(|| calls / (1.0 - ratio))
    };
    let loading_calls = loading / written;
    let loaded_ratio = rounds.ratio(LOADED_PARALLEL, FUNCTION);
    let loaded = LoadedStanding {
        loading_calls,
        update_calls: updates / written,
        bytes: loaded.bytes(),
        one: rounds.ratio(LOADED_ALONE, FUNCTION),
        ratio: loaded_ratio,
        break_even: break_even(planning_calls + loading_calls, loaded_ratio),
    };
    Ok(Standing {
        kernel: problem.kernel(),
        rows: problem.matrix().lines(),
        entries: problem.matrix().indices.len(),
        parallelism: report.parallelism,
        processors,
        schedule: report.chosen().algorithm.to_string(),
        predicted: report.chosen().ratio,
        planning_seconds: planning,
        written_seconds: written,
        planning_calls,
        one: rounds.ratio(ALONE, FUNCTION),
        ratio,
        break_even: break_even(planning_calls, ratio),
        why_sequential,
        loaded,
        peers: (FIRST_PEER..)
            .zip(&*peers)
            .map(|(form, peer)| PeerStanding {
                name: peer.name.into(),
                ratio: rounds.ratio(form, FUNCTION),
            })
            .collect(),
        report: report.to_string(),
        identical: runs.identical,
    })
}

/// Times two plans of a problem, and returns the ratios of the second to the first: in place, and
/// loaded.
///
/// They run in turn, as in a [`contest`].
///
/// # Errors
/// If loading or running fails.
///
/// # Panics
/// If a run has other bits than the function.
pub fn beside(
    problem: &Problem,
    [first, second]: [&Planned<'_>; 2],
    effort: Effort,
) -> Result<[f64; 2], ContestError> {
    let (loaded_first, loaded_second) = (first.load()?, second.load()?);
    let mut forms: [Box<Run<'_>>; 4] = [
        Box::new(|x| first.run(x)),
        Box::new(|x| second.run(x)),
        Box::new(|x| loaded_first.run(x)),
        Box::new(|x| loaded_second.run(x)),
    ];
    let mut runs = Runs::new(problem);
    runs.settle(&mut forms)?;
    let rounds = runs.rounds(&mut forms, &mut [], effort)?;
    assert!(runs.identical, "plans have the bits of the function");
    Ok([rounds.ratio(1, 0), rounds.ratio(3, 2)])
}

// Numbers of the forms that run in turn.
const FUNCTION: usize = 0;
const ALONE: usize = 1;
const PARALLEL: usize = 2;
const LOADED_ALONE: usize = 3;
const LOADED_PARALLEL: usize = 4;
const FIRST_PEER: usize = 5;

/// Runs of forms on one array, compared with the function.
struct Runs<'c> {
    problem: &'c Problem,
    /// Number of calls in a turn.
    calls: usize,
    x: Vec<f64>,
    expected: Vec<f64>,
    /// Set if no run that must have the bits of the function had others.
    identical: bool,
}

impl<'c> Runs<'c> {
    fn new(problem: &'c Problem) -> Self {
        let mut expected = problem.start().to_vec();
        let (time, ()) = timed(|| problem.written(&mut expected));
        let (turn, [least, most]) = TURN;
        let calls = (turn / time.as_secs_f64()) as usize;
        Self {
            problem,
            calls: calls.clamp(least, most),
            x: expected.clone(),
            expected,
            identical: true,
        }
    }

    /// Runs a form again and again, and returns the seconds of the last time.
    fn last_of_turn(&mut self, run: &mut Run<'_>, same_order: bool) -> Result<f64, RunError> {
        let mut seconds = 0.0;
        for _ in 0..self.calls {
            self.x.copy_from_slice(self.problem.start());
            let (time, ran) = timed(|| run(&mut self.x));
            ran?;
            seconds = time.as_secs_f64();
            let equal = |(a, b): (&f64, &f64)| a.to_bits() == b.to_bits();
            self.identical &= !same_order || self.x.iter().zip(&self.expected).all(equal);
        }
        Ok(seconds)
    }

    /// Runs plans until they have compared themselves with the function.
    fn settle(&mut self, plans: &mut [Box<Run<'_>>]) -> Result<(), RunError> {
        let settling = Instant::now();
        for turns in 0..MOST_ROUNDS {
            let seconds = settling.elapsed().as_secs_f64();
            if turns >= SETTLED.0 && seconds > SETTLED.1 || seconds > UNSETTLED {
                break;
            }
            for plan in &mut *plans {
                self.last_of_turn(plan, true)?;
            }
        }
        Ok(())
    }

    /// Runs the function, the plans and the peers in turn.
    fn rounds(
        &mut self,
        forms: &mut [Box<Run<'_>>],
        peers: &mut [Peer<'_>],
        effort: Effort,
    ) -> Result<Rounds, RunError> {
        let count = forms.len() + peers.len();
        let mut rounds = Rounds::new(count);
        let start = Instant::now();
        while effort.goes_on(rounds.count(), start.elapsed().as_secs_f64() / count as f64) {
            for (form, run) in forms.iter_mut().enumerate() {
                rounds.push(form, self.last_of_turn(run, true)?);
            }
            for (form, peer) in (forms.len()..).zip(&mut *peers) {
                rounds.push(form, self.last_of_turn(&mut peer.run, peer.same_order)?);
            }
        }
        Ok(rounds)
    }
}

/// Makes something several times; the last of them, and the median of the times in seconds.
fn repeated<T>(
    effort: Effort,
    mut make: impl FnMut() -> Result<T, PlanningError>,
) -> Result<(T, f64), PlanningError> {
    let mut times = Vec::new();
    loop {
        let (time, made) = timed(&mut make);
        let made = made?;
        times.push(time.as_secs_f64());
        if times.len() >= effort.rounds || times.iter().sum::<f64>() > effort.seconds {
            return Ok((made, median(times)));
        }
    }
}
