//! Newton's method, with functions or with plans.

use std::time::Instant;

use superstep::RunError;
use superstep::plan::{PlanReport, PlanningError};
use superstep_side_by_side::Timed;

use crate::kernels;
use crate::system::{Arrays, System};

/// Time between two states of the sources.
const STEP: f64 = 0.25;

/// Largest flow that may be left at a node where an iterate is taken as root.
const TOLERANCE: f64 = 1e-10;

/// Iterations after which there is no root.
const MOST_ITERATIONS: usize = 30;

/// Plans of the three kernels for the pattern of a system.
pub struct Plans<'s> {
    evaluate: kernels::evaluate::Planned<'s>,
    refactor: kernels::refactor::Planned<'s>,
    solve: kernels::solve::Planned<'s>,
    /// Seconds that planning each took.
    pub seconds: [f64; 3],
}

impl<'s> Plans<'s> {
    /// Plans for so many processors. Calls take the function where that is faster, unless they are
    /// to be `exact`.
    ///
    /// # Errors
    /// If there are no processors, or too many.
    pub fn new(system: &'s System, processors: usize, exact: bool) -> Result<Self, PlanningError> {
        let (elements, factors, updates) = (&system.elements, &system.factors, &system.updates);
        let (start, col, diagonal) = (&factors.starts, &factors.indices, &system.diagonal);
        let (row, node, n) = (&elements.starts, &elements.indices, system.nodes());
        let start_of_all = Instant::now();
        let planner = kernels::evaluate::plan(n, row, node, &system.to, start, diagonal);
        let evaluate = match exact {
            true => planner.exactly(processors),
            false => planner.processors(processors),
        }
        .build()?;
        let first = Instant::now();
        let planner = kernels::refactor::plan(
            updates.of.len(),
            start,
            col,
            diagonal,
            &updates.part,
            &updates.of,
            &system.places.0,
            &system.places.1,
        );
        let refactor = match exact {
            true => planner.exactly(processors),
            false => planner.processors(processors),
        }
        .build()?;
        let second = Instant::now();
        let planner = kernels::solve::plan(n, start, col, diagonal);
        let solve = match exact {
            true => planner.exactly(processors),
            false => planner.processors(processors),
        }
        .build()?;
        let times = [first - start_of_all, second - first, second.elapsed()];
        Ok(Self {
            evaluate,
            refactor,
            solve,
            seconds: times.map(|time| time.as_secs_f64()),
        })
    }

    /// Tells what was planned of the three kernels, and why.
    pub fn reports(&self) -> [&PlanReport; 3] {
        let refactor = self.refactor.report();
        [self.evaluate.report(), refactor, self.solve.report()]
    }
}

/// Evaluates equations and Jacobian.
fn evaluate(
    system: &System,
    plans: Option<&Plans<'_>>,
    source: &[f64],
    arrays: &mut Arrays,
) -> Result<(), RunError> {
    let (elements, start) = (&system.elements, &system.factors.starts);
    let (row, node, weight) = (&elements.starts, &elements.indices, &elements.values);
    let (n, to, diagonal) = (system.nodes(), &system.to, &system.diagonal);
    let Arrays { x, f, a } = arrays;
    match plans {
        Some(plans) => return plans.evaluate.run(weight, source, x, f, a),
        None => kernels::evaluate(n, row, node, to, start, diagonal, weight, source, x, f, a),
    }
    Ok(())
}

/// Factors the Jacobian.
fn refactor(
    system: &System,
    plans: Option<&Plans<'_>>,
    arrays: &mut Arrays,
) -> Result<(), RunError> {
    let (factors, updates, diagonal) = (&system.factors, &system.updates, &system.diagonal);
    let (start, col, parts) = (&factors.starts, &factors.indices, updates.of.len());
    let (part, of) = (&updates.part, &updates.of);
    let (first, place) = &system.places;
    let a = &mut arrays.a;
    match plans {
        Some(plans) => return plans.refactor.run(a),
        None => kernels::refactor(parts, start, col, diagonal, part, of, first, place, a),
    }
    Ok(())
}

/// Solves for the correction.
fn solve(system: &System, plans: Option<&Plans<'_>>, arrays: &mut Arrays) -> Result<(), RunError> {
    let (factors, diagonal) = (&system.factors, &system.diagonal);
    let (n, start, col) = (system.nodes(), &factors.starts, &factors.indices);
    let Arrays { f, a, .. } = arrays;
    match plans {
        Some(plans) => return plans.solve.run(a, f),
        None => kernels::solve(n, start, col, diagonal, a, f),
    }
    Ok(())
}

/// Roots that were found one after the other.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Path {
    /// The roots.
    pub roots: Vec<Vec<f64>>,
    /// Steps of Newton's method, in all.
    pub steps: usize,
    /// Largest flow that is left at a node, over all roots.
    pub residual: f64,
}

/// Errors of following a root.
#[derive(Debug, thiserror::Error)]
pub enum NoRoot {
    /// Newton's method does not converge.
    #[error("state {state} of the sources: after 30 steps {residual:e} is left at a node")]
    Diverged {
        /// State of the sources, from 0.
        state: usize,
        /// Largest flow that is left at a node.
        residual: f64,
    },
    /// A plan cannot be run.
    #[error(transparent)]
    Run(#[from] RunError),
}

/// Follows the root while the sources change, by as many steps of Newton's method as are wanted, and
/// some more until the last root is found. Adds the time of each call to those of its kernel.
///
/// Without plans the functions run as they are written.
///
/// # Errors
/// If there is no root, or a plan fails.
pub fn follow(
    system: &System,
    plans: Option<&Plans<'_>>,
    steps: usize,
    times: &mut [Timed; 3],
) -> Result<Path, NoRoot> {
    let [evaluating, refactoring, solving] = times;
    let mut arrays = system.arrays();
    let mut path = Path::default();
    while path.steps < steps {
        let state = path.roots.len();
        let source = system.sources(STEP * state as f64);
        let before = path.steps;
        loop {
            evaluating.call(|| evaluate(system, plans, &source, &mut arrays))?;
            let residual = largest(&arrays.f);
            if residual <= TOLERANCE {
                path.residual = path.residual.max(residual);
                break;
            }
            if path.steps - before == MOST_ITERATIONS || residual.is_nan() {
                return Err(NoRoot::Diverged { state, residual });
            }
            refactoring.call(|| refactor(system, plans, &mut arrays))?;
            solving.call(|| solve(system, plans, &mut arrays))?;
            let corrections = arrays.x.iter_mut().zip(&arrays.f);
            corrections.for_each(|(x, correction)| *x += correction);
            path.steps += 1;
        }
        path.roots.push(arrays.x.clone());
    }
    Ok(path)
}

/// Returns the largest absolute value; not a number if one is not.
fn largest(values: &[f64]) -> f64 {
    let larger = |most: f64, value: &f64| match value.abs() > most || value.is_nan() {
        true => value.abs(),
        false => most,
    };
    values.iter().fold(0.0, larger)
}
