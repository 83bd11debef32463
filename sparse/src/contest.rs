//! Times of a planned kernel beside those of the function as it is written.

use std::time::Instant;

use serde::{Deserialize, Serialize};
use superstep::RunError;
use superstep::plan::PlanningError;

use crate::{Kernel, Problem};

/// Repetitions of a measurement.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// For how long each form is run in all, in seconds.
    pub seconds: f64,
    /// Least number of rounds.
    pub rounds: usize,
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
    /// Report of the plan.
    pub report: String,
    /// Set if every run had the bits of the function.
    pub identical: bool,
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
/// The function, a plan for one processor and the plan run in turn, each on the same array, twice:
/// the second time counts. A ratio is the median of those of single rounds.
///
/// # Errors
/// If planning or running fails.
pub fn contest(
    problem: &Problem,
    processors: usize,
    effort: Effort,
) -> Result<Standing, ContestError> {
    let mut planning = Vec::new();
    let plan = loop {
        let start = Instant::now();
        let plan = problem.plan(processors)?;
        planning.push(start.elapsed().as_secs_f64());
        if planning.len() >= effort.rounds || planning.iter().sum::<f64>() > effort.seconds {
            break plan;
        }
    };
    let one = problem.plan(1)?;
    let mut expected = problem.start().to_vec();
    problem.written(&mut expected);

    let mut x = expected.clone();
    let mut identical = true;
    let mut timed = |run: &mut dyn FnMut(&mut [f64]) -> Result<(), RunError>| {
        let mut seconds = 0.0;
        for _ in 0..2 {
            x.copy_from_slice(problem.start());
            let start = Instant::now();
            run(&mut x)?;
            seconds = start.elapsed().as_secs_f64();
            let equal = |(a, b): (&f64, &f64)| a.to_bits() == b.to_bits();
            identical &= x.iter().zip(&expected).all(equal);
        }
        Ok::<f64, RunError>(seconds)
    };
    let (mut written, mut ones, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
    while written.len() < effort.rounds || written.iter().sum::<f64>() < effort.seconds {
        let base = timed(&mut |x| {
            problem.written(x);
            Ok(())
        })?;
        ones.push(timed(&mut |x| one.run(x))? / base);
        ratios.push(timed(&mut |x| plan.run(x))? / base);
        written.push(base);
    }

    let report = plan.report();
    let (planning, written) = (median(planning), median(written));
    let ratio = median(ratios);
    let planning_calls = planning / written;
    let why_sequential = report.why_sequential();
    let pays = ratio < 1.0 && why_sequential.is_none();
    Ok(Standing {
        kernel: problem.kernel(),
        rows: problem.matrix().lines(),
        entries: problem.matrix().indices.len(),
        parallelism: report.parallelism,
        processors,
        schedule: report.chosen().algorithm.to_string(),
        why_sequential,
        predicted: report.chosen().ratio,
        planning_seconds: planning,
        written_seconds: written,
        planning_calls,
        one: median(ones),
        ratio,
        break_even: pays.then(|| planning_calls / (1.0 - ratio)),
        report: report.to_string(),
        identical,
    })
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
