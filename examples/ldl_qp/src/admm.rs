//! The alternating direction method of multipliers: section 3 of OSQP's paper, with the step size
//! of section 5.2 updated every few iterations.

use superstep::RunError;
use superstep::plan::PlanningError;
use superstep_sparse::TooLarge;

use crate::kernels::WrongSign;
use crate::kkt::Kkt;
use crate::operations::Operations;
use crate::program::{Program, Unsuitable, product};

/// Iterations between two factorisations. A flow on 60 x 60 nodes takes 210 in all, so that the
/// step size has some twenty chances to become right. (OSQP chooses by the time of its setup.)
const INTERVAL: usize = 10;

/// Weight of the last iterate, `s` of the matrix: OSQP's sigma and its default. It only has to keep
/// the matrix quasi-definite.
const PROXIMAL: f64 = 1e-6;

/// Overrelaxation, a factor between 0 and 2: OSQP's alpha and its default.
const RELAXATION: f64 = 1.6;

/// Step size before the first update: OSQP's rho and its default.
const FIRST_SIZE: f64 = 0.1;

/// Step size of equations over that of other constraints: OSQP's, section 5.2 of its paper.
const EQUATION: f64 = 1e3;

/// Range of step sizes: OSQP's.
const SIZES: [f64; 2] = [1e-6, 1e6];

/// Residuals at which the iteration ends, absolute and relative: minima of the tests then cost what
/// their duals do to 10^-4.
const TOLERANCE: f64 = 1e-6;

/// A minimum that was found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outcome {
    /// The variables.
    pub x: Vec<f64>,
    /// The constraints' values.
    pub z: Vec<f64>,
    /// The constraints' multipliers.
    pub y: Vec<f64>,
    /// Number of iterations.
    pub iterations: usize,
    /// Number of factorisations.
    pub factorisations: usize,
    /// Residual of the constraints, and of the gradient: largest entries.
    pub residuals: [f64; 2],
}

impl Outcome {
    /// Returns variables, constraints and multipliers.
    pub fn all(self) -> Vec<Vec<f64>> {
        vec![self.x, self.z, self.y]
    }
}

/// Errors of minimising.
#[derive(Debug, thiserror::Error)]
pub enum NoMinimum {
    /// A pattern is not that of a program.
    #[error(transparent)]
    Unsuitable(#[from] Unsuitable),
    /// The factors are too large.
    #[error(transparent)]
    TooLarge(#[from] TooLarge),
    /// The iteration does not converge.
    #[error("after {iterations} iterations the residuals are {:e} and {:e}", residuals[0], residuals[1])]
    Diverged {
        /// Number of iterations.
        iterations: usize,
        /// Residuals of the constraints and of the gradient.
        residuals: [f64; 2],
    },
    /// A pivot has the wrong sign.
    #[error(transparent)]
    WrongSign(#[from] WrongSign),
    /// A kernel cannot be planned.
    #[error(transparent)]
    Planning(#[from] PlanningError),
    /// A plan cannot be run.
    #[error(transparent)]
    Run(#[from] RunError),
}

/// Minimises a program, with `kkt` of the same program, in at most `most` iterations.
///
/// # Errors
/// If the iteration does not converge, the cost is not convex, or a plan cannot be run.
///
/// ```
/// use superstep_example_ldl_qp::{Functions, Kkt, Plans, Program, minimise};
///
/// let program = Program::flow(6);
/// let kkt = Kkt::new(&program)?;
/// let one = minimise(&program, &kkt, &Functions::new(&kkt), 2000)?;
/// let other = minimise(&program, &kkt, &Plans::new(&kkt, 2)?, 2000)?;
/// assert_eq!(one, other);
/// # Ok::<(), superstep_example_ldl_qp::NoMinimum>(())
/// ```
pub fn minimise(
    program: &Program,
    kkt: &Kkt,
    operations: &impl Operations,
    most: usize,
) -> Result<Outcome, NoMinimum> {
    let (variables, constraints) = kkt.split();
    let mut at = Outcome {
        x: vec![0.0; variables.len()],
        z: vec![0.0; constraints.len()],
        y: vec![0.0; constraints.len()],
        ..Outcome::default()
    };
    let mut a = Vec::new();
    let mut rhs = vec![0.0; kkt.places.len()];
    let mut size = FIRST_SIZE;
    let mut sizes = vec![0.0; constraints.len()];
    while at.iterations < most {
        assemble(program, kkt, size, &mut sizes, &mut a);
        operations.refactor(&mut a)?;
        at.factorisations += 1;
        let count = INTERVAL.min(most - at.iterations);
        for _ in 0..count {
            right_hand_side(program, kkt, &at, &sizes, &mut rhs);
            operations.solve(&a, &mut rhs)?;
            step(program, kkt, &rhs, &sizes, &mut at);
        }
        at.iterations += count;
        let relative = residuals(program, &mut at);
        if relative.iter().all(|residual| *residual <= 1.0) {
            return Ok(at);
        }
        let ratio = (relative[0] / relative[1]).sqrt();
        if ratio.is_nan() {
            break;
        }
        size = (size * ratio).clamp(SIZES[0], SIZES[1]);
    }
    Err(NoMinimum::Diverged {
        iterations: at.iterations,
        residuals: at.residuals,
    })
}

/// Writes the step size of each constraint, and the values of the matrix for them.
fn assemble(program: &Program, kkt: &Kkt, size: f64, sizes: &mut [f64], a: &mut Vec<f64>) {
    for (own, (l, u)) in sizes.iter_mut().zip(program.l.iter().zip(&program.u)) {
        *own = if l == u { EQUATION * size } else { size };
    }
    kkt.assemble(PROXIMAL, sizes, a);
}

/// Returns the values of the matrix in the first iterations.
pub fn first(program: &Program, kkt: &Kkt) -> Vec<f64> {
    let mut a = Vec::new();
    let mut sizes = vec![0.0; program.a.lines()];
    assemble(program, kkt, FIRST_SIZE, &mut sizes, &mut a);
    a
}

fn right_hand_side(program: &Program, kkt: &Kkt, at: &Outcome, sizes: &[f64], rhs: &mut [f64]) {
    let (variables, constraints) = kkt.split();
    for (i, &place) in variables.iter().enumerate() {
        rhs[place] = PROXIMAL * at.x[i] - program.q[i];
    }
    for (j, &place) in constraints.iter().enumerate() {
        rhs[place] = at.z[j] - at.y[j] / sizes[j];
    }
}

/// Moves towards the solution of the conditions, and back between the bounds.
fn step(program: &Program, kkt: &Kkt, solution: &[f64], sizes: &[f64], at: &mut Outcome) {
    let (variables, constraints) = kkt.split();
    for (x, &place) in at.x.iter_mut().zip(variables) {
        *x = RELAXATION * solution[place] + (1.0 - RELAXATION) * *x;
    }
    for (j, &place) in constraints.iter().enumerate() {
        let (y, z) = (at.y[j], at.z[j]);
        let next = z + (solution[place] - y) / sizes[j];
        let relaxed = RELAXATION * next + (1.0 - RELAXATION) * z;
        at.z[j] = (relaxed + y / sizes[j]).max(program.l[j]).min(program.u[j]);
        at.y[j] = y + sizes[j] * (relaxed - at.z[j]);
    }
}

/// Computes the residuals, and returns them over what is allowed.
fn residuals(program: &Program, at: &mut Outcome) -> [f64; 2] {
    let values = product(&program.a, &at.x);
    let costs = product(&program.p, &at.x);
    let mut forces = vec![0.0; at.x.len()];
    for (row, y) in at.y.iter().enumerate() {
        program.a.line(row).for_each(|(i, a)| forces[i] += a * y);
    }
    let apart = values.iter().zip(&at.z).map(|(value, z)| value - z);
    let gradient = costs.iter().zip(&program.q).zip(&forces);
    let gradient = gradient.map(|((p, q), force)| p + q + force);
    at.residuals = [largest(apart), largest(gradient)];
    let of = |values: &[f64]| largest(values.iter().copied());
    let scales = [
        of(&values).max(of(&at.z)),
        of(&costs).max(of(&forces)).max(of(&program.q)),
    ];
    let mut relative = at.residuals;
    for (relative, scale) in relative.iter_mut().zip(scales) {
        *relative /= TOLERANCE * (1.0 + scale);
    }
    relative
}

/// Returns the largest absolute value; not a number if one is not.
fn largest(values: impl Iterator<Item = f64>) -> f64 {
    values.fold(0.0, |most, value| {
        match value.abs() > most || value.is_nan() {
            true => value.abs(),
            false => most,
        }
    })
}
