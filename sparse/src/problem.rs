//! The arrays of a kernel for a matrix.

use std::path::Path;
use std::str::FromStr;

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use serde::{Deserialize, Serialize};
use superstep::RunError;
use superstep::plan::{FileError, PlanningError, Report, Schedule};
use superstep_matrix::Compressed;

use crate::factor::{TooLarge, Updates, filled, minimum_degree};
use crate::kernels::{self, COLUMNS, RowError};

/// Updates of a factorisation for each entry that is allowed, at most.
const UPDATES: usize = 64;

/// The kernels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kernel {
    /// [`kernels::forward()`] on the lower triangle.
    Sptrsv,
    /// [`kernels::backward()`] on the lower triangle, by its rows.
    Backward,
    /// [`kernels::forward_columns()`] on the lower triangle.
    Sptrsm,
    /// [`kernels::ilu0()`].
    Ilu0,
    /// [`kernels::ic0()`] on the lower triangle.
    Ic0,
    /// [`kernels::symgs()`].
    Symgs,
    /// [`kernels::lu()`] on the pattern of the factors of `A + A'` under minimum degree.
    Lu,
}

impl Kernel {
    /// All kernels.
    pub const ALL: [Self; 7] = [
        Self::Sptrsv,
        Self::Backward,
        Self::Sptrsm,
        Self::Ilu0,
        Self::Ic0,
        Self::Symgs,
        Self::Lu,
    ];

    /// Returns the kernel's name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Sptrsv => "sptrsv",
            Self::Backward => "backward",
            Self::Sptrsm => "sptrsm",
            Self::Ilu0 => "ilu0",
            Self::Ic0 => "ic0",
            Self::Symgs => "symgs",
            Self::Lu => "lu",
        }
    }

    /// Returns the name of its function, by which plan files know it.
    pub fn function(self) -> &'static str {
        match self {
            Self::Sptrsv => "forward",
            Self::Sptrsm => "forward_columns",
            other => other.name(),
        }
    }
}

/// Error of a name that no kernel has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no kernel is called `{name}`: there are {}", Kernel::ALL.map(Kernel::name).join(", "))]
pub struct NoKernel {
    name: String,
}

impl FromStr for Kernel {
    type Err = NoKernel;

    fn from_str(name: &str) -> Result<Self, NoKernel> {
        let found = Self::ALL.into_iter().find(|kernel| kernel.name() == name);
        found.ok_or_else(|| NoKernel { name: name.into() })
    }
}

/// Errors of making a problem of a matrix.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Unsuitable {
    /// The matrix is not square.
    #[error("a square matrix is needed, this one has {rows} rows and {columns} columns")]
    Oblong {
        /// Its rows.
        rows: usize,
        /// Its columns.
        columns: usize,
    },
    /// Its factors are too large.
    #[error(transparent)]
    TooLarge(#[from] TooLarge),
}

/// Arguments of a kernel.
///
/// Values are drawn, as a pattern has none and time does not depend on them. They are between -1
/// and 0 off the diagonal, and a diagonal outweighs its row and its column.
pub struct Problem {
    kernel: Kernel,
    matrix: Compressed<f64>,
    diagonal: Vec<usize>,
    /// Updates of [`Kernel::Lu`], and their places.
    updates: (Updates, Vec<usize>, Vec<u32>),
    /// Right-hand side, or [`COLUMNS`] of them.
    b: Vec<f64>,
    /// Contents of the array that the kernel writes, before.
    start: Vec<f64>,
}

/// Makes the plan of a problem by the planner of its kernel.
macro_rules! by_planner {
    ($problem:expr, |$planner:ident| $plan:expr) => {{
        let problem: &Problem = $problem;
        let (n, diagonal) = (problem.matrix.lines(), &problem.diagonal[..]);
        let Compressed {
            starts, indices, ..
        } = &problem.matrix;
        let (updates, first, place) = &problem.updates;
        let (parts, part, of) = (updates.of.len(), &updates.part, &updates.of);
        let plan = match problem.kernel {
            Kernel::Sptrsv => {
                let $planner = kernels::forward::plan(n, starts, indices);
                PlannedKernel::Sptrsv($plan)
            }
            Kernel::Backward => {
                let $planner = kernels::backward::plan(n, starts, indices);
                PlannedKernel::Backward($plan)
            }
            Kernel::Sptrsm => {
                let $planner = kernels::forward_columns::plan(n, starts, indices);
                PlannedKernel::Sptrsm($plan)
            }
            Kernel::Ilu0 => {
                let $planner = kernels::ilu0::plan(n, starts, indices, diagonal);
                PlannedKernel::Ilu0($plan)
            }
            Kernel::Ic0 => {
                let $planner = kernels::ic0::plan(n, starts, indices);
                PlannedKernel::Ic0($plan)
            }
            Kernel::Symgs => {
                let $planner = kernels::symgs::plan(n, starts, indices, diagonal);
                PlannedKernel::Symgs($plan)
            }
            Kernel::Lu => {
                let $planner =
                    kernels::lu::plan(parts, starts, indices, diagonal, part, of, first, place);
                PlannedKernel::Lu($plan)
            }
        };
        Planned { problem, plan }
    }};
}

impl Problem {
    /// Makes the arguments of a kernel for a matrix in rows, whose values are ignored.
    ///
    /// A triangular matrix is taken as half of a symmetric pattern by the kernels that need both
    /// halves.
    ///
    /// # Errors
    /// If the matrix is not square. If the factors of [`Kernel::Lu`] have more than `most_entries`,
    /// or take more than 64 times as many updates. These take some 50 bytes and 4 bytes each.
    pub fn new(
        kernel: Kernel,
        matrix: &Compressed<f64>,
        most_entries: usize,
    ) -> Result<Self, Unsuitable> {
        let (rows, columns) = (matrix.lines(), matrix.across);
        if rows != columns {
            return Err(Unsuitable::Oblong { rows, columns });
        }
        let is_lower = (0..rows).all(|row| matrix.line(row).all(|(at, _)| at <= row));
        let whole = || match is_lower {
            true => matrix.lower(1.0).mirrored(),
            false => matrix.with_diagonal(1.0),
        };
        let mut updates = Default::default();
        let matrix = match kernel {
            Kernel::Sptrsv | Kernel::Backward | Kernel::Sptrsm | Kernel::Ic0 => matrix.lower(1.0),
            Kernel::Ilu0 | Kernel::Symgs => whole(),
            Kernel::Lu => {
                let whole = whole();
                let ordered = whole.permuted(&minimum_degree(&whole));
                let factors = filled(&ordered, most_entries)?;
                let of = Updates::lu(&factors, most_entries.saturating_mul(UPDATES))?;
                let (first, place) = of.places();
                updates = (of, first, place);
                factors.valued(|_, _| 1.0)
            }
        };
        Ok(Self::with_values(kernel, matrix, updates))
    }

    fn with_values(
        kernel: Kernel,
        pattern: Compressed<f64>,
        updates: (Updates, Vec<usize>, Vec<u32>),
    ) -> Self {
        let rows = pattern.lines();
        let mut weight: Vec<usize> = pattern.starts.windows(2).map(|w| w[1] - w[0]).collect();
        pattern
            .indices
            .iter()
            .for_each(|&column| weight[column] += 1);
        let matrix = pattern.valued(|row, column| match row == column {
            true => 1.0 + weight[row] as f64,
            false => -drawn(row.max(column), row.min(column)),
        });
        let diagonal = matrix.diagonal().unwrap_or_default();
        let words = match kernel {
            Kernel::Sptrsm => rows * COLUMNS,
            _ => rows,
        };
        let b: Vec<f64> = (0..words).map(|at| drawn(at, words)).collect();
        let start = match kernel {
            Kernel::Sptrsv | Kernel::Symgs => vec![0.0; rows],
            Kernel::Backward | Kernel::Sptrsm => b.clone(),
            Kernel::Ilu0 | Kernel::Ic0 | Kernel::Lu => matrix.values.clone(),
        };
        Self {
            kernel,
            matrix,
            diagonal,
            updates,
            b,
            start,
        }
    }

    /// Returns the kernel.
    pub fn kernel(&self) -> Kernel {
        self.kernel
    }

    /// Returns the matrix of which the kernel gets the arrays.
    pub fn matrix(&self) -> &Compressed<f64> {
        &self.matrix
    }

    /// Returns the contents before a run of the array that the kernel writes.
    pub fn start(&self) -> &[f64] {
        &self.start
    }

    /// Runs the function as it is written on `x`, which has the contents of
    /// [`start`](Self::start).
    pub fn written(&self, x: &mut [f64]) {
        let (n, diagonal, b) = (self.matrix.lines(), &self.diagonal[..], &self.b[..]);
        let Compressed {
            starts,
            indices,
            values,
            ..
        } = &self.matrix;
        let (updates, first, place) = &self.updates;
        let (parts, part, of) = (updates.of.len(), &updates.part, &updates.of);
        // A function that was inlined among others took 1.13 times as long as by itself.
        good(match self.kernel {
            Kernel::Sptrsv => alone(|| kernels::forward(n, starts, indices, values, b, x)),
            Kernel::Backward => alone(|| kernels::backward(n, starts, indices, values, x)),
            Kernel::Sptrsm => {
                let x = columns(x);
                alone(|| kernels::forward_columns(n, starts, indices, values, x))
            }
            Kernel::Ilu0 => alone(|| kernels::ilu0(n, starts, indices, diagonal, x)),
            Kernel::Ic0 => alone(|| kernels::ic0(n, starts, indices, x)),
            Kernel::Symgs => alone(|| kernels::symgs(n, starts, indices, diagonal, values, b, x)),
            Kernel::Lu => {
                alone(|| kernels::lu(parts, starts, indices, diagonal, part, of, first, place, x))
            }
        });
    }

    /// Returns the right-hand side of kernels that solve.
    pub fn right_hand_side(&self) -> &[f64] {
        &self.b
    }

    /// Plans the kernel.
    ///
    /// # Errors
    /// If there are no processors, or too many.
    pub fn plan(&self, processors: usize) -> Result<Planned<'_>, PlanningError> {
        self.planned(processors, None, false)
    }

    /// Plans the kernel in a schedule on which runs insist.
    ///
    /// # Errors
    /// If there are no processors, or too many.
    pub fn plan_in(
        &self,
        schedule: Schedule,
        processors: usize,
    ) -> Result<Planned<'_>, PlanningError> {
        self.planned(processors, Some(schedule), false)
    }

    /// Plans the kernel so that all runs are by the plan, and recorded.
    ///
    /// # Errors
    /// If there are no processors, or too many.
    pub fn plan_recorded(&self, processors: usize) -> Result<Planned<'_>, PlanningError> {
        self.planned(processors, Some(Schedule::Fastest), true)
    }

    fn planned(
        &self,
        processors: usize,
        schedule: Option<Schedule>,
        is_recorded: bool,
    ) -> Result<Planned<'_>, PlanningError> {
        Ok(by_planner!(self, |planner| match schedule {
            None => planner.processors(processors),
            Some(schedule) => planner.exactly(processors).schedule(schedule),
        }
        .record(is_recorded)
        .build()?))
    }

    /// Opens a plan of the kernel that was saved for the same pattern, and proves it.
    ///
    /// # Errors
    /// If the file has no such plan.
    pub fn open(&self, path: &Path) -> Result<Planned<'_>, FileError> {
        Ok(by_planner!(self, |planner| planner.open(path)?))
    }
}

/// Calls a function by itself.
#[inline(never)]
fn alone<R>(run: impl FnOnce() -> R) -> R {
    run()
}

/// Returns the rows of right-hand sides and unknowns.
fn columns(x: &mut [f64]) -> &mut [[f64; COLUMNS]] {
    x.as_chunks_mut().0
}

/// Takes the result of a kernel for granted: a diagonal that outweighs all else gives good pivots.
fn good(result: Result<(), RowError>) {
    result.expect("the diagonal outweighs its row and its column");
}

/// Draws a value from 0 to 1, the same each time for a place.
fn drawn(row: usize, column: usize) -> f64 {
    let seed = (row as u64).rotate_left(32) ^ column as u64;
    Pcg64Mcg::seed_from_u64(seed).random()
}

/// A plan with the arguments that it is for.
pub struct Planned<'p> {
    problem: &'p Problem,
    plan: PlannedKernel<'p>,
}

enum PlannedKernel<'p> {
    Sptrsv(kernels::forward::Planned<'p>),
    Backward(kernels::backward::Planned<'p>),
    Sptrsm(kernels::forward_columns::Planned<'p>),
    Ilu0(kernels::ilu0::Planned<'p>),
    Ic0(kernels::ic0::Planned<'p>),
    Symgs(kernels::symgs::Planned<'p>),
    Lu(kernels::lu::Planned<'p>),
}

impl Planned<'_> {
    /// Runs the plan on `x`, which has the contents of [`start`](Problem::start).
    ///
    /// # Errors
    /// If a grain panics.
    pub fn run(&self, x: &mut [f64]) -> Result<(), RunError> {
        let (values, b) = (&self.problem.matrix.values[..], &self.problem.b[..]);
        match &self.plan {
            PlannedKernel::Sptrsv(plan) => plan.run(values, b, x),
            PlannedKernel::Backward(plan) => plan.run(values, x),
            PlannedKernel::Sptrsm(plan) => plan.run(values, columns(x)),
            PlannedKernel::Ilu0(plan) => plan.run(x),
            PlannedKernel::Ic0(plan) => plan.run(x),
            PlannedKernel::Symgs(plan) => plan.run(values, b, x),
            PlannedKernel::Lu(plan) => plan.run(x),
        }
        .map(good)
    }

    /// Loads the plan with the values of the matrix, if the kernel has others than those that it
    /// writes.
    ///
    /// # Errors
    /// If a control value does not fit 32 bits.
    pub fn load(&self) -> Result<Loaded<'_>, PlanningError> {
        let values = &self.problem.matrix.values[..];
        let tapes = match &self.plan {
            PlannedKernel::Sptrsv(plan) => Tapes::Sptrsv(plan.load(values)?),
            PlannedKernel::Backward(plan) => Tapes::Backward(plan.load(values)?),
            PlannedKernel::Sptrsm(plan) => Tapes::Sptrsm(plan.load(values)?),
            PlannedKernel::Ilu0(plan) => Tapes::Ilu0(plan.load()?),
            PlannedKernel::Ic0(plan) => Tapes::Ic0(plan.load()?),
            PlannedKernel::Symgs(plan) => Tapes::Symgs(plan.load(values)?),
            PlannedKernel::Lu(plan) => Tapes::Lu(plan.load()?),
        };
        Ok(Loaded {
            problem: self.problem,
            tapes,
        })
    }

    /// Writes the plan to a file, which [`Problem::open`] reads.
    ///
    /// # Errors
    /// If the file can't be written.
    pub fn save(&self, path: &Path) -> Result<(), FileError> {
        match &self.plan {
            PlannedKernel::Sptrsv(plan) => plan.save(path),
            PlannedKernel::Backward(plan) => plan.save(path),
            PlannedKernel::Sptrsm(plan) => plan.save(path),
            PlannedKernel::Ilu0(plan) => plan.save(path),
            PlannedKernel::Ic0(plan) => plan.save(path),
            PlannedKernel::Symgs(plan) => plan.save(path),
            PlannedKernel::Lu(plan) => plan.save(path),
        }
    }

    /// Tells what was planned, and why.
    pub fn report(&self) -> Report<'_> {
        match &self.plan {
            PlannedKernel::Sptrsv(plan) => plan.report(),
            PlannedKernel::Backward(plan) => plan.report(),
            PlannedKernel::Sptrsm(plan) => plan.report(),
            PlannedKernel::Ilu0(plan) => plan.report(),
            PlannedKernel::Ic0(plan) => plan.report(),
            PlannedKernel::Symgs(plan) => plan.report(),
            PlannedKernel::Lu(plan) => plan.report(),
        }
    }
}

/// A loaded plan with the arguments that it is for.
pub struct Loaded<'p> {
    problem: &'p Problem,
    tapes: Tapes<'p>,
}

enum Tapes<'p> {
    Sptrsv(kernels::forward::Loaded<'p>),
    Backward(kernels::backward::Loaded<'p>),
    Sptrsm(kernels::forward_columns::Loaded<'p>),
    Ilu0(kernels::ilu0::Loaded<'p>),
    Ic0(kernels::ic0::Loaded<'p>),
    Symgs(kernels::symgs::Loaded<'p>),
    Lu(kernels::lu::Loaded<'p>),
}

impl Loaded<'_> {
    /// Runs the plan on `x`, which has the contents of [`start`](Problem::start).
    ///
    /// # Errors
    /// If a grain panics.
    pub fn run(&self, x: &mut [f64]) -> Result<(), RunError> {
        let b = &self.problem.b[..];
        match &self.tapes {
            Tapes::Sptrsv(loaded) => loaded.run(b, x),
            Tapes::Backward(loaded) => loaded.run(x),
            Tapes::Sptrsm(loaded) => loaded.run(columns(x)),
            Tapes::Ilu0(loaded) => loaded.run(x),
            Tapes::Ic0(loaded) => loaded.run(x),
            Tapes::Symgs(loaded) => loaded.run(b, x),
            Tapes::Lu(loaded) => loaded.run(x),
        }
        .map(good)
    }

    /// Loads the values of the matrix again, as one loads others.
    ///
    /// # Errors
    /// None, for the values of the matrix.
    pub fn update(&mut self) -> Result<(), PlanningError> {
        let values = &self.problem.matrix.values[..];
        match &mut self.tapes {
            Tapes::Sptrsv(loaded) => loaded.update(values),
            Tapes::Backward(loaded) => loaded.update(values),
            Tapes::Sptrsm(loaded) => loaded.update(values),
            Tapes::Ilu0(loaded) => loaded.update(),
            Tapes::Ic0(loaded) => loaded.update(),
            Tapes::Symgs(loaded) => loaded.update(values),
            Tapes::Lu(loaded) => loaded.update(),
        }
    }

    /// Returns the bytes of the copies.
    pub fn bytes(&self) -> usize {
        match &self.tapes {
            Tapes::Sptrsv(loaded) => loaded.bytes(),
            Tapes::Backward(loaded) => loaded.bytes(),
            Tapes::Sptrsm(loaded) => loaded.bytes(),
            Tapes::Ilu0(loaded) => loaded.bytes(),
            Tapes::Ic0(loaded) => loaded.bytes(),
            Tapes::Symgs(loaded) => loaded.bytes(),
            Tapes::Lu(loaded) => loaded.bytes(),
        }
    }
}
