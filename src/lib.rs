//! superstep watches one run of a sequential kernel, while your program runs or while your crate
//! builds. It runs the kernel's iterations or assignments in bulk-synchronous supersteps, with the
//! same bits.
//!
//! # In short
//! 1. Mark a function [`#[kernel]`](macro@kernel).
//! 2. Call `lu::parallel(n, &mut a)` where you called `lu(n, &mut a)`: calls that take long enough
//!    make a [plan], and run it where it is faster.
//! 3. For sizes that the build knows, have programs generated, which go further. Put kernels into a
//!    file of their own, include it in `build.rs`, and say for which sizes and processor counts:
//!    see the module `build`.
//!
//! ```
//! use superstep::kernel;
//!
//! /// Smooths `u` in place, from left to right.
//! #[kernel]
//! pub fn smooth(n: usize, u: &mut [f64]) {
//!     for i in 1..n {
//!         u[i] = 0.5 * (u[i] + u[i - 1]);
//!     }
//! }
//!
//! fn main() {
//!     let mut u = vec![1.0, 2.0, 4.0];
//!     smooth::parallel(3, &mut u); // three words: this runs the function as written
//!     assert_eq!(u, [1.0, 1.5, 2.75]);
//!     assert!(!smooth::is_scheduled(3)); // nothing was generated
//! }
//! ```
//!
//! # What the attribute adds
//! Beside `fn lu` stands a module `lu`. The function is untouched, but for loops marked `#[reduce]`
//! and calls of the library's float functions, which the compiler may not fold.
//!
//! | item | what it does |
//! |---|---|
//! | `lu::parallel(n, &mut a)` | runs the generated program with the fastest prediction among those whose processors all have a core, or the function where that is faster; raises a processor's panic again |
//! | `lu::try_parallel(n, &mut a)` | the same, with a [`RunError`] that names processor, superstep and statement |
//! | `lu::with()` | the same with choices: `.processors(4).wait(WaitPolicy::Park).run(n, &mut a)?`; `.exactly(4)` insists |
//! | `lu::prepare(n)?` | chooses the program once, or a plan that runs make; `prepared.run(&mut a)?` then compares nothing and allocates nothing |
//! | `lu::prepare(n)?.run_over(..)` | with the feature `ranks`: runs the program on processes, one processor on each |
//! | `lu::plan(n).build_over(..)?.run_over(..)` | with the feature `ranks`: plans on the first process, and runs the plan on all |
//! | `lu::prepare(n)?.part(..)` | the same without whole arrays: `fill_a`, `run` and `results_a` of a rank's own words |
//! | `lu::plan(n)` | makes a [plan] at once: `.processors(2).build()?` |
//! | `lu::UNPLANNED` | in its place where the kernel cannot be planned: the line that is in the way |
//! | `lu::is_scheduled(n)` | whether a program was generated for these control arguments |
//! | `lu::instance(n)` | in the build script: the instance for a `build::Builder` |
//!
//! The original function runs, and the answer is the same, in a call
//!
//! * for which nothing was generated or planned;
//! * with an argument that is shorter than what the traced run touched;
//! * from inside a processor of a running program;
//! * for which the function is measured to be faster than its programs.
//!
//! [`last_run`] tells whether a program ran, and [`last_reason`] why the function did. After an
//! error the contents of `&mut` arguments are unspecified, as after a panic of the sequential
//! function.
//!
//! # The same bits
//! Every value is computed by the expression that you wrote, from the same operands. So results are
//! equal bit for bit, for every number of processors and on every run. Any NaN counts as equal to
//! any NaN: their payloads differ between the vector and scalar parts of one loop even in plain
//! Rust. What that excludes, and what else can go wrong, is in `docs/WHAT_CAN_GO_WRONG.md`.
//!
//! A loop that accumulates is a chain, which no number of processors shortens. `#[reduce]` on it
//! chooses another association, which depends on its length alone and which the function has too:
//! see the attribute's [Reductions](macro@kernel#reductions). Outside kernels [`reduce`] has
//! reductions in fixed order, and [`farm`] loops over independent items whose costs differ.
//!
//! # Never slower than the function
//! Of some kernels no program is as fast as the function. And processors wait for each other, which
//! takes long where other programs keep the cores busy. So calls are timed. They run the function
//! as written or the program for one processor where that is measured to be faster. Slower forms
//! get 3 % of the time at most. [`last_reason`] says so ([`Reason::AsWritten`],
//! [`Reason::Slower`]). So it is for calls for which the system has no threads. `with().exactly(4)`
//! insists on four processors, however few cores there are and however long it takes: for
//! measurements and tests.
//!
//! # Features
//! * `plan`, a default: [plans](plan) that are made when the program runs. Build scripts do
//!   without: `default-features = false`.
//! * `build`: the module `build`, for `[build-dependencies]`. Without it a crate gets the attribute
//!   and a small runtime, and nothing else.
//! * `ranks`: the module `ranks`, programs and sums over processes that send each other messages,
//!   as those of MPI do.
//! * `search`: `build`, and the algorithms that copy tasks, for programs over private memory.

/// Names that the expansion of kernels that call others uses.
#[doc(hidden)]
pub use superstep_macros::__inline;
pub use superstep_macros::kernel;
#[doc(inline)]
pub use superstep_runtime::{
    call::{Ran, Reason, last_reason, last_run},
    error::{PrepareError, RunError, Statement},
    farm,
    options::{TransportKind as Transport, WaitPolicy},
    reduce,
    team::shut_down,
    timeline::{Timeline, last_timeline},
};

#[cfg(feature = "ranks")]
#[doc(inline)]
pub use superstep_runtime::ranks;

#[cfg(feature = "build")]
pub mod build;

/// Plans that are made when the program runs, for patterns that come with the data.
///
/// A kernel has `plan` in its module, beside all else. It takes the control arguments, tracks what
/// each iteration reads and writes, schedules the iterations, and proves the schedule. The plan
/// that it gives runs on any values. No build script is needed. Marked `#[kernel(plan)]`, a kernel
/// that cannot be planned is an error. Calls of `parallel` make such plans themselves, if they take
/// long enough: see [Plans at run time](macro@crate::kernel#plans-at-run-time).
///
/// ```
/// use superstep::kernel;
///
/// /// Solves L x = b in place; the diagonal is last in its row.
/// #[kernel(plan)]
/// pub fn solve(
///     n: usize,
///     #[structure] row: &[usize],
///     #[structure] col: &[u32],
///     #[values] values: &[f64],
///     x: &mut [f64],
/// ) {
///     for i in 0..n {
///         for e in row[i]..row[i + 1] - 1 {
///             x[i] -= values[e] * x[col[e] as usize];
///         }
///         x[i] /= values[row[i + 1] - 1];
///     }
/// }
///
/// fn main() -> Result<(), Box<dyn std::error::Error>> {
///     // Read from a file, say.
///     let (row, col, values) = ([0, 1, 2, 4], [0, 1, 0, 2], [2.0, 4.0, 1.0, 8.0]);
///     let plan = solve::plan(3, &row, &col).processors(2).build()?;
///     let mut x = [2.0, 4.0, 17.0];
///     plan.run(&values, &mut x)?;
///     assert_eq!(x, [1.0, 1.0, 2.0]);
///     println!("{}", plan.report()); // so few rows stay sequential, and the report says why
///
///     // Values that serve many runs are copied in the order of the schedule.
///     let mut loaded = plan.load(&values)?;
///     let mut x = [2.0, 4.0, 17.0];
///     loaded.run(&mut x)?;
///     assert_eq!(x, [1.0, 1.0, 2.0]);
///     loaded.update(&[1.0, 1.0, 0.0, 1.0])?;
///     let mut x = [2.0, 4.0, 17.0];
///     loaded.run(&mut x)?;
///     assert_eq!(x, [2.0, 4.0, 17.0]);
///     Ok(())
/// }
/// ```
///
/// A plan can be saved, and opened where a later run of your program has the same pattern. It is
/// proved again, which takes less time than to find one.
///
/// ```
/// # use superstep::kernel;
/// use superstep::plan::FileError;
/// # /// Adds neighbours.
/// # #[kernel(plan)]
/// # pub fn solve(n: usize, #[structure] row: &[usize], #[structure] col: &[u32], x: &mut [f64]) {
/// #     for i in 0..n {
/// #         for e in row[i]..row[i + 1] {
/// #             x[i] -= x[col[e] as usize];
/// #         }
/// #     }
/// # }
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let (row, col) = ([0, 0, 0, 1], [0]);
/// # let path = std::env::temp_dir().join(format!("superstep-doc-{}.plan", std::process::id()));
///
/// let planner = solve::plan(3, &row, &col).processors(2);
/// let plan = match planner.open(&path) {
///     // Not saved yet, or for another pattern.
///     Err(FileError::Read { .. } | FileError::Decode { .. }) => {
///         let plan = planner.build()?;
///         plan.save(&path)?;
///         plan
///     }
///     opened => opened?,
/// };
/// # let _ = plan;
/// assert!(planner.open(&path).is_ok());
/// assert_eq!(
///     solve::plan(2, &row, &col).open(&path).unwrap_err().to_string(),
///     format!("{}: `n` was 3 when the plan was saved, and is 2", path.display())
/// );
/// # std::fs::remove_file(&path)?;
/// # Ok(())
/// # }
/// ```
///
/// # Measured costs
///
/// A plan is made by prices of words and waits ([`Costs`](plan::Costs)), and the planner does not
/// know that a call in the loop takes long. A recorded run does: the next plan is made by what that
/// took.
///
/// ```
/// # use superstep::kernel;
/// # /// Takes a step of a walk from each point, and adds the point before.
/// # #[kernel(plan)]
/// # pub fn walk(n: usize, far: usize, x: &mut [f64]) {
/// #     for i in far..n {
/// #         x[i] = steps(x[i]) + x[i - far];
/// #     }
/// # }
/// # pub fn steps(x: f64) -> f64 {
/// #     (0..1000).fold(x, |x, _| 0.5 * x + 0.25)
/// # }
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let mut x = [0.5; 40];
///
/// // `x[i] = steps(x[i]) + x[i - far]`, where `steps` takes a microsecond.
/// let planner = walk::plan(40, 10).exactly(2);
/// let plan = planner.record(true).build()?;
/// assert!(plan.report().why_sequential().is_some());
/// plan.run(&mut x)?;
///
/// // `Timeline::read` reads one that was written to a file.
/// let timeline = superstep::last_timeline().expect("it was recorded");
/// let plan = planner.measured(&timeline).build()?;
/// println!("{}", plan.report()); // measured: 92.41 ns for a word, ..
/// assert!(plan.report().measured.is_some());
/// plan.run(&mut x)?;
/// # Ok(())
/// # }
/// ```
///
/// The timeline is of a run of the plan that the same planner builds, in place; it may be on other
/// values. That of another plan, of the function as written, or of a run that failed is an
/// [error](plan::MeasuredError). A run whose processors shared a thread tells of words alone, and
/// the report says so. Planning takes about three times as long.
///
/// # Plans beside their matrix
///
/// `plan` borrows structure. `plan_owned` takes `Arc<[T]>`, `Vec<T>`, `Arc<Vec<T>>` or `Box<[T]>`
/// ([`Structure`](plan::Structure)), and copies nothing. Its plan is `'static`: an object may have
/// the matrix and its plans, and go where it likes.
///
/// ```
/// use std::sync::Arc;
/// use superstep::kernel;
/// use superstep::plan::PlanningError;
/// # /// Solves L x = b in place; the diagonal is last in its row.
/// # #[kernel(plan)]
/// # pub fn solve(
/// #     n: usize,
/// #     #[structure] row: &[usize],
/// #     #[structure] col: &[usize],
/// #     #[values] values: &[f64],
/// #     x: &mut [f64],
/// # ) {
/// #     for i in 0..n {
/// #         for e in row[i]..row[i + 1] - 1 {
/// #             x[i] -= values[e] * x[col[e]];
/// #         }
/// #         x[i] /= values[row[i + 1] - 1];
/// #     }
/// # }
///
/// pub struct Solver {
///     pub row: Arc<[usize]>,
///     pub col: Arc<[usize]>,
///     pub values: Vec<f64>,
///     plan: solve::Planned<'static>,
/// }
///
/// impl Solver {
///     pub fn new(row: Arc<[usize]>, col: Arc<[usize]>, values: Vec<f64>) -> Result<Self, PlanningError> {
///         let plan = solve::plan_owned(row.len() - 1, Arc::clone(&row), Arc::clone(&col));
///         let plan = plan.processors(2).build()?;
///         Ok(Self { row, col, values, plan })
///     }
/// }
///
/// fn main() -> Result<(), Box<dyn std::error::Error>> {
///     let solver = Solver::new([0, 1, 3].into(), [0, 0, 1].into(), vec![1.0, 2.0, 4.0])?;
///     let solved = std::thread::spawn(move || {
///         let mut x = [1.0, 10.0];
///         solver.plan.run(&solver.values, &mut x).map(|()| x)
///     });
///     assert_eq!(solved.join().unwrap()?, [1.0, 2.0]);
///     Ok(())
/// }
/// ```
///
/// # Matrices of other crates
///
/// Structure and values are slices, of whichever integers a matrix has (`&[usize]`, `&[u32]`, ...),
/// and a crate for sparse matrices lends its own: nothing is converted. Of `sprs`, `proper_indptr`
/// begins at 0 for a view of some rows, too, where `indptr().raw_storage()` need not.
///
/// ```
/// use sprs::{CsMatI, TriMatI};
/// use superstep::kernel;
///
/// /// Solves L x = b in place; the diagonal is last in its row.
/// #[kernel(plan)]
/// pub fn solve(n: usize, #[structure] row: &[u32], #[structure] col: &[u32], #[values] l: &[f64], x: &mut [f64]) {
///     for i in 0..n {
///         let last = row[i + 1] as usize - 1;
///         for e in row[i] as usize..last {
///             x[i] -= l[e] * x[col[e] as usize];
///         }
///         x[i] /= l[last];
///     }
/// }
///
/// fn main() -> Result<(), Box<dyn std::error::Error>> {
///     let mut entries = TriMatI::<f64, u32>::new((3, 3));
///     for (row, column, value) in [(2, 0, 1.0), (0, 0, 2.0), (1, 1, 4.0), (2, 2, 8.0)] {
///         entries.add_triplet(row, column, value);
///     }
///     let matrix: CsMatI<f64, u32> = entries.to_csr();
///
///     let (row, col) = (matrix.proper_indptr(), matrix.indices());
///     let plan = solve::plan(matrix.rows(), &row, col).processors(2).build()?;
///     let mut x = [2.0, 4.0, 17.0];
///     plan.run(matrix.data(), &mut x)?;
///     assert_eq!(x, [1.0, 1.0, 2.0]);
///     Ok(())
/// }
/// ```
///
/// # What is planned
///
/// Iterations of the outermost loops are scheduled, one by one or joined to grains. Those of loops
/// inside are, where that is predicted to be faster. Where a loop is marked `#[grain]`, its
/// iterations are. Data may live on from one to others, in parameters and in what the kernel
/// declares around the loop. Whoever reads it waits for whoever writes it. Control that does so is
/// refused, at the line that is in the way.
#[cfg(feature = "plan")]
pub mod plan {
    #[cfg(feature = "report")]
    #[doc(inline)]
    pub use superstep_runtime::planned::ReportError;
    #[doc(inline)]
    pub use superstep_runtime::planned::{
        Costs, DecodeError, FileError, LengthError, MeasuredError, PlanReport, PlanningError,
        Report, Schedule, Structure, Windows, Within,
    };
}

/// Names that the expansion of [`kernel`](macro@kernel) and generated files use.
#[doc(hidden)]
pub use superstep_runtime::expansion as __private;
