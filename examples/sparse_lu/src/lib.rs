//! Newton's method on the pattern of a circuit or of a power grid, again and again: values change
//! with the iterate, the pattern never does.
//!
//! Whoever simulates a circuit orders its nodes and finds the pattern of the factors once. Then
//! they evaluate, factor and solve thousands of times: so KLU is used. [`Network`] has that
//! pattern; [`kernels`] are the three functions of a step, planned once as well. [`follow`] is
//! Newton's method while the sources change; it runs by [`Functions`] or by [`Plans`], with the
//! same bits.

pub mod kernels;
mod network;
mod operations;

use kernels::SmallPivot;
pub use network::{Arrays, Network};
pub use operations::{Functions, Operations, Plans};
use superstep::RunError;
use superstep::plan::PlanningError;
use superstep_sparse::Unsuitable;

/// Time between two states of the sources: a root is a good start for the next, but not the next.
const STEP: f64 = 0.25;

/// Largest flow that may be left at a node where an iterate is taken as root: sources are up to 4.
const TOLERANCE: f64 = 1e-10;

/// Iterations after which there is no root: the tests' networks take up to 6.
const MOST_ITERATIONS: usize = 30;

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
    /// The pattern has no factors, or too large ones.
    #[error(transparent)]
    Unsuitable(#[from] Unsuitable),
    /// Newton's method does not converge.
    #[error("state {state} of the sources: after 30 steps {residual:e} is left at a node")]
    Diverged {
        /// State of the sources, from 0.
        state: usize,
        /// Largest flow that is left at a node.
        residual: f64,
    },
    /// A pivot is too small for the fixed order.
    #[error(transparent)]
    SmallPivot(#[from] SmallPivot),
    /// A kernel cannot be planned.
    #[error(transparent)]
    Planning(#[from] PlanningError),
    /// A plan cannot be run.
    #[error(transparent)]
    Run(#[from] RunError),
}

/// Follows the root while the sources change. It takes as many steps of Newton's method as are
/// wanted, and some more until the last root is found.
///
/// # Errors
/// If there is no root, or a plan cannot be run.
///
/// ```
/// use superstep_example_matrices::{Input, System};
/// use superstep_example_sparse_lu::{Functions, Network, Plans, follow};
///
/// let network = Network::new(&System::poisson(6).a)?;
/// let one = follow(&Functions::new(&network), &network, 10)?;
/// let other = follow(&Plans::new(&network, 2)?, &network, 10)?;
/// assert_eq!(one, other);
/// # Ok::<(), superstep_example_sparse_lu::NoRoot>(())
/// ```
pub fn follow(
    operations: &impl Operations,
    network: &Network,
    steps: usize,
) -> Result<Path, NoRoot> {
    let mut arrays = network.arrays();
    let mut path = Path::default();
    while path.steps < steps {
        let state = path.roots.len();
        let source = network.sources(STEP * state as f64);
        let before = path.steps;
        loop {
            operations.evaluate(&source, &mut arrays)?;
            let residual = largest(&arrays.f);
            if residual <= TOLERANCE {
                path.residual = path.residual.max(residual);
                break;
            }
            if path.steps - before == MOST_ITERATIONS || residual.is_nan() {
                return Err(NoRoot::Diverged { state, residual });
            }
            operations.refactor(&mut arrays)?;
            operations.solve(&mut arrays)?;
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
