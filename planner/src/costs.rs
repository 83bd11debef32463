//! The prices by which grains are joined and plans predicted.

/// Prices of words and waits.
///
/// ```
/// use superstep_planner::Costs;
///
/// // A kernel that was timed: a word takes 0.8 ns.
/// let costs = Costs { word: 0.8, ..Costs::default() };
/// assert_eq!(costs.least_work(), 63);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Costs {
    /// Time for a word of work, in nanoseconds.
    pub word: f64,
    /// Work of an iteration beside its accesses, in words.
    pub iteration: u32,
    /// Time that a processor loses by a wait that is not yet fulfilled, in nanoseconds.
    pub wait: f64,
    /// Time that a processor loses by a chunk beside its grains, in nanoseconds.
    pub chunk: f64,
    /// Time that a processor loses by a grain that does not follow the one before it in the
    /// sequential run, in nanoseconds. Prefetch loads what lies in memory in that order ahead of
    /// the grains. 0 where it is stored in the order of the plan.
    pub jump: f64,
    /// Time that a processor loses by a grain's operand that another one writes, in nanoseconds.
    /// Its cache line comes from another cache, once for each processor (coherence). An operand
    /// that follows the last such in the sequential run costs nothing: it comes with it, or ahead
    /// of the grain. Words that others have read and that a grain overwrites cost as much as one
    /// operand.
    pub crossing: f64,
    /// Least time of a grain, in nanoseconds: smaller ones are joined with their successors.
    pub least: f64,
}

impl Default for Costs {
    /// Prices that were measured on sparse solves.
    ///
    /// * A wait has 150 ns, between two threads on neighbouring cores.
    /// * A chunk and a jump have 40 to 60 ns, in grids with small chunks and with windows ordered
    ///   by level (the example `patterns`). A kernel is called once for many jumps since then. The
    ///   experiment is 65 problems (22 patterns, 15 of them real; solves, sweeps, ILU) on two
    ///   processors. Plans that are chosen by 50, 30, 20 and 0 ns for a jump take 0.763, 0.768,
    ///   0.779 and 0.786 of the function.
    /// * A crossing has 10 ns, by 488 plans of these problems. The table has their times by the
    ///   predicted ones in the geometric mean, and the standard deviation of the logarithms, as a
    ///   factor. If an operand counts for each grain that uses it, and readers for each word that
    ///   is overwritten, it is 1.52.
    /// * Grains have 50 ns (8 rows of a 5-point grid). They halve the time of planning against
    ///   single rows; those of 64 rows leave no parallelism.
    ///
    /// | crossing in ns | 5 | 10 | 20 | 30 |
    /// |---|---|---|---|---|
    /// | mean | 1.18 | 1.13 | 1.04 | 0.97 |
    /// | deviation | 1.25 | 1.26 | 1.30 | 1.35 |
    fn default() -> Self {
        Self {
            word: 1.0,
            iteration: 4,
            wait: 150.0,
            chunk: 50.0,
            jump: 50.0,
            crossing: 10.0,
            least: 50.0,
        }
    }
}

impl Costs {
    /// Returns the least work of a grain, in words: at least 1.
    pub fn least_work(&self) -> u32 {
        (self.least / self.word).ceil().max(1.0) as u32
    }
}
